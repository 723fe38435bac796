#!/usr/bin/env python3
"""What silent connections cost a site whose control thread runs with SCHED_FIFO.

A site of the two-site example listens on TCP; callers from many addresses connect and say
nothing, up to the site's limit of descriptors and beyond. Without and with them: processor
time of the idle site, then a continuous test of both sites, and the ticks that its control
loop missed.

    idle_callers.py PROGRAM [--descriptors 1024] [--duration 4] [--rounds 3]
"""
import argparse
import json
import os
import pathlib
import resource
import socket
import statistics
import subprocess
import tempfile
import time

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "two_site_frame"
PER_ADDRESS = 32  # callers of one address
PRIORITY = 80


def settings(*pairs):
    return [word for pair in pairs for word in ("--set", pair)]


def site(program, folder, name, listen, *more, descriptors=None):
    def limit():
        if descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    log = open(folder / f"{name}.log", "w")
    return subprocess.Popen(
        [program, "site", EXAMPLES / f"site_{name}.yaml", "--out", f"{name}-records", "--once",
         *settings(f"listen={listen}", *more)],
        cwd=folder, stdout=log, stderr=log, preexec_fn=limit)


def port_of(folder):
    """The port that the site took."""
    while True:
        text = (folder / "west.log").read_text()
        if "records go to" in text:
            return int(text.split("tcp://127.0.0.1:")[1].split()[0])
        time.sleep(0.05)


def callers(count, port):
    """Connections from many addresses of the loopback net."""
    made = []
    for n in range(count):
        caller = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        made.append(caller)
        address = 2 + n // PER_ADDRESS
        caller.bind((f"127.0.{address // 250}.{address % 250 + 1}", 0))
        caller.connect_ex(("127.0.0.1", port))
    return made


def processor_time(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:13]) / os.sysconf("SC_CLK_TCK")


def fifo_threads(process):
    """Threads of the process that the kernel schedules with SCHED_FIFO."""
    threads = pathlib.Path(f"/proc/{process}/task").iterdir()
    return sum(os.sched_getscheduler(int(thread.name)) == os.SCHED_FIFO for thread in threads)


def measure(program, descriptors, duration, with_callers):
    with tempfile.TemporaryDirectory(prefix="idle-callers-") as name:
        folder = pathlib.Path(name)
        west = site(program, folder, "west", "tcp://127.0.0.1:0",
                    f"control_thread={{priority: {PRIORITY}}}", descriptors=descriptors)
        port = port_of(folder)
        idle = callers(descriptors + 200, port) if with_callers else []
        time.sleep(1.5)  # what came is dealt with
        opened = len(list(pathlib.Path(f"/proc/{west.pid}/fd").iterdir()))
        begin, used = time.monotonic(), processor_time(west.pid)
        time.sleep(4.0)
        share = (processor_time(west.pid) - used) / (time.monotonic() - begin)
        listen = f"ipc://{folder}/east.ipc"
        east = site(program, folder, "east", listen)
        run = subprocess.Popen(
            [program, "run", EXAMPLES / "distributed.yaml", "--out", "run",
             *settings(f"sites.west.address=tcp://127.0.0.1:{port}",
                       f"sites.east.address={listen}", "mode=continuous",
                       "continuous.scale=4", f"duration={duration} s")],
            cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        fifo = 0
        while run.poll() is None:
            fifo = max(fifo, fifo_threads(west.pid))
            time.sleep(0.2)
        for caller in idle:
            caller.close()
        for process in (west, east):
            process.wait(30)
        if run.returncode:
            raise SystemExit(f"the test ended with {run.returncode}:\n"
                             + (folder / "west.log").read_text())
        summary = json.loads((folder / "run" / "summary.json").read_text())
        loop = next(each for each in summary["sites"] if each["name"] == "west")
        if None in loop["control_loop"].values():
            raise SystemExit("the site has not reported how its control loop did:\n"
                             + (folder / "west.log").read_text())
        return {"descriptors": opened, "processor": share, "fifo": fifo,
                **loop["control_loop"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--descriptors", type=int, default=1024)
    parser.add_argument("--duration", type=float, default=4.0, help="of the test [s]")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    rounds = {False: [], True: []}
    for _ in range(options.rounds):
        for with_callers in rounds:
            rounds[with_callers].append(
                measure(program, options.descriptors, options.duration, with_callers))
    for with_callers, each in rounds.items():
        def median(key):
            return statistics.median(one[key] for one in each)

        print(f"{'with callers' if with_callers else 'without':13} "
              f"{median('descriptors'):5.0f} descriptors open, "
              f"processor {100 * median('processor'):5.2f} %, "
              f"SCHED_FIFO threads {median('fifo'):.0f}, "
              f"ticks missed {sum(one['missed'] for one in each)}, "
              f"overruns {sum(one['overruns'] for one in each)}, "
              f"wake-up p50 {1e6 * median('wake_p50_s'):.0f} us, "
              f"p99 {1e6 * median('wake_p99_s'):.0f} us")


if __name__ == "__main__":
    main()
