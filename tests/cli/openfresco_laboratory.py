#!/usr/bin/env python3
"""A test of ours moves what stands behind an OpenFresco site server: the program's plug-in, a site server of ours, an
operator who arms, and a peer that follows the documented protocol.

    openfresco_laboratory.py TRESTLE EXAMPLE_FOLDER

Ends with 0 where all of it held. The host may be slow: that an answer comes within `settle` is not asked for here.
"""
import atexit
import csv
import re
import shutil
import subprocess
import sys
import tempfile
import time

PATIENCE_S = 60.0
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


def main():
    _, said = start("peer", sys.executable, f"{EXAMPLE}/site_server.py", "0", str(STIFFNESS))
    server = "127.0.0.1:" + wait_for(said, r"listens at (\d+)")
    checked = subprocess.run([TRESTLE, "adapter", "check", f"{EXAMPLE}/site.yaml", "--settings", f"server={server}",
                              "--write"], capture_output=True, text=True, timeout=PATIENCE_S)
    # How long a read may take is the quiet host's to say, not this one's.
    broken = [line for line in checked.stdout.splitlines() if "BROKEN" in line.upper() and "0 broken" not in line]
    assert all("less than a tick" in line for line in broken), checked.stdout + checked.stderr
    site, said = start("site", TRESTLE, "site", f"{EXAMPLE}/site.yaml", "--out", "site", "--set",
                       "listen=tcp://127.0.0.1:0", "--set", f"adapter.settings.server={server}", "--set",
                       "adapter.settings.stale=20 s", "--set", "control_thread.most_overruns=1000000")
    address = wait_for(said, r"listens at (tcp://\S+)")
    test, said = start("test", TRESTLE, "run", f"{EXAMPLE}/test.yaml", "--out", "run", "--set", f"sites.lab.address={address}",
                       "--set", "duration=0.4 s", "--set", "pseudo_dynamic.settle=50 ms")
    wait_for(said, r"(the operator's word to arm)")
    armed = subprocess.run([TRESTLE, "arm", "run"], cwd=FOLDER, capture_output=True, text=True, timeout=PATIENCE_S)
    assert armed.returncode == 0, armed
    assert test.wait(PATIENCE_S) == 0, open(said).read()
    exported = subprocess.run([TRESTLE, "export", "run", "--csv", "-"], cwd=FOLDER, capture_output=True, text=True,
                              timeout=PATIENCE_S)
    rows = list(csv.DictReader(exported.stdout.splitlines()))
    assert len(rows) >= 20, exported
    assert max(abs(float(row["lab.low.x.measured_m"])) for row in rows) > 1e-5
    for row in rows:  # a mean of a few readings, each one multiplication
        force, where = float(row["lab.low.x.force_N"]), float(row["lab.low.x.measured_m"])
        assert abs(force - STIFFNESS * where) <= 1e-12 * STIFFNESS, row
    site.terminate()
    assert site.wait(PATIENCE_S) == 0


if __name__ == "__main__":
    TRESTLE, EXAMPLE = sys.argv[1:3]
    FOLDER = tempfile.mkdtemp(prefix="laboratory.")
    atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
    main()
