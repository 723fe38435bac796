#!/usr/bin/env python3
"""The Grafana dashboard names only metrics that the program has, and its expressions are ones that Prometheus reads.

    dashboard_test.py ROOT [PROMTOOL]
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
DASHBOARD = ROOT / "deploy/monitoring/trestle.dashboard.json"
RULES = ROOT / "deploy/monitoring/trestle.rules.yaml"
WANTED = {"trestle_steps_total", "trestle_delay_seconds", "trestle_limit_used_ratio", "trestle_peer_heard_seconds",
          "trestle_node_state", "trestle_disk_free_bytes", "trestle_step_account_seconds", "trestle_misses_total", "trestle_clock_bound_seconds"}


def check(condition, words):
    if not condition:
        raise AssertionError(words)


def families():
    """Metrics of the program, with their labels as its sources write them."""
    text = "".join(path.read_text() for path in (ROOT / "observe/metrics").glob("*.cc"))
    return set(re.findall(r'\.family\(\s*"(trestle_\w+)"', text))


def named(text):
    """Families: the lines of a histogram have endings of their own."""
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in re.findall(r"\btrestle_\w+", text)}


def expressions(dashboard):
    return [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]


def main():
    known = families()
    check(len(known) > 15, f"only {sorted(known)} are found in observe/metrics")
    dashboard = json.loads(DASHBOARD.read_text())
    for panel in dashboard["panels"]:
        check(panel["title"] and panel["targets"], f"panel {panel['id']} has no title or shows nothing")
        for target in panel["targets"]:
            check(named(target["expr"]) and named(target["expr"]) <= known,
                  f"{panel['title']}: {target['expr']} names what the program does not have")
    shown = set().union(*map(named, expressions(dashboard)))
    check(WANTED <= shown, f"no panel shows {sorted(WANTED - shown)}")
    check(named(json.dumps(dashboard["templating"])) <= known, "a variable names what the program does not have")
    check(named(re.sub(r"(?m)^\s*#.*$", "", RULES.read_text())) <= known, "an alert names what the program does not have")
    page = (ROOT / "docs/howto/scrape-metrics.md").read_text()
    check(known <= named(page), f"docs/howto/scrape-metrics.md lacks {sorted(known - named(page))}")
    places = [panel["gridPos"] for panel in dashboard["panels"]]
    for i, a in enumerate(places):
        for b in places[:i]:
            apart = a["x"] >= b["x"] + b["w"] or b["x"] >= a["x"] + a["w"] or a["y"] >= b["y"] + b["h"] or b["y"] >= a["y"] + a["h"]
            check(apart, f"panels lie over each other: {a}, {b}")
    if len(sys.argv) > 2:
        rules = [{"record": f"dashboard:{i}", "expr": expr.replace("$instance", ".*")} for i, expr in enumerate(expressions(dashboard))]
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)
            file.flush()
            judged = subprocess.run([sys.argv[2], "check", "rules", file.name], capture_output=True, text=True, timeout=60)
        check(judged.returncode == 0, judged.stdout + judged.stderr)
    print(f"{len(places)} panels, {len(expressions(dashboard))} expressions, {len(shown)} of {len(known)} metrics")


if __name__ == "__main__":
    main()
