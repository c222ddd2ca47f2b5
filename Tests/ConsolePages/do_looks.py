"""What a person sees where the page is drawn in another way: contrast themes, no JavaScript, narrow dialogs."""

import math

from visit import choose

#: The contrast of what must be told apart (WCAG 2.2, 1.4.11).
LEAST = 3
SWITCH = "dialog .switch input"
CHOSEN, OTHER = ".days label:has(:checked)", ".days label:not(:has(:checked))"


def colours_at(person, *places):
    """The colours on the screen at places of elements: a selector, and the parts of its width and height."""
    person.page.evaluate("document.querySelector(selector).scrollIntoView({block: 'center'})", selector=places[0][0])
    person.page.evaluate("for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame)")
    picture = person.page.send("Page.captureScreenshot", format="png")["data"]
    return person.page.evaluate(
        """const image = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), one => one.charCodeAt(0))]));
        const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
        pen.drawImage(image, 0, 0);
        return places.map(([selector, x, y]) => {
            const box = document.querySelector(selector).getBoundingClientRect();
            return [...pen.getImageData(box.left + x * box.width, box.top + y * box.height, 1, 1).data].slice(0, 3);
        });""", picture=picture, places=places)


def contrast(one, other):
    """As WCAG defines it."""
    def luminance(colour):
        parts = [part / 255 for part in colour]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722)))
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def see_forced_colours(person):
    """A contrast theme takes backgrounds away: what is chosen, on, off or long is seen nevertheless."""
    person.world.run("limits", "hours", "total", "07:00-22:00")
    try:
        for scheme in ("light", "dark"):
            person.page.media(forced_colors="active", prefers_color_scheme=scheme)
            look_at_colours(person, scheme)
    finally:
        person.page.media()
        person.world.run("limits", "remove", "hours", "total")


def look_at_colours(person, scheme):
    def differ(what, one, other):
        found = contrast(*colours_at(person, one, other))
        person.expect(f"forced colours, {scheme}: the contrast of {what} is {found:.1f}", found >= LEAST, True)

    person.open("today")
    differ("the bar of a use and the page", (".use-bar span", .5, .5), (".use-bar span", .5, -1))
    person.settings()
    person.wait(f"document.querySelector('{SWITCH}')", "a switch")
    tracks = []
    for is_on, name in ((True, "on"), (False, "off")):
        switch(person, is_on)
        differ(f"the thumb of a switch that is {name}", (SWITCH, .3, .5), (SWITCH, .7, .5))
        # Between the places of the thumb.
        tracks += colours_at(person, (SWITCH, .5, .2))
    person.expect(f"forced colours, {scheme}: a switch is on or off", contrast(*tracks) >= LEAST, True)
    differ("the edge of a dialog", ("dialog", .002, .5), ("dialog", .02, .5))
    person.open("downtime")
    differ("hours that are off and open", (".hours .off", .5, .5), (".hours:has(.off)", .5, .5))
    person.press(".week .week-row button")
    person.wait(f"document.querySelector('{CHOSEN}')", "the days")
    differ("days that are chosen and not", (CHOSEN, .15, .8), (OTHER, .15, .8))


def switch(person, is_on):
    person.page.evaluate("const one = document.querySelector(selector); one.checked = is_on; await Promise.all(one.getAnimations({subtree: true}).map(one => one.finished))", selector=SWITCH, is_on=is_on)


#: The colours of elements, each over the element's own background and that over the page.
PAINTED = """const pen = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
    const root = getComputedStyle(document.documentElement);
    const painted = (...colours) => {
        for (const colour of [root.getPropertyValue('--paper'), ...colours]) { pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); }
        return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
"""


def see_graphics(person):
    """What is drawn, and the edges of fields, are told from the page in both themes (WCAG 2.2, 1.4.11)."""
    try:
        for theme in ("light", "dark"):
            choose(person.page, person.language, theme)
            person.world.run("limits", "hours", "total", "07:00-22:00")
            look_at_graphics(person, theme)
            look_at_marks(person, theme)
            tell_hues_apart(person, theme)
    finally:
        choose(person.page, person.language, "light")
        person.world.run("limits", "remove", "hours", "total")


