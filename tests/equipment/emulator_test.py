#!/usr/bin/env python3
"""The emulator, the judge and the loss of power, each held against what is known of it.

    emulator_test.py RIG_EMULATOR POWER_CUT_SO
"""
import json
import math
import os
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import types
import unittest
import zlib

sys.dont_write_bytecode = True  # nothing is left in the source tree
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "power_cut"))
import kill_matrix  # noqa: E402
from judge import Judge, Limits  # noqa: E402
from laboratory import Node  # noqa: E402
from power_cut import PowerCut  # noqa: E402
from rig import Rig  # noqa: E402

EMULATOR, SHIM = (os.path.abspath(path) for path in sys.argv[1:3])
IDLE, FOLLOW, HOLD = range(3)
OUTPUTS = 4
STUCK = {"read": 1, "write": 2, "hold": 4, "leak": 8, "slow": 16}


class Client:
    """The far end of the UDP frame; written from docs/howto/write-an-adapter.md."""

    def __init__(self, rig):
        self.link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.link.settimeout(20)
        self.link.connect(("127.0.0.1", rig.udp_port))
        self.sequence = 0

    def say(self, command, drive=0.0):
        """In mm and kN: status, displacement, force, drive in force."""
        self.sequence += 1
        frame = struct.pack("<IIB3xd", 0x7254, self.sequence, command, drive)
        self.link.send(frame + struct.pack("<I", zlib.crc32(frame)))
        answer = self.link.recv(256)
        constant, _, echo, status, place, force, drive, check = struct.unpack("<IIIB3xdddI", answer)
        assert constant == 0x7255 and echo == self.sequence and check == zlib.crc32(answer[:-4])
        return status, place, force, drive

    def settle(self, drive, seconds=1.5):
        """Follows one drive until the equipment's clock has gone on so far."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            said = self.say(FOLLOW, drive)
            time.sleep(0.002)
        return said


class PlugIn:
    """The far end of the plug-in's socket; layout of plugin/equipment_wire.h."""

    def __init__(self, rig):
        self.link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.link.settimeout(20)
        self.link.connect(rig.folder + "/rig.sock")
        self.sequence = 0

    def say(self, command, drive=0.0, epoch=0, count=1):
        self.sequence += 1
        self.link.send(struct.pack("<IIQII4d", 0x51520001, command, self.sequence, epoch, count, drive, 0.0, 0.0, 0.0))

    def hear(self):
        """The next report: status, order that was heard, displacement, force, drive in force."""
        report = struct.unpack("<IIQQq12dII", self.link.recv(256))
        assert report[0] == 0x51520002
        self.known, self.closed = report[17:]
        return report[1], report[3], report[5], report[9], report[13]

    def hear_of(self, order):
        end = time.monotonic() + 20
        while (report := self.hear())[1] < order:
            assert time.monotonic() < end, f"order {order} is not heard"
        return report


def as_physics_say(drive, seconds, static_gain=1.0, strongest=60e3, coulomb=300.0):
    """Displacements every millisecond of a ram at rest that is told `drive`, by Runge and Kutta's method: position loop, valve of
    second order, oil column behind an orifice, piston with friction, elastic specimen."""
    def rates(state):
        valve, valve_speed, oil, speed, place = state
        error = static_gain * drive - place
        asked = max(-1.0, min(1.0, 40.0 * error / 0.5))
        omega = 2 * math.pi * 90.0
        load = oil if valve > 0.0 else -oil
        flow = 0.5 * valve * math.sqrt(max(0.0, min(2.0, 1.0 - load / strongest)))
        friction = coulomb * math.tanh(speed / 1e-3) + 8e3 * speed
        return (valve_speed, omega * omega * (asked - valve) - 1.6 * omega * valve_speed,
                6e7 * (flow - speed) - 40.0 * oil, (oil - friction - 4e4 * place) / 300.0, speed)

    def ahead(state, rate, dt):
        return tuple(a + dt * b for a, b in zip(state, rate))

    dt, state, places = 5e-5, (0.0,) * 5, [0.0]
    while len(places) <= round(1000 * seconds):
        for _ in range(20):
            a = rates(state)
            b = rates(ahead(state, a, dt / 2))
            c = rates(ahead(state, b, dt / 2))
            d = rates(ahead(state, c, dt))
            state = tuple(x + dt / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip(state, a, b, c, d))
            state = state[:2] + (max(-strongest, min(strongest, state[2])),) + state[3:]
        places.append(state[4])
    return places


