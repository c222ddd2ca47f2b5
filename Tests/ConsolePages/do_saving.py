"""What is written, dismissed or changed elsewhere while a form of the built-in apps is saved."""

import json

from do_covers import COUNTED, MAPS, covered
from do_limits import limits
from do_programs import ask_permission, select_new


def open_form(person, page, program, button, field):
    """The form of an app, with a selection."""
    if not person.told(program, "status")["authorized"]:
        ask_permission(person, page, program)
    person.open(page)
    person.press_word(button)
    select_new(person, field, "vlc")


def begin_to_save(person):
    """The form is saved up to where its selection is looked for."""
    person.page.evaluate(COUNTED, held="/api/selection.list")
    person.press("dialog .actions .primary")
    person.wait("window.isAsked", "it begins to be saved")


def end(person, program):
    person.world.run(program, "stop")
    person.until("it is stopped", lambda: not person.told(program, "status").get("running"))


def write_while_saving(person):
    """An app is given what was in the form when Save was pressed."""
    status = lambda program: person.told(program, "status")
    open_form(person, "downtime", "downtime", "evening.start", "evening-selection")
    person.choose("#evening-from", "21:00")
    person.choose("#evening-to", "23:00")
    begin_to_save(person)
    # What is written now would cover at once.
    person.choose("#evening-from", "16:00")
    person.page.evaluate("window.release()")
    person.closed()
    found = status("downtime")
    person.expect("the evening", (found["from"], found["to"], found["shielding"]), ("21:00", "23:00", False))
    end(person, "downtime")
    open_form(person, "encouragement", "encouragement", "encouragement.start", "promise-selection")
    person.type("#promise-say", "Read instead")
    begin_to_save(person)
    person.page.evaluate("const field = document.querySelector('#promise-say'); field.value = ''; field.dispatchEvent(new Event('input'))")
    person.page.evaluate("window.release()")
    person.closed()
    person.expect("the sentence", status("encouragement")["sentence"], "Read instead")
    end(person, "encouragement")


def cancel_while_written(person):
    """What is dismissed before the app was asked is not saved."""
    open_form(person, "downtime", "downtime", "evening.start", "evening-selection")
    person.choose("#evening-from", "21:00")
    person.choose("#evening-to", "23:00")
    begin_to_save(person)
    person.press_word("action.cancel", "dialog")
    person.closed()
    person.page.evaluate("window.release()")
    person.wait("window.pending === 0", "it is over")
    person.expect("the evening", person.told("downtime", "status")["running"], False)


def fail_to_ask(person):
    """That the permission could not be asked for is said."""
    if person.told("encouragement", "status")["authorized"]:
        person.world.run("screentime", "authorization", "revoke", "org.screentime.encouragement")
    person.open("encouragement")
    person.page.evaluate("""const {fetch} = window; window.fetch = async (asked, options) => asked.startsWith('/api/app.run')
        ? new Response(JSON.stringify({title: 'unavailable', status: 503}), {status: 503, headers: {'Content-Type': 'application/problem+json'}})
        : fetch(asked, options);""")
    person.press_word("permission.ask")
    person.wait("document.querySelector('#toasts').textContent", "it is said")
    person.expect("what is said", person.word("error.unavailable") in person.text("#toasts"), True)


def edit_limit(person):
    """Opens the form of a limit of one hour on weekdays."""
    person.world.run("limits", "set", MAPS, "1h", "--days", "mon-fri")
    person.open("limits")
    person.press(f"[aria-label={json.dumps(person.word('limits.edit', name='Maps'), ensure_ascii=False)}]")
    person.dialog("the form of the limit")


def save_signed_out(person):
    """What is written when the session ends is saved after one signed in in another tab."""
    run = person.world.run
    edit_limit(person)
    person.choose("#limit-warn", "10")
    person.page.evaluate("""window.waits = 0; const dialog = document.querySelector('dialog'), {addEventListener} = dialog;
        dialog.addEventListener = (name, ...more) => { if (name === 'close') window.waits += 1; addEventListener.call(dialog, name, ...more); };""")
    elsewhere = """const {csrf} = await (await fetch('/session')).json();
        await fetch(path, {method: 'POST', headers: {'Content-Type': 'application/json', 'X-CSRF-Token': csrf ?? ''}, body: JSON.stringify(values)})"""
    person.page.evaluate(elsewhere, path="/session/end", values={})
    for _ in range(2):
        person.page.evaluate("document.querySelector('.dialog-problem').replaceChildren()")
        person.press("#limit-save")
        person.wait("document.querySelector('.dialog-problem').textContent", "that one is signed out")
        said = person.word("signin.ended") + " " + person.word("signin.here")
        person.expect("what is said", person.text(".dialog-problem"), said)
    person.forget_errors("401")
    person.look("signed out")
    person.page.evaluate(elsewhere, path="/session", values={"ticket": person.world.sign_in_address().split("#")[1]})
    person.forget_errors("401")
    person.press("#limit-save")
    person.closed()
    person.wait("!document.querySelector('.stale p')", "the connection is back")
    person.expect("how often it waits for the form to be closed", person.read("window.waits"), 1)
    person.forget_errors("403")
    found = {one["days"]: (one["seconds"], one.get("warnSeconds")) for one in limits(person)[MAPS]["limits"]}
    person.expect("the limits", found, {"mon-fri": (3600, 600)})
    run("limits", "remove", MAPS)


