#!/usr/bin/env python3
"""What a person learns of a process that waits for a disk which does not return.

    hanging_disk.py CASE TRESTLE EXAMPLE_FOLDER HANGING_DISK_SO
"""
import glob
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from gateway_clients import Client  # noqa: E402

PATIENCE_S = 100.0
LONGEST_DISK_S = 60.0  # the wait for a disk, as docs/adr/0004 states it
SENTENCE_S = 5.0  # of such a wait, between two sentences on stderr


class Disk:
    """A folder, and programs for which the disk of one file in it hangs."""

    def __init__(self, program, shim, of):
        self.program, self.place = program, tempfile.mkdtemp(prefix="trestle-hanging-disk-")
        self.run_folder, self.flag, self.processes = self.place + "/run", self.place + "/it-hangs", []
        self.environment = dict(os.environ, TRESTLE_STATE=self.place + "/state", TRESTLE_AS="ada", LD_PRELOAD=shim,
                                HANGING_DISK_OF=of, HANGING_DISK_WHILE=self.flag)

    def start(self, *words, stderr=subprocess.STDOUT):
        process = subprocess.Popen([self.program, *words], cwd=self.place, env=self.environment, stdout=subprocess.PIPE,
                                   stderr=stderr, text=True)
        self.processes.append(process)
        return process

    def ask(self, *words):
        environment = {key: value for key, value in self.environment.items() if key != "LD_PRELOAD"}
        asked = subprocess.run([self.program, *words], cwd=self.place, env=environment, capture_output=True, text=True,
                               timeout=PATIENCE_S)
        return asked.returncode, asked.stdout + asked.stderr

    def status(self, folder):
        code, said = self.ask("status", folder, "--json")
        return json.loads(said) if code == 0 else {"state": "", "waits": [], "said": said}

    def until(self, what, process, condition):
        end = time.monotonic() + PATIENCE_S
        while not condition():
            assert process.poll() is None, f"it ended before {what}: {process.communicate()[0]}"
            assert time.monotonic() < end, f"never: {what}"

    def hang(self):
        open(self.flag, "w").close()

    def comes_back(self):
        if os.path.exists(self.flag):
            os.remove(self.flag)

    def close(self):
        self.comes_back()
        for process in self.processes:
            process.kill()
            process.wait()
        shutil.rmtree(self.place, ignore_errors=True)


def says_the_disk(disk, process, folder, file):
    """Status and why name the file and the time left, while the disk hangs."""
    def waits():
        return [wait for wait in disk.status(folder)["waits"] if wait["whom"] == "the disk of " + file]

    disk.until("the wait for the disk", process, waits)
    wait = waits()[0]
    assert wait["what"] == "the end of the record", wait
    assert abs(wait["since_s"] + wait["until_s"] - LONGEST_DISK_S) < 0.01, wait
    code, said = disk.ask("why", folder)
    assert code == 0 and "waits for the disk of " + file + ": the end of the record" in said, (code, said)
    assert "; in " in said, said
    return said


def words_of(settings):
    return [word for setting in settings for word in ("--set", setting)]


def begin(disk, examples, *settings, stderr=subprocess.STDOUT):
    """A run of both sites in its process, whose disk hangs as soon as it runs. It is short: the log of a database is
    synced by itself from 4 MB on. So it may be over before anybody sees that it runs; then the next one is tried."""
    for _ in range(20):
        shutil.rmtree(disk.run_folder, ignore_errors=True)
        run = disk.start("run", examples + "/test.yaml", "--out", disk.run_folder,
                         *words_of(("duration=8 s", "deadlines.step=100 s") + settings), stderr=stderr)
        while run.poll() is None:
            if disk.status(disk.run_folder)["state"] == "RUNNING":
                disk.hang()
                return run
    raise AssertionError("it never runs")


def ends(process, code):
    said, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == code, (process.returncode, said)
    return said


def site_here(disk, examples):
    """The disk of a site in the integrator's process: the integrator is told by the site when the record is whole."""
    run = begin(disk, examples, "clock=wall")
    said = says_the_disk(disk, run, disk.run_folder, disk.run_folder + "/west.db")
    assert "site west" in said, said
    assert disk.ask("hold", disk.run_folder)[0] == 3
    disk.comes_back()
    ends(run, 0)


