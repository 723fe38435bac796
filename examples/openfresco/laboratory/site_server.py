#!/usr/bin/env python3
"""Stands in for an OpenFresco site server with one spring behind it, by the documented protocol.

    site_server.py PORT [STIFFNESS]
"""
import socket
import struct
import sys


def read(client, count):
    got = b""
    while len(got) < count:
        more = client.recv(count - len(got))
        if not more:
            raise EOFError
        got += more
    return got


def serve(client, stiffness):
    sizes = struct.unpack("<11i", read(client, 44))  # values of each response out and back, reals of a message
    reals = sizes[10]
    displacement = when = 0.0
    while True:
        message = struct.unpack(f"<{reals}d", read(client, 8 * reals))
        if message[0] == 3:  # trial
            displacement, when = message[1], message[4]
        elif message[0] == 6:  # what was measured
            reply = (displacement, 0.0, 0.0, stiffness * displacement, when)
            client.sendall(struct.pack(f"<{reals}d", *reply, *[0.0] * (reals - 5)))
        elif message[0] == 99:  # the end
            return


def main():
    stiffness = float(sys.argv[2]) if len(sys.argv) > 2 else 50e3
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(sys.argv[1])))
    listener.listen(1)
    print(f"listens at {listener.getsockname()[1]}", flush=True)
    while True:
        client, _ = listener.accept()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            serve(client, stiffness)
        except (EOFError, ConnectionError):
            pass
        client.close()


if __name__ == "__main__":
    main()
