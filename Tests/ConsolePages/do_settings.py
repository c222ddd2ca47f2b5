"""What a person does in the settings, and around every page."""

import json

from do_dismissed import HOLD, planned_day
from person import SAID

#: As the DevTools protocol has it.
SHIFT = 8


def change_day_start(person):
    page = person.page
    person.open("today")
    person.settings()
    for text in ("04:00", "00:00"):
        person.choose("#day-start", text)
        person.expect("not before it is saved", member(person)["day_start_minutes"] == int(text[:2]) * 60, False)
        person.press("#day-start-save")
        person.wait(f"document.querySelector('#day-start').value === {json.dumps(text)}", "the field")
        person.said(person.word("settings.saved"))
        wanted = int(text[:2]) * 60
        page.wait_for(f"(await import('/app/clock.js')).dayStartMinutes() === {wanted}", "the page's day")
        person.expect("day start", member(person)["day_start_minutes"], wanted)
        person.expect("the focus afterwards", person.read("document.activeElement.id"), "day-start")


def member(person):
    return person.told("screentime", "member", "list")["members"][0]


def change_rules_for_oneself(person):
    """How long one waits for oneself, and whether one more minute can be taken."""
    person.open("today")
    person.settings()
    # Who goes through the list with the arrow keys has saved nothing yet.
    for minutes in ("120", "15"):
        person.choose("#delay", minutes)
        person.wait(f"document.querySelector('#delay').value === '{minutes}' && document.querySelector('#delay-save')", "what is chosen")
    person.expect("not before it is saved", member(person)["self_approval_minutes"], 0)
    # What is chosen while it is being saved is not saved yet.
    person.page.evaluate(HOLD, held="/api/member.set", fails=False)
    person.press("#delay-save")
    person.wait("window.asked === 1", "it is being saved")
    person.choose("#delay", "60")
    person.page.evaluate("window.release()")
    person.said(person.word("settings.saved"))
    person.expect("what was chosen meanwhile", (person.read("document.querySelector('#delay').value"), person.read("document.querySelector('#delay-save') !== null"), member(person)["self_approval_minutes"]), ("60", True, 15))
    person.choose("#delay", "30")
    person.press("#delay-save")
    person.said(person.word("settings.saved"))
    person.wait("!document.querySelector('#delay-save')", "there is nothing to save")
    person.expect("the focus afterwards", person.read("document.activeElement.id"), "delay")
    # Whoever has gone on stays there.
    person.choose("#delay", "60")
    person.page.evaluate(HOLD, held="/api/member.set", fails=False)
    person.press("#delay-save")
    person.wait("window.asked === 1", "it is being saved")
    person.page.evaluate("window.field = document.querySelector('#weekly-day'); window.field.focus(); window.release()")
    person.said(person.word("settings.saved"))
    person.wait("!document.querySelector('#delay-save')", "there is nothing to save")
    person.expect("where one has gone on", person.read("[window.field.isConnected, document.activeElement.id]"), [True, "weekly-day"])
    switch = "dialog .switch input"
    person.press(switch)
    person.said(person.word("settings.saved"))
    found = member(person)
    person.expect("a longer wait acts at once; one more minute is off",
                  (found["self_approval_minutes"], found.get("one_more_minute", True)), (60, False))
    for is_on in (True, False, True):
        person.press(switch)
        person.said(person.word("settings.saved"))
        person.wait(f"document.querySelector({json.dumps(switch)}).checked === {json.dumps(is_on)}", "what it shows")
        person.expect("one more minute", (member(person).get("one_more_minute", True), person.read(f"document.querySelector({json.dumps(switch)}).checked")), (is_on, is_on))
    person.choose("#delay", "0")
    person.press("#delay-save")
    person.said(person.word("settings.saved"))
    person.wait("document.querySelector('#delay-hint').innerText", "when the shorter wait begins")
    person.look("a shorter wait")
    person.expect("a shorter wait acts after the present one", member(person)["self_approval_minutes"], 60)
    # Who chooses the present one again calls that off.
    person.choose("#delay", "5")
    person.choose("#delay", "60")
    person.press("#delay-save")
    person.said(person.word("settings.saved"))
    person.expect("what is to come", member(person).get("next_self_approval_minutes"), None)
    person.choose("#delay", "0")
    person.press("#delay-save")
    person.said(person.word("settings.saved"))
    person.world.run("screentime", "clock", "advance", "60m")
    found = member(person)
    person.expect("rules for oneself", (found["self_approval_minutes"], found.get("one_more_minute", True)), (0, True))
    person.world.run("screentime", "member", "set", person.world.me(), "--self-approval-delay", "1440")
    person.world.run("screentime", "request", "app:org.gnome.Maps")
    person.open("requests")
    person.wait(f"document.querySelector('.request')?.innerText.includes({json.dumps(person.word('requests.waitTooLong'))})", "a wait that ends after the request")
    person.look("a wait that is too long")


