"""Somebody at a page: presses, types and reads, in whatever language and width the page has."""

import json

from page import poll

#: Where a message is: in the dialog that is open, else below the page.
SAID = "([...document.querySelectorAll('dialog[open] .toasts')].at(-1) ?? document.querySelector('#toasts'))"
#: The dialog on top: a picker may be above a form.
TOP = "[...document.querySelectorAll('dialog[open]')].at(-1)"
#: Pixels below which the menu is at the bottom.
NARROW = 900


def press(page, selector):
    # A list that has just changed takes no presses.
    page.wait_for(f"document.querySelector({json.dumps(selector)})?.closest('[data-settling]') === null", selector)
    page.click(selector)


def pictures_of(options):
    """The directory of the option --pictures, made; None without it."""
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    return options.pictures


class Person:
    def __init__(self, page, origin, checks, open_page, world, language="en", width=1400, pictures=None):
        self.page, self.origin, self.checks, self.world = page, origin, checks, world
        self.language, self.width, self.pictures = language, width, pictures
        self.open = lambda name: open_page(page, origin, name)

    # Looking

    def expect(self, what, shown, wanted):
        self.checks.looked += 1
        if shown != wanted:
            self.checks.fail(f"action: {what}, {self.language}, {self.width} px", f"{shown!r} is not {wanted!r}")

    def look(self, what):
        # The console runs few commands at once; the page asks again.
        self.forget_errors("429", "app.run")
        self.checks.look(f"action: {what}, {self.language}, {self.width} px")
        if self.pictures:
            self.page.picture(self.pictures / f"{what.replace(' ', '-')}-{self.language}-{self.width}.png", whole=not self.read(TOP))

    def read(self, expression):
        return self.page.evaluate(f"return {expression}")

    def text(self, selector):
        return self.read(f"document.querySelector({json.dumps(selector)})?.innerText ?? null")

    def until(self, what, is_so):
        """Waits for what the services do a moment later; it is checked like `expect`."""
        self.expect(what, poll(is_so), True)

    def wait(self, condition, what):
        self.page.wait_for(condition, what)

    def word(self, key, **values):
        """A text of the page, in the language that it has."""
        return self.page.evaluate("return (await import('/app/words.js')).t(key, values)", key=key, values=values)

    def duration(self, minutes):
        return self.page.evaluate("return (await import('/app/format.js')).duration(minutes * 60000)", minutes=minutes)

    def name_of(self, kind, subject=""):
        return self.page.evaluate("return (await import('/app/names.js')).nameOf(kind, subject)", kind=kind, subject=subject)

    def said(self, text):
        """Waits for a message, and takes it away."""
        self.wait(f"{SAID}.innerText === {json.dumps(text)}", f"the message {text!r}")
        self.page.evaluate(f"{SAID}.replaceChildren()")

    def call(self, method, **params):
        """What a service answers to the page."""
        return self.page.evaluate("return (await import('/app/api.js')).call(method, params)", method=method, params=params)

    def forget_errors(self, *parts):
        """Errors that were provoked: those that contain all of these."""
        self.page.errors = [one for one in self.page.errors if not all(part in one for part in parts)]

    def told(self, program, *arguments):
        """What the program of the command line says."""
        return json.loads(self.world.run(program, *arguments, "--json"))

    # Doing

    def press(self, selector):
        press(self.page, selector)

    def press_text(self, text, within="main"):
        """Presses the button with exactly this text; within `dialog`, in the one on top."""
        root = TOP if within == "dialog" else f"document.querySelector({json.dumps(within)})"
        find = f"[...{root}.querySelectorAll('button')].find(one => one.textContent.trim() === {json.dumps(text)} && !one.disabled)"
        self.wait(find, f"a button {text!r}")
        self.page.click_on(find)

    def press_word(self, key, within="main", **values):
        self.press_text(self.word(key, **values), within)

    def type(self, selector, text):
        self.wait(f"document.querySelector({json.dumps(selector)})", selector)
        self.page.type(selector, text)

    def amount(self, field, hours, minutes):
        for part, value in (("h", hours), ("m", minutes)):
            self.type(f"#{field}-{part}", str(value))

    def choose(self, selector, value):
        """A value of a list, or of a field of dates and times, as the browser's own control sets it."""
        self.wait(f"document.querySelector({json.dumps(selector)})", selector)
        self.page.evaluate(
            """const field = document.querySelector(selector); field.value = value;
            for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, {bubbles: true}))""", selector=selector, value=value)

    def dialog(self, what):
        self.wait("document.querySelector('dialog[open]')", what)

    def closed(self, what="the dialog closes"):
        self.wait("!document.querySelector('dialog')", what)

    def confirm(self, key="action.remove"):
        """Answers the question whether something shall really be done."""
        self.dialog("the question")
        self.press_word(key, "dialog")
        self.closed()

    def pick(self, *searches):
        """Checks in the picker what each search finds first, and takes it."""
        self.wait("document.querySelector('#picker-search')", "the picker")
        for search in searches:
            self.type("#picker-search", search)
            row = "#picker-list li:first-child input"
            self.wait(f"document.querySelector('#picker-list') && document.querySelector({json.dumps(row)})", f"a result for {search}")
            self.press(row)
            self.wait(f"document.querySelector({json.dumps(row)}).checked", f"{search} is checked")
        self.press_word("picker.done", "dialog", n=len(searches))
        self.wait("!document.querySelector('#picker-search')", "the picker closes")

    def pick_one(self, search):
        self.wait("document.querySelector('#picker-search')", "the picker")
        self.type("#picker-search", search)
        self.wait("document.querySelectorAll('#picker-list li').length === 1", f"one result for {search}")
        self.press("#picker-list .picker-choice")

    def open_settings(self):
        if self.width < NARROW:
            self.press(".tabs button")
            self.dialog("the menu")
            self.press_word("settings.title", "dialog")
        else:
            self.press(".side-end button")

    def settings(self):
        self.open_settings()
        # It opens before all is known where that takes long, and what it shows moves then.
        self.wait("document.querySelector('dialog[open] .choice') && document.querySelector('dialog[open] :is(#weekly-day, .problem)')", "settings")
