"""Presses with a real pointer while a page moves, and what they do."""

import json
import threading

from page import COUNT_HELD, PageError, poll
from do_today import answer_question

STILL = "!document.querySelector('[data-settling]')"


def middle(person, element):
    """Where the middle of an element is on the screen, once it is in sight."""
    return person.read(f"""(() => {{
        const element = {element};
        element.scrollIntoView({{block: 'nearest'}});
        const box = element.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    }})()""")


def click(person, where):
    x, y = where
    person.page.press_at(x, y)


def tap(person, where):
    x, y = where
    person.page.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    person.page.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


#: What was changed is on the screen.
DRAWN = "await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))"


def move_down(person, by):
    """Everything stands so many pixels lower, and is drawn there."""
    person.page.evaluate(f"document.querySelector('main .page').style.paddingBlockStart = `${{by}}px`; {DRAWN}", by=by)


def move_back(person):
    person.page.evaluate("document.querySelector('main .page').style.paddingBlockStart = ''")
    person.wait(STILL, "that it stands still")


def in_time(person, prepare, press, restore):
    """
    Does `prepare` and `press`, again after `restore` if that took so long that the press may have been one.
    Returns what `press` returned.
    """
    for _ in range(10):
        began = person.read("performance.now()")
        prepare()
        result = press()
        # Held for 700 ms after the page changed (pause.js).
        if person.read("performance.now()") - began < 650:
            return result
        person.wait(STILL, "that it stands still")
        restore()
    raise PageError("ten presses came too late")


def press_twice(person):
    """A second Enter, or a double click, on what decides about one does not decide about the next."""
    run = person.world.run
    pending = lambda: [one["subject"] for one in person.call("request.list", state="pending")["requests"]]
    still = "document.querySelectorAll('.request').length === {} && !document.querySelector('[data-settling]')"
    place = lambda number: f"[...document.querySelectorAll('.request')][{number}].querySelector('.actions').lastElementChild"
    for one in person.call("request.list", state="pending")["requests"]:
        run("screentime", "requests", "deny", one["id"])
    person.open("requests")
    for way in ("keys", "pointer"):
        for app in ("org.gnome.Maps", "firefox"):
            run("screentime", "request", f"app:{app}", "--minutes", "10")
        person.wait(still.format(2), "two requests, the first one on top")
        person.expect("whoever asked first is first", person.text(".request h3"), "Maps")
        if way == "keys":
            person.page.evaluate(f"{place(0)}.focus()")
            press = lambda: person.page.key("Enter", number=13)
        else:
            where = middle(person, place(0))
            press = lambda: click(person, where)
        person.page.evaluate("""window.changed = 0;
            new MutationObserver(() => { window.changed ||= performance.now(); }).observe(document.querySelector('.request').parentNode, {childList: true})""")
        press()
        person.wait("window.changed > 0", "the first one is decided")
        press()
        busy, time = person.read("[document.querySelectorAll('.request [aria-busy=true]').length, performance.now() - window.changed]")
        if time > 600:
            # Too late: the list stood still already.
            return press_twice(person)
        person.expect(f"what the second press does: {way}", busy, 0)
        person.wait(still.format(1), "that it stands still")
        person.expect(f"what waits after two presses: {way}", pending(), ["firefox"])
        if way == "keys":
            person.expect("the focus", person.read("document.activeElement.id"), "waiting")
        person.press_word("requests.deny")
        person.wait("!document.querySelector('.request')", "the other one is decided")
    decide_while_others_ask(person)