def pass_midnight(person):
    """Who looks at today's report looks at the next day's after midnight; who looks at another day stays there."""
    name = lambda day: person.page.evaluate("return (await import('/app/data/reports.js')).periodName('day', day)", day=day)
    shows = lambda day: person.wait(f"document.querySelector('#range')?.textContent === {json.dumps(name(day))}", day)
    is_last = "document.querySelector('.report-range button:last-child').disabled"
    person.open("reports?period=day")
    shows("2023-06-28")
    person.world.run("screentime", "clock", "advance", "8h")
    person.page.evaluate("dispatchEvent(new Event('focus'))")
    shows("2023-06-29")
    person.expect("the day after midnight", (person.read("location.search"), person.read(is_last)), ("?period=day", True))
    person.press(".report-range button:first-child")
    shows("2023-06-28")
    person.world.run("screentime", "clock", "advance", "24h")
    reads = "performance.getEntriesByType('resource').filter(one => one.name.includes('report.query')).length"
    before = person.read(reads)
    person.page.evaluate("dispatchEvent(new Event('focus'))")
    person.wait(f"{reads} > {before}", "the page reads again")
    person.press(".report-range button:last-child")
    shows("2023-06-29")
    person.wait(f"!{is_last}", "there is a later day now")


def weekly_report(person):
    """Switched on, moved, and off again: the notifier plans what the page says."""
    page = person.page
    person.open("today")
    person.settings()

    def choose(field, value):
        person.choose(field, value)
        person.press("#weekly-save")
        person.said(person.word("settings.saved"))

    def planned():
        answer = person.told("screentime", "report", "weekly")
        found = [one for one in answer["notifications"] if one["state"] == "scheduled"]
        return [(one["trigger"], one["details"]) for one in found]

    person.choose("#weekly-day", "2")
    person.wait("document.querySelector('#weekly-save')", "that it can be saved")
    person.expect("nothing before it is saved", planned(), [])
    details = {"weekly_report": True, "tells_opening": True}
    for field, value, components in [
        ("#weekly-day", "0", {"weekday": 1, "hour": 18, "minute": 0}),
        ("#weekly-time", "07:45", {"weekday": 1, "hour": 7, "minute": 45}),
        ("#weekly-day", "6", {"weekday": 7, "hour": 7, "minute": 45}),
    ]:
        choose(field, value)
        trigger, found = planned()[0]
        person.expect("the weekly report", (trigger["components"], trigger["repeats"], found), (components, True, details))
        person.expect("the focus afterwards", person.read("[document.activeElement.id, document.querySelector('#weekly-save')]"), ["weekly-day", None])
    person.open("today")
    person.settings()
    person.wait("document.querySelector('#weekly-time')?.value === '07:45'", "the chosen time, after loading again")
    person.expect("the chosen day", person.read("document.querySelector('#weekly-day').value"), "6")
    # A time that is emptied and left is as it was.
    page.evaluate("const field = document.querySelector('#weekly-time'); field.focus(); field.value = ''; field.dispatchEvent(new Event('change')); field.blur()")
    person.expect("the time that was emptied", (person.read("[document.querySelector('#weekly-time').value, document.querySelector('#weekly-save')]"), planned()[0][0]["components"]), (["07:45", None], {"weekday": 7, "hour": 7, "minute": 45}))
    channels(person, choose)
    # Two choices are one.
    person.choose("#weekly-time", "06:30")
    choose("#weekly-day", "3")
    person.expect("two choices", planned()[0][0]["components"], {"weekday": 4, "hour": 6, "minute": 30})
    choose("#weekly-day", "")
    person.expect("no weekly report", planned(), [])


