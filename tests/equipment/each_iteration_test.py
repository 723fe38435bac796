#!/usr/bin/env python3
"""Commands at each iteration of the implicit integrator, sent to emulated equipment that yields. Integrator and site are killed in
turn, at commands that are drawn, and the test is resumed each time. By the emulator's log and the record.

    each_iteration_test.py MODE TRESTLE RIG_EMULATOR EQUIPMENT_PLUGIN [--seed S] [--kills N]

MODE is pseudo-dynamic or continuous.
"""
import argparse
import csv
import os
import random
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # nothing is left in the source tree
import judge  # noqa: E402
import laboratory  # noqa: E402
from held_rig_test import begin, end, state, until  # noqa: E402

COMMANDS = 4  # of a step
STEPS = {"pseudo-dynamic": 24, "continuous": 32}
YIELD_N = 400.0
STIFFNESS = 40000.0  # of the emulated specimen, and of the test's file [N/m]
INTEGRATOR = f"numerical:\n  integrator: {{kind: implicit, iterations: {COMMANDS}, sites: each-iteration}}\n"


def with_iterations(lab):
    with open(lab.folder + "/test.yaml") as file:
        test = file.read()
    duration = f"duration: {lab.steps / 16} s\n"
    assert "numerical:\n" in test and duration in test
    lab.steps = STEPS[lab.mode]
    test = test.replace("numerical:\n", INTEGRATOR).replace(duration, f"duration: {lab.steps / 16} s\n")
    lab.write("test.yaml", test)


def drawn(seed, mode, kills):
    """Pairs of a process and a command, in the order of the commands. The victims take turns."""
    dice, last = random.Random(f"{seed}/{mode}"), STEPS[mode] * COMMANDS
    part = (last - 4 * COMMANDS) // kills
    return [(("integrator", "site")[i % 2], 2 * COMMANDS + i * part + dice.randrange(1, part - COMMANDS)) for i in range(kills)]


def reached(lab):
    return lab.status(lab.run_folder)["step"] or 0


def resume(lab, victim):
    """A person's commands after the loss of a process: start it, clear, arm, resume. Each is given when the test asks for it."""
    asks = {"state": ""}

    def continues():
        asks.update(lab.status(lab.run_folder))
        if not lab.integrator.alive():
            return True
        if state(lab, "site") == "FAULT":
            word(lab, "clear", lab.site_folder)
        elif any("trestle arm" in wait["what"] for wait in asks["waits"]):
            word(lab, "arm", lab.run_folder)
        elif asks["state"] == "HOLDING" and state(lab, "site") == "HOLDING":
            word(lab, "resume", lab.run_folder)
        return asks["state"] == "RUNNING" and state(lab, "site") == "RUNNING"

    if victim == "site":
        lab.start_site()
    else:
        until("the site's own hold", lambda: state(lab, "site") == "HOLDING", lab)
        lab.resume_run()
    until(f"the test, after its {victim} was killed,", continues, lab)


def word(lab, verb, folder):
    if verb == "resume":
        lab.mark_resume()
    else:
        lab.rig.tell("mark " + verb)
    lab.ask(verb, folder, "--as", "ada")


def kill(lab, victim):
    lab.rig.tell(f"mark victim {victim} site")
    (lab.site if victim == "site" else lab.integrator).kill()


def rows_of(lab):
    table = lab.folder + "/record.csv"
    code, said = lab.ask("export", lab.run_folder, "--csv", table, patience=60)
    assert code == 0, said
    with open(table, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def look_at_the_record(lab):
    """Each command once and in its place."""
    rows, wanted = rows_of(lab), lab.steps * COMMANDS + 1
    assert len(rows) == wanted, f"{len(rows)} rows, not {wanted}"
    for k, row in enumerate(rows):
        assert abs(float(row["time_s"]) - k / (16 * COMMANDS)) < 1e-9, f"row {k} has the time {row['time_s']} s"
        iteration = (k - 1) % COMMANDS + 1 if k else 0
        assert float(row["iteration"]) == iteration, f"row {k} has the iteration {row['iteration']}, not {iteration}"
    motion, force = ([abs(float(row[f"lab.low.x.{name}"])) for row in rows] for name in ("measured_m", "force_N"))
    elastic = STIFFNESS * max(motion)
    assert max(force) < 0.9 * elastic, f"the rig did not yield: {max(force):.0f} N at {1e3 * max(motion):.2f} mm"


def all_kills(lab, kills):
    before = 0
    for i, (victim, command) in enumerate(kills):
        if i == 0:
            begin(lab, command)
        else:
            until(f"command {command}", lambda: reached(lab) >= command or not lab.integrator.alive(), lab)
        at = reached(lab)
        kill(lab, victim)
        print(f"{lab.mode}: {victim} killed at command {at} ({(at - 1) % COMMANDS + 1} of {COMMANDS})", flush=True)
        assert before <= at < lab.steps * COMMANDS, f"command {at} is no place for a kill"
        before = at
        resume(lab, victim)
    end(lab, [0])


def play(options):
    """Returns what was wrong, and the folder of its files."""
    folder = tempfile.mkdtemp(prefix="ti-")
    lab = laboratory.Laboratory(options, folder, options.mode, "plugin", rig_settings={"yield": YIELD_N, "stiffness": STIFFNESS})
    wrong, begun = [], time.monotonic()
    try:
        with_iterations(lab)
        all_kills(lab, drawn(options.seed, options.mode, options.kills))
        look_at_the_record(lab)
    except AssertionError as error:
        wrong.append(str(error))
    finally:
        lab.close()
    limits = judge.Limits(laboratory.RATE, laboratory.DISPLACEMENT, laboratory.FORCE, laboratory.TICK_S, laboratory.WATCHDOG_S)
    seen = judge.Judge(limits).read(lab.rig.log)
    wrong += ["judge: " + complaint for complaint in seen.complaints]
    print(f"{options.mode}: {seen.counts['follows']} orders, {time.monotonic() - begun:.0f} s of wall")
    return wrong, folder


def main():
    parser = argparse.ArgumentParser()
    for name in ("mode", "program", "emulator", "plugin"):
        parser.add_argument(name)
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--kills", default=4, type=int)
    options = parser.parse_args()
    for name in ("program", "emulator", "plugin"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    wrong, folder = play(options)
    for text in wrong:
        print(text)
    if wrong:
        print(f"the files are in {folder}")
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
