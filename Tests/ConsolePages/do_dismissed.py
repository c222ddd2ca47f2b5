"""What becomes of what is under way, or written, when its dialog is left."""

import json

from do_today import open_form
from person import SAID

#: What is asked for at `held` waits until `release`; the first one fails then if `fails`. `answering`: how many wait, or are
#: answered but not taken yet.
HOLD = """const {fetch} = window;
    let isFirst = true;
    window.asked = 0;
    window.answering = 0;
    const isHeld = new Promise(resolve => { window.release = () => { window.fetch = fetch; resolve(); }; });
    window.fetch = async (path, options) => {
        if (path !== held) return fetch(path, options);
        window.asked += 1;
        window.answering += 1;
        const isFailure = fails && isFirst;
        isFirst = false;
        await isHeld;
        try {
            if (isFailure) return new Response(JSON.stringify({title: 'unavailable', status: 504, detail: 'It did not answer.'}), {status: 504});
            return await fetch(path, options);
        } finally { setTimeout(() => setTimeout(() => { window.answering -= 1; })); }
    };"""


def planned_day(person):
    """Of the weekly report, as the notifier has it: 1 is Sunday; None: it is off."""
    found = [one for one in person.told("screentime", "report", "weekly")["notifications"] if one["state"] == "scheduled"]
    return found[0]["trigger"]["components"]["weekday"] if found else None


def set_day(person, day):
    person.choose("#weekly-day", day)
    person.said(person.word("settings.saved"))


def choose_again_while_saving(person):
    """The last choice is what is saved, also if the one before it fails."""
    person.open("today")
    person.settings()
    set_day(person, "3")
    person.page.evaluate(HOLD, held="/api/notification.post", fails=True)
    for day in ("1", "5"):
        person.choose("#weekly-day", day)
    person.wait("window.asked === 1", "the first one is being saved")
    person.page.evaluate("window.release()")
    person.wait(f"{SAID}.innerText === {json.dumps(person.word('settings.saved'))}", "one is saved")
    person.expect("what is saved, and shown", [planned_day(person), person.read("document.querySelector('#weekly-day').value")], [6, "5"])
    person.page.key("Escape", number=27)
    person.closed()


def keep_what_was_set_elsewhere(person):
    """Settings that were open meanwhile do not take it back; chosen again, it is saved."""
    person.open("today")
    person.settings()
    set_day(person, "3")
    for day, planned in (("sunday", 1), ("off", None)):
        person.world.run("screentime", "report", "weekly", *(["--off"] if day == "off" else ["--day", day]))
        person.choose("#weekly-day", "1")
        see_changed(person)
        shown = "" if planned is None else str(planned - 1)
        person.expect(f"what is planned, and shown: {day}", [planned_day(person), person.read("document.querySelector('#weekly-day').value")], [planned, shown])
    # What was chosen before that was shown does not take it back either.
    person.world.run("screentime", "report", "weekly", "--day", "sunday")
    person.page.evaluate(HOLD, held="/api/notification.list", fails=False)
    for day in ("1", "2"):
        person.choose("#weekly-day", day)
    person.wait("window.asked === 1", "the first choice is checked")
    person.page.evaluate("window.release()")
    see_changed(person)
    person.wait("window.answering === 0", "it is over")
    person.expect("of two choices: what is planned, and shown", [planned_day(person), person.read("document.querySelector('#weekly-day').value")], [1, "0"])
    person.expect("it is still said", person.read("document.querySelector('.dialog-problem').innerText.length > 0"), True)
    # Nor is what was chosen here before, and elsewhere again.
    for day in ("2", "4"):
        set_day(person, day)
    person.world.run("screentime", "report", "weekly", "--day", "tuesday")
    person.choose("#weekly-day", "0")
    see_changed(person)
    person.expect("set here, then elsewhere", planned_day(person), 3)
    # What is there already is no conflict.
    person.world.run("screentime", "report", "weekly", "--day", "monday")
    set_day(person, "1")
    person.expect("what is planned then", planned_day(person), 2)
    person.page.key("Escape", number=27)
    person.closed()


def see_changed(person):
    person.wait(f"document.querySelector('.dialog-problem').innerText.includes({json.dumps(person.word('settings.changed'))})", "that it was changed")
    person.forget_errors("conflict")


def open_while_saving(person):
    """Settings that are opened again while they are saved show what was chosen."""
    person.open("today")
    person.settings()
    set_day(person, "3")
    person.page.evaluate(HOLD, held="/api/notification.post", fails=False)
    person.choose("#weekly-day", "1")
    person.wait("window.asked === 1", "it is being saved")
    person.page.key("Escape", number=27)
    person.closed()
    person.open_settings()
    person.page.evaluate("window.release()")
    person.wait("document.querySelector('#weekly-day')?.value === '1'", "what was chosen")
    set_day(person, "5")
    person.expect("what is planned", planned_day(person), 6)
    set_day(person, "")
    person.page.key("Escape", number=27)
    person.closed()


