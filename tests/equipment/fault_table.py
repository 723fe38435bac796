#!/usr/bin/env python3
"""What becomes of a rig whose plug-in has a driver process, by event and mode: control ticks from event to hold by the
emulator's clock, who held it, and whether the test was resumed from the same step. Judged by the emulator's log.
`ms` is the time from the strike to the hold by the host's clock, as the emulator writes it beside its own; `run` is the length
of a whole run, and much of it is waiting. Both are shown and decide nothing.

    fault_table.py --program TRESTLE --emulator RIG_EMULATOR --plugin EQUIPMENT_PLUGIN
                   [--runs N | --sample] [--seed S] [--only EVENT[/MODE] ...] [--overruns N] [--jobs N] [--quiet] [--keep]

Ends with 1 where a run is RED.

Without --quiet a hold may come later by BUSY_TICKS, and by what some events take before they come about (ASKED_FIRST): the tests
of this program run on hosts that do other work. With --quiet, on a host that does nothing else, one run plays at a time and nothing
is added: a process of ours holds within two ticks, the driver's watchdog within its 20, the equipment within its own watchdog.
Use it before a release and on a laboratory's host; a host with other work is RED.

Held by: `equipment`, its own interlock or watchdog; `driver`, where the site could not act, or the driver's log or the site's
fault says that the driver held by itself; `site`, where neither says so; `site or driver`, where the page was overwritten and
neither does.
"""
import argparse
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # nothing is left in the source tree
import judge  # noqa: E402
import laboratory  # noqa: E402
from driver_process_test import driver, reset  # noqa: E402
from held_rig_test import begin, end, state, until  # noqa: E402

PATIENCE_S = 240
MOST_BUSY_HOLDS = 5
BUSY_TICKS = 3  # what a host that plays several runs at a time adds
# Who holds the rig: a process of ours within two control ticks of the equipment's clock; ours after a watchdog or deadline
# of ours; the equipment itself, where no process of ours can act.
AT_ONCE = 2
DRIVERS_WATCHDOG = 20
DEADLINE = 2  # of a call of the plug-in: the tick itself, for the site allows no longer one
EQUIPMENT = "equipment"
SIGNAL_TICKS = 2  # from the strike to the last order of a process that is killed
SITE_CANNOT = ("site-killed", "site-stopped")
DRIVERS_OWN = ("a call of the plug-in is late", "the site was silent for", "has held it by itself")


# Ticks until the event comes about on a busy host: a command of a person, processes that end one after the other, bytes that matter.
ASKED_FIRST = {"hold-hangs": 40, "both-killed": 16, "driver-killed": 8, "driver-stopped": 8, "page-corrupted": 30}


def clear_busy(lab):
    """Where no tick may be late, a busy host costs one more hold: the person clears it, too."""
    why = lab.status(lab.site_folder)["state_reason"]
    assert "overran" in why or "has not returned" in why or "too late" in why, why
    lab.rig.tell("mark clear")
    until("the fault to be cleared", lambda: lab.ask("clear", lab.site_folder, "--as", "ada")[0] == 0, lab)


def settle(lab):
    """Until both ends hold, or the test has ended."""
    for _ in range(MOST_BUSY_HOLDS):
        until("HOLDING", lambda: not lab.integrator.alive() or state(lab, "site") == "FAULT" or
              (state(lab, "run") == "HOLDING" and state(lab, "site") == "HOLDING"), lab)
        if state(lab, "site") != "FAULT":
            return
        clear_busy(lab)


def go_on(lab):
    lab.mark_resume()
    code, said = lab.ask("resume", lab.run_folder, "--as", "ada")
    assert code == 0, said


def begin_and_reach(lab, step):
    begin(lab, 0)
    for _ in range(MOST_BUSY_HOLDS):
        until(f"step {step}", lambda: state(lab, "site") == "FAULT" or (lab.status(lab.run_folder)["step"] or 0) >= step, lab)
        if state(lab, "site") != "FAULT":
            return
        settle(lab)
        go_on(lab)


def resume(lab):
    """To the end of the test."""
    settle(lab)
    for _ in range(MOST_BUSY_HOLDS):
        if not lab.integrator.alive():
            break
        go_on(lab)
        until("the end", lambda: not lab.integrator.alive() or state(lab, "site") == "FAULT", lab)
        if lab.integrator.alive():
            settle(lab)
    end(lab, [0])


def take_up(lab, restart=False):
    """A person sees to the equipment, clears the fault and resumes the test."""
    until("FAULT", lambda: state(lab, "site") == "FAULT", lab)
    note_words(lab)
    if restart:
        lab.site.process.send_signal(signal.SIGTERM)
        until("its end", lambda: not lab.site.alive(), lab)
        lab.start_site()
        until("FAULT", lambda: state(lab, "site") == "FAULT", lab)
    if lab.rig.tell("status")["status"] != "0":
        lab.rig.tell("reset")
    lab.rig.tell("mark clear")
    until("the fault to be cleared", lambda: lab.ask("clear", lab.site_folder, "--as", "ada")[0] == 0, lab)
    resume(lab)


