#!/usr/bin/env python3
"""Kills and stops the real processes of a test at random instants, goes on with it, and holds the record
against that of an undisturbed run, byte for byte: the steps, and every control tick of each site, in which a step that
was executed twice, or begun from zero, would show. In the modes that go by time, where no two runs are alike: against
what must be true of each, every step in it once and no drive faster than its limit.

    kill_processes.py TRESTLE EXAMPLE_FOLDER --victim integrator|site|any|stall --kills N [--mode MODE] [--seed S]

Ends with 0 where every test came to its end with the same record. Instants are those of the host's clock:
another run meets others.
"""
import argparse
import csv
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

MOST_KILLS = 6  # of one test; then it is left in peace
PATIENCE_S = 90.0

COMMON = ["deadlines.heartbeat=50 ms", "deadlines.watchdog=400 ms", "deadlines.step=1 s",
          "deadlines.hold=60 s", "deadlines.connect=20 s"]
LENGTH = {
    "continuous": ["duration=2 s", "continuous.scale=2", "deadlines.watchdog=2 s"],
    "real-time": ["deadlines.watchdog=1 s", "duration=5 s", "time_step=1/32 s", "real_time.most_in_a_row=100000", "real_time.most_in_window=100000"],
    "simulated": ["duration=4 s"],
    "pseudo-dynamic": ["duration=0.1 s", "pseudo_dynamic.settle=2 ms", "pseudo_dynamic.average=2 ms",
                       "pseudo_dynamic.rate=100 mm/s", "pseudo_dynamic.rotation_rate=100 mrad/s"],
}
PACED = ("continuous", "real-time")
RATE = 1.0           # of the actuators [m/s]
TICK_S = 1.0 / 256   # of the wall

TEST = """test: two storeys
time_step: 1/64 s
excitation: {record: synthetic, synthetic: {duration: 1 s, peak: 3 m/s2}}
numerical:
  shear_building:
    storeys: {low: {mass: 10 t, stiffness: 80 kN/m}, high: {mass: 10 t, stiffness: 90 kN/m}}
    damping: {rayleigh: {mass_factor: 2, stiffness_factor: 0}}
sites:
  west: {address: "tcp://127.0.0.1:1", interface: [low.x], control_tick: 1/256 s, compensator: {kind: ats, expected_delay: 3 ms}}
  east: {address: "tcp://127.0.0.1:1", interface: [high.x], control_tick: 1/256 s, compensator: {kind: ats, expected_delay: 3 ms}}
"""
SITE = """site: SITE
listen: tcp://127.0.0.1:1
limits: {interface: {x: 200 mm}, actuators: [{displacement: 200 mm, rate: 1 m/s, force: 50 kN}]}
control_thread: {most_overruns: 1000000}
rig:
  actuators: [{kind: second-order, frequency: 60 Hz, damping: 0.7}]
  specimen:  {kind: linear, stiffness: [[40000]]}
"""


def write_paced_test(folder):
    """A test whose steps are long enough for a machine that has much else to do."""
    os.mkdir(folder)
    with open(folder + "/distributed.yaml", "w") as file:
        file.write(TEST)
    for site in ("west", "east"):
        with open(f"{folder}/site_{site}.yaml", "w") as file:
            file.write(SITE.replace("SITE", site))
    return folder


def settings(values):
    return [word for value in values for word in ("--set", value)]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Lab:
    """One test with its processes."""

    def __init__(self, options, folder):
        self.program, self.examples, self.folder = options.program, options.examples, folder
        self.ports = {site: free_port() for site in ("west", "east")}
        self.log = open(folder + "/log", "w")
        self.run_folder = folder + "/run"
        self.first = ["run", self.examples + "/distributed.yaml", "--out", self.run_folder] + settings(
            ["mode=" + options.mode] + COMMON + LENGTH[options.mode] +
            [f"sites.{site}.address=tcp://127.0.0.1:{port}" for site, port in self.ports.items()])
        self.sites = {site: self.start_site(site) for site in self.ports}
        self.integrator = self.start(self.first)

    def start(self, arguments):
        return subprocess.Popen([self.program] + arguments, stdout=self.log, stderr=subprocess.STDOUT)

    def start_site(self, site):
        return self.start(["site", f"{self.examples}/site_{site}.yaml", "--out", f"{self.folder}/{site}",
                           "--set", f"listen=tcp://127.0.0.1:{self.ports[site]}"])

    def kill(self, victim):
        if victim == "integrator":
            self.integrator.kill()
            self.integrator.wait()
            begun = os.path.exists(self.run_folder + "/effective.yaml")
            self.integrator = self.start(["resume", self.run_folder] if begun else self.first)
        else:
            self.sites[victim].kill()
            self.sites[victim].wait()
            self.sites[victim] = self.start_site(victim)

    def stall(self, process, length):
        process.send_signal(signal.SIGSTOP)
        time.sleep(length)
        process.send_signal(signal.SIGCONT)

    def collect(self):
        subprocess.run([self.program, "collect", self.run_folder] + [f"{self.folder}/{site}" for site in self.sites],
                       check=True, stdout=subprocess.DEVNULL)

    def complaints(self):
        """What is not as it must be in a finished run that went by time."""
        found = []
        steps = table(self.program, self.run_folder, [])
        times = [float(row["time_s"]) for row in steps]
        if len(times) != int(round(times[-1] / (times[1] - times[0]))) + 1 or times != sorted(set(times)):
            found.append(f"{len(times)} rows until {times[-1]} s: a step is missing, or twice in it")
        self.collect()
        for site in self.sites:
            ticks = table(self.program, self.run_folder, ["--ticks"])
            drive = [float(row[f"{site}.1.command_m"]) for row in ticks if row[f"{site}.1.command_m"]]
            fastest = max(abs(b - a) for a, b in zip(drive, drive[1:])) / TICK_S
            if not fastest <= RATE * (1 + 1e-9):
                found.append(f"the command of {site} went at {fastest} m/s")
        return found

    def close(self):
        for process in list(self.sites.values()) + [self.integrator]:
            process.kill()
            process.wait()
        self.log.close()


