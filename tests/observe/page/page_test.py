#!/usr/bin/env python3
"""The live page in a real Chromium, served by the stand-in server: the numbers at the cursor are those that were sent, zoom
and pause survive streaming, the page says each state and connects again by itself, all of it works with the keyboard.

    page_test.py [CASE ...] [--pictures FOLDER]

Exits 77 if Chromium or selenium is not installed."""
import copy
import math
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
browser_program, driver = shutil.which("chromium"), shutil.which("chromedriver")
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    # Debian's package serves Debian's interpreter, which need not be the first one.
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B"] + sys.argv)
    print("SKIPPED: python3-selenium is not installed (deploy/setup.sh --with-tests)")
    sys.exit(77)
if browser_program is None or driver is None:
    print("SKIPPED: chromium and chromium-driver are not installed (deploy/setup.sh --with-tests)")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import page_checks  # noqa: E402
import stand_in_record  # noqa: E402
from stand_in_server import StandIn  # noqa: E402

PATIENCE = float(os.environ.get("PAGE_TEST_PATIENCE", 30))  # for the page on a busy machine [s]


def open_browser(profile):
    options = Options()
    options.binary_location = browser_program
    for argument in ["--headless=new", "--disable-gpu", "--window-size=1600,1000", "--user-data-dir=" + profile]:
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(driver), options=options)


class Case:
    """One page on one server."""

    def __init__(self, window, server, address=""):
        self.window, self.server = window, server
        window.get("about:blank")
        window.get_log("browser")
        self.port = server.start()
        window.get(f"http://127.0.0.1:{self.port}/{address}")

    def js(self, code, *arguments):
        return self.window.execute_script("const page = window.trestlePage; return " + code, *arguments)

    def wait(self, what, holds, patience=PATIENCE):
        until = time.monotonic() + patience
        while True:
            found = holds()
            if found:
                return found
            if time.monotonic() > until:
                raise AssertionError(f"not within {patience} s: {what}")
            time.sleep(0.05)

    def ready(self):
        self.wait("the panels have data", lambda: self.js("page?.data.exact[0] && page.data.series('window').count > 10 && page.data.series('before').count > 10"))
        return self

    def text(self, name):
        return self.window.find_element(By.ID, name).text

    def press(self, *keys):
        ActionChains(self.window).send_keys(*keys).perform()

    def quiet(self):
        """Nothing went wrong that a console or the policy would tell."""
        logged = [entry for entry in self.window.get_log("browser") if entry["level"] == "SEVERE" and "WebSocket" not in entry["message"] and "ERR_CONNECTION" not in entry["message"]]
        expect(not logged, f"console: {logged}")
        expect(not self.server.violations, f"policy: {self.server.violations}")


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def cells(case):
    return case.window.execute_script("return [...document.querySelectorAll('#values [data-channel]')].map(c => [c.dataset.channel, c.dataset.value, c.textContent])")


def numbers_are_those_of_the_record(window, record):
    case = Case(window, StandIn(record, begin=30.0, speed=0.05)).ready()
    choose = random.Random(3)
    top = int(29 / record.spacing)
    for k in [0, 1, top] + [choose.randrange(top) for _ in range(17)]:
        case.js("page.view.pin(arguments[0])", k * record.spacing)
        case.js("page.changed()")
        case.wait(f"row {k} is shown", lambda: case.window.execute_script("return document.getElementById('values').dataset.index") == str(k))
        shown = cells(case)
        expect(len(shown) == 24, f"{len(shown)} values in the table")
        for channel, value, text in shown:
            expect(float(value) == record.columns[channel][k], f"step {k}, {channel}: {value} on the page, {record.columns[channel][k]!r} sent")
        # What is read agrees with the double behind it, to its last digit.
        channel, value, text = next(c for c in shown if c[0] == "west.1.force_N")
        number, unit = text.replace("\u2212", "-").split()
        factor, digits = {"N": 1, "kN": 1e-3, "MN": 1e-6}[unit], len(number.partition(".")[2])
        expect(abs(float(number) - float(value) * factor) <= 0.5000001 * 10 ** -digits, f"{text} shown for {value} N")
        time.sleep(0.05)
        for place, channel in (("cmd-value", "west.1.measured_m"), ("hys-value", "west.1.force_N")):
            case.wait(f"{place} is of step {k}", lambda: float(case.window.execute_script("return document.getElementById(arguments[0]).dataset.value", place)) == record.columns[channel][k])
        case.wait("the labels of the structure are of the step", lambda: case.window.execute_script(
            "return Number(document.querySelector('#structure [data-channel=\"roof_w.x.disp_m\"]').dataset.value)") == record.columns["roof_w.x.disp_m"][k])
    case.quiet()
    return case


def the_curve_is_where_it_belongs(window, record):
    case = Case(window, StandIn(record, begin=30.0, speed=0.01)).ready()
    case.js("page.view.setRange(20, 22)")
    case.js("page.changed()")
    case.wait("the window is loaded", lambda: case.js("page.data.series('window').from <= 20 && page.data.series('window').to >= 22"))
    time.sleep(0.3)
    for t in (20.5, 21.1, 21.7):
        k = round(t / record.spacing)
        near = case.window.execute_script("""
          const page = window.trestlePage, axes = page.motion.axes, canvas = document.getElementById('motion'), r = devicePixelRatio;
          const x = axes.X(arguments[0]) * r, y = axes.Y(arguments[1]) * r, pen = canvas.getContext('2d');
          const seen = (dy) => { const d = pen.getImageData(Math.round(x) - 2, Math.round(y) + dy - 2, 5, 5).data; let n = 0;
            for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 150 && (d[i] + d[i+1] + d[i+2]) < 480) ++n; return n; };
          return [seen(0), seen(24), seen(-24)];""", k * record.spacing, record.columns["west.1.measured_m"][k])
        expect(near[0] > 0, f"no ink at the curve, t = {t} s: {near}")
    # The buckets of the window hold the smallest and largest of the rows that they stand for.
    first, rows, count, low, high = case.js("(() => { const s = page.data.series('window'), c = s.place.get('west.1.force_N');"
                                            "return [s.first, s.rows, s.count, [...s.low[c].slice(0, s.count)], [...s.high[c].slice(0, s.count)]]; })()")
    for b in range(count):
        part = record.columns["west.1.force_N"][first + b * rows:first + (b + 1) * rows]
        expect((low[b], high[b]) == (min(part), max(part)), f"bucket {b}: {low[b]}, {high[b]}")
    case.quiet()
    return case