def decide_while_others_ask(person):
    """What stands above a new request has not moved: it can be decided at once, however many come."""
    run = person.world.run
    run("screentime", "request", "app:org.gnome.Maps", "--minutes", "10")
    person.wait("document.querySelectorAll('.request').length === 1 && !document.querySelector('[data-settling]')", "one request")
    deny = "document.querySelector('.request .actions').lastElementChild"
    where = middle(person, deny)
    run("screentime", "request", "app:firefox", "--minutes", "10")
    person.wait("document.querySelectorAll('.request').length === 2", "another one")
    person.expect("what may not be pressed yet", person.read("document.querySelector('.request').querySelectorAll('[data-settling]').length"), 0)
    click(person, where)
    person.wait("document.querySelectorAll('.request').length === 1", "the first one is decided")
    person.expect("what waits", [one["subject"] for one in person.call("request.list", state="pending")["requests"]], ["firefox"])
    # What is said above the page comes and goes by itself.
    box = "document.querySelector('main [data-key=stale-data]')"
    with person.world.down("shield-service"):
        person.page.evaluate("dispatchEvent(new Event('focus'))")
        person.wait(box, "what is not known")
        # Reading makes them known here.
        failed = lambda name: person.read("true") and any(name in one for one in person.page.errors)
        if person.page.logs_requests:
            person.until("both are logged", lambda: failed("exception.list") and failed("exception.history"))
        for status in ("503", "504"):
            person.forget_errors(status)
        person.look("a page that is out of date")
    person.wait(f"!{box}", "that it is known again")
    for status in ("503", "504"):
        person.forget_errors(status)
    person.press_word("requests.deny")
    person.wait("!document.querySelector('.request')", "the other one is decided")


def press_what_moves(person):
    """Where a button was, another one that has just come there is not pressed; a moment later it is."""
    run = person.world.run
    person.open("requests")
    deny = lambda number: f"[...document.querySelectorAll('.request')][{number}].querySelector('.actions').lastElementChild"

    def ask():
        for one in person.call("request.list", state="pending")["requests"]:
            run("screentime", "requests", "deny", one["id"])
        person.wait("!document.querySelector('.request')", "no requests")
        for app in ("org.gnome.Maps", "firefox"):
            run("screentime", "request", f"app:{app}", "--minutes", "10")
        person.wait(f"document.querySelectorAll('.request').length === 2 && {STILL}", "two requests")
        where = middle(person, deny(1))
        return where, where[1] - middle(person, deny(0))[1]

    where, by = ask()

    def again():
        move_back(person)
        ask()

    def press():
        click(person, where)
        return person.read("document.querySelectorAll('.request [aria-busy=true]').length")

    person.expect("what a press does at once where another one was", in_time(person, lambda: move_down(person, by), press, again), 0)
    person.wait(STILL, "that it stands still")
    person.expect("how many wait then", person.read("document.querySelectorAll('.request').length"), 2)
    click(person, where)
    person.wait("document.querySelectorAll('.request').length === 1", "the one that stands there is decided")
    person.expect("what waits", [one["subject"] for one in person.call("request.list", state="pending")["requests"]], ["firefox"])
    move_back(person)
    person.press_word("requests.deny")
    person.wait("!document.querySelector('.request')", "both are decided")


def press_at_the_end(person):
    """A page that gets shorter at its end moves on the screen, though not in itself."""
    run = person.world.run
    rows = "[...document.querySelectorAll('[aria-labelledby=open-now] li')]"

    def begin():
        end_exceptions(person)
        person.open("requests")
        for app in ("org.gnome.Maps", "firefox", "org.kde.kalzium"):
            run("screentime", "request", f"app:{app}", "--minutes", "10")
        for one in person.call("request.list", state="pending")["requests"]:
            run("screentime", "requests", "approve", one["id"])
        person.wait(f"{rows}.length === 3 && {rows}.every(row => !row.querySelector('[aria-busy=true]'))", "three that are open")
        # Nothing below them, and more than the window holds above them.
        person.page.evaluate("""for (const one of document.querySelectorAll('[aria-labelledby=past], [aria-labelledby=audit]')) one.remove();""")
        move_down(person, 2000)
        person.page.evaluate(f"scrollTo(0, document.documentElement.scrollHeight); {DRAWN}")
        person.wait(STILL, "that it stands still")
        subjects = person.read(f"{rows}.map(row => row.querySelector('.name').innerText)")
        return subjects, person.read(f"{rows}[0].dataset.key"), middle(person, f"{rows}[1].querySelector('button')")

    subjects, first, where = begin()

    def again():
        nonlocal subjects, first, where
        subjects, first, where = begin()

    def press():
        click(person, where)
        return person.read(f"{rows}.filter(row => row.querySelector('[aria-busy=true]')).length")

    # As an event of somebody else does, without drawing what was taken away here.
    person.expect("what a press does at once where another row was", in_time(person, lambda: person.page.evaluate(f"{rows}[2].remove(); {DRAWN}"), press, again), 0)
    person.expect("what stands there", person.read(f"document.elementFromPoint({where[0]}, {where[1]}).closest('li')?.querySelector('.name').innerText"), subjects[0])
    open_now = person.call("exception.list")["exceptions"]
    person.expect("what is open", len(open_now), 3)
    person.wait(STILL, "that it stands still")
    click(person, where)
    poll(lambda: len(person.call("exception.list")["exceptions"]) < 3)
    person.expect("what is open after another press", sorted(one["subject"] for one in person.call("exception.list")["exceptions"]), sorted(one["subject"] for one in open_now if one["id"] != first))
    end_exceptions(person)


