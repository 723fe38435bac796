"""Records that the stand-in server serves: one computed by a formula, or one read from the folder of a run."""
import array
import itertools
import json
import math
import pathlib
import sqlite3
import struct

LIMITS = {"displacement": 0.06, "rate": 0.4, "force": 250e3, "tracking_error": 1e-3, "energy_error": 0.1}
TURNING = {"displacement": 0.02, "rate": 0.13, "force": 400e3, "tracking_error": 1e-3}


class Record:
    """Columns of the stream `result`, and what `/api/run` states about them."""

    def __init__(self, run, columns):
        self.run = run
        self.columns = columns  # name -> array of doubles
        self.count = len(next(iter(columns.values())))
        self.spacing = run["time_step_s"]
        self.events = []
        self.works = {}  # of each actuator, up to each row

    def buckets(self, channel, first, rows, count, reduce):
        """Smallest and largest values of whole buckets; NaN makes a bucket NaN."""
        column = self.columns[channel]
        if reduce == "rows" or rows == 1:
            return column[first:first + rows * count:rows], None
        low, high = array.array("d"), array.array("d")
        for k in range(first, first + rows * count, rows):
            part = column[k:k + rows]
            low.append(min(part))
            high.append(max(part))
        return low, high

    def work(self, site, a, last):
        """Of the force over the measured motion up to a row, by the trapezoidal rule."""
        motion, force = ("measured_rad", "force_Nm") if a["kind"] == "rotation" else ("measured_m", "force_N")
        base = f"{site['name']}.{a['name']}."
        if base not in self.works:
            x, f = self.columns[base + motion], self.columns[base + force]
            self.works[base] = array.array("d", itertools.accumulate((0.5 * (f[k] + f[k - 1]) * (x[k] - x[k - 1]) for k in range(1, self.count)), initial=0.0))
        return self.works[base][last]


def actuator(name, turns):
    limits = TURNING if turns else LIMITS
    return {"name": name, "kind": "rotation" if turns else "translation",
            "limits": {key: {"limit": value, "from": "site_west.yaml:12"} for key, value in limits.items()}}


def describe(test, step, planned, channels, sites, geometry):
    return {"test": test, "mode": "pseudo-dynamic", "node": "integrator", "folder": "runs/two-site-frame-20261124T155801Z",
            "session": "2158da3d49f9086b9e6ffcab3feb55d3", "software": "0.1.0", "begun_utc_ns": "1795539234866477761",
            "time_step_s": step, "steps_planned": planned, "ended": False, "records": 1,
            "streams": [{"name": "result", "spacing_s": step, "channels": [{"name": n, "unit": u} for n, u in channels]}],
            "sites": sites, "geometry": geometry}


def frame_of_two_sites():
    return {"nodes": {"floor_w": [0, 3], "floor_e": [6, 3], "roof_w": [0, 6], "roof_e": [6, 6]},
            "spatial": False, "schematic": False, "rigid": [], "ties": [],
            "supports": [{"node": node, "fixed": ["y"]} for node in ("floor_w", "floor_e")],
            "interface": [{"site": site, "dof": f"floor_{site[0]}.{dof}"} for site in ("west", "east") for dof in ("x", "rz")],
            "members": [["floor_w", "roof_w"], ["floor_e", "roof_e"], ["floor_w", "floor_e"], ["roof_w", "roof_e"]],
            "specimens": [{"site": "west", "node": "floor_w", "height": 3}, {"site": "east", "node": "floor_e", "height": 3}]}


def sites_of_frame():
    return [{"name": name, "address": f"tcp://lab-{name}:7001", "real_equipment": True, "watchdog": "hardware", "calibrated_until": "2027-10-30",
             "actuators": [actuator("1", False), actuator("2", True)]} for name in ("west", "east")]


