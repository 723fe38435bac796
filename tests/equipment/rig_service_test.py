#!/usr/bin/env python3
"""What a person commands at a rig between two tests, by the emulator's log: no jump, no faster than the person said, and
no motion once the person is silent.

    rig_service_test.py day|silence|fault|hang|gone|held|aside plugin|udp none|process TRESTLE RIG_EMULATOR EQUIPMENT_PLUGIN
"""
import argparse
import json
import os
import shutil
import signal
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing is left in the source tree
import judge  # noqa: E402
import laboratory  # noqa: E402
from held_rig_test import begin, end, state, until  # noqa: E402

SILENCE_S = 1.0  # of the person, until the site holds
WORD_S = 0.5     # between two words
RELEASED_S = 0.7  # from the last repetition of a key until it counts as released
MOST_TICKS = 2   # from the end of the silence to the hold
BUSY_TICKS = 4   # what a busy host adds
MM = 1e-3
# 0.4 mm at 1 Hz: at most 0.4 (2 pi + 15/8) = 3.3 mm/s.
EXERCISE = ("exercise", "--amplitude", "0.4mm", "--frequency", "1Hz", "--force", "5kN")


def open_site(lab):
    lab.start_site()
    until("the site", lambda: lab.status(lab.site_folder)["state"] != "", lab)


def drive(lab):
    return float(lab.rig.tell("status")["drive"])


def rig(lab, *words, patience=60):
    """A command of ada, to its end."""
    lab.rig.tell("mark rig " + " ".join(words[:1]))
    code, said = lab.ask("rig", words[0], lab.site_folder, *words[1:], *(["--as", "ada"] if words[0] != "status" else []),
                         patience=patience)
    return code, said


def report(said):
    return json.loads(said.splitlines()[-1])["rig_command"]


def reading(said, channel):
    return next(each for each in report(said)["readings"] if each["channel"] == channel)


def actuator(lab):
    """The name of the one actuator: the plug-in names it, over UDP it has its number."""
    return "ram1" if lab.wire == "plugin" else "1"


def near(value, wanted, within, what):
    assert abs(value - wanted) <= within, f"{what}: {value}, not {wanted}"


def day(lab):
    """Zero, jog, home, a test that begins from there with another process of the site, and its record; then the pressure
    is released."""
    open_site(lab)
    code, said = rig(lab, "zero", "--json")
    assert code == 0 and " by ada" in report(said)["zero"], (code, said)
    code, said = rig(lab, "status", "--json")
    assert code == 0, said
    position = reading(said, f"{actuator(lab)}.displacement")
    assert position["deviation"] >= 0 and abs(position["drift"]) < 0.2 * MM, position
    code, said = rig(lab, "tare")
    assert code == 0 and f"subtracted from now on: {actuator(lab)}.force" in said, (code, said)
    code, said = rig(lab, "status", "--json")
    assert code == 0 and "by ada" in reading(said, f"{actuator(lab)}.force")["tared"], (code, said)
    code, said = rig(lab, "exercise", "--amplitude", "0.5mm", "--frequency", "1Hz", "--force", "5kN", "--json")
    assert code in (0, 3) and report(said)["done"], (code, said)
    assert report(said)["exercise"][0]["gain"] > 0.5, said
    near(drive(lab), 0.0, 1e-9, "drive after the exercise")
    code, said = rig(lab, "jog", "--by", "61mm", "--rate", "5mm/s")
    assert code == 3 and "beyond its limit 60 mm" in said, (code, said)
    code, said = rig(lab, "jog", "--by", "10mm", "--rate", "90mm/s")
    assert code == 3 and "half of its limit" in said, (code, said)
    code, said = rig(lab, "jog", "--by", "6mm", "--rate", "5mm/s")
    assert code == 0 and "moved as commanded" in said, (code, said)
    near(drive(lab), 6 * MM, 1e-9, "drive after the jog")
    code, said = rig(lab, "status", "--json")
    near(reading(said, f"{actuator(lab)}.displacement")["drift"], 6 * MM, 2 * MM, "drift after the jog")
    code, said = rig(lab, "home", "--rate", "5mm/s", "--force", "5kN")
    assert code == 0, (code, said)
    near(drive(lab), 0.0, 1e-9, "drive at home")
    begin(lab, 12)
    code, said = lab.ask("rig", "jog", lab.site_folder, "--by", "1mm", "--rate", "5mm/s", "--as", "ada")
    assert code == 3 and "between two tests only" in said, (code, said)
    end(lab, [0])
    code, said = lab.ask("audit", lab.site_folder)
    assert code == 0 and "ada" in said, said
    for act in (f"zero readings: {actuator(lab)}.displacement", f"tare of {actuator(lab)}.force: subtracted",
                "exercise of all actuators by 0.5 mm", f"jog of actuator {actuator(lab)} by 6 mm at 5 mm/s",
                "return home of all actuators"):
        assert act in said, f"the audit has no `{act}`: {said}"
    until("the end of the record", lambda: state(lab, "site") == "CONFIGURED", lab)
    code, said = rig(lab, "release", "--yes")
    assert code == 0, (code, said)


