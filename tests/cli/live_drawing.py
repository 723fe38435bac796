#!/usr/bin/env python3
"""The structure on the live page of real records: the server's geometry is that of the YAML, Chromium draws as many members,
and they move with the cursor; a wheel is where its bridge's record says; a model of matrices says that there is nothing to draw.
Each number at the cursor is the record's.

    live_drawing.py TRESTLE EXAMPLES [--pictures FOLDER]

Without Chromium and selenium only the first is tested."""
import csv
import importlib.util
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from live_page_client import PATIENCE, Page, Server

HAS_SELENIUM = importlib.util.find_spec("selenium") is not None
if not HAS_SELENIUM and sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
    # Debian's package serves Debian's interpreter, which need not be the first one.
    os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B"] + sys.argv)

PROGRAM, EXAMPLES = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
PICTURES = os.path.abspath(sys.argv[4]) if len(sys.argv) > 4 else None


def check(condition, words):
    if not condition:
        raise AssertionError(words)


def run(example, folder, *words):
    done = subprocess.run([PROGRAM, "run", str(EXAMPLES / example), "--out", folder, *words], capture_output=True, text=True, timeout=4 * PATIENCE)
    check(done.returncode == 0, done.stdout + done.stderr)


def stated(example):
    """Nodes of the frame and its members, as the YAML of the example writes them [m]."""
    text = re.sub(r"#.*", "", (EXAMPLES / example).read_text())
    model = text[text.index("\nnumerical:"):text.index("\nsites:")]
    nodes = {name: [float(number) for number in re.findall(r"(-?[\d.]+)(?: m)?", places)]
             for name, places in re.findall(r"(\w+): \[([^\]]*)\]", model[model.index("nodes:"):model.index("supports:")])}
    members = [list(ends) for ends in re.findall(r"from: (\w+), *to: (\w+)", model)]
    return nodes, members


def browser(profile):
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    options = Options()
    options.binary_location = shutil.which("chromium")
    for argument in ["--headless=new", "--disable-gpu", "--window-size=1600,1000", "--user-data-dir=" + profile]:
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


