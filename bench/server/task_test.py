"""The benchmark of the server, without its programs: `python3 -m unittest bench.server.task_test`."""

import http.server
import threading
import unittest
from unittest import mock

from bench import harness
from bench.server import cases, load, task


class Quick(http.server.BaseHTTPRequestHandler):
    def do_POST(self):  # noqa: N802
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    protocol_version = "HTTP/1.1"
    log_message = mock.Mock()


class Server(unittest.TestCase):
    def test_without_its_programs_it_says_so_and_meets_no_target(self):
        sentences = []
        with mock.patch.object(task, "VERNIER", "/no/such/program"), mock.patch.object(task, "ECHO", "/no/such/program"):
            server = task.server(quick=True)
            report = harness.report(server, harness.run(server, sentences.append))
        self.assertEqual((report["results"], report["targets_met"]), ([], False))

    def test_every_case_has_a_limit_and_one_above_it_misses_that_alone(self):
        server = task.server(quick=False)
        good = {("vernier", name): goal for name, _, goal in cases.LIMITS}
        self.assertTrue(harness.report(server, good)["targets_met"])
        slow = harness.report(server, good | {("vernier", "40 plans a second, p99"): 81})
        self.assertEqual([target["case"] for target in slow["targets"] if not target["met"]], ["40 plans a second, p99"])

    def test_requests_are_sent_at_their_times(self):
        served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quick)
        threading.Thread(target=served.serve_forever, daemon=True).start()
        try:
            clients = [load.Client(served.server_port) for _ in range(4)]
            times = load.steady(clients, lambda client: client.ask("POST", "/", {"x": 1})[0], 40, 0.5)
            self.assertEqual((len(times), times), (20, sorted(times)))
            with self.assertRaises(ValueError):
                load.steady(clients[:1], lambda client: 500, 10, 0.2)
        finally:
            served.shutdown()
            served.server_close()

    def test_studies_have_ten_statistics(self):
        self.assertEqual([text.count("[[statistic]]") for text in (cases.PLAN, cases.HARD)], [10, 10])


if __name__ == "__main__":
    unittest.main()