def silence(lab):
    """The command is killed on the way; the site holds by itself. A person's Ctrl-C ends the motion at once."""
    open_site(lab)
    for number, ends in ((signal.SIGKILL, SILENCE_S), (signal.SIGSTOP, SILENCE_S), (signal.SIGINT, WORD_S),
                         (signal.SIGTERM, WORD_S), (signal.SIGHUP, WORD_S)):
        there = drive(lab)
        lab.rig.tell("mark rig jog")
        jog = lab.node(["rig", "jog", lab.site_folder, "--by", "20mm", "--rate", "4mm/s", "--as", "ada"], f"jog-{number}")
        until("the motion", lambda: abs(drive(lab) - there) > 2 * MM, lab)
        lab.rig.tell(f"mark victim person {ends}")
        jog.process.send_signal(number)
        until("the hold", lambda: lab.rig.tell("status")["standing"] == "hold", lab)
        if ends == WORD_S:
            until("its end", lambda: not jog.alive(), lab)
            assert jog.process.returncode == 3 and "stopped by ada" in jog.said(), jog.said()
        jog.close()
        assert state(lab, "site") != "FAULT"
        code, said = rig(lab, "home", "--rate", "10mm/s", "--force", "5kN")
        assert code == 0, (code, said)


def fault(lab):
    """An emergency stop on the way: FAULT, latched, with the person's command in its sentence."""
    open_site(lab)
    lab.rig.tell("mark rig jog")
    jog = lab.node(["rig", "jog", lab.site_folder, "--by", "20mm", "--rate", "4mm/s", "--as", "ada"], "jog")
    until("the motion", lambda: abs(drive(lab)) > 2 * MM, lab)
    lab.rig.tell("estop")
    until("its end", lambda: not jog.alive(), lab)
    assert jog.process.returncode == 3 and "emergency stop" in jog.said() and f"jog of actuator {actuator(lab)}" in jog.said(), jog.said()
    jog.close()
    assert state(lab, "site") == "FAULT"
    code, said = rig(lab, "home", "--rate", "5mm/s", "--force", "5kN")
    assert code == 3 and "FAULT" in said, (code, said)
    lab.site.kill()
    open_site(lab)
    assert state(lab, "site") == "FAULT", "the fault does not outlive the process"
    lab.rig.tell("reset")
    lab.rig.tell("mark clear")
    code, said = lab.ask("clear", lab.site_folder, "--as", "ada")
    assert code == 0, said
    code, said = rig(lab, "home", "--rate", "5mm/s", "--force", "5kN")
    assert code == 0, (code, said)
    near(drive(lab), 0.0, 1e-9, "drive at home")


