#!/usr/bin/env python3
"""What a held rig, and one of which nobody knows the drive, does without a person's word: by the emulator's log.

    held_rig_test.py unknown_drive|told_later|told_and_measured|cut_to_the_end|fault_at_the_end|checks_held_at_run|checks_held_at_site|
        checks_held_by_signal|opening_held_at_run|opening_held_at_site|opening_held_by_signal MODE TRESTLE RIG_EMULATOR EQUIPMENT_PLUGIN
"""
import argparse
import glob
import os
import shutil
import signal
import sqlite3
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # nothing is left in the source tree
import judge  # noqa: E402
import laboratory  # noqa: E402

PATIENCE_S = 60.0


def until(what, condition, lab):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"{what}: run {lab.status(lab.run_folder)}, site {lab.status(lab.site_folder)}"
        time.sleep(0.02)


def arm(lab):
    until("the word to arm", lambda: any("trestle arm" in wait["what"] for wait in lab.status(lab.run_folder)["waits"]), lab)
    lab.rig.tell("mark arm")
    code, said = lab.ask("arm", lab.run_folder, "--as", "ada")
    assert code == 0, said


def begin(lab, step):
    """Runs until this step."""
    lab.start_site()
    lab.start_run()
    arm(lab)
    until(f"step {step}", lambda: (lab.status(lab.run_folder)["step"] or 0) >= step, lab)


def state(lab, of):
    return lab.status({"run": lab.run_folder, "site": lab.site_folder}[of])["state"]


def end(lab, codes):
    lab.rig.tell("status")
    until("the end", lambda: not lab.integrator.alive(), lab)
    code = lab.integrator.process.returncode
    assert code in codes, f"it ended with {code}: {lab.integrator.said()[-800:]}"


def unknown_drive(lab):
    """The rig stands 20 % off its drive and reports none; site and power are lost, the equipment is not. A person reads
    the drive off the equipment's controller, and nothing goes to it as a step."""
    begin(lab, 12)
    lab.ask("hold", lab.run_folder)
    until("HOLDING", lambda: state(lab, "run") == "HOLDING" and state(lab, "site") == "HOLDING", lab)
    time.sleep(0.5)  # the ram comes to rest
    lab.rig.tell("mark victim site site")
    lab.site.kill()
    for file in glob.glob(lab.site_folder + "/*.db"):  # as after a loss of power: it has another boot's name
        with sqlite3.connect(file) as database:
            database.execute("UPDATE meta SET value = 'before' WHERE key = 'boot'")
        database.close()
    lab.start_site()
    until("the site", lambda: state(lab, "site") in ("FAULT", "HOLDING"), lab)
    if state(lab, "site") == "FAULT":
        why = lab.status(lab.site_folder)["state_reason"]
        assert "nobody knows which drive" in why and "--drive" in why, why
        code, said = lab.ask("clear", lab.site_folder, "--as", "ada")
        assert code == 3 and "--drive" in said, (code, said)
        shown = float(lab.rig.tell("status")["drive"])
        lab.rig.tell("mark clear")
        code, said = lab.ask("clear", lab.site_folder, "--as", "ada", "--drive", f"{1e3 * shown:.9g} mm")
        assert code == 0, said
    until("HOLDING", lambda: state(lab, "run") == "HOLDING" and state(lab, "site") == "HOLDING", lab)
    lab.mark_resume()
    code, said = lab.ask("resume", lab.run_folder, "--as", "ada")
    assert code == 0, said
    end(lab, [0])


def left_unknown(lab):
    """The integrator's own process drives the rig, which reports no drive. After an emergency stop the process dies, and
    the next one asks for the drive and ends. Returns what the equipment's controller shows [mm]."""
    lab.move_in()
    lab.start_run()
    arm(lab)
    until("step 12", lambda: (lab.status(lab.run_folder)["step"] or 0) >= 12, lab)
    lab.rig.tell("estop")
    until("HOLDING", lambda: state(lab, "run") == "HOLDING", lab)
    lab.integrator.kill()
    lab.rig.tell("reset")
    time.sleep(0.5)  # the ram comes to rest
    lab.rig.tell("mark clear")
    code, said = lab.ask("clear", "lab", "--as", "ada", "--drive", "3 mm")
    assert code == 3 and "nobody asks" in said, (code, said)
    code, said = lab.ask("clear", "lab", "--as", "ada")
    assert code == 0, said
    code, said = lab.ask("resume", lab.run_folder, "--as", "ada", patience=40)
    assert code != 0 and "nobody knows which drive" in said and "trestle clear lab --drive" in said, (code, said)
    code, said = lab.ask("clear", "lab", "--as", "ada")
    assert code == 3 and "--drive" in said, (code, said)
    return 1e3 * float(lab.rig.tell("status")["drive"])


