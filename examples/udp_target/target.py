#!/usr/bin/env python3
"""Stands in for the real-time target of site.yaml: two actuators with springs behind them.

Answers each frame with one. With --loss, --delay, --garbage, --quiet it misbehaves.
"""
import argparse
import random
import socket
import struct
import time
import zlib

OUT = struct.Struct("<IIB3x2f")
IN = struct.Struct("<IIIB3x4fh2x")
IDLE, FOLLOW, HOLD, STOP = range(4)


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--listen", default="127.0.0.1:5001")
    words.add_argument("--stiffness", type=float, default=10.0, help="[kN/mm]")
    words.add_argument("--loss", type=float, default=0.0, help="of frames, 0 to 1")
    words.add_argument("--garbage", type=float, default=0.0, help="frames of noise, 0 to 1")
    words.add_argument("--delay", type=float, default=0.0, help="of each answer [s]")
    words.add_argument("--quiet", type=float, nargs=2, metavar=("AFTER", "FOR"),
                       help="says nothing for so long [s]")
    words.add_argument("--trip", type=float, help="status 3 after so long [s]")
    words.add_argument("--seconds", type=float, default=3600.0, help="then it ends")
    asked = words.parse_args()
    host, port = asked.listen.rsplit(":", 1)
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.bind((host, int(port)))
    link.settimeout(0.1)
    dice = random.Random(1)
    place, sequence, begun, end = [0.0, 0.0], 0, None, time.monotonic() + asked.seconds
    while time.monotonic() < end:
        try:
            frame, site = link.recvfrom(2048)
        except socket.timeout:
            continue  # the watchdog: it stays where it is
        if len(frame) != OUT.size + 4 or \
                zlib.crc32(frame[:-4]) != struct.unpack("<I", frame[-4:])[0]:
            continue
        _, echo, command, first, second = OUT.unpack(frame[:-4])
        if command == FOLLOW:
            place = [first, second]
            begun = begun or time.monotonic()
        since = time.monotonic() - begun if begun else 0.0
        quiet = asked.quiet and asked.quiet[0] <= since < sum(asked.quiet)
        if quiet or dice.random() < asked.loss:
            continue
        sequence = (sequence + 1) & 0xFFFFFFFF
        status = 3 if asked.trip is not None and begun and since > asked.trip else 0
        answer = IN.pack(0x7255, sequence, echo, status, *place,
                         *(asked.stiffness * x for x in place), 412)
        answer += struct.pack("<I", zlib.crc32(answer))
        if dice.random() < asked.garbage:
            link.sendto(dice.randbytes(len(answer)), site)
        if asked.delay:
            time.sleep(asked.delay)
        link.sendto(answer, site)


if __name__ == "__main__":
    main()