def end_exceptions(person):
    for one in person.call("exception.list")["exceptions"]:
        person.world.run("screentime", "exceptions", "end", one["id"])


def press_while_it_moves(person):
    """Whoever keeps a list moving keeps nobody from pressing what stands below it."""
    run = person.world.run
    person.open("requests")
    for app in ("firefox", "org.kde.kalzium"):
        run("screentime", "request", f"app:{app}", "--minutes", "10")
        run("screentime", "requests", "approve", person.call("request.list", state="pending")["requests"][0]["id"])
    button = "document.querySelectorAll('[aria-labelledby=open-now] li button')[1]"
    person.wait(button, "what is open")
    # What moves comes where others were, at every width.
    person.page.evaluate("""const sheet = new CSSStyleSheet();
        sheet.replaceSync('[aria-labelledby=open-now] li button { block-size: 200px }');
        document.adoptedStyleSheets = [sheet]""")
    isOver, failures = threading.Event(), []

    def ask():
        try:
            while not isOver.is_set():
                asked = json.loads(run("screentime", "request", "app:org.gnome.Maps", "--minutes", "10", "--json"))
                run("screentime", "requests", "withdraw", asked["request"]["id"])
        except BaseException as error:
            failures.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        person.wait("document.querySelector('.request')", "somebody asks")
        ends = lambda: len(person.call("exception.list")["exceptions"]) == 1
        presses = 0
        while not ends() and presses < 15:
            click(person, middle(person, button))
            person.wait("!document.querySelector('[data-held]')", "that it may be pressed")
            presses += 1
        person.expect("it is ended", ends(), True)
        person.expect("what went wrong with asking", failures, [])
    finally:
        isOver.set()
        asking.join()
    person.wait("!document.querySelector('.request')", "nothing waits")
    run("screentime", "exceptions", "end", person.call("exception.list")["exceptions"][0]["id"])


