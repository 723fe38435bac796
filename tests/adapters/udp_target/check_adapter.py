#!/usr/bin/env python3
"""The plug-in udp_target keeps the contract, as `trestle adapter check` looks at it, with the target of the example.

    check_adapter.py TRESTLE EXAMPLE_FOLDER ISOLATION
"""
import os
import pathlib
import subprocess
import sys

program, example, isolation = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
pid = os.getpid()
own = f"127.{1 + (pid >> 14) % 250}.{(pid >> 7) % 128}.{1 + pid % 128}"  # of this process alone: its ports are free
target = subprocess.Popen([sys.executable, "-B", example / "target.py", "--listen", f"{own}:5001"], stdout=subprocess.DEVNULL)
try:
    changes = [f"target={own}:5001", f"listen={own}:5000", "rate=100 Hz", "stale=60 s", "watchdog=60 s", "connect=60 s"]
    words = [word for change in changes for word in ("--settings", change)]
    for more in ([], ["--write"]):
        done = subprocess.run([program, "adapter", "check", example / "site.yaml", "--isolation", isolation, "--ticks", "40", *words, *more],
                              capture_output=True, text=True)
        print(done.stdout + done.stderr)
        # A busy host may be slow: that is not asked for here.
        broken = [line for line in done.stdout.splitlines() if " BROKEN " in line and "less than a tick" not in line]
        expected = (2, 3) if more else (0, 3)  # it reports no drive in force, and is not written to
        if done.returncode not in expected or (more and "NOT RUN" not in done.stdout) or broken or "neither blocks nor allocates" not in done.stdout:
            sys.exit(1)
finally:
    target.kill()
    target.wait()
