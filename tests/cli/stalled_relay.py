#!/usr/bin/env python3
"""A relay of `trestle link` that stands still in the middle of a test: all hold within their deadlines and say for whom the test
waits; when it relays again the test goes on at the same step, with a record without a gap.

    stalled_relay.py TRESTLE EXAMPLE_FOLDER

Ends with 0 where all of it held.
"""
import atexit
import csv
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE_S = 60.0
TEST = ["mode=pseudo-dynamic", "pseudo_dynamic.settle=2 ms", "pseudo_dynamic.average=2 ms", "pseudo_dynamic.rate=100 mm/s",
        "pseudo_dynamic.rotation_rate=100 mrad/s", "excitation.synthetic.duration=3600 s", "deadlines.heartbeat=50 ms",
        "deadlines.connect=60 s", "deadlines.watchdog=2 s", "deadlines.step=1 s", "deadlines.hold=600 s"]


def setting(*values):
    return [word for value in values for word in ("--set", value)]


def start(name, *words):
    said = f"{FOLDER}/{name}.said"
    with open(said, "w") as file:
        process = subprocess.Popen([TRESTLE, *words], stdout=file, stderr=subprocess.STDOUT, cwd=FOLDER)
    atexit.register(process.kill)
    return process, said


def ask(*words):
    return subprocess.run([TRESTLE, *words], cwd=FOLDER, capture_output=True, text=True, timeout=PATIENCE_S)


def until(look, what):
    """Looks again and again until there is something. Returns it."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what}: {ask('why', 'run').stdout}{ask('why', 'west').stdout}")


def port_in(said, words):
    return until(lambda: re.search(words + r"(\d+)\b.*\n", open(said).read()), words).group(1)


def state(folder, name, step=0):
    """How the node stands if it is in this state, at this step or beyond."""
    asked = ask("status", folder, "--json")
    now = json.loads(asked.stdout) if asked.returncode == 0 else {"state": None}
    return now if now["state"] == name and (now["step"] or 0) >= step else None


def says(folder, words):
    return lambda: words in ask("why", folder).stdout


def main():
    west, west_said = start("west_site", "site", f"{EXAMPLE}/site_west.yaml", "--out", "west", *setting("listen=tcp://127.0.0.1:0"))
    east, _ = start("east_site", "site", f"{EXAMPLE}/site_east.yaml", "--out", "east", *setting(f"listen=ipc://{FOLDER}/east.ipc"))
    to = port_in(west_said, r"listens at tcp://127\.0\.0\.1:")
    with open(f"{FOLDER}/link.yaml", "w") as file:
        file.write(f'link: campus\nrelays:\n  west: {{listen: "127.0.0.1:0", to: "127.0.0.1:{to}"}}\n')
    relay, relay_said = start("relay", "link", "link.yaml")
    address = "tcp://127.0.0.1:" + port_in(relay_said, r"west: listens at 127\.0\.0\.1:")
    run, run_said = start("test", "run", f"{EXAMPLE}/distributed.yaml", "--out", "run",
                          *setting(f"sites.west.address={address}", f"sites.east.address=ipc://{FOLDER}/east.ipc", *TEST))
    until(lambda: state("run", "RUNNING", 3), "the test runs")

    relay.send_signal(signal.SIGSTOP)
    until(says("run", f"no answer of site west ({address}) to step"), "the integrator holds within deadlines.step")
    assert f"waits for site west ({address}): return" in ask("why", "run").stdout, ask("why", "run")
    held = until(lambda: state("run", "HOLDING"), "the test holds")["step"]
    until(says("west", "the integrator is silent: no valid message for "), "west holds within deadlines.watchdog")
    until(lambda: state("west", "HOLDING") and state("east", "HOLDING"), "both sites hold")
    assert state("run", "HOLDING")["step"] == held, "a step was done meanwhile"

    relay.send_signal(signal.SIGCONT)
    until(lambda: state("run", "RUNNING", held + 3), "the test goes on when the relay does")
    assert ask("stop", "run").returncode == 0
    assert run.wait(PATIENCE_S) == 3, open(run_said).read()
    rows = list(csv.DictReader(ask("export", "run", "--csv", "-").stdout.splitlines()))
    assert len(rows) > held + 3, (len(rows), held)
    for step, row in enumerate(rows):
        assert abs(1024.0 * float(row["time_s"]) - step) < 1e-6, f"row {step} is at {row['time_s']} s"
    for process in (west, east, relay):
        process.terminate()
        assert process.wait(PATIENCE_S) == 0


if __name__ == "__main__":
    TRESTLE, EXAMPLE = sys.argv[1:3]
    FOLDER = tempfile.mkdtemp(prefix="relay.")
    atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
    main()
