#!/usr/bin/env python3
"""Holds a new program against an old one: both run the same cases, and all they leave behind is compared byte for byte.

    gauge.py OLD NEW [--only REGEX] [--skip REGEX] [--jobs N] [--scenarios N] [--keep FOLDER] [--report FILE] [--plant]
    gauge.py --from-environment NEW ...     OLD is named by TRESTLE_GAUGE_OLD; ends with 77 where it is not

OLD and NEW are two builds of `trestle`; what they load by name lies where each build put it. A case runs in a folder of its
own with the same relative names for both. Compared are the exit code, both outputs, the kept summary and configuration, each
table of each journal (rows of a stream as one text of bytes, whatever blocks they were committed in; facts, channels, events,
audit, kept state), the exports and the ledger, and the stories of the fault rehearsal with their call numbers. What is not
compared, and which sentences may differ, is defined only in allowed.toml.

Ends with 0 where nothing differs, 1 where something does, 2 where it was used wrongly.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"
PATIENCE_S = 600.0
MODES = ("simulated", "pseudo-dynamic", "continuous", "real-time")


# ---- Running ------------------------------------------------------------------------------------------

class Run:
    """One program in one case's folder, and what it leaves behind: parts by name."""

    def __init__(self, program, folder):
        self.program, self.folder = os.path.abspath(program), pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        shutil.copytree(EXAMPLES, self.folder / "examples", symlinks=True)
        self.parts = {}
        self.processes = []
        self.environment = dict(os.environ, TRESTLE_STATE=str(self.folder / "state"), TRESTLE_AS="gauge",
                                LC_ALL="C.UTF-8", TZ="UTC")

    def call(self, words, name=None):
        """Calls the program to its end; keeps exit code and outputs as parts if a name is given."""
        ended = subprocess.run(["trestle"] + words, executable=self.program, cwd=self.folder, env=self.environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               timeout=PATIENCE_S)
        if name is not None:
            self.parts[f"{name}.exit"] = str(ended.returncode).encode()
            self.parts[f"{name}.stdout"] = self.neutral(ended.stdout)
            self.parts[f"{name}.stderr"] = self.neutral(ended.stderr)
        return ended

    def start(self, words, log):
        with open(self.folder / log, "wb") as file:
            process = subprocess.Popen(["trestle"] + words, executable=self.program, cwd=self.folder,
                                       env=self.environment, stdin=subprocess.DEVNULL, stdout=file,
                                       stderr=subprocess.STDOUT)
        self.processes.append(process)
        return process

    def neutral(self, data):
        """Without where this program and this folder stand."""
        for path, word in ((str(self.folder), "FOLDER"), (self.program, "trestle"),
                           (os.path.dirname(self.program), "BESIDE")):
            data = data.replace(path.encode(), word.encode())
        return data

    def keep_file(self, path, name):
        file = self.folder / path
        if file.exists():
            self.parts[name] = self.neutral(file.read_bytes())

    def keep_record(self, folder, name, exports=True):
        """All that a run's folder holds."""
        root = self.folder / folder
        self.parts[f"{name}.files"] = "\n".join(sorted(
            str(file.relative_to(root)) for file in root.rglob("*") if file.is_file())).encode() if root.exists() else b"none"
        self.keep_file(f"{folder}/summary.json", f"{name}.summary")
        self.keep_file(f"{folder}/effective.yaml", f"{name}.effective")
        for file in sorted(root.rglob("*.db")):
            # A site server names its records by the session.
            node = re.sub(r"[0-9a-f]{32}", "SESSION", str(file.relative_to(root).with_suffix("")))
            self.parts.update({f"{name}.{node}.{part}": self.neutral(data) for part, data in journal(file).items()})
        if exports and (root / "journal.db").exists():
            self.call(["export", folder, "--csv", f"{name}.csv", "--ledger", f"{name}.ledger.csv"], f"{name}.export")
            self.call(["export", folder, "--csv", f"{name}.ticks.csv", "--ticks"], f"{name}.export_ticks")
            for kind in ("csv", "ledger.csv", "ticks.csv"):
                self.keep_file(f"{name}.{kind}", f"{name}.{kind}")

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()