def hang(lab):
    """A write of the driver does not return: another thread holds the rig, and the late write moves nothing."""
    open_site(lab)
    lab.rig.tell("mark rig jog")
    jog = lab.node(["rig", "jog", lab.site_folder, "--by", "20mm", "--rate", "4mm/s", "--as", "ada"], "jog")
    until("the motion", lambda: abs(drive(lab)) > 2 * MM, lab)
    lab.rig.tell("stick write")
    until("the hold", lambda: lab.rig.tell("status")["standing"] == "hold", lab)
    until("FAULT", lambda: state(lab, "site") == "FAULT", lab)
    until("its end", lambda: not jog.alive(), lab)
    words = "has not returned from write()" if lab.isolation == "process" else "did not come back"
    assert jog.process.returncode == 3 and words in jog.said(), jog.said()
    jog.close()
    held = drive(lab)
    if lab.isolation == "none":  # the site waits for its own thread; a driver that hangs is replaced by another one
        code, said = lab.ask("clear", lab.site_folder, "--as", "ada")
        assert code == 3, (code, said)
        lab.rig.tell("release write")
    lab.rig.tell("mark clear")
    until("the fault to be cleared", lambda: lab.ask("clear", lab.site_folder, "--as", "ada")[0] == 0, lab)
    lab.rig.tell("release write")
    assert drive(lab) == held, "the late write moved the rig"
    code, said = rig(lab, "home", "--rate", "4mm/s", "--force", "5kN")
    assert code == 0, (code, said)


def gone(lab):
    """The person's command is killed while the rig gets ready: nothing moves when it is."""
    open_site(lab)
    code, said = rig(lab, "status")
    assert code == 0, (code, said)
    for words in (("jog", "--by", "20mm", "--rate", "4mm/s"), EXERCISE):
        lab.rig.tell("mute on")
        person = lab.node(["rig", words[0], lab.site_folder, *words[1:], "--as", "ada"], words[0])
        until("the command", lambda: command(lab)["action"] == words[0] and command(lab)["state"] == "gets ready", lab)
        person.close()
        lab.rig.tell("mute off")
        until("its end", lambda: command(lab)["state"] == "over", lab)
        assert not command(lab)["done"], command(lab)
        assert drive(lab) == 0.0, f"the rig moved to {drive(lab)} for nobody"
    # A person who gives a tare up has none.
    lab.rig.tell("mute on")
    person = lab.node(["rig", "tare", lab.site_folder, "--as", "ada"], "tare")
    until("the command", lambda: command(lab)["action"] == "tare" and command(lab)["state"] == "gets ready", lab)
    person.process.send_signal(signal.SIGINT)
    until("its end", lambda: not person.alive(), lab)
    assert person.process.returncode == 3, person.said()
    person.close()
    lab.rig.tell("mute off")
    until("its end", lambda: command(lab)["state"] == "over", lab)
    code, said = rig(lab, "status", "--json")
    assert code == 0 and not any(each["tared"] for each in report(said)["readings"]), (code, said)


def held(lab):
    """A key is held at a terminal: before, nothing moves, and after it the rig holds."""
    open_site(lab)
    lab.terminals = True
    for words, way in ((("jog", "--by", "20mm", "--rate", "4mm/s"), 2 * MM), (EXERCISE, 0.1 * MM)):
        lab.rig.tell(f"mark rig {words[0]}")
        there = drive(lab)
        before = command(lab)["action"]
        person = lab.node(["rig", words[0], lab.site_folder, *words[1:], "--while-held", "--as", "ada"], words[0])
        until("its words", lambda: "hold a key down" in person.said(), lab)
        assert command(lab)["action"] == before, "it was commanded before a key was held"

        def press():
            os.write(person.reader, b" ")
            return abs(drive(lab) - there) > way
        until("the motion", press, lab)
        lab.rig.tell(f"mark victim person {RELEASED_S + WORD_S}")
        until("the hold", lambda: lab.rig.tell("status")["standing"] == "hold", lab)
        until("its end", lambda: not person.alive(), lab)
        assert person.process.returncode == 3 and "stopped by ada" in person.said(), person.said()
        person.close()