def table(program, folder, options):
    path = folder + ".table.csv"
    subprocess.run([program, "export", folder, "--csv", path] + options, check=True, stdout=subprocess.DEVNULL)
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def disturb(lab, options, most):
    """Until the test is over. Returns its exit code, or None, and how often it was disturbed."""
    kills, begun = 0, time.monotonic()
    while time.monotonic() - begun < PATIENCE_S:
        pause = random.random() * random.choice([0.1, 0.5, 1.5]) if kills < most else PATIENCE_S
        try:
            return lab.integrator.wait(timeout=pause), kills
        except subprocess.TimeoutExpired:
            pass
        if kills >= most:
            break
        # Before the first step an operator starts a test again if it loses a site.
        if not os.path.exists(lab.run_folder + "/journal.db") or not running(lab):
            continue
        kills += 1
        if options.victim == "stall":
            lab.stall(random.choice([lab.integrator] + list(lab.sites.values())), random.random())
        else:
            victims = {"integrator": ["integrator"], "site": list(lab.sites)}.get(
                options.victim, ["integrator"] + list(lab.sites))
            lab.kill(random.choice(victims))
    return None, kills


def running(lab):
    with open(lab.folder + "/log") as log:
        return log.read().count("RUNNING") >= len(lab.sites)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("examples")
    parser.add_argument("--victim", default="any", choices=["integrator", "site", "any", "stall"])
    parser.add_argument("--mode", default="simulated", choices=list(LENGTH))
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    random.seed(options.seed)
    place = tempfile.mkdtemp(prefix="trestle-kill-")

    def record(folder, *what):
        table = folder + ".csv"
        subprocess.run([options.program, "export", folder, "--csv", table, *what], check=True,
                       stdout=subprocess.DEVNULL)
        with open(table, "rb") as file:
            return file.read()

    paced = options.mode in PACED
    if paced:
        options.examples = write_paced_test(place + "/test")
    else:
        subprocess.run([options.program, "run", options.examples + "/test.yaml", "--out", place + "/undisturbed"] +
                       settings(["mode=" + options.mode] + LENGTH[options.mode]),
                       check=True, stdout=subprocess.DEVNULL)
    undisturbed = None if paced else record(place + "/undisturbed")
    undisturbed_ticks = None if paced else record(place + "/undisturbed", "--ticks")
    kills = tests = broken = 0
    while kills < options.kills and not broken:
        folder = tempfile.mkdtemp(dir=place)
        lab = Lab(options, folder)
        code, met = disturb(lab, options, min(MOST_KILLS, options.kills - kills))
        lab.close()
        kills += met
        tests += 1
        wrong = [] if code == 0 else [f"exit code {code}"]
        if code == 0 and paced:
            wrong = lab.complaints()
        elif code == 0 and record(lab.run_folder) != undisturbed:
            wrong = ["another record than that of the undisturbed run"]
        elif code == 0:
            lab.collect()
            if record(lab.run_folder, "--ticks") != undisturbed_ticks:
                wrong = ["other control ticks than those of the undisturbed run"]
        if wrong:
            broken += 1
            print(f"BROKEN after {met} of them: {'; '.join(wrong)}, see {folder}")
            with open(folder + "/log") as log:
                print(log.read()[-3000:])
    if not broken:
        shutil.rmtree(place)
    print(f"{options.mode}, {options.victim}: {kills} kills or stalls in {tests} tests, {broken} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
