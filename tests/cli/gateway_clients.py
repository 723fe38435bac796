#!/usr/bin/env python3
"""Clients that follow the protocols of OpenSees and OpenFresco, written from their documentation alone, drive the
program `trestle gateway openfresco` over real sockets.

    gateway_clients.py TRESTLE SITE_YAML [CASE ...]

Ends with 0 where every case held.
"""
import atexit
import csv
import gzip
import json
import math
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

PATIENCE_S = 30.0
GENERIC = (0, 0, 0, 1, 0)
SITE = (1, 1, 1, 1, 1)


class Gateway:
    """The program, and what it says."""

    def __init__(self, transport="tcp", sets=(), extra=(), site=None):
        self.folder = tempfile.mkdtemp(prefix="gateway.")
        command = [TRESTLE, "gateway", "openfresco", "--listen", "127.0.0.1:0", "--transport", transport, "--site",
                   site or SITE_YAML, "--out", self.folder + "/out", *extra]
        for each in sets:
            command += ["--set", each]
        self.said = self.folder + "/said"
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=open(self.said, "w"))
        atexit.register(self.abandon)
        self.port = int(self.wait_for(r"listens at \w+ 127\.0\.0\.1:(\d+)").group(1))

    def text(self):
        return open(self.said).read()

    def wait_for(self, pattern):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            found = re.search(pattern, self.text())
            if found:
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        raise AssertionError(f"the program never said {pattern}:\n{self.text()}")

    def summary(self, client):
        (folder,) = pathlib.Path(self.folder, "out").glob(f"*-{client:04d}")
        return json.load(open(folder / "summary.json")), folder

    def processor_time(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ask(self, verb):
        return subprocess.run([TRESTLE, verb, self.folder + "/out"], capture_output=True, text=True, timeout=PATIENCE_S)

    def abandon(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE_S)
        shutil.rmtree(self.folder)
        return code


class Client:
    def __init__(self, gateway, measured=GENERIC, data=256, transport="tcp", sizes=None):
        self.data, self.transport = data, transport
        self.force = sum(measured[:3])
        end = time.monotonic() + PATIENCE_S
        while True:  # it listens again when it has seen the last one leave
            self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM if transport == "tcp" else socket.SOCK_DGRAM)
            try:
                self.socket.connect(("127.0.0.1", gateway.port))
                break
            except ConnectionRefusedError:
                self.socket.close()
                assert time.monotonic() < end
                time.sleep(0.005)
        self.socket.settimeout(PATIENCE_S)
        if transport == "udp":
            self.socket.send(b"a")
            assert self.socket.recv(1) == b"b"
        self.socket.send(struct.pack("<11i", *(sizes or (1, 1, 1, 0, 1, *measured, data))))

    def say(self, code, displacement=0.0, when=0.0):
        values = [code, displacement, 0.0, 0.0, when]
        self.socket.send(struct.pack(f"<{self.data}d", *values, *[0.0] * (self.data - 5)))

    def ask(self, code, displacement=0.0, when=0.0):
        self.say(code, displacement, when)
        got = b""
        while len(got) < 8 * self.data:
            more = self.socket.recv(65536)
            assert more, "the gateway closed the connection"
            got += more
        return struct.unpack(f"<{self.data}d", got)

    def move(self, displacement, when=0.0):
        self.say(3, displacement, when)
        return self.ask(10, displacement, when)[self.force]

    def end(self):
        self.say(99)
        self.socket.close()


def elements_feel_the_law(transport, measured):
    gateway = Gateway(transport)
    client = Client(gateway, measured, transport=transport)
    assert client.ask(12)[0] == 2.8 and client.ask(13)[0] == 2.8
    assert client.ask(14)[0] == 0.0 and client.ask(15)[0] == 0.0
    for k in range(1000):
        d = 0.3 * math.sin(0.01 * k)
        assert abs(client.move(d, 0.01 * k) - 2.8 * d) <= 1e-12
        client.say(5, d, 0.01 * k)
    client.end()
    gateway.wait_for(r"complete after 1000 moves and 1000 commits")
    summary, folder = gateway.summary(1)
    assert summary["result"] == "complete" and summary["steps_done"] == 1000, summary
    assert (folder / "journal.db").exists() and (folder / "spring.db").exists()
    assert gateway.end() == 0