def zoom_and_pause_survive_streaming(window, record):
    case = Case(window, StandIn(record, begin=15.0)).ready()
    canvas = window.find_element(By.ID, "motion")
    wide = canvas.size["width"]
    ActionChains(window).move_to_element_with_offset(canvas, -wide // 5, 0).click_and_hold().move_by_offset(60, 5).move_by_offset(60, 0).release().perform()
    case.wait("the drag zooms", lambda: case.js("page.view.mode") == "still")
    before, frames = case.js("[page.view.from, page.view.to]"), case.js("page.view.newest")
    expect(0.05 < before[1] - before[0] < 3, f"zoomed to {before}")
    case.wait("two seconds of data come in", lambda: case.js("page.view.newest") > frames + 2)
    expect(case.js("[page.view.from, page.view.to]") == before, "the zoomed window moved")
    expect("back to live" in case.text("b-live"), case.text("b-live"))
    case.press("l")
    case.wait("it follows again", lambda: case.js("page.view.live && page.view.to === page.view.newest"))
    case.press(Keys.SPACE)
    case.wait("paused", lambda: case.js("page.view.mode") == "still")
    newest, end = case.js("page.view.newest"), case.js("page.view.end")
    case.wait("data go on", lambda: case.js("page.view.newest") > newest + 1.5)
    expect(case.js("page.view.end") == end, "the paused window moved")
    case.wait("the pill tells how far behind", lambda: "behind" in case.text("b-live"))
    window.find_element(By.ID, "b-live").click()
    case.wait("back to live", lambda: case.js("page.view.live"))
    case.wait("the window has data up to 0.2 s before the server's newest row",
              lambda: case.server.newest * record.spacing - case.js("page.data.series('window').to") < 0.2 + 0.3)
    # Wheel zooms around the pointer, [ and ] change the window.
    case.press("[")
    case.wait("half as long", lambda: abs(case.js("page.view.span") - 3) < 1 or case.js("page.view.span") < before[1] - before[0])
    case.quiet()
    return case


def zoom_survives_an_hour(window, record):
    """An hour of the test in about fifteen seconds: the window and the rows in it stay those that were drawn, to the bit."""
    hour = 3600.0
    long = stand_in_record.computed(seconds=hour + 300, step=1 / 32)
    server = StandIn(long, begin=60.0, speed=1.0)
    case = Case(window, server).ready()
    canvas = window.find_element(By.ID, "motion")
    wide = canvas.size["width"]
    ActionChains(window).move_to_element_with_offset(canvas, -wide // 5, 0).click_and_hold().move_by_offset(60, 5).move_by_offset(60, 0).release().perform()
    case.wait("the drag zooms", lambda: case.js("page.view.mode") == "still")
    shown = "(() => { const s = page.data.series('window'), c = s.place.get('west.1.measured_m'); return [s.first, s.rows, s.count, [...s.low[c].slice(0, s.count)]]; })()"
    case.wait("the window is loaded", lambda: case.js("page.data.series('window').from <= page.view.from && page.data.series('window').to >= page.view.to"))
    time.sleep(1.0)  # the finer rows of the zoomed window come in
    before, rows = case.js("[page.view.from, page.view.to]"), case.js(shown)
    expect(0.05 < before[1] - before[0] < 3, f"zoomed to {before}")
    begun = server.newest
    server.change("RUNNING", pace=240.0)
    heard = 0
    while (server.newest - begun) * long.spacing < hour:
        time.sleep(0.1)
        heard += case.js("[page.view.from, page.view.to]") == before
        expect(case.js("[page.view.from, page.view.to]") == before, f"the window moved behind {(server.newest - begun) * long.spacing:.0f} s")
    expect(heard >= 40, f"{heard} looks only")
    case.wait("the page has the hour", lambda: case.js("page.view.newest") > hour)
    expect(case.js(shown) == rows, "other rows are drawn in the window")
    first, per, count, low = rows
    column = long.columns["west.1.measured_m"]
    expect(count > 1 and low == [min(column[first + b * per:first + (b + 1) * per]) for b in range(count)], "the rows in the window are not those of the record")
    case.press("l")
    case.wait("it follows again", lambda: case.js("page.view.live && page.view.to > 3600"))
    case.quiet()
    return case


def each_state_is_said(window, record):
    server = StandIn(record, begin=17.0)
    case = Case(window, server).ready()
    expect(case.text("state") == "RUNNING", case.text("state"))
    sentence = ("west: force 251 kN at actuator 1 is above its limit 250 kN (site_west.yaml:12), step 18 422, t = 17.990 s. All sites hold. "
                "Clear the fault at west after looking at the specimen")
    for state, why, served in (("HOLDING", "Held by ada@lab: “look at the grips of east”", True), ("FAULT", sentence, True),
                               ("STOPPED", "Stopped by bob@lab: “leak at the pump”", False), ("COMPLETE", "All steps are done", False), ("HELD", "Held by ada@lab: “look at the grips”, at 17.00 s of the test", False), ("CUT OFF", "No process serves the test", False)):
        # Within a second of its event. A busy machine is late with anything: with half a second of the page's own clock, for one.
        begun = time.monotonic()
        window.execute_async_script("setTimeout(arguments[0], 500)")
        most = 1 + 3 * (time.monotonic() - begun - 0.5)
        took = []
        while not took or (took[-1] > most and len(took) < 3):
            if took:
                server.change("RUNNING")
                case.wait("running between", lambda: case.text("state") == "RUNNING")
            server.change(state, why, served)
            begun = time.monotonic()
            case.wait(state, lambda: case.text("state") == state and why in case.text("why"))
            took.append(time.monotonic() - begun)
        expect(took[-1] <= most, f"{state} was shown after {', '.join(f'{one:.2f} s' for one in took)}, at most {most:.2f} s")
        expect(case.window.title.startswith(state), case.window.title)
        box = case.window.execute_script("const w = document.getElementById('why'); return [w.scrollWidth, w.clientWidth, w.scrollHeight, w.clientHeight]")
        expect(box[0] <= box[1] + 1 and box[2] <= box[3] + 1, f"{state}: the sentence is cut, {box}")
        case.wait("no time left is told", lambda: window.find_element(By.CSS_SELECTOR, "#tile-left .n").text in ("–", "0"))
    expect(case.text("age") == "● record", case.text("age"))
    server.change("RUNNING")
    case.wait("running again", lambda: case.text("state") == "RUNNING")
    server.silent = True
    begun = time.monotonic()
    case.wait("NO NEWS", lambda: case.text("state") == "NO NEWS")
    expect(time.monotonic() - begun > 1.5, "NO NEWS was said too early")
    expect("The test does not depend on this page" in case.text("why"), case.text("why"))
    server.silent = False
    case.wait("running again", lambda: case.text("state") == "RUNNING")
    case.quiet()
    return case


def local_time_stands_beside_the_time_of_the_test(window, record):
    """In the zone of who looks: half hours tell it from UTC, and from this host's."""
    window.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Kolkata"})
    try:
        server = StandIn(record, begin=15.0)
        server.more = {"utc_ms": 1795539234866, "stands_still_s": 41.0}  # 16:53:54 UTC
        case = Case(window, server).ready()
        case.wait("the wall clock beside the time of the test", lambda: case.text("tile-time").endswith(" · 22:23:54 here"))
        server.change("HOLDING", "Held by ada@lab: “look at the grips of east”", True)
        case.wait("since when it holds", lambda: "grips of east”, since 41 s (22:23:13 here)" in case.text("why"))
        server.change("STOPPED", "Stopped by bob@lab: “leak at the pump”", False)
        case.wait("nothing happens any more", lambda: case.text("state") == "STOPPED" and "here" not in case.text("tile-time") + case.text("why"))
        case.quiet()
        return case
    finally:
        window.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


def the_page_connects_again_by_itself(window, record):
    server = StandIn(record, begin=15.0)
    case = Case(window, server).ready()
    case.js("page.view.setRange(3, 4)")
    server.kill()
    case.wait("NO NEWS", lambda: case.text("state") == "NO NEWS")
    again = StandIn(record, begin=18.0)
    again.start(case.port)
    case.server = again
    case.wait("running again", lambda: case.text("state") == "RUNNING", 40)
    case.wait("newer rows", lambda: case.js("page.view.newest") > 18)
    expect(case.js("[page.view.from, page.view.to]") == [3, 4], "the window moved")
    case.press("l")
    case.wait("the window follows", lambda: case.js("page.data.series('window').to > 18"))
    first, rows, count, low = case.js("(() => { const s = page.data.series('before'), c = s.place.get('west.1.force_N'); return [s.first, s.rows, s.count, [...s.low[c].slice(0, s.count)]]; })()")
    expect(low == [record.columns["west.1.force_N"][first + b * rows] for b in range(count)], "a row is missing, or twice")
    case.quiet()
    return case


def the_keyboard_holds_the_test(window, record):
    server = StandIn(record, begin=15.0)
    case = Case(window, server).ready()
    # By Tab alone.
    for _ in range(12):
        case.press(Keys.TAB)
        if case.js("document.activeElement.id") == "b-hold":
            break
    expect(case.js("document.activeElement.id") == "b-hold", "Tab does not reach hold")
    case.press(Keys.ENTER)
    case.wait("the server hears hold", lambda: any(m["type"] == "hold" for m in server.said))
    case.wait("HOLDING", lambda: case.text("state") == "HOLDING")
    case.wait("help is told", lambda: "trestle resume" in case.text("why"))
    server.change("RUNNING")
    case.wait("RUNNING", lambda: case.text("state") == "RUNNING")
    window.execute_script("document.activeElement.blur()")
    case.press("h")
    case.wait("the key alone holds", lambda: case.text("state") == "HOLDING")
    # A note and a stop ask for words; the words of others stay text.
    case.press("n")
    case.wait("it asks", lambda: case.js("document.getElementById('ask').open"))
    case.press("<script>document.title='x'</script> weld", Keys.ENTER)
    case.wait("the note is listed", lambda: "<script>" in case.text("events"))
    expect(window.execute_script("return document.querySelectorAll('#events script').length") == 0, "a note became a part of the page")
    expect([m for m in server.said if m["type"] == "note"][0]["text"].startswith("<script>"), "another text was sent")
    # The note of `trestle mark` is a flash for the cameras; the page is there again after it.
    window.execute_script("window.seen = []; new MutationObserver(() => { const f = document.getElementById('flash');"
                          " if (!f.hidden) window.seen.push(f.textContent); }).observe(document.getElementById('flash'),"
                          " {attributes: true, childList: true, subtree: true})")
    case.press("n")
    case.wait("it asks again", lambda: case.js("document.getElementById('ask').open"))
    case.press("sync mark 2026-11-26T20:02:16.912Z north", Keys.ENTER)
    case.wait("the page flashes", lambda: "sync mark 2026-11-26T20:02:16.912Z north" in case.js("window.seen.join('|')"))
    expect("s \u00b7 sync mark" in case.js("window.seen.join('|')"), "the flash lacks the time of the test")
    case.wait("the flash is over", lambda: case.js("document.getElementById('flash').hidden"))
    expect("<script>" not in case.js("window.seen.join('|')"), "another note flashed")
    server.change("RUNNING")
    case.wait("RUNNING", lambda: case.text("state") == "RUNNING")
    window.find_element(By.ID, "b-stop").click()
    case.press(Keys.ENTER)  # no reason: nothing is sent
    time.sleep(0.3)
    expect(not any(m["type"] == "stop" for m in server.said), "stopped without a reason")
    case.press("leak", Keys.ENTER)
    case.wait("STOPPED", lambda: case.text("state") == "STOPPED")
    case.quiet()
    # Who may only look sends nothing.
    viewer = Case(window, StandIn(record, begin=15.0, viewer=True)).ready()
    for name in ("b-hold", "b-stop", "b-note"):
        expect(not window.find_element(By.ID, name).is_enabled(), f"{name} is enabled for a viewer")
    viewer.press("h")
    viewer.press("n")
    time.sleep(0.3)
    expect(not any(m["type"] in ("hold", "stop", "note") for m in viewer.server.said), "a viewer's page sent a command")
    expect("trestle hold" in viewer.text("toast") or "trestle note" in viewer.text("toast"), viewer.text("toast"))
    viewer.quiet()
    return viewer


def all_keys_act(window, record):
    case = Case(window, StandIn(record, begin=20.0)).ready()
    case.press("3")
    expect(case.js("page.selected.label") == "east 1", case.js("page.selected.label"))
    case.press(Keys.ARROW_LEFT)
    pinned = case.js("page.view.pinned")
    case.press(Keys.ARROW_LEFT)
    expect(abs(pinned - case.js("page.view.pinned") - record.spacing) < 1e-9, "an arrow is not a step")
    start = case.js("page.view.from")
    case.press(Keys.SHIFT + Keys.ARROW_LEFT + Keys.NULL)
    ActionChains(window).key_down(Keys.SHIFT).send_keys(Keys.ARROW_LEFT).key_up(Keys.SHIFT).perform()
    expect(case.js("page.view.from") < start - 5, "shift and arrow do not move the window")
    case.press(Keys.ESCAPE)
    expect(case.js("page.view.pinned") is None, "Esc keeps the cursor")
    case.press(Keys.HOME)
    expect(case.js("page.view.end") == 6, "Home is not the begin")
    case.press("p", "+")
    case.wait("it replays at double speed", lambda: case.js("page.view.mode === 'replay' && page.view.speed === 2"))
    end = case.js("page.view.end")
    case.wait("it moves", lambda: case.js("page.view.end") > end + 0.5)
    case.press("p")
    expect(case.js("page.view.mode") == "still", "it replays on")
    window.execute_script("const s = document.getElementById('scrub'); s.value = 500; s.dispatchEvent(new Event('input'))")
    expect(abs(case.js("page.view.end / page.view.newest") - 0.5) < 0.05, "the slider does not move the window")
    theme = case.js("document.documentElement.dataset.theme")
    case.press("t")
    expect(case.js("document.documentElement.dataset.theme") != theme, "T keeps the theme")
    case.press("?")
    expect(case.js("document.getElementById('keys').open"), "no list of keys")
    case.press(Keys.ESCAPE)
    case.press("c")
    case.wait("C tells how to compare", lambda: "DIR2" in case.text("toast"))
    case.press(Keys.END)
    expect(case.js("page.view.live"), "End does not follow")
    case.quiet()
    return case


def two_records_lie_over_each_other(window, record):
    second = stand_in_record.computed(seconds=25, step=1 / 512, size=0.9)
    case = Case(window, StandIn(record, second, begin=30.0, speed=0.1)).ready()
    case.wait("the second record is loaded", lambda: case.js("page.compared && page.data.series('window', 1).count > 10 || page.view.newest > 25 && page.compared"))
    case.wait("the state of the second record is shown", lambda: "second record (COMPLETE)" in case.text("cmd-legend"))
    case.js("page.view.setRange(10, 12)")
    case.js("page.view.pin(11.001)")
    case.wait("both rows are shown", lambda: len([c for c in cells(case) if c[0].startswith("2:")]) == 8)
    k = case.js("page.view.index")
    case.wait("row of the cursor", lambda: case.window.execute_script("return document.getElementById('values').dataset.index") == str(k))
    j = int(k * record.spacing / second.spacing + 1e-6)  # the nearest earlier row
    for channel, value, _ in cells(case):
        if channel.startswith("2:"):
            expect(float(value) == second.columns[channel[2:]][j], f"{channel}: {value}")
    case.press("c")
    expect(not case.js("page.compared"), "C does not leave the comparison")
    case.quiet()
    return case


def the_token_opens_the_page(window, record):
    server = StandIn(record, begin=10.0, token="0123abcd")
    case = Case(window, server, "#0123abcd").ready()
    expect(case.js("location.hash") == "", "the token stays in the address")
    case.quiet()
    window.delete_all_cookies()
    closed = Case(window, StandIn(record, begin=10.0, token="0123abcd"))
    closed.wait("the page says what it needs", lambda: "trestle watch printed" in closed.text("why"))
    window.get_log("browser")
    return closed


def everybody_can_read_it(window, record):
    case = Case(window, StandIn(record, begin=20.0)).ready()
    for theme in ("light", "dark"):
        while case.js("document.documentElement.dataset.theme") != theme:
            case.press("t")
        time.sleep(0.3)
        for state, why in (("RUNNING", ""), ("HOLDING", "Held by ada@lab: “grips”"), ("FAULT", "west: force above its limit")):
            case.server.change(state, why)
            case.wait(state, lambda: case.text("state") == state)
            faint = page_checks.faint_texts(window)
            expect(not faint, f"{theme}, {state}: contrast below 4.5: {faint}")
    expect(not (missing := page_checks.unnamed(window)), f"without a name: {missing}")
    expect(not (wrong := page_checks.headings(window)), f"headings: {wrong}")
    expect(not (jumps := page_checks.focus_jumps(window, ActionChains, Keys)), f"focus jumps back: {jumps}")
    large = window.execute_script("return Math.min(...[...document.querySelectorAll('header .v')].map(v => parseFloat(getComputedStyle(v).fontSize)))")
    expect(large >= 44, f"digits of {large} px")
    window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
    try:
        time.sleep(0.5)
        expect(window.execute_script("return document.documentElement.scrollWidth") <= 390, "the page is wider than a telephone")
        expect(not (small := page_checks.small_targets(window)), f"targets below 44 px: {small}")
        order = window.execute_script("const y = (id) => document.getElementById(id).getBoundingClientRect().top; return [y('limits'), y('structure')]")
        expect(order[0] < order[1], "used-of-limit is not the first panel of a telephone")
    finally:
        window.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    case.quiet()
    return case


def a_whole_record_opens_alike(window, record):
    server = StandIn(record, begin=1e9)
    server.change("COMPLETE", "42 168 of 42 168 steps in 66 min", served=False)
    case = Case(window, server).ready()
    expect(case.text("state") == "COMPLETE", case.text("state"))
    expect(abs(case.js("page.view.span") - 41.18) < 0.1, f"window {case.js('page.view.span')} s")
    case.press("p")
    case.wait("it replays from the begin", lambda: case.js("page.view.mode === 'replay' && page.view.end > 0.5 && page.view.end < 20"))
    case.wait("the numbers follow the replay", lambda: abs(case.js("page.data.exact[0].index * page.view.step - page.view.end")) < 1.0)
    time.sleep(3.5)  # longer than a page waits for news of a running test
    expect(case.text("state") == "COMPLETE", "a record has NO NEWS")
    case.quiet()
    return case


COUNT_PEN = """
for (const verb of ['lineTo', 'moveTo']) {
  const drawn = CanvasRenderingContext2D.prototype[verb];
  CanvasRenderingContext2D.prototype[verb] = function (...at) { window.points[this.canvas.id] = (window.points[this.canvas.id] ?? 0) + 1; return drawn.apply(this, at); };
}
"""


def points_of_a_picture(case):
    return case.window.execute_script("window.points = {}; for (const panel of trestlePage.pictures) panel.draw(trestlePage); return window.points")


def a_picture_costs_no_more_if_the_test_is_longer(window, record):
    """Counts, not times: 60 frames a second are out of reach if a picture draws, or a second sends, more than this."""
    # All panels are in sight: what is not is not drawn.
    window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 1600, "height": 1300, "deviceScaleFactor": 1, "mobile": False})
    try:
        return count_the_work(window, record)
    finally:
        window.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def count_the_work(window, record):
    case = Case(window, StandIn(record, begin=35.0, speed=0.01)).ready()
    window.execute_script("window.points = {}; " + COUNT_PEN)
    case.wait("all panels are drawn", lambda: {"motion", "whole", "hysteresis"} <= set(points_of_a_picture(case)))
    wide = {name: case.js(f"document.getElementById('{name}').clientWidth") for name in ("motion", "whole", "hysteresis")}
    for span in (1.0, 6.0, 35.0):
        case.js("page.view.setRange(35 - arguments[0], 35)", span)
        case.js("page.changed()")
        case.wait("the window is loaded", lambda: case.js("page.data.series('window').from <= 35 - arguments[0] + 0.1 && page.data.series('window').to >= 34.9", span))
        drawn = points_of_a_picture(case)
        # A column a pixel, four points a column at most; axes and marks besides.
        for name, curves in (("motion", 4), ("whole", 1)):
            expect(0 < drawn[name] <= curves * 4 * wide[name] + 500, f"{span} s: {drawn[name]} points on {name} of {wide[name]} px")
        expect(0 < drawn["hysteresis"] <= 2 * 4000 + 500, f"{span} s: {drawn['hysteresis']} points on hysteresis")
        expect(sum(drawn.values()) <= 60000, f"{span} s: {drawn}")
    case.quiet()
    # What a row costs on the wire, from what the page has asked for: 25 channels in buckets of four rows, 12 in every second
    # row, two in long ones: 154 bytes, whatever the pace.
    live = Case(window, StandIn(record, begin=15.0)).ready()
    live.wait("it follows the test", lambda: len(following(live.server)) == 4)
    cost = sum(len(one["channels"]) * (8 if one["reduce"] == "rows" or one["rows_per_bucket"] == 1 else 16) / one["rows_per_bucket"]
               for one in following(live.server).values())
    expect(0 < cost <= 170, f"{cost:.0f} bytes a row: {following(live.server)}")
    live.quiet()
    return live


