#!/usr/bin/env python3
"""trestle watch --listen on a real test: what a page sees equals the record, bit for bit; pages that stall or send garbage
cost nothing; a killed test that is resumed continues at the same page; who may look, and who may hold.

    watch_page.py TRESTLE TEST.yaml
"""
import csv
import io
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from live_page_client import PATIENCE, Page, Server, frame

PROGRAM, TEST = map(os.path.abspath, sys.argv[1:3])
STEADY = ("--set", "mode=pseudo-dynamic", "--set", "clock=wall")
MEMORY = 64 * 2**20


def check(condition, words):
    if not condition:
        raise AssertionError(words)


def picture_for_a_camera(folder):
    """On a terminal, `mark` draws a code: as wide as high, with the three squares and the dotted line by which it is found."""
    ours, its = pty.openpty()
    marking = subprocess.Popen([PROGRAM, "mark", folder, "south"], stdout=its, stderr=subprocess.PIPE)
    os.close(its)
    shown = b""
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:  # the terminal has no other end any more
        pass
    os.close(ours)
    said = marking.communicate(timeout=PATIENCE)[1]
    lines = shown.decode().splitlines()
    picture = [re.fullmatch("\x1b\\[38;2;0;0;0;48;2;255;255;255m([ \u2580\u2584\u2588]+)\x1b\\[0m", line) for line in lines]
    drawn = [line[1] for line in picture if line]
    check(marking.returncode == 0 and len(drawn) > 10 and all(picture[:len(drawn)]), (marking.returncode, shown, said))
    check(re.fullmatch(r"trestle \w{8} step \d+ t \d+\.\d{3} s \S+Z south", lines[len(drawn)]), lines[len(drawn):])
    # Two rows are one letter high.
    dark = [[letter in halves for letter in line] for line in drawn for halves in ("\u2580\u2588", "\u2584\u2588")]
    size = len(drawn[0]) - 4  # without its margin
    check(size >= 21 and size % 4 == 1 and {len(row) for row in dark} == {size + 4} and len(dark) in (size + 4, size + 5), shown)
    code = [row[2:2 + size] for row in dark[2:2 + size]]
    check(not any(dark[0] + dark[1] + dark[size + 2]), "the margin is white")
    square = [[max(abs(i - 3), abs(j - 3)) != 2 for j in range(7)] for i in range(7)]
    for row, column in ((0, 0), (0, size - 7), (size - 7, 0)):
        check([line[column:column + 7] for line in code[row:row + 7]] == square, f"the square at {row}, {column}: {shown}")
    check(code[6][8:size - 8] == [n % 2 == 0 for n in range(8, size - 8)], "the dotted line")


def run(folder, *words):
    subprocess.run([PROGRAM, "run", TEST, "--out", folder, *words], check=True, capture_output=True, timeout=PATIENCE)