def told_later(lab):
    """Nobody is there to be told the drive. The person tells it all the same, and the next process continues from it."""
    shown = left_unknown(lab)
    for wrong, words in (("14.94", "no number with a unit"), ("70 mm", "beyond its limit"), (f"{shown + 40:.9g} mm", "from where it stands")):
        code, said = lab.ask("clear", "lab", "--as", "ada", "--drive", wrong)
        assert code == 3 and words in said, (wrong, code, said)
    code, said = lab.ask("clear", "lab", "--as", "ada", "--drive", f"{shown:.9g} mm")
    assert code == 0, said
    lab.resume_run()
    end(lab, [0])
    code, said = lab.ask("audit", lab.run_folder)
    assert code == 0 and "drive in force" in said and "ada" in said, (code, said)


def told_and_measured(lab):
    """A measurement begins from the drive that a person has told; it moves the rig, so the test asks for the drive again."""
    shown = left_unknown(lab)
    code, said = lab.ask("clear", "lab", "--as", "ada", "--drive", f"{shown:.9g} mm")
    assert code == 0, said
    folder = lab.folder + "/data/measurement"
    changes = ["start_checks={}", "characterise={control_tick: 1/128 s, duration: 7 s, lowest: 0.5 Hz, highest: 8 Hz, amplitude: 0.5 mm}"]
    lab.start_integrator("characterise", "site.yaml", "--folder", folder, "--out", lab.folder + "/found.yaml",
                         *[word for change in changes for word in ("--set", change)])
    until("the word to arm", lambda: any("trestle arm" in wait["what"] for wait in lab.status(folder)["waits"]), lab)
    lab.rig.tell("mark arm")
    code, said = lab.ask("arm", folder, "--as", "ada")
    assert code == 0, said
    end(lab, [0])
    code, said = lab.ask("audit", folder)
    assert code == 0 and "drive in force" in said, (code, said)
    code, said = lab.ask("resume", lab.run_folder, "--as", "ada", patience=40)
    assert code != 0 and "nobody knows which drive" in said, (code, said)


def cut_to_the_end(lab):
    """The network is cut from the middle of the test until after its end. The site holds; the integrator's end moves nothing."""
    begin(lab, 20)
    lab.rig.tell("mark victim network site")
    lab.network.cut = True
    until("HOLDING", lambda: state(lab, "site") == "HOLDING", lab)
    until("its end", lambda: not lab.integrator.alive() or state(lab, "run") not in ("RUNNING", ""), lab)
    held = float(lab.rig.tell("status")["drive"])
    lab.network.cut = False
    time.sleep(4.0)  # what would move it has the time to
    assert lab.integrator.alive(), lab.integrator.said()[-800:]
    standing = lab.status(lab.run_folder)
    assert standing["state"] == "HOLDING", standing
    assert "all steps are over" in standing["state_reason"], standing
    assert float(lab.rig.tell("status")["drive"]) == held
    lab.rig.tell("mark stop")
    code, said = lab.ask("stop", lab.run_folder, "--as", "ada")
    assert code == 0, said
    end(lab, [3])
    until("at home", lambda: abs(float(lab.rig.tell("status")["drive"])) < 1e-9, lab)


def fault_at_the_end(lab):
    """All steps are done and the integrator is gone. The rig meets an emergency stop on its way home, and the site's
    server is started again: its session is over there, its fault is not. Nobody calls such a test complete."""
    begin(lab, 12)
    until("STOPPING", lambda: state(lab, "site") == "STOPPING", lab)
    lab.integrator.kill()
    lab.rig.tell("estop")
    until("FAULT", lambda: state(lab, "site") == "FAULT", lab)
    until("the end of the session", lambda: not glob.glob(lab.site_folder + "/*.ring"), lab)
    lab.site.kill()
    lab.rig.tell("reset")
    lab.start_site()
    until("FAULT", lambda: state(lab, "site") == "FAULT", lab)
    code, said = lab.ask("resume", lab.run_folder, "--as", "ada", patience=40)
    assert code == 2 and "in FAULT" in said and "trestle clear lab" in said, (code, said)
    lab.rig.tell("mark clear")
    code, said = lab.ask("clear", lab.site_folder, "--as", "ada")
    assert code == 0, said
    lab.resume_run()
    end(lab, [0])