DRAWN_AFTER = """
const page = trestlePage, names = ['structure', 'motion', 'hysteresis', 'synchronisation', 'whole'], drawn = new Set(), found = {};
const pass = page.pass.bind(page);
page.pass = () => {};  // the loop of the page stands
page.data.takeFrame = () => page.data.series('before');
for (const name of names) page[name].draw = () => drawn.add(name);
for (const id of [2, 3, 4, 9]) {
  page.dirty = false;
  page.stale.clear();
  page.wordsAt = performance.now();
  drawn.clear();
  page.takeFrame({id});
  pass(0.016);
  found[id] = [...drawn];
  drawn.clear();
  page.wordsAt = performance.now();
  pass(0.016);
  found[id].push(...[...drawn].map((name) => name + ' again'));
}
return found;
"""
PACE = """
const page = trestlePage, found = [];
page.pass = () => {};
Object.assign(page, {thick: false, frameTime: 16.7, thinUntil: 0});
const at = (seconds, now) => { for (let k = 0; k < 60; ++k) page.judgePace(seconds, now); found.push(page.thick); };
at(1 / 60, 1e6); at(0.04, 1e6); at(1 / 60, 1e6 + 20000); at(5, 1e6 + 20000); at(1 / 60, 1e6 + 31000); at(0.03, 1e6 + 40000); at(1 / 60, 1e6 + 90000);
return found;
"""


