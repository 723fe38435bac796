#!/usr/bin/env python3
"""Kills what takes part in a test of real equipment, at every moment of it, and looks at the equipment.

    kill_matrix.py --program trestle --emulator rig_emulator --plugin equipment_plugin.so --power-cut power_cut.so
                   [--seed S] [--sample N | --all | --cells MODE/VICTIM/PHASE ...] [--jobs N] [--keep]

A cell is a mode, a victim and a phase of the test; the seed decides what the equipment is like, and the compensator of the site.
It is good where the judge (judge.py), who reads the emulator's log alone, has nothing to complain of, no process ended by a
signal that the matrix had not sent, and the test then

    resumed   went on from the same step, to its end, in a record without gaps
    anew      was begun anew, and nothing had been read from the equipment before
    stopped   was stopped, as a person had asked for
    rested    was over, and the site serves the next one; its record is whole
    told      said in one sentence what a person must do, where going on is not possible (see TOLD); one that says nothing
              of the kind is RED (see TO_DO)

However it ended, its record is read: no step is missing in it or twice, up to where the test ended.

Who minds the test does what a person would: starts what died, `clear`, `arm`, `resume`. Cells that cannot be are listed with
the reason, and so are those in which something is known to be wrong (OPEN). Ends with 1 where a cell is not good.

Ticks to a hold are counted by the equipment's clock. Wall times judge nothing that the product did; but what has not come within
25 s (a state) or 60 s (the end) is taken for hung, and such a cell is RED.

`--seed commit` takes the number of the commit in this source tree, and prints it.
"""
import argparse
import csv
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # nothing is left in the source tree
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "power_cut"))
import judge  # noqa: E402
import laboratory  # noqa: E402
from laboratory import Laboratory  # noqa: E402
from power_cut import PowerCut  # noqa: E402

SIGNALS = {"hang-up": signal.SIGHUP, "ctrl-c": signal.SIGINT, "ctrl-z": signal.SIGTSTP, "ctrl-\\": signal.SIGQUIT,
           "terminate": signal.SIGTERM}
MODES = laboratory.MODES
VICTIMS = ["integrator", "site", "stuck-read", "stuck-write", "network", "wire"] + list(SIGNALS) + ["full-stderr", "power"]
PHASES = ["hello", "checks", "opening", "running", "holding", "fault", "clearing", "resuming", "stopping", "after", "between"]
QUIET = ("hello", "holding", "fault", "clearing", "after", "between")  # nobody writes to the equipment
BEFORE_MOTION = ("hello", "checks")
PATIENCE_S = 60.0
STUCK_TICKS = 384  # control ticks by the equipment's clock: 3 s, where the host does not starve the emulator
ASKED_S = 1.0
HUNG_S = 25.0
MOST_RESUMES = 8
SIGNAL_S = 0.05  # until a site that a signal ends or holds has held
# The loop of the emulated ram lags by 25 ms (servo_gain 40 1/s). Rates of the target belong to a clock that runs on, so the
# pseudo-dynamic mode has none.
COMPENSATORS = ["none", "{kind: ats, expected_delay: 25 ms}", "{kind: inverse, delay: 60 ms}"]
CUT_S = 2.5
WIRE_S = 1.0

# What leaves nobody at a loss: the `next` of a summary, what to type, or what to see to.
TO_DO = re.compile(r"(^| / )next +\S|\btrestle (resume|run|clear|arm|stop|rig)\b|\brun the test again\b|\bstop it\b|"
                   r"\bend that one first\b|\bsee to \S", re.IGNORECASE)
HINT = " " * 11  # before the second line of a summary's `next`
PROGRESS = re.compile(r"(\x1b\[\w+)?[A-Z]{4,}\b")  # what it did or awaited before, such as the word to arm
# A loss of power may leave a journal that nobody can read.
UNREADABLE = "nobody can tell whether a rig has moved"

# Where going on is not asked for: the test has ended, or its beginning is not there.
TOLD = {
    "stopping": "the end was asked for",
    "power": "docs/reference/bus-protocol.md: outside pseudo-dynamic mode the record of the last moments may be lost, and then no test goes on",
}


def impossible(mode, victim, phase):
    """Why there is no such cell, or None. A driver process calls the plug-in where its site asks for it, so the isolation
    makes no difference."""
    if victim == "integrator" and phase in ("after", "between"):
        return "the integrator's process has ended by itself"
    if victim == "stuck-write" and phase in QUIET:
        return "nobody writes to the equipment then; a write that gets stuck on the way out of it is `resuming`"
    if victim == "stuck-read" and phase == "hello":
        return "nobody reads the equipment before a test is agreed to"
    if victim == "stuck-read" and phase == "after":
        return "nobody reads the equipment after the end; a read that gets stuck later is `between`"
    if victim == "network" and phase == "after":
        return "no connection is left"
    return None