RECORDINGS = pathlib.Path(__file__).resolve().parent.parent / "data" / "openfresco"
FRAME = """gateway: frame
mode: simulated
sites:
  frame:
    interface: [a.x, a.y, b.x, b.y]
    rig: {specimen: {kind: linear, stiffness: [[2.8, 0, -2.8, 0], [0, 0, 0, 0], [-2.8, 0, 2.8, 0], [0, 0, 0, 0]]}}
"""


def replay(name, transport):
    """What a real OpenSees sent (tests/data/openfresco), without its pauses: the values are those that it got then, and
    the gateway sleeps over nothing that it holds."""
    site = None
    if "frame4" in name:
        site = tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False)
        site.write(FRAME)
        site.close()
        atexit.register(os.unlink, site.name)
    gateway = Gateway(transport, site=site and site.name)
    kind = socket.SOCK_STREAM if transport == "tcp" else socket.SOCK_DGRAM
    client = socket.socket(socket.AF_INET, kind)
    client.connect(("127.0.0.1", gateway.port))
    client.settimeout(PATIENCE_S)
    lines = [line.split() for line in gzip.open(RECORDINGS / name, "rt")]
    begun, compared = time.monotonic(), 0
    sent = b""
    for at, (_, way, text) in enumerate(lines):
        piece = bytes.fromhex(text)
        if way == ">":
            client.send(piece)
            sent = (sent + piece)[-2048:]  # the last whole message: 256 reals
            continue
        if at + 1 < len(lines) and lines[at + 1][1] == "<" and transport == "tcp":
            lines[at + 1][2] = text + lines[at + 1][2]  # an answer that came in two pieces
            continue
        got = b""
        while len(got) < len(piece):
            more = client.recv(65536 if transport == "udp" else len(piece) - len(got))
            assert more, "the gateway closed the connection"
            got += more
        if len(piece) == 1:
            assert got == piece
            continue
        used = {10: 4, 12: 16, 13: 16, 14: 16, 15: 16}
        code = int(struct.unpack("<d", sent[:8])[0])
        for ours, theirs in zip(struct.unpack(f"<{used[code]}d", got[:8 * used[code]]),
                                struct.unpack(f"<{used[code]}d", piece[:8 * used[code]])):
            assert abs(ours - theirs) <= 1e-12, (name, at, code, ours, theirs)
            compared += 1
    client.close()
    said = gateway.wait_for(r"complete after (\d+) moves and (\d+) commits \((\d+) answers, (\d+) waits ran out\)")
    moves, commits, answers, expired = (int(said.group(n)) for n in range(1, 5))
    assert commits == 60 and compared > 0, said.group(0)
    # A lost wake-up would cost one of them at every move. Some are this host's, where others take its time.
    assert expired <= moves // 4, said.group(0)
    print(f"{name}: {moves} moves, {answers} answers, {expired} waits ran out, "
          f"{1e6 * (time.monotonic() - begun) / commits:.0f} us a step with this client", flush=True)
    assert gateway.end() == 0


def case_real_opensees_over_tcp():
    for recording in sorted(RECORDINGS.glob("opensees_[!u]*.gz")):
        replay(recording.name, "tcp")


def case_real_opensees_over_udp():
    for recording in sorted(RECORDINGS.glob("opensees_udp_*.gz")):
        replay(recording.name, "udp")


def case_law_tcp_generic():
    elements_feel_the_law("tcp", GENERIC)


def case_law_tcp_site():
    elements_feel_the_law("tcp", SITE)


def case_law_udp_generic():
    elements_feel_the_law("udp", GENERIC)


def case_law_udp_site():
    elements_feel_the_law("udp", SITE)


def case_killed_client():
    """A client that is killed: the site is halted, and the next one is served."""
    gateway = Gateway()
    for number in range(1, 4):
        client = Client(gateway)
        assert abs(client.move(0.1) - 0.28) <= 1e-12
        client.socket.close()
        gateway.wait_for(rf"record \S*-{number:04d}[\s\S]*peer lost after 1 moves")
        summary, folder = gateway.summary(number)
        assert "went away" in summary["reason"], summary
        exported = subprocess.run([TRESTLE, "export", str(folder), "--csv", "-"], capture_output=True, text=True,
                                  timeout=PATIENCE_S)
        assert exported.returncode == 0, exported
        (row,) = csv.DictReader(exported.stdout.splitlines())
        assert abs(float(row["spring.tip.x.force_N"]) - 0.28) <= 1e-12, row
        assert float(row["client.tip.x.disp_m"]) == 0.1, row
    client = Client(gateway)
    assert abs(client.move(0.2) - 0.56) <= 1e-12
    client.end()
    gateway.wait_for("complete after 1 moves")
    assert gateway.end() == 0


