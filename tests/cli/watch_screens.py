#!/usr/bin/env python3
"""trestle watch as a person sees it: at widths of 40, 80 and 132 columns, on a terminal whose size changes, on a running
test; and the line of trestle run and trestle site, on a terminal and in a log.

    watch_screens.py TRESTLE TEST.yaml
"""
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

PROGRAM, TEST = sys.argv[1], sys.argv[2]
PATIENCE = 60  # [s]
SEQUENCE = re.compile(rb"\x1b\[([?0-9;]*)([A-Za-z])|\x1b[()][A-Z0-9]|\x1b[=>78M]")


class Screen:
    """As much of a VT100 as ncurses uses for it. Anything written beyond the width is an error."""

    def __init__(self, columns, rows):
        self.resize(columns, rows)
        self.rest = b""

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.x = self.y = 0
        self.beyond = 0

    def line(self, row):
        return "".join(self.cells[row]).rstrip()

    def text(self):
        return "\n".join(self.line(row) for row in range(self.rows))

    def put(self, letter):
        if self.x >= self.columns or self.y >= self.rows:
            self.beyond += 1
            return
        self.cells[self.y][self.x] = letter
        self.x += 1

    def command(self, numbers, letter):
        first = int(numbers.split(";")[0] or 0) if numbers and numbers[0] != "?" else 0
        if letter == "H":
            place = [int(n or 1) for n in (numbers or "1;1").split(";")] + [1]
            self.y, self.x = place[0] - 1, place[1] - 1
        elif letter == "J":
            for row in range(self.y if first == 0 else 0, self.rows):
                start = self.x if first == 0 and row == self.y else 0
                self.cells[row][start:] = [" "] * (self.columns - start)
        elif letter == "K":
            self.cells[self.y][self.x:] = [" "] * (self.columns - self.x)
        elif letter in "ABCD":
            step = max(first, 1)
            self.y += {"A": -step, "B": step}.get(letter, 0)
            self.x += {"C": step, "D": -step}.get(letter, 0)

    def feed(self, data):
        data = self.rest + data
        self.rest = b""
        while data:
            if data[:1] == b"\x1b":
                found = SEQUENCE.match(data)
                if not found:
                    if len(data) < 16:
                        self.rest = data
                        return
                    raise AssertionError(f"unknown sequence {data[:16]!r}")
                if found.group(2):
                    self.command(found.group(1).decode(), found.group(2).decode())
                data = data[found.end():]
                continue
            if data[0] >= 0xc0:
                size = 4 if data[0] >= 0xf0 else 3 if data[0] >= 0xe0 else 2
                if len(data) < size:
                    self.rest = data
                    return
                self.put(data[:size].decode())
                data = data[size:]
                continue
            letter = chr(data[0])
            data = data[1:]
            if letter == "\r":
                self.x = 0
            elif letter == "\n":
                self.y += 1
            elif letter == "\b":
                self.x -= 1
            elif letter >= " ":
                self.put(letter)


class Terminal:
    """The program on its own terminal."""

    def __init__(self, columns, rows, *words):
        self.screen = Screen(columns, rows)
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="vt100", LC_ALL="C.UTF-8")
            # The size is there before the program looks.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execv(PROGRAM, [PROGRAM, *words])

    def resize(self, columns, rows):
        self.read(0.3)
        self.screen.resize(columns, rows)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.master], [], [], 0.05)[0]:
                try:
                    self.screen.feed(os.read(self.master, 65536))
                except OSError:
                    return

    def until(self, shown):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.read(0.1)
            if shown(self.screen):
                return
        raise AssertionError("never shown; the screen:\n" + self.screen.text())

    def kill(self):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)

    def leave(self):
        os.write(self.master, b"q")
        return self.exit_code()

    def exit_code(self):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.read(0.05)
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                self.pid = 0
                return os.waitstatus_to_exitcode(status)
        self.kill()
        raise AssertionError("does not end; the screen:\n" + self.screen.text())


class Watch(Terminal):
    def __init__(self, folder, columns, rows):
        super().__init__(columns, rows, "watch", folder)


def once(folder, *words):
    return subprocess.run([PROGRAM, "watch", folder, "--once", *words], capture_output=True, text=True, timeout=PATIENCE)


def told(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=PATIENCE).stdout


def check(condition, words):
    if not condition:
        raise AssertionError(words)


def finished_record(folder):
    subprocess.run([PROGRAM, "run", TEST, "--out", folder, "--set", "excitation.synthetic.duration=2 s"], check=True,
                   capture_output=True, timeout=PATIENCE)
    for width in (40, 80, 132):
        for words in ([], ["--plain"]):
            shown = once(folder, "--width", str(width), *words)
            check(shown.returncode == 0, shown.stderr)
            for line in shown.stdout.splitlines():
                check(len(line) <= width, f"{len(line)} columns of {width}: {line}")
            check("RECORD, ended" in shown.stdout and "west 1" in shown.stdout, shown.stdout)
            check("--plain" not in words or shown.stdout.isascii(), shown.stdout)
            check(width < 80 or "% rate" in shown.stdout, shown.stdout)
    # The same record gives the same pictures, byte for byte; a wanted change of them: copy what this prints.
    pictures = "".join(once(folder, *words).stdout for words in (["--width", "40"], ["--width", "80"], ["--width", "132"],
                                                                 ["--width", "80", "--plain"]))
    golden = pathlib.Path(__file__).with_name("watch_once.txt").read_text()
    check(pictures == golden, "not the pictures of watch_once.txt:\n" + pictures)
    for columns, rows in ((40, 10), (80, 24), (132, 50)):
        watch = Watch(folder, columns, rows)
        watch.until(lambda s: "RECORD" in s.line(0) and "q leave" in s.line(s.rows - 1))
        check(watch.screen.beyond == 0, f"{watch.screen.beyond} letters beyond {columns} x {rows}\n" + watch.screen.text())
        os.write(watch.master, b"?")
        watch.until(lambda s: "1-9" in s.text() and "course" in s.text())
        os.write(watch.master, b"?")
        watch.resize(60, 20)
        watch.until(lambda s: "RECORD" in s.line(0) and "q leave" in s.line(19))
        check(watch.screen.beyond == 0, "beyond the new size\n" + watch.screen.text())
        check(watch.leave() == 0, "not left well")


