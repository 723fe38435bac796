#!/usr/bin/env python3
"""A test of ours moves what stands behind an OpenFresco site server: the program's plug-in, a site server of ours, an
operator who arms, and a peer that follows the documented protocol.

    openfresco_laboratory.py TRESTLE EXAMPLE_FOLDER [moves|silent|lost]

`silent`: a laboratory that takes the call and never answers. `lost`: one whose process dies in the middle of a test, and comes
back with the specimen where it stood. Ends with 0 where all of it held. The host may be slow: that an answer comes within `settle` is not asked for here.
"""
import atexit
import csv
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

PATIENCE_S = 60.0
STIFFNESS = 2.8e4


def start(name, *command):
    said = f"{FOLDER}/{name}.said"
    process = subprocess.Popen(command, stdout=open(said, "w"), stderr=subprocess.STDOUT, cwd=FOLDER)
    atexit.register(process.kill)
    return process, said


def wait_for(said, pattern):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        found = re.search(pattern, open(said).read())
        if found:
            return found.group(1)
        time.sleep(0.02)
    raise AssertionError(f"{said} never said {pattern}:\n{open(said).read()}")


def silent():
    """The site hears and answers meanwhile, the true cause reaches the operator, and SIGTERM ends it while it waits.

    In its second part a site that blocks would answer nobody for 600 s, longer than we wait."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = "127.0.0.1:%d" % listener.getsockname()[1]

    def start_site(name, patience):
        process, said = start(name, TRESTLE, "site", f"{EXAMPLE}/site.yaml", "--out", name, "--set", "listen=tcp://127.0.0.1:0",
                              "--set", f"adapter.settings.server={server}", "--set", f"adapter.settings.connect={patience}")
        return process, wait_for(said, r"listens at (tcp://\S+)")

    def start_test(name, address):
        return start(name, TRESTLE, "run", f"{EXAMPLE}/test.yaml", "--out", f"{name}.run", "--set",
                     f"sites.lab.address={address}", "--set", "deadlines.connect=4 s")

    def standing(name):
        asked = subprocess.run([TRESTLE, "why", name], cwd=FOLDER, capture_output=True, text=True, timeout=PATIENCE_S)
        return asked.stdout + asked.stderr

    # The site waits for the laboratory longer than the integrator waits for a message: still, the sentence states the cause.
    site, address = start_site("site", "8 s")
    test, said = start_test("test", address)
    end = time.monotonic() + PATIENCE_S
    while "get ready" not in standing("site") and test.poll() is None:
        assert time.monotonic() < end
    text = standing("site")
    assert test.poll() is not None or "get ready" in text, text
    assert test.wait(PATIENCE_S) != 0
    text = open(said).read()
    assert "no first measurement from the OpenFresco server" in text, text
    assert "no agreement" not in text, text
    # In the midst of it.
    site.terminate()
    site.wait(PATIENCE_S)
    site, address = start_site("again", "600 s")
    test, said = start_test("test2", address)
    end = time.monotonic() + PATIENCE_S
    while "get ready" not in standing("again"):
        assert time.monotonic() < end, standing("again")
    site.send_signal(signal.SIGTERM)
    site.wait(PATIENCE_S)
    test.terminate()
    test.wait(PATIENCE_S)


def moves():
    _, said = start("peer", sys.executable, f"{EXAMPLE}/site_server.py", "0", str(STIFFNESS))
    server = "127.0.0.1:" + wait_for(said, r"listens at (\d+)")
    for isolation in "none", "process":
        checked = subprocess.run([TRESTLE, "adapter", "check", f"{EXAMPLE}/site.yaml", "--settings", f"server={server}",
                                  "--isolation", isolation, "--write"], capture_output=True, text=True, timeout=PATIENCE_S)
        assert "neither blocks nor allocates" in checked.stdout, checked.stdout + checked.stderr
        # How long a read may take is the quiet host's to say, not this one's.
        broken = [line for line in checked.stdout.splitlines() if " BROKEN " in line]
        assert all("less than a tick" in line for line in broken), checked.stdout + checked.stderr
    site, said = start("site", TRESTLE, "site", f"{EXAMPLE}/site.yaml", "--out", "site", "--set",
                       "listen=tcp://127.0.0.1:0", "--set", f"adapter.settings.server={server}", "--set",
                       "adapter.settings.stale=20 s", "--set", "control_thread.most_overruns=1000000", "--set", "adapter.overruns=1000000")
    address = wait_for(said, r"listens at (tcp://\S+)")
    test, said = start("test", TRESTLE, "run", f"{EXAMPLE}/test.yaml", "--out", "run", "--set", f"sites.lab.address={address}",
                       "--set", "duration=0.4 s", "--set", "pseudo_dynamic.settle=50 ms")
    wait_for(said, r"(the operator's word to arm)")
    armed = subprocess.run([TRESTLE, "arm", "run"], cwd=FOLDER, capture_output=True, text=True, timeout=PATIENCE_S)
    assert armed.returncode == 0, armed
    assert test.wait(PATIENCE_S) == 0, open(said).read()
    exported = subprocess.run([TRESTLE, "export", "run", "--csv", "-"], cwd=FOLDER, capture_output=True, text=True,
                              timeout=PATIENCE_S)
    rows = list(csv.DictReader(exported.stdout.splitlines()))
    assert len(rows) >= 20, exported
    assert max(abs(float(row["lab.low.x.measured_m"])) for row in rows) > 1e-5
    for row in rows:  # a mean of a few readings, each one multiplication
        force, where = float(row["lab.low.x.force_N"]), float(row["lab.low.x.measured_m"])
        assert abs(force - STIFFNESS * where) <= 1e-12 * STIFFNESS, row
    site.terminate()
    assert site.wait(PATIENCE_S) == 0


def laboratory(port, place, log):
    """A site server whose specimen is at the position in the file `place`, also after a restart; `log` gets every trial,
    and `log`.asked a byte for every measurement."""
    sys.dont_write_bytecode = True  # nothing is left in the source tree
    sys.path.insert(0, EXAMPLE)
    from site_server import read
    with socket.create_server(("127.0.0.1", int(port))) as listener:
        print(f"listens at {listener.getsockname()[1]}", flush=True)
        while True:
            client, _ = listener.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                reals = struct.unpack("<11i", read(client, 44))[10]
                while True:
                    message = struct.unpack(f"<{reals}d", read(client, 8 * reals))
                    if message[0] == 3:
                        with open(place + ".new", "w") as file:
                            file.write(repr(message[1]))
                        os.replace(place + ".new", place)
                        with open(log, "a") as file:
                            file.write(f"{message[1]!r}\n")
                    elif message[0] == 6:
                        where = float(open(place).read())
                        with open(log + ".asked", "a") as file:
                            file.write(".")
                        client.sendall(struct.pack(f"<{reals}d", where, 0.0, 0.0, STIFFNESS * where, *[0.0] * (reals - 4)))
                    elif message[0] == 99:
                        break
            except (EOFError, ConnectionError):
                pass
            client.close()


def leaves_the_way(trials, waypoints):
    """Index of the first trial that is not between two waypoints, taken in their order, or None. However long an answer
    takes, and however many drives pass meanwhile, the specimen moves on this way."""
    at = 0
    for n, trial in enumerate(trials):
        while not min(waypoints[at:at + 2]) - 1e-12 <= trial <= max(waypoints[at:at + 2]) + 1e-12:
            at += 1
            if at == len(waypoints) - 1:
                return n
    return None


def lost():
    """It is called again, `clear` offers to go on when it has answered, and the test comes to its end from the same step."""
    place, log = f"{FOLDER}/place", f"{FOLDER}/trials"
    with open(place, "w") as file:
        file.write("0.0")

    def start_laboratory(name, port):
        process, said = start(name, sys.executable, os.path.abspath(__file__), TRESTLE, EXAMPLE, "laboratory", port, place, log)
        return process, wait_for(said, r"listens at (\d+)")

    def state(where):
        asked = subprocess.run([TRESTLE, "status", where, "--json"], cwd=FOLDER, capture_output=True, text=True,
                               timeout=PATIENCE_S)
        return json.loads(asked.stdout) if asked.returncode == 0 else {"state": "", "step": None}

    def until(what, condition):
        end = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < end, f"{what}: {state('run')}, {state('site')}"
            time.sleep(0.05)

    def tell(*words):
        return subprocess.run([TRESTLE, *words], cwd=FOLDER, capture_output=True, text=True, timeout=PATIENCE_S)

    peer, port = start_laboratory("first", "0")
    site, said = start("site", TRESTLE, "site", f"{EXAMPLE}/site.yaml", "--out", "site", "--set", "listen=tcp://127.0.0.1:0",
                       "--set", f"adapter.settings.server=127.0.0.1:{port}", "--set", "adapter.settings.stale=20 s", "--set",
                       "adapter.settings.connect=5 s", "--set", "control_thread.most_overruns=1000000", "--set", "adapter.overruns=1000000")
    address = wait_for(said, r"listens at (tcp://\S+)")
    test, said = start("test", TRESTLE, "run", f"{EXAMPLE}/test.yaml", "--out", "run", "--set", f"sites.lab.address={address}",
                       "--set", "duration=0.8 s", "--set", "pseudo_dynamic.settle=50 ms")
    wait_for(said, r"(the operator's word to arm)")
    assert tell("arm", "run").returncode == 0
    until("step 8", lambda: (state("run")["step"] or 0) >= 8)
    peer.kill()
    peer.wait()
    until("FAULT", lambda: state("site")["state"] == "FAULT")
    step = state("run")["step"]
    until("the test holds", lambda: state("run")["state"] == "HOLDING")
    # While the laboratory is away no test can be resumed.
    cleared = tell("clear", "site")
    assert cleared.returncode != 0 and state("site")["state"] == "FAULT", cleared
    assert "called again every second" in state("site")["state_reason"], state("site")
    before = [float(line) for line in open(log)]
    start_laboratory("second", port)
    until("clear offers to go on", lambda: tell("clear", "site").returncode == 0 and state("site")["state"] == "HOLDING")
    asked = os.path.getsize(log + ".asked")
    until("more measurements", lambda: os.path.getsize(log + ".asked") >= asked + 20 or state("site")["state"] != "HOLDING")
    assert state("site")["state"] == "HOLDING", "the fault is there again"
    assert [float(line) for line in open(log)] == before, "it moved before anybody said so"
    resumed = tell("resume", "run")
    assert resumed.returncode == 0, resumed
    assert test.wait(PATIENCE_S) == 0, open(said).read()
    trials = [float(line) for line in open(log)]
    rows = list(csv.DictReader(tell("export", "run", "--csv", "-").stdout.splitlines()))
    # From where it stood to one target after the other, and home.
    waypoints = before[-1:] + [float(row["lab.low.x.target_m"]) for row in rows[step:]] + [0.0]
    astray = leaves_the_way(trials[len(before):], waypoints)
    assert astray is None, f"trial {len(before) + astray} of {trials} leaves the way {waypoints}"
    assert len(rows) == 41 and step < 39, (len(rows), step)
    for row in rows:
        force, where = float(row["lab.low.x.force_N"]), float(row["lab.low.x.measured_m"])
        assert abs(force - STIFFNESS * where) <= 1e-9 * STIFFNESS, row
    site.terminate()
    assert site.wait(PATIENCE_S) == 0


if __name__ == "__main__":
    TRESTLE, EXAMPLE = sys.argv[1:3]
    FOLDER = tempfile.mkdtemp(prefix="laboratory.")
    atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
    if sys.argv[3:4] == ["laboratory"]:
        laboratory(*sys.argv[4:])
    {"silent": silent, "lost": lost}.get("".join(sys.argv[3:]), moves)()
