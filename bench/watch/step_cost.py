#!/usr/bin/env python3
"""What a watcher costs the steps of a real-time test: the integrator's own work on a step (compute, journal, encode, correct
of the ledger), p50, with a page that follows all channels beside it over without one; in one run, by turns. Goal: at most 1.02.

    step_cost.py TRESTLE TEST.yaml [--rounds N] [--seconds S] [--json]
"""
import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "cli"))
from live_page_client import Page, Server, frame  # noqa: E402

SETTLE = 0.5  # of a phase, not counted [s]


def step_of(program, folder):
    told = json.loads(subprocess.run([program, "status", folder, "--json"], capture_output=True, text=True, check=True).stdout)
    return told["step"]


def follow(program, folder, seconds):
    """A page that takes every frame of all channels, for a while. Returns the rows that it saw."""
    rows = 0
    with Server(program, folder) as server:
        names = [one["name"] for one in server.json("/api/run")["streams"][0]["channels"]][:64]
        page = Page(server)
        page.say(type="subscribe", id=1, record=0, stream="result", channels=names, to=None, points=4000, rows_per_bucket=1, **{"from": step_of(program, folder)})
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if isinstance(message := page.hear(), bytes):
                rows += frame(message)["count"]
                page.say(type="ack")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trestle")
    parser.add_argument("test")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    program, test = os.path.abspath(options.trestle), os.path.abspath(options.test)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        long = options.rounds * 2 * (options.seconds + SETTLE) * 1.3 + 10
        run = subprocess.Popen([program, "run", test, "--out", "run", "--set", "mode=real-time", "--set", f"excitation.synthetic.duration={long:.0f} s"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        phases, seen = [], 0
        try:
            begun = time.monotonic()
            while not os.path.exists("run/journal.db") or (step_of(program, "run") or 0) < 100:
                if run.poll() is not None or time.monotonic() > begun + 60:
                    raise RuntimeError("the test does not run: " + (run.stderr.read() if run.poll() is not None else ""))
                time.sleep(0.1)
            for _ in range(options.rounds):
                for watched in (False, True):
                    time.sleep(SETTLE)
                    first = step_of(program, "run")
                    if watched:
                        seen += follow(program, "run", options.seconds)
                    else:
                        time.sleep(options.seconds)
                    phases.append((watched, first, step_of(program, "run")))
            if run.poll() is not None:
                raise RuntimeError("the test ended before the last round")
            subprocess.run([program, "stop", "run"], capture_output=True, check=True)
            run.wait(60)
        finally:
            run.kill()
            run.wait()
        subprocess.run([program, "export", "run", "--ledger", "ledger.csv"], check=True, capture_output=True)
        work, misses = {}, {}
        with open("ledger.csv", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                step = int(row["step"])
                work[step] = int(row["i2_ns"]) - int(row["i0_ns"]) + int(row["i4_ns"]) - int(row["ij_ns"])
                misses[step] = misses.get(step, 0) + (row["i3_ns"] == "")
        os.chdir("/")
    rounds = []
    for without, with_it in zip(phases[::2], phases[1::2]):
        p50 = [statistics.median(work[k] for k in range(first, last) if k in work) for _, first, last in (without, with_it)]
        rounds.append(p50)
    ratios = sorted(with_it / without for without, with_it in rounds)
    missed = [sum(misses.get(k, 0) for watched, first, last in phases if watched == which for k in range(first, last)) for which in (False, True)]
    result = {"p50_without_us": statistics.median(r[0] for r in rounds) / 1e3, "p50_with_us": statistics.median(r[1] for r in rounds) / 1e3,
              "ratio": statistics.median(ratios), "lowest": ratios[0], "highest": ratios[-1], "missed_without": missed[0], "missed_with": missed[1],
              "rounds": len(rounds), "rows_seen": seen}
    if options.json:
        print(json.dumps(result))
        return
    print(f"integrator's own work on a step, p50 of {len(rounds)} rounds: {result['p50_without_us']:.2f} us without, {result['p50_with_us']:.2f} us with a page")
    print(f"ratio {result['ratio']:.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f}); missed responses {missed[0]} without, {missed[1]} with; {seen} rows shown")
    print("goal: at most 1.02, no miss more")


if __name__ == "__main__":
    main()
