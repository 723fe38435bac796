#!/usr/bin/env python3
"""Serves the live page with a record that it moves by itself, in place of `trestle watch --listen`: for the tests of the
page, and for trying it by hand. Speaks docs/reference/live-messages.md; standard library only.

    stand_in_server.py [--port 8080] [--speed 1] [--begin 17.99] [--state RUNNING] [--run DIR] [--second] [--viewer]
"""
import argparse
import asyncio
import base64
import collections
import hashlib
import json
import pathlib
import struct
import threading
import time
import urllib.parse

import stand_in_record

PAGE = pathlib.Path(__file__).resolve().parents[3] / "observe" / "page"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
          "frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
FRAMES_A_SECOND = 25
MOST_BUCKETS = 4096


class Client:
    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.subscriptions = {}
        self.before = {}   # the newest subscription for each picture, whichever its number
        self.free = True   # the last frame was acknowledged
        self.said = []     # messages from the page, for tests

    async def send(self, code, data):
        size = len(data)
        head = bytes([0x80 | code]) + (bytes([size]) if size < 126 else b"\x7e" + struct.pack(">H", size) if size < 65536
                                       else b"\x7f" + struct.pack(">Q", size))
        self.writer.write(head + data)
        await self.writer.drain()

    async def tell(self, message):
        await self.send(1, json.dumps(message).encode())

    async def hear(self):
        """The next message, or None at the end."""
        text = b""
        while True:
            first, second = await self.reader.readexactly(2)
            size = second & 0x7f
            if size == 126:
                size, = struct.unpack(">H", await self.reader.readexactly(2))
            elif size == 127:
                size, = struct.unpack(">Q", await self.reader.readexactly(8))
            mask = await self.reader.readexactly(4)
            data = await self.reader.readexactly(size)
            if first & 0x0f == 8:
                return None
            if first & 0x0f > 2:
                continue
            text += bytes(b ^ mask[i % 4] for i, b in enumerate(data))
            if first & 0x80:
                return json.loads(text)