def known_channels(person):
    lines = person.world.run("screentime", "report", "weekly").splitlines()
    return [line.split(" to ")[1].split(";")[0].removesuffix(".") for line in lines if line.startswith("Reports are also")]


def channels(person, choose):
    """Also by mail and webhook: what is refused stays written and is explained; a key is shown once."""
    page = person.page
    said = "document.querySelector('.dialog-problem').innerText"
    known = lambda: known_channels(person)
    person.choose("#weekly-day", "5")
    person.press("#weekly-save")
    person.wait(f"{SAID}.innerText === {json.dumps(person.word('settings.saved'))}", "what was saved before")
    # What can be saved is, also beside what is refused.
    person.choose("#weekly-day", "6")
    person.choose("#channel-webhook", "http://example.org/x")
    person.press("#weekly-save")
    page.wait_for(f"{said} !== ''", "an address that is refused")
    person.expect("what is said of the one before", person.read(f"{SAID}.innerText"), "")
    person.forget_errors("400", "channel.set")
    person.look("a refused address")
    is_titled = person.read(said).startswith(person.word("error.title"))
    person.expect("what the services say in English has a title in other languages", is_titled, person.language != "en")
    shown = "[document.querySelector('#channel-webhook').value, !!document.querySelector('#weekly-save')]"
    person.expect("a refused address", (person.read(shown), known(), planned_day(person)), (["http://example.org/x", True], [], 7))
    page.evaluate("document.querySelector('.dialog-problem').replaceChildren(); document.querySelector('#channel-webhook').focus()")
    page.key("Enter", number=13)
    page.wait_for(f"{said} !== '' && !document.querySelector('#weekly-save').matches('[aria-busy=true]')", "that it is refused again")
    person.forget_errors("400", "channel.set")
    write_while_saving(person, known)
    choose("#channel-webhook", "http://127.0.0.1:9/x")
    page.wait_for("document.querySelector('#webhook-key code').innerText.startsWith('whsec_')", "the key")
    person.expect("the refusal is gone", person.read(said), "")
    choose("#channel-email", "mina@example.org")
    person.until("two channels", lambda: known() == ["mina@example.org", "http://127.0.0.1:9/x"])
    person.expect("the key is still shown", person.read("document.querySelector('#webhook-key code').innerText.startsWith('whsec_')"), True)
    person.look("channels")
    person.choose("#channel-email", "")
    choose("#channel-webhook", "")
    person.until("no channels", lambda: known() == [])


def write_while_saving(person, known):
    """What is written while another address is saved is still to be saved after it."""
    with person.world.hung("notifier"):
        person.choose("#channel-webhook", "http://127.0.0.1:9/a")
        person.press("#weekly-save")
        person.wait("document.querySelector('#weekly-save').matches('[aria-busy=true]')", "it is being saved")
        person.choose("#channel-webhook", "http://127.0.0.1:9/b")
    person.said(person.word("settings.saved"))
    person.expect("what is saved, and shown", (known(), person.read("document.querySelector('#channel-webhook').value")), (["http://127.0.0.1:9/a"], "http://127.0.0.1:9/b"))
    person.press("#weekly-save")
    person.said(person.word("settings.saved"))
    person.expect("what is saved then", known(), ["http://127.0.0.1:9/b"])


def explain_settings(person):
    """What cannot be read is not just missing."""
    person.open("today")
    person.page.evaluate("const {fetch} = window; window.fetch = (path, options) => fetch(path === '/api/notification.list' ? '/api/no.such' : path, options)")
    person.settings()
    person.wait("document.querySelector('dialog .problem')?.innerText.includes('no.such')", "why the weekly report is missing")
    person.forget_errors("no.such")
    person.look("settings without a service")
    person.open("reports")