def press_switches(person):
    """A press where the switch of another app was does not switch; nor does what closes a dialog."""
    run = person.world.run
    one, other = "org.example.alpha", "org.example.beta"
    person.open("apps")
    for client in (one, other):
        answer_question(person, client)
    switch = lambda client, number: f"document.querySelectorAll(`[data-key='{client}'] .switch`)[{number}]"
    person.wait(f"{switch(one, 1)} && {switch(other, 1)} && {STILL}", "the switches of two")
    state = lambda: [(found["access"], found["restrictions"]) for client in (one, other) for found in person.call("authorization.list", client=client)["authorizations"]]
    where = middle(person, switch(other, 1))
    by = where[1] - middle(person, switch(one, 1))[1]

    def turn_back():
        move_back(person)
        for client in (one, other):
            run("screentime", "authorization", "restrictions", client, "on")
        person.wait(f"{switch(one, 1)}.control.checked && {switch(other, 1)}.control.checked && {STILL}", "both are on")

    in_time(person, lambda: move_down(person, by), lambda: click(person, where), turn_back)
    person.wait(STILL, "that it stands still")
    person.expect("no switch was moved", state(), [(True, True)] * 2)
    move_back(person)
    # A dialog that is closed by a press beside it, and by the first press of a double click.
    person.page.send("Emulation.setTouchEmulationEnabled", enabled=True)
    for name in ("a tap beside it", "two taps beside it", "two taps on what closes it"):
        person.page.click_on(switch(one, 0))
        person.wait("document.querySelector('dialog[open]')", "the question")
        person.wait(STILL, "that it stands still")
        cancel = "[...document.querySelectorAll('dialog[open] .actions button')].at(-1)"
        box = person.read("(() => { const box = document.querySelector('dialog[open]').getBoundingClientRect(); return [box.x, box.bottom]; })()")
        # The switch below the pointer, whatever the dialog hides.
        where = middle(person, cancel) if name.endswith("closes it") else (box[0] + 40, box[1] + 40)
        person.page.evaluate("""const label = document.querySelectorAll(`[data-key='${client}'] .switch`)[1];
            label.style.cssText = `position: fixed; left: ${x - 40}px; top: ${y - 20}px; width: 120px; height: 40px`;
            """ + DRAWN, client=one, x=where[0], y=where[1])
        # One that comes too soon after it was opened does not close it.
        is_closed = lambda: tap(person, where) or person.read("document.querySelector('dialog') === null")
        person.expect(f"it closes: {name}", poll(is_closed), True)
        if name.startswith("two"):
            tap(person, where)
        person.wait(STILL, "that it stands still")
        person.expect(f"no switch was moved: {name}", state(), [(True, True)] * 2)
        person.page.evaluate("document.querySelectorAll(`[data-key='${client}'] .switch`)[1].style.cssText = ''", client=one)
    person.page.send("Emulation.setTouchEmulationEnabled", enabled=False)


def open_by_double_click(person):
    """The second press of a double click neither answers the question that the first one opened, nor closes it."""
    client = "org.example.gamma"
    person.open("apps")
    answer_question(person, client)
    switch = f"document.querySelector(`[data-key='{client}'] .switch`)"
    person.wait(f"{switch} && {STILL}", "its switch")
    state = lambda: [one["access"] for one in person.call("authorization.list", client=client)["authorizations"]]
    # Where the question has nothing, and where it has its answer.
    person.page.click_on(switch)
    person.dialog("the question")
    answer = middle(person, "document.querySelector('dialog[open] .actions .danger')")
    person.press_word("action.cancel", "dialog")
    person.closed()
    for where in ((40, 300), answer):
        person.wait(STILL, "that it stands still")
        person.page.evaluate("""const label = document.querySelector(`[data-key='${client}'] .switch`);
            label.style.cssText = `position: fixed; left: ${x - 30}px; top: ${y - 20}px; width: 120px; height: 40px`;
            """ + DRAWN, client=client, x=where[0], y=where[1])
        person.wait(STILL, "that it stands still")
        click(person, where)
        person.dialog("the question")
        click(person, where)
        person.expect("the question is there", person.read("document.querySelectorAll('dialog[open]').length"), 1)
        person.press_word("action.cancel", "dialog")
        person.closed()
        person.expect("nothing is taken back", state(), [True])
        person.page.evaluate("document.querySelector(`[data-key='${client}'] .switch`).style.cssText = ''", client=client)


def press_keys(person):
    """A second Enter does not press what got the focus because the first one took away what had it."""
    person.open("requests")
    person.page.evaluate("""const {fill, h} = await import('/app/h.js');
        window.pressed = [];
        const draw = names => fill(document.querySelector('main'), h('ul', {}, names.map(name => h('li', {'data-key': name},
          h('button', {type: 'button', id: `press-${name}`, onclick: () => { pressed.push(name); draw(names.filter(one => one !== name)); }}, name)))));
        draw(['one', 'two', 'three']);
        document.querySelector('#press-three').focus()""")
    for _ in range(2):
        person.page.key("Enter", number=13)
    person.expect("what was pressed", person.read("pressed"), ["three"])
    person.expect("the focus", person.read("document.activeElement.id"), "press-one")
    person.expect("it is said", person.page.evaluate(DRAWN + "; return document.activeElement.hasAttribute('data-held')"), True)
    person.wait("!document.querySelector('[data-held]')", "it may be pressed")
    poll(lambda: person.page.key("Enter", number=13) or person.read("pressed.length") > 1)
    person.expect("what was pressed later", person.read("pressed"), ["three", "one"])