def journal(file):
    """The logical content of one record, part by part."""
    parts = {}
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as base:
        # Extents are made of the rows, and a program of before has none.
        tables = [row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type='table' AND name != 'extent' ORDER BY name")]
        parts["tables"] = " ".join([f"version {base.execute('PRAGMA user_version').fetchone()[0]}"] + tables).encode()
        session = base.execute("SELECT value FROM meta WHERE key='session'").fetchone()
        for table, columns, order in (("meta", "key, value", "key"), ("event", "id, time_ns, node, kind, text", "id"),
                                      ("audit", "sequence, utc_ns, who, origin, what, text, digest", "sequence")):
            if table in tables:
                lines = ["\t".join(str(cell) for cell in row)
                         for row in base.execute(f"SELECT {columns} FROM {table} ORDER BY {order}")]
                parts[table] = "".join(line + "\n" for line in lines).encode()
        for number, stream in base.execute("SELECT id, name FROM stream ORDER BY id").fetchall():
            channels = base.execute("SELECT name, unit FROM channel WHERE stream=? ORDER BY position", (number,)).fetchall()
            parts[f"{stream}.channels"] = "".join(f"{name}\t{unit}\n" for name, unit in channels).encode()
            for table in ("block", "superseded"):
                if table in tables:
                    rows = b"".join(row[0] for row in base.execute(
                        f"SELECT rows FROM {table} WHERE stream=? ORDER BY first", (number,)))
                    if rows or table == "block":
                        parts[f"{stream}.rows" if table == "block" else f"{stream}.superseded.rows"] = rows
        if "state" in tables:
            for _, step, state in base.execute("SELECT id, step, state FROM state"):
                parts["state"] = struct.pack("<q", step) + state
    if session:
        parts = {name: data.replace(session[0].encode(), b"SESSION") for name, data in parts.items()}
    return parts


def own_meeting(file):
    """Where simulated sites with one specimen meet: in the case's own folder, since two programs at one place would disturb
    each other."""
    sites = {"bond_graph/two_sites": ("left", "right")}.get(file, ())
    return settings(*[f"sites.{site}.rig.shared.meeting=meeting" for site in sites])


def settings(*values):
    return [word for value in values for word in ("--set", value)]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# ---- Cases -------------------------------------------------------------------------------------------

CASES = {}


def case(name, action):
    assert name not in CASES, name
    CASES[name] = action


def virtual_run(file, *values, json_too=False):
    def action(run):
        words = ["run", f"examples/{file}.yaml", "--out", "run"] + settings("clock=virtual", *values) + own_meeting(file)
        run.call(words, "run")
        run.keep_record("run", "record")
        run.call(["audit", "run"], "audit_verb")
        if json_too:
            run.call(words[:3] + ["again"] + words[4:] + ["--json"], "json")
            run.call(["audit", "again", "--json"], "audit_json")
    return action


def rehearsal(file, mode, scenarios):
    def action(run):
        for scenario in scenarios:
            run.call(["rehearse", f"examples/{file}.yaml", "--seed", "1", "--scenario", str(scenario)] +
                     settings(f"mode={mode}") + own_meeting(file), f"story{scenario:03d}")
    return action


def rehearsal_counts(file, mode, faults):
    def action(run):
        run.call(["rehearse", f"examples/{file}.yaml", "--seed", "7", "--faults", str(faults), "--jobs", "2", "--json"] +
                 settings(f"mode={mode}") + own_meeting(file), "stories")
        run.call(["rehearse", f"examples/{file}.yaml", "--seed", "9", "--faults", "20", "--jobs", "1"] +
                 settings(f"mode={mode}") + own_meeting(file), "told")
    return action


def calls(*lines):
    """One program call each."""
    def action(run):
        for number, words in enumerate(lines):
            run.call(words, f"call{number:02d}")
    return action


def networked(mode, values, rows):
    """Three processes on this machine. Where the wall sets the pace, no two runs have the same rows: then only names, facts
    and ends are compared."""
    def action(run):
        ports = {site: free_port() for site in ("west", "east")}
        sites = {site: run.start(["site", f"examples/two_site_frame/site_{site}.yaml", "--out", site, "--once",
                                  "--set", f"listen=tcp://127.0.0.1:{port}",
                                  "--set", "control_thread.most_overruns=1000000"], f"{site}.log")
                 for site, port in ports.items()}
        run.call(["run", "examples/two_site_frame/distributed.yaml", "--out", "run"] +
                 settings(f"mode={mode}", "deadlines.heartbeat=0.1 s", "deadlines.watchdog=5 s", "deadlines.connect=60 s",
                          *[f"sites.{site}.address=tcp://127.0.0.1:{port}" for site, port in ports.items()], *values), "run")
        for site, process in sites.items():
            try:
                run.parts[f"{site}.exit"] = str(process.wait(timeout=60)).encode()
            except subprocess.TimeoutExpired:
                run.parts[f"{site}.exit"] = b"still there"
        run.call(["collect", "run", "west", "east"], "collect")
        run.keep_record("run", "record", exports=False)
        run.call(["export", "run", "--csv", "steps.csv"], "export")
        run.keep_file("steps.csv", "record.csv")
        for site in sites:
            run.keep_record(site, site, exports=False)
        for name in [name for name in run.parts if not kept_of_network(name, rows)]:
            del run.parts[name]
    return action


def kept_of_network(name, rows):
    """What of a run by the wall's clock is the same each time."""
    if name.endswith((".channels", ".tables", ".exit", ".effective")):
        return True
    return rows and (name.endswith((".intent.rows", ".result.rows", ".opening.rows", "record.csv")))


def resumed(file, *values):
    """The old program is killed during a run; both programs resume copies of the same folder."""
    def action(run):
        remains = FIXTURES.remains(file, values)
        shutil.copytree(remains / "run", run.folder / "run", ignore=shutil.ignore_patterns("*.sock"))
        words = ["run", f"examples/{file}.yaml", "--out", "run", "--resume"] + settings("clock=virtual", *values)
        run.call(words, "resumed")
        run.keep_record("run", "record")
    return action


class Fixtures:
    """Records cut off by a kill, made once by the old program."""

    def __init__(self, program, folder):
        self.program, self.folder, self.lock, self.made = program, pathlib.Path(folder), threading.Lock(), {}

    def remains(self, file, values):
        with self.lock:
            if (file, values) not in self.made:
                self.made[file, values] = self.make(file, values)
            return self.made[file, values]

    def make(self, file, values):
        for attempt in range(8):
            folder = self.folder / f"{file.replace('/', '.')}-{len(self.made)}-{attempt}"
            run = Run(self.program, folder)
            process = run.start(["run", f"examples/{file}.yaml", "--out", "run"] + settings("clock=virtual", *values), "log")
            deadline = time.monotonic() + PATIENCE_S
            while not (folder / "run/journal.ring").exists() and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.002)
            time.sleep(0.3 / (attempt + 1))  # into its middle
            process.send_signal(signal.SIGKILL)
            process.wait()
            if (folder / "run/journal.ring").exists():
                return folder
        raise AssertionError(f"{file}: no run was met in its middle")


