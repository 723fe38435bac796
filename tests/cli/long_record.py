#!/usr/bin/env python3
"""A long record (58 channels at 1 kHz, made by make_long_record) is opened and reported in bounded memory.
Usage: long_record.py TRESTLE MAKE_LONG_RECORD [--minutes 20] [--folder DIR] [--goals]

Prints how long opening (`trestle watch --once`), the report and a picture of two columns over the whole test take, and
the peak of their resident memory. --goals also checks the times: 1 s and 30 s. 600 minutes need 17 GB in DIR."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

MOST_RESIDENT = 256 * 1024  # kB, docs/howto/report-a-test.md
MOST_TO_OPEN = 1.0  # s
MOST_TO_REPORT = 30.0  # s

parser = argparse.ArgumentParser()
parser.add_argument("trestle")
parser.add_argument("make")
parser.add_argument("--minutes", type=float, default=20.0)
parser.add_argument("--folder")
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


with tempfile.TemporaryDirectory(dir=options.folder) as folder:
    run = pathlib.Path(folder) / "run"
    run.mkdir()
    begin = time.monotonic()
    subprocess.run([options.make, str(run), str(options.minutes)], check=True)
    size = sum(file.stat().st_size for file in run.iterdir())
    print(f"made in {time.monotonic() - begin:.1f} s, {size / 1e9:.2f} GB")

    text, to_open = measured("open", [options.trestle, "watch", str(run), "--once"])
    _, to_report = measured("report", [options.trestle, "report", str(run)])
    columns = "roof.x.disp_m,floor.x.disp_m"
    measured("picture", [options.trestle, "export", str(run), "--svg", folder + "/roof.svg", "--columns", columns])

    page = (run / "report.html").read_text()
    check(page.count("<svg") > 20, "the report has its pictures")
    check(len(page) < 3_000_000, f"the report has {len(page)} bytes")
    check("The whole test" in page, "the report says that it shows a window")
    # One row of all, far from the window, has the largest force.
    check("96 % (west 3 force)" in page, "the nearest limit is that of one row: " + page[:page.find("<main>")][-400:])
    check(len(re.findall("[ML]", pathlib.Path(folder + "/roof.svg").read_text())) < 10_000, "points of the picture")
    if options.goals:
        check(to_open <= MOST_TO_OPEN, f"opening took {to_open:.2f} s")
        check(to_report <= MOST_TO_REPORT, f"the report took {to_report:.2f} s")
sys.exit(1 if failures else 0)
