#!/usr/bin/env python3
"""The plug-in of the emulator keeps the contract, as `trestle adapter check` looks at it.

    conformance_test.py TRESTLE RIG_EMULATOR EQUIPMENT_PLUGIN
"""
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing is left in the source tree
from rig import Rig  # noqa: E402

program, emulator, plugin = sys.argv[1:4]
rig = Rig(emulator, tempfile.mkdtemp(prefix="tc-"))
try:
    for more in ([], ["--write"]):
        done = subprocess.run([program, "adapter", "check", plugin, "--settings", f"socket={rig.folder}/rig.sock", "--settings", "rate=50", "--ticks",
                               "100", *more],
                              capture_output=True, text=True)
        print(done.stdout + done.stderr)
        if done.returncode != 0:
            sys.exit(1)
finally:
    rig.close()
