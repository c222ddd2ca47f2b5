"""Sends what nobody should to running services, and checks what becomes of it.

usage: bad_input.py ASYNCAPI_JSON RUNTIME_DIRECTORY LOG_DIRECTORY SERVICE …

Each message is answered or dropped as the document says, counted in `health.check`, and logged once.
Everything is sent twice. Prints a line per service; ends with 1 and a sentence when something is otherwise.
"""

import json
import os
import pathlib
import random
import socket
import stat
import sys
import time

import zmq
from zmq.utils.monitor import recv_monitor_message

from contract import Contract

WAIT_MS = 20_000
OTHER_UID = 65_534
TIMES = 2
#: Connections of each run that never greet.
HANDSHAKES = 8


def request(method="events.read", params="{}", rest=""):
    return f'{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}{rest}}}'.encode()


def bad_requests(bytes_max):
    """What is sent, the name of the error it is answered with, the counter it moves."""
    deep = b'{"jsonrpc":"2.0","id":1,"method":"events.read","params":' + b"[" * 10_000 + b"]" * 10_000 + b"}"
    return {
        "byte order mark": (b"\xef\xbb\xbf" + request(), "parseError", "invalid_json"),
        "bad UTF-8": (request(method="XX").replace(b"XX", b"\xff"), "parseError", "invalid_json"),
        "a surrogate alone": (request(params='{"types":["\\ud800"]}'), "parseError", "invalid_json"),
        "duplicate keys": (request(rest=',"id":2'), "parseError", "invalid_json"),
        "duplicate keys inside": (request(params='{"x":{"a":1,"a":1}}'), "parseError", "invalid_json"),
        "depth 10,000": (deep, "parseError", "invalid_json"),
        "NaN": (request(params='{"after":NaN}'), "parseError", "invalid_json"),
        "trailing bytes": (request() + b" {}", "parseError", "invalid_json"),
        "a zero at the end": (request() + b"\0", "parseError", "invalid_json"),
        "nothing": (b"", "parseError", "invalid_json"),
        "random bytes": (bytes(range(256)), "parseError", "invalid_json"),
        "a number": (b"42", "invalidRequest", "invalid_request"),
        "an empty batch": (b"[]", "invalidRequest", "invalid_request"),
        "no version": (b'{"id":1,"method":"health.check"}', "invalidRequest", "invalid_request"),
        "deadline 0": (request(rest=',"deadline":0'), "invalidRequest", "invalid_request"),
        "unknown method": (request(method="no.such"), "methodNotFound", "unknown_method"),
        "wrong type": (request(params='{"after":"one"}'), "invalidParams", "invalid_params"),
        "beyond 64 bits": (
            request(params='{"after":9223372036854775808}'), "invalidParams", "invalid_params"),
        "parameters as a list": (request(params="[1]"), "invalidParams", "invalid_params"),
        "an unknown client": (
            request(params='{"after":0}', rest=',"client":"org.example.uninvited"'), "notAuthorized",
            "not_authorized"),
        "too long": (b" " * (bytes_max + 1), "messageTooLong", "too_long"),
    }


class Service:
    def __init__(self, contract, name):
        self.contract = contract
        self.name = name
        self.context = zmq.Context.instance()
        self.peer = self.connect(zmq.DEALER, "requests")

    def connect(self, kind, door):
        peer = self.context.socket(kind)
        peer.setsockopt(zmq.LINGER, 0)
        peer.connect(self.contract.endpoint(self.name, door))
        return peer

    def path(self, door):
        return self.contract.endpoint(self.name, door).removeprefix("ipc://")

    def answer(self):
        require(self.peer.poll(WAIT_MS), f"{self.name} does not answer")
        return json.loads(self.peer.recv())

    def counters(self):
        self.peer.send(request("health.check"))
        health = self.answer()["result"]
        self.contract.check_answer(
            self.contract.operation("health.check", self.name), {"jsonrpc": "2.0", "id": 1, "result": health})
        return {counter["name"]: counter["count"] for counter in health["counters"]}

    def wait_for(self, counter, least):
        end = time.monotonic() + WAIT_MS / 1_000
        while (count := self.counters().get(counter, 0)) < least:
            require(time.monotonic() < end, f"{self.name} counts {count} of {least} {counter}")


def require(condition, words):
    if not condition:
        raise SystemExit(f"bad_input.py: {words}")


def send_bad_requests(service):
    for label, (body, name, counter) in bad_requests(service.contract.limits["message_bytes_max"]).items():
        before = service.counters().get(counter, 0)
        for _ in range(TIMES):
            service.peer.send(body)
            answer = service.answer()
            require(answer.get("error", {}).get("data", {}).get("name") == name, f"{label}: {answer}")
            service.contract.check_message(
                {"$ref": "#/components/messages/refusal.answer"}, answer)
        after = service.counters().get(counter, 0)
        require(after == before + TIMES, f"{service.name}, {label}: {counter} was {before} and is {after}")