# What is known to be wrong and not mended: shown as `open`, with the reason. It covers the words of the driver that it
# names, never a complaint of the judge.
OPEN = {}  # (victim, phase, words): reason


def is_open(victim, phase, wrong):
    return any((victim, phase) == known[:2] and known[2] in wrong for known in OPEN)


def told_is_enough(mode, victim, phase):
    # Until the opening read is made nothing need be on a disk; after a loss of power nobody can tell then whether
    # the start checks moved the rig.
    early = phase in ("checks", "opening")
    return phase == "stopping" or (victim == "power" and (mode != "pseudo-dynamic" or early))


def compensator_of(seed, mode, victim, phase):
    """Each in a third of the cells, another one with the next seed."""
    if mode == "pseudo-dynamic":
        return COMPENSATORS[0]
    return COMPENSATORS[(seed + list(MODES).index(mode) + VICTIMS.index(victim) + PHASES.index(phase)) % len(COMPENSATORS)]


def last_words(said, by_itself):
    """Of a process: `because` and `next` of its last summary, or else, where no signal ended it, its last lines."""
    told, others, goes_on = [], [], False
    for line in said.splitlines():
        if line.startswith(("because ", "next ")):
            told.append(line.strip())
            goes_on = True
        elif goes_on and line.startswith(HINT):
            told[-1] += " " + line.strip()
        elif line.strip() and not PROGRESS.match(line):
            others.append(line.strip())
            goes_on = False
    return " / ".join((told or (others if by_itself else []))[-2:])[-1200:]


def says_what_to_do(sentence):
    """Whether a person who reads it knows what to do."""
    return TO_DO.search(sentence) is not None and ("the reason above" not in sentence or "because " in sentence)


def wrong_in(times, least, most):
    """Of the rows of a record, by their times."""
    wrong = []
    if not least <= len(times) <= most:
        wrong.append(f"{len(times)} rows of {least}" + ("" if least == most else f" to {most}"))
    if any(abs(time_ - k / 16) > 1e-9 for k, time_ in enumerate(times)):
        wrong.append("a step is missing in the record, or twice in it")
    return wrong


class Trouble(Exception):
    pass


