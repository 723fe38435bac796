#!/usr/bin/env python3
"""The day of a test, typed from docs/howto/day-of-a-test.md: the emulator's log is the judge of the rig, and the record has
what each person did.

    day_test.py PAGE TRESTLE RIG_EMULATOR EQUIPMENT_PLUGIN
"""
import argparse
import csv
import json
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
# One that follows a sine of 1 Hz as stated; with the emulator's own the gain is at the bound of 5 %.
SERVO = {"servo_gain": 80, "coulomb": 30}
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
    assert code == 0, (words, code, said)
    return said


def notes(path):
    """The step of each note with the crack."""
    with open(path) as file:
        lines = [line for line in file if not line.startswith("#")]
    return [int(row["step"]) for row in csv.DictReader(lines) if "crack at the weld" in row["text"]]


def day(lab, typed):
    seen = [words[0] if words[0] != "rig" else words[1] for words in typed]
    assert seen == ["site", "zero", "exercise", "run", "arm", "note", "hold", "resume", "status", "home", "export", "audit", "audit"], seen
    shown = [type_in(words, lab) for words in typed]
    said = shown[-2]
    for what in ("ada", "bob", "emergency stop pressed and released today", "nobody in the cage", "crack at the weld", "until tomorrow"):
        assert what in said, f"the record of the run has no `{what}`: {said}"
    recorded, _, pending = shown[-1].partition("not in a record yet")
    assert "zero readings" in recorded and "exercise of" in recorded and "return home" not in recorded, shown[-1]
    assert "ada" in pending and "return home of all actuators at 5 mm/s, up to 5 kN: moved as commanded" in pending, shown[-1]
    assert "zero readings" not in pending, shown[-1]
    steps = notes(lab.folder + "/day.notes.csv")
    assert len(steps) == 1 and 12 <= steps[0] <= lab.steps, steps
    assert abs(float(lab.rig.tell("status")["drive"])) < 1e-9, "the rig is not at home"
    assert os.path.getsize(lab.folder + "/day.csv") > 0
    code, said = lab.ask("rig", "release", "lab", "--yes", "--as", "bob", patience=60)
    assert code == 0, (code, said)
    code, said = lab.ask("audit", "lab", "--json")
    assert code == 0, said
    last = json.loads(said)["not_in_a_record_yet"][-1]
    assert last["who"].startswith("bob") and "release of the pressure" in last["text"], last


def main():
    parser = argparse.ArgumentParser()
    for name in ("page", "program", "emulator", "plugin"):
        parser.add_argument(name)
    options = parser.parse_args()
    for name in ("program", "emulator", "plugin"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    typed, more = commands(options.page)
    folder = tempfile.mkdtemp(prefix="td-")
    lab = laboratory.Laboratory(options, folder, "pseudo-dynamic", "plugin", rig_settings=SERVO, isolation="process")
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
