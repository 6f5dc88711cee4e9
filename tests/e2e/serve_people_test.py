"""`vernier serve` and its people: roles, tokens, what is whose own, and what one of them can take from the others."""
import http.client
import os
import re
import tempfile
import time
import unittest

from program import FolderTest
from server import SHARES, STUDY, ServeTest, Server, write_root

KEY = "a-key-of-sixteen-characters"


class People(ServeTest):
    shares = SHARES
    words = ("--tokens", "tokens.toml", "--slot", "1")

    def setUp(self):
        FolderTest.setUp(self)
        self.tokens = {name: self.text("serve", "token", "--tokens", "tokens.toml", "--name", name, "--role", role).strip()
                       for name, role in (("anna", "analyst"), ("ben", "analyst"), ("carla", "steward"), ("dora", "reader"))}
        write_root(".", self.shares)
        self.server = Server("--root", ".", *self.words)
        self.addCleanup(self.server.close)

    def test_roles_and_routes(self):
        roles = {"anna": "analyst", "carla": "steward", "dora": "reader"}
        higher = {"reader": ["reader", "analyst", "steward"], "analyst": ["analyst", "steward"], "steward": ["steward"]}
        seen = 0
        for method, path, allowed in self.routes():
            body = {} if method in ("POST", "PUT") else None
            if not allowed:
                self.assertNotIn(self.server.ask(method, path, body, token="").status, (401, 403) if "session" not in path else (403,))
                continue
            self.assertEqual(self.server.ask(method, path, body, token="").status, 401, path)
            self.assertEqual(self.server.ask(method, path, body, token="vrn_wrong").status, 401, path)
            least = next(role for role in ("steward", "analyst", "reader") if higher[role] == [one for one in ("reader", "analyst", "steward") if one in allowed])
            for name, role in roles.items():
                status = self.server.ask(method, path, body, token=self.tokens[name]).status
                self.assertEqual(status == 403, role not in higher[least], (method, path, name, status))
                seen += 1
        self.assertGreater(seen, 40)

    def test_the_token_decides_whose_share_pays(self):
        study = STUDY.replace("epsilon = 0.5", "epsilon = 0.3")
        ready = self.server.release(KEY, token=self.tokens["anna"], study=study).json
        self.assertEqual(ready["state"], "ready")
        other = self.server.release(KEY, token=self.tokens["ben"], study=study).json
        self.assertEqual(other["state"], "ready")
        self.assertNotEqual(ready["answer"]["release"], other["answer"]["release"])
        self.assertEqual([entry["analyst"] for entry in self.entries()], ["anna", "ben"])
        named = self.server.begin("another-key-of-hers-1", token=self.tokens["anna"], study=study, analyst="ben")
        self.assertEqual(self.server.followed("another-key-of-hers-1", token=self.tokens["anna"]).json["state"], "refused", named.body)
        self.assertEqual(len(self.entries()), 2)

    def test_what_is_not_ones_own_is_not_there(self):
        study = STUDY.replace("epsilon = 0.5", "epsilon = 0.3")
        release = self.server.release(KEY, token=self.tokens["anna"], study=study).json["answer"]["release"]
        path = f"releases/{release}/documents/release.json?catalog=catalog.toml"
        missing = self.server.get(path.replace(release, "0" * 32), token=self.tokens["ben"])
        foreign = self.server.get(path, token=self.tokens["ben"])
        self.assertEqual((foreign.status, foreign.body), (404, missing.body))
        self.assertEqual(self.server.get(path, token=self.tokens["anna"]).status, 200)
        self.assertEqual(self.server.get(path, token=self.tokens["carla"]).status, 200)
        self.assertEqual(self.server.get(f"releases/{KEY}?catalog=catalog.toml", token=self.tokens["ben"]).status, 404)
        self.assertEqual(self.server.get("releases?catalog=catalog.toml", token=self.tokens["ben"]).json["releases"], [])
        history = self.server.get("ledgers/catalog.toml/history", token=self.tokens["ben"])
        self.assertEqual(history.json["entries"], [])
        self.assertNotIn(os.path.realpath("."), history.body)
        self.assertEqual(len(self.server.get("releases?catalog=catalog.toml", token=self.tokens["carla"]).json["releases"]), 1)

    def test_what_a_catalog_says_to_an_analyst_is_not_where_things_lie_nor_what_others_may_spend(self):
        outside = tempfile.TemporaryDirectory()
        self.addCleanup(outside.cleanup)
        self.file("catalog.toml", self.content("catalog.toml").replace("[budget]\n", f'[budget]\nledger = "{outside.name}/elsewhere.ledger"\n'))
        for name in ("anna", "dora"):
            told = self.server.get("catalogs/catalog.toml", token=self.tokens[name])
            self.assertEqual(told.status, 200)
            for word in ("people.csv", "elsewhere", outside.name, "ben"):
                self.assertNotIn(word, told.body)
        self.assertEqual([one["analyst"] for one in self.server.get("catalogs/catalog.toml", token=self.tokens["anna"]).json["catalog"]["budget"]["shares"]], ["anna"])
        self.assertIn("people.csv", self.server.get("catalogs/catalog.toml", token=self.tokens["carla"]).body)
        self.assertEqual(self.server.release(KEY, token=self.tokens["anna"], study=STUDY.replace("epsilon = 0.5", "epsilon = 0.3")).json["state"], "ready")
        for path in ("ledgers/catalog.toml", "ledgers/catalog.toml/history"):
            told = self.server.get(path, token=self.tokens["anna"])
            self.assertIn("anna", told.body)
            for word in ("elsewhere", "people.csv"):
                self.assertNotIn(word, told.body)

    def test_one_person_cannot_take_all_tickets(self):
        asked = {"catalog": "catalog.toml", "document": "report.html"}
        codes = [self.server.post(f"releases/{'0' * 32}/ticket", asked, token=self.tokens["anna"]).status for _ in range(101)]
        self.assertEqual(codes, [200] * 100 + [503])
        self.assertEqual(self.server.post(f"releases/{'0' * 32}/ticket", asked, token=self.tokens["ben"]).status, 200)

    def test_one_person_cannot_take_all_streams(self):
        def listen(name):
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
            self.addCleanup(connection.close)
            connection.request("GET", "/api/v1/events", headers={"Authorization": f"Bearer {self.tokens[name]}"})
            return connection.getresponse()

        other, first = listen("ben"), listen("anna")
        streams = [listen("anna") for _ in range(50)]
        self.assertIn(b"hello", first.read())  # to its end
        self.assertIn(b"Vernier", streams[-1].readline())
        self.assertIn(b"Vernier", other.readline())

    def test_what_would_be_left_is_told_as_so_many_counts(self):
        counts = self.server.post("counts", {"catalog": "catalog.toml", "study": STUDY}, token=self.tokens["anna"])
        self.assertEqual(counts.status, 200, counts.body)
        self.assertEqual([one["within"] for one in counts.json["counts"]], [20, 100, 500])
        # What the ledger says once it was paid for.
        self.assertEqual(self.server.release(KEY, token=self.tokens["anna"]).json["state"], "ready")
        after = self.server.get("ledgers/catalog.toml?within=20,100,500", token=self.tokens["anna"]).json["counts"]
        self.assertEqual([one["counts"] for one in counts.json["counts"]], [one["more"][0]["counts"] for one in after])
        self.assertEqual(self.server.post("counts", {"catalog": "catalog.toml", "study": STUDY.replace("epsilon = 0.5", "epsilon = 1.4")}, token=self.tokens["anna"]).json["counts"], [])

    def test_what_a_steward_publishes_is_for_readers_and_for_everybody_only_where_that_is_said(self):
        release = self.server.release(KEY, token=self.tokens["anna"], study=STUDY.replace("epsilon = 0.5", "epsilon = 0.3")).json["answer"]["release"]
        path, catalog = f"published/{release}/release.json", {"catalog": "catalog.toml"}
        reader = {"token": self.tokens["dora"]}
        self.assertEqual((self.server.get(path, **reader).status, self.server.get("published", **reader).json["published"]), (404, []))
        self.assertEqual(self.server.post(f"releases/{release}/publish", catalog, token=self.tokens["anna"]).status, 403)
        self.assertEqual(self.server.post(f"releases/{release}/publish", catalog, token=self.tokens["carla"]).status, 200)
        self.assertEqual(self.server.post(f"releases/{'0' * 32}/publish", catalog, token=self.tokens["carla"]).status, 404)
        self.assertEqual(self.server.post("releases/..%2Fx/publish", catalog, token=self.tokens["carla"]).status, 404)
        listed = self.server.get("published", **reader).json["published"]
        self.assertEqual([(one["release"], one["study"]) for one in listed], [(release, "study")])
        record = self.server.get(path, **reader)
        self.assertEqual(record.body, self.server.get(f"releases/{release}/documents/release.json?catalog=catalog.toml", token=self.tokens["anna"]).body)
        self.assertTrue(self.server.post("verify", {"record": record.body}, **reader).json["holds"])
        for name in ("nothing.csv", "..%2F..%2Fcatalog.toml", "%2Fetc%2Fpasswd"):
            self.assertEqual(self.server.get(f"published/{release}/{name}", **reader).status, 404, name)
        for path in ("/public", f"/public/{release}/release.json"):
            self.assertEqual(self.server.ask("GET", path, token="").status, 404)
        self.server.close()
        self.server = Server("--root", ".", "--public", *self.words)
        self.addCleanup(self.server.close)
        self.assertEqual(self.server.ask("GET", f"/public/{release}/release.json", token="").body, record.body)
        self.assertIn("sandbox", self.server.ask("GET", f"/public/{release}/report.html", token="").headers["Content-Security-Policy"])
        self.assertEqual(self.server.ask("DELETE", f"/api/v1/published/{release}", token=self.tokens["carla"]).status, 200)
        self.assertEqual(self.server.ask("GET", f"/public/{release}/release.json", token="").status, 404)

    def test_an_analyst_is_answered_on_slots(self):
        begun = time.monotonic()
        study = STUDY.replace("epsilon = 0.5", "epsilon = 0.3")
        plan_hash = self.server.plan(study, token=self.tokens["anna"]).json["plan_hash"]
        begun = time.monotonic()
        self.server.begin(KEY, token=self.tokens["anna"], study=study, plan_hash=plan_hash)
        ready = self.server.followed(KEY, token=self.tokens["anna"]).json
        self.assertEqual(ready["state"], "ready")
        self.assertGreaterEqual(time.monotonic() - begun, 0.9)

    def test_tokens_are_kept_by_their_hash_where_only_their_owner_reads(self):
        kept = self.content("tokens.toml")
        self.assertEqual(os.stat("tokens.toml").st_mode & 0o777, 0o600)
        self.assertEqual([token for token in self.tokens.values() if token in kept], [])
        os.chmod("tokens.toml", 0o644)
        self.assert_refused(["serve", "--root", ".", "--tokens", "tokens.toml"], saying="can be read by others")
        os.chmod("tokens.toml", 0o600)
        self.file("tokens.toml", re.sub(r"expires = \d+", "expires = 2020", kept))
        server = Server("--root", ".", "--tokens", "tokens.toml")
        self.addCleanup(server.close)
        self.assertEqual(server.get("me", token=self.tokens["anna"]).status, 401)


if __name__ == "__main__":
    unittest.main()