def press_in_question(person):
    """What a question asks is answered by nobody who did not see it: with a key, or where another answer was."""
    person.open("today")
    person.page.evaluate("""const {confirm} = await import('/app/parts/dialog.js');
        window.answers = [];
        window.ask = () => { confirm({title: 'Really?', text: 'It cannot be taken back.', action: 'Yes'}).then(one => answers.push(one ?? 'none')); };
        ask()""")
    person.page.key("Enter", number=13)
    person.expect("the second Enter of what opened it", person.read("answers"), [])
    poll(lambda: person.page.key("Enter", number=13) or person.read("answers.length") > 0)
    person.expect("a later one, on what closes it", person.read("answers"), ["none"])
    # A box is checked by its label, which has the sign.
    person.page.evaluate("""const {openDialog} = await import('/app/parts/dialog.js');
        const {h} = await import('/app/h.js');
        openDialog({title: 'Box', body: () => h('label', {}, h('input', {type: 'checkbox'}), 'Yes')})""")
    box = "document.querySelector('dialog input').checked"
    person.page.key(" ", "Space", 32)
    person.expect("a box that got the focus by itself", person.read(f"[{box}, document.querySelector('dialog label').hasAttribute('data-held')]"), [False, True])
    person.wait("!document.querySelector('[data-held]')", "it may be pressed")
    person.page.key(" ", "Space", 32)
    person.expect("a moment later", person.read(box), True)
    person.page.key("Escape", number=27)
    person.closed()
    person.page.evaluate(f"ask(); {DRAWN}")
    person.wait(STILL, "that it stands still")
    button = lambda number: f"document.querySelectorAll('dialog .actions button')[{number}]"
    where = middle(person, button(1))
    by = where[0] - middle(person, button(0))[0]
    move = lambda: person.page.evaluate(f"document.querySelector('dialog .actions').style.marginInlineStart = `${{by}}px`; {DRAWN}", by=by)

    def press():
        click(person, where)
        return person.read("document.querySelectorAll('dialog[open]').length")

    def ask_again():
        person.page.evaluate(f"document.querySelector('dialog[open]')?.close(); {DRAWN}; answers.splice(1); ask(); {DRAWN}")
        person.wait(STILL, "that it stands still")

    person.expect("a press where the other answer was", in_time(person, move, press, ask_again), 1)
    person.wait(STILL, "that it stands still")
    click(person, where)
    person.wait("answers.length === 2", "an answer")
    person.expect("a press a moment later", person.read("answers"), ["none", True])
    person.page.evaluate("""ask();
        window.held = new KeyboardEvent('keydown', {key: 'Enter', repeat: true, bubbles: true, cancelable: true});
        document.querySelector('dialog button').dispatchEvent(held)""")
    person.expect("a key that is held presses nothing", person.read("held.defaultPrevented"), True)
    person.page.key("Escape", number=27)
    person.closed()


def press_message(person):
    """A press on a message takes it away, and goes to nothing below it; nor does the next one at once."""
    person.open("requests")
    person.world.run("screentime", "request", "app:firefox", "--minutes", "10")
    person.wait("document.querySelector('.request')", "a request")
    where = person.page.evaluate("""(await import('/app/shell.js')).toast('What is said for some seconds.');
        const box = document.querySelector('.toast').getBoundingClientRect();
        const button = document.querySelector('.request .actions').lastElementChild;
        button.style.cssText = `position: fixed; left: ${box.x}px; top: ${box.y}px; width: ${box.width}px; height: ${box.height}px`;
        """ + DRAWN + """
        return [box.x + box.width / 2, box.y + box.height / 2]""")
    message = "document.querySelectorAll('.toast').length"
    click(person, where)
    person.expect("a press that was meant for what it has just covered", person.read(message), 1)
    is_gone = lambda: click(person, where) or person.read(message) == 0
    person.expect("the message goes", poll(is_gone, 5), True)
    click(person, where)
    person.expect("what is pressed below it", person.read("document.querySelectorAll('.request [aria-busy=true]').length"), 0)
    person.wait(STILL, "that it stands still")
    click(person, where)
    person.wait("!document.querySelector('.request')", "it is decided later")


