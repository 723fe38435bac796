#!/usr/bin/env python3
"""Counts how often a target is copied on its way down, and what was measured on its way back.

    count_copies.py ROOT WORK [CXX]    fails if either is copied more often than copies/copies_test.cc allows

It compiles the two nodes in the folder WORK, with headers in which the displacement of a target and the measured
displacement of a response are vectors that count their copies. A copy belongs where a message leaves a process or a
thread (twice each way); besides, the trajectory keeps its end. Serialising, and packing a row, are no copies.
tests/structure/copies/ has the program that runs a test of 50 steps with them.
"""
import pathlib
import re
import subprocess
import sys

SOURCES = ["core/session", "core/record", "core/timing", "core/evaluation", "site-servers/safety", "site-servers/checks",
           "site-servers/trajectory", "site-servers/node", "numerical/node"]
SINGLE = ["core/math/carried_inertia.cc"]
PLAIN = ["core/base", "core/host"]  # know nothing of a target
# header, structure, member
COUNTED = [("core/types/motion.h", "InterfaceMotion", "displacement|velocity|acceleration"),
           ("core/types/message.h", "StepResponse", "measured"),
           ("core/ports/numerical_substructure.h", "SiteResponse", "measured")]


def counted(text, structure, member):
    """The header with counted vectors in place of the members of one structure."""
    begin = text.index(f"struct {structure} {{")
    end = text.index("\n};", begin)
    body, count = re.subn(rf"\bInterfaceVector ({member})\b", r"CountedVector \1", text[begin:end])
    if not count:
        sys.exit(f"struct {structure} has no `InterfaceVector {member}`; correct COUNTED in {__file__}")
    text = text[:begin] + body + text[end:]
    return text.replace("#pragma once\n", '#pragma once\n\n#include "tests/structure/copies/counted_vector.h"\n', 1)


def main(root, work, compiler="c++"):
    root, work = pathlib.Path(root).resolve(), pathlib.Path(work)
    for header, structure, member in COUNTED:
        (work / header).parent.mkdir(parents=True, exist_ok=True)
        (work / header).write_text(counted((root / header).read_text(encoding="utf-8"), structure, member), encoding="utf-8")
    command = [compiler, "-std=c++20", "-O0", "-g0", "-w", "-ffp-contract=off", f"-I{work}", f"-I{root}", "-isystem",
               "/usr/include/eigen3"]
    objects = []
    for folder in SOURCES + PLAIN + ["inertia", "copies"]:
        own = {"inertia": SINGLE, "copies": ["tests/structure/copies/copies_test.cc"]}.get(folder) or sorted(
            str(path.relative_to(root)) for path in (root / folder).glob("*.cc"))
        joined = work / (folder.replace("/", "_") + ".cc")
        joined.write_text("".join(f'#include "{path}"\n' for path in own), encoding="utf-8")
        objects.append(str(joined.with_suffix(".o")))
        subprocess.run([*command, "-c", str(joined), "-o", objects[-1]], check=True)
    program = work / "copies"
    subprocess.run([compiler, *objects, "-o", str(program), "-lsodium", "-lpthread"], check=True)
    return subprocess.run([str(program)], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
