"""The tables that all contenders read, one Parquet file for each number of rows, written once into the cache."""

import os
import subprocess

from bench.contender import ROOT

CACHE = os.environ.get("VERNIER_DEPS") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "vernier"
)
WRITER = os.path.join(ROOT, "build", "bench", "bin", "bench_groupby_duckdb")
VERSION = 1  # of the table: another one gets another name


class Missing(Exception):
    """The table cannot be had; the text is one sentence that says why."""


def data_file(rows):
    path = os.path.join(CACHE, "bench-groupby", f"people-{VERSION}-{rows}.parquet")
    if not os.path.exists(path):
        _write(path, rows)
    return path


def _write(path, rows):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    part = f"{path}.{os.getpid()}"
    try:
        subprocess.run([WRITER, "data", part, str(rows)], check=True, capture_output=True)
        os.replace(part, path)  # whole or not at all
    except (OSError, subprocess.CalledProcessError) as error:
        raise Missing(f"the table of {rows:,} rows cannot be written ({error})") from error
    finally:
        if os.path.exists(part):
            os.remove(part)
