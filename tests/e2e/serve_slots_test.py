"""`vernier serve`: what an analyst can ask shows of the time that a run took no more than its slot (slots.md)."""
import http.client
import json
import math
import os
import random
import re
import shutil
import signal
import threading
import time
import unittest

from program import FolderTest
from server import CATALOG, SHARES, STUDY, Server, write_root

KEY, OTHER_KEY = "a-key-of-sixteen-characters", "another-key-of-ben-himself"
SMALL = STUDY.replace("epsilon = 0.5", "epsilon = 0.3")
SLOT = 6
RUNS = int(os.environ.get("VERNIER_RUNS", "0"))


def rows(count):
    thousand = "".join(f"{i % 1000},{i % 90},{('north', 'south')[i % 2]}\n" for i in range(1000))
    return "person_id,age,region\n" + thousand * (count // 1000)


class SlotsTest(FolderTest):
    words = ("--slot", str(SLOT), "--workers", "1")

    def setUp(self):
        super().setUp()
        self.tokens = {name: self.text("serve", "token", "--tokens", "tokens.toml", "--name", name, "--role", "analyst").strip() for name in ("anna", "ben")}
        write_root(".", SHARES)
        self.start()

    def start(self):
        self.server = Server("--root", ".", "--tokens", "tokens.toml", "--analyst", "anna", *self.words)
        self.addCleanup(self.server.close)
        self.plan_hash = self.server.plan(SMALL, token=self.tokens["anna"]).json["plan_hash"]

    def begin(self, name, key):
        return self.server.begin(key, token=self.tokens[name], study=SMALL, plan_hash=self.plan_hash)

    def state(self, name, key):
        return self.server.get(f"releases/{key}?catalog=catalog.toml", token=self.tokens[name]).json

    def until(self, name, key, states, seconds=60):
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            now = self.state(name, key)
            if now["state"] in states:
                return now
            time.sleep(0.02)
        raise AssertionError(f"it is never {states}, but {now}")

    def worker(self):
        """The process that releases."""
        with open(f"/proc/{self.server.process.pid}/task/{self.server.process.pid}/children", encoding="ascii") as file:
            for number in file.read().split():
                with open(f"/proc/{number}/cmdline", encoding="utf-8") as words:
                    if "\0release\0" in words.read():
                        return int(number)
        raise AssertionError("nothing releases")

    def settled(self):
        history = json.loads(self.text("ledger", "history", "catalog.toml", "--json"))
        return sum(entry["kind"] == "settle" for entry in history["entries"])


class Watcher(threading.Thread):
    """Asks again and again, and keeps when an answer was another one than before."""

    def __init__(self, ask):
        super().__init__(daemon=True)
        self.ask, self.changes, self.is_over = ask, [], threading.Event()
        self.start()

    def run(self):
        while not self.is_over.is_set():
            told = self.ask()
            if not self.changes or self.changes[-1][1] != told:
                self.changes.append((time.monotonic(), told))
            time.sleep(0.03)


def plain(text):
    """Without what is drawn or read from a clock."""
    text = re.sub(r"[0-9a-f]{32,}", "H", text)
    text = re.sub(r'"(time|begun|ready_at|expires)":\d+', r'"\1":0', text)
    return re.sub(r'"utc":"[^"]*"', '"utc":""', text)


class Neighbours(SlotsTest):
    """Two files of which one takes much longer, over every route and event."""

    def asks(self):
        anna, ben = ({"token": self.tokens[name]} for name in ("anna", "ben"))

        def release():
            entries = self.server.get("ledgers/catalog.toml/history", **anna).json["entries"]
            return entries[-1]["release"] if entries else "0" * 32

        def document():
            return self.server.get(f"releases/{release()}/documents/release.json?catalog=catalog.toml", **anna).status

        def ticket():
            path = self.server.post(f"releases/{release()}/ticket", {"catalog": "catalog.toml", "document": "report.html"}, **anna).json["path"]
            return self.server.ask("GET", path, token="").status

        return {
            "state": lambda: plain(self.server.get(f"releases/{KEY}?catalog=catalog.toml", **anna).body),
            "history": lambda: plain(self.server.get("ledgers/catalog.toml/history", **anna).body),
            "releases": lambda: plain(self.server.get("releases?catalog=catalog.toml", **anna).body),
            "ledger": lambda: plain(self.server.get("ledgers/catalog.toml", **anna).body),
            "document": document,
            "ticket": ticket,
            "queue": lambda: plain(self.server.get(f"releases/{OTHER_KEY}?catalog=catalog.toml", **ben).body),
        }

    def listened(self, events):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        connection.request("GET", "/api/v1/events", headers={"Authorization": f"Bearer {self.tokens['anna']}"})
        answer = connection.getresponse()

        def read():
            try:
                while line := answer.readline().decode():
                    if line.startswith("data:"):
                        events.append((time.monotonic(), plain(line)))
            except (OSError, ValueError, AttributeError):
                pass

        threading.Thread(target=read, daemon=True).start()
        return connection

    def taken_by_the_owner(self, key):
        """The seconds of a release of who is told at once."""
        begun = time.monotonic()
        self.server.begin(key, study=SMALL.replace("0.3", "0.1"))
        while (told := self.server.get(f"releases/{key}")).status == 202:
            time.sleep(0.01)
        self.assertEqual(told.json["state"], "ready", told.body)
        return time.monotonic() - begun

    def observed(self, count):
        """Of a file with so many rows: {what is asked: its changes as (seconds since the begin, answer)}."""
        self.server.close()
        for name in [one for one in os.listdir(".") if ".ledger" in one]:
            shutil.rmtree(name) if os.path.isdir(name) else os.unlink(name)
        self.file("people.csv", rows(count))
        self.start()
        alone = min(self.taken_by_the_owner(f"a-key-of-the-owner-{i}") for i in range(2))  # a crowded machine makes either longer
        events = []
        connection = self.listened(events)
        watchers = {name: Watcher(ask) for name, ask in self.asks().items()}
        time.sleep(0.5)
        before = time.monotonic()
        self.begin("anna", KEY)
        begun = time.monotonic()
        self.begin("ben", OTHER_KEY)
        self.until("anna", KEY, ("ready",))
        time.sleep(1)
        for one in watchers.values():
            one.is_over.set()
        for one in watchers.values():
            one.join()
        connection.close()
        found = {name: one.changes for name, one in watchers.items()} | {"events": events}
        return alone, {name: [(when - begun, told) for when, told in changes] for name, changes in found.items()}, begun - before

    def test_nothing_but_the_slot_differs(self):
        seen = {}
        for name, count in (("quick", 1000), ("slow", 6_000_000)):
            alone, changes, delay = self.observed(count)
            seen[name] = (alone, changes)
            for what, all_of_it in changes.items():
                # Paid for at the latest after 3 s here, which depends on the ledger and on no row.
                between = [(round(when, 2), told) for when, told in all_of_it if 3 < when < SLOT - delay - 0.05]
                self.assertEqual(between, [], f"{what} of the {name} file tells before its slot")
                self.assertTrue(any(SLOT - delay - 0.05 <= when for when, _ in all_of_it) or what == "ledger", f"{what} of the {name} file: {all_of_it}")
        self.assertGreater(seen["slow"][0] - seen["quick"][0], 0.3, "the files are too much alike to tell anything")
        for what in seen["quick"][1]:
            early = [{str(told) for when, told in changes[what] if when < 3} for _, changes in seen.values()]
            self.assertEqual(*early, what)


def area(ones, others):
    """The chance that one of these is greater than one of those, ties by half."""
    return sum((one > other) + (one == other) / 2 for one in ones for other in others) / (len(ones) * len(others))


@unittest.skipUnless(RUNS, "VERNIER_RUNS says how many")
class Told(FolderTest):
    """Two servers over neighbouring files, of which a unit has a million rows in one: what whoever asks can measure."""

    def setUp(self):
        super().setUp()
        self.servers = {}
        for name, count in (("with", 1_000_000), ("without", 0)):
            os.mkdir(name)
            self.file(f"{name}/people.csv", rows(1000) + "7,7,north\n" * count)
            self.file(f"{name}/catalog.toml", CATALOG.format(shares="").replace("epsilon = 3.0", "epsilon = 3000.0").replace("100_000", "10_000_000"))
            self.servers[name] = Server("--root", name, "--tokens", "tokens.toml", "--slot", "2")
            self.addCleanup(self.servers[name].close)
        self.tokens = [self.text("serve", "token", "--tokens", "tokens.toml", "--name", f"analyst{i}", "--role", "analyst").strip() for i in range(1 + RUNS // 4)]
        time.sleep(2)  # until both have read them
        self.plan_hash = {name: server.plan(SMALL).json["plan_hash"] for name, server in self.servers.items()}

    def told(self, name, key, token):
        """Seconds until the answer, and how long it is."""
        server = self.servers[name]
        server.get("me", token=token)
        begun = time.monotonic()
        server.begin(key, token=token, study=SMALL, plan_hash=self.plan_hash[name])
        while (told := server.get(f"releases/{key}?catalog=catalog.toml", token=token)).status == 202:
            time.sleep(0.01)
        self.assertEqual((told.status, told.json["state"]), (200, "ready"), told.body)
        return time.monotonic() - begun, len(plain(told.body))

    def measured(self, runs, token_of):
        found = {"with": [], "without": []}
        draw = random.Random(9)
        for number in range(runs):
            for name in draw.sample(["with", "without"], 2):
                found[name].append(self.told(name, f"a-key-of-the-run-{token_of(number)[-4:]}-{number:05}", token_of(number)))
        return found

    def test_neither_when_nor_how_much(self):
        seen = self.measured(RUNS, lambda number: self.tokens[number // 4])
        for what in (0, 1):
            found = area([one[what] for one in seen["with"]], [one[what] for one in seen["without"]])
            print(f"of {RUNS} runs each: area {found:.3f} by {('time', 'size')[what]}")
            self.assertLess(abs(found - 0.5), 5 * math.sqrt((2 * RUNS + 1) / (12 * RUNS * RUNS)))  # false alarm below 1e-6

    def test_whoever_owns_the_data_sees_the_difference(self):
        seen = {"with": [], "without": []}
        for number in range(10):
            for name, server in self.servers.items():
                seen[name].append(self.told(name, f"a-key-of-the-owner-{number:05}", server.token)[0])
        self.assertGreater(area(seen["with"], seen["without"]), 0.9)


class Ends(SlotsTest):
    def test_a_process_that_dies_is_told_and_replaced_at_its_slot(self):
        begun = time.monotonic()
        self.begin("anna", KEY)
        self.begin("ben", OTHER_KEY)
        self.until("anna", KEY, ("paid",))
        os.kill(self.worker(), signal.SIGKILL)
        time.sleep(0.5)
        self.assertEqual((self.state("anna", KEY)["state"], self.state("ben", OTHER_KEY)["state"]), ("paid", "queued"))
        ended = self.until("anna", KEY, ("ready", "unanswered", "refused"))
        self.assertGreaterEqual(time.monotonic() - begun, SLOT - 0.2)
        self.assertEqual((ended["state"], ended["answer"]["error"]["sentence"]), ("unanswered", "the run was ended after it was paid for, and has no answer; the budget stays spent"))
        self.assertEqual(self.until("ben", OTHER_KEY, ("ready",))["state"], "ready")

    def test_who_stops_a_run_that_is_paid_for_learns_no_more_than_its_slot(self):
        begun = time.monotonic()
        self.begin("anna", KEY)
        self.until("anna", KEY, ("paid",))
        stopped = self.server.ask("DELETE", f"/api/v1/releases/{KEY}?spent=yes", token=self.tokens["anna"])
        self.assertEqual((stopped.status, stopped.json["stopping"]), (202, True))
        self.assertEqual(self.until("anna", KEY, ("ready", "unanswered"))["state"], "ready")
        self.assertGreaterEqual(time.monotonic() - begun, SLOT - 0.2)

    def test_a_run_that_only_waits_for_its_slot_is_stored_where_the_server_ends(self):
        self.server.close()
        self.server = Server("--root", ".", "--tokens", "tokens.toml", "--slot", "60", "--drain", "1")
        self.addCleanup(self.server.close)
        self.begin("anna", KEY)
        self.until("anna", KEY, ("paid",))
        time.sleep(3)
        self.assertEqual(self.settled(), 0)
        self.assertEqual(self.server.close(), 0)
        self.assertEqual(self.settled(), 1)

    def test_a_server_that_is_killed_leaves_a_run_that_keeps_its_slot(self):
        begun = time.monotonic()
        self.begin("anna", KEY)
        self.until("anna", KEY, ("paid",))
        self.server.close(signal.SIGKILL)
        self.start()
        states = []
        while not states or states[-1] != "ready":
            states.append(self.state("anna", KEY)["state"])
            self.assertTrue(states[-1] == "unanswered" or time.monotonic() - begun >= SLOT - 0.2, states)
            self.assertLess(time.monotonic() - begun, 60)
            time.sleep(0.1)


class Overruns(SlotsTest):
    words = ("--slot", "1", "--longest", "60")

    def test_a_release_that_is_told_late_is_counted(self):
        self.begin("anna", KEY)
        self.until("anna", KEY, ("paid", "ready"))  # a busy machine may ask only after the slot
        worker = self.worker()
        os.kill(worker, signal.SIGSTOP)  # while it waits or runs
        time.sleep(1)
        os.kill(worker, signal.SIGCONT)
        self.until("anna", KEY, ("ready",))
        self.assertIn("vernier_slot_overruns_total 0\n", self.server.ask("GET", "/metrics").body)
        self.begin("anna", OTHER_KEY)
        os.kill(worker, signal.SIGSTOP)  # before it has begun
        time.sleep(13)
        os.kill(worker, signal.SIGCONT)
        self.until("anna", OTHER_KEY, ("ready", "refused"))
        self.assertIn("vernier_slot_overruns_total 1\n", self.server.ask("GET", "/metrics").body)


class Longest(SlotsTest):
    words = ("--slot", "3", "--longest", "3", "--workers", "1")

    def test_a_run_without_end_is_ended_after_its_last_slot_and_gives_its_place_back(self):
        self.begin("anna", KEY)
        self.begin("ben", OTHER_KEY)
        self.until("anna", KEY, ("paid",))
        os.kill(self.worker(), signal.SIGSTOP)
        ended = self.until("anna", KEY, ("ready", "unanswered", "refused"))
        self.assertEqual((ended["state"], ended["answer"]["error"]["sentence"]),
                         ("unanswered", "the run took longer than this server allows and was ended after it was paid for, and has no answer; the budget stays spent"))
        self.assertEqual(self.until("ben", OTHER_KEY, ("ready",))["state"], "ready")
        self.assertIn("vernier_slot_overruns_total 0\n", self.server.ask("GET", "/metrics").body)


if __name__ == "__main__":
    unittest.main()
