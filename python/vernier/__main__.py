"""The command line: `python -m vernier plan study.toml` does what `vernier plan study.toml` does."""
import sys

from vernier import _core
from vernier.audits import command


def main() -> int:
    return _core.run_program(sys.argv[1:], command() if sys.argv[1:2] in (["audit"], ["serve"]) else [])


if __name__ == "__main__":
    sys.exit(main())
