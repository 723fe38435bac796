#!/usr/bin/env python3
"""What the server of the live page costs: its processor time as a part of one core, while 8 sites and the integrator record a
row each millisecond (watch_bench --write), without a page and with some that ask for what a page asks for and take 60 frames
a second at most. Only a report.

    page_cost.py WATCH_BENCH TRESTLE [--pages 3] [--seconds 10] [--json]

Goals: at most 5 % of a core with 3 pages, at most 1 % with none."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "cli"))
from live_page_client import Page, Server, frame  # noqa: E402

SETTLE = 3.0  # the past is read, and the first frames are sent [s]
SPAN = 6.0  # of the plots [s]
MOST_CHANNELS = 64


def processor_time(process):
    """Of a process so far [s]."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def subscriptions(run):
    """What observe/page/data.js asks for."""
    stream = next(one for one in run["streams"] if one["name"] == "result")
    names, spacing = [one["name"] for one in stream["channels"]], stream["spacing_s"]
    drives = [name for name in names if name.endswith((".target_m", ".command_m", ".measured_m", ".force_N"))]
    loops = [name for name in drives if ".command" not in name]
    from_ = max(0, run["steps"] - int(1.2 * SPAN / spacing))
    planned = run["steps_planned"]
    for number, channels, points, reduce, first, rows in ((1, drives, 2000, "extremes", from_, SPAN / spacing / 2000), (2, loops, 4000, "rows", from_, SPAN / spacing / 4000),
                                                         (3, drives[:1] + drives[2:3], 4000, "extremes", 0, planned / 1500), (4, drives[2:4], 4000, "rows", 0, planned / 4000)):
        yield {"type": "subscribe", "id": number, "record": 0, "stream": "result", "channels": channels[:MOST_CHANNELS], "from": first, "to": None,
               "points": points, "rows_per_bucket": max(1, -int(-rows // 1)), "reduce": reduce}


def look(server, ends, counts):
    page = Page(server)
    for wanted in subscriptions(server.json("/api/run")):
        page.say(**wanted)
    while not ends.is_set():
        message = page.hear()
        if message is None:
            raise RuntimeError("the server closed a page")
        if isinstance(message, bytes):
            counts.append(frame(message)["count"])
            time.sleep(1 / 60)  # until the next picture
            page.say(type="ack")
    page.close()


def measure(program, folder, pages, seconds):
    """Part of a core [%], and frames a second of each page."""
    ends, counts = threading.Event(), []
    with Server(program, folder) as server:
        looking = [threading.Thread(target=look, args=(server, ends, counts)) for _ in range(pages)]
        for one in looking:
            one.start()
        time.sleep(SETTLE)
        used, begun, before = processor_time(server.process), time.monotonic(), len(counts)
        time.sleep(seconds)
        used, took, came = processor_time(server.process) - used, time.monotonic() - begun, len(counts) - before
        ends.set()
        for one in looking:
            one.join(10)
        return {"pages": pages, "of_core_percent": 100 * used / took, "frames_per_s": came / took / max(pages, 1), "memory_MiB": server.memory() / 2**20}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("watch_bench")
    parser.add_argument("trestle")
    parser.add_argument("--pages", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    writer = subprocess.Popen([options.watch_bench, "--write"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        folder = writer.stdout.readline().strip()
        if not folder:
            raise RuntimeError("watch_bench writes nothing")
        results = [measure(os.path.abspath(options.trestle), folder, pages, options.seconds) for pages in (0, options.pages)]
    finally:
        writer.stdin.close()
        writer.wait(30)
    for result in results:
        if options.json:
            print(json.dumps({"load": os.getloadavg()[0], **result}))
        else:
            print(f"{result['pages']} pages: {result['of_core_percent']:.2f} % of a core, {result['frames_per_s']:.1f} frames/s a page, at most {result['memory_MiB']:.0f} MiB")
    if not options.json:
        print(f"load {os.getloadavg()[0]:.1f}; goals at 8 sites x 1 kHz: at most 5 % with 3 pages, 1 % with none")


if __name__ == "__main__":
    main()
