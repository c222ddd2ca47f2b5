#!/usr/bin/env python3
"""Times the cover of a shielded app in a real X session.

Method: an X session of its own, xterm under a name and with a desktop entry of its own as the app. Covered is the end of
desktop-agent's span cover.show: the first frame of the cover is on the screen. Times are from the instant before the act
(exec, settings.write, request.create) by the wall clock, which spans have too, in milliseconds. Cold: no shield-cover runs
before; warm: one runs. A store of 10,000 apps is refused (storeBytesMax), and so is one of 2,000 (shieldBytesMax).
Crossing: a limit of a few seconds of the app limits, used up by looking at the window; from the instant of the crossing that
the event eventDidReachThreshold has. shield-cover is prepared as soon as the crossing is less than 10 s away, here always.
Beside it: timekpr_next.py.
"""
import argparse, contextlib, json, os, select, shutil, signal, subprocess, time
import zmq
import timekpr_next
from desktop import session
from figures import Figures
from instance import Instance
from memory import pss_kb, sharers, words
from thresholds import Client

APP = "BenchGame"

class Room:
    """A session with the app, the services and the agent."""
    def __init__(self, own, instance):
        self.environment = dict(os.environ, **own)
        self.instance = instance
        self.entries = instance.directory + "/.local/share/applications"
        os.makedirs(self.entries)
        self.program = instance.directory + "/benchgame"
        shutil.copy(os.path.realpath("/usr/bin/xterm"), self.program)
        self.entry(APP)
        instance.environment.pop("XDG_DATA_HOME", None)
        instance.start("auth-service", "activity-center", "shield-service", "notifier", "monitor-runner", "desktop-agent")
        self.shield, self.auth = Client(instance, "shield-service"), Client(instance, "auth-service")
        self.agent = Client(instance, "desktop-agent")
        # The agent sends its spans; to ask for them again and again would keep it from its work.
        self.trace, self.spans = zmq.Context.instance().socket(zmq.SUB), []
        self.trace.connect(f"ipc://{instance.directory}/run/desktop-agent.events")
        self.trace.subscribe("~trace")

    def entry(self, name):
        with open(f"{self.entries}/{name}.desktop", "w") as file:
            file.write(f"[Desktop Entry]\nType=Application\nName={name}\nExec={self.program}\nStartupWMClass={name}\n")

    def await_app(self, name):
        """Until the agent has told activity-center of its desktop entry, so that a limit can name it."""
        activity, end = Client(self.instance, "activity-center"), time.monotonic() + 60
        while not any(item["subject"] == name for item in activity.call("catalog.list", {"kind": "app"})["items"]):
            if time.monotonic() > end:
                raise SystemExit(f"no app {name} in the catalogue")

    def open(self, name=APP):
        return subprocess.Popen([self.program, "-class", name, "-e", "cat"], env=self.environment, stderr=subprocess.DEVNULL)

    def await_window(self, name=APP):
        subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--class", name], env=self.environment, check=True,
                       stdout=subprocess.DEVNULL)

    def set(self, apps):
        self.shield.call("settings.write", {"store": "bench", "settings": [{"key": "shield.applications", "value": apps}]})

    def span(self, name, since, subject=None):
        """When the first span of this name, and subject if there is one, that began after an instant ended, in milliseconds."""
        end = time.monotonic() + 60
        while True:
            for span in self.spans:
                if (span["name"] == name and span["start_ms"] >= since - 1 and span["outcome"] == "ok"
                        and subject in (None, span.get("subject"))):
                    return span["start_ms"] + span["duration_us"] / 1000
            if not self.trace.poll(max(0, end - time.monotonic()) * 1000):
                raise SystemExit(f"no span {name}")
            self.spans.append(json.loads(self.trace.recv_multipart()[1]))

    def cover_pid(self):
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                if os.readlink(f"/proc/{pid}/exe").endswith("/shield-cover"):
                    with open(f"/proc/{pid}/environ", "rb") as file:
                        if self.instance.directory.encode() in file.read():
                            return int(pid)
        return None

    def cool(self):
        """Ends shield-cover, which covers nothing now."""
        pid = self.cover_pid()
        if pid:
            descriptor = os.pidfd_open(pid)
            os.kill(pid, signal.SIGTERM)
            select.select([descriptor], [], [], 20)
            os.close(descriptor)

    def await_uncovered(self):
        # Each answer takes a turn of its loop.
        while self.cover_pid() and Client(self.instance, "shield-cover").call("cover.list", {})["covers"]:
            pass
        # The agent knows it, too. For 50 ms it does nothing but wait for another window that gets the focus; the first
        # answer may come before that.
        for _ in range(2):
            self.agent.call("health.check", {})

def now():
    return time.time() * 1000

def close(process):
    # A stopped process gets the signal when it continues.
    process.kill()
    process.wait(20)