def checks_held(lab, at):
    """A person holds the rig while its start checks move it: it stands at once and stays, the run ends held, and is begun
    again by `trestle resume`."""
    lab.start_site()
    lab.start_run()
    arm(lab)
    until("a motion of the checks", lambda: abs(float(lab.rig.tell("status")["drive"])) > 1e-4, lab)
    code, said = lab.ask("hold", {"run": lab.run_folder, "site": lab.site_folder}[at], "--as", "bob")
    assert code == 0 and "was told to hold by bob" in said, (code, said)
    until("the hold", lambda: lab.rig.tell("status")["standing"] == "hold", lab)
    there = lab.rig.tell("status")["drive"]
    end(lab, [3])
    said = lab.integrator.said()
    assert "HELD" in said and "held by bob" in said and "trestle resume" in said and "nothing moved" not in said, said[-800:]
    assert lab.rig.tell("status")["drive"] == there, "it moved behind the hold"
    lab.rig.tell("mark resume")
    lab.resume_run()
    arm(lab)
    end(lab, [0])
    assert "the test begins again" in lab.integrator.said(), lab.integrator.said()[:400]


def checks_held_by_signal(lab):
    """Ctrl-C at the site while it moves its rig for the start checks: the rig stands, and the server stays."""
    lab.start_site()
    lab.start_run()
    arm(lab)
    until("a motion of the checks", lambda: abs(float(lab.rig.tell("status")["drive"])) > 1e-4, lab)
    lab.site.send(signal.SIGINT)
    until("the hold", lambda: lab.rig.tell("status")["standing"] == "hold", lab)
    there = lab.rig.tell("status")["drive"]
    end(lab, [3])
    assert lab.rig.tell("status")["drive"] == there, "it moved behind the hold"
    assert lab.site.alive() and "stays with its rig" in lab.site.said(), lab.site.said()[-800:]
    lab.rig.tell("mark resume")
    lab.resume_run()
    arm(lab)
    end(lab, [0])


def opening_held(lab, at):
    """The site has read its rig and runs, and the run, behind a slow network, has not heard of it: a hold moves nothing. The
    rig stands 3 mm from its safe position. A test that is begun again comes to its end."""
    lab.start_site()
    until("the site", lambda: state(lab, "site") != "", lab)
    lab.rig.tell("mark rig jog")
    code, said = lab.ask("rig", "jog", lab.site_folder, "--by", "3mm", "--rate", "5mm/s", "--as", "ada", patience=30)
    assert code == 0, said
    lab.network.late_s = 0.4  # longer than a busy host takes to tell that the site runs, and to hold
    lab.start_run()
    arm(lab)
    until("the site runs", lambda: state(lab, "site") == "RUNNING", lab)
    there = float(lab.rig.tell("status")["drive"])
    assert abs(there) > 2.9e-3, there
    lab.rig.tell("mark hold")
    if at == "signal":
        lab.integrator.send(signal.SIGINT)
    else:
        code, said = lab.ask("hold", {"run": lab.run_folder, "site": lab.site_folder}[at], "--as", "bob")
        assert code == 0, said
    end(lab, [3])
    until("the hold", lambda: lab.rig.tell("status")["standing"] == "hold", lab)
    assert float(lab.rig.tell("status")["drive"]) == there, "it moved behind the hold"
    assert "trestle resume" in lab.integrator.said(), lab.integrator.said()[-800:]
    lab.network.late_s = 0.0
    lab.rig.tell("mark resume")
    lab.resume_run()
    arm(lab)
    end(lab, [0])


def main():
    parser = argparse.ArgumentParser()
    for name in ("what", "mode", "program", "emulator", "plugin"):
        parser.add_argument(name)
    options = parser.parse_args()
    for name in ("program", "emulator", "plugin"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    folder = tempfile.mkdtemp(prefix="th-")
    what, _, at = options.what.partition("_held_")
    checked = what == "checks" and at != ""
    unknown = options.what not in ("cut_to_the_end", "fault_at_the_end") and at == ""
    lab = laboratory.Laboratory(options, folder, options.mode, "plugin", polarity=checked, tells=not unknown,
                                rig_settings={"static_gain": 0.6 if options.what == "told_and_measured" else 0.8} if unknown else {})
    wrong = []
    try:
        {"unknown_drive": unknown_drive, "told_later": told_later, "told_and_measured": told_and_measured, "fault_at_the_end": fault_at_the_end,
         "cut_to_the_end": cut_to_the_end, "checks_held_by_signal": checks_held_by_signal,
         "checks_held_at_run": lambda one: checks_held(one, "run"), "checks_held_at_site": lambda one: checks_held(one, "site"),
         "opening_held_at_run": lambda one: opening_held(one, "run"), "opening_held_at_site": lambda one: opening_held(one, "site"),
         "opening_held_by_signal": lambda one: opening_held(one, "signal")}[options.what](lab)
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