def fail_after_leaving(person):
    """Who has closed the dialog is told what failed."""
    person.open("today")
    person.settings()
    set_day(person, "3")
    person.page.evaluate(HOLD, held="/api/notification.post", fails=True)
    person.choose("#weekly-day", "1")
    person.wait("window.asked === 1", "it is being saved")
    person.page.key("Escape", number=27)
    person.closed()
    person.page.evaluate("window.release()")
    person.wait(f"{SAID}.innerText.includes('It did not answer.')", "what failed")
    person.expect("what is saved", planned_day(person), 4)


def leave_written_address(person):
    """Escape leaves an address as it was; a press elsewhere saves what is written."""
    known = lambda: [line for line in person.world.run("screentime", "report", "weekly").splitlines() if line.startswith("Reports are also")]
    field = "document.querySelector('#channel-webhook')"
    person.open("today")
    person.settings()
    set_day(person, "3")
    person.type("#channel-webhook", "http://127.0.0.1:9/ha")
    person.page.key("Escape", number=27)
    person.closed()
    person.settings()
    person.wait(field, "settings again")
    person.expect("what is saved after Escape, and shown", [known(), person.read(f"{field}.value")], [[], ""])
    for text in ("http://127.0.0.1:9/half", ""):
        person.type("#channel-webhook", text) if text else empty(person, field)
        # The field loses the focus, as to somebody who goes on.
        person.press("dialog h2")
        person.said(person.word("settings.saved"))
        person.expect(f"what is saved after a press elsewhere: {text!r}", [text in line for line in known()], [True] if text else [])
    # An address that was changed elsewhere is shown before it is replaced.
    for other in ("http://127.0.0.1:9/other", "http://127.0.0.1:9/another", ""):
        person.world.run("screentime", "report", "weekly", *(["--webhook", other] if other else ["--no-webhook"]))
        if "another" in other:
            empty(person, field)
            person.press("dialog h2")
            see_changed(person)
            person.wait(f"{field}.value === {json.dumps(other)}", "what is set now")
            person.expect("who empties the field", [other in line for line in known()], [True])
            # What is written while that is looked at stays.
            person.world.run("screentime", "report", "weekly", "--webhook", f"{other}/2")
            person.page.evaluate(HOLD, held="/api/channel.list", fails=False)
            empty(person, field)
            person.page.key("Enter", number=13)
            person.wait("window.asked === 1", "it is looked at")
            person.type("#channel-webhook", "http://127.0.0.1:9/newer")
            person.page.evaluate("window.release()")
            see_changed(person)
            person.wait("window.answering === 0", "it is over")
            person.expect("what is written meanwhile", [person.read(f"{field}.value"), person.read(f"{field}.ariaInvalid")], ["http://127.0.0.1:9/newer", "true"])
            person.expect("what is saved", [f"{other}/2" in line for line in known()], [True])
            person.page.evaluate(f"{field}.focus()")
            person.page.key("Enter", number=13)
            person.said(person.word("settings.saved"))
            continue
        mine = f"http://127.0.0.1:9/mine{len(other)}"
        person.type("#channel-webhook", mine)
        person.press("dialog h2")
        changed = person.word("settings.addressChanged", now=other or person.word("settings.noAddress"))
        person.wait(f"document.querySelector('.dialog-problem').innerText.includes({json.dumps(changed)})", "that it was changed")
        person.forget_errors("conflict")
        person.wait(f"{field}.ariaInvalid === 'true'", "that it is not saved")
        person.expect(f"what is saved, and shown: {other!r}", [[other in line for line in known()], person.read(f"{field}.value")], [[True] if other else [], mine])
        # Whoever knows that saves it nevertheless.
        person.page.evaluate(f"{field}.focus()")
        person.page.key("Enter", number=13)
        person.said(person.word("settings.saved"))
        person.expect("what is saved then", [mine in line for line in known()], [True])
    set_day(person, "")
    person.page.key("Escape", number=27)
    person.closed()


def empty(person, field):
    person.page.evaluate(f"{field}.focus(); {field}.select()")
    person.page.key("Backspace", number=8)


def leave_while_asking(person):
    """A decision that is dismissed before it was sent is none."""
    for one in person.call("request.list", state="pending")["requests"]:
        person.world.run("screentime", "requests", "deny", one["id"])
    person.open("requests")
    person.world.run("screentime", "request", "app:org.gnome.Maps", "--minutes", "10")
    person.wait("document.querySelector('.request') && !document.querySelector('[data-settling]')", "the request")
    cancel, escape = lambda: person.press_word("action.cancel", "dialog"), lambda: person.page.key("Escape", number=27)
    for leave, fails in ((cancel, False), (escape, False), (cancel, True)):
        open_form(person)
        person.amount("grant", 0, 45)
        person.page.evaluate(HOLD, held="/api/request.list", fails=fails)
        person.press_word("requests.allowMinutes", "dialog", time=person.duration(45))
        person.wait("window.asked > 0", "it is looked at")
        leave()
        person.closed()
        person.page.evaluate("window.release()")
        person.wait("window.answering === 0", "it is over")
        person.expect("what is said of what was not done", person.read(f"{SAID}.innerText"), "")
        person.expect("what waits", [one["subject"] for one in person.call("request.list", state="pending")["requests"]], ["org.gnome.Maps"])
    person.expect("what is open", person.call("exception.list")["exceptions"], [])
    person.press_word("requests.deny")
    person.wait("!document.querySelector('.request')", "it is decided")