def running_test(folder):
    run = subprocess.Popen([PROGRAM, "run", TEST, "--out", folder, "--set", "mode=pseudo-dynamic", "--set", "clock=wall"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + PATIENCE
        while "RUNNING" not in (shown := once(folder)).stdout or "west 1" not in shown.stdout:
            check(time.monotonic() < end, shown.stdout + shown.stderr)
            time.sleep(0.1)
        watch = Watch(folder, 100, 24)
        watch.until(lambda s: "RUNNING" in s.line(0) and "west 1" in s.text())
        end = time.monotonic() + PATIENCE
        while not (status := json.loads(told("status", folder, "--json")))["time_s"] > 0.0:
            check(time.monotonic() < end, status)
        check([a["actuator"] for a in status["actuators"]] == ["1", "2", "1", "2"], status)
        check(status["actuators"][0]["limits"]["force"]["limit_N"] == 250000.0, status)
        check(status["actuators"][0]["measured_m"] is not None and status["eta_s"] is None, status)
        os.write(watch.master, b"h")
        watch.until(lambda s: "Reason" in s.line(23))
        os.write(watch.master, b"look at the grips\n")
        watch.until(lambda s: "HOLDING" in s.line(0) and "look at the grips" in s.text())
        check(watch.screen.beyond == 0, "beyond the screen\n" + watch.screen.text())
        held = told("status", folder)
        check(f"trestle resume {folder}" in held and "nearest limit" in held, held)
        # The process dies; what it had recorded is shown.
        run.kill()
        run.wait()
        watch.until(lambda s: "CUT OFF" in s.line(0) and "no process serves it" in s.text() and f"trestle resume {folder}" in s.text())
        check(watch.leave() == 0, "not left well")
    finally:
        run.kill()
        run.wait()


STEADY = ("--set", "mode=pseudo-dynamic", "--set", "clock=wall")
RUNNING = r"RUNNING \d+ %  \d+\.\d\d of 20\.00 s  (west|east) \d \w+ \d+ % \([\d.]+ of [\d.]+ [km]\w+(/s)?"


def line_of_a_run(folder):
    """On a terminal it renews itself, tells quantities, and says of a held test who, why and what helps."""
    run = Terminal(100, 24, "run", TEST, "--out", folder, *STEADY)
    try:
        run.until(lambda s: re.search(RUNNING, s.text()))
        check(run.screen.text().count("RUNNING") == 1, run.screen.text())
        told("hold", folder, "--reason", "look at the grips", "--as", "ada")
        run.until(lambda s: re.search(r"^HOLDING by ada.*: look at the.*  since .* s  trestle resume " + folder, s.text(), re.M))
        check(run.screen.beyond == 0, "beyond the width\n" + run.screen.text())
        check("RUNNING" not in run.screen.text(), run.screen.text())
        told("resume", folder)
        run.until(lambda s: re.search(RUNNING, s.text()))
        told("stop", folder)
        check(run.exit_code() == 3, "not stopped\n" + run.screen.text())
    finally:
        run.kill()


def lines_in_a_log(folder):
    """Elsewhere each is whole and plain; a site writes its own below what it logs."""
    example = pathlib.Path(TEST).parent
    sockets = {site: f"ipc://{os.getcwd()}/{site}.ipc" for site in ("west", "east")}
    west = Terminal(80, 24, "site", str(example / "site_west.yaml"), "--set", "listen=" + sockets["west"], "--out", "west")
    logs = {"east": ("site", str(example / "site_east.yaml"), "--set", "listen=" + sockets["east"], "--out", "east"),
            "run": ("run", str(example / "distributed.yaml"), "--out", folder, *STEADY,
                    *(word for site in sockets for word in ("--set", f"sites.{site}.address={sockets[site]}")))}
    started = []
    try:
        for name, words in logs.items():
            with open(name + ".log", "wb") as log:
                started.append(subprocess.Popen([PROGRAM, *words], stdout=subprocess.DEVNULL, stderr=log))
        west.until(lambda s: re.search(r"^RUNNING \d+ %  .* s  west \d \w+ \d+ % \(", s.text(), re.M))
        check(west.screen.beyond == 0 and west.screen.text().count("RUNNING ") <= 2, west.screen.text())
        for name in logs:
            end = time.monotonic() + PATIENCE
            while len(re.findall(r"(?m)^RUNNING \d+ %  .*step \d+$", text := pathlib.Path(name + ".log").read_text())) < 2:
                check(time.monotonic() < end, name + ":\n" + text)
                time.sleep(0.1)
            check("\x1b" not in text and "\r" not in text, name + ":\n" + text)
    finally:
        west.kill()
        for process in started:
            process.kill()
            process.wait()


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    check(once("nowhere").returncode == 2, "no folder")
    pathlib.Path("empty").mkdir()
    nothing = once("empty")
    check(nothing.returncode == 0 and "no test" in nothing.stdout, nothing.stdout)
    finished_record("done")
    running_test("running")
    line_of_a_run("terminal")
    lines_in_a_log("log")
