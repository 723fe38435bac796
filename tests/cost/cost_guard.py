#!/usr/bin/env python3
"""Counts the machine instructions of typical runs with callgrind and fails where one costs more than counts.toml allows.

    cost_guard.py PROGRAM [--only NAME] [--flags FLAGS] [--compiler VERSION]
    cost_guard.py PROGRAM --write NAME --why "one line" [--flags FLAGS] [--compiler VERSION]

Each run is whole: it reads the test, steps it in simulated mode in one process, keeps its record and writes the summary. A
count depends little on the load of the machine: threads that wait for each other add up to 1.5 %, and a run that takes too
many is counted again. It does depend on the compiler and its flags: where they are not those of counts.toml the guard ends with 77 (skipped), and so it
does without valgrind. Ends with 0 where no run costs more, 1 where one does or its count has no reason in `history`, 2 where it was used wrongly.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COUNTS = HERE / "counts.toml"
MAY_GROW_PERCENT = 3
PATIENCE_S = 600.0
TRIES = 3
# The C library chooses its functions by the processor; here it takes the plain ones on each.
SAME_EVERYWHERE = "glibc.cpu.hwcaps=-AVX2,-AVX,-FMA,-FMA4,-ERMS,-AVX_Fast_Unaligned_Load"
SKIPPED = 77
# The thread of the line looks by the wall clock, which callgrind slows fifty times: not counted. bench/watch measures it.
LEFT_OUT = ["--toggle-collect=trestle::cli::TestLine::follow()", "--collect-atstart=yes"]


def counted(program, case):
    """Instructions of the whole command, of all its threads."""
    with tempfile.TemporaryDirectory(prefix="trestle-cost-") as folder:
        words = [word.replace("EXAMPLES", str(ROOT / "examples")) for word in case["command"]]
        call = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out", *LEFT_OUT,
                str(program), *words,
                "--out", f"{folder}/record"]
        done = subprocess.run(call, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S,
                              env={**os.environ, "GLIBC_TUNABLES": SAME_EVERYWHERE})
        if done.returncode != 0:
            sys.exit(f"cost_guard: {case['name']}: `{' '.join(call)}` ended with {done.returncode}, not 0:\n"
                     f"{done.stdout}{done.stderr}")
        found = re.search(r"Collected : (\d+)", done.stderr)
        if not found:
            sys.exit(f"cost_guard: {case['name']}: callgrind printed no count:\n{done.stderr}")
        return int(found.group(1))


def too_many(count, allowed):
    return 100 * count > (100 + MAY_GROW_PERCENT) * allowed


def least(program, case, allowed):
    """Per step. Threads that wait for each other on a loaded machine only add to a count, so the least of some is taken."""
    count = min(round(counted(program, case) / case["steps"]) for _ in range(1 if allowed else 2))
    for _ in range(TRIES - 1):
        if not allowed or not too_many(count, allowed):
            break
        count = min(count, round(counted(program, case) / case["steps"]))
    return count


def rewritten(text, name, count, why):
    """counts.toml with another count for one case, and the reason as the last line of its history."""
    blocks = re.split(r"(?m)^(?=\[\[run\]\]$)", text)
    for at, block in enumerate(blocks):
        if not re.search(rf'(?m)^name = "{re.escape(name)}"$', block):
            continue
        block = re.sub(r"(?m)^instructions_per_step = \d+$", f"instructions_per_step = {count}", block)
        escaped = why.replace("\\", "\\\\").replace('"', '\\"')
        block = re.sub(r"(?m)^\]$", f'  "{count}: {escaped}",\n]', block, count=1)
        blocks[at] = block
        return "".join(blocks)
    raise KeyError(name)


def unexplained(cases):
    """The runs whose count is not that of the last line of their history: somebody wrote it by hand."""
    return [case["name"] for case in cases
            if not re.match(rf"{case['instructions_per_step']}: \S", (case.get("history") or [""])[-1])]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--only", help="this run alone")
    parser.add_argument("--write", metavar="NAME", help="write the count of this run; `all` for each")
    parser.add_argument("--why", help="one line that says why the count changed; needed by --write")
    parser.add_argument("--flags", help="flags of the build")
    parser.add_argument("--compiler", help="version of the compiler")
    read = parser.parse_args()
    if read.write and not (read.why and read.why.strip() and "\n" not in read.why):
        parser.error("--write needs --why with one line that says why the count changed")
    return read


def main():
    read = arguments()
    text = COUNTS.read_text()
    counts = tomllib.loads(text)
    by_hand = [] if read.write else unexplained(counts["run"])
    if by_hand:
        print(f"cost_guard: in {COUNTS.name} the count of {', '.join(by_hand)} is not that of the last line of its history; "
              f"write it with cost_guard.py PROGRAM --write NAME --why \"...\"")
        return 1
    build = counts["build"]
    for what, here, there in (("flags", read.flags, build["flags"]), ("compiler", read.compiler, build["compiler"])):
        if here is not None and here != there:
            print(f"cost_guard: skipped: the {what} of this build are {here!r}, those of {COUNTS.name} {there!r}")
            return SKIPPED
    if not shutil.which("valgrind"):
        print("cost_guard: skipped: valgrind is not installed")
        return SKIPPED

    only = read.only or (read.write if read.write != "all" else None)
    chosen = [case for case in counts["run"] if only in (None, case["name"])]
    if not chosen:
        print(f"cost_guard: {COUNTS.name} has no run {only!r}", file=sys.stderr)
        return 2
    worse = 0
    print(f"{'run':<28}{'allowed':>12}{'counted':>12}   change   instructions per step")
    for case in chosen:
        allowed = case["instructions_per_step"]
        count = least(read.program.resolve(), case, 0 if read.write else allowed)
        change = count / allowed - 1 if allowed else float("inf")
        verdict = ""
        if read.write:
            text = rewritten(text, case["name"], count, read.why.strip())
            verdict = "   written"
        elif too_many(count, allowed):
            worse += 1
            verdict = f"   COSTS MORE: {MAY_GROW_PERCENT} % more is allowed"
        elif 100 * count < (100 - MAY_GROW_PERCENT) * allowed:
            verdict = "   costs less: write it, so that it stays so"
        print(f"{case['name']:<28}{allowed:>12}{count:>12} {change:>+8.1%}{verdict}", flush=True)
    if read.write:
        COUNTS.write_text(text)
    if worse:
        print(f"cost_guard: {worse} of {len(chosen)} runs cost more than {COUNTS.name} allows. Find out why (callgrind_annotate); "
              f"where the cost is wanted: cost_guard.py PROGRAM --write NAME --why \"...\"")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