def site_back(lab):
    lab.start_site()
    until("the site", lambda: state(lab, "site") == "HOLDING", lab)
    resume(lab)


def held(lab):
    until("the hold", lambda: lab.rig.tell("status")["standing"] != "follow", lab)


def drivers_words(lab):
    """What the drivers of this laboratory have said until now."""
    said = ""
    for path in glob.glob(glob.escape(lab.folder) + "/data/state/trestle/drivers/*/driver.log"):
        with open(path, errors="replace") as file:
            said += file.read()
    return said


def strike(lab, what):
    lab.before, lab.words = len(drivers_words(lab)), None
    lab.rig.tell(f"mark victim {what}")


def note_words(lab):
    """What driver and site have said since the strike, at the first time that a person looks."""
    if lab.words is None:
        lab.words = drivers_words(lab)[lab.before:] + "\n" + lab.status(lab.site_folder).get("state_reason", "")


def driver_killed(lab, dice):
    killed = driver(lab)
    strike(lab, "driver")
    os.kill(killed, signal.SIGKILL)
    until("the equipment's watchdog", lambda: lab.rig.tell("status")["status"] != "0", lab)
    take_up(lab, restart=True)


def driver_stopped(lab, dice):
    stopped = driver(lab)
    strike(lab, "driver")
    os.kill(stopped, signal.SIGSTOP)
    until("FAULT", lambda: state(lab, "site") == "FAULT", lab)
    reset(lab)
    os.kill(stopped, signal.SIGCONT)
    take_up(lab)


def hangs(what):
    def case(lab, dice):
        strike(lab, what)
        lab.rig.tell("stick " + what)
        until("FAULT", lambda: state(lab, "site") == "FAULT", lab)
        held(lab)
        lab.rig.tell("release " + what)
        take_up(lab)
    return case


def hold_hangs(lab, dice):
    """A person asks for a hold, and hold() of the plug-in does not return."""
    lab.rig.tell("stick hold")
    strike(lab, "hold")
    lab.ask("hold", lab.run_folder, "--as", "ada")
    until("the equipment's watchdog", lambda: lab.rig.tell("status")["status"] != "0", lab)
    until("FAULT", lambda: state(lab, "site") == "FAULT", lab)
    lab.rig.tell("release hold")
    take_up(lab)


def leaks(lab, dice):
    strike(lab, "memory")
    lab.rig.tell("stick leak")
    until("FAULT", lambda: state(lab, "site") == "FAULT", lab)
    held(lab)
    lab.rig.tell("release leak")
    take_up(lab, restart=True)


def late(lab, dice):
    """One read takes a control tick more than the tick. Nothing is held where the laboratory allows that."""
    if lab.overruns > 0:
        lab.rig.tell("stick slow")
        return end(lab, [0])
    strike(lab, "late")
    lab.rig.tell("stick slow")
    held(lab)
    take_up(lab)


def page(lab, dice):
    """Something writes over the memory that site and driver share."""
    pid, found = driver(lab), None
    for name in os.listdir(f"/proc/{pid}/fd"):
        if "memfd:trestle-driver" in os.readlink(f"/proc/{pid}/fd/{name}"):
            found = f"/proc/{pid}/fd/{name}"
    assert found, "the driver has no page"
    with open(found, "r+b", buffering=0) as memory:
        size = os.fstat(memory.fileno()).st_size
        strike(lab, "page")
        until_ = time.monotonic() + 0.2
        while time.monotonic() < until_:
            # On a quiet host all of it at once: else ticks pass until a byte that matters.
            at, length = (64, size - 64) if lab.quiet else (dice.randrange(64, size - 64), 64)
            os.pwrite(memory.fileno(), dice.randbytes(length), at)
    until("FAULT", lambda: state(lab, "site") == "FAULT", lab)
    held(lab)
    lab.kill_drivers()
    take_up(lab, restart=True)


def site_killed(lab, dice):
    strike(lab, "site")
    lab.site.kill()
    held(lab)
    site_back(lab)


def site_stopped(lab, dice):
    strike(lab, "site")
    lab.site.process.send_signal(signal.SIGSTOP)
    held(lab)
    lab.site.process.send_signal(signal.SIGCONT)
    take_up(lab)


def site_restarted(lab, dice):
    strike(lab, "site")
    lab.site.process.send_signal(signal.SIGTERM)
    until("its end", lambda: not lab.site.alive(), lab)
    site_back(lab)