def case_killed_while_moving():
    """A client that is killed while a rig moves slowly is missed before the rig is there."""
    gateway = Gateway(sets=["mode=pseudo-dynamic", "pseudo_dynamic.rate=10 mm/s", "sites.spring.control_tick=1 ms"])
    client = Client(gateway)
    client.move(0.0)
    begun = time.monotonic()
    client.say(3, 0.9)  # 90 s away
    time.sleep(0.5)
    client.socket.close()
    gateway.wait_for("peer lost")
    assert time.monotonic() - begun < 20.0
    assert "while the rig was moving" in gateway.summary(1)[0]["reason"]
    client = Client(gateway)
    client.move(0.0)
    client.end()
    gateway.wait_for("complete after 1 moves")
    assert gateway.end() == 0


def case_beyond_the_limit():
    """A trial beyond the site's limit moves nothing; the client is answered until it leaves."""
    gateway = Gateway()
    client = Client(gateway)
    assert abs(client.move(0.5) - 1.4) <= 1e-12
    assert abs(client.move(1.5) - 1.4) <= 1e-12
    gateway.wait_for("stopped after 1 moves")
    for d in (0.1, 0.2):
        assert abs(client.move(d) - 1.4) <= 1e-12
        client.say(5, d)
    summary, _ = gateway.summary(1)
    assert "tip.x" in summary["reason"] and "1500 mm" in summary["reason"], summary
    client.end()
    client = Client(gateway)
    assert abs(client.move(0.5) - 1.4) <= 1e-12
    client.end()
    assert gateway.end() == 0


def case_not_finite():
    gateway = Gateway()
    client = Client(gateway)
    client.move(0.5)
    client.say(3, math.nan)
    gateway.wait_for("stopped after 1 moves.*not finite")
    assert abs(client.ask(10)[0] - 1.4) <= 1e-12
    client.end()
    assert gateway.end() == 0


def case_wrong_sizes_and_early_close():
    gateway = Gateway()
    for sizes in ((2, 2, 2, 0, 1, 0, 0, 0, 2, 0, 256), (1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 256),
                  (1, 1, 1, 0, 1, 0, 0, 0, 1, 0, -5), (1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 2_000_000_000)):
        client = Client(gateway, sizes=sizes)
        try:
            assert client.socket.recv(1) == b""
        except ConnectionResetError:
            pass
    early = Client(gateway)
    early.socket.close()
    for garbage in (b"GET / HTTP/1.1\r\n\r\n" * 5, os.urandom(5000), b"\x01"):
        with connected(gateway) as raw:
            raw.send(garbage)
    for more in range(50, -1, -1):  # one that ended is the client until the gateway has heard that it did
        client = Client(gateway)
        try:
            moved = client.move(0.5)
            break
        except ConnectionError:
            if more == 0:
                raise
    assert abs(moved - 1.4) <= 1e-12
    client.end()
    gateway.wait_for("complete after 1 moves")
    assert gateway.end() == 0


def connected(gateway):
    """A bare connection: while the gateway serves a client, it listens to nobody else."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", gateway.port))
        except ConnectionRefusedError:
            if time.monotonic() >= end:
                raise
            time.sleep(0.005)


def case_second_client():
    gateway = Gateway()
    client = Client(gateway)
    assert abs(client.move(0.5) - 1.4) <= 1e-12
    try:
        socket.create_connection(("127.0.0.1", gateway.port))
        raise AssertionError("a second client was let in")
    except ConnectionRefusedError:
        pass
    assert abs(client.move(0.6) - 1.68) <= 1e-12
    client.end()
    client = Client(gateway)
    client.move(0.1)
    client.end()
    assert gateway.end() == 0


def case_open_to_the_network():
    """An address that others can reach needs a list of clients, or somebody's word for it."""
    def started(*sets):
        folder = tempfile.mkdtemp(prefix="gateway.")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        command = [TRESTLE, "gateway", "openfresco", "--listen", "0.0.0.0:0", "--site", SITE_YAML, "--out", folder + "/out"]
        for each in sets:
            command += ["--set", each]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=open(folder + "/said", "w"))
        atexit.register(process.kill)

        def said():
            return open(folder + "/said").read()

        wait_until(lambda: process.poll() is not None or "listens at" in said())
        return process, said()

    process, said = started()
    assert process.poll() == 2 and "allow" in said and "insecure" in said, (process.poll(), said)
    for lifted in ("allow=[127.0.0.1]", "security.insecure=true"):
        process, said = started(lifted)
        assert process.poll() is None and "listens at" in said, (lifted, said)
        process.terminate()
        assert process.wait(PATIENCE_S) == 0