FIXTURES = None
SHORT = "excitation.synthetic.duration=2 s"


def list_cases(scenarios):
    frame = "two_site_frame/test"
    for mode in MODES:
        length = "excitation.synthetic.duration=" + ("0.25 s" if mode == "pseudo-dynamic" else "3 s")
        case(f"run/two_site_frame/{mode}", virtual_run(frame, f"mode={mode}", length, json_too=True))
        if mode != "pseudo-dynamic":
            case(f"run/two_site_frame/{mode}/whole", virtual_run(frame, f"mode={mode}"))
        case(f"run/two_site_frame/{mode}/seed", virtual_run(frame, f"mode={mode}", length, "seed=23"))
        case(f"run/two_site_frame/{mode}/stops_at_limit", virtual_run(
            frame, f"mode={mode}", length, "sites.west.limits.actuators[0].displacement=1 mm",
            "sites.east.limits.actuators=[{displacement: 60 mm, rate: 400 mm/s, force: 250 kN}, "
            "{displacement: 20 mrad, rate: 130 mrad/s, force: 400 kN.m}]"))
        case(f"run/two_site_frame/{mode}/ocean", virtual_run(
            frame, f"mode={mode}", length, "sites.west.link=ocean", "sites.east.link=campus"))
        for test in ("two_site_frame/test", "bond_graph/two_sites", "vehicle_bridge/case1"):
            # Sites that share a specimen wait for each other by the wall, up to minutes; two modes refuse them.
            shared = test == "bond_graph/two_sites"
            most = scenarios if not shared else min(scenarios, 4 if mode == "simulated" else 1)
            for first in range(0, most, 50):
                case(f"rehearse/{test}/{mode}/{first}", rehearsal(test, mode, range(first, min(first + 50, most))))
            if not shared:
                case(f"rehearse/{test}/{mode}/many", rehearsal_counts(test, mode, scenarios))
        case(f"resume/two_site_frame/{mode}", resumed(frame, f"mode={mode}", *([length] if mode == "pseudo-dynamic" else [])))
    case("run/two_site_frame/over_the_ocean", virtual_run("two_site_frame/over_the_ocean", SHORT))
    for file in sorted(EXAMPLES.rglob("*.yaml")):
        name = str(file.relative_to(EXAMPLES).with_suffix(""))
        case(f"check/{name}", calls(["check", f"examples/{name}.yaml"], ["check", f"examples/{name}.yaml", "--json"]))
        if name.startswith(("marths/", "vehicle_bridge/", "shear_building/", "imported_matrices/", "own_bridge/", "bond_graph/", "frame_3d/",
                            "steel_frame_hinges/", "bridge_pier/", "command_per_iteration/", "travelling_wave/",
                            "python_site/")) and not name.endswith(("distributed", "identify")):
            case(f"run/{name}", virtual_run(name))
    case("resume/shear_building", resumed("shear_building/test", "excitation.synthetic.duration=60 s"))
    case("resume/vehicle_bridge", resumed("vehicle_bridge/base"))
    case("network/simulated", networked("simulated", ["excitation.synthetic.duration=1 s"], True))
    case("network/pseudo-dynamic", networked("pseudo-dynamic", ["excitation.synthetic.duration=0.02 s"], False))
    case("network/continuous", networked("continuous", ["excitation.synthetic.duration=0.5 s", "continuous.scale=20"], False))
    case("network/real-time", networked("real-time", ["excitation.synthetic.duration=1 s", "real_time.most_in_a_row=100000",
                                                      "real_time.most_in_window=100000"], False))
    verbs = ("run site check export collect audit campaign compare identify link gateway doctor characterise status why arm hold "
             "resume stop clear keygen rehearse bondgraph adapter version").split()
    case("help", calls(["--help"], [], ["--version"], ["version"], *[[verb, "--help"] for verb in verbs],
                       *[["bondgraph", verb, "--help"] for verb in ("check", "derive", "draw", "plot", "identify")],
                       ["adapter", "new", "--help"], ["adapter", "check", "--help"], ["gateway", "openfresco", "--help"]))
    run = ["run", f"examples/{frame}.yaml", "--out", "run"]
    case("mistakes", calls(
        ["rum"], ["run"], ["run", "none.yaml"], ["run", "examples/links/ocean.yaml"], ["export", "nowhere", "--csv", "-"],
        ["status", "nowhere"], ["why", "nowhere"], ["audit", "nowhere"], ["resume", "nowhere"], ["stop", "nowhere"],
        ["collect", "nowhere"], ["check", "none.yaml"], ["site", "examples/two_site_frame/test.yaml"],
        *[run + settings(value) for value in (
            "mode=fast", "time_step=1 kg", "time_step=-1 s", "time_step=0 s", "siets.west=1", "sites.north.compensator.kind=ats",
            "sites.west.compensator.kind=atz", "sites.west.interface=[floor_w.q]", "sites.west.control_tick=1/1000 s",
            "numerical.integrator=euler", "sites.west.limits.actuators[0].rate=0 m/s", "excitation.record=none.csv",
            "sites.west.rig.actuators=[]", "sites.west.loading_frame=square", "seed=-1", "clock=sundial",
            "sites.west.rig.specimen.E=0 GPa", "numerical.frame.members[0].from=nowhere", "deadlines.step=0 s",
            "excitation.scale=1000", "sites.east.address=tcp://127.0.0.1:1")]))
    case("campaign", campaign)
    case("compare", calls(["compare", "examples/marths/none.yaml", "examples/marths/ats.yaml", "--set", "duration=4 s"],
                          ["compare", "examples/marths/none.yaml", "examples/marths/lqg.yaml", "--set", "duration=4 s", "--markdown"],
                          ["compare", "examples/marths/none.yaml", "examples/marths/adm.yaml", "--set", "duration=4 s", "--json"]))
    case("bondgraph", calls(*[["bondgraph", verb, f"examples/bond_graph/{model}.yaml"] for verb in ("check", "derive", "draw")
                              for model in ("two_ports", "three_masses")],
                            ["bondgraph", "derive", "--json", "examples/bond_graph/two_ports.yaml"],
                            ["bondgraph", "draw", "--dot", "examples/bond_graph/two_ports.yaml"]))
    for study in ("printed", "tyre", "beam"):
        case(f"identify/{study}", calls(["identify", f"examples/identification/{study}.yaml", "--out", "found"],
                                        ["identify", f"examples/identification/{study}.yaml", "--json"]))
    case("characterise", calls(["characterise", "examples/two_site_frame/site_west.yaml", "--out", "found.yaml", "--folder", "record"],
                               ["characterise", "examples/two_site_frame/site_west.yaml", "--out", "again.yaml", "--folder", "other",
                                "--json"]))
    case("export/formats", export_formats)


