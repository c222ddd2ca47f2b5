#!/usr/bin/env python3
"""From nothing to the first useful limit, as somebody does who has just installed everything.

usage: first_run.py PRODUCTS [--language en|ko] [--width PIXELS] [--pictures DIRECTORY]

PRODUCTS has the built executables. Nothing was measured yet: every page says so, none shows a zero as if it were known,
and only what was chosen is switched on. Ends with 1 and the list of what is wrong.
"""

import argparse
import json
import pathlib

from checks import Checks, axe_source, check_all_html
from chromium import Chromium
from do_limits import limits
from pages import PAGES
from person import Person, pictures_of
from visit import READY, WEB, open_page, sign_in
from world import World


def introduce(person, address):
    """The link of `screentime open` leads to the introduction, once."""
    sign_in(person.page, address)
    person.page.evaluate("localStorage.clear(); localStorage.setItem('language', language); localStorage.setItem('theme', 'light')", language=person.language)
    sign_in(person.page, person.world.sign_in_address())
    person.wait(f"location.pathname === '/welcome' && {READY}", "the introduction")
    person.expect("its language", person.text("#welcome-title"), person.word("welcome.title"))
    person.expect("it says that nothing is measured", person.read("document.querySelector('#not-measuring') !== null"), True)
    person.look("introduction")


def set_first_limit(person):
    person.press_word("welcome.next")
    person.wait(f"document.querySelector('#welcome-title').innerText === {json.dumps(person.word('welcome.choose'))}", "what to limit")
    person.look("what to limit, of nothing")
    person.press_word("welcome.pick")
    person.wait("document.querySelector('#picker-search')", "the picker")
    person.press("#picker-list [data-key=games] .picker-choice")
    person.wait("document.querySelector('#limit-save')", "the form")
    person.expect("nothing acts at once", person.read("document.querySelector('#acts-now')"), None)
    person.look("the first limit")
    person.press("#limit-save")
    person.closed()
    person.wait("location.pathname === '/limits' && document.querySelector('[data-key=\"category games\"]')", "the limit is listed")
    found = {name: [(one["days"], one["seconds"]) for one in limit["limits"]] for name, limit in limits(person).items()}
    person.expect("one limit", found, {"games": [("every day", 3600)]})
    person.expect("no cover", person.call("shield.list")["shields"], [])
    allowed = [one["client"] for one in person.call("authorization.list")["authorizations"] if one["status"] == "approved"]
    person.expect("no app was allowed anything", allowed, [])
    planned = person.told("screentime", "report", "weekly")["notifications"]
    person.expect("no report is planned", planned, [])


def look_at_nothing(person):
    """Every page of an empty system."""
    for name in PAGES:
        person.open(name)
        person.look(f"{name} of nothing")
    person.open("today")
    person.expect("the time of a day without measuring", person.text("#total"), "–")
    sign_in(person.page, person.world.sign_in_address())
    person.expect("the introduction comes once", person.read("location.pathname"), "/today")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("products")
    parser.add_argument("--language", default="en")
    parser.add_argument("--width", type=int, default=1400)
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    with World(options.products, WEB, is_empty=True) as world, Chromium() as browser:
        page = browser.page()
        page.size(options.width)
        checks = Checks(page, axe_source())
        address = world.sign_in_address()
        person = Person(page, address.split("/sign-in")[0], checks, open_page, world, options.language, options.width, pictures_of(options))
        introduce(person, address)
        set_first_limit(person)
        look_at_nothing(person)
    check_all_html(checks)
    checks.end()


if __name__ == "__main__":
    main()