def both_killed(lab, dice):
    drivers = lab.drivers()
    strike(lab, "both")
    for each in drivers:
        os.kill(each, signal.SIGKILL)
    lab.site.kill()
    reset(lab)
    lab.start_site()
    until("the site", lambda: state(lab, "site") in ("HOLDING", "FAULT"), lab)
    if state(lab, "site") == "FAULT":
        take_up(lab)
    else:
        resume(lab)


def interlock(word):
    def case(lab, dice):
        strike(lab, word)
        lab.rig.tell(word)
        take_up(lab)
    return case


# By name: what happens, and ticks from event to hold, or EQUIPMENT, or None.
EVENTS = {
    "driver-killed": (driver_killed, EQUIPMENT),
    "driver-stopped": (driver_stopped, EQUIPMENT),
    "read-hangs": (hangs("read"), DEADLINE),
    "write-hangs": (hangs("write"), DEADLINE),
    "hold-hangs": (hold_hangs, EQUIPMENT),
    "driver-leaks": (leaks, DEADLINE),
    "one-tick-late": (late, DEADLINE),
    "page-corrupted": (page, DEADLINE),
    "site-killed": (site_killed, AT_ONCE),
    "site-stopped": (site_stopped, DRIVERS_WATCHDOG),
    "site-restarted": (site_restarted, AT_ONCE),
    "both-killed": (both_killed, EQUIPMENT),
    "pressure-lost": (interlock("supply"), EQUIPMENT),
    "emergency-stop": (interlock("estop"), EQUIPMENT),
}


def same_step(lab):
    """The record has no gap: every step once."""
    table = lab.folder + "/run.csv"
    code, said = lab.ask("export", lab.run_folder, "--csv", table, patience=60)
    assert code == 0, f"the record cannot be exported: {said}"
    with open(table) as file:
        rows = file.read().splitlines()
    steps = [line.split(",")[0] for line in rows if line[:1].isdigit()]
    # The first row is the opening measurement.
    assert len(steps) == lab.steps + 1 and len(set(steps)) == len(steps), f"{len(steps)} rows of {lab.steps} steps"


def bound_of(event, options):
    """Control ticks until the hold, at most."""
    most = EVENTS[event][1]
    bound = laboratory.WATCHDOG_S / laboratory.TICK_S if most == EQUIPMENT else most
    bound += options.overruns * (most == DEADLINE)
    if options.quiet:
        return bound + SIGNAL_TICKS * (most == EQUIPMENT)
    return bound + ASKED_FIRST.get(event, 0) + BUSY_TICKS


def holder(event, victim, words):
    if victim["by"] == "equipment" or victim["held"] is None:
        return victim["by"]
    if event in SITE_CANNOT or any(own in words for own in DRIVERS_OWN):
        return "driver"
    return "site or driver" if event == "page-corrupted" else "site"


def play(options, event, mode):
    dice = random.Random(f"{options.seed} {event} {mode} {options.number}")
    case, most = EVENTS[event]
    begun, wrong, folder = time.monotonic(), [], tempfile.mkdtemp(prefix="tf-")
    lab = laboratory.Laboratory(options, folder, mode, "plugin", isolation="process", overruns=options.overruns)
    lab.quiet, lab.words = options.quiet, ""
    try:
        begin_and_reach(lab, dice.randint(5, 14))
        time.sleep(dice.uniform(0, 0.12))
        case(lab, dice)
        same_step(lab)
    except AssertionError as trouble:
        wrong.append(str(trouble))
    except (OSError, RuntimeError, subprocess.SubprocessError) as trouble:
        wrong.append(f"the table itself: {trouble!r}")
    finally:
        lab.close()
    limits = judge.Limits(laboratory.RATE, laboratory.DISPLACEMENT, laboratory.FORCE, laboratory.TICK_S, laboratory.WATCHDOG_S)
    seen = judge.Judge(limits).read(lab.rig.log)
    wrong += seen.complaints
    victim = (seen.victims or [{"followed": False, "held": None, "by": ""}])[0]
    followed, ticks, wait_ms = victim["followed"], None, None
    by = holder(event, victim, lab.words or "")
    if victim["held"] is not None:
        # A person's command to hold is on its way first: on a quiet host it counts from the last order that was obeyed.
        since = victim["heard"] if event == "hold-hangs" else victim["at"]  # the word of a person takes its time
        ticks = int(round((victim["held"] - since) / laboratory.TICK_S))
        wait_ms = round((victim["held_host_ns"] - victim["host_ns"]) / 1e6, 1)
    if followed:
        bound = bound_of(event, options)
        if ticks is None or ticks > bound:
            wrong.append(f"hold after {ticks} control ticks; at most {bound:.0f}")
        if seen.counts["trips"] and most != EQUIPMENT:
            wrong.append("the equipment's own watchdog had to act")
    return {"event": event, "mode": mode, "number": options.number, "followed": followed, "ticks": ticks, "by": by if followed else "",
            "wait_ms": wait_ms, "run_s": round(time.monotonic() - begun, 1), "wrong": wrong, "folder": folder}