def virtual(disk, examples):
    """Under virtual time the node itself waits in its record."""
    run = begin(disk, examples, "clock=virtual")
    says_the_disk(disk, run, disk.run_folder, disk.run_folder + "/west.db")
    code, said = disk.ask("stop", disk.run_folder)
    assert code == 3 and "waits for the disk of " + disk.run_folder + "/west.db" in said, (code, said)
    disk.comes_back()
    ends(run, 0)


def mid_run(disk, examples):
    """The disk of a site hangs behind a step: the site and the integrator in its process name it, and go on with it."""
    run = begin(disk, examples, "mode=pseudo-dynamic", "clock=wall", "duration=60 s")
    file = "the disk of the record of site west"
    disk.until("the wait for the disk", run, lambda: any(
        wait["whom"] == file and "before it is driven or answered" in wait["what"]
        for wait in disk.status(disk.run_folder)["waits"]))
    code, said = disk.ask("why", disk.run_folder)
    assert code == 0 and "waits for " + file + ": step " in said, (code, said)

    def step_now():
        return disk.status(disk.run_folder).get("step") or 0

    step = step_now()
    disk.comes_back()
    disk.until("a later step", run, lambda: step_now() > step + 1)
    assert disk.ask("stop", disk.run_folder, "--yes")[0] == 0
    ends(run, 3)


def left(disk, examples):
    """The test was left, and the process waits for the disk of the record that stays unfinished."""
    run = begin(disk, examples, "clock=wall")
    run.send_signal(signal.SIGTERM)
    said = says_the_disk(disk, run, disk.run_folder, disk.run_folder + "/journal.db")
    assert "trestle resume" in said, said
    disk.comes_back()
    ends(run, 3)
    code, said = disk.ask("resume", disk.run_folder)
    assert code == 0, said


class Unread:
    """What stderr of a process is connected to: a pipe that nobody reads."""

    def __init__(self):
        self.reader, self.writer = os.pipe()

    def fill(self):
        """From now on whoever writes to it waits."""
        os.set_blocking(self.writer, False)
        try:
            while True:
                os.write(self.writer, bytes(4096))
        except BlockingIOError:
            os.set_blocking(self.writer, True)

    def answers_through(self, disk, process, folder):
        """The process answers after the first sentence of its wait was due, too."""
        disk.until("an answer after the first sentence", process, lambda: any(
            wait["whom"].startswith("the disk of ") and wait["since_s"] > 1.5 * SENTENCE_S
            for wait in disk.status(folder)["waits"]))


def unread_run(disk, examples):
    """The disk hangs, and nobody reads stderr: the process answers its operators, and ends when the disk returns."""
    pipe = Unread()
    run = begin(disk, examples, "clock=wall", stderr=pipe.writer)
    pipe.fill()
    run.send_signal(signal.SIGTERM)
    pipe.answers_through(disk, run, disk.run_folder)
    disk.comes_back()
    ends(run, 3)


def unread_site(disk, examples):
    """The same of a site server, whose record stays unfinished."""
    pipe = Unread()
    site, folder = leave_site(disk, examples, pipe.fill, stderr=pipe.writer)
    pipe.answers_through(disk, site, folder)
    disk.comes_back()
    ends(site, 0)
    assert "still waits for the disk of " + folder in open(folder + "/site.log", encoding="utf-8").read()


def leave_site(disk, examples, before=lambda: None, stderr=subprocess.STDOUT):
    """A site server that ends while a test is held, behind a disk that hangs; and the folder of its records."""
    where, sites = {}, {}
    for name in ("west", "east"):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            where[name] = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
        sites[name] = disk.start("site", f"{examples}/site_{name}.yaml", "--out", disk.place + "/" + name,
                                 *words_of(["listen=" + where[name]]),
                                 stderr=stderr if name == "west" else subprocess.STDOUT)
    run = disk.start("run", examples + "/distributed.yaml", "--out", disk.run_folder,
                     *words_of(["duration=60 s", "deadlines.hold=60 s"] +
                               [f"sites.{name}.address={address}" for name, address in where.items()]))
    disk.until("RUNNING", run, lambda: disk.status(disk.run_folder)["state"] == "RUNNING")
    disk.hang()
    before()
    sites["west"].send_signal(signal.SIGTERM)
    return sites["west"], disk.place + "/west"


