"""A headless Firefox over WebDriver BiDi: pages, what they log, and scripts in them."""

import base64
import json
import pathlib
import shutil
import subprocess
import tempfile

import websocket

from page import DEADLINE, WITHOUT_BUS, PageBase, PageError

#: WebDriver's code points of keys that write nothing.
KEYS = {"Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Home": "\ue011", "ArrowRight": "\ue014"}


class Firefox(PageBase):
    """One browser with a profile of its own and one page, which end with it."""

    #: Whether `errors` has the requests that failed, too.
    logs_requests = False

    def __init__(self, program=None):
        program = program or shutil.which("firefox-esr") or shutil.which("firefox")
        if program is None:
            raise SystemExit("firefox is not installed: apt-get install firefox-esr")
        self.profile = tempfile.mkdtemp(prefix="console-pages-")
        self.process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", self.profile, "--remote-debugging-port", "0", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=WITHOUT_BUS)
        self.errors = []
        self.next_id = 0
        self.socket = websocket.create_connection(self._address() + "/session", timeout=DEADLINE, suppress_origin=True)
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        # The window that it begins with has no focus: keys would press nothing there.
        self.context = self.send("browsingContext.create", type="window")["context"]

    def _address(self):
        for line in self.process.stderr:
            if "WebDriver BiDi listening on " in line:
                return line.split("listening on ")[1].strip()
        raise PageError("firefox did not start")

    def send(self, method, **params):
        self.next_id += 1
        self.socket.send(json.dumps({"id": self.next_id, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.next_id:
                if message.get("type") == "error":
                    raise PageError(f"{method}: {message['message']}")
                return message["result"]
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self._note(message["params"].get("text") or "an error without a text")

    def _note(self, text):
        # Firefox 140 says so of each page with an event stream that is left; 153 does not.
        if not text.endswith("/events was interrupted while the page was loading."):
            self.errors.append(text)

    def go(self, address):
        self.send("browsingContext.navigate", context=self.context, url=address, wait="interactive")

    def size(self, width, height=900):
        self.send("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def evaluate(self, script, **values):
        """Runs a function body with `values` as its variables; a promise is waited for. Its value as JSON."""
        names = ", ".join(values)
        arguments = ", ".join(json.dumps(value) for value in values.values())
        text = self._run(f"(async () => JSON.stringify(await (async ({names}) => {{ {script} }})({arguments}) ?? null))()")
        return json.loads(text["value"])

    def run(self, source):
        """Runs a script that is a library."""
        self._run(f"{source}; undefined")

    def _run(self, expression):
        answer = self.send("script.evaluate", expression=expression, target={"context": self.context}, awaitPromise=True)
        if answer["type"] == "exception":
            raise PageError(answer["exceptionDetails"]["text"])
        return answer["result"]

    def picture(self, path, whole=True):
        """Saves a picture, of the whole page or only of what is in view."""
        data = self.send("browsingContext.captureScreenshot", context=self.context, origin="document" if whole else "viewport")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def press_at(self, x, y):
        self._act({"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "x": round(x), "y": round(y)}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]})

    def key(self, key, code=None, number=0):
        self.insert(key if len(key) == 1 else KEYS[key])

    def insert(self, text):
        self._act({"type": "key", "id": "keys", "actions": [
            {"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]})

    def _act(self, source):
        self.send("input.performActions", context=self.context, actions=[source])

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
