"""Requests and events over ZeroMQ, as the document's text says it."""

import json
import secrets
import time

import zmq

from contract import Refused


class Deadline(Exception):
    """No answer in time."""


def open_socket(contract, context, kind):
    socket = context.socket(kind)
    for name, value in contract.options.items():
        socket.setsockopt(getattr(zmq, name.removeprefix("ZMQ_")), value)
    return socket


class Requests:
    """The requests to one service; repeats a write with its key until it is answered."""

    def __init__(self, contract, context, service):
        self.contract = contract
        self.service = service
        self.socket = open_socket(contract, context, zmq.DEALER)
        self.socket.connect(contract.endpoint(service, "requests"))
        self.next_id = 1

    def call(self, method, params, *, client=None, traceparent=None, not_before=None, deadline=None):
        operation = self.contract.operation(method, self.service)
        request = {"jsonrpc": "2.0", "method": method, "params": params}
        request["deadline"] = deadline or self.contract.limits["request_deadline_ms"]
        if operation["x-effect"] == "write":
            request["idempotency_key"] = secrets.token_hex(16)
        for name, value in (("client", client), ("traceparent", traceparent), ("not_before", not_before)):
            if value is not None:
                request[name] = value
        for _ in range(5):
            try:
                answer = self._ask(operation, request)
                break
            except Deadline:
                continue
        else:
            raise Deadline(f"{self.service} does not answer {method}")
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    def _ask(self, operation, request):
        request["id"] = self.next_id
        self.next_id += 1
        self.contract.check_request(operation, request)
        end = time.monotonic() + request["deadline"] / 1_000 + 1
        if not self.socket.poll(int((end - time.monotonic()) * 1_000), zmq.POLLOUT):
            raise Deadline()
        self.socket.send(json.dumps(request).encode())
        while (left := end - time.monotonic()) > 0 and self.socket.poll(int(left * 1_000) + 1):
            answer = json.loads(self.socket.recv())
            if answer["id"] == request["id"]:
                self.contract.check_answer(operation, answer)
                return answer
        raise Deadline()


class Follower:
    """Follows some types of one service and misses nothing, by the steps under "Missing nothing"."""

    def __init__(self, contract, context, service, types, requests, *, client, drop=lambda event: False):
        self.contract = contract
        self.types = types
        self.requests = requests
        self.client = client
        #: Says which live events to lose, as a bad connection would.
        self.drop = drop
        self.events = []
        self.gaps = []
        self.dropped = []
        self.epoch = None
        self.cursor = 0
        self.last = {}
        self.held = []
        self.in_step = False
        self.sync_topic = ""
        self.socket = open_socket(contract, context, zmq.SUB)
        for event_type in types:
            self.socket.subscribe(event_type)
        self._ask_for_head()
        self.socket.connect(contract.endpoint(service, "events"))

    def poll(self, until):
        """Takes what comes until `until()` gives something."""
        end = time.monotonic() + 60
        asked = time.monotonic()
        while not (found := until()):
            if time.monotonic() > end:
                raise Deadline("what was awaited did not come")
            retry = self.contract.limits["sync_retry_ms"]
            if not self.in_step and time.monotonic() - asked > retry / 1_000:
                self._ask_for_head()
                asked = time.monotonic()
            if self.socket.poll(retry):
                topic, body = self.socket.recv_multipart()
                self._take(topic.decode(), json.loads(body))
        return found

    def _ask_for_head(self):
        if self.sync_topic:
            self.socket.unsubscribe(self.sync_topic)
        self.sync_topic = self.contract.sync_prefix + secrets.token_hex(8)
        self.socket.subscribe(self.sync_topic)

    def _take(self, topic, body):
        if topic == self.sync_topic:
            self.contract.check_head(body)
            self._take_head(body["source"].split("/")[2], int(body["head"]))
        elif topic in self.types:
            self.contract.check_event(body)
            if self.in_step and self.drop(body):
                self.dropped.append(int(body["sequence"]))
            elif self.in_step:
                self._take_live(body)
            else:
                self.held.append(body)

    def _take_head(self, epoch, head):
        if epoch != self.epoch:
            self.epoch, self.cursor, self.last, self.events = epoch, 0, {}, []
        if head < self.cursor:
            raise Deadline("the log lies before what was seen of it: restored from a backup")
        self.cursor = self._read(self.cursor, self.types, head)
        self.in_step = True
        held, self.held = self.held, []
        for event in held:
            self._take_live(event)

    def _take_live(self, event):
        sequence, previous = int(event["sequence"]), int(event["previous"])
        known = max(self.cursor, self.last.get(event["type"], 0))
        if sequence <= known:
            return
        if previous > known:
            self.gaps.append({"type": event["type"], "after": known, "previous": previous})
            self._read(known, [event["type"]], previous)
        self._note(event)

    def _read(self, after, types, through):
        """Reads the log up to `through` and takes in what is new; gives how far it came."""
        while after < through:
            try:
                page = self._call("events.read", {"after": after, "types": types})
            except Refused as refusal:
                if refusal.name != "logTrimmed":
                    raise
                after = self._read_snapshot()
                continue
            for event in page["events"]:
                self.contract.check_event(event)
                self._note(event)
            after = page["through"]
        return after

    def _read_snapshot(self):
        self.events, self.last = [], {}
        params = {}
        while True:
            page = self._call("events.snapshot", params)
            self.events += [event for event in page["events"] if event["type"] in self.types]
            if "next_page" not in page:
                self.cursor = page["through"]
                return self.cursor
            params = {"page": page["next_page"], "through": page["through"]}

    def _call(self, method, params):
        return self.requests.call(method, params, client=self.client)

    def _note(self, event):
        sequence = int(event["sequence"])
        if sequence > max(self.last.get(event["type"], 0), self.cursor):
            self.last[event["type"]] = sequence
            self.events.append(event)

    def of_type(self, event_type, condition=lambda data: True):
        return [e for e in self.events if e["type"] == event_type and condition(e.get("data") or {})]
