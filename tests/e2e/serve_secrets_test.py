"""`vernier serve`: what stands in the data is in no answer, metric, line of a log or message, whatever is asked, and who plans opens no data.
VERNIER_FAILURES makes it longer."""
import json
import os
import random
import threading
import time
import unittest

from program import FolderTest, run
from server import SHARES, STUDY, Server, write_root

FAILURES = int(os.environ.get("VERNIER_FAILURES", "300"))
CANARIES = ("canary-of-a-cell", "987654321", "canary-of-a-file")
SMALL = STUDY.replace("epsilon = 0.5", "epsilon = 0.3")


class SecretsTest(FolderTest):
    def setUp(self):
        super().setUp()
        write_root(".", SHARES)
        rows = "".join(f"987654321,{i % 90},{CANARIES[0]}\n" for i in range(50))
        self.file("people.csv", "person_id,age,region\n" + rows + "not a number,canary-of-a-file,\n")
        self.tokens = {name: self.text("serve", "token", "--tokens", "tokens.toml", "--name", name, "--role", role).strip() for name, role in (("anna", "analyst"), ("dora", "reader"))}
        self.server = Server("--root", ".", "--tokens", "tokens.toml", "--audit", "audit.jsonl", "--slot", "1", "--analyst", "carla")
        self.addCleanup(self.server.close)

    def assert_secret(self, text, what):
        for canary in CANARIES:
            self.assertNotIn(canary, text, what)


class Failures(SecretsTest):
    def requests(self):
        """(method, path, body, whose token): all fail, each in another way."""
        draw = random.Random(5)
        bad = ["SELECT", "SELECT nothing FROM people", "SELECT age FROM people", "SELECT COUNT(*) FROM nobody", "DROP TABLE people", "SELECT SUM(age) AS s FROM people GROUP BY person_id",
               "SELECT person_id, COUNT(*) AS n FROM people GROUP BY person_id, nothing", "SELECT COUNT(*) AS n FROM 'people.csv'", "SELECT COUNT(*) AS n FROM read_csv('people.csv')"]
        studies = [STUDY.replace("epsilon = 0.5", f"epsilon = {value}") for value in ("9", "-1", "x", "1e999")]
        while True:
            kind = draw.randrange(6)
            study = draw.choice(studies) if kind == 0 else f'budget = {{ epsilon = 0.1 }}\n[[statistic]]\nname = "n{draw.randrange(99)}"\nsql = {json.dumps(draw.choice(bad))}\n'
            token = draw.choice([self.tokens["anna"], self.tokens["dora"], self.server.token, "vrn_wrong"])
            yield draw.choice([
                ("POST", f"/api/v1/{draw.choice(['plan', 'what-if', 'counts', 'rehearse'])}", {"catalog": "catalog.toml", "study": study}, token),
                ("POST", "/api/v1/releases", {"catalog": "catalog.toml", "study": study, "plan_hash": f"{draw.getrandbits(256):064x}"}, token),
                ("GET", f"/api/v1/releases/{draw.getrandbits(128):032x}/documents/{draw.choice(['release.json', 'people.csv', '..%2Fpeople.csv'])}?catalog=catalog.toml", None, token),
                ("POST", "/api/v1/catalogs/new", {"file": draw.choice(["people.csv.gz", "../people.csv", "tokens.toml", "audit.jsonl", "/etc/passwd"])}, token),
                ("PUT", "/api/v1/catalogs/catalog.toml", {"text": study, "before": ""}, token),
                ("POST", "/api/v1/verify", {"record": study}, self.tokens["anna"] if kind == 1 else "vrn_wrong"),
                ("GET", f"/api/v1/{draw.choice(['ledgers/none.toml', 'catalogs/people.csv', 'catalogs/..%2Fx.toml', 'published/x/y', 'audit?last=x'])}", None, token)])

    def test_are_told_without_a_word_of_the_data(self):
        for number, (method, path, body, token) in zip(range(FAILURES), self.requests()):
            key = {"Idempotency-Key": f"a-key-that-fails-{number:06}"}
            answer = self.server.ask(method, path, body, token=token, headers=key)
            is_of_audit_log = body == {"file": "audit.jsonl"}  # lines of JSON, which a steward may read anyway: the names in them
            self.assertTrue(answer.status >= 400 or (answer.status, path) == (202, "/api/v1/releases") or "audit" in path or "verify" in path or is_of_audit_log, (method, path, answer.status, answer.body[:200]))
            self.assert_secret(answer.body + str(answer.headers), (method, path))
            if answer.status == 202:
                self.assert_secret(self.server.followed(f"a-key-that-fails-{number:06}", token=token).body, path)
        for path in ("/metrics", "/api/v1/audit?last=500", "/api/v1/files"):
            self.assert_secret(self.server.ask("GET", path).body, path)
        self.assertEqual(json.loads(run("ledger", "history", "catalog.toml", "--json").stdout)["entries"], [])
        self.server.close()
        self.assert_secret(self.server.errors + self.content("audit.jsonl"), "what is written")
        self.assertEqual([one for one in os.listdir(".") if one.startswith("core")], [])


class Opened(SecretsTest):
    def children(self):
        with open(f"/proc/{self.server.process.pid}/task/{self.server.process.pid}/children", encoding="ascii") as file:
            return [self.server.process.pid, *map(int, file.read().split())]

    def test_who_plans_rehearses_and_asks_what_if_opens_no_data(self):
        """The data is a pipe, which holds fast whoever opens it."""
        os.unlink("people.csv")
        os.mkfifo("people.csv")
        for path, more in (("plan", {}), ("what-if", {"epsilon": "0.2:0.8:3"}), ("rehearse", {}), ("counts", {}), ("study/check", {})):
            answer = self.server.post(path, {"catalog": "catalog.toml", "study": SMALL, **more}, token=self.tokens["anna"])
            self.assertEqual(answer.status, 200, answer.body)
        told = self.server.get("catalogs/catalog.toml")
        self.assertEqual(told.status, 200)

    def test_the_front_never_has_the_data_open(self):
        seen, is_over = set(), threading.Event()

        def look():
            while not is_over.is_set():
                for name in os.listdir(f"/proc/{self.server.process.pid}/fd"):
                    try:
                        seen.add(os.readlink(f"/proc/{self.server.process.pid}/fd/{name}"))
                    except OSError:
                        pass

        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            self.server.release("a-key-of-sixteen-characters", token=self.tokens["anna"], study=SMALL)
            time.sleep(0.2)
        finally:
            is_over.set()
            watcher.join()
        self.assertEqual([one for one in seen if one.endswith((".csv", ".ledger", "catalog.toml"))], [])


if __name__ == "__main__":
    unittest.main()
