"""A headless Chromium over the DevTools protocol: pages, what they log, pictures, and scripts in them."""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

import websocket

#: Seconds within which everything must have happened.
DEADLINE = 60
#: A browser would start a session bus of its own where dbus-launch is installed, which nobody ends.
WITHOUT_BUS = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": "disabled:"}


class PageError(Exception):
    """A script in the page failed, or what was waited for did not come."""


#: How many presses the page has held so far. It removes `data-held` after 0.7 s at most, which may be before somebody
#: outside of the page looks.
COUNT_HELD = """
    if (window.pressesHeld === undefined) {
        window.pressesHeld = 0;
        new MutationObserver(changes => { window.pressesHeld += changes.filter(one => one.oldValue === null).length; })
            .observe(document, {subtree: true, attributeFilter: ['data-held'], attributeOldValue: true});
    }
    return window.pressesHeld"""


def poll(is_so, deadline=DEADLINE):
    """Asks until something is so; whether it was by the deadline, in seconds."""
    end = time.monotonic() + deadline
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def holds(page, condition):
    """Whether an expression is true; not while the page is being replaced."""
    try:
        return page.evaluate(f"return !!({condition})")
    except PageError:
        return False


class Chromium:
    """One browser with a profile of its own, which ends with it."""

    def __init__(self, program=None):
        self.profile = tempfile.mkdtemp(prefix="console-pages-")
        program = program or shutil.which("chromium") or shutil.which("chromium-browser")
        if program is None:
            raise SystemExit("chromium is not installed: apt-get install chromium")
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--hide-scrollbars",
             "--no-first-run", "--disable-extensions", f"--user-data-dir={self.profile}", "about:blank"],
            stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=WITHOUT_BUS)
        self.port = self._port()

    def _port(self):
        file = pathlib.Path(self.profile, "DevToolsActivePort")
        end = time.monotonic() + DEADLINE
        while not (file.exists() and file.read_text().strip()):
            if self.process.poll() is not None or time.monotonic() > end:
                raise PageError("chromium did not start")
            time.sleep(0.02)
        return int(file.read_text().split()[0])

    def page(self):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/json/new?about:blank", method="PUT")
        return Page(json.load(urllib.request.urlopen(request))["webSocketDebuggerUrl"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    def __init__(self, address):
        self.address = address
        self.socket = websocket.create_connection(address, timeout=DEADLINE, suppress_origin=True)
        self.next_id = 0
        #: What the page logged as an error, and requests that failed.
        self.errors = []
        self.bytes = 0
        self.requests = 0
        #: The names of the files it saves, by Chromium's number, and the numbers of those that are whole.
        self.names_of_files = {}
        self.whole_files = set()
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method, **params):
        self.next_id += 1
        self.socket.send(json.dumps({"id": self.next_id, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.next_id:
                if "error" in message:
                    raise PageError(f"{method}: {message['error']}")
                return message["result"]
            self._note(message)

    def _note(self, message):
        params = message.get("params", {})
        match message.get("method"):
            case "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description") or details["text"])
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "assert"):
                self.errors.append(" ".join(str(arg.get("value", arg.get("description", ""))) for arg in params["args"]))
            case "Log.entryAdded" if params["entry"]["level"] == "error":
                self.errors.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
            case "Network.loadingFinished":
                self.bytes += params["encodedDataLength"]
                self.requests += 1
            case "Browser.downloadWillBegin":
                self.names_of_files[params["guid"]] = params["suggestedFilename"]
            case "Browser.downloadProgress" if params["state"] == "completed":
                self.whole_files.add(params["guid"])

    def save_into(self, directory):
        """Where the files go that the page saves from now on; `has_saved` knows only these."""
        self.names_of_files.clear()
        self.whole_files.clear()
        self.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=directory, eventsEnabled=True)

    def has_saved(self, ending):
        """Whether a file of this ending is whole. Chromium makes it empty first, then puts what it holds in its place."""
        self.evaluate("return true")
        return any(self.names_of_files[one].endswith(ending) for one in self.whole_files)

    def evaluate(self, script, **values):
        """Runs a function body with `values` as its variables; a promise is waited for."""
        names = ", ".join(values)
        arguments = ", ".join(json.dumps(value) for value in values.values())
        result = self.send(
            "Runtime.evaluate", expression=f"(async ({names}) => {{ {script} }})({arguments})", awaitPromise=True,
            returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise PageError(details.get("exception", {}).get("description") or details["text"])
        return result["result"].get("value")

    def wait_for(self, condition, what=None, deadline=DEADLINE):
        """Waits until an expression is true, also over a navigation."""
        if not poll(lambda: holds(self, condition), deadline):
            raise PageError(f"did not come: {what or condition}; the page shows: {self._shown()}")
        return True

    def _shown(self):
        try:
            return self.evaluate(
                """return [location.pathname, [...document.querySelectorAll('dialog')].map(one => one.innerText).join(' // '), document.querySelector('#toasts')?.innerText,
                document.querySelector('main')?.innerText.slice(0, 400)].join(' | ').replaceAll('\\n', ' ')""")
        except PageError as error:
            return error

    def go(self, address):
        self.send("Page.navigate", url=address)

    def size(self, width, height=900, scale=1):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def media(self, **features):
        self.send("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def picture(self, path, whole=True):
        """Saves a picture, of the whole page or only of what is in view."""
        clip = {}
        if whole:
            size = self.send("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"clip": {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1},
                    "captureBeyondViewport": True}
        data = self.send("Page.captureScreenshot", format="png", **clip)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def click(self, selector):
        self.click_on(f"document.querySelector({json.dumps(selector)})")

    def click_on(self, expression):
        """Presses the element with the mouse, where it is on the screen; again, when the page says that it was too soon."""
        self.wait_until_uncovered(expression)
        for _ in range(11):
            self.wait_for("!document.querySelector('[data-held]')", f"that {expression} may be pressed")
            before = self.evaluate(COUNT_HELD)
            self.click_once(expression)
            # On another page nothing was held.
            if self.evaluate("return window.pressesHeld ?? 0") <= before:
                return
        raise PageError(f"{expression} could not be pressed: it does not come to rest")

    def wait_until_uncovered(self, expression):
        """Takes a message away that is above the element, as soon as a press does so."""
        def is_free():
            x, y, is_covered = self.place_of(expression)
            if is_covered:
                self.press_at(x, y)
            return not is_covered
        if not poll(is_free):
            raise PageError(f"a message stays above {expression}")

    def click_once(self, expression):
        self.press_at(*self.place_of(expression)[:2])

    def press_at(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def place_of(self, expression):
        """The middle of an element, brought into sight, and whether a message is above it."""
        return self.evaluate(
            f"""const element = {expression};
            if (!element) throw new Error('there is no ' + expression);
            element.scrollIntoView({{ block: 'center' }});
            const box = element.getBoundingClientRect();
            const place = [box.left + box.width / 2, box.top + box.height / 2];
            return [...place, Boolean(document.elementFromPoint(...place)?.closest('.toast'))];""", expression=expression)

    def key(self, key, code=None, number=0, modifiers=0):
        text = "\r" if key == "Enter" else key if len(key) == 1 else None
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, windowsVirtualKeyCode=number,
                      modifiers=modifiers, **({"text": text} if text and kind == "keyDown" else {}))

    def type(self, selector, text):
        self.evaluate(
            """const element = document.querySelector(selector);
            if (!element) throw new Error('there is no ' + selector);
            element.focus(); element.select?.();""", selector=selector)
        self.send("Input.insertText", text=text)
