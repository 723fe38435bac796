#!/usr/bin/env python3
"""Prints the table of uncertain plants of docs/explanation/methods-compared.md.

    plant_percentiles.py METHOD=FOLDER ...        each FOLDER of a campaign

One row per method: median and 95th percentile of J1, J2, J3, J5 and J6 over the stable plants. The best of a column is bold, with
those whose 95th percentile the plants cannot tell from it: where the interval of 95 % of the difference, by 1,000 bootstrap draws of the
same plants for both methods, contains 0.
"""
import random
import sys

from uncertain_plants import Campaign, label, quantile, shown

SHOWN = ("J1", "J2", "J3", "J5", "J6")
DRAWS = 1000


def is_told_apart(larger, smaller, draws):
    """By the distribution of the difference of two 95th percentiles."""
    pairs = list(zip(larger, smaller))
    differences = []
    for drawn in draws:
        chosen = [pairs[i] for i in drawn]
        differences.append(quantile([a for a, _ in chosen], 0.95) - quantile([b for _, b in chosen], 0.95))
    return quantile(differences, 0.025) > 0.0


def marks(columns):
    """Which methods are the best of one criterion, by their absolute values; a method with an unstable plant is not."""
    whole = {name: [abs(value) for value in values] for name, values in columns.items() if values}
    if len(whole) < 2:
        return set()
    best = min(whole, key=lambda name: quantile(whole[name], 0.95))
    generator = random.Random(1)
    count = len(whole[best])
    draws = [[generator.randrange(count) for _ in range(count)] for _ in range(DRAWS)]
    return {name for name, values in whole.items() if name == best or not is_told_apart(values, whole[best], draws)}


def table(campaigns):
    criteria = [it for it in campaigns[0][1].criteria() if it[0] in SHOWN]
    lines = [
        "| | unstable | " + " | ".join(label(criterion, part) for criterion, part, _ in criteria) + " |",
        "|---|--:|" + "--:|" * len(criteria),
    ]
    best = []
    for _, _, name in criteria:
        columns = {}
        for title, campaign in campaigns:
            columns[title] = campaign.values(name, True) if all(campaign.stable) else []
        best.append(marks(columns))
    for title, campaign in campaigns:
        cells = []
        for place, (_, _, name) in enumerate(criteria):
            values = campaign.values(name, True)
            cell = f"{shown(quantile(values, 0.5))} / {shown(quantile(values, 0.95))}"
            cells.append(f"**{cell}**" if title in best[place] else cell)
        unstable = len(campaign.stable) - sum(campaign.stable)
        lines.append(f"| {title.replace('_', ' ')} | {unstable} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(arguments):
    if not arguments or any("=" not in argument for argument in arguments):
        raise SystemExit(__doc__)
    print(table([(title, Campaign(folder)) for title, folder in (it.split("=", 1) for it in arguments)]))


if __name__ == "__main__":
    main(sys.argv[1:])