def change_appearance(person):
    """The language and the theme, at once and after loading again."""
    other = {"en": "ko", "ko": "en"}[person.language]
    person.open("today")
    person.page.evaluate("const button = document.querySelector('.side-end button'); button.click(); button.click()")
    person.dialog("settings")
    person.expect("how many dialogs a double press opens", person.read("document.querySelectorAll('dialog').length"), 1)
    person.page.key("Escape", number=27)
    person.closed()
    for language in (other, person.language):
        person.settings()
        # What is written stays, in the other language.
        person.choose("#weekly-day", "3")
        person.choose("#weekly-time", "08:15")
        person.choose("#channel-email", "mina@example.org")
        person.press(f"dialog [name=language][value={language}]")
        title, settings, close = person.page.evaluate("const words = (await import(`/locales/${language}.js`)).default; return [words['nav.today'], words['settings.title'], words['action.close']]", language=language)
        person.wait(f"document.querySelector('dialog h2').textContent === {json.dumps(settings)}", f"settings in {language}")
        person.expect(f"what was written, and the focus, in {language}", person.read("[...['weekly-day', 'weekly-time', 'channel-email'].map(id => document.getElementById(id).value), document.activeElement.value, document.querySelector('dialog header button').ariaLabel]"), ["3", "08:15", "mina@example.org", language, close])
        person.look(f"settings in {language}")
        person.page.key("Escape", number=27)
        person.closed()
        # The language is another one before the page is drawn in it.
        person.wait(f"document.documentElement.lang === {json.dumps(language)} && document.querySelector('h1')?.textContent === {json.dumps(title)}", f"the page in {language}")
        person.open("today")
        person.expect(f"the title in {language}, after loading again", person.text("h1"), title)
    person.settings()
    # Of two that are chosen at once the last one is kept.
    person.page.evaluate("for (const name of names) document.querySelector(`dialog [name=language][value=${name}]`).click()", names=[other, person.language])
    title = person.word("settings.title")
    person.wait(f"document.querySelector('dialog h2').textContent === {json.dumps(title)} && document.querySelector(`dialog [name=language]:checked`).value === document.documentElement.lang", "the language that was chosen last")
    person.wait(f"document.querySelector('main .page[aria-busy=false] h1')?.textContent === {json.dumps(person.word('nav.today'))}", "the page in it")
    person.expect("the language", person.read("[document.documentElement.lang, localStorage.getItem('language')]"), [person.language] * 2)
    person.expect("what is loaded of two", person.page.evaluate("""
        const {currentLanguage, load} = await import('/app/words.js');
        const both = await Promise.all([load(other), load(language)]);
        return [...both, currentLanguage()]""", other=other, language=person.language), [False, True, person.language])
    for theme in ("dark", "light"):
        person.press(f"dialog [name=theme][value={theme}]")
        person.wait(f"getComputedStyle(document.documentElement).colorScheme === {json.dumps(theme)}", f"the {theme} theme")
        person.page.evaluate("await Promise.all(document.getAnimations().map(one => one.finished))")
        person.look(f"the {theme} theme")


def draw_again(person):
    """What is drawn over what is there: every state arrives, and what a person is doing stays."""
    shown = person.page.evaluate("""
        const {fill, h} = await import('/app/h.js');
        const place = document.body.appendChild(h('div', {}));
        const draw = ({checked, text, chosen, names, isOff}) => fill(place,
            h('input', {type: 'checkbox', id: 'draw-box', '.checked': checked}),
            h('input', {type: 'text', id: 'draw-text', '.value': text}),
            h('select', {id: 'draw-list'}, names.map(name => h('option', {value: name, selected: name === chosen}, name))),
            h('button', {id: 'draw-first'}), h('button', {id: 'draw-last', disabled: isOff}));
        const get = name => document.getElementById('draw-' + name);
        const state = {checked: true, text: 'a', chosen: 'x', names: ['x', 'y'], isOff: false};
        const seen = {};
        draw(state);
        get('box').checked = true;
        draw({...state, checked: false});
        seen.unchecked = !get('box').checked;
        get('list').value = 'y';
        get('list').value = 'x';
        draw({...state, chosen: 'n', names: ['x', 'n', 'y']});
        seen.chosen = get('list').value;
        get('text').focus();
        get('text').value = 'typed';
        draw(state);
        seen.typed = get('text').value;
        draw({...state, text: 'b'});
        seen.given = get('text').value;
        get('last').focus();
        draw({...state, text: 'b', isOff: true});
        seen.focus = document.activeElement.id;
        get('box').setAttribute('aria-busy', 'true');
        get('box').checked = true;
        draw({...state, text: 'b', checked: false, isOff: true});
        seen.busy = get('box').checked;
        const rows = keys => fill(place, keys.map(key => h('p', {'data-key': key}, h('button', {id: 'draw-' + key}))));
        rows(['x', 'y', 'z']);
        get('z').focus();
        rows(['z', 'n', 'y', 'x']);
        seen.moved = [document.activeElement.id, ...[...place.children].map(one => one.dataset.key)].join(' ');
        const {chart} = await import('/app/charts/element.js');
        const model = stops => ({height: 100, label: 'l', count: stops.length, stops: () => stops, draw: () => []});
        const drawChart = async stops => {
            fill(place, chart(model(stops)));
            for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame);
            return place.firstChild.getAttributeNames().filter(name => /^(role|tabindex|aria-)/.test(name)).sort().join(' ');
        };
        seen.chart = [(await drawChart([{x: 1, text: 'a'}])).includes('tabindex'), await drawChart([])];
        place.remove();
        return seen""")
    person.expect("what is drawn again", shown, {
        "chart": [True, "aria-label role"],
        "unchecked": True, "chosen": "n", "typed": "typed", "given": "b", "focus": "draw-first", "busy": True,
        "moved": "draw-z z n y x"})