def starts(room, rounds, figures):
    """exec of the app until it is covered; its own start is a part of that, which is measured without a shield."""
    own, cold, warm = [], [], []
    for index in range(rounds):
        # Another app each time: the agent reports changes only.
        name = f"BenchOwn{index}"
        room.entry(name)
        room.await_app(name)
        began = now()
        app = room.open(name)
        own.append(room.span("focus", began, name) - began)
        close(app)
    row(figures, "exec of the app until it has the focus, without a shield", own, None)
    room.set([APP])
    room.shield.call("shield.list", {})
    for index in range(2 * rounds):
        if index % 2 == 0:
            room.await_uncovered()
            room.cool()
        began = now()
        app = room.open()
        (cold if index % 2 == 0 else warm).append(room.span("cover.show", began) - began)
        # Who ends an app that is being frozen keeps the agent busy, into the next round.
        room.span("freeze", began)
        close(app)
        room.await_uncovered()
    room.set(None)
    row(figures, "exec of a shielded app until it is covered, no shield-cover before", cold, 100)
    row(figures, "the same, shield-cover warm", warm, 100)

def changes(room, rounds, figures):
    """A shield is set, and lifted, while the app is open."""
    app = room.open()
    room.await_window()
    pid, memory, beside = None, [], []
    for count in (1, 100, 1_000):
        others = [f"org.bench.app{index}" for index in range(count - 1)]
        cover, thaw, hide = [], [], []
        for index in range(rounds):
            began = now()
            room.set([APP] + others)
            cover.append(room.span("cover.show", began) - began)
            room.span("freeze", began)
            if not memory:
                pid = room.cover_pid()
                memory, beside = [pss_kb(pid) / 1024], sharers(room.instance)
            began = now()
            room.set(None)
            thaw.append(room.span("thaw", began) - began)
            hide.append(room.span("cover.hide", began) - began)
        row(figures, f"a shield of {count:,} apps is set until the open one is covered, warm", cover, 100 if count == 1 else None)
        row(figures, f"the same is lifted until it is thawed", thaw, 50 if count == 1 else None)
        row(figures, f"the same until it is uncovered", hide, 50 if count == 1 else None)
    close(app)
    figures.add("PSS of shield-cover with a cover", "MB", memory[0], shared_with=beside)
    print(f"| PSS of shield-cover with a cover | {memory[0]:.1f} MB{words(beside)} | |", flush=True)
    room.await_uncovered()

def exceptions(room, rounds, figures):
    """One more minute is taken until the app is thawed and uncovered. There is one for each app and day."""
    thaw, hide = [], []
    for index in range(rounds):
        name = f"{APP}{index}"
        room.entry(name)
        app = room.open(name)
        room.await_window(name)
        began = now()
        room.set([name])
        room.span("freeze", began)
        began = now()
        room.auth.call("request.create", {"kind": "app", "subject": name, "one_more_minute": True})
        thaw.append(room.span("thaw", began) - began)
        hide.append(room.span("cover.hide", began) - began)
        close(app)
        room.set(None)
    row(figures, "one more minute is taken until the app is thawed", thaw, 50)
    row(figures, "the same until it is uncovered", hide, 50)

# Seconds of use; a limit has at least one, and the callbacks before it are over by then.
LIMIT_SECONDS = 4

def crossings(room, rounds, figures):
    """The use of an app reaches its limit until it is covered. Each round has an app of its own, which has no use before."""
    events = zmq.Context.instance().socket(zmq.SUB)
    events.connect(f"ipc://{room.instance.directory}/run/activity-center.events")
    events.subscribe("activity.eventDidReachThreshold")
    late = []
    for index in range(rounds + 1):
        name = f"BenchLimit{index}"
        room.entry(name)
        room.await_app(name)
        subprocess.run([f"{room.instance.products}/limits", "set", name, f"{LIMIT_SECONDS}s", "--app"],
                       env=room.instance.environment, check=True, stdout=subprocess.DEVNULL)
        app = room.open(name)
        if not events.poll(60_000):
            raise SystemExit("no limit was reached")
        crossed = json.loads(events.recv_multipart()[1])["data"]["at_ms"]
        cover = room.span("cover.show", crossed)
        # The first one starts the extension.
        if index:
            late.append(cover - crossed)
        room.span("freeze", crossed)
        close(app)
        subprocess.run([f"{room.instance.products}/limits", "remove", name, "--app"], env=room.instance.environment, check=True,
                       stdout=subprocess.DEVNULL)
        room.await_uncovered()
    events.close(0)
    row(figures, "the use of an app crosses its limit until it is covered", late, 100)

def beside(peers, rounds, figures):
    """timekpr-next, which ends a banned program, on the same machine."""
    missing = timekpr_next.missing(peers)
    if missing:
        return print(f"\n{missing}", flush=True)
    row(figures, "beside it, timekpr-next: exec of a banned program until it has ended", timekpr_next.measured(peers, rounds), None)

def row(figures, name, rounds, aim):
    value, _ = figures.median(name, "ms", rounds, aim=aim)
    print(f"| {name} | median {value:.0f} ms, worst {max(rounds):.0f} ms of {len(rounds)} | {f'<= {aim} ms' if aim else ''} |",
          flush=True)

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--products", required=True)
    parser.add_argument("--figures")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--peers", required=True, help="directory of what is compared")
    options = parser.parse_args()
    figures = Figures(options.figures)
    print("| covers | | aim |\n|---|---|---|")
    # Nobody touches the keyboard, and an idle person uses nothing.
    with session() as own, Instance(options.products, {**own, "SCREENTIME_IDLE_SECONDS": "86400"}) as instance:
        room = Room(own, instance)
        starts(room, options.rounds, figures)
        changes(room, options.rounds, figures)
        exceptions(room, max(3, options.rounds // 3), figures)
        crossings(room, options.rounds, figures)
    beside(options.peers, options.rounds, figures)

main()
