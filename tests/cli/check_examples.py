#!/usr/bin/env python3
"""`trestle check` of every file below EXAMPLES. A file that `check` takes must end with 0, those that are shipped to show a
finding end as said here, and no file ends otherwise, least of all with 1, an error of the program.

    check_examples.py TRESTLE EXAMPLES [--only TEXT]

Ends with 0 where all did as said.
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

PATIENCE_S = 120.0
COMPLETE, CONFIGURATION, STOPPED = 0, 2, 3
# The end, and a word of what is said: of a finding that stops, and of a part that other files include.
ENDS = {
    "bond_graph/unstable.yaml": (STOPPED, "computed to be unstable"),
    "bond_graph/walls_at_three_and_five.yaml": (CONFIGURATION, "test is missing"),
    "bond_graph/walls_swept.yaml": (CONFIGURATION, "test is missing"),
    "marths/plant.yaml": (CONFIGURATION, "unknown key `kind`"),
    "marths/structure.yaml": (CONFIGURATION, "test is missing"),
}
# Said, with exit 2, of a file that another command reads: `identify`, `bondgraph`.
ANOTHER_COMMANDS = "reads; here the file of a test is needed"


def files_below(folder, only):
    found = []
    for place, _, names in os.walk(folder):
        found += [os.path.join(place, name) for name in names if name.endswith(".yaml")]
    return sorted(file for file in found if only in file)


def problem_of(program, examples, file, folder):
    """What is wrong with the check of this file; empty: nothing."""
    name = os.path.relpath(file, examples)
    try:
        ended = subprocess.run([program, "check", file], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        return f"{name}: no end within {PATIENCE_S:g} s"
    code, said = ENDS.get(name, (COMPLETE, ""))
    if ended.returncode == CONFIGURATION and ANOTHER_COMMANDS in ended.stderr:
        code, said = CONFIGURATION, ANOTHER_COMMANDS
    if ended.returncode != code:
        return f"{name}: ended with {ended.returncode} and not with {code}\n{ended.stderr}"
    if said not in ended.stderr + ended.stdout:
        return f"{name}: did not say `{said}`\n{ended.stdout}{ended.stderr}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("examples")
    parser.add_argument("--only", default="", help="files with this in their path")
    asked = parser.parse_args()
    examples = os.path.abspath(asked.examples)
    files = files_below(examples, asked.only)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        program = os.path.abspath(asked.program)
        problems = [told for told in pool.map(lambda file: problem_of(program, examples, file, folder), files) if told]
    missing = [] if asked.only else [name for name in ENDS if not os.path.exists(os.path.join(examples, name))]
    problems += [f"{name}: named in this test, and not shipped" for name in missing]
    for told in problems:
        print(told)
    print(f"{len(files)} files checked, {len(problems)} not as they should be")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