def read_names_aloud(person):
    """Korean: the particle after a name follows from how the name is read."""
    if person.language != "ko":
        return
    person.open("today")
    title = lambda name: person.word("apps.removeTitle", name=name).removesuffix(" 삭제할까요?")
    closed = ["지갑", "\u1111\u116e\u11af", "Steam", "Chrome", "Google", "Slack", "Snap", "Reddit", "Reading", "7", "2016", "Zoom!", "KakaoTalk", "WhatsApp", "C#"]
    open_ended = ["사파리", "\u1100\u1161", "Firefox", "GIMP", "Element", "Skype", "Discord", "2", "Blog", "GitHub", "YouTube (2)"]
    person.expect("names that end closed", [title(name) for name in closed], [f"{name}을" for name in closed])
    person.expect("names that end open", [title(name) for name in open_ended], [f"{name}를" for name in open_ended])
    person.expect("and", person.word("reports.same", period="지난달"), "지난달과 같음")


def go_back(person):
    """From a page with an open dialog: the dialog belongs to the page that is left."""
    page = person.page
    person.open("today")
    page.evaluate("document.querySelector('nav a[href=\"/reports\"]').click()")
    person.press(".filters button")
    person.dialog("the filter")
    page.evaluate("history.back()")
    page.wait_for("location.pathname === '/today' && document.querySelector('.page-today')", "the page before")
    # It leaves the document a moment after it was closed.
    person.expect("an open dialog", person.read("document.querySelectorAll('dialog[open]').length"), 0)
    person.closed("the dialog is gone")


def sign_in_again(person):
    """In another tab of the same browser: this page goes on, and what was written in it can be saved."""
    person.open("today")
    ticket = person.world.sign_in_address().split("#")[1]
    answer = person.page.evaluate(
        """await fetch('/session', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({ticket})});
        return (await (await import('/app/api.js')).call('member.list')).members.length""", ticket=ticket)
    person.expect("a page after signing in again", answer, 1)
    # Its first question had the token of the session before.
    person.forget_errors("403", "member.list")
    # Signed out, then signed in elsewhere: the page that asked for it comes back when it is looked at.
    person.settings()
    person.press_word("settings.signout", "dialog")
    person.wait("document.querySelector('.signin .command')", "the page says how to sign in")
    person.look("signed out")
    ticket = person.world.sign_in_address().split("#")[1]
    person.page.evaluate(
        """await fetch('/session', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({ticket})});
        const {fetch: send} = window;
        [window.unanswered, window.again] = [0, 0];
        window.fetch = (path, options) => { window.unanswered += 1; return send(path, options).finally(() => { window.unanswered -= 1; }); };
        new MutationObserver(all => { for (const one of all) for (const node of one.removedNodes) window.again += node.matches?.('.side') ?? 0; })
            .observe(document.querySelector('#app'), {childList: true});
        document.dispatchEvent(new Event('visibilitychange'));
        dispatchEvent(new Event('focus'))""", ticket=ticket)
    person.wait("!document.querySelector('.signin') && document.querySelector('main .page')", "the page is back")
    person.page.evaluate("for (let i = 0; i < 5; i += 1) { if (window.unanswered) i = 0; await new Promise(requestAnimationFrame); }")
    person.expect("how often the frame was drawn again", person.read("window.again"), 0)


