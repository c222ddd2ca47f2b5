#!/usr/bin/env python3
"""Decides a request as a person does: other minutes, and a word.

usage: request_decided.py ADDRESS MINUTES WORD

ADDRESS is a sign-in address of a console with one open request. Ends when the page says that it is decided; prints the
subject that is open then.
"""

import sys

from chromium import Chromium
from person import Person
from visit import choose, open_page, sign_in


def main(address, minutes, word):
    with Chromium() as browser:
        page = browser.page()
        page.size(1400)
        sign_in(page, address)
        choose(page, "en", "light")
        person = Person(page, address.split("/sign-in")[0], None, open_page, None)
        person.open("requests")
        person.wait("document.querySelectorAll('.request').length === 1", "the request")
        person.press_word("requests.other")
        person.amount("grant", 0, minutes)
        person.type("#grant-word", word)
        person.press_word("requests.allowMinutes", "dialog", time=person.duration(int(minutes)))
        person.closed()
        person.wait("document.querySelector('[aria-labelledby=open-now] .name')", "what is open")
        print(person.text("[aria-labelledby=open-now] .name"))


if __name__ == "__main__":
    main(*sys.argv[1:])