def a_frame_draws_what_it_shows_alone(window, record):
    """Each picture 60 times a second is more than a slow computer draws; so are lines wider than a pixel without a graphics card."""
    case = Case(window, StandIn(record, begin=15.0, speed=0.01)).ready()
    drawn = window.execute_script(DRAWN_AFTER)
    everything = ["structure", "motion", "hysteresis", "synchronisation", "whole"]
    expect(drawn == {"2": ["hysteresis", "synchronisation"], "3": ["whole"], "4": ["hysteresis"], "9": everything}, drawn)
    # Thick while the screen keeps its pace, thin for half a minute after it did not, then for a minute.
    thick = window.execute_script(PACE)
    expect(thick == [True, False, False, False, True, False, False], thick)
    case.quiet()
    return case


def following(server):
    """The newest request of each subscription, if it follows the record."""
    newest = {message["id"]: message for message in server.said if message["type"] == "subscribe"}
    return {number: message for number, message in newest.items() if message["to"] is None}


def the_header_cuts_nothing(window, record):
    # A test of ten hours that nobody serves, far beyond a limit: the longest words and numbers of each tile.
    server = StandIn(record, begin=30.0, speed=0.01)
    case = Case(window, server).ready()
    server.more = {"state": "NOT KNOWN", "time_s": 35217.99, "steps_planned": 36864000, "step": 36063221, "rate": 1023.9, "left": {"seconds": 33000, "plus_minus": 3600}}
    case.wait("NOT KNOWN", lambda: case.text("state") == "NOT KNOWN")
    case.js("page.view.pin(20)")  # names of the tiles are longest away from the newest step
    try:
        for wide in (1920, 1600, 1280, 1181, 900, 390):
            window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": wide, "height": 1000, "deviceScaleFactor": 1, "mobile": wide < 500})
            cut = window.execute_script("""
              const s = structuredClone(trestlePage.standing);
              for (const a of s.actuators) {
                Object.assign(a, {late_s: -1.2345, margin_s: 0.0123456, error: 1.234});
                a.limits.acceleration = {used: 1.234, highest: 1.3, value_m_s2: 1234.5, limit_m_s2: 1000, at_least: true};
              }
              trestlePage.standing = s;
              trestlePage.header.draw(trestlePage);
              return [...document.querySelectorAll('header .k, header .v, header .v span, header .v small, header .d')]
                .filter((n) => { const box = n.closest('header > div').getBoundingClientRect(), r = n.getBoundingClientRect();
                                 return n.scrollWidth > n.clientWidth + 1 && getComputedStyle(n).display !== 'inline' || r.right > box.right + 0.5 || r.bottom > box.bottom + 0.5; })
                .map((n) => n.textContent);""")
            expect(not cut, f"{wide} px: cut in the header: {cut}")
            expect("35217.99" in window.find_element(By.ID, "tile-time").text, window.find_element(By.ID, "tile-time").text)
    finally:
        window.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    case.quiet()
    return case


def what_is_missing_before_it_is_armed_is_said(window, record):
    server = StandIn(record, begin=0.0)
    server.change("CONNECTING", "waits for the operator: the word to arm (trestle arm), of a second person; ada@lab armed, since 12.0 s, without a limit of time; nothing moves before",
                  help_text="trestle arm runs/frame")
    checklist = [{"item": "emergency stop pressed and released today", "by": "ada@lab", "at": "2026-11-27T09:12:03.120Z"},
                 {"item": "<b>nobody</b> in the cage", "by": "", "at": ""}, {"item": "limits read aloud", "by": "", "at": ""},
                 {"item": "accumulator at 80 bar", "by": "bob@lab", "at": "2026-11-27T09:14:00.000Z", "state": "waived", "reason": "it is <i>new</i>"}]
    sites = [{"name": "west", "state": "CONFIGURED", "step": None, "heard_s": 0.1, "rig": "",
              "interlocks": [{"name": "estop", "text": "open", "ok": False}, {"name": "oil", "text": None, "ok": None, "value": 47.25, "unit": "C"}],
              "readings": [{"channel": "2\u202e", "unit": "m", "mean": 1.2e-5, "deviation": 2e-6}, {"channel": "1.displacement", "unit": "m", "mean": 1.2e-5, "deviation": 2e-6}, {"channel": "1.force", "unit": "N", "mean": -12.5, "deviation": 4.0}]}]
    server.more = {"step": -1, "time_s": 0.0, "armed": None, "sites": sites, "arming": {"words": 2, "armed_by": ["ada@lab"], "required": True, "checklist": checklist}}
    server.no_record = True  # it begins when the test is armed
    case = Case(window, server)
    case.wait("NOT ARMED", lambda: case.text("state") == "NOT ARMED")
    expect("of a second person" in case.text("why") and "trestle arm runs/frame" in case.text("why"), case.text("why"))
    case.wait("the checklist", lambda: "1 of 4 confirmed · 1 waived" in case.text("arming"))
    words = case.text("arming")
    for part in ("all must be confirmed or waived", "waived by bob@lab", "it is <i>new</i>", "2\ufffd 12.00 µm", "2 persons must arm", "armed by ada@lab", "<b>nobody</b> in the cage", "1.displacement 12.00 µm ± 2.000 µm", "1.force −12.50 N ± 4.000 N"):
        expect(part in words, f"{part!r} is not in {words!r}")
    states = window.execute_script("return [...document.querySelectorAll('#arming li')].map((n) => [n.dataset.open ?? 'done', n.querySelector('path').getAttribute('d').length])")
    expect([s for s, _ in states] == ["done", "open", "open", "waived"], states)
    expect(states[0][1] != states[1][1], "an open item has the same mark as a confirmed one")
    expect(states[0][1] != states[3][1], "a waived item has the same mark as a confirmed one")
    row = window.execute_script("return document.querySelector('#sites tr').textContent")
    expect("estop open" in row and "oil 47.3 C" in row, row)
    expect(window.execute_script("return document.querySelectorAll('#sites .pill.bad').length") == 1, "an open contact is not marked")
    expect(not (faint := page_checks.faint_texts(window)), f"contrast below 4.5: {faint}")
    expect(not (wrong := page_checks.headings(window)), f"headings: {wrong}")
    # A held test asks for its checklist again. Its rigs are armed and bear load: the page must not say otherwise.
    server.change("HOLDING", "HOLDING: held by ada@lab: look at the grips", help_text="trestle resume runs/frame")
    case.wait("HOLDING although a checklist is open", lambda: case.text("state") == "HOLDING")
    case.wait("who must resume", lambda: "2 persons must resume" in case.text("arming") and "resumed by ada@lab" in case.text("arming"))
    # Armed: the list goes, and who armed stays.
    server.no_record = False
    server.more = {"armed": {"by": ["ada@lab"], "utc_ms": 1795539200000, "confirmed": 6, "open": "", "waived": "accumulator at 80 bar (it is new)"}}
    server.change("RUNNING")
    case.wait("RUNNING", lambda: case.text("state") == "RUNNING")
    expect(case.text("arming") == "", case.text("arming"))
    case.wait("who armed it", lambda: "armed by ada@lab" in case.text("sites-foot") and "6 items of the checklist confirmed" in case.text("sites-foot"))
    expect("waived: accumulator at 80 bar (it is new)" in case.text("sites-foot"), case.text("sites-foot"))
    expect("west: calibrated until 2027-10-30" in case.text("sites-foot"), case.text("sites-foot"))
    case.wait("the record is shown without a reload", lambda: case.js("page.data.series('window').count > 10"))
    case.quiet()
    return case


