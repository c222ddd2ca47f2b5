#!/usr/bin/env python3
"""Sets a limit of one minute in the page, as a person does: `limit_set.py ADDRESS NAME`. Prints the page's row of it."""

import json
import sys

from chromium import Chromium
from person import Person
from visit import open_page, sign_in


def main(address, name):
    with Chromium() as browser:
        page = browser.page()
        page.size(1400)
        sign_in(page, address)
        person = Person(page, address.split("/sign-in")[0], None, open_page, None)
        person.open("limits")
        person.press(".page-head button, .empty button")
        person.type("#picker-search", name)
        found = f"[...document.querySelectorAll('#picker-list .picker-choice')].find(one => one.innerText.split('\\n').includes({json.dumps(name)}))"
        person.wait(found, name)
        page.click_on(found)
        person.amount("amount-0", 0, 1)
        person.press("#limit-save")
        person.wait("!document.querySelector('dialog') && document.querySelector('.rows li')", "the limit is listed")
        print(person.text(".rows li").replace("\n", " | "))


if __name__ == "__main__":
    main(*sys.argv[1:])