def begin(folder, *words):
    return subprocess.Popen([PROGRAM, "run", TEST, "--out", folder, *STEADY, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def exported(folder):
    """Channels and rows of the export, as texts."""
    file = pathlib.Path(folder + ".csv")
    subprocess.run([PROGRAM, "export", folder, "--csv", str(file)], check=True, capture_output=True, timeout=PATIENCE)
    head, *rows = csv.reader(io.StringIO(file.read_text()))
    return head[1:], [[float(value) for value in row[1:]] for row in rows]


def shown(server, first, last, channels):
    answer = server.json(f"/api/rows?stream=result&from={first}&to={last}&channels={','.join(channels)}")
    check(answer["channels"] == channels, answer["channels"])
    return {row[0]: [float("nan") if value is None else value for value in row[1:]] for row in answer["rows"]}


def same(a, b):
    return a == b or (a != a and b != b)


def standing(page, wanted, patience=PATIENCE):
    return page.hear_until(lambda m: not isinstance(m, bytes) and m["type"] == "standing" and wanted(m), patience)


def followed(page, until):
    """The rows of `page` that follows with one row a bucket, up to index `until`; a row that comes twice is the same."""
    rows = {}
    while until not in rows:
        message = page.hear()
        check(message is not None, "the server closed the connection")
        if not isinstance(message, bytes):
            continue
        page.say(type="ack")
        part = frame(message)
        check(part["rows"] == 1, part["rows"])
        for i in range(part["count"]):
            check(part["first"] + i not in rows, f"row {part['first'] + i} came twice")
            rows[part["first"] + i] = [low[i] for low in part["low"]]
    return rows


def a_finished_record():
    folder = "finished"
    run(folder, "--set", "excitation.synthetic.duration=4 s")
    names, table = exported(folder)
    with Server(PROGRAM, folder) as server:
        run_json = server.json("/api/run")
        stream = next(one for one in run_json["streams"] if one["name"] == "result")
        check([one["name"] for one in stream["channels"]] == names, "other channels than the export")
        check(run_json["ended"] and run_json["steps_planned"] == len(table), run_json["steps_planned"])
        for first in (0, 1, 777, len(table) - 3):
            for index, row in shown(server, first, first + 2, names).items():
                check(all(map(same, row, table[index])), f"row {index} differs from the export")
        page = Page(server)
        check(standing(page, lambda m: True)["state"] == "COMPLETE", "state of a complete record")
        # Extremes of 10 rows, and the first row of each.
        for reduce in ("extremes", "rows"):
            page.say(type="subscribe", id=3, record=0, stream="result", channels=names[:2], to=999, points=4000, rows_per_bucket=10,
                     reduce=reduce, **{"from": 0})
            part = frame(page.hear_until(lambda m: isinstance(m, bytes)))
            check((part["id"], part["first"], part["rows"], part["count"]) == (3, 0, 10, 100), part)
            for channel in range(2):
                for k in range(100):
                    values = [row[channel] for row in table[10 * k:10 * k + 10]]
                    low, high = (min(values), max(values)) if reduce == "extremes" else (values[0], values[0])
                    check(part["low"][channel][k] == low and part["high"][channel][k] == high, (reduce, channel, k))
        # Long buckets are made of the extents of the journal, whole ones: 200 rows become 256, from a multiple of 256 on.
        with sqlite3.connect(f"file:{folder}/journal.db?mode=ro", uri=True) as journal:
            check(journal.execute("SELECT count(*) FROM extent WHERE rows = 256").fetchone()[0] >= len(table) // 256, "extents of the steps")
        page.say(type="subscribe", id=5, record=0, stream="result", channels=names[:2], to=len(table) - 1, points=4000, rows_per_bucket=200,
                 reduce="extremes", **{"from": 300})
        part = frame(page.hear_until(lambda m: isinstance(m, bytes)))
        check((part["first"], part["rows"]) == (256, 256), part)
        for channel in range(2):
            for k in range(part["count"]):
                values = [row[channel] for row in table[256 * (k + 1):256 * (k + 2)]]
                check(part["low"][channel][k] == min(values) and part["high"][channel][k] == max(values), (channel, k))
        # Few points: the server takes longer buckets, and the last one is shorter.
        page.say(type="subscribe", id=4, record=0, stream="result", channels=names[:1], to=None, points=100, rows_per_bucket=1,
                 reduce="extremes", **{"from": 0})
        part = frame(page.hear_until(lambda m: isinstance(m, bytes)))
        check(part["rows"] == -(-len(table) // 100) and part["count"] == -(-len(table) // part["rows"]), (part["rows"], part["count"]))
        check(max(part["high"][0]) == max(row[0] for row in table), "the largest value of the whole test")
        page.close()
        check(server.request("/metrics")[2].count("trestle_node_up") == 0, "no process is missing where a test has ended")
        status, _, text = server.request("/api/rows?stream=result&from=0&to=3000")
        check(status == 413 and "fewer" in text, (status, text))


def report_of(folder):
    """What the page's button opens is the document that `trestle report` writes, under a policy of its own."""
    written = subprocess.run([PROGRAM, "report", folder, "--out", "-"], capture_output=True, check=True, timeout=PATIENCE).stdout.decode()
    with Server(PROGRAM, folder) as server:
        check(server.request("/report", token=None)[0] == 401, "a report without a token")
        status, headers, text = server.request("/report")
        check(status == 200 and "is being made" in text and 'http-equiv="refresh"' in text, (status, text[:300]))
        end = time.monotonic() + PATIENCE
        while "is being made" in text and time.monotonic() < end:
            time.sleep(0.05)
            status, headers, text = server.request("/report")
        check(status == 200 and text == written, (status, len(text), len(written)))
        policy = headers["Content-Security-Policy"]
        check("default-src 'none'" in policy and "style-src 'unsafe-inline'" in policy and "script" not in policy, policy)
    # A report that cannot be made says why.
    shutil.copytree(folder, "torn")
    with Server(PROGRAM, "torn") as server:
        os.rename("torn/journal.db", "torn/kept.db")
        end = time.monotonic() + PATIENCE
        while (answer := server.request("/report"))[0] == 200 and time.monotonic() < end:
            time.sleep(0.05)
        check(answer[0] == 503 and "torn" in answer[2] and answer[2].count("\n") == 1, answer)


def who_may(folder):
    """Tokens, names and origins, at a test that runs."""
    with Server(PROGRAM, folder, "--allow", "hold") as server:
        for path in ("/api/run", "/api/rows?from=0&to=0", "/api/events", "/metrics"):
            check(server.request(path, token=None)[0] == 401, path + " without a token")
            check(server.request(path)[0] == 200, path)
        check(server.request("/api/run", Host="evil.example")[0] == 403, "a foreign name of this host")
        status, headers, text = server.request("/", token=None)
        check(status == 200 and "<html" in text, "the page")
        policy = headers["Content-Security-Policy"]
        check("default-src 'none'" in policy and "frame-ancestors 'none'" in policy, policy)
        own = {"Origin": "http://" + server.host}
        login = json.dumps({"token": server.token})
        check(server.request("/api/login", "POST", None, login)[0] == 403, "a login from nowhere")
        check(server.request("/api/login", "POST", None, login, Origin="http://evil.example")[0] == 403, "a login from a foreign page")
        status, headers, _ = server.request("/api/login", "POST", None, login, **own)
        cookie = headers["Set-Cookie"]
        check(status == 204 and "HttpOnly" in cookie and "SameSite=Strict" in cookie, (status, cookie))
        check(server.request("/api/run", token=None, Cookie=cookie.split(";")[0])[0] == 200, "with the cookie")
        check(Page(server, Origin="http://evil.example").status == 403, "a WebSocket from a foreign page")
        check(Page(server, Authorization=None).status == 401, "a WebSocket without a token")
        check(server.request("/live")[0] == 404 or server.request("/live")[0] >= 400, "/live without an upgrade")
        for attempt in range(5):
            check(server.request("/api/login", "POST", None, json.dumps({"token": "x" * attempt + "y"}), **own)[0] == 401, attempt)
        check(server.request("/api/login", "POST", None, login, **own)[0] == 429, "after five wrong tokens")
        check(server.request("/api/run", token=None, Cookie=cookie.split(";")[0])[0] == 200, "who is in stays in")
    with Server(PROGRAM, folder) as server:
        page = Page(server)
        check(page.hear()["allow"] == [], "a page of those who may only look")
        page.say(type="hold", text="because")
        done = page.hear_until(lambda m: not isinstance(m, bytes) and m["type"] == "done")
        check("may not" in done["problem"], done)
        check(standing(page, lambda m: True)["state"] == "RUNNING", "the test holds")


def stalled_pages(server, names):
    """20 that never read, 4 that send garbage, and a request without an end."""
    pages = [Page(server, buffer=2048) for _ in range(20)]
    for page in pages:
        check(page.status == 101, page.status)
        page.say(type="subscribe", id=1, record=0, stream="result", channels=names[:40], to=None, points=4000, rows_per_bucket=1, **{"from": 0})
    for garbage in (b"\x00" * 4000, os.urandom(5000), b"\x81\xfe\xff\xff" + b"x" * 300, b"\x82\x85abcd12345"):
        page = Page(server)
        page.socket.sendall(garbage)
        pages.append(page)
    head = socket.create_connection(("127.0.0.1", server.port))
    head.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 20000)
    return [*pages, head]


def slowly(page, ends):
    """Takes 1 kB/s, and acknowledges nothing."""
    page.socket.settimeout(1)
    while not ends.wait(0.1):
        try:
            if not page.socket.recv(100):
                return
        except OSError:
            pass


def longest_gap(server, channel, least):
    """Between two of `least` frames that a page takes at once [s]. Between two looks of the server are 40 ms."""
    page = Page(server)
    standing(page, lambda m: m["served"])
    page.say(type="subscribe", id=1, record=0, stream="result", channels=[channel], to=None, points=4000, rows_per_bucket=1, **{"from": server.json("/api/run")["steps"]})
    arrived, since = [], time.monotonic()
    while len(arrived) < least:
        if isinstance(page.hear_until(lambda m: True), bytes):
            arrived.append(time.monotonic())
        took = time.monotonic() - since
        check(took < PATIENCE, f"{len(arrived)} of {least} frames in {took:.0f} s")
    page.close()
    return max(later - sooner for sooner, later in zip(arrived, arrived[1:]))


def a_page_beside_stalled_ones():
    """20 pages that never read, 4 that send garbage and one that takes 1 kB/s: another one has its frames meanwhile. The server gives
    way to all other programs of its host: how long a page waits is shown, and decides nothing."""
    folder, least = os.path.abspath("stalled"), 5 if "--sanitized" in sys.argv else 30
    test, ends = begin(folder), threading.Event()
    try:
        while not os.path.exists(folder + "/journal.db"):
            check(test.poll() is None, "the test ended")
            time.sleep(0.02)
        with Server(PROGRAM, folder) as server:
            page = Page(server)
            standing(page, lambda m: m["state"] == "RUNNING" and m["step"] >= 10)
            page.close()
            names = [one["name"] for one in server.json("/api/run")["streams"][0]["channels"]]
            alone = longest_gap(server, names[0], least)
            stalled = stalled_pages(server, names)
            slow = Page(server, buffer=2048)
            slow.say(type="subscribe", id=1, record=0, stream="result", channels=names[:40], to=None, points=4000, rows_per_bucket=1, **{"from": 0})
            reader = threading.Thread(target=slowly, args=(slow, ends))
            reader.start()
            gap = longest_gap(server, names[0], least)
            print(f"beside 25 pages that stall, {least} frames came, {1000 * gap:.0f} ms at most behind the one before (without them {1000 * alone:.0f} ms)")
            check(test.poll() is None, "the test ended")
            if "--sanitized" not in sys.argv:
                check(server.memory() < MEMORY, server.memory())
            ends.set()
            reader.join(PATIENCE)
            for one in [*stalled, slow]:
                one.close()
    finally:
        ends.set()
        test.kill()
        test.wait()


def rows_of_an_unwatched_test(count):
    test = begin("unwatched", "--set", "clock=virtual")
    try:
        while True:
            told = subprocess.run([PROGRAM, "status", "unwatched", "--json"], capture_output=True, text=True, timeout=PATIENCE).stdout
            if told and (json.loads(told).get("step") or 0) >= count:
                break
            check(test.poll() is None, "the test ended")
            time.sleep(0.05)
        subprocess.run([PROGRAM, "stop", "unwatched"], check=True, capture_output=True, timeout=PATIENCE)
        test.wait(PATIENCE)
    finally:
        test.kill()
        test.wait()
    return exported("unwatched")[1]


def a_killed_and_resumed_test():
    folder = os.path.abspath("killed")
    test = begin(folder)
    server = None
    try:
        while not os.path.exists(folder + "/journal.db"):
            check(test.poll() is None, "the test ended")
            time.sleep(0.02)
        server = Server(PROGRAM, folder, "--allow", "hold,stop,note")
        page = Page(server)
        check(page.hear()["allow"] == ["hold", "stop", "note"], "what an operator may")
        standing(page, lambda m: m["state"] == "RUNNING" and m["step"] >= 10)
        names = [one["name"] for one in server.json("/api/run")["streams"][0]["channels"]]
        stalled = stalled_pages(server, names)
        page.say(type="subscribe", id=1, record=0, stream="result", channels=names, to=None, points=4000, rows_per_bucket=1, **{"from": 0})
        rows = followed(page, 40)
        who_may(folder)
        test.send_signal(signal.SIGKILL)
        test.wait()
        told = standing(page, lambda m: not m["served"], 10)
        check(told["state"] == "CUT OFF" and "no end" in told["why"], told)
        check(told["help"] == f"It can be resumed: trestle resume {folder}", told)
        test = begin(folder, "--resume")
        resumed = standing(page, lambda m: m["served"] and m["state"] == "RUNNING" and m["step"] > told["step"] + 10)
        other = Page(server)
        other.say(type="subscribe", id=1, record=0, stream="result", channels=names, to=None, points=4000, rows_per_bucket=1, **{"from": 0})
        rows = followed(other, resumed["step"])
        step = resumed["step"] - 5
        spacing = server.json("/api/run")["time_step_s"]
        page.say(type="note", text="crack at the weld", time_s=step * spacing)
        done = page.hear_until(lambda m: not isinstance(m, bytes) and m["type"] == "done")
        check(done["verb"] == "note" and done["problem"] == "", done)
        while not any(event["kind"] == "note" and "crack at the weld" in event["text"] for event in page.events):
            standing(page, lambda m: True)
        audit = subprocess.run([PROGRAM, "audit", folder], capture_output=True, text=True, timeout=PATIENCE).stdout
        check(f"step {step}, " in audit and "crack at the weld (page " in audit, audit)
        # A mark for the cameras: in the record, and at every page.
        marked = subprocess.run([PROGRAM, "mark", folder, "north", "--json"], capture_output=True, text=True, timeout=PATIENCE)
        mark = json.loads(marked.stdout)
        check(marked.returncode == 0 and mark["step"] >= step and mark["time_s"] == (mark["step"] + 1) * spacing, marked)
        while not any(event["kind"] == "note" and f"sync mark {mark['utc']} north" in event["text"] for event in page.events):
            standing(page, lambda m: True)
        picture_for_a_camera(folder)
        page.say(type="hold", text="look at the grips")
        check(page.hear_until(lambda m: not isinstance(m, bytes) and m["type"] == "done")["problem"] == "", "hold was refused")
        held = standing(page, lambda m: m["state"] == "HOLDING")
        check("look at the grips" in held["why"] and "resume" in held["help"], held)
        while not any("HOLDING" in event["text"] for event in page.events):
            standing(page, lambda m: True)
        check("trestle_holds_total 1" in server.request("/metrics")[2], "the hold is counted")
        page.say(type="stop", text="enough")
        check(page.hear_until(lambda m: not isinstance(m, bytes) and m["type"] == "done")["problem"] == "", "stop was refused")
        check(test.wait(PATIENCE) == 3, "a stopped test")
        stopped = standing(page, lambda m: not m["served"])
        check((stopped["state"], stopped["help"]) == ("STOPPED", ""), stopped)
        late = subprocess.run([PROGRAM, "mark", folder], capture_output=True, text=True, timeout=PATIENCE)
        check(late.returncode == 4 and "a test that runs" in late.stderr and not late.stdout, late)
        if "--sanitized" not in sys.argv:  # a sanitizer keeps what was freed
            check(server.memory() < MEMORY, f"{server.memory() / 2**20:.0f} MiB with 25 stalled pages")
        print(f"with 25 stalled pages: {server.memory() / 2**20:.1f} MiB")
        columns, table = exported(folder)
        check(columns == names, "other channels")
        check(len(rows) >= resumed["step"] and sorted(rows) == list(range(len(rows))), "a row is missing")
        for index, row in rows.items():
            check(all(map(same, row, table[index])), f"row {index} of the page differs from the record")
        for one in stalled:
            one.close()
    finally:
        if test.poll() is None:
            test.kill()
            test.wait()
        if server:
            server.__exit__()
    # The same test that nobody watched has the same bytes.
    alone = rows_of_an_unwatched_test(len(table))
    for index, row in enumerate(table):
        check(all(map(same, row, alone[index])), f"row {index} differs from a test that nobody watched")


def a_held_record():
    """Its process ended in order: it is held, whoever has held it, and not cut off; the page continues when it is resumed."""
    folder = os.path.abspath("held")
    test = begin(folder)
    try:
        while not os.path.exists(folder + "/journal.db"):
            check(test.poll() is None, "the test ended")
            time.sleep(0.02)
        with Server(PROGRAM, folder) as server:
            page = Page(server)
            standing(page, lambda m: m["state"] == "RUNNING" and m["step"] >= 10)
            subprocess.run([PROGRAM, "hold", folder, "--reason", "look at the grips", "--as", "ada"], check=True, capture_output=True, timeout=PATIENCE)
            standing(page, lambda m: m["state"] == "HOLDING")
            test.terminate()
            test.wait(PATIENCE)
            told = standing(page, lambda m: m["state"] == "HELD")
            check(not told["served"] and "look at the grips" in told["why"] and ", since 20" in told["why"], told)
            check(told["help"] == f"Resume it: trestle resume {folder}", told)
            check("trestle_node_up{" not in server.request("/metrics")[2], "no process is missing where a test is left held")
            shown = subprocess.run([PROGRAM, "watch", folder, "--once", "--width", "60"], capture_output=True, text=True, timeout=PATIENCE).stdout
            check("HELD" in shown.splitlines()[0] and "grips" in shown and f"trestleresume{folder}" in "".join(shown.split()), shown)
            test = begin(folder, "--resume")
            standing(page, lambda m: m["served"] and m["state"] == "RUNNING" and m["step"] > told["step"] + 10)
            # Killed while it holds: nobody has left it in order.
            subprocess.run([PROGRAM, "hold", folder], check=True, capture_output=True, timeout=PATIENCE)
            standing(page, lambda m: m["state"] == "HOLDING")
            test.kill()
            test.wait()
            check(standing(page, lambda m: not m["served"])["state"] == "CUT OFF", "a test that was killed while it held")
    finally:
        test.kill()
        test.wait()


def a_second_record_that_runs():
    """Each record of a comparison has its own state: the first has ended, the second runs, and then does not."""
    folder = os.path.abspath("second")
    test = begin(folder)
    try:
        while not os.path.exists(folder + "/journal.db"):
            check(test.poll() is None, "the test ended")
            time.sleep(0.02)
        with Server(PROGRAM, "finished", folder, "--allow", "stop") as server:
            page = Page(server)
            check(standing(page, lambda m: m["record"] == 0)["state"] == "COMPLETE", "state of the first record")
            told = standing(page, lambda m: m["record"] == 1 and m["served"] and m["step"] >= 10)
            check(told["state"] == "RUNNING", told)
            # What the page commands is for the first, which no process serves any more.
            page.say(type="stop", text="not the second")
            check(page.hear_until(lambda m: not isinstance(m, bytes) and m["type"] == "done")["problem"] != "", "stop was accepted")
            standing(page, lambda m: m["record"] == 1 and m["state"] == "RUNNING" and m["step"] > told["step"])
            test.kill()
            test.wait()
            standing(page, lambda m: m["record"] == 1 and m["state"] == "CUT OFF")
    finally:
        test.kill()
        test.wait()


def watch_key(*words):
    return subprocess.run([PROGRAM, "watch-key", *words], capture_output=True, text=True, timeout=PATIENCE)


def closes(page):
    """The server ends the connection of a page, in order or not."""
    try:
        while page.hear() is not None:
            pass
    except (ConnectionError, OSError):
        pass
    return True


def keys_of_persons():
    """Each person has a token of her own; who is removed, or whose time is over, sees nothing more, also where a page is open."""
    made = {name: watch_key("add", name, "--role", role) for name, role in (("ada", "operator"), ("Bo Li", "viewer"))}
    tokens = {name: one.stdout.strip() for name, one in made.items()}
    check(all(re.fullmatch("[0-9a-f]{32}", token) for token in tokens.values()), made)
    file = pathlib.Path(os.environ["TRESTLE_STATE"], "watch-keys")
    check(file.stat().st_mode & 0o777 == 0o600, oct(file.stat().st_mode))
    check(not any(token in file.read_text() for token in tokens.values()), "a token is in the file")
    listed = watch_key("list").stdout
    check("ada" in listed and "operator" in listed and "Bo Li" in listed and " until 20" in listed, listed)
    check(watch_key("add", "x (y)").returncode == 2 and watch_key("remove", "nobody").returncode == 2, "what is no person")
    with Server(PROGRAM, "finished", "--allow", "hold") as server:
        pages = {name: Page(server, Authorization=f"Bearer {token}") for name, token in tokens.items()}
        check([pages[name].hear()["allow"] for name in ("ada", "Bo Li")] == [["hold"], []], "what an operator and a viewer may")
        check(server.request("/api/run", token=tokens["ada"])[0] == 200, "by the token of a person")
        check(watch_key("remove", "ada").returncode == 0, "remove")
        check(closes(pages["ada"]), "the page of a person who was removed")
        check(server.request("/api/run", token=tokens["ada"])[0] == 401, "a token that was taken away")
        check(server.request("/api/run", token=tokens["Bo Li"])[0] == 200, "the others stay")
        # Her line was altered: the key is over since 1970.
        file.write_text(re.sub(r"^viewer \d+", "viewer 1", file.read_text(), flags=re.M))
        check(closes(pages["Bo Li"]) and server.request("/api/run", token=tokens["Bo Li"])[0] == 401, "a token whose time is over")
        check(server.request("/api/run")[0] == 200, "the token of this start")
    file.write_text("nonsense\n")
    refused = subprocess.run([PROGRAM, "watch", "finished", "--listen", "127.0.0.1:0"], capture_output=True, text=True, timeout=PATIENCE)
    check(refused.returncode == 2 and "watch-keys:1: is no key" in refused.stderr, refused)
    file.unlink()


def by_tls():
    """The page encrypted: what a certificate must be, the cookie, the WebSocket, and nobody who speaks plainly."""
    if not shutil.which("openssl"):
        print("not tested with TLS: openssl, which makes the certificate, is not installed")
        return

    def certificate(name, *more):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-keyout", f"{name}.key", "-out",
                        f"{name}.pem", "-subj", "/CN=lab", "-addext", "subjectAltName=DNS:lab.example,IP:127.0.0.1", *more],
                       check=True, capture_output=True, timeout=PATIENCE)
        os.chmod(f"{name}.key", 0o600)

    def refused(words, *options):
        ended = subprocess.run([PROGRAM, "watch", "finished", "--listen", "127.0.0.1:0", *options], capture_output=True, text=True, timeout=PATIENCE)
        check(ended.returncode == 2 and words in ended.stderr and ended.stderr.count("\n") == 1, ended)

    certificate("good", "-nodes", "-days", "60")
    certificate("other", "-nodes", "-days", "3")
    certificate("locked", "-passout", "pass:secret", "-days", "60")
    refused("TLS needs both", "--tls-cert", "good.pem")
    refused("--tls-cert nothing.pem: cannot be opened", "--tls-cert", "nothing.pem", "--tls-key", "good.key")
    refused("no certificate in PEM", "--tls-cert", "good.key", "--tls-key", "good.key")
    refused("another certificate", "--tls-cert", "good.pem", "--tls-key", "other.key")
    refused("passphrase", "--tls-cert", "locked.pem", "--tls-key", "locked.key")
    os.chmod("other.key", 0o644)
    refused("others may read it", "--tls-cert", "other.pem", "--tls-key", "other.key")
    trusted = ssl.create_default_context(cafile="good.pem")
    with Server(PROGRAM, "finished", "--tls-cert", "good.pem", "--tls-key", "good.key", trusted=trusted) as server:
        check("<html" in server.request("/", token=None)[2], "the page")
        login = json.dumps({"token": server.token})
        check(server.request("/api/login", "POST", None, login, Origin="http://" + server.host)[0] == 403, "a page that came in plain text")
        status, headers, _ = server.request("/api/login", "POST", None, login, Origin="https://" + server.host)
        check(status == 204 and "; Secure" in headers["Set-Cookie"], headers)
        check(server.request("/api/run", Host="lab.example")[0] == 200, "the name in the certificate")
        page = Page(server)
        check(standing(page, lambda m: True)["state"] == "COMPLETE", "the WebSocket")
        names = [one["name"] for one in server.json("/api/run")["streams"][0]["channels"]][:3]
        page.say(type="subscribe", id=1, record=0, stream="result", channels=names, to=99, points=4000, rows_per_bucket=1, **{"from": 0})
        check(sorted(followed(page, 99)) == list(range(100)), "rows by the WebSocket")
        for wrong in (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", os.urandom(3000)):
            with socket.create_connection(("127.0.0.1", server.port)) as plain:
                plain.sendall(wrong)
                plain.settimeout(PATIENCE)
                try:
                    check(b"200 OK" not in plain.recv(4096), "an answer in plain text")
                except ConnectionError:
                    pass
        idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
        check(server.request("/api/run")[0] == 200, "beside 20 that begin no TLS")
        for one in idle:
            one.close()
        if "--sanitized" not in sys.argv:
            check(server.memory() < MEMORY, server.memory())


def a_real_prometheus():
    """It scrapes the running test and knows its steps; promtool has no objection to a line."""
    if not shutil.which("prometheus") or not shutil.which("promtool"):
        print("not tested with Prometheus: its package is not installed")
        return
    secret = pathlib.Path("secret")
    secret.write_text("0123456789abcdef" * 2 + "\n")
    secret.chmod(0o600)
    folder = os.path.abspath("scraped")
    test = begin(folder)
    scraper = None
    try:
        while not os.path.exists(folder + "/journal.db"):
            time.sleep(0.02)
        with Server(PROGRAM, folder, "--viewer-token", str(secret)) as server, socket.socket() as free:
            page = Page(server)
            standing(page, lambda m: m["state"] == "RUNNING" and m["step"] >= 10)
            told = standing(page, lambda m: all(site.get("accounts") for site in m["sites"]))
            check(told["misses"] == 0 and all(site["clock_bound_s"] >= 0 for site in told["sites"]), told["sites"])
            text = server.request("/metrics")[2]
            for site in ("west", "east"):
                counted = re.search(rf'trestle_step_account_seconds_count{{site="{site}",account="actuation"}} (\d+)', text)
                check(counted and int(counted.group(1)) > 10, text)
                check(f'trestle_misses_total{{site="{site}",what="answer"}} 0\n' in text, text)
                check(f'trestle_clock_bound_seconds{{site="{site}"}} ' in text, text)
            judged = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=PATIENCE)
            check(judged.returncode == 0 and judged.stderr == "", judged.stdout + judged.stderr)
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
            free.close()
            pathlib.Path("prometheus.yml").write_text(json.dumps({
                "global": {"scrape_interval": "1s"}, "scrape_configs": [{
                    "job_name": "trestle", "authorization": {"credentials_file": str(secret.absolute())},
                    "static_configs": [{"targets": [server.host]}]}]}))
            scraper = subprocess.Popen(["prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data",
                                        f"--web.listen-address=127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            end = time.monotonic() + PATIENCE
            while True:
                check(time.monotonic() < end and scraper.poll() is None, "Prometheus has no steps")
                try:
                    asked = urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/query?query=trestle_steps_total", timeout=5)
                    found = json.load(asked)["data"]["result"]
                except OSError:
                    found = []
                if found and int(found[0]["value"][1]) > 10:
                    break
                time.sleep(0.1)
            print("Prometheus has", found[0]["value"][1], "steps")
            page.close()
    finally:
        for process in (scraper, test):
            if process:
                process.kill()
                process.wait()


def mistakes():
    for words, sentence in ((("--listen", "nowhere"), "such as 127.0.0.1:8080"), (("--listen", "0.0.0.0:0"), "--insecure"),
                            (("--listen", "127.0.0.1:0", "--allow", "arm"), "hold, stop and note")):
        told = subprocess.run([PROGRAM, "watch", "finished", *words], capture_output=True, text=True, timeout=PATIENCE)
        check(told.returncode == 2 and sentence in told.stderr, told)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        a_finished_record()
        report_of("finished")
        mistakes()
        keys_of_persons()
        by_tls()
        a_killed_and_resumed_test()
        a_page_beside_stalled_ones()
        a_held_record()
        a_second_record_that_runs()
        a_real_prometheus()
        os.chdir("/")


if __name__ == "__main__":
    main()