class Cell:
    def __init__(self, options, mode, victim, phase):
        self.options, self.mode, self.victim, self.phase = options, mode, victim, phase
        self.dice = random.Random(f"{options.seed}/{mode}/{victim}/{phase}")
        self.wire = "plugin" if victim.startswith("stuck") else self.dice.choice(["plugin", "udp"])
        # The other end is no more there, or not yet asked anything.
        only_site = phase in ("after", "between")
        self.at = "site" if only_site else self.dice.choice(["site", "integrator"])
        self.folder = tempfile.mkdtemp(prefix="tk-", dir=options.place)
        self.early = False  # struck before the site listens
        self.power = None
        self.struck_at = None
        self.deliberate = phase == "stopping"
        self.asked_since = None
        self.compensator = compensator_of(options.seed, mode, victim, phase)
        self.sentence = ""
        self.sessions = []
        self.found = []  # what is wrong, and does not keep the person from going on

    # ------------------------------------------------------------ getting there
    def until(self, what, condition, patience=HUNG_S, careful=False, goes_on=True):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.004)
            # A site that heard nothing for its watchdog's time during the start checks is armed again.
            if careful and self.run()["state"] == "ARMED" and self.waits_to_be_armed():
                self.arm()
                time.sleep(0.3)
            if careful and self.site()["state"] == "FAULT":
                # Before anything was struck: the judge knows why; the test is brought on.
                self.word("clear", self.lab.site_folder)
                time.sleep(0.3)
                if goes_on and self.run()["state"] == "HOLDING":
                    self.word("resume", self.lab.run_folder)
        raise Trouble(f"hung: {what} did not come within {patience:.0f} s; {self.stand()}")

    def run(self):
        return self.lab.status(self.lab.run_folder)

    def site(self):
        return self.lab.status(self.lab.site_folder)

    def stand(self):
        run, site = self.run(), self.site()
        return (f"run {run['state'] or 'silent'} {run.get('state_reason', '')!r}, "
                f"site {site['state'] or 'silent'} {site.get('state_reason', '')!r}")

    def waits_to_be_armed(self):
        return any("trestle arm" in wait["what"] for wait in self.run()["waits"])

    def arm(self):
        self.lab.rig.tell("mark arm")
        return self.lab.ask("arm", self.lab.run_folder, *self.options.who)

    def word(self, verb, where, slowly=True):
        """A person's word; without waiting for its end where something shall happen meanwhile."""
        if verb == "resume":
            self.lab.mark_resume()
        elif verb in ("stop", "clear"):
            self.lab.rig.tell("mark " + verb)
        if slowly:
            return self.lab.ask(verb, where)
        self.background = subprocess.Popen([self.lab.program, verb, where], stdin=subprocess.DEVNULL,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                           cwd=self.folder, env=self.lab.environment)
        time.sleep(self.dice.random() * 0.08)
        return 0, ""

    def clear(self):
        """At the site. Where it asks which drive is in force, a person reads it off the equipment's controller."""
        code, said = self.word("clear", self.lab.site_folder)
        if code != 0 and "--drive" in said:
            shown = 1e3 * float(self.lab.rig.tell("status")["drive"])
            self.lab.note(f"told the drive: {shown:.6g} mm")
            code, said = self.lab.ask("clear", self.lab.site_folder, "--drive", f"{shown:.9g} mm")
        if code == 4 and "nobody knows yet" in said:
            # A busy disk. Who hears no answer looks at the status, as the sentence says, and goes on from what it shows.
            self.lab.note("the answer to clear did not come in time")
            self.until("the site's status", lambda: self.site()["state"] != "")
            return self.site()["state"] != "FAULT"
        return code == 0

    def end_background(self):
        if self.background:
            code = self.background.poll()
            if code is not None and code < 0:
                self.found.append(f"a command ended by {signal.Signals(-code).name}, which nobody sent")
            self.background.kill()
            self.background.wait()
            self.background = None

    def begin(self):
        # A controller that tells which drive is in force may settle beside it; so may one whose site dies, for what
        # nobody knows then a person tells.
        tells = self.dice.random() < 0.6
        beside = tells or self.victim in ("site", "integrator", "power")
        settings = self.dice.choice([{"static_gain": 0.8} if beside else {}, {"static_gain": 0.8} if beside else {},
                                     {"dead_band": 1e-4}, {"drift": 1e-5}, {"yield": 600.0}, {}])
        self.lab = Laboratory(self.options, self.folder, self.mode, self.wire, polarity=self.phase == "checks",
                              tells=tells, rig_settings=settings, isolation=self.options.isolation, compensator=self.compensator)
        if self.victim == "power":
            self.power = PowerCut(self.options.power_cut, self.folder + "/data", self.folder + "/shadow")
            self.lab.preload = self.power.environment()
        self.lab.terminals = self.victim == "hang-up"
        self.lab.start_site()
        self.lab.start_run()

    def reach(self):
        if self.phase == "hello":
            self.early = self.victim in SIGNALS and self.at == "site" and self.dice.random() < 0.5
            if self.early:
                self.until("the opening of the rig", self.rig_is_opened)
            else:
                self.until("the integrator", lambda: self.run()["state"] != "")
                if self.victim in SIGNALS and self.at == "site":
                    self.until("the opening of the rig", self.rig_is_opened)
            return
        self.until("the word to arm", self.waits_to_be_armed)
        self.arm()
        if self.phase == "checks":
            self.until("the start checks", lambda: any("armed" in wait["what"] for wait in self.run()["waits"]),
                       careful=True)
            time.sleep(self.dice.random() * 1.0)
            return
        self.until("RUNNING", lambda: self.site()["state"] == "RUNNING", careful=True)
        if self.phase == "opening":
            return
        if self.phase in ("after", "between"):
            self.until("COMPLETE", lambda: not self.lab.integrator.alive(), 40, careful=True)
            if self.lab.integrator.process.returncode != 0:
                raise Trouble(f"the first run ended with {self.lab.integrator.process.returncode}: {self.last_words()}")
            time.sleep(self.dice.random() * 0.6)
            return
        goal = self.dice.randint(2, self.lab.steps // 3)
        self.until(f"step {goal}", lambda: (self.run()["step"] or 0) >= goal, careful=True)
        if self.phase == "running":
            return
        if self.phase == "stopping":
            self.word("stop", self.lab.run_folder, slowly=False)
            return
        if self.phase in ("holding", "resuming"):
            self.word("hold", self.lab.run_folder)
            self.until("HOLDING", lambda: self.run()["state"] == "HOLDING" and self.site()["state"] == "HOLDING",
                       careful=True, goes_on=False)
            if self.phase == "resuming":
                self.word("resume", self.lab.run_folder, slowly=False)
            return
        self.lab.rig.tell("estop")
        self.until("FAULT", lambda: self.site()["state"] == "FAULT")
        if self.phase == "clearing":
            self.lab.rig.tell("reset")
            self.word("clear", self.lab.site_folder, slowly=False)

    def rig_is_opened(self):
        """The site has its plug-in, or the driver that has it: it may not be left without a word from now on, although the site does not
        listen yet."""
        if not self.lab.site.alive():
            raise Trouble("the site ended before it opened its rig")
        if self.options.isolation == "process":
            return bool(self.lab.drivers())
        with open(f"/proc/{self.lab.site.process.pid}/maps") as file:
            return ("equipment_plugin" if self.wire == "plugin" else "udp_target") in file.read()

    # ------------------------------------------------------------ the stroke
    def strike(self):
        lab, node = self.lab, self.lab.site if self.at == "site" else self.lab.integrator
        run = self.run()
        self.step_before, self.struck_folder = run["step"], lab.run_folder
        self.sessions.append(self.session())
        lab.rig.tell(f"mark victim {self.victim} {self.at}")
        if self.victim in ("integrator", "power"):
            self.end_background()
        if self.victim in ("integrator", "site"):
            (lab.integrator if self.victim == "integrator" else lab.site).kill()
        elif self.victim == "hang-up":
            node.hang_up()
        elif self.victim in SIGNALS:
            node.send(SIGNALS[self.victim])
            if self.victim == "ctrl-z":
                time.sleep(0.5)
                if node.alive() and state_of(node.process.pid) == "T":
                    # An integrator may be: its sites hold. The person types `fg`.
                    if self.at == "site":
                        self.found.append("Ctrl-Z suspends the site, and with it the loop of the rig (row 8)")
                    time.sleep(self.dice.choice([0.0, 2.0]))
                    node.process.send_signal(signal.SIGCONT)
        elif self.victim == "network":
            lab.network.cut = True
            time.sleep(CUT_S)
            lab.network.cut = False
        elif self.victim == "wire":  # between site and equipment
            for what in ("deaf", "mute"):
                lab.rig.tell(what + " on")
            time.sleep(WIRE_S)
            for what in ("deaf", "mute"):
                lab.rig.tell(what + " off")
        elif self.victim == "full-stderr":
            node.block()
        elif self.victim == "power":
            lab.site.kill()
            lab.integrator.kill()
            lab.kill_drivers()
            self.struck_at = time.monotonic()
            self.power.come_true(self.dice.choice([None, self.dice.randint(1, 1000)]))
        else:
            self.get_stuck()
        if self.early:  # which may be refused, and end, before it is seen
            self.until("the integrator", lambda: self.run()["state"] != "" or not self.lab.integrator.alive())
            if not node.alive() and node.process.returncode < 0:
                self.found.append(f"a signal ended the site by itself, whose rig was being opened: {node.process.returncode} (row 8)")

    def missed(self, condition, pause):
        """Waits for the condition, for STUCK_TICKS by the equipment's clock, which stands still where the host starves the
        emulator. Returns how long that was if it did not come true, or None."""
        def clock():
            return int(self.lab.rig.tell("status")["clock"])

        since, begun = clock(), time.monotonic()
        while not condition():
            ticks, wall = int((clock() - since) * 1e-9 / laboratory.TICK_S), time.monotonic() - begun
            if ticks >= STUCK_TICKS:
                return None if condition() else f"{ticks} ticks ({wall:.1f} s of wall)"
            if wall > PATIENCE_S:
                raise Trouble(f"the equipment's clock went on by {ticks} ticks in {wall:.0f} s of wall: the host starves the emulator")
            time.sleep(pause)
        return None

    def get_stuck(self):
        what = self.victim.split("-")[1]
        rig = self.lab.rig
        inside = int(rig.tell("stick " + what)["stuck"])
        if self.phase == "between":  # until the second run reads
            self.second_run()
            self.until("the word to arm", lambda: self.waits_to_be_armed() or not self.lab.integrator.alive())
            self.arm()
        missed = self.missed(lambda: int(rig.tell("status")["stuck"]) != inside, 0.005)
        if missed:
            rig.tell("release")
            self.found.append(f"nothing was struck: no {what} within {missed}; a cell in which none can be belongs into impossible()")
            return
        # FAULT at the site, told by it or by what the integrator heard of it, while the thread is stuck.
        missed = self.missed(lambda: self.site()["state"] == "FAULT" or self.refused_by_the_checks(), 0.02)
        if missed:
            self.found.append(f"{missed} after {what} got stuck the site is {self.site()['state'] or 'silent'}, "
                              "not in FAULT (row 4)")
        rig.tell("release")
        time.sleep(0.3)

    def refused_by_the_checks(self):
        """A driver process that is stuck costs its site no thread: the start checks, before anything moves, hear after some ticks that
        it does not return, and refuse the test with that sentence."""
        return (self.options.isolation == "process" and self.phase in ("checks", "between")
                and "has not returned from" in self.lab.integrator.said())

    # ------------------------------------------------------------ the person
    def session(self):
        try:
            return self.run().get("session") or json.load(open(self.lab.run_folder + "/session.json"))["session"]
        except (OSError, ValueError, KeyError):
            return ""

    def last_words(self):
        return last_words(self.lab.integrator.said(), self.lab.integrator.process.returncode >= 0)

    def site_is_back(self):
        """One that was ended takes its time to go, on a loaded host."""
        if not self.lab.site.alive():
            self.lab.start_site()
        return self.site()["state"] != ""

    def site_rests(self):
        """It has ended, or says how it holds. One that was only asked to hold has the hold before it, and the word would
        come first; an equipment that does not answer stays so, and is not waited for."""
        if not self.lab.site.alive():
            return True
        site = self.site()
        if site["state"] in ("", "RUNNING"):
            return False
        if site.get("rig") in ("moves", "asked to hold"):
            self.asked_since = self.asked_since or time.monotonic()
            return time.monotonic() - self.asked_since > ASKED_S
        return True

    def mind(self):
        """Does what a person would until the test has come to its end. Returns how it ended."""
        lab, end, tries, resumes = self.lab, time.monotonic() + PATIENCE_S, 0, 0
        if self.struck_at is not None:
            # Nobody gives a word before the equipment's own watchdog has had its say: power is not back so soon.
            time.sleep(max(0.0, self.struck_at + laboratory.WATCHDOG_S + 0.1 - time.monotonic()))
        while time.monotonic() < end:
            time.sleep(0.05)
            if int(lab.rig.tell("status")["status"]) & ~2:
                lab.rig.tell("reset")
            if not lab.site.alive():
                lab.note(f"the site ended with {lab.site.process.returncode}: {lab.site.said().strip()[-200:]}")
                tries += 1
                if tries > 4:
                    raise Trouble(f"the site ends again and again, now with {lab.site.process.returncode}; {self.stand()}")
                lab.start_site()
                self.until("the site", lambda: self.site()["state"] != "" or not lab.site.alive(), 15)
                continue
            if not lab.integrator.alive() and self.site()["state"] == "FAULT" and self.clear():
                tries = max(0, tries - 1)  # that is why it ended
            if not lab.integrator.alive():
                code = lab.integrator.process.returncode
                if code == 0:
                    return "resumed"
                if self.deliberate and code == 3:
                    return "stopped"
                if self.site()["state"] == "FAULT":  # a person corrects this before a test is begun or resumed
                    self.word("clear", lab.site_folder)
                    time.sleep(0.2)
                    continue
                self.end_background()  # a `resume` that finds nobody would take the run up itself
                words = self.last_words()
                lab.note(f"the integrator ended with {code}: {words}")
                tries += 1
                if tries > 2:
                    self.sentence = words
                    return "told"
                anew = code != -9 and (self.phase in BEFORE_MOTION or "run the test again" in words)
                if os.path.exists(lab.run_folder + "/effective.yaml") and not anew:
                    # A person is slower than the site's watchdog: the word comes after that hold, not before.
                    self.asked_since = None
                    self.until("the site's own hold", self.site_rests, 10)
                    lab.resume_run()
                elif anew or self.phase in BEFORE_MOTION or self.victim == "power":
                    # No test had begun: a person starts one.
                    lab.run_folder = f"{self.folder}/data/again-{tries}"
                    lab.start_run()
                else:
                    self.sentence = words
                    return "told"
                time.sleep(0.1)
                continue
            run, site = self.run(), self.site()
            if run["session"] if "session" in run else "":
                self.sessions.append(run["session"])
            if self.waits_to_be_armed():
                self.arm()
            elif site["state"] == "FAULT":
                if self.clear():
                    tries = max(0, tries - 1)  # an integrator that is about to end ends because of it
            elif run["state"] == "HOLDING":
                if "the test cannot go on" in run.get("state_reason", ""):
                    self.sentence = run["state_reason"]
                    self.word("stop", lab.run_folder)
                    # The rig is on its way home: a site that is ended now leaves it to the equipment's watchdog.
                    self.until("the end of the test", lambda: not lab.integrator.alive(), 30)
                    return "told"
                if self.deliberate:
                    self.word("stop", lab.run_folder)
                else:
                    resumes += 1
                    if resumes > MOST_RESUMES:
                        raise Trouble(f"resumed {MOST_RESUMES} times, and it holds again: {self.stand()}")
                    self.word("resume", lab.run_folder)
                time.sleep(0.2)
            elif run["state"] == "RUNNING" and self.deliberate and (run["step"] or 0) < lab.steps:
                self.word("stop", lab.run_folder)
                time.sleep(0.2)
        raise Trouble(f"hung: no end within {PATIENCE_S:.0f} s: {self.stand()}; {self.lab.ask('why', lab.run_folder)[1]}")

    # ------------------------------------------------------------ what must be true
    def summary(self, folder):
        try:
            with open(folder + "/summary.json") as file:
                return json.load(file)
        except (OSError, ValueError):
            return {}

    def rows_wanted(self, ended, folder):
        """The least and the most that the record may have."""
        every = self.lab.steps + 1
        if ended == "resumed":
            return every, every
        done = self.summary(folder).get("steps_done")
        if done is not None:
            return done, done
        if self.victim == "power" or folder != self.struck_folder:
            return 0, every
        return (-1 if self.step_before is None else self.step_before) + 1, every

    def look_at_the_record(self, ended, folder=None):
        folder = folder or self.lab.run_folder
        least, most = self.rows_wanted(ended, folder)
        journal = folder + "/journal.db"
        if least == 0 and not (os.path.exists(journal) and os.path.getsize(journal) > 0):
            return []  # nothing was recorded, and nothing need have been
        table = self.folder + "/record.csv"
        code, said = self.lab.ask("export", folder, "--csv", table, patience=60)
        if code != 0:
            gone = self.victim == "power" and ended == "told" and UNREADABLE in self.sentence
            return [] if gone else [f"the record cannot be exported: {said}"]
        with open(table, newline="") as file:
            times = [float(row["time_s"]) for row in csv.DictReader(line for line in file if not line.startswith("#"))]
        return wrong_in(times, least, most)

    def judge_the_end(self, ended):
        """Returns how it ended, and what is wrong with that."""
        wrong, came = [], ended
        known = {session for session in self.sessions if session}
        if ended == "told" and "this run came to its end" in self.sentence:
            # Asked once more: the test had gone on meanwhile, to its end. Its record is looked at like any other.
            stopped = self.deliberate and self.summary(self.lab.run_folder).get("result") == "stopped"
            ended = came = "stopped" if stopped else "resumed"
        if len(known) > 1 and self.phase not in ("after", "between"):
            if self.phase not in BEFORE_MOTION and self.step_before is not None:
                wrong.append(f"the test was begun anew, after step {self.step_before}")
            elif ended != "told":
                ended = "anew"
        if ended == "told":
            # In real time the model moves on without the forces that it lacks, and may leave the limits.
            beyond = self.mode == "real-time" and "above its limit" in self.sentence
            if not beyond and not told_is_enough(self.mode, self.victim, self.phase):
                wrong.append(f"the test is lost: {self.sentence}")
            if not says_what_to_do(self.sentence):
                wrong.append(f"nobody is told what to do: {self.sentence!r}")
        if ended != "rested":  # whose record was read before
            wrong += self.look_at_the_record(came)
        return ended, wrong

    def too_late(self, ticks):
        """The safe action, in ticks of the equipment's clock; twice what is promised, for the host has much else to do."""
        promised = {"site": laboratory.WATCHDOG_S, "power": laboratory.WATCHDOG_S, "stuck-write": laboratory.WATCHDOG_S, "wire": laboratory.WATCHDOG_S,
                    "stuck-read": laboratory.WATCHDOG_S, "network": laboratory.SITE_WATCHDOG_S,
                    "integrator": laboratory.SITE_WATCHDOG_S}.get(self.victim)
        if self.victim in SIGNALS and self.victim != "ctrl-z":  # which may be continued at once
            promised = SIGNAL_S if self.at == "site" else laboratory.SITE_WATCHDOG_S
        # A stop that a person requested continues by itself.
        if promised is None or not ticks or self.phase == "stopping":
            return []
        followed, _, held, until = ticks[0]
        most = int(2 * promised / laboratory.TICK_S) + 16
        if followed and (until if held is None else held) > most:
            return [f"the equipment held {'never' if held is None else f'{held} ticks'} after that; at most {most} may be"]
        return []

    def second_run(self):
        self.lab.run_folder = self.folder + "/data/second"
        if not self.lab.site.alive():
            self.lab.start_site()
        self.lab.start_run()

    def play(self):
        begun, wrong, ended, rest = time.monotonic(), [], "", []
        self.lab = self.background = None
        try:
            self.begin()
            self.reach()
            first = self.lab.run_folder
            self.strike()
            if self.phase in ("after", "between"):
                wrong += self.look_at_the_record("resumed", first)
            if self.phase == "after":
                time.sleep(0.7)
                self.until("the site", self.site_is_back, 20)
                ended = "rested"
            elif self.phase == "between":
                if not self.victim.startswith("stuck"):
                    self.second_run()
                ended = self.mind()
            else:
                ended = self.mind()
            if ended == "told":
                time.sleep(0.7)  # the equipment's own watchdog has its say before its log is read
            ended, more = self.judge_the_end(ended)
            wrong += more
        except Trouble as trouble:
            wrong.append(str(trouble))
        except (OSError, RuntimeError, subprocess.SubprocessError) as trouble:
            wrong.append(f"the matrix itself: {trouble!r}")
        finally:
            self.end_background()
            wrong += self.found
            if self.lab:
                time.sleep(0.1)
                self.lab.rig.process.poll()
                self.lab.close()
                wrong += self.lab.crashes
                limits = judge.Limits(laboratory.RATE, laboratory.DISPLACEMENT, laboratory.FORCE, laboratory.TICK_S,
                                      laboratory.WATCHDOG_S, MODES[self.mode]["reach"])
                judged = judge.Judge(limits).read(self.lab.rig.log)
                wrong += ["judge: " + complaint for complaint in judged.complaints[:5]]
                rest = judged.ticks()
                wrong += self.too_late(rest)
        known = [text for text in wrong if is_open(self.victim, self.phase, text)]
        wrong = [text for text in wrong if text not in known]
        if known and not wrong:
            ended, self.sentence = "open", known[0]
        return {"mode": self.mode, "victim": self.victim, "phase": self.phase, "wire": self.wire, "at": self.at,
                "compensator": self.compensator, "ended": ended, "wrong": wrong, "said": self.sentence, "ticks": rest,
                "wall_s": round(time.monotonic() - begun, 1), "folder": self.folder, "diary": self.lab.diary if self.lab else []}


def state_of(pid):
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rsplit(")", 1)[1].split()[0]


# ---------------------------------------------------------------- many cells
def all_cells():
    return [(mode, victim, phase) for mode in MODES for victim in VICTIMS for phase in PHASES]


def chosen(options):
    possible = [cell for cell in all_cells() if not impossible(*cell)]
    if options.cells:
        wanted = [tuple(cell.split("/")) for cell in options.cells]
        return [cell for cell in possible
                if any(all(want in ("*", part) for want, part in zip(one, cell)) for one in wanted)]
    if options.sample:
        return sample_of(possible, options.sample, options.seed)
    return possible


def sample_of(possible, count, seed):
    """Integrator and site killed in the middle of each mode; then each victim as often as the others, and as long as a phase
    is missing one of those that are."""
    dice = random.Random(seed)
    taken = [cell for cell in possible if cell[1] in ("integrator", "site") and cell[2] == "running"][:count]
    left = dice.sample(possible, len(possible))
    while len(taken) < min(count, len(possible)):
        def often(cell):
            return (sum(cell[1] == other[1] for other in taken), sum(cell[2] == other[2] for other in taken),
                    sum(cell[0] == other[0] for other in taken))
        taken.append(min((cell for cell in left if cell not in taken), key=often))
    return taken


def seed_of(text):
    if text == "any":
        return random.SystemRandom().randrange(10**6)
    if text == "commit":
        asked = subprocess.run(["git", "-C", os.path.dirname(os.path.abspath(__file__)), "rev-parse", "HEAD"], capture_output=True,
                               text=True)
        return int(asked.stdout[:5], 16) if asked.returncode == 0 else 1  # a source tree without its history
    return int(text)


def play_in_a_process(options, cell):
    words = [sys.executable, os.path.abspath(__file__), "--one", "/".join(cell), "--seed", str(options.seed), "--place", options.place,
             "--isolation", options.isolation]
    for name in ("program", "emulator", "plugin", "power_cut"):
        words += ["--" + name.replace("_", "-"), getattr(options, name)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def play_all(options, cells):
    results, under_way, left = [], [], list(cells)
    while left or under_way:
        while left and len(under_way) < options.jobs:
            cell = left.pop(0)
            under_way.append((cell, time.monotonic(), play_in_a_process(options, cell)))
        time.sleep(0.05)
        for entry in list(under_way):
            cell, since, process = entry
            if process.poll() is None and time.monotonic() - since < 240:
                continue
            under_way.remove(entry)
            if process.poll() is None:
                process.kill()
            out, err = process.communicate()
            try:
                result = json.loads(out.splitlines()[-1])
            except (ValueError, IndexError):
                result = {"mode": cell[0], "victim": cell[1], "phase": cell[2], "wire": "", "at": "", "compensator": "",
                          "ended": "", "ticks": [],
                          "wrong": ["the matrix itself: " + err[-600:]], "said": "", "wall_s": 0, "folder": "", "diary": []}
            results.append(result)
            show(result)
            if not result["wrong"] and result["folder"] and not options.keep:
                shutil.rmtree(result["folder"], ignore_errors=True)
    return results


def show(result):
    ticks = ", ".join(f"{moved} ticks until rest, " + (f"{held} until held" if held is not None else "not held")
                      for followed, moved, held, _ in result["ticks"] if followed) or "at rest"
    end = "RED " if result["wrong"] else result["ended"]
    print(f"{end:8} {result['mode']}/{result['victim']}/{result['phase']} ({result['wire']}, {result['at']}, {kind_of(result['compensator'])}; {ticks}; "
          f"{result['wall_s']} s of wall)", flush=True)
    if result["ended"] in ("told", "open") and not result["wrong"]:
        print("         said: " + result["said"])
    for wrong in result["wrong"]:
        print("         " + wrong.replace("\n", " / "), flush=True)
    if result["wrong"]:
        print(f"         see {result['folder']}" + "".join("\n         did: " + text.replace("\n", " / ") for text in result["diary"]), flush=True)


def kind_of(compensator):
    return compensator.split(",")[0].replace("{kind: ", "") if compensator not in ("", "none") else "no compensator"


def table(results):
    marks = {(r["mode"], r["victim"], r["phase"]): "RED" if r["wrong"] else r["ended"] for r in results}
    reasons = {}
    for mode in MODES:
        print(f"\n{mode}\n{'':12}" + "".join(f"{phase:>10}" for phase in PHASES))
        for victim in VICTIMS:
            row = ""
            for phase in PHASES:
                why = impossible(mode, victim, phase)
                if why:
                    reasons.setdefault(why, len(reasons) + 1)
                row += f"{marks.get((mode, victim, phase), f'({reasons[why]})' if why else '.'):>10}"
            print(f"{victim:12}{row}")
    print()
    for why, number in reasons.items():
        print(f"({number}) {why}")
    for (victim, phase, _), why in OPEN.items():
        print(f"open: {victim}/{phase}: {why}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--program", "--emulator", "--plugin", "--power-cut"):
        parser.add_argument(name, required=True)
    parser.add_argument("--seed", default=os.environ.get("KILL_MATRIX_SEED", "commit"),
                        help="a whole number; `any`: one is drawn; `commit`: that of the commit. It is printed")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--cells", nargs="+")
    parser.add_argument("--one")
    parser.add_argument("--jobs", type=int, default=6, help="cells at a time; most of a cell is waiting")
    parser.add_argument("--isolation", choices=("none", "process"), default="none", help="of the plug-in")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--place")
    options = parser.parse_args()
    # A matrix that is ended leaves no site behind, which would drive its rig for ever.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    options.seed = seed_of(options.seed)
    for name in ("program", "emulator", "plugin", "power_cut"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    help_text = subprocess.run([options.program, "arm", "--help"], capture_output=True, text=True).stdout
    options.who = ["--as", "matrix"] if "--as" in help_text else []
    if options.one:
        print(json.dumps(Cell(options, *options.one.split("/")).play()))
        return 0
    options.place = options.place or tempfile.mkdtemp(prefix="trestle-matrix-")
    print(f"seed {options.seed}", flush=True)
    begun = time.monotonic()
    results = play_all(options, chosen(options))
    table(results)
    red = [result for result in results if result["wrong"]]
    ends = {}
    for result in results:
        ends["RED" if result["wrong"] else result["ended"]] = ends.get("RED" if result["wrong"] else result["ended"], 0) + 1
    print(f"\nseed {options.seed}: {len(results)} cells, " + ", ".join(f"{count} {end}" for end, count in sorted(ends.items())) +
          f"; {time.monotonic() - begun:.0f} s of wall")
    if not red and not options.keep:
        shutil.rmtree(options.place, ignore_errors=True)
    return 1 if red else 0


if __name__ == "__main__":
    sys.exit(main())