ACTS = [{"what": what, "who": who, "from": origin, "text": text, "utc_ms": 1795539200000 + 1000 * n} for n, (what, who, origin, text) in enumerate((
    ("armed", "ada@lab", "operator channel", ""), ("held", "ada@lab", "operator channel", "the first"), ("resumed", "ada@lab", "operator channel", ""),
    ("held", "bob@west", "bus: west", "a <b>leak</b>"), ("resumed", "ada@lab", "operator channel", ""), ("held", "ada@lab", "page 10.1.2.3", "grips"),
    ("resumed", "cy@lab", "terminal", ""), ("cleared", "cy@lab", "operator channel", "force above 250 kN")))]


def persons_origins_and_energies_are_shown(window, record):
    named = copy.copy(record)
    named.run = {**record.run, "participants": [{"name": "Ada", "role": "operator of site east", "place": "Lab East, Trondheim", "telephone": "+47 73 59 40 00"},
                                                {"name": "<script>Bob</script>", "role": "", "place": "", "telephone": ""}]}
    server = StandIn(named, begin=20.0, speed=0.02)
    server.more = {"acts": ACTS}
    case = Case(window, server).ready()
    case.wait("who acted", lambda: "Who acted" in case.text("acts"))
    acts = window.execute_script("return [...document.querySelectorAll('#acts li')].map((n) => n.textContent)")
    expect(len(acts) == 6 and "the last 6" in case.text("acts"), acts)
    for n, act in enumerate(reversed(ACTS[2:])):
        expect(acts[n].startswith(f"{act['who']} {act['what']}") and acts[n].endswith(act["text"] or acts[n]), f"{n}: {acts[n]}, {act}")
    expect("bob@west held at west" in acts[4] and "a <b>leak</b>" in acts[4], acts[4])
    # Each limit has its line, and the meter tells it to those who do not see it.
    rows = window.execute_script("return [...document.querySelectorAll('#limits .track')].map((n) => [n.getAttribute('aria-label'), n.nextElementSibling.nextElementSibling.textContent])")
    expect(len(rows) >= 9, rows)
    for label, text in rows:
        expect(label.endswith("limit of site_west.yaml:12") and text.endswith("site_west.yaml:12"), (label, text))
    told = window.find_element(By.ID, "hysteresis").get_attribute("aria-label")
    expect("energy error 0.012 of 0.1" in told, told)
    case.wait("the work on the specimen", lambda: case.text("hys-value").endswith("J so far"))
    name = window.execute_script("const n = document.getElementById('hys-name'); return [n.clientWidth, n.textContent]")
    expect(name[0] > 100, f"nothing is left of the name of the actuator: {name}")
    # Energies are those of the row at the cursor, to the bit.
    for k in (1, 5000, 12345):
        case.js("page.view.pin(arguments[0])", k * record.spacing)
        case.js("page.changed()")
        case.wait(f"row {k} is shown", lambda: window.execute_script("return document.getElementById('values').dataset.index") == str(k))
        shown = window.execute_script("return [...document.querySelectorAll('#energies [data-channel]')].map((n) => [n.dataset.channel, n.dataset.value])")
        expect([c for c, _ in shown] == ["energy.input_J", "energy.kinetic_J", "energy.balance"], shown)
        for channel, value in shown:
            expect(float(value) == record.columns[channel][k], f"step {k}, {channel}: {value} on the page, {record.columns[channel][k]!r} sent")
    expect("input" in case.text("energies") and "J" in case.text("energies") and "balance" in case.text("energies"), case.text("energies"))
    for theme in ("light", "dark"):
        while case.js("document.documentElement.dataset.theme") != theme:
            case.press("t")
        expect(not (faint := page_checks.faint_texts(window)), f"{theme}: contrast below 4.5: {faint}")
    expect(not (wrong := page_checks.headings(window)), f"headings: {wrong}")
    window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
    try:
        time.sleep(0.5)
        expect(window.execute_script("return document.documentElement.scrollWidth") <= 390, "the page is wider than a telephone")
        cut = window.execute_script("const box = document.getElementById('limits').getBoundingClientRect(); return [...document.querySelectorAll('#limits .o')].filter((n) => n.getBoundingClientRect().right > box.right + 1).map((n) => n.textContent)")
        expect(not cut, f"cut on a telephone: {cut}")
    finally:
        window.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    # Telephone, place and role of those who take part are read, and never run.
    people = window.execute_script("return [...document.querySelectorAll('#people li')].map((n) => n.textContent)")
    expect(people == ["Ada, operator of site east, Lab East, Trondheim, +47 73 59 40 00", "<script>Bob</script>"], people)
    expect("Participants" in case.text("people"), case.text("people"))
    # Of a record without people, origins and energies nothing is made up.
    server.more = {"acts": None}
    case.wait("nobody acted", lambda: case.text("acts") == "")
    case.quiet()
    return case


def what_is_not_of_the_cursor_says_so(window, record):
    """The work on the specimen is that up to the cursor; tiles that show where the test stands say that they do."""
    server = StandIn(record, begin=30.0, speed=0.01)
    case = Case(window, server).ready()
    tiles = {"tile-time": "time of the test", "tile-limit": "nearest limit", "tile-late": "late, worst actuator"}
    names = lambda: {tile: window.execute_script("return document.querySelector('#' + arguments[0] + ' .k').textContent", tile) for tile in tiles}  # noqa: E731
    site, actuator = record.run["sites"][0], record.run["sites"][0]["actuators"][0]

    def shown():
        told = window.execute_script("return document.getElementById('hys-value').dataset.energy")
        return float(told) if told else None

    for k in (0, 1, 5000, int(29 / record.spacing), 12345):
        case.js("page.view.pin(arguments[0])", k * record.spacing)
        case.js("page.changed()")
        work = record.work(site, actuator, k)
        case.wait(f"the work up to step {k}", lambda: shown() == work)
        case.wait("the names of the tiles", lambda: names() == {tile: f"{name} · newest" for tile, name in tiles.items()})
    # Of a long record the rows before are read little by little: until then a part is not told as if it were all.
    server.work_read = 2000
    case.js("page.view.pin(arguments[0])", 9000 * record.spacing)
    case.js("page.changed()")
    case.wait("how much is read", lambda: case.text("hys-value").endswith("energy: 22 % of the steps read"))
    expect(shown() is None, shown())
    # A server that comes no further lacks rows, and is asked now and then.
    case.wait("rows are missing", lambda: case.text("hys-value").endswith("energy not known: rows are missing"))
    asked = server.work_asked
    server.work_read = None
    case.wait("the rest is asked for", lambda: shown() == record.work(site, actuator, 9000), 30)
    expect(server.work_asked - asked <= 2, f"asked {server.work_asked - asked} times")
    case.press("l")
    case.wait("the newest step", lambda: names() == tiles)
    case.quiet()
    return case

HEAR_WORDS = """
window.words = {};
const written = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...at) { (window.words[this.canvas.id] ??= new Set()).add(text); return written.call(this, text, ...at); };
"""


def words_on(case, canvas):
    """What is written on a canvas, drawn anew."""
    return case.window.execute_script("window.words = {}; for (const panel of trestlePage.pictures) panel.draw(trestlePage); for (const panel of trestlePage.words) panel.draw(trestlePage);"
                                      " return [...(window.words[arguments[0]] ?? [])]", canvas)


INK_BEHIND = """
// Pixels of a colour on the difference strip, from one time to another.
const page = trestlePage, canvas = document.getElementById('motion'), r = devicePixelRatio, axes = page.motion.axes;
page.motion.draw(page);
const hex = getComputedStyle(document.documentElement).getPropertyValue('--error').trim();
const probe = document.createElement('canvas').getContext('2d');
probe.fillStyle = hex; probe.fillRect(0, 0, 1, 1);
const ink = probe.getImageData(0, 0, 1, 1).data;
const left = axes.X(arguments[0]) * r, right = axes.X(arguments[1]) * r, top = (axes.box.top + axes.box.height + 25) * r;
const d = canvas.getContext('2d').getImageData(left, top, Math.max(1, right - left), canvas.height - top - 22 * r).data;
let n = 0;
for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 100 && Math.abs(d[i] - ink[0]) + Math.abs(d[i + 1] - ink[1]) + Math.abs(d[i + 2] - ink[2]) < 90) ++n;
return n;
"""