def remove_once(person):
    """The second press of a double click does not take the next one as well."""
    person.open("downtime")
    person.press(".page-downtime .empty button.primary, .week .week-row button")
    person.dialog("the form of a day")
    windows = "document.querySelectorAll('dialog .windows li')"
    # More than the window holds: the form stays where it is, and the next one comes up.
    for _ in range(9):
        person.press_word("downtime.addWindow", "dialog")
    before = person.read(f"{windows}.length")
    person.expect("windows", before > 9, True)
    x, y = middle(person, f"{windows}[2].querySelector('button')")
    for count in (1, 2):
        for kind in ("mousePressed", "mouseReleased"):
            person.page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=count)
    person.expect("windows after a double click", person.read(f"{windows}.length"), before - 1)
    person.press_word("action.cancel", "dialog")
    person.closed()


def hold_finger(person):
    """A finger that rests on one request while that goes, or moves, decides nothing about the one that comes there."""
    run = person.world.run
    person.page.send("Emulation.setTouchEmulationEnabled", enabled=True)
    person.open("requests")
    asked = [json.loads(run("screentime", "request", f"app:{app}", "--minutes", "10", "--json"))["request"]["id"] for app in ("org.gnome.Maps", "firefox")]
    person.wait(f"document.querySelectorAll('.request').length === 2 && {STILL}", "two requests")
    allow = lambda number: f"[...document.querySelectorAll('.request')][{number}].querySelector('.actions button')"
    pending = lambda: [one["id"] for one in person.call("request.list", state="pending")["requests"]]
    where = middle(person, allow(0))
    by = middle(person, allow(1))[1] - where[1]
    release = touch(person, where)
    run("screentime", "requests", "withdraw", asked[0])
    person.wait(f"document.querySelectorAll('.request').length === 1 && {STILL}", "the other one stands still in its place")
    person.page.evaluate(f"scrollBy(0, {allow(0)}.getBoundingClientRect().y - y + 12)", y=where[1])
    before = person.page.evaluate(COUNT_HELD)
    release()
    person.wait(f"window.pressesHeld > {before}", "the press is held, and says so")
    person.wait(STILL, "it may be pressed")
    person.expect("what waits", pending(), asked[1:])
    # A button that moves away.
    where = middle(person, allow(0))
    release = touch(person, where)
    move_down(person, by)
    person.wait(STILL, "that it stands still")
    release()
    move_back(person)
    person.expect("what waits after it moved away", pending(), asked[1:])
    where = middle(person, allow(0))
    release = touch(person, where)
    person.wait(f"performance.now() - {person.read('performance.now()')} > 800", "a long press")
    release()
    person.until("a long press of what stays is a press", lambda: pending() == [])
    person.page.send("Emulation.setTouchEmulationEnabled", enabled=False)
    person.wait("!document.querySelector('.request')", "nothing waits")
    end_exceptions(person)


def touch(person, where):
    """Puts a finger there. Returns what lifts it."""
    x, y = where
    person.page.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    return lambda: person.page.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def press_menu_below(person):
    """The second press of a double click on what closes a dialog does not go to the menu below it."""
    link = "[...document.querySelectorAll('.side a[href=\"/today\"], .tabs a[href=\"/today\"]')].find(one => one.checkVisibility() && one.getBoundingClientRect().width > 0)"
    ask = """const {confirm} = await import('/app/parts/dialog.js');
        confirm({title: 'Really?', text: 'It cannot be taken back.', action: 'Yes'});
        const button = document.querySelector('dialog').querySelector('.actions').lastElementChild;
        button.style.cssText = `position: fixed; left: ${x - 40}px; top: ${y - 20}px; width: 80px; height: 40px`;
        """ + DRAWN
    for _ in range(10):
        person.open("requests")
        where = middle(person, link)
        person.page.evaluate(ask, x=where[0], y=where[1])
        person.wait(STILL, "that it stands still")
        began = person.read("performance.now()")
        click(person, where)
        open_dialogs = person.read("document.querySelectorAll('dialog[open]').length")
        click(person, where)
        path, held, now = person.read("[location.pathname, document.querySelectorAll('[data-held]').length, performance.now()]")
        if now - began < 600:
            break
    person.expect("the first press closes it; the page after the second one", [open_dialogs, path, held], [0, "/requests", 1])
    person.wait(STILL, "it may be pressed")
    click(person, where)
    person.wait("location.pathname === '/today'", "a press a moment later is one")


