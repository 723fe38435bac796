#!/usr/bin/env python3
"""What `trestle arm` asks at a terminal before real equipment is armed, and what the audit keeps of it.

    arming_test.py TRESTLE RIG_EMULATOR EQUIPMENT_PLUGIN
"""
import argparse
import os
import pty
import select
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # nothing is left in the source tree
import laboratory  # noqa: E402

PATIENCE_S = 60.0
ITEMS = 6  # of the default checklist


def arm(lab, answers, *more):
    """At a terminal, each question gets the next answer. Returns the exit code and what was printed."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(lab.program, [lab.program, "arm", lab.run_folder, "--as", "ada", *more], lab.environment)
    said, end = b"", time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 0.2)[0]:
            continue
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        if not part:
            break
        said += part
        if said.rstrip().endswith(b"[y/N]") and answers:
            os.write(terminal, answers.pop(0).encode() + b"\n")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said.decode(errors="replace")


def is_at(lab, state):
    return lab.status(lab.run_folder)["state"] == state


def wait_for(what, condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def asks(lab):
    lab.start_site()
    lab.start_run()
    wait_for("the word to arm", lambda: any("trestle arm" in wait["what"] for wait in lab.status(lab.run_folder)["waits"]))
    wait_for("readings", lambda: any(site["readings"] for site in lab.status(lab.run_folder)["arming"]["sites"]))
    code, said = arm(lab, ["n"] * (ITEMS + 1))
    assert code == 3 and "although 6 of the checklist are open? [y/N]" in said and "not armed" in said, (code, said)
    code, said = arm(lab, ["y"] * ITEMS + ["n"])
    assert code == 3 and "not armed" in said and "although" not in said, (code, said)
    assert said.index("ram1.force reads") < said.rindex("[y/N]"), "the question came before what it is about: " + said
    assert is_at(lab, "CONNECTING"), "it was armed although its person said no"
    code, said = arm(lab, [], "--yes")
    assert code == 0 and "[y/N]" not in said, (code, said)
    wait_for("the end", lambda: not lab.integrator.alive())
    code, said = lab.ask("audit", lab.run_folder)
    assert code == 0 and said.count("confirmed") == ITEMS and "; ram1.force 0 N sd 0, at most 500" in said, said


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "emulator", "plugin"):
        parser.add_argument(name)
    options = parser.parse_args()
    for name in ("program", "emulator", "plugin"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    folder = tempfile.mkdtemp(prefix="ta-")
    lab = laboratory.Laboratory(options, folder, "pseudo-dynamic", "plugin", isolation="process")
    wrong = ""
    try:
        asks(lab)
    except AssertionError as error:
        wrong = str(error)
    finally:
        lab.close()
    print(wrong)
    if not wrong:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