def look_at_graphics(person, theme):
    def check(what, one, other):
        found = contrast(one, other)
        person.expect(f"{theme}: the contrast of {what} is {found:.2f}", found >= LEAST, True)

    person.open("reports?period=month")
    names = ["--bar", "--bar-now", "--usual", "--accent", "--focus", *(f"--hue-{number}" for number in range(8))]
    found = person.page.evaluate(PAINTED + """const all = [...names, '--paper', '--raised', '--soft', '--accent-soft'];
        return Object.fromEntries(all.map(name => [name, painted(root.getPropertyValue(name))]))""", names=names)
    for name in names:
        # Bars beside names have a ground of their own, which is another one where it is chosen.
        for ground in ("--paper", "--raised", *(["--soft", "--accent-soft"] if name.startswith("--hue") else [])):
            check(f"{name} and {ground}", found[name], found[ground])
    check("what is usual, over a column", found["--usual"], found["--bar"])
    edges = "[...document.querySelectorAll(':is(select, input[type=text], input[type=search], input[type=time], input[type=number], textarea)')]"
    look = PAINTED + f"return {edges}.map(one => {{ const {{borderTopColor: edge, backgroundColor: ground}} = getComputedStyle(one); return [one.id || one.name, painted(ground, edge), painted(ground)]; }})"
    fields = person.page.evaluate(look)
    for kind, column in (("whole", "columns"), ("parted .whole", "a column of which a part is shown")):
        if kind != "whole":
            person.press(".legend li:nth-child(2) .use-row")
            person.wait("document.querySelector('.bar.parted')", "a part of each column")
        shown = person.page.evaluate(PAINTED + "const style = getComputedStyle(document.querySelector('#segments ' + selector)); return style.stroke === 'none' ? painted(style.fill) : painted(style.stroke)", selector=f".bar{'.' + kind if kind != 'whole' else ' .whole'}")
        check(column, shown, found["--paper"])
    person.page.evaluate("document.querySelector('#segments st-chart').focus()")
    person.page.key("Home", number=36)
    part, whole = person.page.evaluate(PAINTED + "return ['.part', '.whole'].map(one => painted(getComputedStyle(document.querySelector(`.bar.parted.chosen ${one}`)).fill))")
    check("a part of a column that is chosen", part, whole)
    person.settings()
    fields += person.page.evaluate(look)
    person.wait(f"document.querySelector({SWITCH!r})", "a switch")
    for is_on in (False, True):
        switch(person, is_on)
        thumb, track = colours_at(person, (SWITCH, .7 if is_on else .3, .5), (SWITCH, .3 if is_on else .7, .5))
        check(f"the thumb of a switch that is {'on' if is_on else 'off'}", thumb, track)
    person.page.key("Escape", number=27)
    person.closed()
    for name, edge, ground in fields:
        check(f"the edge of the field {name}", edge, ground)
    person.expect(f"{theme}: fields", len(fields) > 3, True)
    person.open("downtime")
    # They are striped.
    *stripes, open_hours = colours_at(person, *((".hours .off", .3 + .02 * number, .5) for number in range(20)), (".hours:has(.off)", .5, .5))
    check("hours that are off and open", max(stripes, key=lambda one: contrast(one, open_hours)), open_hours)


