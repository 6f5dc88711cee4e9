"""What the check scripts share: the files of a tree, C++ without its comments and strings, and how findings are told."""
import os
import re
import sys
from pathlib import Path

SKIPPED_FOLDERS = {"build", "target", "node_modules", "__pycache__"}
CPP = {".cpp", ".hpp", ".h"}

_TOKENS = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""",
    re.DOTALL,
)


def files(root):
    """All files of the project below root, in order, without builds and the folders that tools hide."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            name for name in folders if name not in SKIPPED_FOLDERS and (not name.startswith(".") or name == ".ci")
        )
        yield from (Path(folder, name) for name in sorted(names) if name != ".git")


def blanked(code):
    """The code with comments and literals blanked out; every line keeps its number."""
    return _TOKENS.sub(lambda token: re.sub(r"[^\n]", " ", token.group()), code)


def is_test(path):
    return path.parts[0] == "tests" or path.stem.endswith("_test")


def run(check, doc):
    """Runs check(root) -> list of findings over the tree given on the command line; exit code 1 when there are any."""
    arguments = sys.argv[1:]
    if arguments and arguments[0] in ("-h", "--help"):
        print(doc)
        return 0
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        name = Path(sys.argv[0]).name
        print(f'tools/{name}: it takes one folder at most; see tools/{name} --help', file=sys.stderr)
        return 2
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    findings = check(root)
    for finding in findings:
        print(finding)
    return 1 if findings else 0
