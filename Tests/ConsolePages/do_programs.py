"""What a person does with the built-in apps: Habits, Worklog, Encouragement, the evening of Downtime."""

import json


def ask_permission(person, page, program):
    """Refused once, asked again, and allowed."""
    person.open(page)
    for answer in ("deny", "allow"):
        person.press_word("permission.ask")
        person.dialog("the question")
        person.forget_errors("422", "app.run")
        person.look(f"permission of {program}")
        person.press_word(f"permission.{answer}", "dialog")
        person.closed()
        if answer == "deny":
            person.wait("!document.querySelector('main [aria-busy=true]')", "the answer arrived")
            person.wait(f"[...document.querySelectorAll('main button')].some(one => one.textContent.trim() === {json.dumps(person.word('permission.ask'))})", "it can be asked again")
    # The app said that it was refused.
    person.forget_errors("422", "app.run")
    wanted = f"org.screentime.{program}"
    person.wait(f"!document.querySelector('main [aria-busy=true]') && ![...document.querySelectorAll('main button')].some(one => one.textContent.trim() === {json.dumps(person.word('permission.ask'))})", "it is allowed")
    states = [one["status"] for one in person.call("authorization.list", client=wanted)["authorizations"]]
    person.expect(f"permission of {program}", states, ["approved"])


def select_new(person, field, *searches):
    """Makes a selection for the field of the form."""
    group = f"[aria-labelledby={field}-label]"
    person.wait(f"document.querySelector({json.dumps(group)})", field)
    text = person.word("selection.new")
    person.page.evaluate(
        "[...document.querySelectorAll(group + ' button')].find(one => one.textContent.trim() === text).click()",
        group=group + ".inline", text=text)
    person.pick(*searches)
    person.wait(f"document.querySelector('#{field}')?.value", "the selection is chosen")


def save(person):
    """The form on top."""
    person.wait("!document.querySelector('dialog .actions .primary').disabled", "the form can be saved")
    person.press("dialog .actions .primary")
    person.closed()


def habits(person):
    ask_permission(person, "habits", "streaks")
    name = '지금 <b>"less"</b> = 1'
    person.press_word("habits.add")
    person.type("#habit-name", name)
    select_new(person, "habit-selection", "steam")
    person.amount("habit-amount", 1, 15)
    person.look("a new habit")
    save(person)
    person.wait("document.querySelector('.rows .streak')", "the habit is listed")
    found = person.told("streaks", "list")
    person.expect("a habit", [(one["task"], one["aim"], one["minutes"], one["counted"]) for one in found], [(name, "decrease", 75, True)])
    person.expect("its name", person.text(".rows .name"), name)
    # Another with the same selection, which is edited first; the other way round.
    person.press_word("habits.add")
    person.type("#habit-name", "--")
    person.wait("document.querySelector('dialog .actions .primary').disabled", "an option is no name")
    person.type("#habit-name", "Read")
    person.press_word("habits.aim.increase", "dialog")
    person.press_word("selection.edit", "dialog")
    person.wait("document.querySelector('#picker-search')", "the picker")
    person.type("#picker-search", "wikipedia.org")
    person.press("#picker-list li:first-child input")
    person.press_word("picker.done", "dialog", n=2)
    person.wait("document.querySelectorAll('dialog').length === 1 && document.querySelector('dialog').innerText.includes('wikipedia.org')", "the site is in the selection")
    save(person)
    person.wait("document.querySelectorAll('.rows .streak').length === 2", "two habits")
    chosen = person.call("selection.list", client="org.screentime.streaks")["selections"]
    person.expect("the edited selection", [(one["applications"], one["web_domains"]) for one in chosen], [(["com.valvesoftware.Steam"], ["wikipedia.org"])])
    person.look("habits")
    for left in (1, 0):
        person.press(".rows .end button")
        person.confirm()
        person.wait(f"document.querySelectorAll('.rows .streak').length === {left}", "it is removed")
    person.expect("no habits", person.told("streaks", "list"), [])


def worklog(person):
    status = lambda: person.told("worklog", "status")
    ask_permission(person, "worklog", "worklog")
    person.press_word("worklog.setup")
    person.dialog("the form")
    select_new(person, "setup-gaming", "youtube.com")
    select_new(person, "setup-social", "reddit.com", "github.com")
    person.look("what is closed")
    save(person)
    shut = person.word("worklog.shut")
    person.wait(f"[...document.querySelectorAll('.rows .tag')].filter(one => one.textContent === {json.dumps(shut)}).length === 2", "both are closed")
    found = status()
    person.expect("both are closed", (found["gamingShut"], found["socialShut"]), (True, True))
    covered = {one["subject"] for one in person.call("shield.list")["shields"] if one["kind"] == "domain"}
    person.expect("the sites are covered", covered >= {"youtube.com", "reddit.com", "github.com"}, True)
    switch_evenings(person)
    person.press_word("worklog.goalSet")
    select_new(person, "goal-selection", "builder")
    person.amount("goal-amount", 20, 0)
    save(person)
    person.wait("document.querySelectorAll('[aria-labelledby=goal] button').length === 2", "the goal")
    found = status()
    person.expect("the goal", (found["goalMinutes"], found["goalReached"]), (1200, False))
    person.look("worklog with a goal")
    person.press_word("action.change", "[aria-labelledby=goal]")
    person.amount("goal-amount", 19, 59)
    save(person)
    person.wait(f"document.querySelector('[aria-labelledby=goal] .quiet').innerText.includes({json.dumps(person.duration(1199))})", "the changed goal")
    person.press_word("action.remove", "[aria-labelledby=goal]")
    person.wait("document.querySelectorAll('[aria-labelledby=goal] button').length === 1", "no goal")
    # What acts is chosen in the form when it is opened again.
    person.press_word("action.change", "[aria-labelledby=stores]")
    person.wait("document.querySelector('dialog')?.innerText.includes('youtube.com') && document.querySelector('dialog').innerText.includes('github.com')", "what acts now")
    person.press_word("action.cancel", "dialog")
    person.closed()
    person.press_word("worklog.stop", "[aria-labelledby=stores]")
    person.confirm("worklog.stop")
    person.wait("document.querySelector('.empty')", "nothing is closed")
    found = status()
    person.expect("stopped", (found["gamingShut"], found["socialShut"], found["evenings"], found.get("goalMinutes")), (False, False, False, None))
    person.expect("no shield is left", person.call("shield.list")["shields"], [])


