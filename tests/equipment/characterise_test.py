#!/usr/bin/env python3
"""`trestle characterise` of the emulated equipment over udp_target, to its end: armed by a person, inside all
limits by the rig's own log, and held when it is over.

    characterise_test.py PROGRAM EMULATOR
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

from judge import Judge, Limits
from laboratory import DISPLACEMENT, FORCE, RATE, TICK_S, Laboratory

PATIENCE_S = 5.0  # of the equipment: a busy host takes a thread away for longer than a real one would
WAITS = "the operator's word to arm real equipment: trestle arm"
SETTINGS = ["characterise={control_tick: 1/128 s, duration: 8 s, lowest: 0.5 Hz, highest: 8 Hz}",
            "adapter.late_ticks=250", "adapter.settings.stale=1 s", f"adapter.settings.watchdog={PATIENCE_S} s"]


def expect(what, *values):
    if not what:
        sys.exit(f"not so: {values}")


def until(condition, what, seconds=60):
    give_up = time.monotonic() + seconds
    while not condition():
        expect(time.monotonic() < give_up, what)
        time.sleep(0.05)


def main():
    program, emulator = (str(pathlib.Path(name).resolve()) for name in sys.argv[1:3])
    with tempfile.TemporaryDirectory(prefix="char-", dir="/tmp") as folder:
        lab = Laboratory(argparse.Namespace(program=program, emulator=emulator, plugin=None), folder, "real-time",
                         "udp")
        lab.rig.tell(f"set watchdog={PATIENCE_S}")
        lab.rig.tell("mark begin site")
        out = pathlib.Path(folder, "out.txt")
        words = [program, "characterise", "site.yaml", "--folder", lab.site_folder, "--out", "found.yaml"]
        with open(out, "w") as file:
            run = subprocess.Popen(words + [word for change in SETTINGS for word in ("--set", change)],
                                   cwd=folder, env=lab.environment, stdout=file, stderr=file)
        try:
            until(lambda: WAITS in out.read_text() or run.poll() is not None, "it waits for nobody")
            expect(run.poll() is None, out.read_text())
            time.sleep(0.5)
            expect("cmd=follow" not in pathlib.Path(lab.rig.log).read_text(), "it moves before anybody armed it")
            lab.rig.tell("mark arm")  # the word of a person
            armed = subprocess.run([program, "arm", lab.site_folder, "--as", "ada@lab"], cwd=folder,
                                   env=lab.environment, capture_output=True, text=True)
            expect(armed.returncode == 0, armed.stderr)
            expect(run.wait(200) == 0, out.read_text())
            time.sleep(0.2)
        finally:
            run.kill()
            run.wait()
            lab.rig.close()
        expect("measured within" in out.read_text(), out.read_text())
        expect(pathlib.Path(folder, "found.yaml").exists(), out.read_text())
        log = pathlib.Path(lab.rig.log).read_text()
        orders = [line.split("cmd=")[1].split()[0] for line in log.splitlines() if "cmd=" in line]
        expect(orders.count("follow") > 500, "it hardly moved", orders.count("follow"))
        expect(orders[-1] == "hold", "it does not hold in the end", orders[-1])
        judge = Judge(Limits(RATE, DISPLACEMENT, FORCE, TICK_S, PATIENCE_S)).read(lab.rig.log)
        expect(not judge.complaints, *judge.complaints)
        print(out.read_text())
        print(", ".join(f"{count} {what}" for what, count in judge.counts.items()))


if __name__ == "__main__":
    main()
