"""The server as a contender: a case a line, by its name in cases.py; the answer is its figure.

Usage: vernier.py PROGRAM SECONDS
"""

import concurrent.futures
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from bench.server import cases, load

TOKENS = 20  # analysts, with an edit every half of a second each


class Server:
    def __init__(self, program, folder):
        self.began = time.perf_counter()
        self.process = subprocess.Popen([program, "serve", "--root", folder], stdout=subprocess.PIPE, text=True)
        link = self.process.stdout.readline().strip()
        self.port, self.token = int(re.search(r":(\d+)/", link)[1]), link.split("#t=")[1]

    def client(self):
        return load.Client(self.port, self.token)

    def analysts(self):
        """A client each, with a token of their own."""
        made = []
        for number in range(TOKENS):
            body = {"name": f"analyst{number}", "role": "analyst"}
            told = json.loads(self.client().ask("POST", "/api/v1/tokens", body)[1])
            made.append(load.Client(self.port, told["token"]))
        return made

    def end(self, kill=False):
        self.process.kill() if kill else self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def plan(study):
    body = {"catalog": "catalog.toml", "study": study}
    return lambda client: client.ask("POST", "/api/v1/plan", body)[0]


class Bench:
    def __init__(self, program, seconds):
        self.program, self.seconds = program, seconds

    def answer(self, name):
        with tempfile.TemporaryDirectory() as folder:
            for file, text in (("people.csv", cases.PEOPLE), ("catalog.toml", cases.CATALOG)):
                with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                    out.write(text)
            server = Server(self.program, folder)
            try:
                return self.by_name(name)(server, folder)
            finally:
                server.end()

    def by_name(self, name):
        rate = lambda study, part: lambda server, _: self.steady(server, study, part)  # noqa: E731
        return {
            "40 plans a second, p50": rate(cases.PLAN, 0.5),
            "40 plans a second, p99": rate(cases.PLAN, 0.99),
            "40 hard plans a second, p99": rate(cases.HARD, 0.99),
            "what-if: the first five points": lambda server, _: self.what_if(server, 5),
            "what-if: all 21 points": lambda server, _: self.what_if(server, 21),
            "200 tabs: memory of the front": self.tabs,
            "64 releases for a budget of 40: paid": lambda server, _: self.race(server)["ready"],
            "64 releases for a budget of 40: refused": lambda server, _: self.race(server)["refused"],
            "p99 beside 1,000 slow connections over that without": self.slow,
            "ready again after kill -9": self.again,
            "the page, compressed": self.page,
            "from the start to the first plan": self.first,
            "memory after the soak over that before": self.soak,
        }[name]

    def steady(self, server, study, part):
        clients = server.analysts()
        load.steady(clients, plan(study), 40, 1)  # workers are started
        return load.quantile(load.steady(clients, plan(study), 40, self.seconds), part)

    def what_if(self, server, points):
        client = server.client()
        epsilons = [f"{0.25 * 16 ** (i / (points - 1)):.3f}" for i in range(points)]
        plan(cases.HARD)(client)
        begin = time.perf_counter()
        status, answer = client.ask("POST", "/api/v1/what-if", {"catalog": "catalog.toml", "study": cases.HARD, "epsilons": epsilons})
        if status != 200:
            raise ValueError(answer.decode())
        return time.perf_counter() - begin

    def tabs(self, server, _):
        clients = [server.client() for _ in range(200)]
        for client in clients:
            client.connection.request("GET", "/api/v1/events", headers={"Authorization": f"Bearer {server.token}", "Host": f"127.0.0.1:{server.port}"})
            client.connection.getresponse()
        with open(f"/proc/{server.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096 / 1e6

    def race(self, server):
        client = server.client()
        _, body = client.ask("POST", "/api/v1/plan", {"catalog": "catalog.toml", "study": cases.ONE})
        plan_hash = re.search(rb'"plan_hash":"(\w+)"', body)[1].decode()
        keys = [f"key-of-client-{number:05}" for number in range(64)]

        def ask(key):
            return server.client().ask("POST", "/api/v1/releases", {"catalog": "catalog.toml", "study": cases.ONE, "plan_hash": plan_hash}, {"Idempotency-Key": key})

        with concurrent.futures.ThreadPoolExecutor(64) as pool:
            list(pool.map(ask, keys))
        states = [self.followed(client, key) for key in keys]
        return {state: states.count(state) for state in ("ready", "refused")}

    def followed(self, client, key):
        while True:
            status, body = client.ask("GET", f"/api/v1/releases/{key}?catalog=catalog.toml")
            if status == 200:
                return re.search(rb'"state":"(\w+)"', body)[1].decode()
            time.sleep(0.1)

    def slow(self, server, _):
        alone = self.steady(server, cases.PLAN, 0.99)
        held = load.slow_connections(server.port, 1000)
        try:
            return self.steady(server, cases.PLAN, 0.99) / alone
        finally:
            for one in held:
                one.close()

    def again(self, server, folder):
        server.end(kill=True)
        begin = time.perf_counter()
        other = Server(self.program, folder)
        try:
            plan(cases.PLAN)(other.client())
            return time.perf_counter() - begin
        finally:
            other.end()

    def page(self, server, _):
        client = server.client()
        page = client.ask("GET", "/")[1].decode()
        files = ["/", *re.findall(r'(?:src|href)="(/[^"]+)"', page)]
        return sum(len(gzip.compress(client.ask("GET", file)[1])) for file in files) / 1000

    def first(self, server, _):
        plan(cases.PLAN)(server.client())
        return time.perf_counter() - server.began

    def soak(self, server, _):
        clients = server.analysts()
        load.steady(clients, plan(cases.PLAN), 40, max(5, self.seconds))
        before = load.resident(server.process.pid)
        load.steady(clients, plan(cases.PLAN), 40, 10 * self.seconds)
        return load.resident(server.process.pid) / before


def main():
    bench = Bench(os.path.abspath(sys.argv[1]), float(sys.argv[2]))
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            print(bench.answer(line.strip()), flush=True)
        except (ValueError, OSError) as error:
            print(f"none {error}", flush=True)


if __name__ == "__main__":
    main()