def switch_evenings(person):
    """On and off by a press; and by somebody else, also while a press is being carried out."""
    is_on = lambda value: f"document.querySelector('.switch input').checked === {json.dumps(value)}"
    at_rest = "!document.querySelector('.switch input[aria-busy=true]')"
    said = lambda: person.told("worklog", "status")["evenings"]
    for value in (True, False):
        person.press(".switch input")
        person.wait(f"{at_rest} && {is_on(value)}", f"evenings {value}")
        person.expect("evenings", said(), value)
    for value in (True, False):
        person.world.run("worklog", "evenings", "on" if value else "off")
        person.wait(is_on(value), f"evenings {value}, by somebody else")
    person.page.evaluate("""const {fetch} = window; window.sent = 0;
        const isHeld = new Promise(resolve => { window.release = () => { window.fetch = fetch; resolve(); }; });
        window.fetch = async (path, options) => {
            if (path === '/api/app.run' && options.body.includes('evenings')) { window.sent += 1; await isHeld; }
            return fetch(path, options);
        }""")
    person.press(".switch input")
    person.world.run("worklog", "until", "50", "--selection", "selection 1")
    person.wait("document.querySelectorAll('[aria-labelledby=goal] button').length === 2", "the page is drawn again")
    person.expect("what is being switched", person.read(f"[{at_rest}, document.querySelector('.switch input').checked]"), [False, True])
    person.page.evaluate("window.release()")
    person.wait(f"{at_rest} && {is_on(True)}", "evenings at last")
    person.expect("how often it was asked", (person.read("window.sent"), said()), (1, True))
    person.press(".switch input")
    person.wait(f"{at_rest} && {is_on(False)}", "evenings off")
    person.world.run("worklog", "until", "none")
    person.wait("document.querySelectorAll('[aria-labelledby=goal] button').length === 1", "no goal")


def encouragement(person):
    status = lambda: person.told("encouragement", "status")
    ask_permission(person, "encouragement", "encouragement")
    say = "--그만! <i>Enough</i>"
    person.press_word("encouragement.start")
    select_new(person, "promise-selection", "reddit.com")
    person.amount("promise-amount", 23, 30)
    person.type("#promise-say", say)
    save(person)
    person.wait("document.querySelector('.quote')", "the promise")
    found = status()
    person.expect("a promise", (found["running"], found["limitSeconds"], found["sentence"]), (True, 84_600, say))
    person.expect("its words", person.text(".quote"), say)
    person.look("a promise")
    person.press_word("action.change")
    person.type("#promise-say", "Now the book.")
    save(person)
    person.wait("document.querySelector('.quote').innerText === 'Now the book.'", "the other words")
    person.expect("other words", status()["sentence"], "Now the book.")
    person.press_word("encouragement.stop")
    person.wait("document.querySelector('.empty')", "no promise")
    person.expect("stopped", status()["running"], False)


def evening(person):
    status = lambda: person.told("downtime", "status")
    ask_permission(person, "downtime", "downtime")
    person.press_word("evening.start")
    select_new(person, "evening-selection", "vlc")
    person.choose("#evening-from", "16:00")
    person.choose("#evening-to", "17:45")
    save(person)
    person.wait(f"document.querySelector('[aria-labelledby=evening]').innerText.includes({json.dumps(person.word('evening.shieldsNow'))})", "it covers now")
    found = status()
    person.expect("an evening", (found["from"], found["to"], found["shielding"]), ("16:00", "17:45", True))
    covered = [one["subject"] for one in person.call("shield.list")["shields"]]
    person.expect("the app is covered", covered, ["org.videolan.VLC"])
    person.look("the evening")
    person.press_word("action.change", "[aria-labelledby=evening]")
    person.choose("#evening-from", "21:00")
    person.choose("#evening-to", "06:30")
    save(person)
    person.wait(f"!document.querySelector('[aria-labelledby=evening]').innerText.includes({json.dumps(person.word('evening.shieldsNow'))})", "it covers later")
    person.expect("another evening", (status()["from"], status()["to"]), ("21:00", "06:30"))
    person.press_word("evening.stop", "[aria-labelledby=evening]")
    person.wait(f"[...document.querySelectorAll('main button')].some(one => one.textContent === {json.dumps(person.word('evening.start'))})", "it is stopped")
    person.expect("stopped", status()["running"], False)