class Emulator(unittest.TestCase):
    def rig(self, **settings):
        folder = tempfile.mkdtemp(prefix="te-")
        rig = Rig(EMULATOR, folder, udp=True, **dict({"watchdog": 5.0}, **settings))
        client = Client(rig)
        self.addCleanup(rig.close)
        self.addCleanup(client.link.close)
        return rig, client

    def test_goes_where_it_is_told_and_its_specimen_resists(self):
        _, client = self.rig()
        status, place, force, _ = client.settle(10.0)
        self.assertEqual(status, 0)
        self.assertAlmostEqual(place, 10.0, delta=0.1)
        self.assertAlmostEqual(force, 0.04 * place, delta=1e-6)  # 40 kN/m

    def test_settles_at_a_part_of_the_command(self):
        _, client = self.rig(static_gain=0.8)
        self.assertAlmostEqual(client.settle(10.0)[1], 8.0, delta=0.1)

    def test_does_not_move_within_its_dead_band(self):
        _, client = self.rig(dead_band=1e-3)
        self.assertAlmostEqual(client.settle(0.9, 0.5)[1], 0.0, delta=1e-6)

    def test_cannot_push_harder_than_its_oil(self):
        _, client = self.rig(strongest=200.0, coulomb=0.0)
        _, place, force, _ = client.settle(10.0)
        self.assertLess(force, 0.21)
        self.assertLess(place, 5.3)

    def test_its_specimen_yields_and_keeps_what_it_went(self):
        _, client = self.rig(**{"yield": 200.0, "hardening": 0.0})
        self.assertAlmostEqual(client.settle(10.0)[2], 0.2, delta=1e-6)
        self.assertAlmostEqual(client.settle(0.0)[2], -0.2, delta=0.01)

    def test_holds_after_silence_until_it_hears_something_else_than_a_drive(self):
        rig, client = self.rig(watchdog=0.1)
        client.say(FOLLOW, 0.0)
        self.await_status(rig, 2)
        status, _, _, drive = client.say(FOLLOW, 1.0)
        self.assertEqual((status, drive), (2, 0.0))
        self.assertEqual(client.say(IDLE)[0], 0)

    def test_an_emergency_stop_shuts_the_valves_until_the_reset(self):
        rig, client = self.rig()
        client.settle(5.0)
        with open(rig.folder + "/estop", "w"):
            pass
        end = time.monotonic() + 20
        while client.say(FOLLOW, 5.0)[0] != 1:
            self.assertLess(time.monotonic(), end)
        _, place, force, _ = client.say(HOLD)
        time.sleep(0.2)
        self.assertAlmostEqual(client.say(FOLLOW, 20.0)[1], place, delta=0.05)
        rig.tell("set drift=0.01")  # which a servo would follow
        time.sleep(0.3)
        self.assertAlmostEqual(client.say(HOLD)[2], force, delta=1e-3)
        rig.tell("set drift=0")
        rig.tell("reset")
        self.assertEqual(client.say(HOLD)[0], 0)

    def await_status(self, rig, status):
        end = time.monotonic() + 20
        while rig.tell("status")["status"] != str(status):
            self.assertLess(time.monotonic(), end, f"status {status} does not come")
            time.sleep(0.01)

    def test_an_emergency_stop_by_a_key_shuts_the_valves(self):
        rig, client = self.rig(keys=True)
        place = client.settle(5.0, 0.5)[1]
        rig.process.stdin.write(b"x")
        rig.process.stdin.flush()
        self.assertEqual(client.settle(5.0, 0.2)[0], 0, "any other key")
        rig.process.stdin.write(b"e")
        rig.process.stdin.flush()
        self.await_status(rig, 1)
        self.assertAlmostEqual(client.settle(20.0, 0.2)[1], place, delta=0.05)

    def test_its_transducer_drifts_and_takes_the_ram_along(self):
        rig, client = self.rig(drift=1e-3, coulomb=0.0)
        client.settle(0.0)
        now = rig.tell("status")
        self.assertAlmostEqual(float(now["x"]), 0.0, delta=1e-4)  # as it believes
        self.assertAlmostEqual(float(now["f"]), -40.0 * float(now["clock"]) * 1e-9, delta=4.0)  # 40 N/mm, 1 mm/s

    def test_its_interlocks_of_force_stroke_and_oil_shut_the_valves(self):
        for setting, bit, stands in (({"most_force": 200.0}, 4, 5.0), ({"most_stroke": 0.005}, 8, 5.0), ({}, 16, 10.0)):
            with self.subTest(bit=bit):
                rig, client = self.rig(**setting)
                client.settle(10.0, 0.5)
                if not setting:
                    rig.tell("supply")
                self.await_status(rig, bit)
                status, place, _, drive = client.settle(-20.0, 0.2)
                self.assertEqual(status, bit)
                self.assertAlmostEqual(place, stands, delta=1.0)  # what was under way moves on a little
                self.assertAlmostEqual(drive, stands, delta=1.0)  # the order was not taken
                rig.tell("set most_force=1e9")
                rig.tell("set most_stroke=1")
                rig.tell("reset")
                self.assertLess(client.settle(-20.0, 0.5)[1], -10.0)

    def test_mute_it_follows_and_says_nothing(self):
        rig, client = self.rig()
        client.link.settimeout(0.0)
        rig.tell("mute on")
        with self.assertRaises(BlockingIOError):
            client.say(FOLLOW, 1.0)
        self.assertEqual(float(rig.tell("status")["drive"]), 1e-3)
        with self.assertRaises(BlockingIOError):
            client.link.recv(256)
        rig.tell("mute off")
        client.link.settimeout(20)
        self.assertEqual(client.say(FOLLOW, 2.0)[3], 2.0)

    def test_deaf_it_takes_no_order(self):
        rig, client = self.rig()
        client.say(FOLLOW, 1.0)
        rig.tell("deaf on")
        client.link.settimeout(0.0)
        with self.assertRaises(BlockingIOError):
            client.say(FOLLOW, 2.0)
        self.assertEqual(float(rig.tell("status")["drive"]), 1e-3)
        rig.tell("deaf off")
        client.link.settimeout(20)
        self.assertEqual(client.say(FOLLOW, 3.0)[3], 3.0)

    def test_its_clock_stands_still_while_its_process_does(self):
        """Nobody else is blamed: neither the watchdog nor the physics goes on."""
        rig, client = self.rig(watchdog=1.0)
        client.say(FOLLOW, 1.0)
        before = int(rig.tell("status")["clock"])
        rig.process.send_signal(signal.SIGSTOP)
        time.sleep(1.5)  # by the host's clock
        rig.process.send_signal(signal.SIGCONT)
        rig.tell("status")  # heard before any time passes
        now = rig.tell("status")
        self.assertEqual(now["status"], "0", "its watchdog ran on")
        self.assertLess(int(now["clock"]) - before, 1.0e9)
        with open(rig.log) as log:
            starved = [int(line.split("ns=")[1]) for line in log if " starved " in line]
        self.assertGreater(max(starved, default=0), 1.4e9)

    def lines(self, rig, word):
        """Of the log: the equipment's own time [s] and the values of each line of that kind."""
        rig.tell("status")  # all that was said before is written
        with open(rig.log) as log:
            found = [line.split() for line in log if line.endswith("\n") and line.split()[2] == word]
        return [(int(line[0]) * 1e-9, dict(part.split("=", 1) for part in line[3:] if "=" in part)) for line in found]

    def test_moves_as_valve_oil_and_piston_do(self):
        for settings in ({}, {"strongest": 4000.0, "coulomb": 500.0}, {"static_gain": 0.8, "coulomb": 0.0}):
            with self.subTest(**settings):
                rig, client = self.rig(**settings)
                end = time.monotonic() + 20
                while float(rig.tell("status")["clock"]) < 3e7:  # at rest
                    self.assertLess(time.monotonic(), end)
                client.say(FOLLOW, 5.0)
                while len(self.lines(rig, "state")) < 20:
                    self.assertLess(time.monotonic(), end)
                told = self.lines(rig, "order")[0][0]
                oracle = as_physics_say(0.005, 0.2, **settings)
                seen = [(at - told, 1e3 * float(state["x"])) for at, state in self.lines(rig, "state") if 0 < at - told < 0.19]
                self.assertGreater(len(seen), 5)
                for after, place in seen:
                    k, part = int(1000 * after), 1000 * after % 1
                    self.assertAlmostEqual(place, 1e3 * ((1 - part) * oracle[k] + part * oracle[k + 1]), delta=0.1)

    def test_its_log_goes_by_its_own_clock(self):
        rig, client = self.rig()
        client.say(FOLLOW, 1.0)
        end = time.monotonic() + 20
        while len(states := [at for at, _ in self.lines(rig, "state")]) < 20:
            self.assertLess(time.monotonic(), end)
        for k, at in enumerate(states):
            self.assertAlmostEqual(at, 0.01 * (k + 1), delta=1e-9)
        with open(rig.log) as log:
            both = [line.split() for line in log if line.endswith("\n")]
        passed = [1e-9 * (int(both[-1][k]) - int(both[0][k])) for k in (0, 1)]
        starved = sum(1e-9 * int(line[3].split("=")[1]) for line in both if line[2] == "starved")
        self.assertAlmostEqual(passed[0] + starved, passed[1], delta=0.02)  # as fast as the host's, while it runs

    def test_its_log_has_each_order_as_it_was_taken(self):
        rig, client = self.rig()
        for command, drive in ((FOLLOW, 1.0), (FOLLOW, 2.0), (HOLD, 7.0), (IDLE, 0.0)):
            client.say(command, drive)
        rig.tell("estop")
        client.say(FOLLOW, 3.0)
        wanted = [("1", "follow", 0.001, 0.0, "yes", "0"), ("2", "follow", 0.002, 0.001, "yes", "0"),
                  ("3", "hold", 0.002, 0.002, "yes", "0"), ("4", "idle", 0.002, 0.002, "yes", "0"),
                  ("5", "follow", 0.003, None, "no", "1")]
        orders = [order for _, order in self.lines(rig, "order")]
        self.assertEqual(len(orders), 5)
        for order, (sequence, command, drive, before, taken, status) in zip(orders, wanted):
            self.assertEqual((order["seq"], order["cmd"], order["taken"], order["status"]), (sequence, command, taken, status))
            self.assertAlmostEqual(float(order["drive"]), drive, delta=1e-12)
            if before is not None:
                self.assertAlmostEqual(float(order["before"]), before, delta=1e-12)

    def test_its_log_has_its_watchdog_and_the_end_of_its_hold(self):
        rig, client = self.rig(watchdog=0.1)
        client.say(FOLLOW, 0.0)
        self.await_status(rig, 2)
        heard = self.lines(rig, "order")[0][0]
        opened = self.lines(rig, "open")
        self.assertEqual([values["interlock"] for _, values in opened], ["watchdog"])
        self.assertAlmostEqual(opened[0][0] - heard, 0.1, delta=0.001)
        client.say(IDLE)
        self.assertEqual([values["interlock"] for _, values in self.lines(rig, "closed")], ["watchdog"])

    def test_takes_no_order_that_is_none(self):
        rig, client = self.rig()
        client.say(FOLLOW, 1.0)
        client.say(FOLLOW, float("nan"))
        for size, flip in ((20, None), (24, 12), (24, 20), (24, 0)):
            frame = bytearray(struct.pack("<IIB3xd", 0x7254, 9, FOLLOW, 3.0))
            frame = bytearray((bytes(frame) + struct.pack("<I", zlib.crc32(frame)))[:size])
            if flip is not None:
                frame[flip] ^= 1
            client.link.send(frame)
        command = struct.pack("<IIB3xd", 0x7254, 9, 4, 3.0)
        client.link.send(command + struct.pack("<I", zlib.crc32(command)))
        client.sequence = 0  # two orders ago
        client.link.settimeout(0.0)
        with self.assertRaises(BlockingIOError):
            client.say(FOLLOW, 3.0)
        end = time.monotonic() + 20
        while not self.lines(rig, "overtaken"):
            self.assertLess(time.monotonic(), end)
        self.assertEqual(float(rig.tell("status")["drive"]), 1e-3)
        self.assertEqual(len(self.lines(rig, "strange")), 5)
        self.assertEqual([order["taken"] for _, order in self.lines(rig, "order")], ["yes", "no"])

    def test_stands_still_at_a_reset_until_the_next_order(self):
        rig, client = self.rig(strongest=2000.0, coulomb=0.0)
        client.settle(30.0, 0.2)
        rig.tell("estop")
        stopped = rig.tell("status")  # one look: it moves until its valves are shut
        self.assertLess(float(stopped["x"]), 0.028)  # it was under way
        self.assertAlmostEqual(float(stopped["drive"]), float(stopped["x"]), delta=5e-4)
        rig.tell("reset")
        said = client.say(HOLD)
        self.assertEqual(said[0], 0)
        self.assertAlmostEqual(said[3], said[1], delta=1.0)
        time.sleep(0.2)
        self.assertAlmostEqual(client.say(HOLD)[1], said[1], delta=1.0)

    def test_a_plug_in_is_heard_and_told(self):
        rig, _ = self.rig()
        mine = PlugIn(rig)
        self.addCleanup(mine.link.close)
        mine.say(FOLLOW, 0.002)
        status, _, _, _, drive = mine.hear_of(1)
        self.assertEqual((status, drive), (0, 0.002))
        end = time.monotonic() + 20
        while abs((said := mine.hear())[2] - 0.002) > 1e-4:
            self.assertLess(time.monotonic(), end)
        self.assertAlmostEqual(said[3], 4e4 * said[2], delta=1e-6)
        rig.tell("estop")
        while mine.hear()[0] != 1:
            self.assertLess(time.monotonic(), end)

    def test_a_plug_ins_order_from_before_a_hold_is_overtaken(self):
        rig, _ = self.rig()
        mine = PlugIn(rig)
        self.addCleanup(mine.link.close)
        mine.say(FOLLOW, 0.001, epoch=1)
        mine.say(HOLD, epoch=2)
        mine.say(FOLLOW, 0.003, epoch=1)
        self.assertEqual(mine.hear_of(3)[4], 0.001)
        self.assertEqual(len(self.lines(rig, "overtaken")), 1)
        mine.say(FOLLOW, 0.003, epoch=2)
        self.assertEqual(mine.hear_of(4)[4], 0.003)

    def test_the_newest_plug_in_counts(self):
        rig, _ = self.rig()
        old, new = PlugIn(rig), PlugIn(rig)
        self.addCleanup(old.link.close)
        self.addCleanup(new.link.close)
        new.say(FOLLOW, 0.002)
        self.assertEqual(new.hear_of(1)[4], 0.002)
        while old.link.recv(256):
            pass  # what it was sent before; then the end
        self.assertEqual(len(self.lines(rig, "came")), 2)
        self.assertEqual(len(self.lines(rig, "left")), 1)

    def test_a_plug_in_is_not_heard_by_the_deaf_nor_told_by_the_mute(self):
        rig, _ = self.rig()
        mine = PlugIn(rig)
        self.addCleanup(mine.link.close)
        mine.say(FOLLOW, 0.001)
        mine.hear_of(1)
        rig.tell("deaf on")
        mine.say(FOLLOW, 0.002)
        rig.tell("status")
        self.assertEqual(float(rig.tell("status")["drive"]), 0.001)
        rig.tell("deaf off")
        rig.tell("mute on")
        mine.link.settimeout(0.3)
        end = time.monotonic() + 3
        with self.assertRaises(TimeoutError):
            while time.monotonic() < end:  # what was sent before
                mine.hear()

    def test_a_plug_in_is_told_of_contacts_and_sets_outputs(self):
        rig, _ = self.rig()
        mine = PlugIn(rig)
        self.addCleanup(mine.link.close)
        mine.say(FOLLOW, 0.001)
        mine.hear_of(1)
        self.assertEqual((mine.known, mine.closed), (15, 15))
        end = time.monotonic() + 20
        for level, known, closed in (("cage open", 15, 11), ("estop lost", 14, 10), ("cage closed", 14, 14)):
            rig.tell("contact " + level)
            while (mine.hear() and (mine.known, mine.closed) != (known, closed)):
                self.assertLess(time.monotonic(), end)
        self.assertEqual(rig.tell("status")["status"], "0", "a contact is no interlock of the controller's own")
        mine.say(OUTPUTS, count=3)
        mine.hear_of(2)
        self.assertEqual(rig.tell("status")["outputs"], "3")
        self.assertEqual(float(rig.tell("status")["drive"]), 0.001, "no order to the ram")
        mine.link.close()
        while rig.tell("status")["outputs"] != "0":
            self.assertLess(time.monotonic(), end)
        with self.assertRaises(RuntimeError):
            rig.tell("contact hatch open")

    def test_the_faults_of_the_plug_in_stand_in_the_page(self):
        rig, _ = self.rig()

        def page():
            with open(rig.folder + "/rig.sock.page", "rb") as file:
                return struct.unpack("<IIII", file.read(16))[1]
        for what, bit in STUCK.items():
            rig.tell("stick " + what)
            self.assertEqual(page(), bit)
            rig.tell("release " + what)
            self.assertEqual(page(), 0)
        rig.tell("stick read")
        rig.tell("stick hold")
        rig.tell("release")
        self.assertEqual(page(), 0)

    def test_a_killed_emulator_leaves_its_log(self):
        rig, client = self.rig()
        client.say(FOLLOW, 0.25)
        rig.tell("mark last")
        rig.process.kill()
        rig.process.wait()
        with open(rig.log) as log:
            self.assertIn("mark last", log.read())