def behind_the_end_of_the_second_record_is_nothing(window, record):
    """No difference, no dot and no value where one of the two records has none; and a row that does not exist is not asked for again and again."""
    second = stand_in_record.computed(seconds=10, step=1 / 1024, size=0.5)
    server = StandIn(record, second, begin=30.0, speed=0.01)
    case = Case(window, server).ready()
    case.js("page.view.setRange(9, 12)")
    case.js("page.changed()")
    case.wait("both windows are loaded", lambda: case.js("page.data.series('window').to >= 12 && page.data.series('window', 1).to > 9.9 && page.data.series('window', 1).from <= 9"))
    time.sleep(0.3)
    expect(window.execute_script(INK_BEHIND, 9.1, 9.9) > 20, "no difference is drawn where both have values")
    ink = window.execute_script(INK_BEHIND, 10.1, 11.9)
    expect(ink == 0, f"a difference of {ink} pixels behind the end of the second record")
    case.js("page.view.pin(9.5)")
    case.wait("both rows are shown", lambda: len([c for c in cells(case) if c[0].startswith("2:")]) == 8)
    case.js("page.view.pin(11)")
    case.wait("the row of the cursor", lambda: window.execute_script("return document.getElementById('values').dataset.index") == str(11 * 1024))
    case.wait("it says that the second record has none", lambda: "second record: ended at 9.999 s" in case.text("val-step"))
    expect(not [c for c in cells(case) if c[0].startswith("2:")], "the second record has values behind its end")
    asked = server.asked["/api/rows", 1]
    time.sleep(1.0)
    expect(server.asked["/api/rows", 1] - asked <= 1, f"a row that is not there was asked for {server.asked['/api/rows', 1] - asked} times in a second")
    # A record laid over itself differs nowhere, however long its buckets are.
    same = Case(window, StandIn(record, copy.copy(record), begin=33.333, speed=0.01)).ready()
    same.js("(page.view.span = 20.3, page.changed())")
    same.wait("both windows are loaded", lambda: same.js("page.data.series('window').rows > 8 && page.data.series('window', 1).rows > 8 && page.data.series('window', 1).to > 33"))
    time.sleep(0.5)
    most = same.js("(page.motion.forget(), page.motion.draw(page), page.motion.errorRange.high)")
    expect(most < 1e-8, f"a record differs from itself by {most} m")
    # A second record that moves more is not cut off.
    wide = Case(window, StandIn(record, stand_in_record.computed(seconds=12, size=3.0), begin=8.0, speed=0.01)).ready()
    wide.wait("the second loop is loaded", lambda: wide.js("page.data.series('before', 1).count > 10 && page.compared"))
    wide.js("page.view.pin(7.9)")
    most = wide.js("(() => { const s = page.data.series('before', 1).extremes('west.1.measured_m', 0, 7.9); return Math.max(-s.low, s.high); })()")
    wide.wait("the loops of the second record are whole", lambda: wide.js("page.hysteresis.x.high") >= most, 5)
    case.quiet()
    return wide


def another(record, session, size):
    """The same test again, as another record with as many events."""
    again = stand_in_record.computed(seconds=20, size=size)
    again.run["session"] = session
    again.events = [{**event, "text": event["text"] + " again"} for event in record.events]
    return again


def another_record_leaves_nothing_of_the_one_before(window, record):
    server = StandIn(record, begin=19.0, speed=0.0)
    case = Case(window, server).ready()
    case.wait("the events", lambda: "crack at the weld" in case.text("events"))
    old = record.columns["west.1.measured_m"][int(19 * 1024)]
    server.held.add("/api/rows")  # an answer for the old record comes late
    case.js("page.view.pin(5)")
    case.js("page.changed()")
    case.wait("a row is asked for", lambda: case.js("page.data.exact[0]?.index") != 5120)
    time.sleep(0.5)
    other = another(record, "other", 0.25)
    server.records[0] = other
    other.run["records"] = 1
    case.wait("the other record is shown", lambda: case.js("page.run.session") == "other")
    case.js("page.view.pin(5)")
    server.held.clear()
    case.wait("the row", lambda: case.js("page.data.exact[0]?.index") == 5120)
    time.sleep(1.0)
    shown = case.js("page.data.exact[0].values.get('west.1.measured_m')")
    expect(shown == other.columns["west.1.measured_m"][5120], f"{shown} shown, {other.columns['west.1.measured_m'][5120]} recorded, {record.columns['west.1.measured_m'][5120]} in the record before")
    told = next(value for channel, value, _ in cells(case) if channel == "west.1.measured_m")
    expect(float(told) == shown, f"{told} in the table, {shown} at the cursor; before: {old}")
    case.wait("the events of the other record", lambda: "west face again" in case.text("events"), 3)
    case.press("l")
    case.wait("the newest row", lambda: window.execute_script("return document.getElementById('values').dataset.index") == "19456")
    # The highest use of a limit is not taken over, although the new record is described before it stands.
    server.kill()
    case.wait("NO NEWS", lambda: case.text("state") == "NO NEWS")
    third = another(record, "third", 0.02)
    again = StandIn(third, begin=19.0, speed=0.0)
    again.silent = True
    again.start(case.port)
    case.server = again
    case.wait("the third record is described", lambda: case.js("page.run.session") == "third", 40)
    time.sleep(0.6)
    again.silent = False
    case.wait("its standing", lambda: case.js("page.standing?.session") == "third" and case.text("state") == "RUNNING")
    time.sleep(0.5)
    told = next(float(value) for channel, value, _ in cells(case) if channel == "west.1.measured_m")
    expect(told == third.columns["west.1.measured_m"][19456], "the table has the row of the same number of the record before")
    mark = window.execute_script("return [...document.querySelectorAll('#limits .track')].map((n) => [n.getAttribute('aria-label'), parseFloat(n.querySelector('u').style.left)])")
    force = next(left for label, left in mark if label.startswith("west 1 stroke"))
    used = abs(third.columns["west.1.command_m"][int(19 * 1024)]) / 0.06
    expect(force <= 100 * used + 1, f"highest {force} %, used {100 * used} %: of the record before")
    case.quiet()
    return case


def what_was_missed_is_read_later(window, record):
    server = StandIn(record, begin=15.0, speed=0.05)
    server.failing["/api/run"] = 1
    case = Case(window, server)
    case.wait("the record is shown although it was not described at once", lambda: case.js("page.data.series('window').count > 10"), 10)
    expect("crack at the weld" not in case.text("events"), "too early")
    server.kill()
    case.wait("NO NEWS", lambda: case.text("state") == "NO NEWS")
    again = StandIn(record, begin=18.0)
    again.held.add("/api/run")
    again.start(case.port)
    case.server = again
    case.wait("connected", lambda: case.js("page.connection.open"), 40)
    case.js("page.connection.send({type: 'note', text: 'newer than what was missed', time_s: 18})")
    case.wait("the new note", lambda: "newer than what was missed" in case.text("events"))
    again.held.clear()
    case.wait("the note that was written while the page heard nothing", lambda: "crack at the weld" in case.text("events"), 5)
    window.get_log("browser")  # the refusal above
    return case


def a_late_frame_is_not_another_actuator_s(window, record):
    server = StandIn(record, begin=30.0, speed=0.0)
    case = Case(window, server).ready()
    case.wait("the whole test", lambda: case.js("page.data.series('whole').count > 10"))
    server.late_frames = server.silent = True
    case.press("3")
    case.wait("the page asks for the other actuator", lambda: any(m["type"] == "subscribe" and m["channels"][0] == "east.1.measured_m" and m["reduce"] == "extremes" for m in server.said))
    time.sleep(0.7)
    first, rows, low = case.js("(() => { const s = page.data.series('whole'), c = s.place.get('east.1.measured_m'); return [s.first, s.rows, c === undefined ? [] : [...s.low[c].slice(0, s.count)]]; })()")
    column = record.columns["east.1.measured_m"]
    expect(low == [min(column[first + b * rows:first + (b + 1) * rows]) for b in range(len(low))], "values of west 1 are drawn as those of east 1")
    server.late_frames = server.silent = False
    case.wait("its own values", lambda: case.js("page.data.series('whole').has('east.1.measured_m') && page.data.series('whole').count > 10"))
    case.quiet()
    return case


