#!/usr/bin/env python3
"""Times the console's pages and answers in a real Chromium, with a month, a year and ten years of use.

Method: 200 stretches of use a day, 50 apps, until yesterday, go to activity-center as observations and so to report-service;
one instance each. First load: a browser with an empty profile, signed in by the address of `screentime open`, opens Today:
first contentful paint as Chromium measures it, in a window of 1280 × 900 and beside it a page of one word from a server of
Python's, and the bytes of all answers as they came over loopback. Loaded is from the start of the navigation until the
page's `aria-busy` is false, in the page's own time; each later load has the files of the one before, asked about again
(ETag). Answers: POST /api/report.query for all days by day and app, all pages, over one connection with the browser's cookie
(its limit of 50 requests a second is waited for, not counted), against aw-server's query (PyPI) of the same rows by day and
app, warm; not for ten years, which it takes minutes to store. PSS of the console with a page and after the last has left;
wake-ups then.
"""
import argparse, datetime, http.client, http.server, json, os, statistics, subprocess, sys, tempfile, threading, time
from desktop import SETTLING, wakeups
from figures import Figures
from instance import SERVICES, Instance
from memory import pss_kb, sharers, words
from report import aw, rows
from thresholds import Client

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "ConsolePages"))
from chromium import Chromium

A_DAY = 200
SIZES = {"a month": 30, "a year": 365, "ten years": 3652}
#: Days that aw-server is asked about.
PEER_DAYS_MAX = 366
#: Of its load until it shows everything.
READY = "document.readyState === 'complete' && document.querySelector('main .page[aria-busy=\"false\"]')"
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"

def loaded(page, origin, path):
    """Milliseconds from the navigation until the page has its numbers."""
    page.go(f"{origin}/{path}")
    # Written by an observer of the page itself: who asks from outside adds a round trip, and sees it late.
    return page.evaluate(f"""
        while (location.pathname !== '/' + path.split('?')[0]) await new Promise(done => setTimeout(done, 1));
        const isReady = () => {READY};
        while (!isReady()) await new Promise(done => {{
            const change = new MutationObserver(() => {{ if (isReady()) {{ change.disconnect(); done(); }} }});
            change.observe(document, {{subtree: true, childList: true, attributes: true}});
            addEventListener('load', done, {{once: true}});
        }});
        return performance.now();""", path=path)