def campaign(run):
    for words, name in ((["--runs", "6"], "campaign"), (["--runs", "4", "--json"], "campaign_json")):
        run.call(["campaign", "examples/two_site_frame/study.yaml", "--jobs", "2", "--out", name, "--set", SHORT] + words, name)
        for file in sorted((run.folder / name).rglob("*")):
            if file.is_file() and file.suffix in (".csv", ".json", ".yaml"):
                run.keep_file(file.relative_to(run.folder), f"{name}.{file.name}.summary")


def export_formats(run):
    run.call(["run", "examples/shear_building/test.yaml", "--out", "run", "--set", "clock=virtual"], "run")
    run.call(["export", "run", "--csv", "-", "--ticks"], "csv")
    run.call(["export", "run", "--mat", "run.mat", "--ticks"], "mat")
    run.keep_file("run.mat", "mat.bytes")
    with sqlite3.connect(f"file:{run.folder}/run/journal.db?mode=ro", uri=True) as base:
        own = [row[0] for row in base.execute("SELECT value FROM meta WHERE key IN ('session', 'begun_utc_ns', 'ended_utc_ns', 'boot')")]
    for value in own:  # what differs between any two runs, in both ways in which the format writes text
        for coding in ("utf-8", "utf-16-le"):
            run.parts["mat.bytes"] = run.parts["mat.bytes"].replace(value.encode(coding), ("#" * len(value)).encode(coding))