class TheJudge(unittest.TestCase):
    """Forged logs: each wrong is noticed, and nothing else is."""

    def judge(self, lines, limits=None):
        return self.read(lines, limits).complaints

    def read(self, lines, limits=None):
        with tempfile.NamedTemporaryFile("w", suffix=".log") as file:
            at = 0
            for line in lines:
                if isinstance(line, (int, float)):
                    at += int(line * 1e9)
                else:
                    file.write(f"{at} {at} {line}\n")
            file.flush()
            return Judge(limits or Limits(0.1, 0.05, 5e3, 0.01, 0.4)).read(file.name)

    def orders(self, drives, before=0.0, first=1):
        lines = []
        for i, drive in enumerate(drives):
            lines += [0.01, f"order via=udp seq={first + i} cmd=follow drive={drive} before={before} taken=yes status=0"]
            before = drive
        return lines

    def test_has_nothing_to_say_of_a_good_test(self):
        hold = "order via=udp seq=101 cmd=hold drive=0.05 before=0.05 taken=yes status=0"
        self.assertEqual(self.judge(["mark arm"] + self.orders([0.0005 * k for k in range(100)]) + [hold]), [])

    def expect(self, lines, *parts, limits=None):
        complaints = self.judge(lines, limits)
        self.assertEqual(len(complaints), len(parts), complaints)
        for complaint, part in zip(complaints, parts):
            self.assertIn(part, complaint)

    def test_sees_a_jump(self):
        self.expect(["mark arm"] + self.orders([0.0, 0.0, 0.003]), "a jump")

    def test_sees_an_order_beyond_the_limit(self):
        self.expect(["mark arm"] + self.orders([0.0005 * k for k in range(102)]), "beyond the limit")

    def test_sees_too_many_orders_in_too_short_a_time(self):
        quick = self.orders([0.0009 * k for k in range(30)])
        self.assertIn("faster than", "".join(self.judge(["mark arm"] + [w for w in quick if not isinstance(w, float)])))

    def test_sees_motion_after_a_hold(self):
        hold = ["order via=udp seq=3 cmd=hold drive=0.0005 before=0.0005 taken=yes status=0"]
        begin = ["mark resume"] + self.orders([0.0, 0.0005]) + hold
        self.expect(begin + self.orders([0.0005, 0.001], 0.0005, 4), "after a hold")
        self.expect(begin + ["mark resume"] + self.orders([0.0005, 0.001], 0.0005, 4))

    def test_lets_the_start_checks_end_in_a_hold_once(self):
        def hold(n):
            return [f"order via=udp seq={n} cmd=hold drive=0 before=0 taken=yes status=0"]
        held = ["mark arm"] + self.orders([0.0, 0.0]) + ["mark hold"] + hold(3)
        self.expect(held)
        self.expect(held + self.orders([0.0005], 0.0, 4), "without a person's word")
        self.expect([line for line in held if line != "mark hold"] + self.orders([0.0005], 0.0, 4))
        begin = ["mark arm"] + self.orders([0.0, 0.0]) + hold(3) + self.orders([0.0, 0.0], 0.0, 4) + hold(6)
        self.expect(begin)
        self.expect(begin + self.orders([0.0005], 0.0, 7), "without a person's word")

    def test_sees_motion_without_any_word(self):
        self.expect(self.orders([0.0, 0.0005]), "without a person's word")

    def test_sees_silence_without_a_hold(self):
        begin = ["mark arm"] + self.orders([0.0, 0.0005])
        self.expect(begin + [0.401, "open interlock=watchdog"], "silence without a hold")
        self.expect(begin + ["mark victim site", 0.401, "open interlock=watchdog"])

    def test_lets_the_equipment_alone_only_where_nobody_is_left_who_could_hold(self):
        begin = ["mark arm"] + self.orders([0.0, 0.0005])
        for victim in ("site site", "wire site", "power site", "driver site", "both", "hold"):
            self.expect(begin + [f"mark victim {victim}", 0.401, "open interlock=watchdog"])
        for victim in ("ctrl-\\ site", "ctrl-c site", "hang-up site", "terminate site", "integrator site", "network site",
                       "full-stderr site", "stuck-read site", "stuck-write site"):
            with self.subTest(victim=victim):
                self.expect(begin + [f"mark victim {victim}", 0.401, "open interlock=watchdog"], "silence without a hold")

    def test_takes_the_idle_of_another_process_for_no_hold(self):
        begin = ["mark arm"] + self.orders([0.0, 0.0005])
        idle = [0.1, self.order(1, 0.0005, 0.0005, "idle")]
        for victim, wrong in (("ctrl-\\", ("silence without a hold: a beginning 0.100 s after",)), ("site", ())):
            with self.subTest(victim=victim):
                self.expect(begin + [f"mark victim {victim} site"] + idle, *wrong)
        self.expect(begin + [0.1, self.order(1, 0.0005, 0.0005)], "silence without a hold")  # its first order follows
        self.expect(begin + [0.1, self.order(3, 0.0005, 0.0005, "idle")], "silence without a hold")  # of the same process
        self.expect(begin + [self.order(3, 0.0005, 0.0005, "hold")] + idle)
        self.expect(begin + [0.1, "came via=plugin"], "silence without a hold")
        self.assertEqual(self.read(begin + ["mark victim ctrl-c site"] + idle).ticks(), [(True, 0, None, 10)])
        self.assertEqual(self.read(begin + ["mark victim site site"] + idle).ticks(), [(True, 0, 10, 10)])

    def test_sees_a_malformed_order(self):
        self.expect(["mark arm"] + self.orders([0.0, 0.0005]) + ["strange bytes=20"], "a malformed order of 20 bytes")

    def test_sees_an_order_away_from_the_path_of_the_test(self):
        near = Limits(0.1, 0.05, 5e3, 0.01, 0.4, reach=0.002)
        there = [0.0005 * k for k in range(5)]  # to 2 mm
        for way in (1.0, -1.0):
            path = [way * drive for drive in there]
            self.expect(["mark arm"] + self.orders(path + path[::-1]), limits=near)
            self.expect(["mark arm"] + self.orders(path + [way * 0.0025, way * 0.003]), "away from the test's path", limits=near)
            self.expect(["mark arm"] + self.orders(path + [way * 0.0025] + path[::-1] + path + [way * 0.0025]),
                        *2 * ("away from the test's path",), limits=near)
        # It stood farther out: it comes back, and does not go on.
        self.expect(["mark arm"] + self.orders([0.004, 0.0036, 0.003], 0.004), limits=near)
        self.expect(["mark arm"] + self.orders([0.004, 0.0045], 0.004), "away from the test's path", limits=near)

    def test_sees_orders_long_after_the_equipment_held_by_itself(self):
        begin = ["mark arm"] + self.orders([0.0, 0.0005]) + ["open interlock=estop"]
        late = "order via=udp seq=3 cmd=follow drive=0.001 before=0.0005 taken=no status=1"
        self.expect(begin + [0.1, late])
        self.expect(begin + [0.4, late], "the equipment's own hold")

    def test_sees_a_ram_that_runs_away(self):
        lines = ["mark arm"] + self.orders([0.0])
        for k in range(20):
            lines += [0.01, f"state ram=1 x={0.002 * k} f=0 drive=0 cmd=follow status=0"]
        self.assertIn("the ram went", "".join(self.judge(lines)))

    def test_lets_the_start_checks_hold_before_the_first_motion(self):
        hold = ["order via=udp seq=3 cmd=hold drive=0 before=0 taken=yes status=0"]
        self.expect(["mark arm"] + self.orders([0.0, 0.0]) + hold + self.orders([0.0005], 0.0, 4))

    def test_lets_a_stop_hold_once_and_go_home(self):
        def hold(n):
            return [f"order via=udp seq={n} cmd=hold drive=0.001 before=0.001 taken=yes status=0"]
        begin = ["mark stop"] + self.orders([0.0005, 0.001]) + hold(3) + self.orders([0.0005, 0.001], 0.001, 4)
        self.expect(begin)
        self.expect(begin + hold(6) + self.orders([0.0005], 0.001, 7), "without a person's word")

    def test_sees_the_equipments_own_interlock_act(self):
        begin = ["mark arm"] + self.orders([0.0, 0.0005])
        for interlock in ("force", "stroke"):
            self.expect(begin + [f"open interlock={interlock}"], f"interlock had to act: {interlock}")
        self.expect(begin + ["open interlock=estop"])

    def states(self, seconds, **values):
        is_ = dict({"ram": 1, "x": 0, "f": 0, "drive": 0, "cmd": "follow", "status": 0}, **values)
        line = "state " + " ".join(f"{name}={value}" for name, value in is_.items())
        return [word for _ in range(round(100 * seconds)) for word in (0.01, line)]

    def test_sees_where_the_ram_stands(self):
        self.expect(self.states(0.02, x=-0.0524, cmd="hold"))
        self.expect(self.states(0.02, x=-0.0526, cmd="hold"), *2 * ("the ram stands at -52.60 mm",))

    def test_sees_a_force_that_is_not_held(self):
        self.expect(self.states(0.4, f=-5001), "-5001 N for 0.260 s, and no hold")
        self.expect(self.states(0.4, f=-4999))
        self.expect(self.states(0.4, f=-5001, cmd="hold"))
        self.expect(self.states(0.2, f=-5001) + self.states(0.1) + self.states(0.2, f=-5001))

    def test_sees_that_the_emulators_own_watchdog_slept(self):
        begin = ["mark arm"] + self.orders([0.0, 0.0005])
        self.expect(begin + self.states(0.44))
        self.expect(begin + self.states(0.46), "its watchdog slept")

    def test_counts_the_time_in_which_the_emulator_did_not_run(self):
        quick = [word for word in self.orders([0.0009 * k for k in range(12)]) if not isinstance(word, float)]
        self.expect(["mark arm"] + quick[:6] + ["starved ns=100000000"] + quick[6:])
        ram = self.states(0.01, x=0.0) + ["starved ns=100000000"] + self.states(0.01, x=0.01)
        self.expect(ram)
        self.expect([line for line in ram if line != "starved ns=100000000"], "the ram went")

    def test_lets_the_first_word_of_a_new_site_be_off_by_the_noise(self):
        slow = Limits(0.01, 0.05, 5e3, 0.01, 0.4)  # 0.1 mm in a tick
        begin = ["mark arm"] + self.orders([0.0, 0.0001])
        word = self.orders([0.0005], 0.0001, 3)
        self.expect(begin + word, "a jump", limits=slow)
        self.expect(begin + ["mark begin site"] + word, limits=slow)
        self.expect(begin + ["mark begin site"] + self.orders([0.0005, 0.0009], 0.0001, 3), "a jump", limits=slow)
        self.expect(begin + ["mark begin site"] + self.orders([0.0007], 0.0001, 3), "the first one after a start", limits=slow)
        # Its place is not known better: what it says is no motion that counts for the rate.
        quick = [w for w in self.orders([0.0006, 0.0007, 0.0008], 0.0001, 3) if not isinstance(w, float)]
        self.expect(begin + ["mark begin site"] + quick, limits=slow)

    def order(self, sequence, drive, before, cmd="follow", taken="yes", via="udp"):
        return f"order via={via} seq={sequence} cmd={cmd} drive={drive} before={before} taken={taken} status=0"

    def test_sees_an_order_beyond_the_limit_whatever_its_ram_and_sign_and_whether_it_is_taken(self):
        for drive in ("0.051", "-0.051", "0.0,0.051", "0.0,-0.051", "nan", "0.0,-inf"):
            for taken in ("yes", "no"):
                with self.subTest(drive=drive, taken=taken):
                    self.expect(["mark arm", self.order(1, drive, drive, taken=taken)], "beyond the limit")

    def test_sees_a_jump_of_each_ram_and_no_more_than_one_tick_for_an_order(self):
        for drive, before in (("0.0,0.0011", "0.0,0.0"), ("-0.0011,0.0", "0.0,0.0"), ("0.0011", "0.0")):
            self.expect(["mark arm", self.order(1, before, before), 0.01, self.order(2, drive, before)], "a jump")

    def test_lets_an_order_that_was_not_heard_be_made_up_for(self):
        for drive, wrong in ((0.0019, ()), (0.0021, ("in 2 order(s)",))):
            self.expect(["mark arm", self.order(1, 0, 0), 0.01, self.order(3, drive, 0)], *wrong)

    def test_knows_another_process_by_its_count_of_orders_and_a_new_connection_by_its_coming(self):
        slow = Limits(0.01, 0.05, 5e3, 0.01, 0.4)  # 0.1 mm in a tick
        plugin_held = self.order(2, 0, 0, "hold", via="plugin")
        for via, between, first in (("udp", [self.order(50, 0, 0, "hold")], 1), ("plugin", [plugin_held, "came via=plugin"], 1),
                                    ("udp", ["reset"], 2)):
            for drive, wrong in ((0.0004, ()), (0.0007, ("the first one after a start or a reset",))):
                with self.subTest(via=via, between=between, drive=drive):
                    self.expect(["mark arm", self.order(1, 0, 0, via=via), 0.01, *between, 0.01,
                                 self.order(first, drive, 0, via=via)], *wrong, limits=slow)
        self.expect(["mark arm", self.order(2, 0, 0, "hold", via="plugin"), 0.01, "came via=plugin", 0.01,
                     self.order(3, 0.0029, 0, via="plugin")])  # the third of this connection
        self.expect(["mark arm", self.order(1, 0, 0, via="plugin"), 0.01, "came via=plugin", 0.01,
                     self.order(2, 0.0004, 0, via="plugin")], *("silence without a hold",), limits=slow)

    def test_knows_whose_word_sets_something_going(self):
        motion = self.orders([0.0, 0.0005])
        self.expect(["mark rig jog"] + motion)
        for word in ("clear", "note", "begin", "victim"):
            with self.subTest(word=word):
                self.expect([f"mark {word} it"] + motion, "without a person's word")
        held = ["mark arm"] + motion + [self.order(3, 0.0005, 0.0005, "hold"), "mark clear"]
        self.expect(held + self.orders([0.001], 0.0005, 4))

    def test_takes_an_interlock_for_a_hold_and_no_hold_for_two(self):
        motion = self.orders([0.0, 0.0005])
        for opened in ("estop", "supply"):
            self.expect(["mark resume"] + motion + [f"open interlock={opened}", "reset"] + self.orders([0.001], 0.0005, 3),
                        "without a person's word")
        holds = [self.order(n, 0, 0, "hold") for n in (1, 2, 3)]
        self.expect(["mark resume"] + holds + self.orders([0.0005], 0.0, 4))  # it had not followed yet
        self.expect(["mark arm"] + motion + [self.order(3, 0.0005, 0.0005, "hold")] + self.states(1.0, cmd="hold"))

    def test_minds_refused_orders_while_the_interlock_is_open_alone(self):
        begin = ["mark arm"] + self.orders([0.0, 0.0005]) + ["mark victim site"]
        late = [0.4, self.order(3, 0.001, 0.0005, taken="no")]
        for interlock, closed in (("watchdog", "closed interlock=watchdog"), ("estop", "reset")):
            self.expect(begin + [f"open interlock={interlock}"] + late, "own hold")
            self.expect(begin + [f"open interlock={interlock}", closed] + late)
        self.expect(begin + ["open interlock=estop", 0.4, self.order(3, 0.0005, 0.0005, taken="no")])  # asks for no motion

    def test_blames_silence_again_after_a_persons_word(self):
        begin = ["mark arm"] + self.orders([0.0, 0.0005]) + ["mark victim site", "mark resume"]
        self.expect(begin + self.orders([0.0005], 0.0005, 3) + [0.401, "open interlock=watchdog"], "silence without a hold")

    def test_sees_each_ram_both_ways_and_none_for_another(self):
        def run(ram, way):
            return [word for k in range(4) for word in self.states(0.01, ram=ram, x=way * 0.009 * k, cmd="hold")]
        for ram in (1, 2):
            self.expect(run(ram, -1.0), *2 * ("the ram went -9.00 mm",))
            self.expect(self.states(0.01, ram=ram, x=-0.06, cmd="hold"), "the ram stands at -60.00 mm")
            self.expect(self.states(0.3, ram=ram, f=5001), "5001 N for")
        apart = [line for pair in zip(self.states(0.4, f=5001), self.states(0.4, ram=2, x=0.04)) for line in pair]
        self.expect(apart, "5001 N for")

    def test_counts_what_it_reads(self):
        read = self.read(["mark arm"] + self.orders([0.0, 0.0005]) + [
            self.order(3, 0.0005, 0.0005, "hold"), self.order(4, 0.0005, 0.0005, "hold"), self.order(5, 0.0005, 0.0005, "idle"),
            "overtaken via=udp seq=2 drive=0.0005", "open interlock=estop"])
        self.assertEqual(read.counts, {"orders": 5, "follows": 2, "holds": 1, "overtaken": 1, "trips": 1})

    def test_counts_the_ticks_after_each_victim(self):
        read = self.read(["mark arm"] + self.orders([0.0, 0.0005]) + ["mark victim site"]       # 0.02 s
                         + self.orders([0.001, 0.001], 0.0005, 3)                               # moves at 0.03 s, not at 0.04 s
                         + [0.02, self.order(5, 0.001, 0.001, "hold"),                          # 0.06 s
                            0.01, "mark victim integrator", 0.01, "mark resume", 0.01]          # 0.07 s; 0.08 s
                         + self.orders([0.0015], 0.001, 6) + [0.01, "open interlock=estop"])
        self.assertEqual(read.ticks(), [(True, 1, 4, 5), (False, 0, None, 1)])
        self.assertEqual([victim["by"] for victim in read.victims], ["order", ""])
        read = self.read(["mark arm"] + self.orders([0.0, 0.0005]) + ["mark victim site", 0.03, "open interlock=estop",
                                                                      0.03, "open interlock=supply"])
        self.assertEqual(read.ticks(), [(True, 0, 3, 6)])
        self.assertEqual(read.victims[0]["by"], "equipment")

    def test_ends_with_one_where_there_is_a_complaint_and_leaves_out_a_line_that_was_cut_off(self):
        with tempfile.NamedTemporaryFile("w", suffix=".log") as file:
            file.write("".join(f"{10000000 * at} 0 {line}\n" for at, line in enumerate(
                ["mark arm", self.order(1, 0, 0), self.order(2, 0.003, 0)])) + "30000000 0 order via=udp se")
            file.flush()
            for rate, code in ((0.4, 0), (0.2, 1)):
                done = subprocess.run([sys.executable, "-B", os.path.join(os.path.dirname(os.path.abspath(__file__)), "judge.py"),
                                       file.name, "--rate", str(rate),
                                       "--displacement", "0.05", "--force", "5e3", "--tick", "0.01"],
                                      capture_output=True, text=True)
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                self.assertEqual("a jump" in done.stdout, code == 1)


