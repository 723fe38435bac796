#!/usr/bin/env python3
"""Reads the log of the emulator, and nothing else, and says what a person at the rig would have complained of.

    judge.py rig.log --rate M/S --displacement M --force N --tick S [--watchdog S] [--reach M]

Ends with 1 where there is a complaint. Times are the equipment's own. Marks that a test's driver leaves in the log:

    mark resume | clear                a person's word; after the first motion may follow, until the next hold
    mark rig WHAT                      a person's command between two tests: the same
    mark arm | stop                    and these let the site check its rig, hold, and begin; hold, and go home
    mark victim WHAT                   something was killed; only where it was one of ALONE nobody is left who could
                                       hold the equipment, and its own watchdog has to
    mark begin site                    a site's process was started: what it says first may be off by the noise of a
                                       transducer, for it may know no more than what it reads
"""
import argparse
import sys

SAME = 1e-9           # [m] two drives that are alike
AWARE_S = 0.25        # so long a site may go on to ask before it can know that an interlock is open
ALONE = ("site", "driver", "both", "hold", "wire", "power")
FIRST_WORD = 5e-4     # [m] between drive in force and the first one of a new connection: friction, dead band, noise
BURST = 6             # ticks that may come late and together


class Limits:
    """`reach`: the farthest that the test's path goes, with a margin [m]; None where nobody knows."""

    def __init__(self, rate, displacement, force, tick, watchdog, reach=None):
        self.rate, self.displacement, self.force, self.tick, self.watchdog = rate, displacement, force, tick, watchdog
        self.reach = reach


def lines_of(path):
    with open(path) as file:
        for line in file:
            if not line.endswith("\n"):
                break  # cut off by a kill of the emulator
            words = line.split()
            values = dict(word.split("=", 1) for word in words[3:] if "=" in word)
            values["host_ns"] = words[1]  # of the host's clock
            yield int(words[0]) * 1e-9, words[2], values, words[3:]


def numbers(text):
    return [float(number) for number in text.split(",")]


