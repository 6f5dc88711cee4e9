"""Starts a server of Spark Connect of its own on the loopback, runs a command with its address in VERNIER_TEST_SPARK, and ends it.

Usage: spark.py [--workers N] COMMAND...
With --workers it is a driver before a standalone cluster of that many workers of 1.2 GB, each in a process of its own. Where Spark
is not installed (`tools/setup --engines`), the exit code is 77, or 1 with VERNIER_SERVERS=required.
"""
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from trino import DEPS, absent, free_port

HOW_TO_INSTALL = "Spark is not installed; tools/setup --engines does that"
WORKER_MEMORY = "1200m"


def settings(folder):
    """Of whoever starts Spark on this machine, to write into the folder and to be reached from nowhere else."""
    return {"spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1",
            "spark.connect.grpc.binding.address": "127.0.0.1", "spark.sql.warehouse.dir": folder,
            "spark.driver.memory": "1500m", "spark.sql.shuffle.partitions": "2", "spark.sql.ansi.enabled": "true",
            "spark.sql.session.timeZone": "UTC", "spark.sql.caseSensitive": "true",
            "spark.sql.catalogImplementation": "in-memory", "spark.ui.showConsoleProgress": "false"}


def session(folder, remote=None):
    """A session in this program, classic or, with remote = "local[2]", by Spark Connect."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.remote(remote) if remote else SparkSession.builder.master("local[2]")
    for name, value in settings(folder).items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    if remote is None:
        spark.sparkContext.setLogLevel("OFF")
    return spark


def is_open(port):
    with socket.socket() as one:
        one.settimeout(1)
        return one.connect_ex(("127.0.0.1", port)) == 0


def home():
    """The folder of Spark; none where it is not installed."""
    return next(iter(sorted(DEPS.glob("spark-*/lib/python*/site-packages/pyspark"))), None)


def python():
    """The interpreter that has it as a package."""
    return str(home().parents[3] / "bin/python")


class Server:
    """A server of Spark Connect, local or before workers. Ends with remove()."""

    def __init__(self, workers=0, more=None):
        self.home = home()
        self.folder = Path(tempfile.mkdtemp(prefix="vernier-spark-"))
        (self.folder / "events").mkdir()
        self.port = free_port()
        self.address = f"sc://127.0.0.1:{self.port}"
        self.others = []
        self.master = self._cluster(workers) if workers else "local[2]"
        self.settings = {**settings(str(self.folder / "warehouse")), "spark.connect.grpc.binding.port": str(self.port),
                         "spark.eventLog.dir": f"file://{self.folder / 'events'}",
                         **({"spark.executor.memory": "900m", "spark.sql.shuffle.partitions": "8"} if workers else {}), **(more or {})}
        self.process = None
        self.start()

    def _run(self, words, log):
        environment = {**os.environ, "SPARK_HOME": str(self.home), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_DIRS": str(self.folder),
                       "SPARK_WORKER_DIR": str(self.folder / "work"), "PYSPARK_PYTHON": python()}
        for name in ("SPARK_REMOTE", "SPARK_CONNECT_AUTHENTICATE_TOKEN"):
            environment.pop(name, None)
        with open(self.folder / log, "ab") as file:
            return subprocess.Popen(words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=file, stderr=file, env=environment,
                                    start_new_session=True)

    def _cluster(self, workers):
        """A master and workers; where they are."""
        port = free_port()
        names = ["--host", "127.0.0.1", "--webui-port", "0"]
        program = str(self.home / "bin/spark-class")
        self.others.append(self._run([program, "org.apache.spark.deploy.master.Master", *names, "--port", str(port)], "master.log"))
        self._wait(lambda: is_open(port), self.others[0], "master.log")
        for number in range(workers):
            self.others.append(self._run([program, "org.apache.spark.deploy.worker.Worker", *names, "--cores", "1", "--memory",
                                          WORKER_MEMORY, f"spark://127.0.0.1:{port}"], f"worker-{number}.log"))
        return f"spark://127.0.0.1:{port}"

    def start(self):
        words = [str(self.home / "bin/spark-submit"), "--master", self.master, "--class",
                 "org.apache.spark.sql.connect.service.SparkConnectServer"]
        for name, value in self.settings.items():
            words += ["--conf", f"{name}={value}"]
        self.process = self._run([*words, "spark-internal"], "server.log")
        self._wait(lambda: is_open(self.port), self.process, "server.log")

    def _wait(self, is_up, process, log):
        for _ in range(1800):
            if is_up():
                return
            if process.poll() is not None:
                break
            time.sleep(0.1)
        told = (self.folder / log).read_text(errors="replace")[-3000:]
        self.remove()
        raise RuntimeError("Spark did not start:\n" + told)

    @staticmethod
    def _end(process):
        """With the Java that the script has started."""
        if process is not None and process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def kill(self):
        self._end(self.process)

    def remove(self):
        for process in (self.process, *reversed(self.others)):
            self._end(process)
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    words = sys.argv[1:]
    workers = int(words[1]) if words[0] == "--workers" else 0
    command = words[2:] if workers else words
    if home() is None:
        print(HOW_TO_INSTALL, file=sys.stderr)
        return absent()
    server = Server(workers)
    try:
        return subprocess.run(command, env={**os.environ, "VERNIER_TEST_SPARK": server.address}, check=False).returncode
    finally:
        server.remove()


if __name__ == "__main__":
    sys.exit(main())
