"""What a page is to somebody who looks and presses, in whichever browser."""

import json
import os
import time

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


class PageBase:
    """Presses and waits, by what each browser does: `evaluate`, `press_at` and `insert`."""

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

    def place_of(self, expression):
        """The middle of an element, brought into sight, and whether a message is above it."""
        return self.evaluate(
            f"""const element = {expression};
            if (!element) throw new Error('there is no ' + expression);
            element.scrollIntoView({{ block: 'center' }});
            const box = element.getBoundingClientRect();
            const place = [box.left + box.width / 2, box.top + box.height / 2];
            return [...place, Boolean(document.elementFromPoint(...place)?.closest('.toast'))];""", expression=expression)

    def type(self, selector, text):
        self.evaluate(
            """const element = document.querySelector(selector);
            if (!element) throw new Error('there is no ' + selector);
            element.focus(); element.select?.();""", selector=selector)
        self.insert(text)