def a_site_that_stands_adds_no_delay(window, record):
    """Delays count when a step was made, and say how many they are; a pace that is not known is not 0."""
    server = StandIn(record, begin=15.0)
    case = Case(window, server).ready()
    window.execute_script(HEAR_WORDS)
    window.find_element(By.ID, "syn-cdf").click()
    told = lambda: next((text for text in words_on(case, "synchronisation") if text.startswith("west 1")), "")  # noqa: E731
    case.wait("percentiles and number", lambda: told().startswith("west 1: p50 0.4, p95 0.4 ms, n ") and not told().endswith(" n 1"))
    server.change("HOLDING", "Held by ada@lab: “grips”")
    case.wait("HOLDING", lambda: case.text("state") == "HOLDING")
    before = told()
    time.sleep(1.5)
    expect(told() == before, f"{before!r}, and {told()!r} while it holds")
    server.change("RUNNING")
    server.more = {"rate": None}
    case.wait("RUNNING", lambda: case.text("state") == "RUNNING")
    time.sleep(1.5)
    last = case.js("page.steps.rates[page.steps.rates.length - 1].rate")
    expect(last is None, f"a pace that is not known is drawn as {last}")
    server.more = {}
    case.wait("a pace", lambda: case.js("page.steps.rates[page.steps.rates.length - 1].rate > 0"))
    server.silent = True
    case.wait("NO NEWS", lambda: case.text("state") == "NO NEWS")
    time.sleep(1.0)
    server.silent = False
    case.wait("RUNNING", lambda: case.text("state") == "RUNNING")
    case.wait("a pace again", lambda: case.js("page.steps.rates[page.steps.rates.length - 1].rate > 0"))
    gaps = case.js("page.steps.rates.map((one, i, all) => i && one.rate !== null && !Number.isNaN(one.rate) && !Number.isNaN(all[i - 1].rate) ? one.at - all[i - 1].at : 0)")
    expect(max(gaps) < 3, f"a line is drawn over {max(gaps)} s without news")
    case.quiet()
    return case


def what_is_old_is_not_told_as_new(window, record):
    server = StandIn(record, begin=15.0)
    case = Case(window, server).ready()
    case.wait("newest", lambda: case.text("val-step").endswith("newest"))
    case.press(Keys.SPACE)
    case.wait("data go on", lambda: case.js("page.view.behind") > 1)
    expect("newest" not in case.text("val-step"), case.text("val-step"))
    case.press("l")
    left = lambda: window.find_element(By.CSS_SELECTOR, "#tile-left .d").text + window.find_element(By.CSS_SELECTOR, "#tile-left .n").text  # noqa: E731
    case.wait("an end is told", lambda: "ends about" in left())
    server.silent = True
    case.wait("NO NEWS", lambda: case.text("state") == "NO NEWS")
    case.wait("no end is told of a test of which nothing is heard", lambda: "no news" in left() and "–" in left(), 3)
    expect(not window.find_element(By.ID, "b-hold").is_enabled(), "hold can be pressed while nothing is heard") if case.js("!page.connection.open") else None
    server.silent = False
    case.wait("RUNNING", lambda: case.text("state") == "RUNNING")
    case.wait("hold", lambda: window.find_element(By.ID, "b-hold").is_enabled())
    server.kill()
    case.wait("hold, stop and note cannot be pressed", lambda: not any(window.find_element(By.ID, one).is_enabled() for one in ("b-hold", "b-stop", "b-note")), 5)
    window.execute_script("document.activeElement.blur()")
    case.press("h")
    case.wait("why it was not held", lambda: "no connection" in case.text("toast"), 5)
    # A record that has ended cannot be held by anybody.
    ended = StandIn(record, begin=30.0)
    ended.change("STOPPED", "Stopped by bob@lab", served=False)
    over = Case(window, ended).ready()
    over.press("h")
    over.wait("why it was not held", lambda: "no longer runs" in over.text("toast"), 5)
    expect("double-click: to the end" in over.text("ovr-name"), over.text("ovr-name"))
    over.quiet()
    return over


def the_first_steps_are_shown_right(window, record):
    server = StandIn(record, begin=0.0, speed=0.0)
    case = Case(window, server)
    window.execute_script(HEAR_WORDS)
    case.wait("the first row", lambda: window.execute_script("return document.getElementById('values').dataset.index") == "0")
    case.press("]")
    expect(case.js("page.view.span") >= 6, f"a window twice as long has {case.js('page.view.span')} s, before 6 s")
    window.execute_script("document.getElementById('whole').scrollIntoView()")
    case.wait("the whole test has a unit", lambda: any(text in ("µm", "mm", "m") for text in words_on(case, "whole")), 5)
    asked = server.asked["/api/rows", 0]
    time.sleep(1.5)
    expect(server.asked["/api/rows", 0] - asked <= 1, f"the same row was asked for {server.asked['/api/rows', 0] - asked} times")
    server.more = {"step": -1, "time_s": 0.0}
    case.wait("no step is told before the first", lambda: "no step of" in case.text("tile-time"), 5)
    expect("−1" not in case.text("tile-time"), case.text("tile-time"))
    case.quiet()
    return case


def a_pinch_leaves_its_window(window, record):
    window.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
    try:
        case = Case(window, StandIn(record, begin=30.0, speed=0.0)).ready()
        left, top, wide = case.js("(() => { document.getElementById('motion').scrollIntoView({block: 'center'}); const r = document.getElementById('motion').getBoundingClientRect(); return [r.left, r.top, r.width]; })()")
        touch = lambda kind, *xs: window.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": left + x, "y": top + 60, "id": k} for k, x in enumerate(xs)]})  # noqa: E731
        window.execute_script("document.getElementById('motion').style.touchAction = 'none'")
        touch("touchStart", 0.3 * wide)
        touch("touchStart", 0.3 * wide, 0.6 * wide)
        for part in (0.65, 0.7, 0.8, 0.85):
            touch("touchMove", 0.3 * wide, part * wide)
        case.wait("it zooms", lambda: case.js("page.view.mode") == "still", 5)
        before = case.js("[page.view.from, page.view.to]")
        touch("touchEnd", 0.3 * wide)
        touch("touchEnd")
        time.sleep(0.3)
        after = case.js("[page.view.from, page.view.to, page.view.pinned]")
        expect(after[:2] == before and after[2] is None, f"{before} between two fingers, {after} behind them")
        case.quiet()
        return case
    finally:
        window.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})

WHEEL = """
const done = arguments[0], canvas = document.getElementById('whole'), r = canvas.getBoundingClientRect();
let n = 0;
const turn = () => {
  if (++n > 90) return done();
  canvas.dispatchEvent(new WheelEvent('wheel', {deltaY: n % 30 < 15 ? 60 : -60, clientX: r.right - 5, clientY: r.top + 5, bubbles: true, cancelable: true}));
  requestAnimationFrame(turn);
};
turn();
"""


def zooming_asks_no_more_than_the_server_bears(window, record):
    """It closes a connection with more than 80 messages at once, or 40 a second."""
    server = StandIn(record, begin=35.0, speed=0.01)
    case = Case(window, server).ready()
    window.execute_script("document.getElementById('whole').scrollIntoView()")
    case.wait("the whole test is drawn", lambda: case.js("Boolean(page.whole.axes)"))
    case.js("(page.view.span = 20, page.changed())")
    time.sleep(0.5)
    heard = len([m for m in server.said if m["type"] != "ack"])
    begun = time.monotonic()
    window.execute_async_script(WHEEL)
    took = time.monotonic() - begun
    sent = len([m for m in server.said if m["type"] != "ack"]) - heard
    expect(case.js("page.view.live"), "the wheel over the whole test left the newest rows")
    expect(0 < sent <= 20 * took + 4, f"{sent} messages in {took:.1f} s")
    case.wait("the window that was chosen last is asked for", lambda: case.js("page.data.sets.get(1).key === `follow ${Math.ceil(page.view.span / page.view.step / 2000)}`"), 5)
    case.quiet()
    return case


def a_resumed_test_may_begin_earlier(window, record):
    """Of a host that lost its power the last rows are gone, and made again with other values: nothing of them stays."""
    server = StandIn(record, begin=19.0, speed=0.0)
    case = Case(window, server).ready()
    case.wait("the newest row", lambda: case.js("page.data.exact[0].index") == 19456)
    server.kill()
    case.wait("NO NEWS", lambda: case.text("state") == "NO NEWS")
    made_again = another(record, record.run["session"], 0.5)
    again = StandIn(made_again, begin=12.0, speed=0.0)
    again.start(case.port)
    case.server = again
    case.wait("RUNNING", lambda: case.text("state") == "RUNNING", 40)
    case.wait("the newest row is an earlier one", lambda: case.js("page.view.newest") == 12 and case.js("page.data.exact[0]?.index") == 12288, 5)
    again.change("RUNNING", pace=4.0)
    case.wait("the test passes where it was", lambda: case.js("page.view.newest") > 19)
    again.change("HOLDING", "Held by ada@lab: “grips”")
    case.js("page.view.pin(19)")
    case.wait("row 19456", lambda: case.js("page.data.exact[0]?.index") == 19456)
    shown, right = case.js("page.data.exact[0].values.get('west.1.measured_m')"), made_again.columns["west.1.measured_m"][19456]
    expect(shown == right, f"{shown} shown, {right} recorded, {record.columns['west.1.measured_m'][19456]} before the power was lost")
    case.js("page.view.pin(15)")
    case.wait("the loops are read again", lambda: case.js("page.data.curves[0]?.reached > 19456"))
    curve = case.js("[page.data.curves[0].rows, page.data.curves[0].x]")
    wrong = [k for k, x in zip(*curve) if x != made_again.columns["west.1.measured_m"][k]]
    expect(not wrong, f"{len(wrong)} points of the loops are of the rows that were lost")
    case.quiet()
    return case