# ---- Comparing ---------------------------------------------------------------------------------------

class Allowed:
    def __init__(self, file):
        table = tomllib.loads(pathlib.Path(file).read_text(encoding="utf-8"))
        unknown = set(table) - {"mask", "words", "column", "channel"}
        if unknown:
            raise SystemExit(f"gauge.py: {file} has unknown tables: {', '.join(sorted(unknown))}")
        self.masks, self.words = table.get("mask", []), table.get("words", [])
        self.columns, self.channels = table.get("column", []), table.get("channel", [])
        self.used = set()

    @staticmethod
    def concerns(entry, name, part):
        return re.search(entry.get("in", ".*"), part) and re.search(entry.get("case", ".*"), name)

    def of_old(self, name, part, data):
        """The old program's words as the new one would say them."""
        for entry in self.words + (self.channels if part.endswith((".channels", ".csv")) else []):
            if self.concerns(entry, name, part) and entry["old"].encode() in data:
                self.used.add(entry["old"])
                data = data.replace(entry["old"].encode(), entry["new"].encode())
        return data

    def masked(self, name, part, data, channels):
        if part.endswith((".rows", ".csv")):
            for entry in self.columns:
                if self.concerns(entry, name, part):
                    data = without_columns(part, data, channels, re.compile(entry["columns"]))
            return data
        if part.endswith((".bytes", "state")):
            return data
        text = data.decode(errors="surrogateescape")
        for entry in self.masks:
            if self.concerns(entry, name, part):
                text = re.sub(entry["pattern"], entry["with"], text)
        return text.encode(errors="surrogateescape")


