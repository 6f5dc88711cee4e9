"""Puts the page into a C++ file. Usage: build.py MODULES OUT.cpp

MODULES is where tools/setup has put the packages of package-lock.json; esbuild among them makes a script, a style
sheet, and what is loaded on demand of src. Where they are missing, the page says how to get it, and everything else of the server works.
"""
import glob
import gzip
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml"}
LACKING = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Vernier</title></head>
<body><h1>The page was not built</h1>
<p>This program was built without what makes its page: Node's package manager was missing, or could not fetch it. The API
below <code>/api/v1</code> works; <a href="/api/v1/openapi.json">openapi.json</a> describes it.</p>
<p>To get the page, run <code>tools/setup</code> and then <code>tools/build</code>.</p></body></html>
"""


def bundle(modules):
    """{path: bytes} of the page; None where esbuild is not there."""
    programs = glob.glob(f"{modules}/node_modules/@esbuild/*/bin/esbuild")
    if not programs:
        return None
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([programs[0], str(HERE / "src/main.tsx"), str(HERE / "src/style.css"), "--bundle", "--splitting", "--minify",
                        "--format=esm", "--target=es2022", "--jsx=automatic", "--jsx-import-source=preact", "--legal-comments=none",
                        "--entry-names=[name]-[hash]", "--chunk-names=[name]-[hash]", f"--outdir={folder}", "--log-level=warning"],
                       check=True, env={**os.environ, "NODE_PATH": f"{modules}/node_modules"}, cwd=HERE)
        files = {f"/{path.name}": path.read_bytes() for path in sorted(pathlib.Path(folder).iterdir())}
    page = (HERE / "src/index.html").read_text(encoding="utf-8")
    for path in files:  # other scripts are loaded by the first one
        if path.startswith(("/main-", "/style-")):
            page = page.replace("{" + pathlib.Path(path).suffix[1:] + "}", path)
    return {"/": page.encode(), **files, "/favicon.svg": (HERE / "src/favicon.svg").read_bytes()}


def array(name, content):
    numbers = ",".join(str(byte - 256 if byte > 127 else byte) for byte in content)
    return f"const char {name}[] = {{{numbers}}};\n"


def source(files):
    text = '#include "server/assets.hpp"\n\n#include <array>\n\nnamespace vernier::server {\nnamespace {\n\n'
    rows = []
    for number, (path, content) in enumerate(files.items()):
        packed = gzip.compress(content, mtime=0)
        text += array(f"raw_{number}", content) + array(f"packed_{number}", packed)
        kind = TYPES[pathlib.Path(path).suffix or ".html"]
        rows.append(f'    {{"{path}", "{kind}", {{raw_{number}, sizeof raw_{number}}}, {{packed_{number}, sizeof packed_{number}}}}},')
    return (f"{text}\nconst std::array<Asset, {len(rows)}> all = {{{{\n" + "\n".join(rows) +
            "\n}};\n\n}  // namespace\n\nstd::span<const Asset> assets() { return all; }\n\n}  // namespace vernier::server\n")


def main(modules, out):
    files = bundle(modules)
    if files is None:
        print("the page is not built, since esbuild is missing: tools/setup fetches it where there is npm")
        files = {"/": LACKING.encode()}
    pathlib.Path(out).write_text(source(files), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
