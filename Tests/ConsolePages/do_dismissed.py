"""What becomes of what is under way, or written, when its dialog is left."""

import json

from do_today import open_form
from person import SAID

#: What is asked for at `held` waits until `release`; the first one fails then if `fails`, after it was done if that is
#: "late". `answering`: how many wait, or are answered but not taken yet.
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
            if (isFailure && fails === 'late') await fetch(path, options);
            if (isFailure) return new Response(JSON.stringify({title: 'unavailable', status: 504, detail: 'It did not answer.'}), {status: 504});
            return await fetch(path, options);
        } finally { setTimeout(() => setTimeout(() => { window.answering -= 1; })); }
    };"""


def planned(person):
    """The weekday and time of the weekly report, as the notifier has them; None: it is off."""
    found = [one for one in person.told("screentime", "report", "weekly")["notifications"] if one["state"] == "scheduled"]
    return found[0]["trigger"]["components"] if found else None


def planned_day(person):
    """Of the weekly report, as the notifier has it: 1 is Sunday; None: it is off."""
    return (planned(person) or {}).get("weekday")


def shown_day(person):
    return person.read("document.querySelector('#weekly-day').value")


def set_day(person, day):
    person.choose("#weekly-day", day)
    person.press("#weekly-save")
    person.said(person.word("settings.saved"))


def set_plan(person, day, time):
    person.choose("#weekly-day", day)
    person.choose("#weekly-time", time)
    person.press("#weekly-save")
    person.said(person.word("settings.saved"))


def choose_again_while_saving(person):
    """What is chosen while something else is saved is still to be saved, also if that fails."""
    person.open("today")
    person.settings()
    set_day(person, "3")
    for fails, saved in ((True, 4), (False, 2)):
        person.page.evaluate(HOLD, held="/api/notification.post", fails=fails)
        person.choose("#weekly-day", "1")
        person.press("#weekly-save")
        person.wait("window.asked === 1", "it is being saved")
        person.choose("#weekly-day", "5")
        person.page.evaluate("window.release()")
        if fails:
            person.wait("document.querySelector('.dialog-problem').innerText.includes('It did not answer.')", "what failed")
        else:
            person.said(person.word("settings.saved"))
        person.wait("document.querySelector('#weekly-save:not([aria-busy=true])')", "that it can be saved")
        person.expect("what is saved, and shown", [planned_day(person), shown_day(person)], [saved, "5"])
    person.press("#weekly-save")
    person.said(person.word("settings.saved"))
    person.expect("what is saved then", planned_day(person), 6)
    # It is one save at a time, also if what was set is chosen again meanwhile.
    person.page.evaluate(HOLD, held="/api/notification.post", fails=False)
    person.choose("#weekly-day", "1")
    person.press("#weekly-save")
    person.wait("window.asked === 1", "it is being saved")
    person.choose("#weekly-day", "5")
    person.expect("the button", person.read("document.querySelector('#weekly-save').ariaBusy"), "true")
    person.page.evaluate("document.querySelector('#weekly-save').click(); window.release()")
    person.said(person.word("settings.saved"))
    person.wait("document.querySelector('#weekly-save:not([aria-busy=true])')", "that it can be saved")
    person.expect("what is saved, and shown", [planned_day(person), shown_day(person)], [2, "5"])
    # What failed may have come to be: what was set before is set again.
    person.page.evaluate(HOLD, held="/api/notification.post", fails="late")
    person.choose("#weekly-day", "2")
    person.press("#weekly-save")
    person.wait("window.asked === 1", "it is being saved")
    person.page.evaluate("window.release()")
    person.wait("document.querySelector('.dialog-problem').innerText.includes('It did not answer.')", "what failed")
    person.wait("document.querySelector('#weekly-save:not([aria-busy=true])')", "that it can be saved")
    person.expect("what is saved after all", planned_day(person), 3)
    person.choose("#weekly-day", "1")
    person.press("#weekly-save")
    person.said(person.word("settings.saved"))
    person.expect("what was set before", [planned_day(person), person.read("document.querySelector('#weekly-save')")], [2, None])
    person.page.key("Escape", number=27)
    person.closed()


def keep_what_was_set_elsewhere(person):
    """Settings that were open meanwhile say what is set now before they replace it, and leave alone what was not chosen in them."""
    weekly = lambda *arguments: person.world.run("screentime", "report", "weekly", *arguments)
    person.open("today")
    person.settings()
    set_day(person, "3")
    for elsewhere, day, plan in ((["--day", "sunday"], 1, (0, 18)), (["--off"], None, None), (["--day", "monday", "--at", "09:00"], 2, (1, 9))):
        weekly(*elsewhere)
        person.choose("#weekly-day", "2")
        see_changed(person, plan_text(person, plan))
        person.expect(f"what is planned, and shown: {elsewhere}", [planned_day(person), shown_day(person)], [day, "2"])
        person.press("#weekly-save")
        person.said(person.word("settings.saved"))
        person.expect("what is planned then", planned_day(person), 3)
        set_day(person, "3")
    # What this dialog has set before is no less of somebody else when it is set there again.
    weekly("--day", "tuesday")
    person.choose("#weekly-time", "08:15")
    see_changed(person, plan_text(person, (2, 18)))
    person.expect("set here, then elsewhere", planned_day(person), 3)
    # What is there already is no conflict.
    weekly("--day", "friday", "--at", "08:15")
    person.choose("#weekly-day", "5")
    person.press("#weekly-save")
    person.said(person.word("settings.saved"))
    # An address is not the plan.
    weekly("--day", "monday")
    person.choose("#channel-webhook", "http://127.0.0.1:9/a")
    person.press("#weekly-save")
    person.said(person.word("settings.saved"))
    person.expect("what is planned, and shown, beside an address", [planned_day(person), shown_day(person)], [2, "1"])
    for address in ("http://127.0.0.1:9/b", ""):
        weekly(*(["--webhook", address] if address else ["--no-webhook"]))
        mine = f"http://127.0.0.1:9/c{len(address)}"
        person.choose("#channel-webhook", mine)
        see_changed(person, f"{person.word('settings.webhook')}: {address or person.word('settings.noAddress')}")
        person.expect(f"what is set: {address!r}", "127.0.0.1:9/b" in weekly(), address != "")
        person.press("#weekly-save")
        person.said(person.word("settings.saved"))
        person.expect("what is set then", mine in weekly(), True)
    person.choose("#channel-webhook", "")
    set_day(person, "")
    person.expect("nothing is left", [planned_day(person), "127.0.0.1" in weekly()], [None, False])
    person.page.key("Escape", number=27)
    person.closed()


def save_only_what_was_chosen(person):
    """A day and its time are one, and nothing else is written."""
    weekly = lambda *arguments: person.world.run("screentime", "report", "weekly", *arguments)
    person.open("today")
    person.settings()
    # What is off elsewhere does not take the day away.
    set_plan(person, "3", "08:15")
    weekly("--off")
    person.choose("#weekly-time", "08:30")
    see_changed(person, plan_text(person, None))
    person.page.evaluate("document.querySelector('#weekly-save').dispatchEvent(new MouseEvent('click', {bubbles: true, detail: 2}))")
    person.expect("after a double click", [planned_day(person), shown_day(person), person.read("document.querySelector('#weekly-time').value"), person.read("document.querySelector('#weekly-save').ariaBusy") == "true"], [None, "3", "08:30", False])
    person.press("#weekly-save")
    person.said(person.word("settings.saved"))
    person.expect("what is planned then", planned(person), {"weekday": 4, "hour": 8, "minute": 30})
    # What was chosen and taken back is not chosen.
    person.choose("#weekly-day", "2")
    person.choose("#weekly-day", "3")
    person.choose("#channel-webhook", "x")
    person.choose("#channel-webhook", "")
    person.expect("there is nothing to save", person.read("document.querySelector('#weekly-save')"), None)
    weekly("--day", "monday", "--webhook", "http://127.0.0.1:9/theirs")
    person.choose("#channel-email", "mina@example.org")
    person.press("#weekly-save")
    person.said(person.word("settings.saved"))
    person.expect("what is set elsewhere stays", [planned_day(person), shown_day(person), person.read("document.querySelector('#channel-webhook').value"), person.read("document.querySelector('#weekly-save')")], [2, "1", "http://127.0.0.1:9/theirs", None])
    person.choose("#channel-email", "")
    person.choose("#channel-webhook", "")
    person.press("#weekly-save")
    person.said(person.word("settings.saved"))
    # What is chosen while others are read was not compared with them.
    weekly("--day", "tuesday")
    person.page.evaluate(HOLD, held="/api/channel.list", fails=False)
    person.choose("#channel-webhook", "http://127.0.0.1:9/mine")
    person.press("#weekly-save")
    person.wait("window.asked === 1", "it is read")
    person.choose("#weekly-day", "5")
    person.page.evaluate("window.release()")
    person.said(person.word("settings.saved"))
    see_changed(person, plan_text(person, (2, 18)))
    person.choose("#channel-webhook", "")
    person.press("#weekly-save")
    person.said(person.word("settings.saved"))
    weekly("--off")
    person.page.key("Escape", number=27)
    person.closed()


def plan_text(person, plan):
    """A day, 0 is Sunday, and an hour; None: off. As Settings say it."""
    return person.page.evaluate("""const {minuteTime, weekdayName} = await import('/app/format.js'); const {t} = await import('/app/words.js');
        return `${t('settings.weekly')}: ${plan ? `${weekdayName(plan[0], 'long')}, ${minuteTime(plan[1] * 60)}` : t('settings.weeklyOff')}`;""", plan=plan)


def see_changed(person, now):
    """Saving says what is set now."""
    person.press("#weekly-save")
    person.wait(f"document.querySelector('.dialog-problem').innerText === {json.dumps(person.word('state.changed', now=now))}", f"that it was changed: {now}")
    person.forget_errors("conflict")


def leave_while_saving(person, field, value, held, fails=False):
    """Closes Settings while a value is saved beside Wednesday; `window.release()` answers."""
    person.open("today")
    person.settings()
    set_day(person, "3")
    person.page.evaluate(HOLD, held=held, fails=fails)
    person.choose(field, value)
    person.press("#weekly-save")
    person.wait("window.asked === 1", "it is being saved")
    person.page.key("Escape", number=27)
    person.closed()


def open_while_saving(person):
    """Settings that are opened again while they are saved show what was chosen."""
    leave_while_saving(person, "#weekly-day", "1", "/api/notification.post")
    person.open_settings()
    person.page.evaluate("window.release()")
    person.wait("document.querySelector('#weekly-day')?.value === '1'", "what was chosen")
    set_day(person, "5")
    person.expect("what is planned", planned_day(person), 6)
    set_day(person, "")
    person.page.key("Escape", number=27)
    person.closed()


def save_in_part(person):
    """What was set before another thing failed is said with the failure."""
    person.open("today")
    person.settings()
    set_day(person, "3")
    person.choose("#weekly-day", "1")
    person.choose("#channel-email", "mina@example.org")
    person.choose("#channel-webhook", "http://192.0.2.1/refused")
    person.press("#weekly-save")
    now = f"{plan_text(person, (1, 18))} · {person.word('settings.email')}: mina@example.org"
    done = person.word("settings.savedBefore", now=now)
    person.wait(f"document.querySelector('.dialog-problem').innerText.endsWith({json.dumps(done)})", f"what failed, and what did not: {done}")
    person.forget_errors("channel.set")
    person.look("settings that were saved in part")
    person.choose("#weekly-day", "4")
    person.page.evaluate("""const {fetch} = window;
        window.fetch = async (path, options) => path === '/api/channel.set' ? new Response('{}', {status: 401}) : fetch(path, options);
        window.release = () => { window.fetch = fetch; }""")
    person.press("#weekly-save")
    done = f"{person.word('signin.here')} {person.word('settings.savedBefore', now=plan_text(person, (4, 18)))}"
    person.wait(f"document.querySelector('.dialog-problem').innerText.endsWith({json.dumps(done)})", f"that one is signed out, and what was saved: {done}")
    person.page.evaluate("window.release()")
    person.expect("what is planned, and set", [planned_day(person), "mina@example.org" in person.world.run("screentime", "report", "weekly"), person.read("document.querySelector('#channel-webhook').value")], [5, True, "http://192.0.2.1/refused"])
    person.choose("#channel-webhook", "")
    person.choose("#channel-email", "")
    set_day(person, "")
    person.page.key("Escape", number=27)
    person.closed()


def leave_before_the_key(person):
    """The key of a webhook that comes after Settings were closed is shown when they are opened again, until the page is left."""
    leave_while_saving(person, "#channel-webhook", "http://127.0.0.1:9/late", "/api/channel.set")
    # Opened meanwhile, they do not know it yet.
    person.open_settings()
    person.dialog("settings that wait for what is saved")
    person.page.key("Escape", number=27)
    person.closed()
    person.page.evaluate("window.release()")
    person.said(person.word("settings.saved"))
    for _ in range(2):
        person.settings()
        person.expect("the key, again", has_key(person), True)
        person.page.key("Escape", number=27)
        person.closed()
    person.open("today")
    person.settings()
    person.expect("the key, in a new page", has_key(person), False)
    remove_webhook(person)


def has_key(person):
    return person.read("document.querySelector('#webhook-key code')?.innerText.startsWith('whsec_') ?? false")


def remove_webhook(person):
    """Settings that are open are as they were, and closed."""
    person.choose("#channel-webhook", "")
    set_day(person, "")
    person.wait("!document.querySelector('#weekly-save')", "that it is saved")
    person.expect("the key of no webhook, and what is set", [has_key(person), "127.0.0.1" in person.world.run("screentime", "report", "weekly")], [False, False])
    person.page.key("Escape", number=27)
    person.closed()


def lose_the_key(person):
    """The key of a webhook that was set, though that was not answered, is shown when it is saved again, or Settings are opened again, whatever was tried in between; one that was removed elsewhere since is set."""
    webhook = "http://127.0.0.1:9/lost"
    weekly = lambda *arguments: person.world.run("screentime", "report", "weekly", *arguments)
    person.open("today")
    person.settings()
    set_day(person, "3")
    key = lose(person, webhook)
    person.expect("what is set, and its key", [webhook in weekly(), has_key(person)], [True, False])
    save_with_key(person, webhook, key)
    person.choose("#channel-webhook", "http://127.0.0.1:9/other")
    person.expect("the key, where another address is written", has_key(person), False)
    remove_webhook(person)
    # Removed elsewhere: it is set, with the same key.
    person.settings()
    set_day(person, "3")
    other = lose(person, webhook)
    person.expect("the key of what is set once more", other == key, False)
    weekly("--no-webhook")
    save_with_key(person, webhook, other)
    remove_webhook(person)
    # Another one was tried meanwhile.
    person.settings()
    set_day(person, "3")
    key = lose(person, webhook)
    person.choose("#channel-webhook", "http://192.0.2.1/refused")
    person.press("#weekly-save")
    person.wait("document.querySelector('.dialog-problem').innerText && !document.querySelector('#weekly-save[aria-busy=true]')", "that it is refused")
    person.forget_errors("channel.set")
    person.choose("#channel-webhook", webhook)
    see_key(person, webhook, key)
    remove_webhook(person)
    leave_while_saving(person, "#channel-webhook", webhook, "/api/channel.set", fails="late")
    person.page.evaluate("window.release()")
    person.wait(f"{SAID}.innerText.includes('It did not answer.')", "what failed")
    person.settings()
    see_key(person, webhook)
    remove_webhook(person)


def lose(person, webhook):
    """Sets it, and is not answered; the key that was sent."""
    person.page.evaluate(HOLD, held="/api/channel.set", fails="late")
    person.page.evaluate("const {fetch} = window; window.fetch = (path, options) => { if (path === '/api/channel.set') window.sent = JSON.parse(options.body).secret; return fetch(path, options); };")
    person.choose("#channel-webhook", webhook)
    person.press("#weekly-save")
    person.wait("window.asked === 1", "it is being saved")
    person.page.evaluate("window.release()")
    person.wait("document.querySelector('.dialog-problem').innerText.includes('It did not answer.')", "that it was not answered")
    return person.read("window.sent")


def save_with_key(person, webhook, key):
    person.press("#weekly-save")
    see_key(person, webhook, key)


def see_key(person, webhook, key=None):
    """The key of what is set: `key`, if that is known."""
    person.wait("document.querySelector('#webhook-key')", "the key")
    shown = person.read("document.querySelector('#webhook-key code').innerText")
    person.expect("what is set, its key, and what is still to be saved", [webhook in person.world.run("screentime", "report", "weekly"), shown, person.read("document.querySelector('#weekly-save')")], [True, key or shown, None])


def fail_after_leaving(person):
    """Who has closed the dialog is told what failed."""
    leave_while_saving(person, "#weekly-day", "1", "/api/notification.post", fails=True)
    person.page.evaluate("window.release()")
    person.wait(f"{SAID}.innerText.includes('It did not answer.')", "what failed")
    person.expect("what is saved", planned_day(person), 4)


def leave_written_address(person):
    """What is written or chosen and not saved is nothing, however Settings are left; who writes keeps the field."""
    field = "document.querySelector('#channel-webhook')"
    person.world.run("screentime", "report", "weekly", "--off")
    person.open("today")
    person.settings()
    set_day(person, "3")
    person.page.key("Escape", number=27)
    person.closed()
    for leave in (lambda: person.page.key("Escape", number=27), lambda: person.press("dialog header button")):
        person.settings()
        person.type("#channel-webhook", "http://127.0.0.1:9/half")
        person.choose("#weekly-day", "4")
        leave()
        person.closed()
        person.settings()
        person.wait(field, "settings again")
        person.expect("what is set, and shown", ["127.0.0.1" in person.world.run("screentime", "report", "weekly"), planned_day(person), person.read(f"{field}.value"), shown_day(person)], [False, 4, "", "3"])
        person.page.key("Escape", number=27)
        person.closed()
    # Where the report is off and no address is set, a field that is emptied stays under the cursor.
    person.settings()
    person.type("#channel-webhook", "x")
    person.choose("#weekly-day", "")
    empty(person, field)
    person.expect("the field", person.read("[document.activeElement.id, document.activeElement.value]"), ["channel-webhook", ""])
    person.press("#weekly-save")
    person.said(person.word("settings.saved"))
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