def without_columns(part, data, channels, pattern):
    """The same rows with nothing in the columns that the pattern names; rows and their indices stay."""
    if part.endswith(".csv"):
        lines = data.decode().split("\n")
        out = [i for i, word in enumerate(lines[0].split(",")) if pattern.fullmatch(word)]
        rows = [line.split(",") for line in lines[1:]]
        for row in rows:
            for i in out:
                if i < len(row):
                    row[i] = ""
        return "\n".join([lines[0]] + [",".join(row) for row in rows]).encode()
    width, rows = 8 * (1 + len(channels)), bytearray(data)
    for i, channel in enumerate(channels, 1):
        if pattern.fullmatch(channel):
            for at in range(8 * i, len(rows), width):
                rows[at:at + 8] = b"\0" * 8
    return bytes(rows)


def first_difference(part, old, new, channels):
    """Where two texts or two sets of rows part, in words."""
    if part.endswith(".rows") and channels:
        width = 8 * (1 + len(channels))
        if len(old) != len(new):
            return f"{len(old) // width} rows and {len(new) // width}"
        for at in range(0, len(old), width):
            if old[at:at + width] != new[at:at + width]:
                left, right = struct.unpack(f"<q{len(channels)}d", old[at:at + width]), \
                    struct.unpack(f"<q{len(channels)}d", new[at:at + width])
                column = next((i for i in range(len(left)) if struct.pack("<d", float(left[i])) !=
                               struct.pack("<d", float(right[i]))), 0)
                return (f"row {left[0]}, {'index' if column == 0 else channels[column - 1]}: {left[column]!r} "
                        f"and {right[column]!r}")
    if part.endswith((".rows", "state", ".bytes")):
        at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
        return f"byte {at} of {len(old)} and {len(new)}"
    left, right = (data.decode(errors="replace").split("\n") for data in (old, new))
    for number, (a, b) in enumerate(zip(left, right), 1):
        if a != b:
            return f"line {number}:\n      old: {a[:400]}\n      new: {b[:400]}"
    return f"{len(left)} lines and {len(right)}"


def channels_of(parts, part):
    if not part.endswith(".rows"):
        return []
    text = parts.get(re.sub(r"(\.superseded)?\.rows$", ".channels", part), b"").decode()
    return [line.split("\t")[0] for line in text.splitlines()]


def compared(name, old, new, allowed):
    """Bytes compared, and what differs."""
    differences, size = [], 0
    for part in sorted(set(old) | set(new)):
        if part not in old or part not in new:
            differences.append((part, "only the old program has it" if part in old else "only the new program has it"))
            continue
        left, right = allowed.of_old(name, part, old[part]), new[part]
        names = [channels_of(side, part) for side in (old, new)]
        left, right = allowed.masked(name, part, left, names[0]), allowed.masked(name, part, right, names[1])
        size += len(left)
        if left != right:
            differences.append((part, first_difference(part, left, right, names[0])))
    return size, differences


def run_case(name, program, folder):
    run = Run(program, folder)
    try:
        CASES[name](run)
    finally:
        run.close()
    return run.parts


PLANTED = (".rows", ".state", "record.csv", ".bytes", ".channels", ".event", ".audit", ".summary", ".stdout", ".stderr", ".exit")


