"""The services and the console on directories of their own, under a virtual clock, with two months of made-up use or none."""

import contextlib
import datetime
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import zoneinfo

SERVICES = ["auth-service", "activity-center", "shield-service", "notifier", "report-service", "monitor-runner"]
ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
#: A Wednesday afternoon, which stands still.
NOW = datetime.datetime(2023, 6, 28, 17, 0, tzinfo=ZONE)
FIRST = datetime.date(2023, 4, 10)
#: By which the clock moves on after the use was imported.
ADVANCE = datetime.timedelta(minutes=6)

APPS = {
    "firefox": ("Firefox", ["Network", "WebBrowser"]), "org.gnome.Builder": ("Builder", ["Development", "IDE"]),
    "org.gnome.Evolution": ("Evolution", ["Office", "Email"]), "im.riot.Riot": ("Element", ["Network", "InstantMessaging"]),
    "com.valvesoftware.Steam": ("Steam", ["Game"]), "org.videolan.VLC": ("VLC", ["AudioVideo", "Player"]),
    "org.kde.kalzium": ("Kalzium", ["Education"]), "org.gnome.Maps": ("Maps", ["Utility", "Maps"]),
}
#: What is shown as text and as nothing else: markup, directions, formulas, many marks, and a very long word.
NAUGHTY = {
    "org.example.markup": "<img src=x onerror=alert(1)>", "org.example.script": "\"><script>alert(1)</script>",
    "org.example.template": "{name} ${7*7} {{7*7}}", "org.example.formula": "=HYPERLINK(\"http://x\")",
    "org.example.hebrew": "שלום עולם", "org.example.emoji": "👩‍👩‍👧‍👦 Family",
    "org.example.marks": "Z̷̡̢a̴l̵g̶o̷", "org.example.long": "W" * 120,
}
SITES = ["wikipedia.org", "youtube.com", "reddit.com", "github.com"]


class World:
    def __init__(self, products, web, is_empty=False):
        self.is_empty = is_empty
        self.products = pathlib.Path(products)
        self.directory = tempfile.mkdtemp(prefix="cp-")
        self.environment = dict(
            os.environ, SCREENTIME_RUNTIME_DIR=self.directory + "/run", SCREENTIME_STATE_DIR=self.directory + "/state",
            HOME=self.directory, SCREENTIME_CONSOLE_WEB=str(web), SCREENTIME_CONSOLE_PORT="0")
        # The browser says which language and region.
        for name in ("DISPLAY", "LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_TIME"):
            self.environment.pop(name, None)
        self.processes = []
        #: The instant of the last observation.
        self.moment = NOW + ADVANCE

    def __enter__(self):
        try:
            self.run("screentime", "clock", "start-virtual", NOW.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))
            for name in [*SERVICES, "console"]:
                self._start(name)
            if not self.is_empty:
                self._fill()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _start(self, name):
        process = subprocess.Popen([self.products / name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                   env=self.environment)
        self.processes.append(process)
        line = process.stdout.readline().strip()
        if not line.startswith("READY"):
            raise SystemExit(f"{name} did not become ready: {line!r}")

    @contextlib.contextmanager
    def hung(self, name):
        """A service that stands still meanwhile."""
        process = next(one for one in self.processes if pathlib.Path(one.args[0]).name == name)
        process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            process.send_signal(signal.SIGCONT)

    @contextlib.contextmanager
    def down(self, name):
        """A service that does not run meanwhile."""
        process = next(one for one in self.processes if pathlib.Path(one.args[0]).name == name)
        process.terminate()
        process.wait(20)
        self.processes.remove(process)
        try:
            yield
        finally:
            self._start(name)

    def run(self, program, *arguments, check=True):
        done = subprocess.run([self.products / program, *arguments], env=self.environment, capture_output=True, text=True)
        if check and done.returncode:
            raise SystemExit(f"{program} {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def sign_in_address(self):
        return self.run("screentime", "open", "--print").strip()

    def _fill(self):
        self.run("screentime", "member", "set", self.me(), "--zone", str(ZONE), "--self-approval-delay", "0")
        file = pathlib.Path(self.directory, "use.jsonl")
        file.write_text("".join(json.dumps(one) + "\n" for one in made_up_use()), encoding="utf-8")
        self.run("screentime", "import", "observations", str(file))
        # The shorter delay takes effect after the old one.
        self.run("screentime", "clock", "advance", "6m")

    def observe(self, kind, member=None, **more):
        """Reports something of this moment, as the desktop agent does; of another member on a device of their own."""
        self.moment += datetime.timedelta(milliseconds=1)
        file = pathlib.Path(self.directory, "now.jsonl")
        device = "laptop" if member is None else "tablet"
        one = {"device": device, "device_model": "linux", "at_ms": int(self.moment.timestamp() * 1000), "kind": kind, **more}
        file.write_text(json.dumps(one) + "\n", encoding="utf-8")
        self.run("screentime", "import", "observations", str(file), *(["--member", member] if member else []))

    def advance(self, minutes=0, seconds=0):
        """Moves the clock, and with it what is observed next."""
        self.run("screentime", "clock", "advance", f"{minutes * 60 + seconds}s")
        self.moment += datetime.timedelta(minutes=minutes, seconds=seconds)

    def me(self):
        return json.loads(self.run("screentime", "member", "list", "--json"))["members"][0]["name"]


def made_up_use():
    """Observations of a laptop, always the same."""
    chance = random.Random(7)
    day = FIRST
    while day <= NOW.date():
        at = datetime.datetime.combine(day, datetime.time(0), ZONE)
        for start, hours in [(8.5, 3), (13.5, 3), (19.5, 2)] if day.weekday() < 5 else [(10.5, 2), (20, 3)]:
            moment = at + datetime.timedelta(hours=start)
            end = moment + datetime.timedelta(hours=hours * chance.uniform(0.6, 1.1))
            yield _one(moment, "unlocked")
            while moment < end:
                app = chance.choice(list(APPS))
                name, categories = APPS[app]
                yield _one(moment, "focus", app=app, app_name=name, app_categories=categories)
                if app == "firefox":
                    yield _one(moment, "domain", app=app, domain=chance.choice(SITES))
                moment += datetime.timedelta(minutes=chance.uniform(2, 30))
            yield _one(moment, "locked")
        day += datetime.timedelta(days=1)
    moment = NOW - datetime.timedelta(minutes=30)
    yield _one(moment, "unlocked")
    for app, name in NAUGHTY.items():
        yield _one(moment, "focus", app=app, app_name=name, app_categories=["Game"])
        moment += datetime.timedelta(minutes=2)
    yield _one(moment, "locked")


def _one(moment, kind, **more):
    # Nothing of the future: the clock stands.
    at = min(moment, NOW)
    return {"device": "laptop", "device_model": "linux", "at_ms": int(at.timestamp() * 1000), "kind": kind, **more}