def press_escape_twice(person):
    """Escape closes the dialog above, however long it is held; the one below keeps what was written."""
    person.open("today")
    person.page.evaluate("""const {openDialog} = await import('/app/parts/dialog.js');
        const {h} = await import('/app/h.js');
        window.written = () => document.getElementById('written');
        window.form = () => {
            openDialog({title: 'Form', body: () => h('textarea', {id: 'written'})});
            written().value = 'kept';
        };
        window.above = () => { openDialog({title: 'Above', body: () => h('input', {})}); };""")
    dialogs = "document.querySelectorAll('dialog[open]').length"
    key = lambda kind, **more: person.page.send("Input.dispatchKeyEvent", type=kind, key="Escape", code="Escape", windowsVirtualKeyCode=27, **more)
    for repeat in (False, True):
        for _ in range(10):
            person.page.evaluate(f"written() || form(); above(); {DRAWN}")
            # What closed another one before is no second press any more.
            person.wait(f"performance.now() - {person.read('performance.now()')} > 800", "a moment later")
            began = person.read("performance.now()")
            key("keyDown")
            if not repeat:
                key("keyUp")
            key("keyDown", autoRepeat=repeat)
            found = person.read(f"[{dialogs}, written()?.value]")
            key("keyUp")
            if repeat or person.read("performance.now()") - began < 600:
                break
        person.expect("what is open, and what was written", found, [1, "kept"])
    poll(lambda: person.page.key("Escape", number=27) or person.read(dialogs) == 0)
    person.closed()


def press_turned_switch(person):
    """A switch that has just turned by itself is not turned back by whoever wanted to turn it."""
    client = "org.example.delta"
    person.open("apps")
    answer_question(person, client)
    switch = f"document.querySelectorAll(`[data-key='{client}'] .switch`)[1]"
    person.wait(f"{switch} && {STILL}", "its switches")
    state = lambda: [one["restrictions"] for one in person.call("authorization.list", client=client)["authorizations"]]
    where = middle(person, switch)
    wanted = False
    for _ in range(10):
        person.page.evaluate(f"""window.turned = 0;
            const look = () => {{
                if ({switch}.control.checked === wanted) window.turned = performance.now();
                else requestAnimationFrame(look);
            }};
            look()""", wanted=wanted)
        person.world.run("screentime", "authorization", "restrictions", client, "on" if wanted else "off")
        person.wait("turned > 0", "it turns")
        click(person, where)
        held, after = person.read(f"[document.querySelectorAll('[data-held]').length, performance.now() - turned]")
        if after < 600:
            break
        # Too late: it may have been a press.
        person.wait(STILL, "that it stands still")
        person.until("it shows what it is", lambda: person.read(f"{switch}.control.checked") == state()[0])
        wanted = not state()[0]
    person.expect("the press is held, and says so", held, 1)
    person.expect("what it is", [state(), person.read("document.querySelectorAll('dialog[open]').length")], [[wanted], 0])
    person.wait(STILL, "it may be pressed")
    if not wanted:
        click(person, where)
        person.until("a press a moment later turns it", lambda: state() == [True])