def keep_stricter_amount(person):
    """Of a limit, only what is changed in the form is written: the amount that another window set stays."""
    run = person.world.run
    edit_limit(person)
    run("limits", "set", MAPS, "30m", "--days", "mon")
    person.choose("#limit-warn", "10")
    person.press("#limit-save")
    person.closed()
    found = {one["days"]: (one["seconds"], one.get("warnSeconds")) for one in limits(person)[MAPS]["limits"]}
    person.expect("the limits", found, {"mon": (1800, 600), "tue-fri": (3600, 600)})
    run("limits", "remove", MAPS)


def begin_day_later(person):
    """Another start of the day, which would use a limit up, is asked about; and what is set after it covers nothing else."""
    run = person.world.run
    start = lambda time: run("screentime", "member", "set", person.world.me(), "--day-start", time)
    start("15:00")
    run("limits", "total", "3h")
    person.until("nothing is covered", lambda: covered(person) == [])
    person.open("today")
    person.settings()
    person.wait("document.querySelector('#day-start')?.value === '15:00'", "the day's start")
    for word in ("action.cancel", "now.action"):
        # Some browsers tell each part that is typed.
        for time in ("04:00", "00:00"):
            person.choose("#day-start", time)
        person.press("#day-start-save")
        person.wait("document.querySelectorAll('dialog').length === 2", "the question")
        person.press_word(word, "dialog:last-of-type")
        person.wait("document.querySelectorAll('dialog').length === 1", "its answer")
        if word == "action.cancel":
            person.expect("nothing is covered", covered(person), [])
            person.expect("what was typed can be saved", person.read("document.querySelector('#day-start').value"), "00:00")
    person.until("it is covered", lambda: ("category", "all") in covered(person))
    # It is lifted without a question.
    person.wait("!document.querySelector('#day-start-save')", "it is saved")
    person.choose("#day-start", "15:00")
    person.page.evaluate(COUNTED, held="/api/member.set")
    person.press("#day-start-save")
    person.wait("window.isAsked", "it begins to be saved")
    person.choose("#day-start", "14:00")
    person.page.evaluate("window.release()")
    person.until("nothing is covered", lambda: covered(person) == [])
    person.wait("document.querySelector('#day-start-save:not([aria-busy=true])')", "it can be saved again")
    person.expect("what was typed meanwhile", person.read("document.querySelector('#day-start').value"), "14:00")
    person.press("#day-start-save")
    person.wait("!document.querySelector('#day-start-save')", "that is saved, too")
    person.expect("the day's start", person.told("screentime", "member", "list")["members"][0]["day_start_minutes"], 14 * 60)
    # Changed by a command, limits keep their day until they are set or renewed: no other change covers.
    start("00:00")
    run("limits", "allow", MAPS)
    person.expect("after another change", covered(person), [])
    said = run("limits", "list")
    person.expect("the list says so", "limits renew" in said, True)
    person.open("today")
    person.settings()
    person.press("#day-start-save")
    person.wait("document.querySelectorAll('dialog').length === 2", "the question")
    person.look("a day start that limits do not have yet")
    person.press_word("now.action", "dialog:last-of-type")
    person.until("it is renewed", lambda: ("category", "all") in covered(person))
    person.wait("!document.querySelector('#day-start-save')", "all have it")
    run("limits", "disallow", MAPS)
    run("limits", "remove", "total")


def wake_up(person):
    """After the machine slept, the page's clock is behind: it is read again with the page."""
    person.open("today")
    person.page.evaluate("""const {now} = Date; window.asked = 0; const {fetch} = window;
        window.fetch = (path, options) => { window.asked += path.startsWith('/api/time.status'); return fetch(path, options); };
        const clock = await import('/app/clock.js'); clock.set({now: clock.now(), timeZone: clock.timeZone()});
        Date.now = () => now() + 8 * 3600 * 1000; window.isOld = clock.isOld();""")
    person.expect("whether the clock is behind", person.read("window.isOld"), True)
    person.page.evaluate("dispatchEvent(new Event('focus'))")
    person.wait("window.asked > 0", "the clock is read again")
    person.page.wait_for("!(await import('/app/clock.js')).isOld()", "it is right")


def resolve_skipped_times(person):
    """Windows where a clock change skips or repeats their minutes, as docs/time.md resolves them."""
    found = person.page.evaluate("""const clock = await import('/app/clock.js'); const {windowAt} = await import('/app/data/week.js');
        const was = clock.timeZone(); const off = [{from: 135, to: 165}];
        const isOff = (date, instant) => clock.asMember({zone: 'Europe/Berlin'}, () => Boolean(windowAt(off, date, Date.parse(instant))));
        return [['2024-03-31', '2024-03-31T01:20:00Z'], ['2024-03-31', '2024-03-31T01:10:00Z'], ['2024-03-31', '2024-03-31T01:50:00Z'],
            ['2024-10-27', '2024-10-27T00:20:00Z'], ['2024-10-27', '2024-10-27T01:20:00Z']].map(([date, instant]) => isOff(date, instant))""")
    # 02:15 of a day without it is 03:15; of a day with two, the first.
    person.expect("whether it is off", found, [True, False, False, True, False])
