#!/usr/bin/env python3
"""A person's hold at a site, whatever is lost or dies around it, is undone by no word that was given before: by the emulator's log.

    last_hold_test.py old_resume|old_stop|stop_on_record|getting_ready|answered_to_nobody MODE TRESTLE RIG_EMULATOR EQUIPMENT_PLUGIN
"""
import argparse
import os
import shutil
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # nothing is left in the source tree
import judge  # noqa: E402
import laboratory  # noqa: E402
from held_rig_test import begin, end, state, until  # noqa: E402

REASON = "a hand in the rig"


def drive(lab):
    return float(lab.rig.tell("status")["drive"])


def say(lab, *words):
    code, said = lab.ask(*words)
    assert code == 0, (words, code, said)
    return said


def hold_at_site(lab):
    say(lab, "hold", lab.site_folder, "--as", "bob", "--reason", REASON)
    until("the hold", lambda: lab.rig.tell("status")["standing"] == "hold", lab)
    lab.rig.tell("mark hold")  # from here on nothing that was said before allows a motion
    return drive(lab)


def stays(lab, there, seconds=3.0):
    """However long one waits."""
    end_at = time.monotonic() + seconds
    while time.monotonic() < end_at:
        assert drive(lab) == there, f"it moved behind the hold, from {there} to {drive(lab)}"
        time.sleep(0.05)


def go_on(lab):
    """A person who knows of the hold resumes the test."""
    until("the hold at the run", lambda: state(lab, "run") == "HOLDING", lab)
    until("the reason", lambda: REASON in lab.ask("why", lab.run_folder)[1], lab)
    lab.mark_resume()
    say(lab, "resume", lab.run_folder, "--as", "ada")
    end(lab, [0])
    said = lab.ask("audit", lab.run_folder)[1]
    assert REASON in said, said


def old_resume(lab):
    """Several copies of a resume are under way to the site when bob holds it; the way back is cut."""
    begin(lab, 12)
    say(lab, "hold", lab.run_folder, "--as", "ada")
    until("HOLDING", lambda: state(lab, "run") == "HOLDING" and state(lab, "site") == "HOLDING", lab)
    time.sleep(0.5)  # the ram comes to rest
    lab.network.to_site_waits = lab.network.from_site_waits = True
    lab.mark_resume()
    say(lab, "resume", lab.run_folder, "--as", "ada")
    time.sleep(0.4)  # it is said again and again
    there = hold_at_site(lab)
    lab.network.to_site_waits = False
    stays(lab, there, 0.5)
    lab.network.drop()
    stays(lab, there)
    go_on(lab)


def old_stop(lab):
    """Ada's stop is under way when bob holds the site: it does not ramp the rig home. Bob ends the test there."""
    begin(lab, 12)
    lab.network.to_site_waits = True
    say(lab, "stop", lab.run_folder, "--as", "ada")
    time.sleep(0.2)
    there = hold_at_site(lab)
    lab.network.to_site_waits = False
    end(lab, [3])
    stays(lab, there)
    assert REASON in lab.ask("why", lab.site_folder)[1]
    lab.rig.tell("mark stop")
    say(lab, "stop", lab.site_folder, "--as", "bob")
    until("home", lambda: abs(drive(lab)) < 1e-9, lab)


def stop_on_record(lab):
    """Ada's stop is on the record of a site that dies before its integrator hears it; bob holds the next process of the site."""
    begin(lab, 12)
    lab.integrator.kill()
    say(lab, "stop", lab.site_folder, "--as", "ada", "--reason", "a crack")
    lab.rig.tell("mark victim site site")
    lab.site.kill()
    lab.start_site()
    until("the stop that is on record", lambda: "stopped by ada" in lab.ask("why", lab.site_folder)[1], lab)
    there = hold_at_site(lab)
    lab.start_integrator("resume", lab.run_folder)
    until("the hold at the run", lambda: state(lab, "run") == "HOLDING", lab)
    stays(lab, there)
    go_on(lab)


def getting_ready(lab):
    """The site was started again for a resume that ada has given, and its rig is slow to get ready; bob holds it meanwhile,
    and the connection breaks."""
    begin(lab, 12)
    lab.rig.tell("mark victim site site")
    lab.site.kill()
    until("HOLDING", lambda: state(lab, "run") == "HOLDING", lab)
    lab.mark_resume()
    say(lab, "resume", lab.run_folder, "--as", "ada")
    lab.integrator.send(signal.SIGSTOP)
    lab.start_site()
    until("the site", lambda: state(lab, "site") != "", lab)
    time.sleep(0.5)
    lab.rig.process.send_signal(signal.SIGSTOP)
    lab.integrator.send(signal.SIGCONT)
    until("the look at the rig", lambda: state(lab, "site") == "CONNECTED", lab)
    lab.network.from_site_waits = True
    say(lab, "hold", lab.site_folder, "--as", "bob", "--reason", REASON)
    lab.network.drop()
    lab.rig.process.send_signal(signal.SIGCONT)
    lab.rig.tell("mark hold")
    stays(lab, drive(lab))
    go_on(lab)


def answered_to_nobody(lab):
    """The process that hears of the hold before it has replayed its record is killed, and so is the next one."""
    begin(lab, 12)
    lab.network.to_site_waits = lab.network.from_site_waits = True
    there = hold_at_site(lab)
    lab.integrator.kill()
    lab.network.drop()
    for _ in range(2):
        lab.start_integrator("resume", lab.run_folder)
        until("the hold at the run", lambda: state(lab, "run") == "HOLDING", lab)
        stays(lab, there, 1.0)
        lab.integrator.kill()
    lab.start_integrator("resume", lab.run_folder)
    go_on(lab)


def main():
    parser = argparse.ArgumentParser()
    for name in ("what", "mode", "program", "emulator", "plugin"):
        parser.add_argument(name)
    options = parser.parse_args()
    for name in ("program", "emulator", "plugin"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    folder = tempfile.mkdtemp(prefix="th-")
    lab = laboratory.Laboratory(options, folder, options.mode, "plugin")
    wrong = []
    try:
        {"old_resume": old_resume, "old_stop": old_stop, "stop_on_record": stop_on_record, "getting_ready": getting_ready,
         "answered_to_nobody": answered_to_nobody}[options.what](lab)
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
