"""A running `vernier serve`, asked as browsers, scripts and enemies ask it. Only loopback addresses."""
import http.client
import json
import os
import re
import resource
import signal
import socket
import subprocess
import time

from program import ENVIRONMENT, PROGRAM, FolderTest, run

PEOPLE = "person_id,age,region\n" + "".join(f"{i},{i % 90},{('north', 'south')[i % 2]}\n" for i in range(1, 2001))
CATALOG = """[budget]
epsilon = 3.0
delta = 1e-6
{shares}
[tables.people]
source = "people.csv"
unit = "person_id"
row_limit = 100_000

[tables.people.columns]
person_id = {{ type = "integer" }}
age = {{ type = "integer", lower = 0, upper = 99 }}
region = {{ type = "string", keys = ["north", "south"] }}
"""
SOME_KEY = "a-key-of-sixteen-characters"
SHARES = "shares = { anna = 0.5, ben = 0.3 }\n"
STUDY = """# a comment that stays
budget = { epsilon = 0.5, delta = 1e-7 }

[[statistic]]
name = "by region"
sql = "SELECT region, COUNT(*) AS people, AVG(age) AS age FROM people GROUP BY region"

[[statistic]]
name = "all"
sql = "SELECT COUNT(*) AS people FROM people"
accuracy = { people = 40 }   # held
"""


def write_root(folder, shares=""):
    with open(os.path.join(folder, "people.csv"), "w", encoding="utf-8") as file:
        file.write(PEOPLE)
    with open(os.path.join(folder, "catalog.toml"), "w", encoding="utf-8") as file:
        file.write(CATALOG.format(shares=shares))


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def sentence(self):
        return self.json["error"]["sentence"]


class Server:
    """Serves until it is closed; with `files`, no more than so many may be open in it."""

    def __init__(self, *words, files=None):
        limit = None if files is None else lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        self.process = subprocess.Popen([PROGRAM, "serve", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=ENVIRONMENT, preexec_fn=limit)
        self.link = self.process.stdout.readline().strip()
        if not self.link.startswith("http://127.0.0.1:"):
            raise AssertionError(self.link + self.process.stderr.read())
        address, self.token = self.link.split("/#t=")
        self.host = address.removeprefix("http://")
        self.port = int(self.host.split(":")[1])

    def close(self, number=signal.SIGTERM):
        if self.process.stdout.closed:
            return self.process.returncode
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            self.process.wait(30)
        finally:
            self.process.kill()
            self.process.stdout.close()
            self.errors = self.process.stderr.read()
            self.process.stderr.close()
        return self.process.returncode

    def ask(self, method, path, body=None, token=None, headers=None):
        """One request; the token is that of the link unless another is given, and none where it is ""."""
        token = self.token if token is None else token
        sent = {"Authorization": f"Bearer {token}"} if token else {}
        data = None
        if body is not None:
            data = body if isinstance(body, (bytes, str)) else json.dumps(body)
            sent["Content-Type"] = "application/json"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, data, {**sent, **(headers or {})})
            got = connection.getresponse()
            is_endless = got.getheader("Content-Type") == "text/event-stream"
            return Answer(got.status, dict(got.getheaders()), "" if is_endless else got.read().decode())
        finally:
            connection.close()

    def get(self, path, **more):
        return self.ask("GET", f"/api/v1/{path}", **more)

    def post(self, path, body, **more):
        return self.ask("POST", f"/api/v1/{path}", body, **more)

    def raw(self, data, wait=5):
        """What comes back for these bytes, until the server closes or nothing more comes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as connection:
            try:
                connection.sendall(data)
                got = b""
                while chunk := connection.recv(65536):
                    got += chunk
                return got
            except (TimeoutError, ConnectionError):
                return got if "got" in locals() else b""

    def is_healthy(self):
        return self.ask("GET", "/healthz", token="").body == "ok\n"

    def plan(self, study=STUDY, token=None, **more):
        return self.post("plan", {"catalog": "catalog.toml", "study": study, **more}, token=token)

    def begin(self, key, token=None, study=STUDY, plan_hash=None, **more):
        """Begins a release of the study as it is planned now."""
        wanted = plan_hash or self.plan(study, token=token).json["plan_hash"]
        return self.post("releases", {"catalog": "catalog.toml", "study": study, "plan_hash": wanted, **more}, token=token,
                         headers={"Idempotency-Key": key})

    def followed(self, key, token=None, seconds=60):
        for _ in range(seconds * 5):
            answer = self.get(f"releases/{key}?catalog=catalog.toml", token=token)
            if answer.status != 202:
                return answer
            time.sleep(0.2)
        raise AssertionError("the release does not end")

    def release(self, key, **more):
        begun = self.begin(key, **more)
        assert begun.status in (200, 202), begun.body
        return self.followed(key, token=more.get("token"))


class ServeTest(FolderTest):
    shares = ""
    words = ()

    def setUp(self):
        super().setUp()
        write_root(".", self.shares)
        self.server = Server("--root", ".", *self.words)
        self.addCleanup(self.server.close)

    def routes(self):
        """(method, path with its names filled in, roles) of everything that can be asked."""
        told = self.server.get("openapi.json", token="").json
        for path, methods in told["paths"].items():
            filled = re.sub(r"\{(\w+)\}", lambda name: "catalog.toml" if name[1] == "catalog" else SOME_KEY, path)
            for method, about in methods.items():
                yield method.upper(), filled, set(about["x-roles"])

    def entries(self):
        history = json.loads(run("ledger", "history", "catalog.toml", "--json").stdout)
        return [entry for entry in history["entries"] if entry["kind"] == "reserve"]

    def program_json(self, *words):
        return self.text(*words, "--json")
