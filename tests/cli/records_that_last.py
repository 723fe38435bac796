#!/usr/bin/env python3
"""What a run, a key and a run that was cut off leave on a disk that keeps only what was synced.

    records_that_last.py TRESTLE EXAMPLE_FOLDER POWER_CUT_FOLDER POWER_CUT_SO
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM, EXAMPLES, PLACE, SHIM = (os.path.abspath(word) for word in sys.argv[1:5])
sys.path.insert(0, PLACE)
from power_cut import PowerCut  # noqa: E402

PATIENCE_S = 120.0


class Disk:
    def __init__(self):
        self.place = tempfile.mkdtemp(prefix="trestle-power-")
        self.root = self.place + "/disk"
        os.mkdir(self.root)
        self.power = PowerCut(SHIM, self.root, self.place + "/shadow")

    def start(self, words):
        return subprocess.Popen([PROGRAM] + words, cwd=self.root, env=dict(os.environ, **self.power.environment()),
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def call(self, words):
        process = self.start(words)
        said, _ = process.communicate(timeout=PATIENCE_S)
        return process.returncode, said

    def bytes(self, name):
        with open(f"{self.root}/{name}", "rb") as file:
            return file.read()

    def close(self):
        shutil.rmtree(self.place, ignore_errors=True)


def settings(values):
    return [word for value in values for word in ("--set", value)]


def kill_when_it_runs(disk, run, folder):
    deadline = time.monotonic() + PATIENCE_S
    while '"state":"RUNNING"' not in disk.call(["status", folder, "--json"])[1]:
        assert time.monotonic() < deadline and run.poll() is None, "it does not run"
    run.send_signal(signal.SIGKILL)
    run.wait()


def a_finished_run_lasts(disk):
    code, said = disk.call(["run", EXAMPLES + "/test.yaml", "--out", "runs/a/run", "--set", "duration=0.5 s"])
    assert code == 0, said
    assert disk.call(["export", "runs/a/run", "--csv", "before.csv"])[0] == 0
    names = ["effective.yaml", "summary.json"]
    before, table = {name: disk.bytes("runs/a/run/" + name) for name in names}, disk.bytes("before.csv")
    disk.power.come_true()
    for name in names:
        assert disk.bytes("runs/a/run/" + name) == before[name], name
    code, said = disk.call(["export", "runs/a/run", "--csv", "after.csv"])
    assert code == 0, said
    assert disk.bytes("after.csv") == table


def a_key_lasts(disk):
    assert disk.call(["keygen", "lab", "--out", "keys"])[0] == 0
    before = {name: disk.bytes(f"keys/lab.{name}") for name in ("key", "pub")}
    disk.power.come_true()
    for name, content in before.items():
        assert disk.bytes(f"keys/lab.{name}") == content, name


def a_run_that_had_moved_never_begins_anew(disk):
    words = ["run", EXAMPLES + "/test.yaml", "--out", "run", "--set", "duration=200 s"]
    kill_when_it_runs(disk, disk.start(words), "run")
    disk.power.come_true()
    assert os.path.exists(disk.root + "/run/effective.yaml"), "the test itself is lost"
    assert os.path.getsize(disk.root + "/run/journal.db") > 0, "the record has lost its beginning"
    code, said = disk.call(["resume", "run"])
    assert "begins again" not in said, said
    assert code == 0 or (code == 2 and "nothing is begun or changed here" in said), f"{code}\n{said}"


def what_is_not_synced_of_a_run_is_told(disk):
    """Cut at any time with some pages and names of the rest: never a second test, never a lost one."""
    for seed in range(3):
        run = disk.start(["run", EXAMPLES + "/test.yaml", "--out", f"run-{seed}", "--set", "duration=200 s"])
        kill_when_it_runs(disk, run, f"run-{seed}")
        disk.power.come_true(seed)
        before = len(os.listdir(disk.root))
        code, said = disk.call(["resume", f"run-{seed}"])
        assert "begins again" not in said, said
        assert code in (0, 2), f"{code}\n{said}"
        assert len(os.listdir(disk.root)) == before


def main():
    wrong = 0
    for case in (a_finished_run_lasts, a_key_lasts, a_run_that_had_moved_never_begins_anew, what_is_not_synced_of_a_run_is_told):
        disk = Disk()
        try:
            case(disk)
            print(f"lasts   {case.__name__}", flush=True)
        except (AssertionError, OSError, subprocess.TimeoutExpired) as what:
            wrong += 1
            print(f"LOST    {case.__name__}: {what}", flush=True)
        finally:
            disk.close()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