def aside(lab):
    """A test is cut off and its integrator is lost. The rig stays for it until a person sets it aside, which moves nothing;
    then it may be jogged, and the integrator that comes back after all ends its record."""
    begin(lab, 12)
    lab.integrator.kill()
    until("HOLDING", lambda: state(lab, "site") == "HOLDING", lab)
    until("the hold", lambda: lab.rig.tell("status")["standing"] == "hold", lab)
    lab.site.kill()
    lost = lab.folder + "/lost"
    os.rename(lab.run_folder, lost)
    open_site(lab)
    there = drive(lab)
    assert there != 0.0, "the rig is at home: what is moved there is not seen"
    for words in (("jog", "--by", "2mm", "--rate", "4mm/s"), ("home", "--rate", "4mm/s", "--force", "5kN")):
        code, said = lab.ask("rig", words[0], lab.site_folder, *words[1:], "--as", "ada")
        assert code == 3 and "was cut off at step" in said and "set-aside" in said, (code, said)
    code, said = lab.ask("rig", "set-aside", lab.site_folder, "--as", "ada")
    assert code == 2, (code, said)  # nobody can be asked
    followed = follows(lab.rig.log)
    code, said = lab.ask("rig", "set-aside", lab.site_folder, "--as", "ada", "--yes")
    assert code == 0 and "cannot be resumed any longer" in said, (code, said)
    assert drive(lab) == there, "to set a test aside moved the rig"
    lab.start_integrator("resume", lost)
    until("its end", lambda: not lab.integrator.alive(), lab)
    said = lab.integrator.said()
    assert lab.integrator.process.returncode != 0 and "and is over" in said, said[-800:]
    assert drive(lab) == there and follows(lab.rig.log) == followed, "the integrator that came back moved the rig"
    code, said = rig(lab, "jog", "--by", "2mm", "--rate", "4mm/s")
    assert code == 0, (code, said)
    near(drive(lab), there + 2 * MM, 1e-9, "drive after the jog")
    code, said = rig(lab, "home", "--rate", "4mm/s", "--force", "5kN")
    assert code == 0, (code, said)
    code, said = lab.ask("audit", lab.site_folder)
    assert code == 0 and "stopped" in said and "ada" in said, said


def follows(log):
    """Orders to follow a drive that came so far."""
    return sum(word == "order" and values["cmd"] == "follow" for _, word, values, _ in judge.lines_of(log))


def command(lab):
    return lab.status(lab.site_folder).get("rig_command", {"state": "", "action": ""})


def speeds(log):
    """The fastest order of each command between two tests [m/s], by the equipment's clock and the number of orders."""
    fastest, now, counted = [], None, 0
    for _, word, values, words in judge.lines_of(log):
        if word == "mark":
            now = words[1] if words[0] == "rig" else None
            if now:
                fastest.append((now, 0.0))
        elif word == "order":
            sequence = int(values["seq"])
            gap, counted = max(1, sequence - counted), sequence
            if now and values["cmd"] == "follow" and values["taken"] != "no":
                way = max(abs(a - b) for a, b in zip(judge.numbers(values["drive"]), judge.numbers(values["before"])))
                fastest[-1] = (now, max(fastest[-1][1], way / (gap * laboratory.TICK_S)))
    return fastest


def main():
    parser = argparse.ArgumentParser()
    for name in ("what", "wire", "isolation", "program", "emulator", "plugin"):
        parser.add_argument(name)
    options = parser.parse_args()
    for name in ("program", "emulator", "plugin"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    folder = tempfile.mkdtemp(prefix="tr-")
    lab = laboratory.Laboratory(options, folder, "pseudo-dynamic", options.wire, isolation=options.isolation)
    wrong = []
    try:
        {"day": day, "silence": silence, "fault": fault, "hang": hang, "gone": gone, "held": held,
         "aside": aside}[options.what](lab)
    except AssertionError as error:
        wrong.append(str(error))
    finally:
        lab.close()
    limits = judge.Limits(laboratory.RATE, laboratory.DISPLACEMENT, laboratory.FORCE, laboratory.TICK_S, laboratory.WATCHDOG_S)
    judged = judge.Judge(limits).read(lab.rig.log)
    wrong += judged.complaints
    said = {"day": 5 * MM, "silence": 10 * MM, "fault": 5 * MM, "hang": 4 * MM, "gone": 0.0, "held": 4 * MM, "aside": 4 * MM}[options.what]
    for what, rate in speeds(lab.rig.log):
        if rate > said * (1 + 1e-6):
            wrong.append(f"a {what} at {1e3 * rate:.2f} mm/s; the person said at most {1e3 * said} mm/s")
    for victim, (followed, moved, at_hold, _) in zip(judged.victims, judged.ticks()):
        most = int(float(victim["what"].split()[-1]) / laboratory.TICK_S) + MOST_TICKS + BUSY_TICKS
        if not followed or at_hold is None or at_hold > most or moved > most:
            wrong.append(f"silence of the {victim['what']} s: last motion after {moved} ticks, hold after {at_hold}; {most} may be")
    for text in wrong:
        print(text)
    if not wrong:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
