#!/usr/bin/env python3
"""Who else would open a rig that a process drives, and what a check that writes does to one that is held: by the emulator's log.

    rig_lock_test.py beside|write none|process TRESTLE RIG_EMULATOR EQUIPMENT_PLUGIN
"""
import argparse
import os
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # nothing is left in the source tree
import judge  # noqa: E402
import laboratory  # noqa: E402
from held_rig_test import begin, end, state, until  # noqa: E402

MM = 1e-3
FAR = 1e-5  # [m] what a write of the measured position would be seen by
SLOW = ["--ticks", "100", "--settings", "rate=50"]
CHARACTERISE = "characterise={control_tick: 1/128 s, duration: 8 s, lowest: 0.5 Hz, highest: 8 Hz}"


def logged(lab, what):
    """How often the equipment's log says this."""
    with open(lab.rig.log) as file:
        return sum(what in line for line in file)


STUDY = """
study: beside
test: own.yaml
runs: 2
seed: 1
parameters:
  k: {paths: numerical.shear_building.storeys.low.stiffness, factor: {kind: normal, sd: 5 %}}
"""
GATEWAY = "gateway: beside\nmode: pseudo-dynamic\nunits: {length: 1 m, force: 1 N}\n"


def own_file(lab):
    """A test whose integrator drives the same rig itself."""
    with open(lab.folder + "/test.yaml") as file:
        test = file.read()
    lab.move_in()
    os.rename(lab.folder + "/test.yaml", lab.folder + "/own.yaml")
    lab.write("test.yaml", test)
    lab.write("study.yaml", STUDY)
    with open(lab.folder + "/own.yaml") as file:
        own = file.read()
    lab.write("gateway.yaml", GATEWAY + own[own.index("sites:"):])


def beside(lab):
    """Each verb that would open the rig of a running test is refused before it does."""
    own_file(lab)
    begin(lab, 8)
    came, driver = logged(lab, " came "), lab.drivers()
    assert came > 0, "the log says nothing of who comes"
    data = lab.folder + "/data"
    verbs = [["adapter", "check", "site.yaml", "--isolation", lab.isolation],
             ["adapter", "check", "site.yaml", "--write"],
             ["adapter", "check", lab.plugin, "--settings", f"socket={lab.folder}/rig/rig.sock"],
             ["site", "site.yaml", "--out", data + "/lab2"],
             ["characterise", "site.yaml", "--folder", data + "/measured", "--out", "found.yaml", "--set", CHARACTERISE],
             ["check", "own.yaml"],
             ["run", "own.yaml", "--out", data + "/own"],
             ["rehearse", "own.yaml", "--faults", "2", "--steps", "10"],
             ["pushover", "own.yaml", "--node", "low.x", "--to", "10 mm"],
             ["compare", "own.yaml"],
             ["campaign", "study.yaml", "--out", data + "/campaign"],
             ["gateway", "openfresco", "--listen", "127.0.0.1:0", "--transport", "tcp", "--site", "gateway.yaml"]]
    for verb in verbs:
        code, said = lab.ask(*verb, patience=30)
        assert code == 2 and f"is driven already: by process {lab.site.process.pid} " in said, (verb, code, said)
        assert "end that one first" in said, said
        assert logged(lab, " came ") == came, f"{verb} opened the rig: {said}"
    # From another state folder, too.
    here = lab.environment
    lab.environment = dict(here, XDG_STATE_HOME=data + "/other", TRESTLE_STATE=data + "/other")
    code, said = lab.ask("site", "site.yaml", "--out", data + "/lab3", patience=30)
    lab.environment = here
    assert code == 2 and f"is driven already: by process {lab.site.process.pid} " in said, (code, said)
    assert logged(lab, " came ") == came and lab.drivers() == driver, (lab.drivers(), driver)
    end(lab, [0])
    assert logged(lab, " came ") == came, "somebody came to the rig"


def checked(lab, code_if_quick, *more):
    """A busy host may be slow: that is not asked for here."""
    code, said = lab.ask("adapter", "check", "site.yaml", "--write", "--isolation", lab.isolation, *SLOW, *more, patience=120)
    broken = [line for line in said.splitlines() if " BROKEN " in line]
    assert all("less than a tick" in line for line in broken) and code == (3 if broken else code_if_quick), (code, said)
    return said


def write(lab):
    """The rig is held 20 % off its drive; a check that writes leaves it where it stands."""
    begin(lab, 12)
    lab.ask("hold", lab.run_folder)
    until("HOLDING", lambda: state(lab, "run") == "HOLDING" and state(lab, "site") == "HOLDING", lab)
    time.sleep(0.5)  # the ram comes to rest
    lab.rig.tell("mark victim both")
    lab.site.kill()
    lab.integrator.kill()
    if lab.isolation == "process":  # its driver has outlived the site, and holds the rig
        came = logged(lab, " came ")
        code, said = lab.ask("adapter", "check", "site.yaml", "--write", "--isolation", lab.isolation, *SLOW, patience=120)
        assert code == 2 and "a driver process holds the rig" in said, (code, said)
        assert logged(lab, " came ") == came and lab.drivers(), "the rig was opened beside its driver"
    lab.kill_drivers()
    before = lab.rig.tell("status")
    assert abs(float(before["x"]) - float(before["drive"])) > FAR, f"it stands on its drive: {before}"
    follows = logged(lab, "cmd=follow")
    said = checked(lab, 2, "--settings", "tells_drive=0")
    assert "NOT RUN" in said and "the equipment reports no drive in force" in said, said
    assert logged(lab, "cmd=follow") == follows, "it writes, although nobody knows the drive in force"
    said = checked(lab, 0)
    assert "NOT RUN" not in said, said
    assert logged(lab, "cmd=follow") >= follows + 50, "it did not write"
    after = lab.rig.tell("status")
    assert after["drive"] == before["drive"] and after["standing"] != "follow", (before, after)
    assert abs(float(after["x"]) - float(before["x"])) < 0.1 * MM, (before, after)


def main():
    parser = argparse.ArgumentParser()
    for name in ("what", "isolation", "program", "emulator", "plugin"):
        parser.add_argument(name)
    options = parser.parse_args()
    for name in ("program", "emulator", "plugin"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    folder = tempfile.mkdtemp(prefix="tl-")
    lab = laboratory.Laboratory(options, folder, "pseudo-dynamic", "plugin", isolation=options.isolation,
                                rig_settings={"static_gain": 0.8} if options.what == "write" else {})
    lab.plugin = options.plugin
    wrong = []
    try:
        {"beside": beside, "write": write}[options.what](lab)
    except AssertionError as error:
        wrong.append(str(error))
    finally:
        lab.close()
    wrong += lab.crashes
    limits = judge.Limits(laboratory.RATE, laboratory.DISPLACEMENT, laboratory.FORCE, laboratory.TICK_S, laboratory.WATCHDOG_S)
    wrong += judge.Judge(limits).read(lab.rig.log).complaints
    for text in wrong:
        print(text)
    if not wrong:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
