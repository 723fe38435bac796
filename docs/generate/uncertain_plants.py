#!/usr/bin/env python3
"""Prints the section on 10,000 uncertain plants of docs/explanation/robustness.md.

    uncertain_plants.py TITLE=FOLDER ...        each FOLDER of a campaign with `unstable: include`

One table per campaign: each criterion as the NARX study prints it (mean and standard deviation over all runs, runaways included) and
as it should be (over the stable runs, with median, quantiles and the shape of the distribution); then how much of each parameter's
variance goes into J2 and J3. All numbers are from results.csv; no other package is needed.
"""
import csv
import math
import pathlib
import re
import sys

BLOCKS = "▁▂▃▄▅▆▇█"
BINS = 16
FIRST_RESULTS = ("resumable", "steps_done")  # those whose name has no dot
CRITERION = re.compile(r"criteria\.(J(?:10|[1-9]))\[(\d)\]$")


class Campaign:
    """results.csv, column by column; an empty field is no number."""

    def __init__(self, folder):
        path = pathlib.Path(folder) / "results.csv"
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        if len(rows) < 2:
            raise SystemExit(f"{path}: has no run; is the campaign complete?")
        self.names = rows[0]
        self.columns = {
            name: [float(row[i]) if i < len(row) and row[i] else math.nan for row in rows[1:]]
            for i, name in enumerate(self.names)
        }
        self.stable = [value == 1.0 for value in self.columns["stable"]]

    def criteria(self):
        """[(J2, 0, column)] in the order of their numbers."""
        found = []
        for name in self.names:
            match = CRITERION.match(name)
            if match:
                found.append((match.group(1), int(match.group(2)), name))
        return sorted(found, key=lambda it: (int(it[0][1:]), it[1]))

    def parameters(self):
        """The drawn columns stand between `stable` and the first result."""
        begin = self.names.index("stable") + 1
        end = begin
        while end < len(self.names) and "." not in self.names[end] and self.names[end] not in FIRST_RESULTS:
            end += 1
        return self.names[begin:end]

    def values(self, name, stable_only):
        return [
            value
            for value, stable in zip(self.columns[name], self.stable)
            if not math.isnan(value) and (stable or not stable_only)
        ]


def mean_sd(values):
    if not values:
        return math.nan, math.nan
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, 0.0
    return mean, math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1))


def quantile(values, part):
    """Linear between the values in order (Hyndman and Fan's 7)."""
    ordered = sorted(values)
    if not ordered:
        return math.nan
    place = part * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def histogram(values):
    """From the 1st to the 99th percentile; the outermost bins contain what is beyond."""
    if len(values) < 2:
        return ""
    low, high = quantile(values, 0.01), quantile(values, 0.99)
    if not high > low:
        return BLOCKS[-1]
    counts = [0] * BINS
    for value in values:
        counts[min(BINS - 1, max(0, int((value - low) / (high - low) * BINS)))] += 1
    return "".join(BLOCKS[min(len(BLOCKS) - 1, count * len(BLOCKS) // (max(counts) + 1))] for count in counts)


def correlation(a, b):
    (mean_a, sd_a), (mean_b, sd_b) = mean_sd(a), mean_sd(b)
    if not (sd_a > 0.0 and sd_b > 0.0):
        return 0.0
    return math.fsum((x - mean_a) * (y - mean_b) for x, y in zip(a, b)) / ((len(a) - 1) * sd_a * sd_b)


def shown(value):
    return "" if math.isnan(value) else f"{value:.4g}"


def label(criterion, part):
    unit = "ms" if criterion in ("J1", "J4") else "%"
    return f"{criterion} [{unit}] {'abcd'[part]}"


def table(title, campaign):
    # What could not be run has done no steps.
    runs = sum(not math.isnan(steps) for steps in campaign.columns["steps_done"])
    unstable = runs - sum(campaign.stable)
    impossible = len(campaign.stable) - runs
    lines = [
        f"### {title}",
        "",
        f"{runs} plants, {unstable} unstable ({100.0 * unstable / max(runs, 1):.3g} %)."
        + (f" {impossible} more could not be run." if impossible else ""),
        "",
        "| | as printed: mean ± sd | stable: mean ± sd | median | 5 % | 95 % | distribution |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for criterion, part, name in campaign.criteria():
        if criterion == "J4":  # J1 again: the study's script never uses the estimate
            continue
        everything = mean_sd(campaign.values(name, False))
        stable = campaign.values(name, True)
        mean, sd = mean_sd(stable)
        lines.append(
            f"| {label(criterion, part)} | {shown(everything[0])} ± {shown(everything[1])} | {shown(mean)} ± {shown(sd)} | "
            f"{shown(quantile(stable, 0.5))} | {shown(quantile(stable, 0.05))} | {shown(quantile(stable, 0.95))} | "
            f"{histogram(stable)} |"
        )
    return lines + [""]


def sensitivity(title, campaign):
    """The share of a criterion's variance that goes along with each parameter alone, in a straight line: r²."""
    chosen = [it for it in campaign.criteria() if it[0] in ("J2", "J3")]
    lines = [f"### What decides J2 and J3: {title}", ""]
    lines.append("| | " + " | ".join(label(criterion, part) for criterion, part, _ in chosen) + " |")
    lines.append("|---|" + "--:|" * len(chosen))
    rows = [i for i, stable in enumerate(campaign.stable) if stable]
    total = [0.0] * len(chosen)
    for parameter in campaign.parameters():
        drawn = [campaign.columns[parameter][i] for i in rows]
        cells = []
        for place, (_, _, name) in enumerate(chosen):
            share = correlation(drawn, [campaign.columns[name][i] for i in rows]) ** 2
            total[place] += share
            cells.append(f"{share:.3f}")
        lines.append(f"| {parameter} | " + " | ".join(cells) + " |")
    lines.append("| all together | " + " | ".join(f"{share:.3f}" for share in total) + " |")
    return lines + [""]


def section(campaigns):
    lines = []
    for title, campaign in campaigns:
        lines += table(title, campaign)
    for title, campaign in campaigns:
        lines += sensitivity(title, campaign)
    return "\n".join(lines)


def main(arguments):
    if not arguments or any("=" not in argument for argument in arguments):
        raise SystemExit(__doc__)
    print(section([(title, Campaign(folder)) for title, folder in (it.split("=", 1) for it in arguments)]), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