def planted(parts):
    """(part, a copy in which one bit of that part is another), for one part of each kind that the case has."""
    for suffix in PLANTED:
        name = next((name for name in sorted(parts) if name.endswith(suffix) and parts[name]), None)
        if name is None:
            continue
        data = bytearray(parts[name])
        text = suffix not in (".rows", ".state", ".bytes")
        # Of a text the first letter, which no mask covers; of rows the last value's lowest bit.
        letters = [at for at, byte in enumerate(data) if chr(byte).isalpha()] if text else []
        at = letters[0] if letters else len(data) - 1 if text else len(data) - 8
        data[at] ^= 1
        yield name, {**parts, name: bytes(data)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", metavar="OLD NEW")
    parser.add_argument("--from-environment", action="store_true", help="OLD is named by TRESTLE_GAUGE_OLD")
    parser.add_argument("--scenarios", type=int, default=300, help="stories of each test and mode; default 300")
    parser.add_argument("--only", default="", help="cases whose name holds this regular expression")
    parser.add_argument("--skip", default=None, help="cases to leave out")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--allowed", default=HERE / "allowed.toml")
    parser.add_argument("--keep", help="keep what the programs left behind in this folder")
    parser.add_argument("--report", help="write the table as Markdown")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--plant", action="store_true", help="also change one bit of each kind of part on the new side: each must be found")
    options = parser.parse_args()
    if options.from_environment:
        if not os.environ.get("TRESTLE_GAUGE_OLD"):
            print("skipped: TRESTLE_GAUGE_OLD names no old program")
            return 77
        options.programs.insert(0, os.environ["TRESTLE_GAUGE_OLD"])
    if len(options.programs) != 2:
        parser.error("two programs are compared, the old one first")
    options.old, options.new = options.programs
    list_cases(options.scenarios)
    names = [name for name in CASES if re.search(options.only, name) and
             not (options.skip and re.search(options.skip, name))]
    if options.list:
        print("\n".join(names))
        return 0
    for program in (options.old, options.new):
        if not os.access(program, os.X_OK):
            print(f"gauge.py: no program at {program}", file=sys.stderr)
            return 2
    if not names:
        print(f"gauge.py: no case holds `{options.only}`; --list shows them", file=sys.stderr)
        return 2
    allowed = Allowed(options.allowed)
    root = pathlib.Path(options.keep or tempfile.mkdtemp(prefix="gauge-"))
    root.mkdir(parents=True, exist_ok=True)
    global FIXTURES
    FIXTURES = Fixtures(options.old, root / "fixtures")

    plants = []

    def both(name):
        sides, begun = [], time.monotonic()
        for side, program in (("old", options.old), ("new", options.new)):
            folder = root / name.replace("/", "+") / side
            try:
                sides.append(run_case(name, program, folder))
            except Exception as problem:  # told as a difference, so that the others still run
                return name, 0, [("case", f"{side}: {problem!r}")], 0
            if not options.keep:
                shutil.rmtree(folder, ignore_errors=True)
        size, differences = compared(name, *sides, allowed)
        if options.plant:
            for part, edited in planted(sides[1]):
                found = [where for where, _ in compared(name, sides[0], edited, allowed)[1]]
                plants.append((f"{name}: {part}", part in found))
        print(f"  {time.monotonic() - begun:6.1f} s  {name}: {size} bytes, {len(differences)} parts differ" +
              "".join(f"\n           {part}" for part, _ in differences[:6]), file=sys.stderr, flush=True)
        return name, size, differences, time.monotonic() - begun

    groups, wrong = {}, 0
    # Cases by the wall's clock have the machine for themselves, last.
    alone = [name for name in names if name.startswith("network/")]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        done = list(pool.map(both, [name for name in names if name not in alone]))
    done += [both(name) for name in alone]
    for name, size, differences, seconds in done:
        group = groups.setdefault(name.split("/")[0] + (" " + mode_of(name) if mode_of(name) else ""), [0, 0, 0])
        group[0] += 1
        group[1] += size
        group[2] += len(differences)
        wrong += bool(differences)
        for part, what in differences[:6]:
            print(f"{name}: {part}: {what}")
        if len(differences) > 6:
            print(f"{name}: ... and {len(differences) - 6} more parts")
    lines = ["| cases | number | bytes compared | parts that differ |", "| --- | ---: | ---: | ---: |"]
    lines += [f"| {group} | {number} | {size:,} | {differences} |" for group, (number, size, differences) in groups.items()]
    total = [sum(group[i] for group in groups.values()) for i in range(3)]
    lines.append(f"| **all** | {total[0]} | {total[1]:,} | {total[2]} |")
    print("\n".join(lines))
    for entry in allowed.words + allowed.channels:
        if entry["old"] not in allowed.used and not options.only and not options.skip:
            print(f"note: no case met the allowed difference `{entry['old']}`")
    if options.report:
        pathlib.Path(options.report).write_text("\n".join(lines) + "\n", encoding="utf-8")
    if not options.keep:
        shutil.rmtree(root, ignore_errors=True)
    if options.plant:
        missed = [name for name, found in plants if not found]
        print(f"{len(plants) - len(missed)} of {len(plants)} planted differences found" +
              (f"; missed: {', '.join(missed)}" if missed else ""))
        return 1 if missed or wrong else 0
    return 1 if wrong else 0


def mode_of(name):
    return next((mode for mode in MODES if f"/{mode}" in name), "")


if __name__ == "__main__":
    sys.exit(main())
