"""The bare Beast server as a contender: the same clients, which send the same bodies and get them back.

Usage: echo.py PROGRAM SECONDS
"""

import subprocess
import sys

from bench.server import cases, load

PARTS = {"40 plans a second, p50": 0.5, "40 plans a second, p99": 0.99}


def main():
    process = subprocess.Popen([sys.argv[1]], stdout=subprocess.PIPE, text=True)
    port, seconds = int(process.stdout.readline()), float(sys.argv[2])
    body = {"catalog": "catalog.toml", "study": cases.PLAN}
    print("ready", flush=True)
    for line in sys.stdin:
        part = PARTS.get(line.strip())
        if part is None:
            print("none", flush=True)
            continue
        clients = [load.Client(port) for _ in range(20)]
        times = load.steady(clients, lambda client: client.ask("POST", "/", body)[0], 40, seconds)
        print(load.quantile(times, part), flush=True)
    process.kill()


if __name__ == "__main__":
    main()
