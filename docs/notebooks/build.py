#!/usr/bin/env python3
"""Makes the notebooks of this folder from the Python files beside them, and runs them.

Usage: docs/notebooks/build.py [NAME ...]        (default: all; needs vernier[plot], pandas, nbclient and ipykernel)
Example: docs/notebooks/build.py 1-gaussian-mechanism

A source has cells that begin with a line `# %%`, or `# %% [markdown]` for text in comments. `# %% tags=["random"]` marks a cell
whose output differs from run to run; that of every other cell is compared by the tests.
"""
import json
import os
import pathlib
import re
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
CELL = re.compile(r'^# %%(?P<text> \[markdown\])?(?: tags=\["(?P<tag>\w+)"\])?$', re.MULTILINE)
SECONDS = 600  # for one cell


def sources():
    """The Python files that are notebooks."""
    return sorted(FOLDER.glob("[0-9]-*.py"))


def cells_of(source):
    """(is text, tag or None, content) for each cell."""
    parts = CELL.split(source)
    if parts[0].strip():
        raise ValueError("a source begins with a cell, but something stands before the first one")
    for text, tag, content in zip(parts[1::3], parts[2::3], parts[3::3]):
        yield bool(text), tag, uncommented(content.strip("\n")) if text else content.strip("\n")


def uncommented(content):
    return "\n".join(line[2:] if line.startswith("# ") else line.removeprefix("#") for line in content.split("\n"))


def notebook_of(path):
    """The notebook of a source, not run yet."""
    import nbformat.v4 as form

    notebook = form.new_notebook(metadata={"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                                           "language_info": {"name": "python"}})
    for number, (is_text, tag, content) in enumerate(cells_of(path.read_text()), 1):
        make = form.new_markdown_cell if is_text else form.new_code_cell
        metadata = {"tags": [tag]} if tag else {}
        notebook.cells.append(make(content, id=f"cell-{number}", metadata=metadata))
    return notebook


def home_in(folder):
    """An environment in which keys, witnesses and settings stay in this folder."""
    names = {"HOME": "", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "cache",
             "IPYTHONDIR": "ipython", "MPLCONFIGDIR": "matplotlib", "TMPDIR": ""}
    return {**os.environ, **{name: str(pathlib.Path(folder, inside)) for name, inside in names.items()}}


def kernel_class(folder):
    """Of the kernel that is this interpreter, with its files in this folder."""
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager

    kernels = pathlib.Path(folder, "kernels")
    declared = kernels / "python3" / "kernel.json"
    declared.parent.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "--log-level=ERROR", "-f", "{connection_file}"]
    declared.write_text(json.dumps({"argv": command, "display_name": "Python 3", "language": "python"}))

    class Kernel(AsyncKernelManager):
        def __init__(self, **options):
            super().__init__(**options, kernel_spec_manager=KernelSpecManager(kernel_dirs=[str(kernels)]),
                             connection_file=str(pathlib.Path(folder, "connection.json")))

    return Kernel


def run(notebook, folder):
    """Runs it in this folder with this interpreter; what a cell raises is raised."""
    from nbclient import NotebookClient

    work = pathlib.Path(folder, "work")
    work.mkdir()
    before = notebook.metadata.copy()
    client = NotebookClient(notebook, kernel_manager_class=kernel_class(folder), timeout=SECONDS, record_timing=False,
                            resources={"metadata": {"path": str(work)}})
    client.execute(env=home_in(folder))
    notebook.metadata = before  # without the version of the interpreter


def build(path):
    import nbformat

    notebook = notebook_of(path)
    with tempfile.TemporaryDirectory() as folder:
        run(notebook, folder)
    nbformat.validate(notebook)
    path.with_suffix(".ipynb").write_text(nbformat.writes(notebook) + "\n")


def main(names):
    chosen = [path for path in sources() if not names or path.stem in names]
    missing = set(names) - {path.stem for path in chosen}
    if missing:
        sys.exit(f"build.py: there is no notebook {', '.join(sorted(missing))} here; there are "
                 f"{', '.join(path.stem for path in sources())}")
    for path in chosen:
        build(path)
        print(path.with_suffix(".ipynb").relative_to(FOLDER.parent.parent))


if __name__ == "__main__":
    main(sys.argv[1:])
