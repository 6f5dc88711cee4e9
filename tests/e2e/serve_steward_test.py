"""`vernier serve`: what a steward does (catalogs, tokens, the audit log), TLS, events, and releases that are stopped."""
import hashlib
import http.client
import json
import os
import re
import signal
import ssl
import subprocess
import tempfile
import time
import unittest

from program import ENVIRONMENT, PROGRAM, FolderTest, run
from server import CATALOG, SHARES, STUDY, Server, write_root

KEY = "a-key-of-sixteen-characters"


class StewardTest(FolderTest):
    words = ()
    shares = ""

    def setUp(self):
        super().setUp()
        write_root(".", self.shares)
        self.server = Server("--root", ".", "--tokens", "tokens.toml", "--audit", "audit.jsonl", *self.words)
        self.addCleanup(self.server.close)

    def token(self, name, role="analyst"):
        return self.server.post("tokens", {"name": name, "role": role}).json["token"]

    def audit(self):
        return [json.loads(line) for line in self.content("audit.jsonl").splitlines()]


class Catalogs(StewardTest):
    def put(self, name, text, before=""):
        return self.server.ask("PUT", f"/api/v1/catalogs/{name}", {"text": text, "before": before})

    def test_a_catalog_is_begun_from_the_names_of_columns_alone(self):
        self.file("new.csv", "unit,canary-column\n17,canary-cell\n")
        self.assertIn("new.csv", self.server.get("files").json["files"])
        begun = self.server.post("catalogs/new", {"file": "new.csv"})
        self.assertEqual(begun.json["columns"], ["unit", "canary-column"])
        self.assertNotIn("canary-cell", begun.body)
        told = self.server.post("catalogs/new.toml/check", {"text": begun.json["text"]}).json
        self.assertGreater(len(told["problems"]), 2)
        self.assertTrue(all(one["line"] > 0 and one["sentence"] for one in told["problems"]))
        self.assertFalse(os.path.exists("catalog.new.toml"))

    def test_it_is_written_where_it_holds_and_nobody_wrote_in_between(self):
        text = CATALOG.format(shares="")
        self.assertEqual(self.put("other.toml", text.replace("lower = 0", "lower = 200")).status, 422)
        first = self.put("other.toml", text)
        self.assertEqual(first.status, 200, first.body)
        self.assertEqual(self.content("other.toml"), text)
        self.assertEqual(self.put("other.toml", text).status, 409)
        told = self.server.get("catalogs/other.toml").json
        self.assertEqual((told["text"], told["hash"]), (text, first.json["hash"]))
        self.assertEqual(self.put("other.toml", text + "# more\n", first.json["hash"]).status, 200)
        for name in ("..%2Fup.toml", "a.txt", "%2Ftmp%2Fx.toml", "none/x.toml"):
            self.assertIn(self.put(name, text).status, (400, 404), name)
        self.assertFalse(os.path.exists("../up.toml"))

    def test_files_that_are_no_catalogs_are_neither_told_nor_written_over(self):
        self.token("anna")
        self.file("secret.toml", 'password = "hunter2"\n')
        steward, reader = self.token("carla", "steward"), self.token("rita", "reader")
        kept = self.content("tokens.toml")
        for token in (self.server.token, steward, reader):
            missing = self.server.get("catalogs/none.toml", token=token)
            for name in ("tokens.toml", "secret.toml"):
                told = self.server.get(f"catalogs/{name}", token=token)
                self.assertEqual((told.status, told.body), (missing.status, missing.body), name)
        for name in ("tokens.toml", "secret.toml"):
            for before in ("", "0" * 64, hashlib.sha256(self.content(name).encode()).hexdigest()):
                self.assertEqual(self.put(name, CATALOG.format(shares=""), before).status, 400, name)
        self.assertEqual((self.content("tokens.toml"), self.content("secret.toml")), (kept, 'password = "hunter2"\n'))

    def test_what_lies_elsewhere_is_named_by_whoever_writes_files(self):
        """The server reads and writes with the rights of who started it; a token must not reach all of that."""
        text = CATALOG.format(shares="")
        os.symlink("/etc", "inner")
        steward = self.token("carla", "steward")
        for old, new in (('source = "people.csv"', 'source = "/etc/passwd"\nformat = "csv"'), ('source = "people.csv"', 'source = "../people.csv"'), ('source = "people.csv"', 'source = "inner/passwd"\nformat = "csv"'),
                         ("delta = 1e-6", 'delta = 1e-6\nledger = "/tmp/elsewhere.ledger"'), ("delta = 1e-6", 'delta = 1e-6\nwitness = "/tmp/elsewhere.witness"'),
                         ("delta = 1e-6", 'delta = 1e-6\nledger = "postgresql://elsewhere.test/ledger"')):
            refused = self.server.ask("PUT", "/api/v1/catalogs/other.toml", {"text": text.replace(old, new), "before": ""}, token=steward)
            self.assertEqual(refused.status, 422, (new, refused.body))
            self.assertIn("does not lie below the root", refused.sentence, new)
            self.assertFalse(os.path.exists("other.toml"))
        with tempfile.TemporaryDirectory() as outside:
            linked = text.replace("people.csv", f"{outside}/people.csv")
            self.file("other.toml", linked)
            told = self.server.get("catalogs/other.toml").json
            self.assertEqual(self.put("other.toml", linked + "# as it was\n", told["hash"]).status, 200)
            told = self.server.get("catalogs/other.toml").json
            self.assertEqual(self.put("other.toml", linked.replace("/people.csv", "/others.csv"), told["hash"]).status, 422)

    def test_of_data_behind_links_that_lead_elsewhere_nothing_is_told(self):
        with tempfile.TemporaryDirectory() as outside:
            with open(f"{outside}/canary.csv", "w", encoding="utf-8") as file:
                file.write("canary,age\n1,2\n")
            os.symlink(f"{outside}/canary.csv", "linked.csv")
            os.symlink("people.csv", "within.csv")
            listed = self.server.get("files").json["files"]
            self.assertIn("within.csv", listed)
            self.assertNotIn("linked.csv", listed)
            refused = self.server.post("catalogs/new", {"file": "linked.csv"})
            self.assertEqual((refused.status, "canary" in refused.body), (400, False))
            self.assertEqual(self.server.post("catalogs/new", {"file": "within.csv"}).status, 200)

    def test_files_that_differ_below_their_header_get_equal_answers(self):
        answers = []
        for rows in ("1,2,north\n", "9,canary,\n" * 3000):
            self.file("new.csv", "person_id,age,region\n" + rows)
            begun = self.server.post("catalogs/new", {"file": "new.csv"})
            answers.append((begun.body, self.server.post("catalogs/x.toml/check", {"text": begun.json["text"]}).body, self.server.get("files").body))
            os.unlink("new.csv")
        self.assertEqual(answers[0], answers[1])
        self.assertNotIn("canary", str(answers))

    def test_a_budget_that_was_spent_from_stays(self):
        self.assertEqual(self.server.release(KEY).json["state"], "ready")
        now = self.server.get("catalogs/catalog.toml").json
        for change in (("epsilon = 3.0", "epsilon = 30.0"), ("delta = 1e-6", 'delta = 1e-6\nledger = "another.ledger"')):
            refused = self.put("catalog.toml", now["text"].replace(*change), now["hash"])
            self.assertEqual(refused.status, 409, (change, refused.body))
        self.assertEqual(self.content("catalog.toml"), now["text"])
        self.assertEqual(self.put("catalog.toml", now["text"] + "# a comment\n", now["hash"]).status, 200)


