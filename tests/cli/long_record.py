#!/usr/bin/env python3
"""A long record (58 channels at 1 kHz, made by make_long_record) is opened and reported in bounded memory.
Usage: long_record.py TRESTLE MAKE_LONG_RECORD [--minutes 20] [--folder DIR] [--goals]

Prints how long opening (`trestle watch --once`, and the page up to its first curve), a scrub of the page (a window of any length
at any place, answered), the report and a picture of two columns over the whole test take, and the peak of their resident
memory. --goals also checks the times: 1 s, 0.2 s (of each scrub, not of most) and 30 s. 600 minutes need 17 GB in DIR; --record measures one that is there."""
import argparse
import contextlib
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

from live_page_client import Page, Server, frame

MOST_RESIDENT = 256 * 1024  # kB, docs/howto/report-a-test.md
MOST_TO_OPEN = 1.0  # s
MOST_TO_REPORT = 30.0  # s
MOST_TO_SCRUB = 0.2  # s, any window
PAGE_RESIDENT = 96 * 2**20  # bytes
SCRUBS = 40
CURVES = 8

parser = argparse.ArgumentParser()
parser.add_argument("trestle")
parser.add_argument("make")
parser.add_argument("--minutes", type=float, default=20.0)
parser.add_argument("--folder")
parser.add_argument("--record", help="of a test that make_long_record has made")
parser.add_argument("--goals", action="store_true")
options = parser.parse_args()
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def measured(name, words):
    """Runs a command. Returns its text and its time [s]; its peak of resident memory must be below the bound."""
    begin = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = child.stdout.read().decode()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    spent = time.monotonic() - begin
    print(f"{name:<10} {spent:8.2f} s   peak {usage.ru_maxrss / 1024:7.1f} MiB")
    check(child.returncode == 0, f"{name}: exit {child.returncode}: {text}")
    check(usage.ru_maxrss <= MOST_RESIDENT, f"{name} held {usage.ru_maxrss} kB; at most {MOST_RESIDENT} kB")
    return text, spent


def curves(page, number, names, first, last, points=1600):
    """One window of the record, as a page asks for it. Returns what came, all its frames as one, and the time until the last [s]."""
    begin = time.monotonic()
    page.say(type="subscribe", id=number, record=0, stream="result", channels=names, to=last, points=points,
             rows_per_bucket=max(1, -(-(last - first + 1) // points)), reduce="extremes", **{"from": first})
    whole = None
    while whole is None or whole["first"] + whole["rows"] * whole["count"] <= last:
        part = frame(page.hear_until(lambda m: isinstance(m, bytes)))
        if part["id"] != number:
            continue
        if whole:  # a frame may begin inside of the one before
            kept = (part["first"] - whole["first"]) // whole["rows"]
            part["low"], part["high"] = ([[*a[:kept], *b] for a, b in zip(whole[side], part[side])] for side in ("low", "high"))
            part["first"], part["count"] = whole["first"], kept + part["count"]
        whole = part
    return whole, time.monotonic() - begin


def highest(at, length, steps):
    """Largest target of actuator 1 between two steps, whole oscillations among them, as make_long_record.cc has it [m]."""
    ends = [abs(2 * k / steps - 1) for k in (at, at + length)]
    return 0.02 * (0.3 + 0.7 * (1 - (0.0 if at <= steps / 2 <= at + length else min(ends))))


def processor_time(process):
    """Of a process so far [s]."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def scrubbed(run):
    """The page of the record: its first curves, then windows of 0.1 s to all of it at random places."""
    begin = time.monotonic()
    with Server(os.path.abspath(options.trestle), str(run)) as server:
        told = server.json("/api/run")
        page = Page(server)
        names = [one["name"] for one in told["streams"][0]["channels"] if one["name"].endswith((".measured_m", ".target_m"))][:CURVES]
        check(len(names) == CURVES, f"channels {names}")
        steps = told["steps_planned"]
        part, _ = curves(page, 1, names, 0, steps - 1)
        first_picture = time.monotonic() - begin
        check(part["first"] == 0 and part["first"] + part["rows"] * part["count"] >= steps, f"the whole test: {part['first']}, {part['rows']}, {part['count']}")
        # The largest motion is in the middle of the test (make_long_record.cc: 20 mm).
        check(abs(max(part["high"][0]) - 0.02) < 1e-4, f"largest target {max(part['high'][0])}")
        choose, spent, used = random.Random(7), {}, processor_time(server.process)
        for number in range(SCRUBS):
            length = min(steps, int(10 ** choose.uniform(2, 7.6)))
            at = choose.randrange(steps - length + 1)
            part, took = curves(page, 2 + number, names, at, at + length - 1)
            check(part["first"] <= at + part["rows"] and part["count"] > 0, f"window {at} + {length}: {part['first']}, {part['rows']}, {part['count']}")
            near = abs(max(part["high"][0]) - highest(at, length, steps))
            check(near <= 0.02 * (1.4 * (2 * part["rows"] + 1000) / steps + 1e-4) or length < 2000, f"window {at} + {length}: the largest target is {max(part['high'][0])}")
            spent[took] = length
        used = (processor_time(server.process) - used) / SCRUBS
        memory = server.memory()
        page.close()
    median, longest = statistics.median(spent), max(spent)
    print(f"page       {first_picture:8.2f} s   to its first {CURVES} curves over the whole test")
    print(f"scrub      {1000 * median:8.1f} ms  median of {SCRUBS} windows, longest {1000 * longest:.1f} ms (of {spent[longest]} rows); {1000 * used:.1f} ms of a core each   {memory / 2**20:.1f} MiB")
    check(memory <= PAGE_RESIDENT, f"the page's server held {memory} bytes; at most {PAGE_RESIDENT}")
    return first_picture, longest


with contextlib.ExitStack() as stack:
    folder = stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder))
    run = pathlib.Path(options.record or folder + "/run")
    if not options.record:
        run.mkdir()
        begin = time.monotonic()
        subprocess.run([options.make, str(run), str(options.minutes)], check=True)
        size = sum(file.stat().st_size for file in run.iterdir())
        print(f"made in {time.monotonic() - begin:.1f} s, {size / 1e9:.2f} GB")

    text, to_open = measured("open", [options.trestle, "watch", str(run), "--once"])
    to_draw, to_scrub = scrubbed(run)
    report = folder + "/report.html"
    _, to_report = measured("report", [options.trestle, "report", str(run), "--out", report])
    columns = "roof.x.disp_m,floor.x.disp_m"
    measured("picture", [options.trestle, "export", str(run), "--svg", folder + "/roof.svg", "--columns", columns])

    page = pathlib.Path(report).read_text()
    check(page.count("<svg") > 20, "the report has its pictures")
    check(len(page) < 3_000_000, f"the report has {len(page)} bytes")
    check("The whole test" in page, "the report says that it shows a window")
    # One row of all, far from the window, has the largest force.
    check("96 % (west 3 force)" in page, "the nearest limit is that of one row: " + page[:page.find("<main>")][-400:])
    check(len(re.findall("[ML]", pathlib.Path(folder + "/roof.svg").read_text())) < 10_000, "points of the picture")
    if options.goals:
        check(to_open <= MOST_TO_OPEN, f"opening took {to_open:.2f} s")
        check(to_draw <= MOST_TO_OPEN, f"the page's first picture took {to_draw:.2f} s")
        check(to_scrub <= MOST_TO_SCRUB, f"the longest scrub took {to_scrub:.3f} s")
        check(to_report <= MOST_TO_REPORT, f"the report took {to_report:.2f} s")
sys.exit(1 if failures else 0)
