#!/usr/bin/env python3
"""Sets a limit of one minute in the page, as a person does: `limit_set.py ADDRESS NAME`. Prints the page's row of it."""
import json
import sys

from actions import press
from chromium import Chromium
from pages import READY


def main():
    address, name = sys.argv[1:]
    with Chromium() as browser:
        page = browser.page()
        page.size(1400)
        page.go(address)
        page.wait_for(f"location.pathname !== '/sign-in' && {READY}", "sign-in")
        page.go(address.split("/sign-in")[0] + "/limits")
        page.wait_for(READY, "limits")
        press(page, ".page-head button, .empty button")
        page.wait_for("document.querySelector('#picker-search')")
        page.type("#picker-search", name)
        found = f"[...document.querySelectorAll('#picker-list .picker-choice')].find(one => one.innerText.split('\\n').includes({json.dumps(name)}))"
        page.wait_for(found, name)
        page.evaluate(f"{found}.id = 'wanted'")
        press(page, "#wanted")
        page.wait_for("document.querySelector('#limit-save')")
        for part, text in (("h", "0"), ("m", "1")):
            page.type(f"#amount-0-{part}", text)
        press(page, "#limit-save")
        page.wait_for("!document.querySelector('dialog') && document.querySelector('.rows li')", "the limit is listed")
        print(page.evaluate("return document.querySelector('.rows li').innerText.replaceAll('\\n', ' | ')"))


if __name__ == "__main__":
    main()
