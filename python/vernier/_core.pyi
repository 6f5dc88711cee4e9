from collections.abc import Sequence


def run_program(words: Sequence[str]) -> int:
    """The command line with these words; its exit code."""