class Judge:
    def __init__(self, limits):
        self.is_ = limits
        self.complaints, self.counts = [], {"orders": 0, "follows": 0, "holds": 0, "overtaken": 0, "trips": 0}
        self.following, self.allowed, self.alone_allowed = False, 0, False
        self.sequence, self.new = {}, set()
        self.opened_at = None     # own interlock
        self.heard_at = 0.0       # last order while it follows
        self.moves = []           # (time, way of the drives, starved time) of the last ticks
        self.starved = 0.0
        self.places = {}          # of each ram: (time, x, starved) of the last states
        self.above_since = {}
        self.astray = False       # outside the range of the path; told once until it is back
        self.victims = []         # what happened after each, until the next word of a person
        self.host_ns = 0          # of the line, by the host's clock

    def complain(self, at, text):
        if len(self.complaints) < 50:
            self.complaints.append(f"at {at:.4f} s {text}")

    def read(self, path):
        last = 0.0
        for at, word, values, words in lines_of(path):
            self.host_ns = int(values["host_ns"])
            getattr(self, "on_" + word, lambda *_: None)(at, values, words)
            last = at
        self.close_window(last)
        return self

    # ------------------------------------------------------------ content of the log
    def on_starved(self, at, values, words):
        self.starved += int(values["ns"]) * 1e-9

    def on_strange(self, at, values, words):
        self.complain(at, f"a malformed order of {values['bytes']} bytes")

    def on_came(self, at, values, words):
        self.begins_anew(at)
        self.sequence["plugin"] = 0
        self.new.add("plugin")

    def on_mark(self, at, values, words):
        if words[0] in ("arm", "resume", "stop", "clear", "rig"):
            # `arm` lets it check the rig, hold, and begin; `stop` hold, and go home.
            self.allowed = {"arm": 2, "stop": 2, "clear": self.allowed}.get(words[0], 1)
            self.alone_allowed = False
            self.close_window(at)
        elif words[0] == "hold":  # nothing that an earlier word allowed is allowed behind it
            self.allowed = 0
        elif words[0] == "victim":
            self.alone_allowed = words[1] in ALONE
            self.close_window(at)
            self.victims.append({"what": " ".join(words[1:]), "at": at, "moved": at, "held": None, "open": True,
                                 "followed": self.following, "until": None, "heard": self.heard_at, "by": "",
                                 "host_ns": self.host_ns, "held_host_ns": None})
        elif words[:2] == ["begin", "site"]:
            self.new.update(("udp", "plugin"))

    def close_window(self, at):
        for victim in self.victims[-1:]:
            if victim["open"]:
                victim["open"], victim["until"] = False, at

    def on_open(self, at, values, words):
        self.opened_at = at
        self.counts["trips"] += 1
        if values["interlock"] == "watchdog" and not self.alone_allowed:
            self.complain(at, f"silence without a hold: the last order was to follow, {at - self.heard_at:.3f} s ago")
        if values["interlock"] in ("force", "stroke"):
            self.complain(at, f"the equipment's own interlock had to act: {values['interlock']}")
        self.held(at, "open")

    def begins_anew(self, at):
        """Another process, or `idle`: what followed before must have been held first."""
        if self.following and not self.alone_allowed:
            self.complain(at, f"silence without a hold: a beginning {at - self.heard_at:.3f} s after an order to follow")

    def held(self, at, word="hold"):
        if self.following:
            self.allowed = max(0, self.allowed - 1)
        self.following = False
        for victim in self.victims[-1:]:
            # `idle` says that somebody is there again, not that somebody held.
            if victim["open"] and victim["held"] is None and (word != "idle" or self.alone_allowed):
                victim["held"], victim["held_host_ns"] = at, self.host_ns
                victim["by"] = "equipment" if word == "open" else "order"

    def on_closed(self, at, values, words):
        self.opened_at = None

    def on_reset(self, at, values, words):
        self.opened_at = None
        self.new.update(("udp", "plugin"))

    def on_overtaken(self, at, values, words):
        self.counts["overtaken"] += 1

    def on_order(self, at, values, words):
        self.counts["orders"] += 1
        via, sequence = values["via"], int(values["seq"])
        gap = sequence - self.sequence.get(via, 0)
        if gap <= 0:  # it counts from the start: another process
            self.new.add(via)
        if gap <= 0 or values["cmd"] == "idle":
            self.begins_anew(at)
        gap = max(gap, 1)
        self.sequence[via] = sequence
        if values["cmd"] != "follow":
            self.counts["holds"] += values["cmd"] != "idle" and self.following
            self.held(at, values["cmd"])
            return
        self.counts["follows"] += 1
        drives, before = numbers(values["drive"]), numbers(values["before"])
        way = max(abs(a - b) for a, b in zip(drives, before))
        if not all(abs(drive) <= self.is_.displacement * (1 + 1e-9) for drive in drives):
            self.complain(at, f"an order beyond the limit: {drives} m, limit {self.is_.displacement}")
        if values["taken"] == "no":
            if self.opened_at is not None and at - self.opened_at > AWARE_S and way > SAME:
                self.complain(at, f"an order {at - self.opened_at:.3f} s after the equipment's own hold: {drives} m")
            return
        if not self.allowed and way > SAME:
            self.complain(at, f"an order after a hold, without a person's word: {before} to {drives} m")
        bound = self.is_.rate * self.is_.tick * gap * (1 + 1e-6) + SAME
        first = via in self.new
        if first:
            bound = max(bound, FIRST_WORD)
            self.new.discard(via)
        self.watch_reach(at, drives, before)
        if way > bound:
            self.complain(at, f"a jump: {before} to {drives} m in {gap} order(s)"
                              f"{', the first one after a start or a reset' if first else ''}; {1e3 * bound:.3f} mm may be")
        self.following, self.heard_at = True, at
        for victim in self.victims[-1:]:
            if victim["open"] and victim["held"] is None:
                victim["heard"] = at
            if victim["open"] and way > SAME:
                victim["moved"] = at
        self.watch_rate(at, 0.0 if first else way)

    def watch_reach(self, at, drives, before):
        """Where the equipment stood farther out than the path goes, it may come back, but not go on."""
        if self.is_.reach is None:
            return
        astray = any(abs(drive) > max(self.is_.reach, abs(old)) + SAME for drive, old in zip(drives, before))
        if astray and not self.astray:
            self.complain(at, f"an order away from the test's path: {before} to {drives} m; it goes to {self.is_.reach} m at most")
        self.astray = astray or (self.astray and any(abs(drive) > self.is_.reach for drive in drives))

    def watch_rate(self, at, way):
        self.moves.append((at, way, self.starved))
        while self.moves[0][0] < at - 16 * self.is_.tick:
            self.moves.pop(0)
        passed = at - self.moves[0][0] + self.starved - self.moves[0][2]
        gone = sum(move[1] for move in self.moves[1:])
        if gone > self.is_.rate * (passed + BURST * self.is_.tick):
            self.complain(at, f"{1e3 * gone:.2f} mm of orders in {passed:.3f} s: faster than {self.is_.rate} m/s")

    def on_state(self, at, values, words):
        ram, place, force = values["ram"], float(values["x"]), float(values["f"])
        places = self.places.setdefault(ram, [])
        places.append((at, place, self.starved))
        while places[0][0] < at - 0.1:
            places.pop(0)
        # While the equipment's clock stood still the orders went on.
        passed = at - places[0][0] + self.starved - places[0][2]
        if abs(place - places[0][1]) > 1.5 * self.is_.rate * (passed + 0.01) + FIRST_WORD:
            self.complain(at, f"the ram went {1e3 * (place - places[0][1]):.2f} mm in {passed:.3f} s")
            places.clear()
        if abs(place) > 1.05 * self.is_.displacement:
            self.complain(at, f"the ram stands at {1e3 * place:.2f} mm")
        if abs(force) <= self.is_.force or values["cmd"] != "follow":
            self.above_since.pop(ram, None)
        elif at - self.above_since.setdefault(ram, at) > AWARE_S:
            self.complain(at, f"{force:.0f} N for {at - self.above_since[ram]:.3f} s, and no hold")
            self.above_since[ram] = at + 1e9
        if self.following and at - self.heard_at > self.is_.watchdog + 0.05:
            self.complain(at, "the emulator itself is broken: its watchdog slept")

    def ticks(self):
        """Of each victim: whether the equipment followed drives then, and control ticks by the equipment's clock until the
        last motion, until the first hold (None: none), and until a person said something."""
        def count(victim, key):
            return None if victim[key] is None else int(round((victim[key] - victim["at"]) / self.is_.tick))
        return [(victim["followed"], count(victim, "moved"), count(victim, "held"), count(victim, "until"))
                for victim in self.victims]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log")
    for name in ("rate", "displacement", "force", "tick"):
        parser.add_argument("--" + name, type=float, required=True)
    parser.add_argument("--watchdog", type=float, default=1.0)
    parser.add_argument("--reach", type=float)
    asked = parser.parse_args()
    judge = Judge(Limits(asked.rate, asked.displacement, asked.force, asked.tick, asked.watchdog, asked.reach)).read(asked.log)
    for complaint in judge.complaints:
        print(complaint)
    print(", ".join(f"{count} {what}" for what, count in judge.counts.items()))
    return 1 if judge.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
