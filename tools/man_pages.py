"""Writes a manual page for the program and one for each of its commands, of what their --help says.

Usage: man_pages.py PROGRAM FOLDER
"""
import re
import subprocess
import sys
from pathlib import Path

program, folder = sys.argv[1], Path(sys.argv[2])


def said(*words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def page(name, text):
    told = text.splitlines()[0].split(": ", 1)[1]  # what whatis and apropos show
    lines = text.replace("\\", r"\e").replace("-", r"\-").splitlines()
    shown = "\n".join(rf"\&{line}" if line.startswith((".", "'")) else line for line in lines)
    (folder / f"{name}.1").write_text(f'.TH {name.upper()} 1 "" "{said("--version").strip()}"\n.SH NAME\n{name} \\- {told}\n.SH {name.upper()}\n.nf\n{shown}\n.fi\n')


overview = said("--help")
page("vernier", overview)
for command in re.findall(r"^  ([a-z]+)  ", overview, re.MULTILINE):
    page(f"vernier-{command}", said(command, "--help"))