class Tokens(StewardTest):
    shares = SHARES

    def test_a_token_is_given_and_taken_away_at_once(self):
        anna = self.token("anna")
        self.assertEqual(self.server.get("me", token=anna).json["analyst"], "anna")
        listed = self.server.get("tokens").json["tokens"]
        self.assertEqual([(one["name"], one["role"]) for one in listed], [("anna", "analyst")])
        self.assertNotIn(anna, self.server.get("tokens").body + self.content("tokens.toml") + self.content("audit.jsonl"))
        self.assertEqual(os.stat("tokens.toml").st_mode & 0o777, 0o600)
        session = self.server.post("session", {"token": anna}, token="").json["session"]
        self.assertEqual(self.server.ask("DELETE", f"/api/v1/tokens/{listed[0]['id']}").status, 200)
        self.assertEqual([self.server.get("me", token=one).status for one in (anna, session)], [401, 401])
        self.assertEqual(self.server.ask("DELETE", "/api/v1/tokens/000000000000").status, 404)

    def test_a_line_that_is_taken_out_of_the_file_counts_within_a_second_or_two(self):
        anna = self.token("anna")
        os.unlink("tokens.toml")
        until = time.monotonic() + 10
        while self.server.get("me", token=anna).status == 200 and time.monotonic() < until:
            time.sleep(0.1)
        self.assertEqual(self.server.get("me", token=anna).status, 401)

    def test_an_analyst_sees_of_the_ledger_what_is_hers(self):
        anna, ben = self.token("anna"), self.token("ben")
        study = STUDY.replace("epsilon = 0.5", "epsilon = 0.3")
        self.assertEqual(self.server.release(KEY, token=anna, study=study).json["state"], "ready")
        own = self.server.get("ledgers/catalog.toml", token=anna).json
        self.assertEqual([line["analyst"] for line in own["analysts"]], ["anna"])
        others = self.server.get("ledgers/catalog.toml", token=ben)
        self.assertNotIn("anna", others.body)
        self.assertNotIn("spent", json.dumps({key: value for key, value in others.json.items() if key != "analysts"}))
        self.assertEqual(self.server.get("ledgers/catalog.toml/export", token=anna).status, 403)
        self.assertEqual(self.server.get("ledgers/catalog.toml/export").body, run("ledger", "export", "catalog.toml").stdout)

    def test_who_asks_too_often_waits_and_others_do_not(self):
        anna, ben = self.token("anna"), self.token("ben")
        codes = {self.server.post("verify", {"record": "{}"}, token=anna).status for _ in range(8)}
        self.assertEqual(codes, {200, 429})
        refused = self.server.post("verify", {"record": "{}"}, token=anna)
        self.assertGreater(int(refused.headers["Retry-After"]), 0)
        self.assertEqual(self.server.post("verify", {"record": "{}"}, token=ben).status, 200)


