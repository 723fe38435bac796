#!/usr/bin/env python3
"""`trestle characterise` of real equipment, over udp_target: who lets it move, and what it says when it ends.

    characterise_equipment.py TRESTLE EXAMPLE_FOLDER CASE
"""
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

OUT, IN = struct.Struct("<IIB3x2f"), struct.Struct("<IIIB3x4fh2x")
FOLLOW = 1
# A busy host takes the target's thread away for longer than real equipment would bear.
PATIENT = ["adapter.late_ticks=250", "adapter.overruns=100000", "control_thread.most_overruns=100000",
           "adapter.settings.connect=30 s", "adapter.settings.stale=1 s", "adapter.settings.watchdog=10 s",
           "characterise={control_tick: 1/256 s, duration: 6 s, lowest: 0.5 Hz, highest: 15 Hz}"]
WAITS = "the operator's word to arm real equipment: trestle arm"


class Target(threading.Thread):
    """Two actuators on springs, which keep what they are told."""

    def __init__(self, stiffness=10.0, trips_after=None):
        super().__init__(daemon=True)
        self.link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.link.bind(("127.0.0.1", 0))
        self.link.settimeout(0.1)
        self.port = self.link.getsockname()[1]
        self.stiffness, self.trips_after = stiffness, trips_after
        self.begun, self.farthest, self.command = None, 0.0, 0

    def run(self):
        place, sequence = [0.0, 0.0], 0
        while True:
            try:
                frame, site = self.link.recvfrom(2048)
            except socket.timeout:
                continue
            if len(frame) != OUT.size + 4 or zlib.crc32(frame[:-4]) != struct.unpack("<I", frame[-4:])[0]:
                continue
            _, echo, self.command, *drive = OUT.unpack(frame[:-4])
            if self.command == FOLLOW:
                self.begun = self.begun or time.monotonic()
                place = drive
                self.farthest = max([self.farthest] + [abs(x) for x in place])
            trips = self.trips_after is not None and self.begun and time.monotonic() - self.begun > self.trips_after
            sequence += 1
            answer = IN.pack(0x7255, sequence, echo, 3 if trips else 0, *place,
                             *(self.stiffness * x for x in place), 412)
            self.link.sendto(answer + struct.pack("<I", zlib.crc32(answer)), site)


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Measurement:
    def __init__(self, trestle, example, folder, target, *more):
        self.trestle, self.folder = trestle, folder / "run"
        self.out = folder / "out.txt"
        sets = PATIENT + [f"adapter.settings.target=127.0.0.1:{target.port}",
                          f"adapter.settings.listen=127.0.0.1:{free_port()}", *more]
        words = [trestle, "characterise", example / "site.yaml", "--folder", self.folder,
                 "--out", folder / "found.yaml"] + [word for change in sets for word in ("--set", change)]
        with open(self.out, "w") as file:
            self.process = subprocess.Popen(words, stdout=file, stderr=file)

    def said(self):
        return self.out.read_text()

    def until(self, text, seconds=60):
        give_up = time.monotonic() + seconds
        while text not in self.said():
            if self.process.poll() is not None or time.monotonic() > give_up:
                sys.exit(f"it does not say `{text}`:\n{self.said()}")
            time.sleep(0.05)

    def tell(self, *words):
        named = ["--as", "ada@lab"] if words[0] in ("arm", "hold") else []
        return subprocess.run([self.trestle, words[0], self.folder, *words[1:], *named], capture_output=True, text=True)

    def ends(self, code, text, seconds=150):
        try:
            found = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            sys.exit(f"it does not end:\n{self.said()}")
        if found != code or text not in self.said():
            sys.exit(f"exit {found}, not {code} with `{text}`:\n{self.said()}")


def expect(what, *values):
    if not what:
        sys.exit(f"not so: {values}")


def measured(trestle, example, folder):
    target = Target()
    target.start()
    run = Measurement(trestle, example, folder, target)
    run.until(WAITS)
    time.sleep(0.5)
    expect(target.begun is None, "it moves before anybody armed it")
    why = run.tell("why").stdout
    expect("the word to arm (trestle arm)" in why, why)
    expect(run.tell("arm").returncode == 0)
    expect(run.tell("arm").returncode == 3, "armed twice")
    run.until("RUNNING ")
    run.until("the chirp")
    run.ends(0, "site lab measured within")
    expect("delay" in run.said() and (folder / "found.yaml").exists(), run.said())
    expect(0.9 < target.farthest < 1.2, "mm", target.farthest)
    expect(target.command != FOLLOW, "it does not hold in the end", target.command)
    audit = run.tell("audit").stdout
    expect("armed" in audit and "operator channel" in audit, audit)


def trip(trestle, example, folder):
    target = Target(trips_after=4.0)
    target.start()
    run = Measurement(trestle, example, folder, target)
    run.until(WAITS)
    run.tell("arm")
    run.ends(3, "tripped in read(): the target")
    expect("says status 3; the rig holds" in run.said(), run.said())


def sign(trestle, example, folder):
    target = Target(stiffness=-10.0)
    target.start()
    run = Measurement(trestle, example, folder, target, "start_checks={polarity_motion: 0.2 mm}")
    run.until(WAITS)
    run.tell("arm")
    run.ends(2, "look at the sign of the load cell or its cable")
    expect(target.farthest < 0.25, "mm", target.farthest)


def held(trestle, example, folder):
    target = Target()
    target.start()
    run = Measurement(trestle, example, folder, target)
    run.until(WAITS)
    run.tell("arm")
    run.until("the chirp")
    expect(run.tell("hold", "--reason", "a leak").returncode == 0)
    run.ends(3, ": a leak; the rig holds")
    expect(target.command != FOLLOW, target.command)
    expect("a leak" in run.tell("audit").stdout)


def unarmed(trestle, example, folder):
    target = Target()
    target.start()
    run = Measurement(trestle, example, folder, target)
    run.until(WAITS)
    run.process.send_signal(signal.SIGINT)
    run.ends(3, "; not armed")
    expect("SIGINT by " in run.said(), run.said())
    expect(target.begun is None)


def without_limits(trestle, example, folder):
    target = Target()
    target.start()
    run = Measurement(trestle, example, folder, target, "limits.actuators[1]={displacement: 60 mm, force: 250 kN}")
    run.ends(2, "actuator 2 has no limit of rate")
    expect(target.begun is None)


if __name__ == "__main__":
    place = pathlib.Path(tempfile.mkdtemp())
    try:
        globals()[sys.argv[3]](sys.argv[1], pathlib.Path(sys.argv[2]), place)
    finally:
        shutil.rmtree(place, ignore_errors=True)
