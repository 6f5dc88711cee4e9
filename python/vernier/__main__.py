"""The command line: `python -m vernier plan study.toml` does what `vernier plan study.toml` does."""
import sys

from vernier import _core


def main() -> int:
    return _core.run_program(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