class TheMatrix(unittest.TestCase):
    """What it calls RED beside the judge's complaints, and which cells it plays."""

    def ended(self, script, number=None):
        node = Node(["/bin/sh", "-c", script], "site", tempfile.mkdtemp(prefix="tn-"), dict(os.environ), False)
        self.addCleanup(node.close)
        if number is not None:
            node.send(number)
        node.process.wait(20)
        node.drains.join(0.5)  # what it said is in its file
        return node.crash()

    def test_sees_a_process_that_nobody_struck(self):
        for name in ("SEGV", "ABRT", "BUS", "FPE", "QUIT"):
            self.assertEqual(self.ended(f"ulimit -c 0; kill -{name} $$"), f"site ended by SIG{name}, which nobody sent")
        self.assertEqual(self.ended("echo the driver ended by signal 11 >&2"), "a process of site ended by SIGSEGV, which nobody sent")
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP):
            self.assertIsNone(self.ended("exec sleep 60", number))
        self.assertIsNone(self.ended("echo ended by signal 9 >&2; exit 3"))

    def late(self, victim, at, ticks, phase="running"):
        cell = kill_matrix.Cell.__new__(kill_matrix.Cell)
        cell.victim, cell.at, cell.phase = victim, at, phase
        return len(cell.too_late([ticks]))

    def test_asks_for_a_hold_in_time_after_a_signal_too(self):
        for victim in ("ctrl-\\", "ctrl-c", "hang-up", "terminate"):
            with self.subTest(victim=victim):
                self.assertEqual(self.late(victim, "site", (True, 0, 2, 100)), 0)
                self.assertEqual(self.late(victim, "site", (True, 0, 51, 100)), 1)
                self.assertEqual(self.late(victim, "site", (True, 0, None, 100)), 1)
                self.assertEqual(self.late(victim, "site", (False, 0, None, 100)), 0)
                self.assertEqual(self.late(victim, "integrator", (True, 100, 128, 500)), 0)
                self.assertEqual(self.late(victim, "integrator", (True, 300, None, 500)), 1)
                self.assertEqual(self.late(victim, "site", (True, 0, None, 100), phase="stopping"), 0)
        self.assertEqual(self.late("ctrl-z", "integrator", (True, 300, None, 500)), 0)

    def cell_that(self, ended, rows=8, phase="stopping", victim="integrator", mode="continuous", code=0, **facts):
        """What is wrong with a cell that ended so; its record has so many rows, or those times."""
        cell = kill_matrix.Cell.__new__(kill_matrix.Cell)
        folder = tempfile.mkdtemp(prefix="tc-")
        self.addCleanup(shutil.rmtree, folder)
        if facts.pop("journal", True):
            with open(folder + "/journal.db", "w") as file:
                file.write("rows")
        if "summary" in facts:
            with open(folder + "/summary.json", "w") as file:
                json.dump(facts.pop("summary"), file)
        times = [k / 16 for k in range(rows)] if isinstance(rows, int) else rows

        def export(verb, asked, *words, patience):
            self.assertEqual((verb, asked), ("export", folder))
            with open(words[-1], "w") as file:
                file.write("time_s,low.x\n" + "".join(f"{time_},0\n" for time_ in times))
            return code, "the journal is damaged" if code else ""

        cell.mode, cell.victim, cell.phase, cell.folder, cell.deliberate = mode, victim, phase, folder, phase == "stopping"
        cell.sentence, cell.sessions, cell.step_before, cell.struck_folder = "", ["a"], 7, folder
        cell.lab = types.SimpleNamespace(ask=export, run_folder=folder, steps=32)
        for name, value in facts.items():
            setattr(cell, name, value)
        return cell.judge_the_end(ended)

    def test_takes_no_empty_or_meaningless_sentence_for_what_a_person_must_do(self):
        for sentence in ("", "   ", "hung up", "because    the site is gone", "lab: HOLDING", "next", "next       ",
                         "next       no step was done; see to the reason above, then run the test again"):
            for phase, victim in (("stopping", "integrator"), ("running", "power")):
                with self.subTest(sentence=sentence, victim=victim):
                    _, wrong = self.cell_that("told", sentence=sentence, phase=phase, victim=victim)
                    self.assertEqual(wrong, [f"nobody is told what to do: {sentence!r}"])
        for sentence in ("because    hung up / next       no step was done; see to the reason above, then run the test again",
                         "next       the test is held behind step 7 and can be resumed: trestle resume run",
                         "the steps between are not in the site's record: the test cannot go on. End it (trestle stop)",
                         "the same target comes again, so the test cannot go on: stop it",
                         "run: another program writes its record; end that one first",
                         "See to the rigs; then run the test into a separate folder: trestle run run/effective.yaml --out FOLDER"):
            with self.subTest(sentence=sentence):
                self.assertEqual(self.cell_that("told", sentence=sentence), ("told", []))
        _, wrong = self.cell_that("told", sentence="See to the rigs; then run the test again", phase="running")
        self.assertEqual(len(wrong), 1)
        self.assertIn("the test is lost", wrong[0])

    def test_hears_the_last_summary_with_all_its_lines_or_else_what_was_said_last(self):
        held = ("HELD       7 of 33 steps\nbecause    hung up\npeaks      low.x 1 mm\nnext       no step was done, but a rig may have moved, "
                "by its start checks or for\n           step 0; continue: trestle resume run\n")
        words = ("because    hung up / next       no step was done, but a rig may have moved, by its start checks or for step 0; "
                 "continue: trestle resume run")
        for code in (True, False):
            self.assertEqual(kill_matrix.last_words("first\n" + held, code), words)
        self.assertEqual(kill_matrix.last_words("one\ntwo\r\n\nthree\n", True), "two / three")
        self.assertEqual(kill_matrix.last_words("run: end that one first\n", False), "")
        awaited = "WAITING  for the operator's word to arm real equipment: trestle arm run, since 3 s\r\x1b[KHOLDING  trestle resume run\n"
        self.assertEqual(kill_matrix.last_words(awaited + "the disk is full\n", True), "the disk is full")

    def test_reads_the_record_of_a_test_that_was_stopped_or_cannot_go_on(self):
        told = {"sentence": "End it (trestle stop)"}
        for ended, more in (("stopped", {}), ("told", told)):
            with self.subTest(ended=ended):
                self.assertEqual(self.cell_that(ended, 8, **more), (ended, []))
                self.assertEqual(self.cell_that(ended, 7, **more)[1], ["7 rows of 8 to 33"])
                self.assertEqual(self.cell_that(ended, 0, journal=False, step_before=None, **more), (ended, []))
                self.assertEqual(self.cell_that(ended, 9, summary={"steps_done": 9}, **more), (ended, []))
                self.assertEqual(self.cell_that(ended, 9, summary={"steps_done": 10}, **more)[1], ["9 rows of 10"])
                self.assertEqual(self.cell_that(ended, [k / 16 for k in range(12) if k != 4], **more)[1],
                                 ["a step is missing in the record, or twice in it"])
                self.assertEqual(self.cell_that(ended, code=2, **more)[1], ["the record cannot be exported: the journal is damaged"])
        lost = {"victim": "power", "phase": "running", "code": 2}
        unknown = f"so {kill_matrix.UNREADABLE}. See to the rigs"
        self.assertEqual(self.cell_that("told", sentence=unknown, **lost), ("told", []))
        self.assertEqual(len(self.cell_that("told", sentence="See to the rigs", **lost)[1]), 1)

    def test_a_test_that_cannot_go_on_is_not_excused_by_one_that_was_begun_anew(self):
        anew = {"sessions": ["a", "b"], "phase": "checks", "step_before": None, "sentence": "See to the rigs"}
        self.assertEqual(self.cell_that("resumed", 33, **anew), ("anew", []))
        self.assertEqual(self.cell_that("resumed", 32, **anew)[1], ["32 rows of 33"])
        ended, wrong = self.cell_that("told", **anew)
        self.assertEqual((ended, wrong), ("told", ["the test is lost: See to the rigs"]))

    def test_its_sample_is_the_same_for_a_commit_and_has_what_matters_most(self):
        possible = [cell for cell in kill_matrix.all_cells() if not kill_matrix.impossible(*cell)]
        samples = set()
        for seed in range(8):
            sample = kill_matrix.sample_of(possible, 26, seed)
            self.assertEqual(sample, kill_matrix.sample_of(possible, 26, seed))
            self.assertEqual(len(set(sample)), 26)
            for mode in kill_matrix.MODES:
                for victim in ("integrator", "site"):
                    self.assertIn((mode, victim, "running"), sample)
            self.assertEqual({cell[1] for cell in sample}, set(kill_matrix.VICTIMS))
            self.assertEqual({cell[2] for cell in sample}, set(kill_matrix.PHASES))
            samples.add(tuple(sample))
        self.assertGreater(len(samples), 6)
        self.assertEqual(kill_matrix.seed_of("commit"), kill_matrix.seed_of("commit"))
        self.assertEqual(kill_matrix.seed_of("17"), 17)

    def test_lists_cells_in_which_nothing_would_be_struck(self):
        for mode in kill_matrix.MODES:
            for phase in ("hello", "after"):
                self.assertIn("nobody reads", kill_matrix.impossible(mode, "stuck-read", phase))
            for phase in ("fault", "between"):
                self.assertIsNone(kill_matrix.impossible(mode, "stuck-read", phase))

    def test_compensates_in_two_cells_of_three(self):
        for mode in ("continuous", "real-time"):
            for victim in kill_matrix.VICTIMS:
                seen = {kill_matrix.compensator_of(seed, mode, victim, "running") for seed in (7, 8, 9)}
                self.assertEqual(seen, set(kill_matrix.COMPENSATORS))
        self.assertEqual(kill_matrix.compensator_of(1, "pseudo-dynamic", "site", "running"), "none")


