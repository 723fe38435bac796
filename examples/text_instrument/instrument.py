#!/usr/bin/env python3
"""Stands in for the LabVIEW program or instrument of site.yaml: one actuator with a spring, one line of text per command.

Answers one client at a time. With --delay, --silent, --garbage, --trip it misbehaves.
"""
import argparse
import select
import socket
import time

HIGHEST = 60.0  # [mm]


class Rig:
    def __init__(self, words):
        self.words, self.place, self.begun, self.heard = words, 0.0, time.monotonic(), 0

    def since(self, moment):
        return moment is not None and time.monotonic() - self.begun >= moment

    def answer(self, line):
        """The line that answers, or None."""
        self.heard += 1
        if self.since(self.words.silent):
            return None
        if self.since(self.words.garbage):
            return "\x07 7;7;"
        if line == "REMOTE ON" or line == "HOLD" or line == "STOP":
            return "OK"
        if line == "STATUS?":
            return "TRIPPED" if self.since(self.words.trip) else "READY"
        if line == "MEASURE?":
            return f"{self.place:+.6f}, {self.words.stiffness * self.place:+.6f}"
        if line == "OIL?":
            return "OIL 41.2 C"
        if line.startswith("MOVE "):
            place = float(line[5:])
            if abs(place) > HIGHEST:
                return f"ERROR {place:g} mm is beyond my stroke"
            self.place = place
            return "OK"
        return f"ERROR `{line}` is no command"


def serve(client, rig, end):
    begun = b""
    while time.monotonic() < end:
        if not select.select([client], [], [], 0.1)[0]:
            continue  # the watchdog of a real one: it stays where it is
        came = client.recv(4096)
        if not came:
            return
        *lines, begun = (begun + came).split(b"\n")
        for line in lines:
            answer = rig.answer(line.decode("ascii", "replace").rstrip("\r"))
            if rig.words.delay:
                time.sleep(rig.words.delay)
            if answer is not None:
                client.sendall(answer.encode() + b"\n")


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--port", type=int, default=5025, help="0: any that is free")
    words.add_argument("--stiffness", type=float, default=2.0, help="[kN/mm]")
    words.add_argument("--delay", type=float, default=0.0, help="of each answer [s]")
    words.add_argument("--silent", type=float, help="says nothing after so long [s]")
    words.add_argument("--garbage", type=float, help="says something else after so long [s]")
    words.add_argument("--trip", type=float, help="is not ready after so long [s]")
    words.add_argument("--seconds", type=float, default=3600.0, help="then it ends")
    rig = Rig(words.parse_args())
    end = time.monotonic() + rig.words.seconds
    with socket.create_server(("127.0.0.1", rig.words.port)) as listener:
        listener.settimeout(0.1)
        print(listener.getsockname()[1], flush=True)
        while time.monotonic() < end:
            try:
                client, _ = listener.accept()
            except socket.timeout:
                continue
            with client:
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                try:
                    serve(client, rig, end)
                except OSError:
                    continue


if __name__ == "__main__":
    main()
