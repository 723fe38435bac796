#!/usr/bin/env python3
"""Prints the tables of "When the detour by the nodes pays" in docs/howto/identify-a-vehicle.md.

    nodal_study.py TRESTLE BEAM.yaml [SEEDS]

BEAM.yaml: examples/identification/beam.yaml. A vehicle is identified from strain gauges again and again, each time with other noise:
by a fit on the strains, and by the motion of the nodes in several ways. Each number is the root mean square of the errors of all
seeds (bias and scatter) in percent of the value, beside the bound of Cramér and Rao; `lost`: sequences whose fit did not converge or
erred by more than the value itself, which the errors leave out. 12 sequences take about ten minutes on one core.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

PARAMETERS = ("body_mass", "wheel_mass", "suspension_damping", "suspension_stiffness", "tyre_stiffness")
WAYS = {
    "strains": "{kind: lm-reparam}",
    "nodes": "{kind: nodal}",
    "nodes, bias removed": "{kind: nodal, bias: removed}",
    "nodes, removed, order 60": "{kind: nodal, bias: removed, order: 60}",
    "nodes, removed, velocity": "{kind: nodal, bias: removed, fits: velocity}",
    "nodes, removed, acceleration": "{kind: nodal, bias: removed, fits: acceleration}",
}


def gauges(count):
    """Evenly spread over the 30 m of the beam."""
    places = [30.0 * (i + 1) / (count + 1) for i in range(count)]
    return "{" + ", ".join(f"g{i + 1}: {{at: {at:.6g} m, measures: strain, gauge_arm: 1 m}}" for i, at in enumerate(places)) + "}"


def identify(trestle, folder, beam, count, elements, noise, method, seed, start):
    text = (
        f"include: {beam}\nstudy: s\nroad: {{kind: iso8608, class: b}}\nsensors: {gauges(count)}\n"
        f"synthetic: {{sampling_rate: 1000 Hz, seed: {seed}, elements: 36}}\nnoise: {{level: {noise} %, of: peak}}\nmethod: {method}\n"
        f"start_factor: {start}\nbridge: {{elements: {elements}}}\n"
    )
    path = folder / "study.yaml"
    path.write_text(text)
    done = subprocess.run(
        [trestle, "identify", str(path), "--json", "--out", str(folder / "out")], capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 3):
        raise SystemExit(f"{text}\n{done.stderr}")
    return json.loads(done.stdout)


def row(trestle, folder, beam, count, elements, noise, method, seeds, start=1):
    squares = dict.fromkeys(PARAMETERS, 0.0)
    bounds = dict.fromkeys(PARAMETERS, 0.0)
    lost = 0
    for seed in range(1, seeds + 1):
        result = identify(trestle, folder, beam, count, elements, noise, method, seed, start)
        found = result["parameters"]
        errors = {name: found[name]["relative_error"] for name in PARAMETERS}
        if not result["converged"] or max(abs(error) for error in errors.values()) > 1.0:
            lost += 1
            continue
        for name in PARAMETERS:
            squares[name] += errors[name] ** 2
            bounds[name] += found[name]["bound"] / found[name]["truth"]
    kept = max(1, seeds - lost)
    return lost, {name: 100.0 * math.sqrt(squares[name] / kept) for name in PARAMETERS}, {
        name: 100.0 * bounds[name] / kept for name in PARAMETERS
    }


def main(arguments):
    if len(arguments) < 2:
        raise SystemExit(__doc__)
    trestle, beam = arguments[0], pathlib.Path(arguments[1]).resolve()
    seeds = int(arguments[2]) if len(arguments) > 2 else 20
    heads = " | ".join(PARAMETERS)
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for count, elements in ((5, 36), (24, 12), (24, 36)):
            for noise in (0.01, 0.1, 1.0):
                print(f"\n{count} gauges, {elements} elements, noise of {noise} % of each gauge's peak, {seeds} sequences:\n")
                print(f"| by | {heads} | lost |\n|---|" + "--:|" * (len(PARAMETERS) + 1))
                for way, method in WAYS.items():
                    lost, rms, bound = row(trestle, folder, beam, count, elements, noise, method, seeds)
                    if way == "strains":
                        print("| (bound) | " + " | ".join(f"{bound[name]:.2g}" for name in PARAMETERS) + " | |")
                    print(f"| {way} | " + " | ".join(f"{rms[name]:.2g}" for name in PARAMETERS) + f" | {lost} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