def wide(page):
    page.send("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
    return page

def painted(page, address, ready):
    """Milliseconds until the first contentful paint, of a browser that has nothing yet; waits until `ready`."""
    page.go(address)
    page.wait_for(f"{ready} && {PAINT}", address.partition("#")[0])
    return page.evaluate(f"return {PAINT}")

class WordServer:
    """Serves a page of one word on loopback: what a browser needs for any page."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = b"<!doctype html><title>-</title><p>Word"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    def __enter__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

class API:
    """The console's API with the session of a browser, over one connection."""

    def __init__(self, page, origin):
        self.host = origin.removeprefix("http://")
        cookies = page.send("Network.getCookies", urls=[origin])["cookies"]
        self.headers = {"Cookie": "; ".join(f"{one['name']}={one['value']}" for one in cookies), "Origin": origin,
                        "Content-Type": "application/json"}
        self.connection = http.client.HTTPConnection(self.host, timeout=60)
        #: Milliseconds that the console's limit of requests took, which no answer is slower by.
        self.waited_ms = 0
        self.headers["X-CSRF-Token"] = self.request("GET", "/session")["csrf"]

    def request(self, method, path, body=None):
        self.connection.request(method, path, body and json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status == 429:
            seconds = int(answer.headers["Retry-After"])
            time.sleep(seconds)
            self.waited_ms += seconds * 1000
            return self.request(method, path, body)
        if answer.status != 200:
            raise SystemExit(f"{method} {path}: {answer.status} {content[:400]!r}")
        return json.loads(content)

def timed(rounds, api, act):
    """Milliseconds of each round without what was waited for, after one round that does not count."""
    act()
    times = []
    for _ in range(rounds):
        began, waited = time.perf_counter(), api.waited_ms
        act()
        times.append((time.perf_counter() - began) * 1000 - (api.waited_ms - waited))
    return times

def answers(api, begin, end, rounds):
    """All use by day and app, all pages of the answer."""
    question = {"from": begin, "to": end, "by": "app", "segment": "daily", "shape": "table", "zone": "UTC"}
    def ask():
        page = 0
        while page is not None:
            page = api.request("POST", "/api/report.query", {**question, "page": page}).get("next_page")
    return timed(rounds, api, ask)

def show(figures, name, unit, rounds, aim=None, reference=None, referred="aw-server"):
    value = statistics.median(rounds)
    figures.add(name, unit, value, reference, rounds, aim=aim)
    beside = f"; {referred} {reference:,.0f} {unit}" if reference else ""
    print(f"| {name} | {value:,.1f} {unit}, worst {max(rounds):,.1f}{beside} | {f'<= {aim} {unit}' if aim else ''} |", flush=True)

def pages(figures, name, instance, options):
    """What a browser sees. Returns the times of the API's answers."""
    paints, bare, sizes = [], [], []
    for _ in range(options.rounds):
        with Chromium() as browser, WordServer() as word:
            bare.append(painted(wide(browser.page()), word.address, "true"))
        address = instance.screentime("open", "--print").strip()
        with Chromium() as browser:
            page = wide(browser.page())
            page.count_bytes()
            paints.append(painted(page, address, READY))
        sizes.append(page.bytes / 1000)
    show(figures, f"{name}: first contentful paint, nothing in the browser", "ms", paints, 200, statistics.median(bare), "a page of one word")
    show(figures, f"{name}: received until Today is there, nothing in the browser", "kB", sizes, 400)
    origin = address.split("/sign-in")[0]
    with Chromium() as browser:
        page = wide(browser.page())
        painted(page, instance.screentime("open", "--print").strip(), READY)
        for title, path in [("Today", "today"), ("Reports of the week", "reports"), ("Reports of the year", "reports?period=year")]:
            times = [loaded(page, origin, path) for _ in range(options.rounds + 1)][1:]
            show(figures, f"{name}: {title}, loaded", "ms", times)
        memory(figures, f"{name}: console's PSS with a page", instance)
        return answers(API(page, origin), *options.dates, 3 * options.rounds)

def memory(figures, name, instance):
    pss, beside = pss_kb(instance.processes["console"].pid) / 1024, sharers(instance)
    figures.add(name, "MB", pss, shared_with=beside)
    print(f"| {name} | {pss:.1f} MB{words(beside)} | |", flush=True)

def idle(figures, name, instance, options):
    """The last page has left."""
    console, client = instance.processes["console"].pid, Client(instance, "console")
    end = time.monotonic() + 60
    while any(one["count"] for one in client.call("health.check", {})["counters"] if one["name"] == "pages"):
        if time.monotonic() > end:
            raise SystemExit("the console still has a page after a minute")
    # What is measured is that nothing happens, which only time can show: first what the last page began ends.
    time.sleep(SETTLING)
    before = wakeups(console)
    time.sleep(options.idle_seconds)
    woken = wakeups(console) - before
    figures.add(f"{name}: console's wake-ups in {options.idle_seconds} s, no page open", "", woken, aim=0)
    print(f"| {name}: console's wake-ups in {options.idle_seconds} s, no page open | {woken} | 0 |", flush=True)
    memory(figures, f"{name}: console's PSS, no page open", instance)

def measure(figures, name, days, options):
    end = datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
    begin = end - datetime.timedelta(days=days)
    options.dates = [f"{day:%Y-%m-%d}" for day in (begin, end - datetime.timedelta(days=1))]
    began = int(begin.timestamp() * 1000)
    use = list(rows(A_DAY * days, days, began))
    with Instance(options.products, {"SCREENTIME_CONSOLE_PORT": "0", "TZ": "UTC"}).start(*SERVICES, "console") as instance:
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as data:
            data.writelines(f"{first},{last},{app}\n" for first, last, app in use)
            data.flush()
            subprocess.run([f"{options.products}/bench-bus", "fill", instance.directory + "/run", data.name], check=True,
                           stdout=subprocess.DEVNULL)
        times = pages(figures, name, instance, options)
        idle(figures, name, instance, options)
    peer = aw(options.venv, use, began, days) if days <= PEER_DAYS_MAX else None
    show(figures, f"{name}: all days by day and app, over HTTP", "ms", times, reference=peer and peer[1])

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--products", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--idle-seconds", type=int, default=60)
    parser.add_argument("--quick", action="store_true", help="a month only")
    parser.add_argument("--venv", required=True)
    parser.add_argument("--figures")
    options = parser.parse_args()
    figures = Figures(options.figures)
    print(f"The console: {A_DAY} stretches of use a day, 50 apps\n\n| | | aim |\n|---|---|---|", flush=True)
    for name, days in SIZES.items():
        if name == "a month" or not options.quick:
            measure(figures, name, days, options)

if __name__ == "__main__":
    main()