class Power(unittest.TestCase):
    def lose(self, code, seed=None, before=None):
        place = tempfile.mkdtemp(prefix="tp-")
        root = place + "/root"
        os.mkdir(root)
        for name, text in (before or {}).items():
            with open(f"{root}/{name}", "w") as file:
                file.write(text)
        cut = PowerCut(SHIM, root, place + "/shadow")
        head = ("import mmap, os\n"
                "def put(name, text):\n    f = open(name, 'w'); f.write(text); f.flush(); return f\n"
                "def sync(f):\n    os.fsync(f.fileno())\n"
                "def sync_folder(name):\n    d = os.open(name, os.O_RDONLY); os.fsync(d); os.close(d)\n")
        subprocess.run([sys.executable, "-c", head + code], cwd=root, env=dict(os.environ, **cut.environment()), check=False)
        cut.come_true(seed)
        self.root = root
        found = {}
        for folder, _, names in os.walk(root):
            for name in names:
                with open(f"{folder}/{name}", "rb") as file:
                    found[os.path.relpath(f"{folder}/{name}", root)] = file.read()
        return found

    def test_leaves_what_was_synced_with_its_name(self):
        self.assertEqual(self.lose("f = put('a', 'one'); sync(f); sync_folder('.'); f.write('two'); f.flush()\nput('b', 'x')"),
                         {"a": b"one"})

    def test_a_synced_file_whose_folder_was_not_has_no_name(self):
        self.assertEqual(self.lose("sync(put('a', 'one'))"), {})

    def test_a_rename_without_its_folder_has_not_happened(self):
        self.assertEqual(self.lose("sync(put('n', 'new')); os.rename('n', 'a')", before={"a": "old"}), {"a": b"old"})
        self.assertEqual(self.lose("sync(put('n', 'new')); os.rename('n', 'a'); sync_folder('.')", before={"a": "old"}),
                         {"a": b"new"})

    def test_a_renamed_file_that_was_not_synced_is_empty(self):
        self.assertEqual(self.lose("put('n', 'new'); os.rename('n', 'a'); sync_folder('.')", before={"a": "old"}), {"a": b""})

    def test_removed_files_come_back_unless_the_folder_was_synced(self):
        self.assertEqual(self.lose("os.unlink('a')", before={"a": "old"}), {"a": b"old"})
        self.assertEqual(self.lose("os.unlink('a'); sync_folder('.')", before={"a": "old"}), {})

    def test_mapped_files_are_as_they_were_last_synced(self):
        code = ("f = open('a', 'r+b'); m = mmap.mmap(f.fileno(), 0); m[:3] = b'two'; {}m[:3] = b'six'")
        self.assertEqual(self.lose(code.format(""), before={"a": "one"}), {"a": b"one"})
        self.assertEqual(self.lose(code.format("m.flush(); "), before={"a": "one"}), {"a": b"two"})

    def test_pages_and_names_that_were_not_synced_may_last_by_themselves(self):
        code = "f = open('a', 'r+b'); f.write(b'x' * 8192); f.flush(); put('b', 'y')"
        contents, names = set(), set()
        for seed in range(12):
            found = self.lose(code, seed, before={"a": "o" * 8192})
            contents.add((found["a"][:1], found["a"][4096:4097]))
            names.add("b" in found)
        self.assertIn((b"x", b"o"), contents)
        self.assertIn((b"o", b"x"), contents)
        self.assertEqual(names, {False, True})

    def test_folders_last_with_their_parents(self):
        self.assertEqual(self.lose("os.makedirs('p/q'); sync(put('p/q/a', 'x')); sync_folder('p/q')"), {"p/q/a": b"x"})

    def test_the_system_was_started_anew(self):
        boot = self.lose("f = put('a', open('/proc/sys/kernel/random/boot_id').read()); sync(f); sync_folder('.')")["a"]
        with open("/proc/sys/kernel/random/boot_id", "rb") as file:
            self.assertNotEqual(boot, file.read())

    def test_a_database_keeps_what_it_promised(self):
        for seed in (None, 1, 2, 3):
            self.lose("import sqlite3\n"
                      "c = sqlite3.connect('j.db', isolation_level=None)\n"
                      "c.execute('pragma journal_mode=wal'); c.execute('pragma synchronous=full')\n"
                      "c.execute('create table t(x)')\n"
                      "for i in range(50): c.execute('insert into t values(?)', (i,))\n"
                      "c.execute('pragma synchronous=normal')\n"
                      "for i in range(50): c.execute('insert into t values(?)', (i,))\n"
                      "os.kill(os.getpid(), 9)", seed)
            with sqlite3.connect(self.root + "/j.db") as database:
                self.assertEqual(database.execute("pragma integrity_check").fetchone()[0], "ok")
                self.assertGreaterEqual(database.execute("select count(*) from t").fetchone()[0], 50)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
