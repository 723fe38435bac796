#!/usr/bin/env python3
"""A whole test over real sockets: integrator, site with udp_target, and the target of the example.

    real_target.py TRESTLE EXAMPLE_FOLDER CASE
"""
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

# Of each case: words for the target, the exit code of the run, and what it must say.
CASES = {
    "clean": ([], 0, "COMPLETE"),
    "loss_and_garbage": (["--loss", "0.05", "--garbage", "0.05"], 0, "COMPLETE"),
    "delay": (["--delay", "0.004"], 0, "COMPLETE"),
    "outage": (["--quiet", "0.5", "0.2"], 0, "COMPLETE"),
    "disconnection": (["--quiet", "0.5", "3600"], 3, "it gave no fresh measurement"),
    "trip": (["--trip", "0.5"], 3, "says status 3"),
    "absent": (None, 2, "no frame came from the target"),
}
# A busy host takes the threads away for longer than real equipment would bear.
PATIENT = ["adapter.late_ticks=250", "adapter.overruns=1000", "control_thread.overrun=1 s",
           "adapter.settings.connect=30 s", "adapter.settings.stale=1 s", "adapter.settings.watchdog=5 s"]
# Sixteen times slower than the earthquake: what is late there is little here.
SLOW = ["--set", "continuous.scale=16", "--set", "excitation.synthetic.duration=0.5 s"]


def free_port(kind):
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main(trestle, example, case):
    words, code, says = CASES[case]
    folder = pathlib.Path(tempfile.mkdtemp())
    bus, there, here = (free_port(socket.SOCK_STREAM), free_port(socket.SOCK_DGRAM),
                        free_port(socket.SOCK_DGRAM))
    changes = PATIENT + [f"listen=tcp://127.0.0.1:{bus}", f"adapter.settings.target=127.0.0.1:{there}",
                         f"adapter.settings.listen=127.0.0.1:{here}"]
    others = []
    try:
        if words is not None:
            others.append(subprocess.Popen([sys.executable, example / "target.py", "--listen",
                                            f"127.0.0.1:{there}", "--seconds", "300", *words]))
        sets = [word for change in changes for word in ("--set", change)]
        others.append(subprocess.Popen([trestle, "site", example / "site.yaml", "--once", "--out",
                                        folder / "lab", *sets], stdout=subprocess.DEVNULL))
        out = folder / "out.txt"
        with open(out, "w") as file:
            run = subprocess.Popen([trestle, "run", example / "test.yaml", "--out", folder / "run",
                                    "--set", f"sites.lab.address=tcp://127.0.0.1:{bus}",
                                    "--set", "deadlines.connect=60 s", "--set", "clock_bound=1 s", *SLOW], stdout=file, stderr=file)
        others.append(run)
        give_up = time.monotonic() + 180
        while run.poll() is None and time.monotonic() < give_up:
            # The operator's words: arm, and stop where the run holds after a fault.
            word = "stop" if "HOLDING" in out.read_text() else "arm"
            subprocess.run([trestle, word, folder / "run"], capture_output=True)
            time.sleep(0.2)
        said = out.read_text()
        if run.poll() != code or says not in said:
            sys.exit(f"{case}: exit {run.poll()}, not {code} with `{says}`:\n{said}")
    finally:
        # A site that is killed leaves its driver to hold the rig, and to wait for another site.
        for other in reversed(others):
            other.terminate()
            try:
                other.wait(timeout=20)
            except subprocess.TimeoutExpired:
                other.kill()
                other.wait()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3])