def computed(seconds=41.18, step=1 / 1024, size=1.0):
    """A two-storey frame that moves as in an earthquake; bilinear forces. The same numbers at each call."""
    planned = int(seconds / step)
    sites = sites_of_frame()
    names = []
    for site in sites:
        for number, motion, force, unit, newton in (("1", "m", "N", "m", "N"), ("2", "rad", "Nm", "rad", "N.m")):
            names += [(f"{site['name']}.{number}.{what}_{motion}", unit) for what in ("target", "command", "measured")]
            names.append((f"{site['name']}.{number}.force_{force}", newton))
    for node in ("floor_w", "floor_e", "roof_w", "roof_e"):
        names += [(f"{node}.x.disp_m", "m"), (f"{node}.rz.disp_rad", "rad")]
    names.append(("ground.x.acc_m_s2", "m/s^2"))
    columns = {name: array.array("d", bytes(8 * planned)) for name, _ in names}

    def motion(t):
        grow = (t / 5) ** 1.4 if t < 5 else 0.62 + 0.38 * math.sin(0.61 * t + 1.1) ** 2 if t < 20 else 0.7904 * math.exp(-(t - 20) / 7)
        return size * 9.3e-3 * grow * (math.sin(7.29 * t + 1.3 * math.sin(0.53 * t)) + 0.42 * math.sin(11.5 * t + 2 * math.sin(0.31 * t))
                                     + 0.13 * math.sin(32 * t))
    target = [motion(k * step) for k in range(planned)]
    noise = 7
    for s, site in enumerate(("west", "east")):
        late = (0.0004, 0.0011)[s]
        yielded = 0.0
        for k in range(planned):
            before = target[k - 1] if k else 0.0
            u = target[k]
            speed = (u - before) / step
            noise = noise * 16807 % 2147483647
            measured = 0.999 * u - speed * late + (noise / 2147483647 - 0.5) * 2e-5
            force = 24e6 * (measured - yielded)
            if abs(force) > 132e3:
                yielded = measured - math.copysign(132e3 / 24e6, force)
                force = math.copysign(132e3, force)
            force += 3.6e6 * measured
            turn = -0.33 * u
            for name, value in (("1.target_m", u), ("1.command_m", u + speed * 0.012), ("1.measured_m", measured), ("1.force_N", force),
                                ("2.target_rad", turn), ("2.command_rad", turn - speed * 0.004), ("2.measured_rad", turn + speed * late * 0.3),
                                ("2.force_Nm", -0.24 * force)):
                columns[f"{site}.{name}"][k] = value
    for k in range(planned):
        u, w = target[k], target[max(0, k - 12)]
        for node, x, turn in (("floor_w", u, -0.1 * u), ("floor_e", 0.997 * u, -0.1 * u), ("roof_w", 1.35 * u + 0.65 * w, -0.05 * w),
                              ("roof_e", 1.345 * u + 0.65 * w, -0.05 * w)):
            columns[f"{node}.x.disp_m"][k] = x
            columns[f"{node}.rz.disp_rad"][k] = turn
        columns["ground.x.acc_m_s2"][k] = -130 * w
    for name, unit in (("energy.input_J", "J"), ("energy.kinetic_J", "J"), ("energy.balance", "1")):
        names.append((name, unit))
        columns[name] = array.array("d", bytes(8 * planned))
    for k in range(1, planned):
        speed = (target[k] - target[k - 1]) / step
        columns["energy.kinetic_J"][k] = 0.5 * 20e3 * speed * speed
        columns["energy.input_J"][k] = columns["energy.input_J"][k - 1] + 400e3 * abs(target[k] - target[k - 1])
        columns["energy.balance"][k] = 1e-4 * math.sin(0.1 * k)
    run = describe("two-site frame", step, planned, names, sites, frame_of_two_sites())
    run["ground"] = "ground.x.acc_m_s2"
    record = Record(run, columns)
    record.events = [
        {"id": 1, "time_s": 0.0, "kind": "armed", "node": "integrator", "text": "zero readings confirmed: west 0.02 kN, 3 µm; east −0.05 kN, 1 µm"},
        {"id": 2, "time_s": 12.08, "kind": "hold", "node": "integrator", "text": "“look at the grips of east”", "who": "ada@lab"},
        {"id": 3, "time_s": 12.08, "kind": "resume", "node": "integrator", "text": "after 41 s", "who": "ada@lab"},
        {"id": 4, "time_s": 17.42, "kind": "note", "node": "west", "text": "crack at the weld, 3 mm, west face", "who": "bob@west"}]
    return record


def of_run(folder):
    """The stream `result` of a finished run of the program, for trying the page by hand."""
    journal = sqlite3.connect(f"file:{pathlib.Path(folder) / 'journal.db'}?mode=ro", uri=True)
    meta = dict(journal.execute("SELECT key, value FROM meta"))
    stream, = journal.execute("SELECT id FROM stream WHERE name = 'result'").fetchone()
    channels = journal.execute("SELECT name, unit FROM channel WHERE stream = ? ORDER BY position", (stream,)).fetchall()
    columns = {name: array.array("d") for name, _ in channels}
    size = 8 + 8 * len(channels)
    for (rows,) in journal.execute("SELECT rows FROM block WHERE stream = ? ORDER BY first", (stream,)):
        for at in range(0, len(rows), size):
            for (name, _), value in zip(channels, struct.unpack_from(f"<{len(channels)}d", rows, at + 8)):
                columns[name].append(value)
    sites = [{"name": site, "actuators": [actuator(part.split()[0], part.endswith("rad")) for part in meta[f"actuators.{site}"].split(",")]}
             for site in meta["sites"].split(",")]
    run = describe(meta["test"], float(meta["time_step_s"]), int(meta["steps_planned"]), channels, sites, frame_of_two_sites())
    run.update(mode=meta["mode"], session=meta["session"], folder=str(folder))
    record = Record(run, columns)
    record.events = [{"id": n, "time_s": t / 1e9, "node": node, "kind": kind, "text": text}
                     for n, t, node, kind, text in journal.execute("SELECT id, time_ns, node, kind, text FROM event")]
    return record


def exact(value):
    """JSON of a double that reads back with the same bits; null if it is not a number."""
    return None if math.isnan(value) or math.isinf(value) else value


def rows_answer(record, first, last, channels):
    names = channels or list(record.columns)
    return json.dumps({"stream": "result", "channels": names,
                       "rows": [[k] + [exact(record.columns[n][k]) for n in names] for k in range(first, last + 1)]})