class AuditLog(StewardTest):
    def test_it_says_who_did_what_and_every_line_follows_from_the_one_before(self):
        self.token("anna")
        self.server.post("session", {"token": "vrn_wrong"}, token="")
        self.server.release(KEY)
        self.server.close()
        lines = self.audit()
        self.assertEqual([line["what"] for line in lines], ["new-token", "begin-session", "release", "release-ready"])
        self.assertEqual(lines[-1]["entry"], json.loads(run("ledger", "history", "catalog.toml", "--json").stdout)["entries"][-2]["index"])
        self.assertEqual(os.stat("audit.jsonl").st_mode & 0o777, 0o600)
        self.assertNotIn("vrn_", self.content("audit.jsonl"))
        told = json.loads(self.text("serve", "audit", "--audit", "audit.jsonl", "--json"))
        self.assertEqual((told["holds"], told["lines"]), (True, 4))
        text = self.content("audit.jsonl")
        for broken in (text.replace('"begin-session"', '"end-session"'), "".join(text.splitlines(True)[1:]), text.replace('"code":401', '"code":200'),
                       "".join(sorted(text.splitlines(True), reverse=True)), text[:-20]):
            self.file("broken.jsonl", broken)
            os.chmod("broken.jsonl", 0o600)
            self.assertEqual(run("serve", "audit", "--audit", "broken.jsonl").returncode, 1, broken)
            self.assertEqual(run("serve", "--root", ".", "--audit", "broken.jsonl").returncode, 1)
        more = Server("--root", ".", "--tokens", "tokens.toml", "--audit", "audit.jsonl")
        self.addCleanup(more.close)
        self.assertEqual(run("serve", "--root", ".", "--audit", "audit.jsonl").returncode, 1)  # of one server at a time
        self.assertEqual(len(more.get("audit?last=2").json["lines"]), 2)

    def test_nothing_of_a_row_is_in_any_answer_log_or_metric_after_many_failures(self):
        self.file("people.csv", self.content("people.csv") + "canary-unit,canary-age,canary-region\n" * 50)
        said = []
        for number in range(14):
            study = STUDY.replace("age", ("nonsense", "region", "person_id")[number % 3]).replace("0.5", str(number % 7))
            answer = self.server.plan(study)
            said.append(answer.body)
            if answer.status == 200:
                self.server.begin(f"a-key-with-number-{number:04}", study=study, plan_hash=answer.json["plan_hash"])
                said.append(self.server.followed(f"a-key-with-number-{number:04}").body)
            said.append(self.server.post("rehearse", {"catalog": "catalog.toml", "study": study}).body)
        said += [self.server.ask("GET", "/metrics").body, self.server.get("audit").body, self.server.get("ledgers/catalog.toml").body]
        self.server.close()
        self.assertNotIn("canary", "".join(said) + self.content("audit.jsonl") + self.server.errors)

    def test_wrong_tokens_do_not_fill_it(self):
        for number in range(300):
            self.server.post("session", {"token": f"vrn_{number}"}, token="")
        self.server.post("session", {"words": "none"}, token="")
        self.assertEqual(self.server.post("session", {"token": self.server.token}, token="").status, 200)
        lines = self.audit()
        self.assertEqual([line["code"] for line in lines], [401] * 20 + [200])
        self.assertIn("vernier_auth_failures_total 300\n", self.server.ask("GET", "/metrics").body)

    def test_metrics_count_and_tell_nothing_of_data(self):
        self.server.plan()
        self.server.post("session", {"token": "x"}, token="")
        text = self.server.ask("GET", "/metrics").body
        for line in ('vernier_http_requests_total{route="plan",code="200"} 1', "vernier_auth_failures_total 1", "vernier_plan_seconds_count 1",
                     'vernier_release_states{state="ready"} 0', "vernier_slot_overruns_total 0"):
            self.assertIn(line + "\n", text)
        self.assertGreater(int(re.search(r"^process_resident_memory_bytes (\d+)$", text, re.M)[1]), 1_000_000)
        self.assertNotIn("north", text)