class StandIn:
    """All of it may be changed by a test while it serves: `state`, `speed`, `silent`."""

    def __init__(self, record, second=None, begin=0.0, speed=1.0, viewer=False, token=""):
        self.records = [record] + ([second] if second else [])
        record.run["records"] = len(self.records)
        self.at, self.since, self.pace = begin, time.monotonic(), speed
        self.state, self.served, self.why, self.help = "RUNNING", True, "", ""
        self.silent = False
        self.more = {}  # keys of the standing that differ
        self.work_asked = 0
        self.work_read = None  # index to which the rows were read for the work; None: all
        self.no_record = False  # the test is not armed yet
        self.held = set()  # paths whose answers are on the way until a test takes them out
        self.failing = {}  # path -> how many more requests have no answer but 500
        self.asked = collections.Counter()  # (path, record) of each request
        self.growing = None  # rows of the second record, if it runs as well
        self.late_frames = False  # a frame of the subscription before is still on the way
        self.viewer, self.token = viewer, token
        self.frozen_since = None
        self.clients, self.said, self.violations = [], [], []
        self.largest = {}
        self.loop = self.server = None

    # ---- the test that is played ----
    @property
    def newest(self):
        moving = self.state == "RUNNING" and self.served
        at = self.at + ((time.monotonic() - self.since) * self.pace if moving else 0.0)
        record = self.records[0]
        return max(0, min(record.count - 1, int(at / record.spacing)))

    def top(self, number):
        """Index of the last row of a record."""
        return self.newest if number == 0 else (self.growing or self.records[1].count) - 1

    def change(self, state, why="", served=True, help_text="", pace=None):
        """Another state at this instant."""
        self.at, self.since = self.newest * self.records[0].spacing, time.monotonic()
        self.state, self.why, self.served, self.help = state, why, served, help_text
        self.pace = self.pace if pace is None else pace
        self.frozen_since = time.monotonic() if state != "RUNNING" else None

    def standing(self, number):
        record = self.records[number]
        k = self.top(number)
        moving = number == 0 and self.state == "RUNNING" and self.served
        left = (record.count - k) * record.spacing / self.pace if moving and self.pace else None
        standing = {"type": "standing", "record": number, "state": self.state if number == 0 else "COMPLETE", "served": number == 0 and self.served,
                "session": record.run["session"], "why": self.why or ("Waits for east (tcp://lab-east:7001): answer to step %d, since 0.06 s; in 9.9 s the test holds" % (k + 1)),
                "help": self.help, "step": k, "steps_planned": record.run["steps_planned"], "time_s": k * record.spacing,
                "rate": self.pace / record.spacing if moving else None,
                "stands_still_s": time.monotonic() - self.frozen_since if self.frozen_since else 0.06,
                "left": {"seconds": left, "plus_minus": 0.1 * left} if left else None, "age_s": 0.1, "utc_ms": int(time.time() * 1000),
                "misses": 0, "skipped": 0, "faults": 0, "armed": {"by": ["ada@lab"], "utc_ms": 1795539200000, "confirmed": 6, "open": ""}, "actuators": [self.actuator(record, k, site, a) for site in record.run["sites"] for a in site["actuators"]],
                "sites": [self.site(s, site["name"], k) for s, site in enumerate(record.run["sites"])]}
        if self.no_record:
            standing["session"] = ""
        return {**standing, **self.more}

    def site(self, number, name, k):
        up = 0.0041 if number == 0 else 0.0097
        return {"name": name, "state": self.state, "step": k - number, "heard_s": 0.1, "clock_bound_s": (41e-6, 45e-6)[number],
                "interlocks": [{"name": "e-stop", "text": "closed", "ok": True}, {"name": "oil", "text": None, "ok": None, "value": (207.3, 209.1)[number], "unit": "bar"}],
                "uplink_s": up, "downlink_s": up * 1.03, "path_bound_s": (0.0002, 0.0004)[number],
                "accounts": {"compute": 2e-5, "journal": 1.2e-3, "encode": 1e-5, "uplink": up, "wait": 1.3e-3, "control": 1e-4, "actuation": 0.0712,
                             "reply": 1.2e-3, "downlink": up * 1.03, "join": (0.0128, 0.0007)[number], "correct": 7e-5}}

    def actuator(self, record, k, site, a):
        turns = a["kind"] == "rotation"
        base, motion = f"{site['name']}.{a['name']}.", "_rad" if turns else "_m"
        force = "force_Nm" if turns else "force_N"
        back = max(0, k - 1)
        target, measured = (record.columns[base + what + motion] for what in ("target", "measured"))
        command, forces = record.columns[base + "command" + motion], record.columns[base + force]
        values = {"displacement": abs(command[k]), "rate": abs(command[k] - command[back]) / record.spacing, "force": abs(forces[k]),
                  "tracking_error": abs(measured[k] - target[k]), "energy_error": 0.012}
        limits = {}
        for key, value in values.items():
            if key not in a["limits"]:
                continue
            limit = a["limits"][key]["limit"]
            used = value / limit
            top = self.largest[(base, key)] = max(self.largest.get((base, key), 0.0), used)
            unit = {"displacement": motion, "rate": motion + "_s", "force": "_Nm" if turns else "_N", "tracking_error": motion}.get(key, "")
            limits[key] = {"used": used, "highest": top, "value" + unit: value, "limit" + unit: limit, "at_least": False}
        return {"site": site["name"], "actuator": a["name"], "target" + motion: target[k], "measured" + motion: measured[k], force: forces[k],
                "late_s": 0.0004 if site["name"] == "west" else 0.0011, "margin_s": 0.0019, "error": 0.011, "energy_J": 6400.0, "limits": limits}

    # ---- HTTP ----
    async def answer(self, reader, writer):
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            request, *lines = head.split("\r\n")
            method, target, _ = request.split(" ")
            headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines if line)}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            url = urllib.parse.urlsplit(target)
            if headers.get("upgrade", "").lower() == "websocket":
                await self.live(reader, writer, headers)
            else:
                status, kind, content, more = self.page(method, url, headers, body)
                while url.path in self.held:
                    await asyncio.sleep(0.01)
                writer.write((f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(content)}\r\nConnection: close\r\n"
                              f"Content-Security-Policy: {POLICY}; report-uri /report-violation\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n{more}\r\n").encode() + content)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, ValueError):
            pass
        finally:
            writer.close()

    def signed_in(self, headers):
        return not self.token or f"trestle={self.token}" in headers.get("cookie", "")

    def page(self, method, url, headers, body):
        query = {k: v[0] for k, v in urllib.parse.parse_qs(url.query).items()}
        if url.path == "/report-violation":
            self.violations.append(body.decode())
            return "204 No Content", "text/plain", b"", ""
        if url.path == "/api/login" and method == "POST":
            good = json.loads(body)["token"] == self.token
            return ("204 No Content" if good else "401 Unauthorized", "text/plain", b"", f"Set-Cookie: trestle={self.token}; HttpOnly; SameSite=Strict; Path=/\r\n" if good else "")
        if url.path.startswith("/api/"):
            if not self.signed_in(headers):
                return "401 Unauthorized", "text/plain", b"", ""
            number = int(query.get("record", 0))
            record = self.records[number]
            self.asked[url.path, number] += 1
            if self.failing.get(url.path, 0) > 0:
                self.failing[url.path] -= 1
                return "500 Internal Server Error", "text/plain", b"", ""
            if url.path == "/api/run" and self.no_record:
                return "200 OK", "application/json", json.dumps({"folder": "runs/frame", "records": 1, "ended": False}).encode(), ""
            if url.path == "/api/run":
                done = self.top(number) + 1
                return "200 OK", "application/json", json.dumps({**record.run, "steps": done, "ended": number == 1 or not self.served}).encode(), ""
            if url.path == "/api/events":
                told = [e for e in record.events if e["id"] > int(query.get("after", 0)) and e["time_s"] <= self.newest * record.spacing]
                return "200 OK", "application/json", json.dumps({"events": told}).encode(), ""
            if url.path == "/api/rows":
                top = self.top(number)
                first, last = max(0, int(query["from"])), min(int(query["to"]), top)  # behind the end: none
                return "200 OK", "application/json", stand_in_record.rows_answer(record, first, last, query.get("channels", "").split(",") if query.get("channels") else None).encode(), ""
            if url.path == "/api/loop":
                first, last = int(query.get("after", -1)) + 1, min(int(query["to"]), self.top(number))
                site, name = query["actuator"].split(" ")
                measured = next(k for k in record.columns if k.startswith(f"{site}.{name}.measured"))
                force = next(k for k in record.columns if k.startswith(f"{site}.{name}.force"))
                shown = range(first, last + 1, max(1, (last + 1 - first) // 2000))
                return "200 OK", "application/json", json.dumps({
                    "index": last, "generation": 0, "continues": True, "stay": len(shown), "apart": [], "rows": list(shown),
                    "motion": [record.columns[measured][k] for k in shown], "force": [record.columns[force][k] for k in shown]}).encode(), ""
            if url.path == "/api/work":
                self.work_asked += 1
                reached = min(int(query["to"]), record.count - 1 if self.work_read is None else self.work_read)
                return "200 OK", "application/json", json.dumps({"index": reached, "actuators": [
                    {"site": site["name"], "actuator": a["name"], "energy_J": record.work(site, a, reached)} for site in record.run["sites"] for a in site["actuators"]]}).encode(), ""
        file = PAGE / (url.path.lstrip("/") or "index.html")
        if file.parent == PAGE and file.is_file():
            return "200 OK", TYPES.get(file.suffix, "application/octet-stream"), file.read_bytes(), ""
        return "404 Not Found", "text/plain", b"", ""

    # ---- WebSocket ----
    async def live(self, reader, writer, headers):
        if not self.signed_in(headers):
            writer.write(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
            return
        key = base64.b64encode(hashlib.sha1((headers["sec-websocket-key"] + GUID).encode()).digest()).decode()
        writer.write((f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {key}\r\n"
                      "Sec-WebSocket-Protocol: trestle.live.1\r\n\r\n").encode())
        client = Client(reader, writer)
        self.clients.append(client)
        await client.tell({"type": "hello", "role": "viewer" if self.viewer else "operator", "allow": [] if self.viewer else ["note", "hold", "stop"],
                           "who": "ada@lab", "records": len(self.records)})
        feeding = asyncio.ensure_future(self.feed(client))
        try:
            while (message := await client.hear()) is not None:
                self.said.append(message)
                await self.obey(client, message)
        finally:
            feeding.cancel()
            self.clients.remove(client)

    async def obey(self, client, message):
        kind = message["type"]
        if kind == "ack":
            client.free = True
        elif kind == "subscribe" and not message["channels"]:
            self.violations.append("subscribe: no channels")  # the server ends such a connection
        elif kind == "unsubscribe":
            client.subscriptions.pop(message["id"], None)
        elif kind == "subscribe":
            before = client.before.get(message["id"] % 16)
            if self.late_frames and before:
                await self.send_frame(client, {**before, "next": before["from"]})
            client.before[message["id"] % 16] = message
            client.subscriptions[message["id"]] = {**message, "next": message["from"]}
        elif kind == "hold":
            self.change("HOLDING", "Held by ada@page: “%s”" % message["text"], help_text="Continue: trestle resume · end: trestle stop")
            await client.tell({"type": "done", "verb": "hold", "problem": ""})
        elif kind == "stop":
            self.change("STOPPED", "Stopped by ada@page: “%s”" % message["text"], served=False)
        elif kind == "note":
            event = {"id": 1000 + len(self.said), "time_s": message["time_s"], "kind": "note", "text": message["text"], "who": "ada@page"}
            self.records[0].events.append(event)
            await client.tell({"type": "event", "record": 0, **event})

    async def feed(self, client):
        told, events = 0.0, max([0] + [e["id"] for e in self.records[0].events if e["time_s"] <= self.newest * self.records[0].spacing and e["id"] < 1000])
        while True:
            if not self.silent:
                if time.monotonic() - told > 0.25:
                    told = time.monotonic()
                    for number in range(len(self.records)):
                        await client.tell(self.standing(number))
                    for event in self.records[0].events:
                        if events < event["id"] < 1000 and event["time_s"] <= self.newest * self.records[0].spacing:
                            events = event["id"]
                            await client.tell({"type": "event", "record": 0, **event})
                # In turn: none waits while another has always something new.
                for wanted in sorted(client.subscriptions.values(), key=lambda one: one.get("sent", 0.0)):
                    if client.free and time.monotonic() - wanted.get("sent", 0.0) > 1 / FRAMES_A_SECOND:
                        await self.send_frame(client, wanted)
            await asyncio.sleep(0.005)

    async def send_frame(self, client, wanted):
        record = self.records[wanted["record"]]
        top = self.top(wanted["record"])
        last = top if wanted["to"] is None else min(top, wanted["to"])
        rows = max(1, wanted["rows_per_bucket"])
        count = (last + 1 - wanted["next"]) // rows
        if count < 1:
            if wanted["to"] is not None:
                client.subscriptions.pop(wanted["id"], None)
            return
        first = wanted["next"] if count <= MOST_BUCKETS else wanted["next"] + (count - MOST_BUCKETS) * rows
        count = min(count, MOST_BUCKETS)
        parts = [struct.pack("<4sHHqII", b"TRW1", wanted["id"], len(wanted["channels"]), first, rows, count)]
        for channel in wanted["channels"]:
            low, high = record.buckets(channel, first, rows, count, wanted["reduce"])
            parts += [low.tobytes()] + ([] if high is None else [high.tobytes()])
        wanted["next"] = first + rows * count
        client.free = False
        wanted["sent"] = time.monotonic()
        await client.send(2, b"".join(parts))

    # ---- life ----
    def start(self, port=0):
        """Serves in a thread of its own. Returns the port."""
        ready = threading.Event()

        async def serve():
            self.server = await asyncio.start_server(self.answer, "127.0.0.1", port)
            ready.set()
            try:
                await self.server.serve_forever()
            except asyncio.CancelledError:
                pass

        def run():
            self.loop = asyncio.new_event_loop()
            self.task = self.loop.create_task(serve())
            self.loop.run_until_complete(self.task)
            self.loop.run_until_complete(asyncio.sleep(0))
        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()
        ready.wait(10)
        self.port = self.server.sockets[0].getsockname()[1]
        return self.port

    def kill(self):
        """Ends as a killed server does: all connections break."""
        def end():
            for client in list(self.clients):
                client.writer.transport.abort()
            self.server.close()
            self.task.cancel()
        self.loop.call_soon_threadsafe(end)
        self.thread.join(10)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--speed", type=float, default=1.0)
    parser.add_argument("--begin", type=float, default=17.99)
    parser.add_argument("--state", default="RUNNING")
    parser.add_argument("--why", default="")
    parser.add_argument("--run")
    parser.add_argument("--second", action="store_true")
    parser.add_argument("--viewer", action="store_true")
    arguments = parser.parse_args()
    record = stand_in_record.of_run(arguments.run) if arguments.run else stand_in_record.computed()
    server = StandIn(record, stand_in_record.computed(size=0.9) if arguments.second else None, arguments.begin, arguments.speed, arguments.viewer)
    if arguments.state != "RUNNING":
        server.change(arguments.state, arguments.why, served=arguments.state in ("HOLDING", "FAULT"))
    print(f"http://127.0.0.1:{server.start(arguments.port)}/", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
