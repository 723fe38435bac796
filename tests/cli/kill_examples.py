#!/usr/bin/env python3
"""Every shipped example that is a test and can be run here: killed in the middle, resumed, and its effective.yaml run again,
each to the same bytes as an undisturbed run, steps and control ticks.

    kill_examples.py TRESTLE EXAMPLES [--sample N] [--seed S] [--only TEXT]

Sites of distributed examples are started from the `site_*.yaml` beside them. What is no test, or needs what is not here, is
listed with the reason. Ends with 0 where all came out the same.
"""
import argparse
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PATIENCE_S = 240.0
TRIES = 6            # to meet a run in its middle
MOST_SECONDS = "4 s"  # of the structure's time


class NotHere(Exception):
    """This example is not one for this test, and why."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def settings(values):
    return [word for value in values for word in ("--set", value)]


def steps_of(table):
    return [line.split(",", 1)[0] for line in table.splitlines()]


class Example:
    def __init__(self, program, file, folder):
        self.program, self.file, self.folder = program, file, folder
        self.sites, self.settings = [], []

    def call(self, words):
        return subprocess.run([self.program] + words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=PATIENCE_S)

    def read(self, name):
        with open(f"{self.folder}/{name}", errors="replace") as file:
            return file.read()

    def close(self):
        for process in self.sites:
            process.kill()
            process.wait()

    def arrange(self):
        """How this example is run here."""
        beside = os.path.dirname(self.file) + "/"
        # No site answers within that time: whether the file is a test, and whose sites are elsewhere.
        self.settings = ["duration=" + MOST_SECONDS]
        looked = self.call(["run", self.file, "--out", "look"] + settings(["deadlines.connect=1 ms"] + self.settings))
        if looked.returncode == 2 and "duration" in looked.stdout:  # it ends where it ends
            self.settings = []
            looked = self.call(["run", self.file, "--out", "look"] + settings(["deadlines.connect=1 ms"]))
        if looked.returncode == 2 and "unknown key" in looked.stdout:
            raise NotHere("it is no test")
        if not os.path.exists(f"{self.folder}/look/effective.yaml"):
            raise NotHere(looked.stdout.strip().splitlines()[0].replace(beside, ""))
        effective = self.read("look/effective.yaml")
        self.paced = re.search(r"^mode: (?!simulated)", effective, re.M) is not None
        wall = self.paced and not re.search(r"^clock: virtual", effective, re.M)
        if wall:
            raise NotHere("the wall sets its pace, so no two runs are alike")
        if "remote: true" in effective:
            raise NotHere("its sites call in from elsewhere")
        elsewhere = re.findall(r"^  (\w+):\n(?:    .*\n)*?    address: ", effective, re.M)
        for site in elsewhere:
            own = f"{beside}site_{site}.yaml"
            if not os.path.exists(own):
                raise NotHere(f"there is no {os.path.basename(own)} beside it")
            port = free_port()
            self.settings.append(f"sites.{site}.address=tcp://127.0.0.1:{port}")
            log = open(f"{self.folder}/{site}.log", "w")
            self.sites.append(subprocess.Popen(
                [self.program, "site", own, "--out", f"{self.folder}/{site}", "--set", f"listen=tcp://127.0.0.1:{port}"],
                stdout=log, stderr=subprocess.STDOUT))
        if elsewhere:
            self.settings += ["deadlines.heartbeat=0.1 s", "deadlines.watchdog=2 s", "deadlines.connect=30 s"]
        self.local = not elsewhere

    def run(self, out, file=None):
        words = ["run", file or self.file, "--out", out] + ([] if file else settings(self.settings))
        ended = self.call(words)
        assert ended.returncode in (0, 3), f"{words}: {ended.returncode}\n{ended.stdout}"
        return ended.returncode

    def table(self, out):
        ticks = ["--ticks"] if self.local and os.path.exists(f"{self.folder}/{out}") else []
        ended = self.call(["export", out, "--csv", out + ".csv"])
        assert ended.returncode == 0, ended.stdout
        steps = self.read(out + ".csv")
        if self.paced or not ticks or not any(name.endswith(".db") and name != "journal.db" for name in os.listdir(f"{self.folder}/{out}")):
            return steps
        assert self.call(["export", out, "--csv", out + ".csv"] + ticks).returncode == 0
        return steps + self.read(out + ".csv")

    def figures(self, out):
        """What the summary says of the run itself, and not of the time that it took."""
        summary = json.loads(self.read(out + "/summary.json"))
        for site in summary["sites"]:
            for tracking in site["tracking"]:
                tracking.pop("compensator", None)  # only the sites know what their compensators made
        return [summary["criteria"], summary["peaks"], [(site["name"], site["tracking"]) for site in summary["sites"]]]

    def kill_in_the_middle(self, out, length, dice):
        """Kills a run at a random instant after its record was begun. Returns whether it was before its end."""
        process = subprocess.Popen([self.program, "run", self.file, "--out", out] + settings(self.settings), cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE_S
        while not os.path.exists(f"{self.folder}/{out}/journal.ring") and process.poll() is None:
            assert time.monotonic() < deadline, f"{self.file} does not begin"
        until = time.monotonic() + dice.uniform(0.0, length)
        while time.monotonic() < until and process.poll() is None:
            pass
        process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL

    def judge(self, dice):
        self.arrange()
        code = self.run("whole")
        wanted = self.table("whole")
        length = float(re.search(r'"wall_s": ([0-9.e+-]+)', self.read("whole/summary.json")).group(1))
        for attempt in range(TRIES):
            out = f"cut-{attempt}"
            if self.kill_in_the_middle(out, length * 0.8 ** attempt, dice):
                break
        else:
            raise AssertionError("it was over before it could be killed")
        resumed = self.call(["resume", out])
        assert resumed.returncode == code, f"resumed: {resumed.returncode}, not {code}\n{resumed.stdout}"
        table = self.table(out)
        if self.paced:  # the rigs have moved on in the meantime: no step is missing, and that is all
            assert steps_of(table) == steps_of(wanted), "gone on with, it has other steps"
        else:
            assert table == wanted, "gone on with, it is another record"
            assert self.figures(out) == self.figures("whole"), "gone on with, it has other figures"
        assert self.run("again", f"{self.folder}/whole/effective.yaml") == code
        assert self.table("again") == wanted, "its effective.yaml gives another record"
        return "begins anew" in resumed.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("examples")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    dice = random.Random(options.seed)
    files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(os.path.abspath(options.examples))
                   for name in names if name.endswith(".yaml") and options.only in os.path.join(folder, name))
    if options.sample:
        files = sorted(dice.sample(files, min(options.sample, len(files))))
    done, failed = 0, 0
    for file in files:
        name = os.path.relpath(file, options.examples)
        folder = tempfile.mkdtemp(prefix="trestle-example-")
        example = Example(os.path.abspath(options.program), file, folder)
        begin = time.monotonic()
        try:
            anew = example.judge(dice)
            done += 1
            print(f"same      {name}  {time.monotonic() - begin:.1f} s{'  (killed before its first step)' if anew else ''}", flush=True)
        except NotHere as why:
            print(f"left out  {name}: {why}", flush=True)
        except (AssertionError, subprocess.TimeoutExpired) as what:
            failed += 1
            print(f"OTHER     {name}: {what}", flush=True)
        finally:
            example.close()
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{done} examples killed and gone on with, {failed} of {done + failed} not as they should be")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