class Releases(StewardTest):
    def listen(self, count, last=None):
        """The first events, by kind and content, and how they were sent."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        self.addCleanup(connection.close)
        headers = {"Authorization": f"Bearer {self.server.token}", **({"Last-Event-ID": last} if last else {})}
        connection.request("GET", "/api/v1/events", headers=headers)
        answer = connection.getresponse()
        self.assertEqual((answer.status, answer.headers["Content-Type"], answer.headers["Cache-Control"]), (200, "text/event-stream", "no-store"))
        return connection, answer

    def read(self, answer, until):
        text = ""
        while until not in text:
            line = answer.readline().decode()
            self.assertNotEqual(line, "", text)
            text += line
        return text

    def test_events_tell_how_far_a_release_is_and_again_from_where_one_left(self):
        connection, answer = self.listen(4)
        self.read(answer, "event: hello")
        self.server.release(KEY)
        text = self.read(answer, '"state":"ready"')
        self.assertIn(f'"request":"{KEY}"', text)
        connection.close()
        _, again = self.listen(1, last="0")
        self.assertIn('"entry":', self.read(again, '"state":"ready"'))

    def test_streams_are_told_that_the_server_closes(self):
        _, answer = self.listen(1)
        self.read(answer, "event: hello")
        self.server.process.send_signal(signal.SIGTERM)
        self.assertIn("closing", self.read(answer, "closing"))
        self.assertEqual(self.server.close(), 0)

    def test_one_that_waits_is_taken_back_and_costs_nothing(self):
        plan_hash = self.server.plan().json["plan_hash"]
        keys = [f"one-of-many-keys-{i:03}" for i in range(8)]
        for key in keys:
            self.server.begin(key, plan_hash=plan_hash)
        stopped = self.server.ask("DELETE", f"/api/v1/releases/{keys[-1]}")
        self.assertEqual((stopped.status, stopped.json["state"]), (200, "refused"))
        self.assertIn("nothing was spent", stopped.body)
        states = [self.server.followed(key).json["state"] for key in keys]
        entries = [one for one in json.loads(run("ledger", "history", "catalog.toml", "--json").stdout)["entries"] if one["kind"] == "reserve"]
        self.assertEqual(len(entries), states.count("ready"))
        self.assertEqual(states[-1], "refused")

    def test_one_that_may_be_paid_for_is_stopped_only_where_that_is_said(self):
        self.server.begin(KEY)
        careful = self.server.ask("DELETE", f"/api/v1/releases/{KEY}")
        if careful.status == 409:
            self.assertIn("?spent=yes", careful.json["error"]["sentence"])
            self.server.ask("DELETE", f"/api/v1/releases/{KEY}?spent=yes")
        ended = self.server.followed(KEY).json
        entries = [one for one in json.loads(run("ledger", "history", "catalog.toml", "--json").stdout)["entries"] if one["kind"] == "reserve"]
        self.assertEqual(len(entries), {"ready": 1, "unanswered": 1, "refused": 0}[ended["state"]], ended)
        self.assertEqual(run("ledger", "verify", "catalog.toml").returncode, 0)
        self.assertEqual(self.server.ask("DELETE", "/api/v1/releases/nobodys-key-of-16-letters").status, 404)


class Tls(FolderTest):
    def setUp(self):
        super().setUp()
        write_root(".")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=office.test",
                        "-addext", "subjectAltName=DNS:office.test,IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"], check=True, capture_output=True)

    def test_other_addresses_need_it_and_tokens(self):
        for words in ([], ["--tokens", "t.toml"], ["--certificate", "cert.pem", "--key", "key.pem"]):
            self.assert_refused(["serve", "--address", "0.0.0.0", *words], saying="--address")
        self.assert_refused(["serve", "--certificate", "cert.pem"], saying="belong together")
        self.assert_refused(["serve", "--certificate", "cert.pem", "--key", "cert.pem"], saying="--key")
        self.assert_refused(["serve", "--certificate", "none.pem", "--key", "key.pem"], saying="--certificate")

    def test_it_speaks_tls_and_nothing_older_than_1_2(self):
        with subprocess.Popen([PROGRAM, "serve", "--root", ".", "--certificate", "cert.pem", "--key", "key.pem", "--tokens", "t.toml", "--host", "office.test"],
                              stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
            self.addCleanup(process.kill)
            link = process.stdout.readline().strip()
            self.assertRegex(link, r"\Ahttps://office\.test:\d+/#t=vrn_")
            port = int(re.search(r":(\d+)/", link)[1])
            context = ssl.create_default_context(cafile="cert.pem")
            connection = http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=10)
            connection.request("GET", "/healthz", headers={"Host": f"office.test:{port}"})
            answer = connection.getresponse()
            self.assertEqual((answer.status, answer.read()), (200, b"ok\n"))
            self.assertIn("max-age", answer.headers["Strict-Transport-Security"])
            connection.request("GET", "/", headers={"Host": f"office.test:{port}"})
            page = connection.getresponse()
            page.read()
            self.assertIn("max-age", page.headers["Strict-Transport-Security"])
            connection.request("GET", "/api/v1/me", headers={"Authorization": f"Bearer {link.split('#t=')[1]}"})
            self.assertEqual(connection.getresponse().status, 200)
            connection.close()
            old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
            old.maximum_version = ssl.TLSVersion.TLSv1_1
            with self.assertRaises((ssl.SSLError, ConnectionError, OSError)):
                http.client.HTTPSConnection("127.0.0.1", port, context=old, timeout=10).request("GET", "/healthz")
            plain = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            with self.assertRaises((http.client.HTTPException, ConnectionError, OSError)):
                plain.request("GET", "/healthz")
                self.assertNotEqual(plain.getresponse().status, 200)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(20), 0)


if __name__ == "__main__":
    unittest.main()
