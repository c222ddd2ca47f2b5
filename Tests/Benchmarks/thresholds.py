#!/usr/bin/env python3
"""Times monitored thresholds: what one more observation costs with many of them pending, in the pure rules and in
the running service; memory and start; and how long after its crossing a callback begins in a warm extension.

Method. Rules: bench-rules makes that many events, then 2,000 focus changes between two apps; the median of rounds of
100, the sizes in turn, and of three runs the best. Service: the same over the bus, one request after the other, each
answered after its commit (synchronous FULL); start is from exec to READY and the first answer that needs all
activities. Crossing: the fixture extension, warm after its first callback, notes its clock when a callback begins;
thresholds every 250 ms of use, so that the timer, two commits and the socket are in it.
"""
import argparse, json, os, secrets, statistics, subprocess, time
from figures import Figures
from instance import Instance

SCENARIOS = {"sameApp": "all on one app", "differentApps": "each on an app of its own", "categories": "on three categories",
             "everything": "on everything", "mixedRegistrations": "on one app, 2 ms apart registered"}
ALL_DAY = {"intervalStart": {"hour": 0}, "intervalEnd": {"hour": 0}, "repeats": True}

def rules(products, sizes, figures):
    print("What one more observation costs with so many thresholds pending, in the pure rules\n")
    print("| thresholds | " + " | ".join(f"{size:,}" for size in sizes) + " | last / first | aim |")
    print("|---|" + "---|" * (len(sizes) + 2))
    for scenario, words in SCENARIOS.items():
        best, facts = {}, ""
        for _ in range(3):
            for size in sizes:
                out = subprocess.run([f"{products}/bench-rules", scenario, str(size), "2000"], stdout=subprocess.PIPE, text=True, check=True)
                observe, register, restore, memory = map(int, out.stdout.split())
                best[size] = min(observe, best.get(size, observe))
                facts = f"{register / 1000:.1f} µs to register, {restore / 1000:.1f} to restore, {memory / size * 1024:.0f} bytes each"
        last = f"{sizes[-1]:,}"
        figures.add(f"one observation with {last} thresholds {words}, the rules", "us", best[sizes[-1]] / 1000,
                    best[sizes[0]] / 1000, aim=1.5, aim_is_of="ratio")
        row = " | ".join(f"{best[size] / 1000:.1f} µs" for size in sizes)
        print(f"| {words} ({facts}) | {row} | {best[sizes[-1]] / best[sizes[0]]:.2f} | <= 1.5 |", flush=True)

class Client:
    """JSON-RPC to one service."""
    def __init__(self, instance, service, client=None):
        import zmq
        self.client = client
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.connect(f"ipc://{instance.directory}/run/{service}.requests")

    def send(self, method, params):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params, "deadline": 600_000,
                   "idempotency_key": secrets.token_hex(8)}
        if self.client:
            request["client"] = self.client
        self.socket.send(json.dumps(request).encode())

    def receive(self):
        if not self.socket.poll(600_000):
            raise SystemExit("no answer in ten minutes")
        answer = json.loads(self.socket.recv())
        if "error" in answer:
            raise SystemExit(f"refused: {answer['error']}")
        return answer["result"]

    def call(self, method, params):
        self.send(method, params)
        return self.receive()

def start_monitoring(client, count):
    for first in range(0, count, 1000):
        events = [{"name": f"event {number}", "applications": ["one"], "includesPastActivity": True,
                   "threshold": {"minute": 1441 + number % 4000}} for number in range(first, min(count, first + 1000))]
        client.call("monitoring.start", {"activities": [{"name": f"activity {first}", "schedule": ALL_DAY, "events": events}]})

def observe(client, changes):
    times = []
    for number in range(changes):
        params = {"device": "bench", "observations": [{"at_ms": int(time.time() * 1000), "kind": "focus", "app": ["one", "two"][number % 2]}]}
        begin = time.monotonic_ns()
        client.call("usage.observe", params)
        times.append(time.monotonic_ns() - begin)
    return statistics.median(times) / 1000

def resident(pid):
    return next(int(line.split()[1]) for line in open(f"/proc/{pid}/status") if line.startswith("VmRSS:"))

