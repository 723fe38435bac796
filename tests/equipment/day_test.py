#!/usr/bin/env python3
"""The day of a test, typed from docs/howto/day-of-a-test.md: the emulator's log is the judge of the rig, and the record has
what each person did.

    day_test.py PAGE TRESTLE RIG_EMULATOR EQUIPMENT_PLUGIN
"""
import argparse
import os
import re
import shlex
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing is left in the source tree
import judge  # noqa: E402
import laboratory  # noqa: E402
from held_rig_test import end, state, until  # noqa: E402

STAY = ("site", "run")  # commands that a person leaves in their terminal
MOVES = {"exercise": "rig exercise", "home": "rig home", "arm": "arm", "resume": "resume"}


def commands(page):
    """The lines that begin with `$ trestle`, in their order, and the YAML that the test's file has in addition."""
    with open(page) as file:
        text = file.read()
    typed = [shlex.split(line)[2:] for block in re.findall(r"```console\n(.*?)```", text, re.S)
             for line in block.splitlines() if line.startswith("$ trestle ")]
    return typed, "".join(re.findall(r"```yaml\n(.*?)```", text, re.S))


def before(words, lab):
    """What a person waits for before this command."""
    step = lambda: lab.status(lab.run_folder)["step"] or 0  # noqa: E731
    if words[0] == "arm":
        until("the word to arm", lambda: any("trestle arm" in wait["what"] for wait in lab.status(lab.run_folder)["waits"]), lab)
    elif words[0] == "note":
        until("step 12", lambda: step() >= 12, lab)
    elif words[0] == "resume":
        until("the hold", lambda: state(lab, "run") == "HOLDING" and state(lab, "site") == "HOLDING", lab)
    elif words[:2] == ["rig", "status"]:
        end(lab, [0])
        until("the end of the record", lambda: state(lab, "site") == "CONFIGURED", lab)
    elif words[:2] == ["rig", "zero"]:
        until("the site", lambda: state(lab, "site") != "", lab)


def type_in(words, lab):
    before(words, lab)
    mark = MOVES.get(words[1] if words[0] == "rig" else words[0])
    if mark:
        lab.rig.tell("mark " + mark)
    if words[0] in STAY:
        node = lab.node(words, words[0])
        setattr(lab, {"site": "site", "run": "integrator"}[words[0]], node)
        return ""
    code, said = lab.ask(*words, patience=60)
    assert code == 0 or (code == 3 and words[1] == "exercise"), (words, code, said)
    return said


def day(lab, typed):
    seen = [words[0] if words[0] != "rig" else words[1] for words in typed]
    assert seen == ["site", "zero", "exercise", "run", "arm", "note", "hold", "resume", "status", "home", "export", "audit"], seen
    for words in typed:
        said = type_in(words, lab)
    for what in ("ada", "bob", "emergency stop pressed and released today", "nobody in the cage", "crack at the weld", "until tomorrow"):
        assert what in said, f"the record of the run has no `{what}`: {said}"
    code, said = lab.ask("audit", lab.site_folder)
    assert code == 0 and "zero readings" in said and "exercise of" in said, said
    assert abs(float(lab.rig.tell("status")["drive"])) < 1e-9, "the rig is not at home"
    assert os.path.getsize(lab.folder + "/day.csv") > 0


def main():
    parser = argparse.ArgumentParser()
    for name in ("page", "program", "emulator", "plugin"):
        parser.add_argument(name)
    options = parser.parse_args()
    for name in ("program", "emulator", "plugin"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    typed, more = commands(options.page)
    folder = tempfile.mkdtemp(prefix="td-")
    lab = laboratory.Laboratory(options, folder, "pseudo-dynamic", "plugin", isolation="process")
    lab.run_folder, lab.site_folder = folder + "/runs/day", folder + "/runs/site-lab"
    with open(folder + "/test.yaml", "a") as file:
        file.write(more)
    wrong = []
    try:
        day(lab, typed)
    except AssertionError as error:
        wrong.append(str(error))
    finally:
        lab.close()
    limits = judge.Limits(laboratory.RATE, laboratory.DISPLACEMENT, laboratory.FORCE, laboratory.TICK_S, laboratory.WATCHDOG_S)
    wrong += judge.Judge(limits).read(lab.rig.log).complaints
    for text in wrong:
        print(text)
    if not wrong:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
