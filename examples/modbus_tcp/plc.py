#!/usr/bin/env python3
"""Plays the PLC of site.yaml: one jack with a spring behind it, over Modbus/TCP.

Holding 10 is the heartbeat that it watches, 11 the order (1 follow, 2 hold, 3 stop), 20 and 21 the command [mm].
Input 0 and 1 are the displacement [mm], 2 and 3 the force [N], 4 and 5 the command in force [mm], 6 the status.
"""
import argparse
import socketserver
import struct
import threading
import time

FOLLOW, HOLD = 1, 2
SILENT = 4  # status after the watchdog, until the site orders to hold


class Jack:
    """The PLC's registers, and the jack behind them, which moves at most at its speed."""

    def __init__(self, words):
        self.words, self.lock = words, threading.Lock()
        self.holding, self.place, self.command, self.status = {}, 0.0, 0.0, 0
        self.beat, self.beaten_at, self.moved_at = None, time.monotonic(), time.monotonic()

    def advance(self):
        now = time.monotonic()
        if self.holding.get(10) != self.beat:
            self.beat, self.beaten_at = self.holding.get(10), now
        follows = self.holding.get(11) == FOLLOW
        if follows and now - self.beaten_at > self.words.watchdog:
            self.holding[11], self.status, follows = HOLD, SILENT, False  # the PLC's own watchdog
            print("watchdog: the site is silent, the jack holds", flush=True)
        if follows:
            self.command = struct.unpack(">f", struct.pack(">2H", self.holding.get(20, 0), self.holding.get(21, 0)))[0]
        step = self.words.speed * (now - self.moved_at)
        self.moved_at = now
        if follows:
            self.place += max(-step, min(step, self.command - self.place))
        else:
            self.command = self.place

    def inputs(self):
        force = round(1e3 * self.words.stiffness * self.place)
        return struct.unpack(">7H", struct.pack(">fifH", self.place, force, self.command, self.status))

    def answer(self, request):
        """The answer to one request: the function code and what follows it."""
        with self.lock:
            self.advance()
            function, address, value = struct.unpack(">BHH", request[:5])
            if function in (3, 4) and 1 <= value <= 125:
                row = self.inputs() if function == 4 else [self.holding.get(i, 0) for i in range(address + value)]
                if address + value > len(row):
                    return bytes((function | 0x80, 2))  # illegal data address
                return struct.pack(f">BB{value}H", function, 2 * value, *row[address:address + value])
            if function == 6:
                self.holding[address] = value
                if (address, value) == (11, HOLD):
                    self.status = 0
                return request[:5]
            if function == 16 and len(request) == 6 + 2 * value:
                self.holding.update(enumerate(struct.unpack(f">{value}H", request[6:]), address))
                return request[:5]
            return bytes((function | 0x80, 1))  # illegal function


class Client(socketserver.StreamRequestHandler):
    def handle(self):
        while len(head := self.rfile.read(7)) == 7:
            transaction, protocol, length, unit = struct.unpack(">HHHB", head)
            answer = self.server.jack.answer(self.rfile.read(length - 1))
            time.sleep(self.server.jack.words.delay)
            self.wfile.write(struct.pack(">HHHB", transaction, protocol, len(answer) + 1, unit) + answer)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--listen", default="127.0.0.1:1502")
    words.add_argument("--stiffness", type=float, default=0.028, help="[kN/mm]")
    words.add_argument("--speed", type=float, default=50.0, help="of the jack, at most [mm/s]")
    words.add_argument("--watchdog", type=float, default=1.0, help="holds after so long without a new heartbeat [s]")
    words.add_argument("--delay", type=float, default=0.0, help="of each answer [s]")
    asked = words.parse_args()
    host, port = asked.listen.rsplit(":", 1)
    with Server((host, int(port)), Client) as server:
        server.jack = Jack(asked)
        print(f"listens at {server.server_address[1]}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