def keep_no_cookie(person):
    """Who signs in to a browser that keeps no cookie is told so."""
    script = person.page.send("Page.addScriptToEvaluateOnNewDocument", source="""const {fetch: send} = window;
        window.fetch = (path, options) => path === '/session' && options?.method !== 'POST'
            ? Promise.resolve(new Response('', {status: 401})) : send(path, options);""")
    try:
        person.page.go(person.world.sign_in_address())
        person.wait("document.querySelector('.signin .problem')", "what is wrong")
        person.expect("what is wrong", person.text(".signin .problem"), person.word("signin.noCookie"))
        person.look("no cookie")
        # As where the clock is read before the page is drawn: another zone draws nothing then.
        person.page.evaluate("""const [live, clock] = await Promise.all([import('/app/live.js'), import('/app/clock.js')]);
            // The one that is read is the browser's.
            const {timeZone} = Intl.DateTimeFormat().resolvedOptions();
            clock.set({timeZone: timeZone === 'Asia/Kathmandu' ? 'Asia/Seoul' : 'Asia/Kathmandu'});
            live.readAgain();
            for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame)""")
        person.expect("another zone before anything is drawn", (person.read("!!document.querySelector('.signin .problem')"), person.page.errors), (True, []))
    finally:
        person.page.send("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
    # In the same tab, where another fragment alone loads nothing.
    person.page.go(person.world.sign_in_address())
    person.wait("document.querySelector('main .page')", "signed in")


def stay_signed_in(person):
    """A link that was used already takes nobody's session; back from the sign-in page is not the page."""
    person.open("today")
    ticket = person.world.sign_in_address()
    for _ in range(2):
        person.page.go("about:blank")
        person.page.go(ticket)
        person.wait("document.querySelector('main .page')", "signed in")
    person.forget_errors("401", "/session")
    person.page.evaluate("document.querySelector('a[href=\"/reports\"]').click()")
    person.wait("document.querySelector('.page-reports')", "another page, to come back from")
    person.settings()
    person.press_word("settings.signout", "dialog")
    person.wait("document.querySelector('.signin .command')", "signed out")
    person.page.evaluate("history.back(); await new Promise(resolve => addEventListener('popstate', resolve, {once: true}))")
    person.page.evaluate("for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame)")
    person.expect("back after signing out", (person.read("!!document.querySelector('.signin .command')"), person.read("document.querySelector('.signin .problem')"), person.page.errors), (True, None, []))
    person.page.go(person.world.sign_in_address())
    person.wait("document.querySelector('main .page')", "signed in")


def see_focus(person):
    """What has the focus is not behind the tabs at the bottom (WCAG 2.2, 2.4.11)."""
    if person.width >= 900:
        return
    person.page.size(person.width, 640)
    for name in ("reports?period=day", "bus"):
        person.open(name)
        hidden = []
        look = lambda: person.read("""(() => { const one = document.activeElement; const box = one.getBoundingClientRect(); const tabs = document.querySelector('.tabs');
                return [tabs.contains(one) || one === document.body || box.top < tabs.getBoundingClientRect().top - 1, one.textContent.slice(0, 30)]; })()""")
        for _ in range(60):
            person.page.key("Tab", number=9)
            if not look()[0]:
                # What came above it in this moment may have moved it: that is not how it got the focus.
                person.page.key("Tab", number=9, modifiers=SHIFT)
                person.page.key("Tab", number=9)
                is_seen, text = look()
                hidden += [] if is_seen else [text]
        person.expect(f"what is hidden behind the tabs: {name}", hidden, [])
    person.page.size(person.width)


def keep_nothing(person):
    """Where the browser keeps nothing, what somebody chooses holds for the page."""
    for refusal in ("get() { throw new DOMException('not here', 'SecurityError'); }", "value: null"):
        script = person.page.send(
            "Page.addScriptToEvaluateOnNewDocument", source=f"Object.defineProperty(window, 'localStorage', {{{refusal}}})")
        try:
            person.open("today")
            chosen = person.page.evaluate("""const {applyTheme, theme} = await import('/app/theme.js');
                applyTheme('dark');
                return [theme(), document.documentElement.dataset.theme]""")
        finally:
            person.page.send("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
        person.expect("the theme of the page", chosen, ["dark", "dark"])
    person.open("today")