def service(products, sizes, figures):
    print("\nThe same in activity-center, over the bus\n")
    print("| thresholds | one observation, committed | / first | registering them | start until the first answer | resident |\n|---|---|---|---|---|---|")
    first = None
    for size in sizes:
        with Instance(products).start("auth-service", "activity-center") as instance:
            client = Client(instance, "activity-center")
            begin = time.monotonic()
            start_monitoring(client, size)
            registering = time.monotonic() - begin
            observe(client, 50)
            cost = observe(client, 500)
            first = first or cost
            process = instance.processes.pop("activity-center")
            process.kill(); process.wait()
            begin = time.monotonic()
            instance.start("activity-center")
            Client(instance, "activity-center").call("monitoring.pending", {"activity": "activity 0", "limit": 1})
            start = time.monotonic() - begin
            memory = resident(instance.processes["activity-center"].pid)
            figures.add(f"one observation committed, {size:,} thresholds", "us", cost, first)
            figures.add(f"activity-center's start with {size:,} thresholds", "s", start)
            figures.add(f"resident with {size:,} thresholds", "MB", memory / 1024)
            print(f"| {size:,} | {cost:.0f} µs | {cost / first:.2f} | {registering:.1f} s | {start:.2f} s | {memory / 1024:.0f} MB |", flush=True)

PLIST = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>org.example.bench.monitor</string>
<key>CFBundleExecutable</key><string>monitor-fixture</string><key>NSExtension</key><dict>
<key>NSExtensionPointIdentifier</key><string>com.apple.deviceactivity.monitor-extension</string>
<key>NSExtensionPrincipalClass</key><string>$(PRODUCT_MODULE_NAME).MonitorFixture</string></dict></dict></plist>"""

def crossing(products, count, figures):
    name = "org.example.bench"
    with Instance(products).start("auth-service", "activity-center", "monitor-runner") as instance:
        asker = Client(instance, "auth-service")
        asker.send("authorization.request", {"client": name, "for": "individual"})
        pending = []
        while not pending:
            listed = json.loads(instance.screentime("authorization", "list", "--json"))
            pending = [one["id"] for one in listed["authorizations"] if one["client"] == name] or listed.get("pending", [])
        instance.screentime("authorization", "approve", pending[0])
        asker.receive()
        bundle = instance.directory + "/bundle"
        os.makedirs(bundle)
        open(bundle + "/Info.plist", "w").write(PLIST)
        os.symlink(os.path.abspath(f"{products}/monitor-fixture"), bundle + "/monitor-fixture")
        Client(instance, "monitor-runner").call("extension.install", {"path": bundle, "client": name})
        activity = Client(instance, "activity-center", name)
        events = [{"name": f"e{number}", "applications": ["one"], "threshold": {"nanosecond": number * 250_000_000}}
                  for number in range(4, 4 + count)]
        activity.call("monitoring.start", {"activities": [{"name": "a", "schedule": ALL_DAY, "events": events}]})
        activity.call("usage.observe", {"device": "bench", "observations": [{"at_ms": int(time.time() * 1000), "kind": "focus", "app": "one"}]})
        instants = instance.directory + "/state/containers/org.example.bench.monitor/instants"
        late, end = [], time.monotonic() + count * 0.25 + 30
        while len(late) < count and time.monotonic() < end:
            time.sleep(0.2)
            lines = [line.split() for line in open(instants)] if os.path.exists(instants) else []
            late = [int(line[3]) - int(line[2]) for line in lines if line[0] == "eventDidReachThreshold"]
        figures.median("crossing to callback begun in a warm extension", "ms", late, aim=20)
        print(f"\n| | measured | | aim |\n|---|---|---|---|\n| crossing to callback begun in a warm extension | median {statistics.median(late):.1f} ms, "
              f"worst {max(late)} ms of {len(late)} | | <= 20 ms |", flush=True)

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--products", required=True)
    parser.add_argument("--quick", action="store_true", help="up to 100,000 thresholds")
    parser.add_argument("--figures")
    options = parser.parse_args()
    figures = Figures(options.figures)
    sizes = [10, 1_000, 100_000] + ([] if options.quick else [1_000_000])
    rules(options.products, sizes, figures)
    service(options.products, sizes, figures)
    crossing(options.products, 40, figures)

if __name__ == "__main__":
    main()
