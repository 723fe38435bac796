#!/usr/bin/env python3
"""The plug-in scpi_tcp keeps the contract, as `trestle adapter check` looks at it, with the instrument of the example.

    check_adapter.py TRESTLE EXAMPLE_FOLDER ISOLATION
"""
import pathlib
import subprocess
import sys

program, example, isolation = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
instrument = subprocess.Popen([sys.executable, "-B", example / "instrument.py", "--port", "0"], stdout=subprocess.PIPE, text=True)
try:
    port = instrument.stdout.readline().strip()
    # A busy host takes threads away for longer than an instrument would.
    changes = [f"server=127.0.0.1:{port}", "stale=60 s", "answer=60 s", "connect=60 s", "rate=100 Hz"]
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
    instrument.kill()
    instrument.wait()
