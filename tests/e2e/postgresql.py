"""A PostgreSQL server of its own on the loopback, gone afterwards."""
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PROGRAMS = "/usr/lib/postgresql/15/bin/"
PASSWORD = "not-to-be-seen"
HOW_TO_INSTALL = "PostgreSQL 15 is not installed; tools/setup does that"


def is_installed():
    return os.path.exists(PROGRAMS + "postgres")


def account():
    """Whom the server runs as: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Server:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="vernier-postgresql-")
        password = os.path.join(self.folder, "password")
        with open(password, "w", encoding="utf-8") as file:
            file.write(PASSWORD + "\n")
        if account():
            for path in (self.folder, password):
                os.chown(path, account()["user"], account()["group"])
        self.data = os.path.join(self.folder, "data")
        subprocess.run([PROGRAMS + "initdb", "--pgdata", self.data, "--username", "vernier", "--pwfile", password,
                        "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"],
                       check=True, capture_output=True, cwd=self.folder, **account())
        self.port = free_port()
        self.databases = 0
        self.process = None
        self.start()

    def start(self):
        settings = (f"port={self.port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={self.folder}",
                    "shared_buffers=16MB", "dynamic_shared_memory_type=mmap", "autovacuum=off")
        words = [word for setting in settings for word in ("-c", setting)]
        with open(os.path.join(self.folder, "log"), "a", encoding="utf-8") as log:
            self.process = subprocess.Popen([PROGRAMS + "postgres", "-D", self.data, *words], stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log, cwd=self.folder, **account())
        deadline = time.monotonic() + 60
        while self.sql("SELECT 1").returncode != 0:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError("the server does not start")
            time.sleep(0.05)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, database="postgres"):
        return f"postgresql://vernier:{PASSWORD}@127.0.0.1:{self.port}/{database}"

    def new_database(self):
        self.databases += 1
        name = f"database{self.databases}"
        self.sql(f"CREATE DATABASE {name}")
        return name

    def sql(self, statement, database="postgres"):
        """As the owner of the tables writes it, past the ledger."""
        return subprocess.run([PROGRAMS + "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement,
                               self.address(database)], capture_output=True, text=True, timeout=60, check=False, cwd=self.folder)
