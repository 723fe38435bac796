#!/usr/bin/env python3
"""One laboratory runs its real rig while twins stand for two others: by the emulators' logs, the laboratories of the twins
receive nothing, neither over the bus nor from an adapter of the integrator's process.

    twin_test.py TRESTLE RIG_EMULATOR EQUIPMENT_PLUGIN [--connected]
"""
import argparse
import os
import shutil
import socket
import sys
import tempfile
import threading

sys.dont_write_bytecode = True  # nothing is left in the source tree
import judge  # noqa: E402
import laboratory  # noqa: E402
from held_rig_test import begin, end, until  # noqa: E402
from rig import Rig  # noqa: E402

TWINS = """  far:
    address: "tcp://127.0.0.1:FAR"
    interface: [mid.x]
    control_tick: 1/128 s
    rig: {specimen: {kind: linear, stiffness: [[40000]]}}
    TWIN
  near:
    interface: [top.x]
    control_tick: 1/128 s
    rig: {specimen: {kind: linear, stiffness: [[40000]]}}
    limits: {interface: {x: 60 mm}, actuators: [{displacement: 60 mm, rate: 150 mm/s, force: 6 kN}]}
    control_thread: {most_overruns: 1000000}
    adapter: {kind: plugin, file: FILE, late_ticks: 20, overruns: 1000000, isolation: none, settings: {socket: SOCKET, rate: 1000, tells_drive: 1}}
    TWIN
"""
STOREYS = "{low: {mass: 10 t, stiffness: 80 kN/m}, mid: {mass: 10 t, stiffness: 80 kN/m}, top: {mass: 10 t, stiffness: 80 kN/m}}"


class Callers:
    """The address of a laboratory whose site would listen there: counts who calls."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port, self.calls = self.listener.getsockname()[1], 0
        threading.Thread(target=self.count, daemon=True).start()

    def count(self):
        while True:
            try:
                self.listener.accept()[0].close()
            except OSError:
                return
            self.calls += 1


def with_twins(lab, port, socket_path, options):
    with open(lab.folder + "/test.yaml") as file:
        test = file.read()
    test = test.replace("{low: {mass: 10 t, stiffness: 80 kN/m}}", STOREYS)
    twins = TWINS.replace("FAR", str(port)).replace("FILE", options.plugin).replace("SOCKET", socket_path)
    lab.write("test.yaml", test + twins.replace("TWIN", "" if options.connected else "twin: true"))


def one_real_rig(lab, callers):
    """The common test but for two laboratories; each of its words says so."""
    begin(lab, 12)
    sentence = "TWIN: site {} is simulated by its twin; its laboratory is not connected"
    code, said = lab.ask("status", lab.run_folder)
    for site in ("far", "near"):
        assert code == 0 and sentence.format(site) in said, said
    assert "TWIN: site lab" not in said, said
    end(lab, [0])
    assert callers.calls == 0, f"{callers.calls} calls to the address of a laboratory that takes no part"
    code, said = lab.ask("report", lab.run_folder)
    assert code == 0, said
    with open(lab.run_folder + "/report.html") as file:
        report = file.read()
    assert all(sentence.format(site) in report for site in ("far", "near")), "the report does not name the twins"


def frames(log):
    """What came to an emulator: connections and orders."""
    return [words for _, word, _, words in judge.lines_of(log) if word in ("came", "order", "overtaken")]


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "emulator", "plugin"):
        parser.add_argument(name)
    parser.add_argument("--connected", action="store_true", help="without `twin`: the test must fail")
    options = parser.parse_args()
    for name in ("program", "emulator", "plugin"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    folder = tempfile.mkdtemp(prefix="tt-")
    idle = Rig(options.emulator, folder + "/near", watchdog=laboratory.WATCHDOG_S)
    callers = Callers()
    lab = laboratory.Laboratory(options, folder, "pseudo-dynamic", "plugin", isolation="process")
    wrong = []
    try:
        with_twins(lab, callers.port, folder + "/near/rig.sock", options)
        one_real_rig(lab, callers)
    except AssertionError as error:
        wrong.append(str(error))
    finally:
        lab.close()
        idle.close()
        callers.listener.close()
    limits = judge.Limits(laboratory.RATE, laboratory.DISPLACEMENT, laboratory.FORCE, laboratory.TICK_S, laboratory.WATCHDOG_S)
    judged = judge.Judge(limits).read(lab.rig.log)
    wrong += judged.complaints
    if judged.counts["follows"] < lab.steps:
        wrong.append(f"the real rig followed {judged.counts['follows']} orders in {lab.steps} steps")
    if came := frames(idle.log):
        wrong.append(f"the rig of a laboratory that takes no part received {len(came)} frames, the first: {came[0]}")
    for text in wrong:
        print(text)
    if not wrong:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
