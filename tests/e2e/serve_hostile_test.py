"""`vernier serve` under malformed requests, random edits, races and kills. VERNIER_KILLS and VERNIER_EDITS make it longer."""
import concurrent.futures
import json
import os
import random
import signal
import time
import unittest

from program import FolderTest, run
from server import CATALOG, STUDY, Server, write_root

KILLS = int(os.environ.get("VERNIER_KILLS", "8"))
EDITS = int(os.environ.get("VERNIER_EDITS", "24"))
RACERS = int(os.environ.get("VERNIER_RACERS", "12"))


class HostileTest(FolderTest):
    def setUp(self):
        super().setUp()
        write_root(".")
        self.server = Server("--root", ".")
        self.addCleanup(lambda: self.server.close())

    def entries(self):
        history = json.loads(run("ledger", "history", "catalog.toml", "--json").stdout)
        return [entry for entry in history["entries"] if entry["kind"] == "reserve"]


class Malformed(HostileTest):
    def requests(self):
        """300 of them: good ones with one thing wrong, at random places of a fixed seed."""
        draw = random.Random(1)
        head = f"POST /api/v1/plan HTTP/1.1\r\nHost: {self.server.host}\r\nAuthorization: Bearer {self.server.token}\r\nContent-Type: application/json\r\n"
        body = json.dumps({"catalog": "catalog.toml", "study": STUDY})
        good = (head + f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n" + body).encode()
        smuggled = [b"Transfer-Encoding: chunked\r\n", b"Content-Length: 4\r\n", b"Transfer-Encoding: xchunked\r\n", b"Transfer-Encoding: identity\r\n",
                    b"Content-Length: +5\r\n", b"Content-Length: 5, 5\r\n", b" folded: x\r\n", b"X\x00: y\r\n", b"X: \x0b\r\n", b": empty\r\n", b"Host: other\r\n",
                    b"Expect: 100-continue\r\n", b"Upgrade: websocket\r\nConnection: Upgrade\r\n", b"Origin: null\r\n", b"Sec-Fetch-Site: cross-site\r\n",
                    b"Authorization: Bearer other\r\n", b"Content-Type: text/plain\r\n", b"Content-Encoding: gzip\r\n"]
        for line in smuggled:
            yield good.replace(b"Content-Type", line + b"Content-Type", 1)
        for _ in range(120):  # a byte that is another one
            at = draw.randrange(len(head) - 2)
            yield good[:at] + bytes([draw.randrange(256)]) + good[at + 1:]
        for _ in range(60):  # cut off
            yield good[:draw.randrange(len(good))]
        for _ in range(40):  # a part that comes twice
            at, length = draw.randrange(len(good)), draw.randrange(1, 200)
            yield good[:at] + good[at:at + length] + good[at:]
        for _ in range(62):  # another body of the same length
            noise = bytes(draw.randrange(256) for _ in range(len(body)))
            yield good[:-len(body)] + noise

    def test_300_of_them_leave_the_server_healthy_and_the_ledger_as_it_was(self):
        count = 0
        for data in self.requests():
            got = self.server.raw(data, wait=0.15)
            self.assertNotIn(b"HTTP/1.1 50", got, data[:300])
            count += 1
            if count % 5 == 0:
                self.assertTrue(self.server.is_healthy(), data[:300])
        self.assertEqual(count, 300)
        self.assertEqual(self.entries(), [])
        with open(f"/proc/{self.server.process.pid}/statm", encoding="ascii") as file:
            self.assertLess(int(file.read().split()[1]) * 4096, 300 << 20)


class RandomEdits(HostileTest):
    """What the page would do, one edit after the other: the study's text gives the same plan on the command line."""

    def edit(self, draw, plan):
        statistic = draw.choice(plan["shown"]["statistics"])
        column = draw.choice(statistic["columns"])
        place = {"statistic": statistic["name"], "column": column["column"]}
        return draw.choice([
            {"kind": "accuracy", **place, "accuracy": f"{float(column['lock']) * draw.uniform(0.6, 2):.3g}"},
            {"kind": "accuracy", **place, "accuracy": column["lock"]},
            {"kind": "unlock", **place},
            {"kind": "share", "statistic": statistic["name"], "percent": str(draw.randint(5, 90))},
            {"kind": "weight", "statistic": statistic["name"], "weight": f"{draw.uniform(0.1, 9):.2g}"},
            {"kind": "budget", "epsilon": f"{draw.uniform(0.1, 2.5):.2g}"},
            {"kind": "alpha", "alpha": draw.choice(["0.05", "0.01", "0.1"])},
            {"kind": "add", "statistic": f"n{draw.randrange(1000)}", "sql": f"SELECT COUNT(*) AS n FROM people WHERE age > {draw.randrange(90)}"},
            {"kind": "remove", "statistic": statistic["name"]}])

    def targets(self, plan):
        return {(one["name"], column["column"]): column["lock"] for one in plan["shown"]["statistics"] for column in one["columns"] if column["locked"]}

    def test_they_equal_the_same_studies_on_the_command_line_and_move_nothing_that_is_held(self):
        draw, text, taken = random.Random(7), STUDY, 0
        plan = self.server.plan(text).json
        for number in range(EDITS):
            edit = self.edit(draw, plan)
            answer = self.server.plan(text, edit=edit)
            self.assertIn(answer.status, (200, 400, 422), (edit, answer.body))
            if answer.status != 200:
                continue
            taken += 1
            if edit["kind"] in ("share", "weight", "budget"):
                before, after = self.targets(plan), self.targets(answer.json)
                self.assertEqual({place: float(after[place]) <= float(lock) for place, lock in before.items()}, dict.fromkeys(before, True), edit)
            text, plan = answer.json["text"], answer.json
            if number % 4 == 0:
                self.file("study.toml", text)
                printed = run("plan", "study.toml", "--catalog", "catalog.toml", "--json").stdout
                here = os.path.realpath(".") + "/"
                self.assertEqual(answer.body[:answer.body.index(',"text":')].replace(here, "") + "}\n", printed.replace(here, ""))
        self.assertGreater(taken, EDITS // 3)


class Races(HostileTest):
    def test_those_who_race_for_a_budget_get_exactly_what_there_is(self):
        """So many at once for a budget of five in eight of them, in quanta that leave no rest."""
        most = RACERS * 5 // 8
        self.file("catalog.toml", CATALOG.format(shares="").replace("epsilon = 3.0", f"epsilon = {most}.0").replace("delta = 1e-6", 'accountant = "pure"'))
        study = 'budget = { epsilon = 1 }\n[[statistic]]\nname = "all"\nsql = "SELECT COUNT(*) AS n FROM people"\n'
        plan_hash = self.server.plan(study).json["plan_hash"]
        keys = [f"a-key-of-client-{i:05}" for i in range(RACERS)]
        with concurrent.futures.ThreadPoolExecutor(RACERS) as pool:
            list(pool.map(lambda key: self.server.begin(key, study=study, plan_hash=plan_hash), keys))
        ended = [self.server.followed(key).json for key in keys]
        states = [one["state"] for one in ended]
        self.assertEqual((states.count("ready"), states.count("refused")), (most, RACERS - most), states)
        self.assertEqual(len({one["answer"]["release"] for one in ended if one["state"] == "ready"}), most)
        self.assertEqual(len(self.entries()), most)
        self.assertEqual(run("ledger", "verify", "catalog.toml").returncode, 0)


class Kills(HostileTest):
    def workers(self):
        with open(f"/proc/{self.server.process.pid}/task/{self.server.process.pid}/children", encoding="ascii") as file:
            return [int(number) for number in file.read().split()]

    def test_of_front_or_worker_at_any_moment_charge_once_and_answer_the_same_bytes(self):
        draw = random.Random(3)
        self.file("catalog.toml", CATALOG.format(shares="").replace("epsilon = 3.0", "epsilon = 300.0").replace("delta = 1e-6", "delta = 1e-4"))
        study = STUDY.replace("epsilon = 0.5", "epsilon = 0.1").replace("people = 40", "people = 400")
        plan_hash = self.server.plan(study).json["plan_hash"]
        answered, key = {}, ""
        for number in range(KILLS):
            if number % 4 == 0:
                key = f"key-number-{number:08}"
            self.server.begin(key, study=study, plan_hash=plan_hash)
            time.sleep(draw.uniform(0, 0.25))
            if draw.random() < 0.5:
                for worker in self.workers():
                    try:
                        os.kill(worker, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
            else:
                self.server.close(signal.SIGKILL)
                begun = time.monotonic()
                self.server = Server("--root", ".")
                self.assertTrue(self.server.is_healthy())
                self.assertLess(time.monotonic() - begun, 10)
            state = self.server.followed(key)
            if state.status == 200 and state.json["state"] == "ready":
                told = {name: state.json["answer"][name] for name in ("release", "entry")}
                self.assertEqual(answered.setdefault(key, told), told)
        entries = self.entries()
        self.assertEqual(len({entry["request"] for entry in entries}) if entries and "request" in entries[0] else len(entries), len(entries))
        self.assertGreaterEqual(len(entries), len(answered))
        self.assertEqual(run("ledger", "verify", "catalog.toml").returncode, 0)


if __name__ == "__main__":
    unittest.main()