class Drawing:
    """The panel of the page in a browser."""

    def __init__(self, window, server):
        self.window = window
        window.get_log("browser")
        window.get(f"http://{server.host}/#{server.token}")

    def wait(self, what, holds):
        until = time.monotonic() + PATIENCE
        while not (found := holds()):
            check(time.monotonic() < until, f"not within {PATIENCE} s: {what}")
            time.sleep(0.05)
        return found

    def shapes(self, kind):
        return self.window.execute_script("return [...document.querySelectorAll('#structure .' + arguments[0])].map(e => e.getAttribute('d') || e.getAttribute('transform'))", kind)

    def at(self, seconds):
        """The members with the cursor at a time of the test."""
        self.window.execute_script("const page = window.trestlePage; page.view.pin(arguments[0]); page.changed()", seconds)
        index = self.window.execute_script("return window.trestlePage.view.index")
        self.wait(f"step {index} is shown", lambda: self.window.execute_script("return window.trestlePage.data.exact[0]?.index") == index)
        self.window.execute_script("window.trestlePage.changed(); return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return self.shapes("member")

    def text(self, name):
        return self.window.execute_script("return document.getElementById(arguments[0])?.textContent ?? ''", name)

    def picture(self, name):
        if PICTURES:
            self.window.save_screenshot(f"{PICTURES}/{name}.png")


def an_example(window, example, folder, words, times, unequal):
    run(example, folder, *words)
    nodes, members = stated(example)
    with Server(PROGRAM, folder) as server:
        geometry = server.json("/api/run")["geometry"]
        check(geometry["nodes"] == nodes, (geometry["nodes"], nodes))
        check(geometry["members"] == members, (geometry["members"], members))
        check({one["dof"] for one in geometry["interface"]} == unequal["interface"], geometry["interface"])
        if window is None:
            return
        drawing = Drawing(window, server)
        drawing.wait("the drawing", lambda: len(drawing.shapes("member")) == len(members))
        shown = [drawing.at(t) for t in times]
        check(len(set(map(tuple, shown))) == len(times), f"{example} does not move with the cursor")
        check(len(drawing.shapes("node")) == len(nodes), "another number of nodes")
        check(len(drawing.shapes("interface")) == len(unequal["interface"]), "another number of marks at the interface")
        check(len(drawing.shapes("specimen")) == unequal["specimens"], drawing.shapes("specimen"))
        check("×" in drawing.text("str-scale"), "the scale of the displacements is not stated: " + drawing.text("str-scale"))
        check(drawing.text("str-remark") == unequal["remark"], drawing.text("str-remark"))
        drawing.picture(folder)
        logged = [entry for entry in window.get_log("browser") if entry["level"] == "SEVERE"]
        check(not logged, logged)
        window.get("about:blank")  # before its server ends


def work_on_the_specimens(server, names, table):
    """`energy_J` of each actuator is the trapezoid over all rows of the export."""
    page = Page(server)
    told = page.hear_until(lambda m: not isinstance(m, bytes) and m["type"] == "standing" and m["actuators"])
    page.close()
    check(len(told["actuators"]) == 4, told["actuators"])
    for one in told["actuators"]:
        motion, force = next((names.index(f"{one['site']}.{one['actuator']}.measured_{m}"), names.index(f"{one['site']}.{one['actuator']}.force_{f}"))
                             for m, f in (("m", "N"), ("rad", "Nm")) if f"{one['site']}.{one['actuator']}.measured_{m}" in names)
        x, f = ([float(row[column]) for row in table] for column in (motion, force))
        work = sum(0.5 * (f[k] + f[k - 1]) * (x[k] - x[k - 1]) for k in range(1, len(table)))
        size = sum(abs(0.5 * (f[k] + f[k - 1]) * (x[k] - x[k - 1])) for k in range(1, len(table)))
        check(size > 0 and abs(one["energy_J"] - work) <= 1e-9 * size, (one, work))


def the_numbers_at_the_cursor(window):
    """Each number on the page is the record's, bit for bit, as the export has it."""
    run("two_site_frame/test.yaml", "numbers", "--set", "excitation.synthetic.duration=4 s")
    done = subprocess.run([PROGRAM, "export", "numbers", "--csv", "numbers.csv"], capture_output=True, text=True, timeout=PATIENCE)
    check(done.returncode == 0, done.stderr)
    with open("numbers.csv", encoding="utf-8", newline="") as file:
        names, *table = csv.reader(file)
    if window is None:
        return
    with Server(PROGRAM, "numbers") as server:
        drawing = Drawing(window, server)
        drawing.wait("the record", lambda: window.execute_script("return window.trestlePage?.data.exact[0] !== null && window.trestlePage.data.series('window').count > 10"))
        choose = random.Random(5)
        for step in [0, 1, len(table) - 1] + [choose.randrange(len(table)) for _ in range(17)]:
            drawing.at(step / 1024)
            drawing.wait(f"step {step} in the table", lambda: window.execute_script("return document.getElementById('values').dataset.index") == str(step))
            shown = window.execute_script("return [...document.querySelectorAll('#values [data-channel]')].map(c => [c.dataset.channel, c.dataset.value])")
            check(len(shown) >= 20, shown)
            for channel, value in shown:
                written = float(table[step][names.index(channel)])
                check(float(value) == written, f"step {step}, {channel}: {value} on the page, {written!r} in the export")
            # Those beside the plots and in the drawing, too.
            chosen = window.execute_script("const a = window.trestlePage.selected; return [a.measured, a.force]")
            for place, channel in zip(("cmd-value", "hys-value"), chosen):
                drawing.wait(f"step {step} at {place}", lambda: float(window.execute_script("return document.getElementById(arguments[0]).dataset.value || 'NaN'", place))
                             == float(table[step][names.index(channel)]))
            beside = window.execute_script("return [...document.querySelectorAll('#structure [data-channel]')].map(c => [c.dataset.channel, c.dataset.value])")
            check(len(beside) >= 4, beside)
            for channel, value in beside:
                written = float(table[step][names.index(channel)])
                check(float(value) == written, f"step {step}, {channel}: {value} in the drawing, {written!r} in the export")
            # So is the work on the specimen: the trapezoid over the rows of the export up to the cursor.
            x, f = ([float(row[names.index(channel)]) for row in table] for channel in chosen)
            parts = [0.5 * (f[k] + f[k - 1]) * (x[k] - x[k - 1]) for k in range(1, step + 1)]
            drawing.wait(f"the work up to step {step}", lambda: abs(float(window.execute_script("return document.getElementById('hys-value').dataset.energy || 'NaN'")) - sum(parts))
                         <= 1e-9 * sum(map(abs, parts)))
        work_on_the_specimens(server, names, table)
        watchdogs = window.execute_script("return [...document.querySelectorAll('#sites tr')].map(r => r.textContent)")
        check(len(watchdogs) == 2 and all("simulated" in row for row in watchdogs), watchdogs)
        check("no fault since the start" in drawing.text("sites-foot"), drawing.text("sites-foot"))
        logged = [entry for entry in window.get_log("browser") if entry["level"] == "SEVERE"]
        check(not logged, logged)
        window.get("about:blank")


def matrices(window):
    run("marths/none.yaml", "matrices", "--set", "excitation.synthetic.duration=1 s")
    with Server(PROGRAM, "matrices") as server:
        told = server.json("/api/run")
        check("geometry" not in told and "matrices" in told["geometry_missing"], told.get("geometry_missing"))
        if window is None:
            return
        drawing = Drawing(window, server)
        drawing.wait("the sentence", lambda: "Nothing to draw: the model is matrices" in drawing.text("str-missing"))
        drawing.picture("matrices")
        window.get("about:blank")


def bridge(window):
    """Girders behind each other, and the wheel where the record says that it is."""
    run("vehicle_bridge/case1.yaml", "bridge")
    with Server(PROGRAM, "bridge") as server:
        told = server.json("/api/run")
        girders = told["geometry"]["girders"]
        check(len(girders) == 7 and girders[0] == ["abutment", "span1", "pier1"] and girders[6][2] == "abutment2", girders)
        check(told["geometry"]["nodes"]["abutment2"] == [224, 0], told["geometry"]["nodes"])
        if window is None:
            return
        drawing = Drawing(window, server)
        drawing.wait("the girders", lambda: len(drawing.shapes("girder")) == 7)
        shown = [drawing.at(t) for t in (2.0, 3.0)]
        check(shown[0] != shown[1], "the bridge does not move with the cursor")
        row = server.json(f"/api/rows?stream=result&from={drawing.window.execute_script('return trestlePage.view.index')}"
                          f"&to={drawing.window.execute_script('return trestlePage.view.index')}&channels=wheel.place_m")["rows"][0]
        written = window.execute_script("return document.querySelector('#structure .wheel-text').dataset.place")
        check(float(written) == row[1], (written, row))
        check(len(drawing.shapes("wheel")) == 1, "one wheel")
        check("reference" not in drawing.text("str-peak"), drawing.text("str-peak"))
        drawing.picture("bridge")
        logged = [entry for entry in window.get_log("browser") if entry["level"] == "SEVERE"]
        check(not logged, logged)
        window.get("about:blank")


def main():
    window = None
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        if HAS_SELENIUM and shutil.which("chromium") and shutil.which("chromedriver"):
            window = browser(scratch + "/profile")
        else:
            print("not drawn: Chromium or selenium is not installed (deploy/setup.sh --with-tests)")
        try:
            an_example(window, "two_site_frame/test.yaml", "frame", ["--set", "excitation.synthetic.duration=4 s"], (1.0, 2.0, 3.0),
                       {"interface": {"floor_w.x", "floor_w.rz", "floor_e.x", "floor_e.rz"}, "specimens": 2, "remark": ""})
            an_example(window, "frame_3d/test.yaml", "space", ["--set", "excitation.synthetic.duration=3 s"], (0.5, 1.0, 2.0),
                       {"interface": {"d1.x", "d1.y", "d1.rz", "n11.z", "n11.rx", "n11.ry"}, "specimens": 1, "remark": "seen obliquely"})
            the_numbers_at_the_cursor(window)
            matrices(window)
            bridge(window)
        finally:
            if window:
                window.quit()
            os.chdir("/")


if __name__ == "__main__":
    main()
