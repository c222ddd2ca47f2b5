"""A stranger's client: written from docs/contract/asyncapi.json alone, with nothing but pyzmq.

usage: client.py ASYNCAPI_JSON RUNTIME_DIRECTORY [SERVICE …]   (whose traces to read; default all)

It asks for authorization, monitors an activity, sends observations under a trace of its own, loses an event
on purpose and gets it back, sees the threshold, reads a report, and finds its trace in several services. It
prints a JSON object per step, and ends with 1 and a sentence when something is not as the document says.
"""

import json
import secrets
import sys
import time

import zmq

from bus import Follower, Requests
from contract import Contract, Refused

CLIENT = "org.example.foreign"
APP = "org.example.game"
OTHER = "org.example.editor"
DEVICE = "foreign-laptop"
RECORDED = "usage.recorded"
REACHED = "activity.eventDidReachThreshold"
STARTED = "activity.intervalDidStart"


def say(step, **facts):
    print(json.dumps({"step": step, **facts}), flush=True)


def require(condition, words):
    if not condition:
        raise SystemExit(f"client.py: {words}")


class Story:
    def __init__(self, contract):
        self.contract = contract
        self.context = zmq.Context.instance()
        self.services = {}
        self.trace_id = secrets.token_hex(16)
        self.sequence = 0

    def requests(self, service):
        if service not in self.services:
            self.services[service] = Requests(self.contract, self.context, service)
        return self.services[service]

    def call(self, method, params, **options):
        service = self.contract.operation(method)["x-service"]
        return self.requests(service).call(method, params, client=CLIENT, **options)

    def traceparent(self):
        return f"00-{self.trace_id}-{secrets.token_hex(8)}-01"

    # The steps.

    def be_refused(self):
        try:
            self.call("monitoring.list", {})
        except Refused as refusal:
            say("refused", name=refusal.name)
        else:
            require(False, "an unauthorized client was served")

    def ask(self):
        say("asking", client=CLIENT)
        wishes = {"client": CLIENT, "client_name": "Foreign", "for": "individual"}
        answer = self.call("authorization.request", wishes, deadline=60_000)
        say("authorized", status=answer["authorization"]["status"])

    def follow(self):
        types = [RECORDED, REACHED, STARTED]
        service = self.contract.owner(RECORDED)
        self.loses = False
        self.follower = Follower(
            self.contract, self.context, service, types, self.requests(service), client=CLIENT,
            drop=self.drop)
        self.follower.poll(lambda: self.follower.in_step)
        say("following", service=service, epoch=self.follower.epoch)

    def drop(self, event):
        lost, self.loses = self.loses and event["type"] == RECORDED, False
        return lost

    def monitor(self):
        event = {"name": "play", "applications": [APP], "threshold": {"second": 1}}
        schedule = {
            "intervalStart": {"hour": 0, "minute": 0},
            "intervalEnd": {"hour": 23, "minute": 59, "second": 59}, "repeats": True,
        }
        activity = {"name": "daily", "schedule": schedule, "events": [event]}
        self.call("monitoring.start", {"activities": [activity]}, traceparent=self.traceparent())
        self.follower.poll(lambda: self.follower.of_type(STARTED))
        say("monitoring", activity=activity["name"])

    def observe(self, app):
        seen = {"at_ms": time.time_ns() // 1_000_000, "kind": "focus", "app": app}
        answer = self.call(
            "usage.observe", {"device": DEVICE, "observations": [seen]}, traceparent=self.traceparent())
        self.sequence = answer["sequence"]

    def use(self):
        self.observe(APP)
        reached = self.follower.poll(lambda: self.follower.of_type(REACHED))[0]
        say("threshold", event=reached["data"]["event"], trace_id=reached["traceparent"].split("-")[1])

    def lose_one(self):
        """Loses a live event; the next one of its type tells."""
        self.loses = True
        self.observe(OTHER)
        self.follower.poll(lambda: self.follower.dropped)
        self.observe(APP)
        self.observe(OTHER)
        self.follower.poll(lambda: self.follower.gaps)
        self.follower.poll(lambda: int(self.follower.events[-1]["sequence"]) >= self.sequence)
        say("recovered", dropped=self.follower.dropped, gaps=self.follower.gaps)

    def compare(self):
        """What was followed is what the log says."""
        service = self.contract.owner(RECORDED)
        page = self.requests(service).call(
            "events.read", {"after": 0, "types": self.follower.types}, client=CLIENT)
        followed = [int(event["sequence"]) for event in self.follower.events]
        require(sorted(followed) == [int(event["sequence"]) for event in page["events"]],
                f"followed {followed}, the log has {page}")
        say("complete", events=len(followed))

    def report(self):
        service = self.contract.owner(RECORDED)
        answer = self.call(
            "report.query", {"by": "app", "zone": "UTC"},
            not_before=[{"service": service, "sequence": self.sequence}])
        say("report", rows={row["key"]: row["value"] for row in answer["rows"]})

    def trace(self, services):
        """As the person: spans are not for apps."""
        found = {}
        reached = [{"service": self.contract.owner(RECORDED), "sequence": self.sequence}]
        for service in services:
            # Until it has taken in what it was told.
            self.requests(service).call("events.read", {"after": 0, "limit": 1}, not_before=reached)
            spans = self.requests(service).call("trace.read", {"trace_id": self.trace_id})["spans"]
            found[service] = sorted({span["name"] for span in spans})
        say("trace", trace_id=self.trace_id, found=found)


def main():
    contract = Contract(sys.argv[1], sys.argv[2])
    story = Story(contract)
    story.be_refused()
    story.ask()
    story.follow()
    story.monitor()
    story.use()
    story.lose_one()
    story.compare()
    story.report()
    story.trace(sys.argv[3:] or contract.services)
    say("done")


main()
