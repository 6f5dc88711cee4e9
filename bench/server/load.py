"""Clients of the benchmark: requests at a steady rate, each sent at its time whether or not others were answered."""

import http.client
import json
import socket
import threading
import time


class Client:
    """One connection that stays open."""

    def __init__(self, port, token=""):
        self.port, self.token = port, token
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method, path, body=None, headers=None):
        sent = {"Host": f"127.0.0.1:{self.port}", **(headers or {})}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            sent["Content-Type"] = "application/json"
        self.connection.request(method, path, None if body is None else json.dumps(body), sent)
        answer = self.connection.getresponse()
        return answer.status, answer.read()


def steady(clients, ask, rate, seconds):
    """Milliseconds of each answer, ascending; requests are sent at `rate` a second in all, by each client in turn."""
    times, lock, begin = [], threading.Lock(), time.perf_counter() + 0.1

    def work(place, client):
        for number in range(place, int(rate * seconds), len(clients)):
            due = begin + number / rate
            time.sleep(max(0.0, due - time.perf_counter()))
            status = ask(client)
            if status != 200:
                raise ValueError(f"it was answered by {status}")
            with lock:
                times.append(1000 * (time.perf_counter() - due))

    threads = [threading.Thread(target=work, args=one) for one in enumerate(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(times) != int(rate * seconds):
        raise ValueError("not every request was answered")
    return sorted(times)


def quantile(times, part):
    return times[min(len(times) - 1, int(part * len(times)))]


def slow_connections(port, count):
    """So many that have sent half of a head."""
    made = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
    for one in made:
        one.sendall(b"POST /api/v1/plan HTTP/1.1\r\n")
    return made


def resident(process):
    """Bytes of a process and its children that lie in memory."""
    total, todo = 0, [process]
    while todo:
        number = todo.pop()
        try:
            with open(f"/proc/{number}/statm", encoding="ascii") as file:
                total += int(file.read().split()[1]) * 4096
            with open(f"/proc/{number}/task/{number}/children", encoding="ascii") as file:
                todo += [int(one) for one in file.read().split()]
        except FileNotFoundError:
            pass
    return total