def site_server(disk, examples):
    """A site server that ends while a test is held: its record stays unfinished."""
    site, folder = leave_site(disk, examples)
    disk.until("the wait for the disk", site, lambda: any(
        wait["whom"].startswith("the disk of " + folder) for wait in disk.status(folder)["waits"]))
    code, said = disk.ask("clear", folder)
    assert code == 3 and "waits for the disk of " + folder in said, (code, said)
    disk.comes_back()
    ends(site, 0)


def fault(disk, examples):
    """The disk of a site's fault: the site, in FAULT, answers its operators and ends."""
    tight = "[{displacement: 60 mm, rate: 400 mm/s, force: 1 N}, {displacement: 20 mrad, rate: 130 mrad/s, force: 1 N.m}]"
    where, sites = {}, {}
    for name in ("west", "east"):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            where[name] = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
        own = ["limits.actuators=" + tight] if name == "west" else []
        sites[name] = disk.start("site", f"{examples}/site_{name}.yaml", "--out", disk.place + "/" + name,
                                 *words_of(["listen=" + where[name]] + own))
    site, folder = sites["west"], disk.place + "/west"
    disk.until("the site", site, lambda: disk.status(folder)["state"])
    disk.hang()
    run = disk.start("run", examples + "/distributed.yaml", "--out", disk.run_folder,
                     *words_of(["deadlines.hold=60 s"] + [f"sites.{name}.address={at}" for name, at in where.items()]))
    disk.until("FAULT", site, lambda: disk.status(folder)["state"] == "FAULT")
    code, said = disk.ask("why", folder)
    assert code == 0 and "force" in said, (code, said)
    assert not os.path.exists(folder + "/fault"), "the disk does not hang"
    site.send_signal(signal.SIGTERM)
    said, _ = site.communicate(timeout=PATIENCE_S)
    assert "the disk has not taken the fault" in said, said
    run.kill()


class Port:
    def __init__(self, port):
        self.port = port


def gateway(disk, examples):
    """The record of a client's test: the gateway answers its operators meanwhile, and ends when the disk returns."""
    gate = disk.start("gateway", "openfresco", "--listen", "127.0.0.1:0", "--site",
                      examples + "/../openfresco/site.yaml", "--out", disk.place + "/out", "--once")
    said = ""
    while not (listens := re.search(r"listens at tcp 127\.0\.0\.1:(\d+)", said)):
        line = gate.stdout.readline()
        assert line, said
        said += line
    client = Client(Port(int(listens.group(1))))
    assert abs(client.move(0.1) - 0.28) < 1e-12
    disk.hang()
    client.end()
    (record,) = glob.glob(disk.place + "/out/*-0001")
    said = says_the_disk(disk, gate, disk.place + "/out", record + "/spring.db")
    code, said = disk.ask("stop", disk.place + "/out")
    assert code == 3, (code, said)
    while "still waits for the disk of " + record + "/spring.db" not in (line := gate.stdout.readline()):
        assert line, "it ended without a word of the disk"
    disk.comes_back()
    ends(gate, 0)


def main():
    case, program, examples, shim = sys.argv[1], *(os.path.abspath(word) for word in sys.argv[2:5])
    of = {"site_here": "/run/west.db", "mid_run": "/run/west.db", "virtual": "/run/west.db", "left": "/run/journal.db", "site_server": "/west/",
          "gateway": "/spring.db", "unread_run": "/run/journal.db", "unread_site": "/west/", "fault": "/west/fault"}[case]
    disk = Disk(program, shim, of)
    try:
        {"site_here": site_here, "mid_run": mid_run, "virtual": virtual, "left": left, "site_server": site_server,
         "gateway": gateway, "unread_run": unread_run, "unread_site": unread_site, "fault": fault}[case](disk, examples)
    finally:
        disk.close()


if __name__ == "__main__":
    main()