def send_wrong_frames(service):
    for frames in ([b"1", b"2", b"3"], [b"", b"1", b"2"]):
        service.peer.send_multipart(frames)
    service.wait_for("wrong_frames", 2)


def send_wrong_subscriptions(service):
    """Each ends the connection, with what came together with it: no subscription, one longer than any topic."""
    for count, frame in enumerate([b"\x07what", b"\x01" + b"x" * 2_000]):
        subscriber = service.connect(zmq.XSUB, "events")
        subscriber.send(frame)
        service.wait_for("malformed_subscription", count + 1)
        subscriber.close()


def send_far_too_long(service):
    """The connection is closed, and nothing is answered."""
    peer = service.connect(zmq.DEALER, "requests")
    monitor = peer.get_monitor_socket(zmq.EVENT_DISCONNECTED)
    peer.send(b" " * (2 * service.contract.limits["message_bytes_max"] + 1))
    require(monitor.poll(WAIT_MS), f"{service.name} keeps a connection that sends far too much")
    require(recv_monitor_message(monitor)["event"] == zmq.EVENT_DISCONNECTED, "another event")
    peer.disable_monitor()
    peer.close()


def send_no_zmtp(service):
    """Garbage, HTTP, a greeting with garbage behind it, half a greeting; to both doors. Going at once is no failure."""
    chance = random.Random(service.name)
    greeting = b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(16) + b"\x00" + bytes(31)
    garbage = [
        chance.randbytes(4_096), b"GET / HTTP/1.1\r\n\r\n", greeting + chance.randbytes(512), b"\xff" * 600, b""]
    for door in ("requests", "events"):
        for body in garbage:
            with socket.socket(socket.AF_UNIX) as stranger:
                stranger.connect(service.path(door))
                try:
                    stranger.sendall(body)
                    # Whoever goes before the service answers may be gone for it, whatever was sent.
                    while body and stranger.recv(4_096):
                        pass
                except (BrokenPipeError, ConnectionResetError):
                    pass  # Closed before all of it was sent or read: as it should be.


def come_as_another(service):
    """Another uid that reaches the sockets is told so, gets no event, and is counted."""
    if os.getuid() != 0:
        return
    before = service.counters().get("wrong_user", 0)
    runtime = pathlib.Path(service.path("requests")).parent
    sockets = [pathlib.Path(service.path(door)) for door in ("requests", "events")]
    doors = [runtime.parent, runtime] + sockets
    modes = [stat.S_IMODE(door.stat().st_mode) for door in doors]
    for door in doors:
        door.chmod(0o777 if door.is_socket() else 0o711)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setgroups([])
            os.setgid(OTHER_UID)
            os.setuid(OTHER_UID)
            status = be_another(service)
        finally:
            os._exit(status)
    status = os.waitpid(child, 0)[1]
    for door, mode in zip(doors, modes):
        door.chmod(mode)
    require(status == 0, f"another uid: status {status}")
    # Both of its requests and both of its subscriptions.
    service.wait_for("wrong_user", before + 4)


def be_another(service):
    # A context does not survive fork(2).
    context = zmq.Context()
    peer, subscriber = context.socket(zmq.DEALER), context.socket(zmq.SUB)
    peer.connect(service.contract.endpoint(service.name, "requests"))
    peer.send(request("health.check"))
    if not peer.poll(WAIT_MS) or json.loads(peer.recv())["error"]["data"]["name"] != "wrongUser":
        return 2
    subscriber.subscribe("~sync.stranger")
    subscriber.subscribe("")
    monitor = subscriber.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED)
    subscriber.connect(service.contract.endpoint(service.name, "events"))
    if not monitor.poll(WAIT_MS):
        return 3
    # An answer to ~sync would come at once; the second request comes after it in the service's one loop.
    peer.send(request("health.check"))
    if not peer.poll(WAIT_MS) or subscriber.poll(100):
        return 4
    return 0


def check_log(service, directory):
    """One warning per reason, whatever the count, and nothing of what was sent."""
    text = (directory / f"{service.name}.log").read_text()
    reasons = [
        line["reason"] for line in map(json.loads, text.splitlines())
        if line["level"] == "warning" and "reason" in line
    ]
    document = service.contract.document["x-counters"]
    counted = [name for name in service.counters() if name in document]
    require(sorted(reasons) == sorted(counted), f"{service.name} counted {counted} and logged {reasons}")
    require("uninvited" not in text and "no.such" not in text, f"{service.name} logs what strangers sent")


def main():
    contract = Contract(sys.argv[1], sys.argv[2])
    services = [Service(contract, name) for name in sys.argv[4:]]
    for service in services:
        send_bad_requests(service)
        send_wrong_frames(service)
        send_wrong_subscriptions(service)
        send_far_too_long(service)
        come_as_another(service)
        send_no_zmtp(service)
    for service in services:
        service.wait_for("malformed_handshake", HANDSHAKES)
        check_log(service, pathlib.Path(sys.argv[3]))
        print("survived", service.name, service.counters(), flush=True)


main()
