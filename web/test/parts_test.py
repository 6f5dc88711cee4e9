"""Parts of the page, without a browser. Usage: parts_test.py MODULES

esbuild of MODULES (tools/setup has put it there) makes a module of each part, on which node:test runs what stands beside this file."""
import glob
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PARTS = ["parts/results.tsx", "parts/curves.tsx", "keys.ts"]


def main(modules):
    programs = glob.glob(f"{modules}/node_modules/@esbuild/*/bin/esbuild")
    if not programs or not shutil.which("node"):
        print("the page is not looked at, since esbuild or Node is missing: tools/setup fetches it")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        entries = [str(HERE.parent / "src" / part) for part in PARTS]
        subprocess.run([programs[0], *entries, "--bundle", "--format=esm", "--platform=node", "--jsx=automatic", "--jsx-import-source=preact", "--out-extension:.js=.mjs",
                        f"--outbase={HERE.parent / 'src'}", f"--outdir={folder}", "--log-level=warning"], check=True,
                       env={**os.environ, "NODE_PATH": f"{modules}/node_modules"}, cwd=HERE.parent)
        return subprocess.run(["node", "--test", *sorted(map(str, HERE.glob("*.test.mjs")))], check=False, env={**os.environ, "VERNIER_PARTS": folder}).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
