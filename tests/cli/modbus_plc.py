#!/usr/bin/env python3
"""The plug-in for Modbus/TCP against the PLC of its example, a program that shares no code with it.

    modbus_plc.py TRESTLE EXAMPLE_FOLDER check|moves

`check`: `trestle adapter check` passes, with the plug-in in the program and in a separate driver. `moves`: a test of ours
moves the jack, armed by a person.
"""
import atexit
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

PATIENCE_S = 100.0
STIFFNESS = 2.8e4


def start(name, *command):
    said = f"{FOLDER}/{name}.said"
    process = subprocess.Popen(command, stdout=open(said, "w"), stderr=subprocess.STDOUT, cwd=FOLDER)
    atexit.register(process.kill)
    return process, said


def wait_for(said, pattern):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        found = re.search(pattern, open(said).read())
        if found:
            return found.group(1)
        time.sleep(0.02)
    raise AssertionError(f"{said} never said {pattern}:\n{open(said).read()}")


def call(*command):
    return subprocess.run([TRESTLE, *command], cwd=FOLDER, capture_output=True, text=True, timeout=PATIENCE_S)


def start_plc():
    process, said = start("plc", sys.executable, "-B", f"{EXAMPLE}/plc.py", "--listen", "127.0.0.1:0")
    return process, "127.0.0.1:" + wait_for(said, r"listens at (\d+)")


def check():
    _, server = start_plc()
    for isolation in "none", "process":
        # A busy host may be slow: that is not asked for here.
        changes = [f"server={server}", "poll=200 Hz", "rate=500 Hz", "response=30 s", "stale=30 s", "watchdog=30 s"]
        checked = call("adapter", "check", f"{EXAMPLE}/site.yaml", "--write", "--ticks", "100", "--isolation", isolation,
                       *(word for change in changes for word in ("--settings", change)))
        excused = ["less than a tick"]
        broken = [line for line in checked.stdout.splitlines() if " BROKEN " in line]
        assert "neither blocks nor allocates" in checked.stdout, checked
        assert all(any(words in line for words in excused) for line in broken), checked.stdout + checked.stderr


def start_test(server):
    _, said = start("site", TRESTLE, "site", f"{EXAMPLE}/site.yaml", "--out", "site", "--set", "listen=tcp://127.0.0.1:0",
                    "--set", f"adapter.settings.server={server}", "--set", "adapter.settings.stale=20 s",
                    "--set", "adapter.settings.watchdog=60 s", "--set", "adapter.settings.response=20 s",
                    "--set", "control_thread.most_overruns=1000000")
    address = wait_for(said, r"listens at (tcp://\S+)")
    test, said = start("test", TRESTLE, "run", f"{EXAMPLE}/test.yaml", "--out", "run", "--set", f"sites.lab.address={address}",
                       "--set", "duration=0.2 s", "--set", "pseudo_dynamic.settle=100 ms")
    wait_for(said, r"(the operator's word to arm)")
    armed = call("arm", "run")
    assert armed.returncode == 0, armed
    return test, said


def moves():
    _, server = start_plc()
    test, said = start_test(server)
    assert test.wait(PATIENCE_S) == 0, open(said).read()
    rows = list(csv.DictReader(call("export", "run", "--csv", "-").stdout.splitlines()))
    assert len(rows) >= 10
    assert max(abs(float(row["lab.low.x.measured_m"])) for row in rows) > 1e-5
    for row in rows:  # the PLC rounds forces to whole newtons
        assert abs(float(row["lab.low.x.force_N"]) - STIFFNESS * float(row["lab.low.x.measured_m"])) <= 0.51, row


if __name__ == "__main__":
    TRESTLE, EXAMPLE = (os.path.abspath(path) for path in sys.argv[1:3])
    FOLDER = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, FOLDER, True)
    {"check": check, "moves": moves}[sys.argv[3]]()
