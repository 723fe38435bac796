"""A client of the live page, on the standard library alone: HTTP requests, and a small WebSocket."""
import base64
import http.client
import json
import os
import re
import select
import socket
import struct
import subprocess
import time

PATIENCE = 60  # [s]


class Server:
    """trestle watch --listen, on a port that is free; `trusted`: an ssl.SSLContext, where it speaks TLS."""

    def __init__(self, program, folder, *more, trusted=None):
        self.trusted = trusted
        self.scheme = "https" if trusted else "http"
        self.process = subprocess.Popen([program, "watch", folder, "--listen", "127.0.0.1:0", *more],
                                        stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.fullmatch(self.scheme + r"://127\.0\.0\.1:(\d+)/#([0-9a-f]{32})\n", line)
        assert found, f"the address is {line!r}"
        self.port, self.token = int(found.group(1)), found.group(2)
        self.host = f"127.0.0.1:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def request(self, path, method="GET", token=True, body=None, **headers):
        """Status, headers and text of an answer."""
        connection = (http.client.HTTPSConnection(*self.host.split(":"), timeout=PATIENCE, context=self.trusted) if self.trusted
                      else http.client.HTTPConnection(*self.host.split(":"), timeout=PATIENCE))
        fields = {key.replace("_", "-"): value for key, value in headers.items()}
        if token:
            fields["Authorization"] = f"Bearer {self.token if token is True else token}"
        connection.request(method, path, body=body, headers=fields)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, answer.headers, text

    def json(self, path):
        status, _, text = self.request(path)
        assert status == 200, (path, status, text)
        return json.loads(text)

    def memory(self):
        """Largest resident memory so far [bytes]."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))


class Page:
    """A WebSocket of a page. `reads=False`: it never takes anything."""

    def __init__(self, server, buffer=None, **headers):
        self.events = []
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", server.port))
        if server.trusted:
            self.socket = server.trusted.wrap_socket(self.socket, server_hostname="127.0.0.1")
        fields = {"Host": server.host, "Origin": f"{server.scheme}://{server.host}", "Upgrade": "websocket", "Connection": "Upgrade",
                  "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Version": "13",
                  "Sec-WebSocket-Protocol": "trestle.live.1", "Authorization": f"Bearer {server.token}", **headers}
        lines = "".join(f"{key.replace('_', '-')}: {value}\r\n" for key, value in fields.items() if value is not None)
        self.socket.sendall(f"GET /live HTTP/1.1\r\n{lines}\r\n".encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            data = self.socket.recv(4096)
            assert data, "the connection was closed"
            self.rest += data
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        self.status = int(head.split()[1])

    def close(self):
        self.socket.close()

    def send_frame(self, code, data):
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        mask = os.urandom(4)
        self.socket.sendall(bytes([0x80 | code]) + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def say(self, **message):
        self.send_frame(1, json.dumps(message).encode())

    def take(self, count):
        while len(self.rest) < count:
            data = self.socket.recv(65536)
            if not data:
                raise ConnectionError("closed")
            self.rest += data
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def hear(self):
        """A message as an object, a frame as bytes, a close as None."""
        while True:
            first, size = self.take(2)
            if size == 126:
                size, = struct.unpack(">H", self.take(2))
            elif size == 127:
                size, = struct.unpack(">Q", self.take(8))
            data = self.take(size)
            code = first & 15
            if code == 1:
                message = json.loads(data)
                if message["type"] == "event":
                    self.events.append(message)
                return message
            if code == 2:
                return data
            if code == 8:
                return None
            if code == 9:
                self.send_frame(10, data)

    def hear_until(self, wanted, patience=PATIENCE):
        """The first message for which `wanted` is true."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            message = self.hear()
            assert message is not None, "the server closed the connection"
            if isinstance(message, bytes):
                self.say(type="ack")
            if wanted(message):
                return message
        raise AssertionError("not heard in time")

    def has_more(self):
        return bool(self.rest) or bool(select.select([self.socket], [], [], 0)[0])


def frame(data):
    """id, first row, rows a bucket, and per channel its arrays."""
    magic, number, channels, first, rows, count = struct.unpack_from("<4sHHqII", data)
    assert magic == b"TRW1", magic
    values = struct.unpack_from(f"<{(len(data) - 24) // 8}d", data, 24)
    arrays = len(values) // max(count, 1) // max(channels, 1) if count else 0
    return {"id": number, "first": first, "rows": rows, "count": count,
            "low": [values[i * arrays * count:i * arrays * count + count] for i in range(channels)],
            "high": [values[i * arrays * count + (arrays - 1) * count:(i + 1) * arrays * count] for i in range(channels)]}
