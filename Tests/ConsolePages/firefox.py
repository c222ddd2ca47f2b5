"""A headless Firefox over WebDriver BiDi: pages, what they log, and scripts in them."""

import json
import shutil
import subprocess
import tempfile

import websocket

from chromium import DEADLINE, WITHOUT_BUS, PageError, holds, poll


class Firefox:
    """One browser with a profile of its own and one page, which end with it."""

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
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]

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

    def evaluate(self, script):
        """Runs a function body; its value as JSON."""
        answer = self.send(
            "script.evaluate", expression=f"(async () => JSON.stringify(await (async () => {{ {script} }})() ?? null))()",
            target={"context": self.context}, awaitPromise=True)
        if answer["type"] == "exception":
            raise PageError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def wait_for(self, condition, what=None, deadline=DEADLINE):
        """Waits until an expression is true, also over a navigation."""
        if not poll(lambda: holds(self, condition), deadline):
            raise PageError(f"did not come: {what or condition}")

    def picture(self, path):
        import base64

        data = self.send("browsingContext.captureScreenshot", context=self.context, origin="document")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

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