def case_silent_caller():
    """Who calls and says nothing keeps nobody waiting."""
    gateway = Gateway()
    silent = [socket.create_connection(("127.0.0.1", gateway.port)) for _ in range(3)]
    client = Client(gateway)
    assert abs(client.move(0.5) - 1.4) <= 1e-12
    gateway.wait_for("one port serves one client")
    client.end()
    gateway.wait_for("complete after 1 moves")
    assert gateway.end() == 0
    for each in silent:
        each.close()


def case_operator():
    """The operator sees whom it waits for, and stops it while a client is there."""
    gateway = Gateway()
    waits = gateway.ask("why")
    assert "call at 127.0.0.1" in waits.stdout, waits
    client = Client(gateway)
    client.move(0.5)
    waits = gateway.ask("why")
    assert "client 127.0.0.1" in waits.stdout, waits
    assert gateway.end() == 0


def case_real_equipment():
    """Nothing moves before an operator's word; the client waits, the program rests, and a client that gives up ends it."""
    gateway = Gateway(sets=["mode=pseudo-dynamic", "pseudo_dynamic.rate=100 mm/s", "pseudo_dynamic.settle=5 ms",
                            "pseudo_dynamic.average=5 ms", "sites.spring.control_tick=1 ms",
                            "sites.spring.limits.actuators=[{displacement: 1 m, rate: 1 m/s, force: 1 kN}]",
                            "sites.spring.as_real_equipment=true"])
    client = Client(gateway)
    client.say(3, 0.0)
    client.say(10, 0.0)
    gateway.wait_for("begins; record")
    wait_until(lambda: "word to arm" in gateway.ask("why").stdout)
    before = gateway.processor_time()
    time.sleep(1.0)
    assert gateway.processor_time() - before < 0.5
    client.socket.close()
    gateway.wait_for("stopped after 0 moves.*went away")
    client = Client(gateway)
    client.say(3, 0.001)
    gateway.process.send_signal(signal.SIGTSTP)  # Ctrl-Z: nobody would hold the rig
    wait_until(lambda: gateway.ask("arm").returncode == 0)
    assert abs(client.ask(10)[0] - 0.0028) <= 1e-12
    client.end()
    gateway.wait_for("complete after 1 moves")
    assert gateway.end() == 0


def wait_until(holds):
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def case_silent_udp_client():
    gateway = Gateway("udp", sets=["patience=500 ms"])
    client = Client(gateway, transport="udp")
    client.move(0.5)
    gateway.wait_for("silent for longer than")
    client = Client(gateway, transport="udp")
    assert abs(client.move(0.1) - 0.28) <= 1e-12
    assert gateway.end() == 0


def case_pseudo_dynamic():
    """The reply waits for the rig: ramp, rest, mean; a Newton iteration that moves nothing costs nothing."""
    gateway = Gateway(sets=["mode=pseudo-dynamic", "pseudo_dynamic.rate=100 mm/s", "pseudo_dynamic.settle=5 ms",
                            "pseudo_dynamic.average=5 ms", "sites.spring.control_tick=1 ms"])
    client = Client(gateway, SITE)
    for k, d in enumerate((0.0, 0.001, 0.002, 0.0)):
        assert abs(client.move(d, k) - 2.8 * d) <= 1e-12
        assert abs(client.move(d, k) - 2.8 * d) <= 1e-12
        client.say(5, d, k)
    client.end()
    gateway.wait_for("complete after 4 moves and 4 commits")
    assert gateway.end() == 0


if __name__ == "__main__":
    TRESTLE, SITE_YAML = sys.argv[1:3]
    cases = sys.argv[3:] or [name[5:] for name in list(globals()) if name.startswith("case_")]
    for case in cases:
        begun = time.monotonic()
        globals()["case_" + case]()
        print(f"{case}: {time.monotonic() - begun:.1f} s", flush=True)
