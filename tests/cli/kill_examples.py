#!/usr/bin/env python3
"""Every shipped example that is a test and can be run here: killed in the middle, gone on with, and its effective.yaml run again,
each to the same bytes as an undisturbed run, steps and control ticks. Where the wall sets the pace no two runs are alike: there
no step may be missing, and that is all.

    kill_examples.py TRESTLE EXAMPLES [--sample N] [--seed S] [--only TEXT] [--python FOLDER]

Sites of distributed examples are started from the `site_*.yaml`, `site.yaml` or `lab.py` beside them; `target.py` or `plc.py`
is the real equipment, and a person arms it. What is no test, or needs what is not here, is listed with the reason. Ends with 0 where all
came out the same.
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
WALL_SECONDS = "0.5 s"  # likewise, where the wall sets the pace
# A busy host takes threads away for longer than real equipment would bear.
PATIENT_TARGET = ["adapter.late_ticks=250", "adapter.overruns=100000", "control_thread.most_overruns=100000",
                  "adapter.settings.connect=30 s", "adapter.settings.stale=1 s", "adapter.settings.watchdog=10 s"]
# Likewise a PLC, which plays in a thread of Python's.
PATIENT_PLC = ["adapter.settings.response=20 s", "adapter.settings.stale=20 s", "adapter.settings.watchdog=60 s",
               "control_thread.most_overruns=1000000"]
QUICK_PLC = ["pseudo_dynamic.settle=100 ms"]  # of the test: its jack rests long before
OPENFRESCO = "its laboratory is a server of OpenFresco's, which is not here; cli.adapter.* goes on with it"


class NotHere(Exception):
    """This example is not one for this test, and why."""


def free_port(kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def settings(values):
    return [word for value in values for word in ("--set", value)]


def steps_of(table):
    return [line.split(",", 1)[0] for line in table.splitlines()]


class Example:
    def __init__(self, program, file, folder, python=""):
        self.program, self.file, self.folder, self.python = program, file, folder, python
        self.sites, self.settings, self.real = [], [], False
        self.environment = dict(os.environ, TRESTLE_STATE=folder + "/state", TRESTLE_AS="ada", PYTHONDONTWRITEBYTECODE="1")

    def call(self, words):
        return subprocess.run([self.program] + words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=PATIENCE_S, env=self.environment)

    def read(self, name):
        with open(f"{self.folder}/{name}", errors="replace") as file:
            return file.read()

    def close(self):
        for process in self.sites:
            process.kill()
            process.wait()

    def beside(self, name):
        return os.path.join(os.path.dirname(self.file), name)

    def start(self, words, log, **environment):
        with open(f"{self.folder}/{log}.log", "w") as file:
            self.sites.append(subprocess.Popen(words, stdout=file, stderr=subprocess.STDOUT, cwd=self.folder,
                                               env=dict(self.environment, **environment)))

    def start_plc(self):
        """Returns its address."""
        self.start([sys.executable, self.beside("plc.py"), "--listen", "127.0.0.1:0", "--watchdog", "60"], "plc")
        deadline = time.monotonic() + PATIENCE_S
        while not (said := re.search(r"listens at (\d+)\n", self.read("plc.log"))):
            assert self.sites[-1].poll() is None and time.monotonic() < deadline, f"plc.py does not listen\n{self.read('plc.log')}"
            time.sleep(0.02)
        return "127.0.0.1:" + said.group(1)

    def start_site(self, site):
        """As the example's files have it, at a free port. Returns its address."""
        address = f"tcp://127.0.0.1:{free_port()}"
        if os.path.exists(self.beside("lab.py")):
            if not self.python or subprocess.run(["/usr/bin/python3", "-c", "import zmq, google.protobuf"], capture_output=True).returncode:
                raise NotHere("its site needs python3-zmq, python3-protobuf and the build's trestle_site, which are not here")
            with open(self.beside("lab.py")) as file:
                lab = file.read()
            assert "tcp://127.0.0.1:7001" in lab
            with open(f"{self.folder}/lab.py", "w") as file:
                file.write(lab.replace("tcp://127.0.0.1:7001", address))
            self.start(["/usr/bin/python3", "lab.py"], site, PYTHONPATH=self.python)
            return address
        own = next((path for path in (self.beside(f"site_{site}.yaml"), self.beside("site.yaml")) if os.path.exists(path)), None)
        if own is None:
            raise NotHere(f"there is no site_{site}.yaml beside it")
        with open(own) as file:
            described = file.read()
        if "name: openfresco" in described:
            raise NotHere(OPENFRESCO)
        changes = [f"listen={address}"]
        if "name: modbus_tcp" in described:
            self.real = True
            self.settings += QUICK_PLC
            changes += PATIENT_PLC + [f"adapter.settings.server={self.start_plc()}"]
        if "name: udp_target" in described:
            self.real = True
            target, here = (f"127.0.0.1:{free_port(socket.SOCK_DGRAM)}" for _ in range(2))
            self.start([sys.executable, self.beside("target.py"), "--listen", target], "target")
            changes += PATIENT_TARGET + [f"adapter.settings.target={target}", f"adapter.settings.listen={here}"]
        if "shared:" in described:
            changes.append(f"rig.shared.meeting={self.folder}/meeting")
        self.start([self.program, "site", own, "--out", f"{self.folder}/{site}"] + settings(changes), site)
        return address

    def arrange(self):
        """How this example is run here."""
        # No site answers within that time: whether the file is a test, and whose sites are elsewhere.
        self.settings = ["duration=" + MOST_SECONDS]
        looked = self.call(["run", self.file, "--out", "look"] + settings(["deadlines.connect=1 ms"] + self.settings))
        if looked.returncode == 2 and "duration" in looked.stdout:  # it ends where it ends
            self.settings = []
            looked = self.call(["run", self.file, "--out", "look"] + settings(["deadlines.connect=1 ms"]))
        if looked.returncode == 2 and "unknown key" in looked.stdout:
            raise NotHere("it is no test")
        if not os.path.exists(f"{self.folder}/look/effective.yaml"):
            raise NotHere(looked.stdout.strip().splitlines()[0].replace(self.beside(""), ""))
        effective = self.read("look/effective.yaml")
        self.paced = re.search(r"^mode: (?!simulated)", effective, re.M) is not None
        self.wall = self.paced and not re.search(r"^clock: virtual", effective, re.M)
        if self.wall:
            self.settings = ["duration=" + WALL_SECONDS]
            if re.search(r"^continuous:", effective, re.M):
                self.settings.append("continuous.scale=10")
        if "remote: true" in effective:
            raise NotHere("its sites call in from elsewhere")
        for site in re.findall(r"^  (\w+):\n(?:    .*\n)*?      shared:", effective, re.M):
            self.settings.append(f"sites.{site}.rig.shared.meeting={self.folder}/meeting")
        elsewhere = re.findall(r"^  (\w+):\n(?:    .*\n)*?    address: ", effective, re.M)
        for site in elsewhere:
            self.settings.append(f"sites.{site}.address={self.start_site(site)}")
        if elsewhere:
            self.settings += ["deadlines.heartbeat=0.1 s", "deadlines.watchdog=2 s", "deadlines.connect=30 s"]
        self.local = not elsewhere

    def run(self, out, file=None):
        words = ["run", file or self.file, "--out", out] + ([] if file else settings(self.settings))
        with open(f"{self.folder}/{out}.log", "w") as log:
            process = subprocess.Popen([self.program] + words, cwd=self.folder, stdout=log, stderr=log, env=self.environment)
        self.arm(out, process)
        code = process.wait(PATIENCE_S)
        assert code in (0, 3), f"{words}: {code}\n{self.read(out + '.log')}"
        return code

    def arm(self, out, process):
        """The word of a person for real equipment."""
        deadline = time.monotonic() + PATIENCE_S
        while self.real and process.poll() is None and self.call(["arm", out]).returncode != 0:
            assert time.monotonic() < deadline, f"{self.file} is not to be armed"
            time.sleep(0.1)

    def resume(self, out):
        """A run that was killed before anything moved begins again, and real equipment is to be armed for it."""
        with open(f"{self.folder}/{out}.resumed", "w") as log:
            process = subprocess.Popen([self.program, "resume", out], cwd=self.folder, stdout=log, stderr=log, env=self.environment)
        self.arm(out, process)
        try:
            return process.wait(PATIENCE_S), self.read(out + ".resumed")
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError(f"resume has no end\n{self.read(out + '.resumed')[-1500:]}") from None

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
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)
        self.arm(out, process)
        deadline = time.monotonic() + PATIENCE_S
        while not os.path.exists(f"{self.folder}/{out}/journal.ring") and process.poll() is None:
            assert time.monotonic() < deadline, f"{self.file} does not begin"
        until = time.monotonic() + dice.uniform(0.0, length)
        while time.monotonic() < until and process.poll() is None:
            pass
        process.send_signal(signal.SIGKILL)
        # Its summary is written at its end, a moment before the process is gone.
        return process.wait() == -signal.SIGKILL and not os.path.exists(f"{self.folder}/{out}/summary.json")

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
        resumed, said = self.resume(out)
        assert resumed == code, f"resumed: {resumed}, not {code}\n{said}"
        table = self.table(out)
        if self.paced:  # the rigs have moved on in the meantime: no step is missing, and that is all
            assert steps_of(table) == steps_of(wanted), "gone on with, it has other steps"
        else:
            assert table == wanted, "gone on with, it is another record"
            assert self.figures(out) == self.figures("whole"), "gone on with, it has other figures"
        assert self.run("again", f"{self.folder}/whole/effective.yaml") == code
        again = self.table("again")
        same = steps_of(again) == steps_of(wanted) if self.wall else again == wanted
        assert same, "its effective.yaml gives another record"
        return "begins again" in said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("examples")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--python", default="", help="folder of trestle_site")
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
        example = Example(os.path.abspath(options.program), file, folder, os.path.abspath(options.python) if options.python else "")
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
