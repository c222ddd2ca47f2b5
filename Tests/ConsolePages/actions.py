#!/usr/bin/env python3
"""Does in the pages what a person does, and looks at what the services have afterwards.

usage: actions.py PRODUCTS [--language en|ko] [--width PIXELS] [--action NAME] [--pictures DIRECTORY]
                  [--browser chromium|firefox]

PRODUCTS has the built executables. Every action of the pages, in a real Chromium, or the main ones in a real Firefox,
with services of its own: by default in English, 1400 pixels wide. NAME is one of the functions below. Ends with 1 and the list of what is wrong.
"""

import argparse
import contextlib
import pathlib

import do_covers
import do_dismissed
import do_limits
import do_looks
import do_presses
import do_programs
import do_reports
import do_saving
import do_settings
import do_today
from checks import Checks, axe_source, check_all_html
from chromium import Chromium
from firefox import Firefox
from page import PageError
from person import Person, pictures_of
from visit import WEB, choose, has_programs, open_page, sign_in
from world import World

#: What every console lets a person do; what needs the built-in apps is in OF_PROGRAMS. An app that was allowed has
#: extensions, whose reports are shown after that.
ALWAYS = [
    do_today.follow_use, do_today.look_at_today, do_today.miss_services, do_today.leave_what_hangs, do_today.recover, do_today.open_in_background, do_today.look_for_what_hangs, do_settings.change_day_start, do_settings.weekly_report,
    do_dismissed.choose_again_while_saving, do_dismissed.keep_what_was_set_elsewhere, do_dismissed.save_only_what_was_chosen, do_dismissed.save_in_part, do_dismissed.leave_before_the_key, do_dismissed.lose_the_key, do_dismissed.open_while_saving, do_dismissed.fail_after_leaving, do_dismissed.leave_written_address, do_dismissed.leave_while_asking,
    do_settings.explain_settings, do_settings.change_appearance, do_today.decide_request, do_presses.press_twice, do_presses.press_what_moves, do_presses.press_at_the_end, do_presses.press_while_it_moves, do_presses.press_switches, do_presses.open_by_double_click, do_presses.press_keys, do_presses.press_in_question, do_presses.press_message, do_presses.hold_finger, do_presses.press_menu_below, do_presses.press_escape_twice, do_presses.press_turned_switch, do_presses.press_moved_switch, do_presses.press_again_beside, do_presses.press_chart_twice, do_settings.go_back, do_settings.draw_again, do_settings.read_names_aloud,
    do_settings.keep_no_cookie, do_settings.keep_nothing, do_settings.stay_signed_in, do_settings.see_focus, do_looks.see_without_scripts, do_limits.pick_whole_category,
    do_today.refuse_nothing_unknown, do_today.read_log, do_today.watch_events, do_today.switch_app,
    do_today.switch_app_of_two,
    do_reports.move_in_time, do_reports.begin_week, do_reports.keep_heading, do_reports.press_fast, do_reports.read_counts, do_reports.change_what_is_shown, do_reports.filter_use, do_reports.go_back_in_time, do_reports.read_a_year, do_reports.see_loading, do_reports.narrow_calendar, do_reports.read_long_tip, do_reports.see_average, do_reports.choose_slice,
    do_reports.save_files, do_reports.zoom_day, do_reports.change_device_and_member,
]
OF_PROGRAMS = [
    do_limits.set_limit, do_limits.keep_limit, do_limits.set_several_rules, do_limits.set_hours,
    do_limits.set_first_hours, do_limits.set_hours_of_one, do_limits.off_until_morning, do_limits.show_words_by_day, do_limits.limit_hangul_site, do_limits.mark_and_unmark, do_limits.show_many, do_limits.save_what_counts, do_limits.remove_limit,
    do_covers.unmark, do_covers.move_to_covered, do_covers.limit_what_is_open, do_covers.limit_at_once, do_covers.limit_with_more_time,
    do_covers.end_more_time, do_covers.see_whose_time, do_covers.change_hours_meanwhile, do_covers.change_hours_over_midnight, do_covers.cancel_while_saving, do_covers.type_while_saving, do_covers.open_as_it_is, do_covers.limit_unforeseen,
    do_programs.habits, do_programs.worklog, do_covers.close_again, do_covers.predict_covers, do_covers.reach_goal_meanwhile, do_programs.encouragement, do_programs.evening,
    do_saving.write_while_saving, do_saving.cancel_while_written, do_saving.fail_to_ask, do_saving.save_signed_out, do_saving.keep_stricter_amount, do_saving.begin_day_later, do_saving.resolve_skipped_times, do_saving.wake_up,
    do_looks.see_forced_colours, do_looks.see_graphics, do_looks.see_hours_when_narrow, do_presses.remove_once, do_today.look_at_programs, do_reports.show_scene, do_today.first_limit,
]
#: After these, the clock or the session is another.
LAST_OF_PROGRAMS = [do_limits.see_time_pass, do_programs.begin_meanwhile, do_limits.travel]
LAST = [do_settings.change_rules_for_oneself, do_settings.sign_in_again, do_settings.pass_midnight]

#: The main paths: what is tried in Firefox, too.
MAIN = [
    do_today.look_at_today, do_settings.change_appearance, do_today.decide_request,
    do_presses.press_twice, do_presses.press_what_moves, do_presses.press_in_question, do_presses.press_message, do_presses.press_moved_switch, do_presses.press_chart_twice,
    do_dismissed.choose_again_while_saving, do_dismissed.fail_after_leaving, do_dismissed.leave_written_address, do_dismissed.leave_while_asking,
    do_reports.move_in_time, do_reports.change_what_is_shown,
    do_limits.set_limit, do_limits.set_hours, do_limits.mark_and_unmark, do_limits.remove_limit, do_covers.limit_at_once, do_programs.worklog,
]


def do_everything(person, actions, sign_in_again):
    """Each action; what fails is named, and the next one begins on another page."""
    for number, action in enumerate(actions):
        # A session may ask so much and no more, which only somebody as fast as this reaches.
        if number % 4 == 0:
            sign_in_again()
        try:
            action(person)
        except (PageError, SystemExit) as error:
            person.checks.fail(f"action: {action.__name__}, {person.language}, {person.width} px", error)


@contextlib.contextmanager
def open_page_of(name):
    """A page of a browser, which ends with it."""
    if name == "firefox":
        with Firefox() as page:
            yield page
    else:
        with Chromium() as browser:
            yield browser.page()


def run(world, options):
    with open_page_of(options.browser) as page:
        checks = Checks(page, axe_source())
        page.size(options.width)
        address = world.sign_in_address()
        sign_in(page, address)
        actions = [*ALWAYS, *([*OF_PROGRAMS, *LAST_OF_PROGRAMS] if has_programs(page) else []), *LAST]
        if options.browser == "firefox":
            actions = [one for one in actions if one in MAIN]
        if options.action:
            actions = [one for one in actions if one.__name__ == options.action]

        def sign_in_again():
            sign_in(page, world.sign_in_address())
            choose(page, options.language, "light")

        person = Person(page, address.split("/sign-in")[0], checks, open_page, world, options.language, options.width, pictures_of(options))
        do_everything(person, actions, sign_in_again)
        return checks


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("products")
    parser.add_argument("--language", default="en")
    parser.add_argument("--width", type=int, default=1400)
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--action")
    parser.add_argument("--browser", choices=["chromium", "firefox"], default="chromium")
    options = parser.parse_args()
    with World(options.products, WEB) as world:
        checks = run(world, options)
    check_all_html(checks)
    checks.end()


if __name__ == "__main__":
    main()