def the_second_record_may_run_and_change(window, record):
    second = another(record, "second", 0.9)
    server = StandIn(record, second, begin=15.0, speed=0.01)
    case = Case(window, server).ready()
    case.wait("the second record", lambda: case.js("page.compared"))
    case.press("c")
    third = another(record, "third", 0.1)
    third.run["records"] = 2
    server.records[1] = third
    case.wait("another second record", lambda: case.js("page.data.record(1).run.session") == "third", 8)
    expect(not case.js("page.compared"), "the choice of the person is lost")
    case.press("c")
    case.js("page.view.pin(9)")
    case.wait("its row", lambda: {c: float(v) for c, v, _ in cells(case)}.get("2:west.1.measured_m") == third.columns["west.1.measured_m"][9216])
    # One that runs becomes longer.
    server.growing = 5000
    grown = another(record, "fourth", 0.3)
    server.records[1] = grown
    case.wait("it is short", lambda: case.js("page.second.record.run.session === 'fourth' && Math.round(page.second.end / page.view.step)") == 4999, 8)
    server.growing = 9217
    case.wait("it has grown to the cursor", lambda: {c: float(v) for c, v, _ in cells(case)}.get("2:west.1.measured_m") == grown.columns["west.1.measured_m"][9216], 8)
    case.quiet()
    return case

def a_choice_without_a_connection_is_followed_later(window, record):
    server = StandIn(record, begin=20.0)
    case = Case(window, server).ready()
    case.wait("curves", lambda: case.js("page.data.series('window').count > 10"))
    server.kill()
    case.wait("NO NEWS", lambda: case.text("state") == "NO NEWS")
    window.get_log("browser")  # that nobody listens
    case.press("3")
    case.wait("the choice is shown", lambda: case.js("page.selected.label") == "east 1")
    again = StandIn(record, begin=22.0)
    again.start(case.port)
    case.server = again
    case.wait("RUNNING", lambda: case.text("state") == "RUNNING", 40)
    case.wait("its curves", lambda: case.js("page.data.series('window').has('east.1.measured_m') && page.data.series('window').count > 10"))
    wrong = [entry["message"] for entry in window.get_log("browser") if "TypeError" in entry["message"]]
    expect(not wrong, f"an error in the page: {wrong}")
    return case


def a_connection_lost_while_the_record_is_read_draws_on(window, record):
    server = StandIn(record, begin=10.0)
    case = Case(window, server).ready()
    case.wait("curves", lambda: case.js("page.data.series('window').count > 10"))
    server.held.add("/api/events")  # its answer never comes
    for _ in range(4):
        asked = server.asked["/api/run", 0]
        case.js("page.connection.socket.close()")
        case.wait("the record is asked for again", lambda: server.asked["/api/run", 0] > asked, 20)
        case.wait("connected", lambda: case.js("page.connection.open"), 20)
        case.js("window.reached = page.data.series('window').to")
        case.wait("the curves go on", lambda: case.js("page.data.series('window').to > window.reached + 1"), 10)
    server.held.clear()
    window.get_log("browser")  # of the connections that were closed
    return case


def a_load_that_fails_after_a_reconnection_is_tried_again(window, record):
    server = StandIn(record, begin=10.0)
    case = Case(window, server).ready()
    case.wait("curves", lambda: case.js("page.data.series('window').count > 10"))
    for path in ("/api/run", "/api/events"):
        server.failing[path] = 1
        asked = server.asked[path, 0]
        case.js("page.connection.socket.close()")
        case.wait("it is asked for again", lambda: server.asked[path, 0] > asked + 1, 20)
        case.js("window.reached = page.data.series('window').to")
        case.wait("the curves go on", lambda: case.js("page.data.series('window').to > window.reached + 1"), 10)
    asked = server.asked["/api/run", 0]
    time.sleep(1.5)
    expect(server.asked["/api/run", 0] == asked, "it is asked for again and again")
    window.get_log("browser")  # the refusals
    return case


def short_records_gaps_and_absent_sites_are_told(window, record):
    # One row.
    single = stand_in_record.computed(seconds=1.5 / 1024)
    single.events = []
    server = StandIn(single, begin=0.0)
    server.change("STOPPED", "Stopped by bob@lab", served=False)
    case = Case(window, server)
    case.wait("its row", lambda: window.execute_script("return document.getElementById('values').dataset.index") == "0")
    case.press("p", Keys.ARROW_RIGHT, Keys.ARROW_LEFT, "[", "]", Keys.HOME, "l")
    expect(case.js("page.view.index") == 0 and case.js("Number.isFinite(page.view.span) && page.view.span > 0"), case.js("page.view"))
    case.quiet()
    # Values that are no numbers are neither drawn as 0 nor told as one.
    broken = stand_in_record.computed(seconds=20)
    for k in range(10000, 12000):
        for name in ("west.1.measured_m", "roof_w.x.disp_m"):
            broken.columns[name][k] = math.nan
    server = StandIn(broken, begin=19.0, speed=0.0)
    case = Case(window, server).ready()
    case.js("page.view.pin(arguments[0])", 11000 * broken.spacing)
    case.wait("the row", lambda: window.execute_script("return document.getElementById('values').dataset.index") == "11000")
    expect(next(text for channel, _, text in cells(case) if channel == "west.1.measured_m") == "not a number", cells(case))
    case.wait("no error is told", lambda: "error –" in case.text("cmd-value"))
    expect("NaN" not in window.find_element(By.TAG_NAME, "main").text, "NaN is on the page")
    roof = window.execute_script("return document.querySelector('#structure [data-channel=\"roof_w.x.disp_m\"]').textContent")
    expect("0" not in roof, f"a value that is no number is told as {roof}")
    # A site that leaves takes its limits along, and comes back with them.
    limits = lambda: [label for label in window.execute_script("return [...document.querySelectorAll('#limits .track')].map((n) => n.getAttribute('aria-label').split(' ')[0])")]  # noqa: E731
    case.wait("both sites", lambda: "east" in limits() and "west" in limits())
    standing = server.standing(0)
    server.more = {"actuators": [a for a in standing["actuators"] if a["site"] == "west"], "sites": [standing["sites"][0], {"name": "east", "state": "OFFLINE", "step": None, "heard_s": 41.0}]}
    case.wait("east is away", lambda: "east" not in limits() and "OFFLINE" in case.text("sites"))
    server.more = {}
    case.wait("east is there", lambda: "east" in limits() and "OFFLINE" not in case.text("sites"))
    case.quiet()
    return case


CASES = {case.__name__: case for case in (
    numbers_are_those_of_the_record, the_curve_is_where_it_belongs, zoom_and_pause_survive_streaming, zoom_survives_an_hour, each_state_is_said, local_time_stands_beside_the_time_of_the_test, the_page_connects_again_by_itself,
    the_keyboard_holds_the_test, all_keys_act, two_records_lie_over_each_other, the_token_opens_the_page, everybody_can_read_it, a_whole_record_opens_alike, a_picture_costs_no_more_if_the_test_is_longer, a_frame_draws_what_it_shows_alone,
    the_header_cuts_nothing, persons_origins_and_energies_are_shown, what_is_not_of_the_cursor_says_so, what_is_missing_before_it_is_armed_is_said,
    behind_the_end_of_the_second_record_is_nothing, another_record_leaves_nothing_of_the_one_before, what_was_missed_is_read_later, a_late_frame_is_not_another_actuator_s, a_site_that_stands_adds_no_delay,
    what_is_old_is_not_told_as_new, the_first_steps_are_shown_right, a_pinch_leaves_its_window, zooming_asks_no_more_than_the_server_bears, a_resumed_test_may_begin_earlier, the_second_record_may_run_and_change,
    a_choice_without_a_connection_is_followed_later, a_connection_lost_while_the_record_is_read_draws_on,
    a_load_that_fails_after_a_reconnection_is_tried_again, short_records_gaps_and_absent_sites_are_told)}


def main():
    chosen = [name for name in sys.argv[1:] if name in CASES] or list(CASES)
    record, failed = stand_in_record.computed(), 0
    with tempfile.TemporaryDirectory() as profile:
        window = open_browser(profile)
        try:
            for name in chosen:
                begun = time.monotonic()
                try:
                    CASES[name](window, record)
                    print(f"passed  {name}  {time.monotonic() - begun:.1f} s", flush=True)
                except Exception as problem:  # every case is tried
                    failed += 1
                    print(f"FAILED  {name}: {type(problem).__name__}: {problem}", flush=True)
        finally:
            window.quit()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