def press_moved_switch(person):
    """A switch that was pressed has not turned by itself, whatever else changes meanwhile."""
    client = "org.example.epsilon"
    person.open("apps")
    answer_question(person, client)
    switch = f"document.querySelectorAll(`[data-key='{client}'] .switch input`)[1]"
    person.wait(f"{switch} && {STILL}", "its switches")
    state = lambda: [one["restrictions"] for one in person.call("authorization.list", client=client)["authorizations"]]
    person.page.evaluate("addEventListener('mouseup', () => document.querySelector('h1').append(' '), {once: true})")
    click(person, middle(person, switch))
    person.until("it is turned", lambda: state() == [False])


def press_again_beside(person):
    """A button that stood there is pressed at once after a press beside it, and while another button of the mouse is down."""
    person.open("today")
    person.page.evaluate("""const button = document.createElement('button');
        button.style.cssText = 'position: fixed; left: 400px; top: 300px; width: 60px; height: 24px'.replace('400', Math.min(400, innerWidth - 100));
        button.onclick = () => { window.pressed = (window.pressed ?? 0) + 1; };
        window.beside = button;
        document.querySelector('main').append(button); """ + DRAWN)
    person.wait(STILL, "that it stands still")
    x, top = person.read("[window.beside.getBoundingClientRect().x + 20, window.beside.getBoundingClientRect().y]")
    click(person, (x, top - 6))
    click(person, (x, top + 6))
    person.expect("pressed after a press beside it", person.read("window.pressed"), 1)
    mouse = lambda kind, y, button, buttons: person.page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons, clickCount=1)
    mouse("mousePressed", top - 100, "right", 2)
    mouse("mousePressed", top + 6, "left", 3)
    mouse("mouseReleased", top + 6, "left", 2)
    mouse("mouseReleased", top + 6, "right", 0)
    person.expect("pressed while another button is down", person.read("window.pressed"), 2)
    person.page.evaluate("""window.other = window.beside.cloneNode();
        other.style.left = `${beside.getBoundingClientRect().right}px`;
        other.onclick = () => { window.pressed += 10; };
        beside.after(other); """ + DRAWN)
    person.wait(STILL, "that it stands still")
    edge, top = person.read("[other.getBoundingClientRect().x, other.getBoundingClientRect().y + 6]")
    click(person, (edge - 5, top))
    click(person, (edge + 5, top))
    person.expect("what stands beside it, at once", person.read("window.pressed"), 13)
    person.page.evaluate("other.remove(); beside.remove()")


def press_chart_twice(person):
    """The second press of a double click on a chart does not choose in what it is of then, nor in the chart that came there."""
    # In the year a column of the last months; in the month a square of the calendar, where the trend stands then.
    for period, chart, column in (("year", "#segments", 4), ("month", "#calendar", None)):
        for _ in range(10):
            person.open(f"reports?period={period}")
            person.page.evaluate(f"document.querySelector(chart + ' st-chart').scrollIntoView({{block: 'center'}}); {DRAWN}", chart=chart)
            person.wait(STILL, "that it stands still")
            where = person.page.evaluate("""
                const element = document.querySelector(chart + ' st-chart');
                const stops = element.model.stops(element.clientWidth), box = element.getBoundingClientRect();
                const {x, y} = stops[column ?? stops.length - 10];
                return [box.left + x, box.top + (y ?? box.height / 2)];""", chart=chart, column=column)
            before = person.read("document.querySelector('#range').textContent")
            click(person, where)
            # A press that is held does nothing: it is another round then.
            person.wait(f"document.querySelector('#range').textContent !== {json.dumps(before)} || document.querySelector('[data-held]')", "the first press")
            if person.read("document.querySelector('#range').textContent") == before:
                continue
            # The page is drawn; the second press comes within the pause after that.
            drawn, at, below = person.page.evaluate("return [performance.now(), location.search, document.elementFromPoint(...where)?.closest('st-chart[data-of]') != null]", where=where)
            click(person, where)
            if person.read("performance.now()") - drawn < 400:
                break
        else:
            raise PageError("ten double clicks on a chart were too slow")
        person.expect(f"a chart is there after the first press in the {period}", below, True)
        person.expect(f"what is shown after the second press in the {period}", person.read("location.search"), at)
        person.wait(STILL, "that it may be pressed")
