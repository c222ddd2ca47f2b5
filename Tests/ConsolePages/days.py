"""The page's calendar against Python's: days with another start, clock changes, and the hours of a day (docs/time.md, 4)."""

import datetime
import zoneinfo

#: Zone, day start in minutes, a date.
DAYS = [
    ("Europe/Berlin", 0, "2023-03-26"), ("Europe/Berlin", 240, "2023-03-26"), ("Europe/Berlin", 150, "2023-03-26"),
    ("Europe/Berlin", 0, "2023-10-29"), ("Europe/Berlin", 240, "2023-10-29"), ("Europe/Berlin", 150, "2023-10-29"),
    ("Europe/Berlin", 270, "2023-06-28"), ("Asia/Kathmandu", 270, "2023-06-28"), ("America/Sao_Paulo", 0, "2018-11-04"),
    ("Pacific/Apia", 0, "2011-12-29"), ("Pacific/Apia", 60, "2011-12-31"), ("Australia/Lord_Howe", 0, "2023-10-01"),
    ("Australia/Lord_Howe", 0, "2023-04-02"), ("UTC", 1439, "2024-02-29"),
]
UTC = datetime.timezone.utc


def start_of(zone, day_start, date):
    """A skipped wall time is later by the gap, of a repeated one the first is meant: what fold=0 says."""
    wall = datetime.datetime.combine(date, datetime.time(day_start // 60, day_start % 60), zone)
    return int(wall.astimezone(UTC).timestamp() * 1000)


def offset_at(zone, instant):
    return datetime.datetime.fromtimestamp(instant / 1000, zone).utcoffset()


def hours_of(zone, begin, end):
    """Found minute by minute."""
    cuts = [begin]
    for instant in range(begin + 60_000, end, 60_000):
        is_full = datetime.datetime.fromtimestamp(instant / 1000, zone).minute == 0
        if is_full or offset_at(zone, instant) != offset_at(zone, instant - 60_000):
            cuts.append(instant)
    return [list(pair) for pair in zip(cuts, [*cuts[1:], end])] if begin < end else []


def check_days(page, origin, checks, open_page):
    open_page(page, origin, "bus")
    for name, day_start, text in DAYS:
        zone, date = zoneinfo.ZoneInfo(name), datetime.date.fromisoformat(text)
        begin, end = (start_of(zone, day_start, date + datetime.timedelta(days=n)) for n in (0, 1))
        shown = page.evaluate(
            """const clock = await import('/app/clock.js');
            return clock.asMember({zone, day_start_minutes}, () => ({
              hours: clock.hoursOfDay(date).map(hour => [hour.start, hour.end]), start: clock.startOfDay(date),
              days: [clock.dayOf(begin), clock.dayOf(end - 1), clock.dayOf(begin - 1) < date, clock.dayOf(end) > date]}))""",
            zone=name, day_start_minutes=day_start, date=text, begin=begin, end=end)
        checks.looked += 1
        where = f"{text} in {name} from minute {day_start}"
        if shown["start"] != begin or shown["hours"] != hours_of(zone, begin, end):
            checks.fail(where, f"{shown} is not {begin}, {hours_of(zone, begin, end)}")
        if begin < end and shown["days"] != [text, text, True, True]:
            checks.fail(where, f"{shown['days']}")
