#!/usr/bin/env python3
"""Demands that the tests execute every line of some sources and take every branch of them.

  branches.py GCOV PROGRAM FOLDER OBJECT...

PROGRAM holds the tests and the OBJECTs, compiled with --coverage and without optimisation from sources in FOLDER.
Branches to an exception that something else might throw are not the source's own; nor is the way past all cases of a
switch.
"""

import json
import subprocess
import sys
from pathlib import Path


def untaken(gcov, folder, counts):
    """Lines of the source of these counts, and what of them was not executed or not taken."""
    report = json.loads(subprocess.run(
        [gcov, "--json-format", "--stdout", "--branch-probabilities", counts],
        check=True, capture_output=True, cwd=counts.parent).stdout)
    for file in report["files"]:
        path = Path(report["current_working_directory"], file["file"]).resolve()
        if path.parent != folder or path.suffix != ".cc":
            continue
        text = [line.strip() for line in path.read_text().split("\n")]
        ran = {}
        for line in file["lines"]:  # of a constructor each line may come twice
            number = line["line_number"]
            words = text[number - 1]
            ran[number] = max(ran.get(number, 0), line["count"])
            for branch in line["branches"]:
                if branch["count"] == 0 and not branch["throw"] and not words.startswith("switch"):
                    yield path.name, number, "a branch is not taken", words
        for number, count in ran.items():
            if count == 0 and text[number - 1] != "}":
                yield path.name, number, "not executed", text[number - 1]


def main():
    gcov, program, folder, *objects = sys.argv[1:]
    counts = [Path(made).with_suffix(".gcda") for made in objects]
    for each in counts:
        each.unlink(missing_ok=True)
    if subprocess.run([program], stdout=subprocess.DEVNULL, check=False).returncode != 0:
        sys.exit("the tests fail")
    missing = [what for each in counts for what in untaken(gcov, Path(folder).resolve(), each)]
    for name, number, what, words in missing:
        print(f"{name}:{number}: {what}: {words}")
    print(f"{len(objects)} sources, {len(missing)} places that no test comes to")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