def in_a_process(options, run):
    event, mode, number = run
    words = [sys.executable, os.path.abspath(__file__), "--one", event, mode, str(number), "--seed", str(options.seed), "--overruns",
             str(options.overruns)] + ["--quiet"] * options.quiet
    for name in ("program", "emulator", "plugin"):
        words += ["--" + name, getattr(options, name)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def play_all(options, runs):
    results, under_way, left = [], [], list(runs)
    while left or under_way:
        while left and len(under_way) < options.jobs:
            run = left.pop(0)
            under_way.append((run, time.monotonic(), in_a_process(options, run)))
        time.sleep(0.05)
        for entry in list(under_way):
            run, since, process = entry
            if process.poll() is None and time.monotonic() - since < PATIENCE_S:
                continue
            under_way.remove(entry)
            if process.poll() is None:
                process.kill()
            out, err = process.communicate()
            try:
                result = json.loads(out.splitlines()[-1])
            except (ValueError, IndexError):
                result = {"event": run[0], "mode": run[1], "number": run[2], "followed": False, "ticks": None, "by": "", "wait_ms": None, "run_s": 0,
                          "wrong": ["the table itself: " + err[-600:]], "folder": ""}
            results.append(result)
            for text in result["wrong"]:
                print(f"RED {result['event']}/{result['mode']} {result['number']}: " + text.replace("\n", " / ") +
                      f"\n    see {result['folder']}", flush=True)
            if not result["wrong"] and not options.keep:
                shutil.rmtree(result["folder"], ignore_errors=True)
    return results


def three(values):
    """The least, the median and the largest."""
    values = sorted(values)
    return f"{values[0]:.0f} / {values[len(values) // 2]:.0f} / {values[-1]:.0f}" if values else "none"


def table(results):
    print(f"{'event':16}{'mode':16}{'runs':>5}{'moving':>8}{'ticks to hold':>16}{'ms to hold':>20}  {'held by':22}{'run':>8}{'RED':>5}")
    for event in EVENTS:
        for mode in laboratory.MODES:
            mine = [r for r in results if (r["event"], r["mode"]) == (event, mode)]
            if not mine:
                continue
            held_ = [r for r in mine if r["followed"] and r["ticks"] is not None]
            ticks, waits = three(r["ticks"] for r in held_), three(r["wait_ms"] for r in held_)
            by = ", ".join(sorted({r["by"] for r in held_ if r["by"]})) or "nobody"
            run = sum(r["run_s"] for r in mine) / len(mine)
            print(f"{event:16}{mode:16}{len(mine):>5}{sum(r['followed'] for r in mine):>8}{ticks:>16}{waits:>20}  {by:22}{run:>6.1f} s"
                  f"{sum(bool(r['wrong']) for r in mine):>5}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "emulator", "plugin"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--runs", type=int, default=504, help="over all events and modes")
    parser.add_argument("--sample", action="store_true", help="each event once, in a mode that the seed draws")
    parser.add_argument("--seed", default="1", help="a whole number, or `any`: one is drawn, and printed")
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--jobs", type=int, default=6, help="runs at a time; most of a run is waiting")
    parser.add_argument("--one", nargs=3)
    parser.add_argument("--overruns", type=int, default=0, help="ticks in a row that may take too long")
    parser.add_argument("--quiet", action="store_true", help="the host does nothing else: no allowance, one run at a time")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    for name in ("program", "emulator", "plugin"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    if options.one:
        options.number = int(options.one[2])
        print(json.dumps(play(options, options.one[0], options.one[1])))
        return 0
    if options.quiet:
        options.jobs = 1
    if options.seed == "any":
        options.seed = str(random.randrange(1, 10**6))
    print(f"seed {options.seed}", flush=True)
    pairs = [(event, mode) for event in EVENTS for mode in laboratory.MODES
             if not options.only or event in options.only or f"{event}/{mode}" in options.only]
    runs = [pairs[n % len(pairs)] + (n // len(pairs),) for n in range(options.runs)]
    if options.sample:
        runs = [(event, random.Random(options.seed + event).choice(list(laboratory.MODES)), 0) for event in EVENTS]
    results = play_all(options, runs)
    table(results)
    red = sum(bool(result["wrong"]) for result in results)
    print(f"{len(results)} runs, {red} RED")
    return 1 if red else 0


if __name__ == "__main__":
    sys.exit(main())