def look_at_marks(person, theme):
    """What lies over columns, hours and lanes."""
    def check(what, one, other):
        found = contrast(one, other)
        person.expect(f"{theme}: the contrast of {what} is {found:.2f}", found >= LEAST, True)

    person.open("today")
    person.wait("document.querySelector('.usual')", "what is usual")
    painted = PAINTED + "const [edge, usual, column] = selectors.map(one => getComputedStyle(document.querySelector(one)));"
    edge, usual, column, is_around = person.page.evaluate(painted + "return [painted(edge.stroke), painted(usual.stroke), painted(column.fill), [...document.querySelectorAll('.usual')].every(one => one.previousSibling.matches('.usual-edge')) && parseFloat(edge.strokeWidth) >= parseFloat(usual.strokeWidth) + 2]", selectors=[".usual-edge", ".usual", ".bar.now .whole, .bar .whole"])
    person.expect(f"{theme}: what is usual has an edge", is_around, True)
    check("what is usual and its edge", usual, edge)
    check("the edge of what is usual and a column", edge, column)
    person.open("reports?period=day")
    person.wait("document.querySelector('.span')", "the timeline")
    for hue, fill, opacity in person.page.evaluate(PAINTED + "const seen = new Map([...document.querySelectorAll('.span')].map(one => [one.dataset.hue, getComputedStyle(one)])); return [...seen].map(([hue, style]) => [hue, painted(style.fill), style.opacity])"):
        person.expect(f"{theme}: lane of hue {hue}: its opacity", opacity, "1")
        check(f"lane of hue {hue} and the page", fill, edge)
    person.world.run("limits", "hours", "total", "07:00-12:00")
    person.open("downtime")
    mark = ".hours .mark-now"
    person.wait(f"document.querySelector({mark!r})", "now")
    now, before = colours_at(person, (mark, .5, .5), (mark, -.5, .5))
    check("now, in hours that are off", now, before)


#: How each of the three kinds of cones is missed: linear RGB to linear RGB (Machado, Oliveira and Fernandes 2009).
BLIND = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}
#: The difference of colours (CIE 1976) that is seen side by side and in a list; 2.3 is just noticed.
APART = 13


def tell_hues_apart(person, theme):
    """The slices of a ring. One ring has either the seventh hue or that of all others."""
    hues = person.page.evaluate(PAINTED + "return Array.from({length: 8}, (_, i) => painted(root.getPropertyValue(`--hue-${i}`)))")
    for kind, matrix in BLIND.items():
        seen = [lab(hue, matrix) for hue in hues]
        nearest = min((math.dist(seen[one], seen[other]), one, other) for one in range(8) for other in range(one) if (one, other) != (7, 6))
        person.expect(f"{theme}, {kind}: hues {nearest[2]} and {nearest[1]} differ by {nearest[0]:.1f}", nearest[0] >= APART, True)


def lab(colour, matrix):
    """CIELAB (D65) of a colour, as somebody sees it to whom `matrix` belongs."""
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    seen = [min(1, max(0, sum(weight * part for weight, part in zip(row, linear)))) for row in matrix]
    to_xyz = ((0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047), (0.2126, 0.7152, 0.0722), (0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883))
    x, y, z = ((value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116) for value in (sum(weight * part for weight, part in zip(row, seen)) for row in to_xyz))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def see_hours_when_narrow(person):
    """The bin of some hours stands beside their first line, at the end."""
    person.world.run("limits", "hours", "total", "07:00-22:00")
    try:
        for width in (320, 360, 900):
            person.page.size(width)
            person.open("downtime")
            person.press(".week .week-row button")
            person.wait("document.querySelector('.windows li > button')", "the hours")
            person.expect(f"the bin is in the first line, {width} px", person.read("""(() => {
                const [first, bin] = ['input', ':scope > button'].map(one => document.querySelector('.windows li').querySelector(one).getBoundingClientRect());
                return bin.top < first.bottom && bin.bottom > first.top && bin.left >= first.right; })()"""), True)
    finally:
        person.page.size(person.width)
        person.world.run("limits", "remove", "hours", "total")


def see_without_scripts(person):
    """Who has no JavaScript sees what to do instead at the top."""
    person.page.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        person.page.go(f"{person.origin}/today")
        person.wait("document.readyState === 'complete' && document.querySelector('noscript > p')", "the page without JavaScript")
        box = person.read("(() => { const one = document.querySelector('noscript > p'); const style = getComputedStyle(one); return [one.getBoundingClientRect().top, parseFloat(style.paddingLeft)]; })()")
        person.expect("what to do instead is at the top, with room around", (box[0] < 100, box[1] >= 16), (True, True))
    finally:
        person.page.send("Emulation.setScriptExecutionDisabled", value=False)
    person.open("today")
