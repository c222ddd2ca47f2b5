"""A headless Chromium over the DevTools protocol: pages, what they log, pictures, and scripts in them."""

import base64
import json
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

import websocket

from page import DEADLINE, WITHOUT_BUS, PageBase, PageError


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


class Page(PageBase):
    #: Whether `errors` has the requests that failed, too.
    logs_requests = True

    def __init__(self, address):
        self.address = address
        self.socket = websocket.create_connection(address, timeout=DEADLINE, suppress_origin=True)
        self.next_id = 0
        #: What the page logged as an error, and requests that failed.
        self.errors = []
        #: What was received since ``count_bytes``.
        self.bytes = 0
        #: The names of the files it saves, by Chromium's number, and the numbers of those that are whole.
        self.names_of_files = {}
        self.whole_files = set()
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")

    def count_bytes(self):
        """Counts what is received from now on. Chromium then reports every request, which makes a load a third slower."""
        self.send("Network.enable")

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

    def press_at(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, key, code=None, number=0, modifiers=0):
        text = "\r" if key == "Enter" else key if len(key) == 1 else None
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, windowsVirtualKeyCode=number,
                      modifiers=modifiers, **({"text": text} if text and kind == "keyDown" else {}))

    def insert(self, text):
        self.send("Input.insertText", text=text)

    def run(self, source):
        """Runs a script that is a library."""
        self.send("Runtime.evaluate", expression=source)
