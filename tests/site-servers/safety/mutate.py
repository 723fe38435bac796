#!/usr/bin/env python3
"""Mutates what guards the rig, and demands that the tests notice every mutant.

  mutate.py generate FOLDER SOURCE...   writes FOLDER/<source> with all mutants in it, each
                                        behind a switch, and FOLDER/mutants.json
  mutate.py run PROGRAM MUTANTS EQUIVALENT [JOBS]
                                        runs PROGRAM once per mutant; every one must fail

Mutants: every comparison (boundary moved, contrary, the other way round), every condition
and every check (always, never), integers by one, magnitudes without abs, minima for maxima,
and every assignment and call that stands alone (dropped). EQUIVALENT lists those that no
test can notice, with the reason.
"""

import json
import os
import re
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

OPS = {  # operator: name, boundary, contrary, other way round
    "<": ("kLess", "kLessEqual", "kGreaterEqual", "kGreater"),
    "<=": ("kLessEqual", "kLess", "kGreater", "kGreaterEqual"),
    ">": ("kGreater", "kGreaterEqual", "kLessEqual", "kLess"),
    ">=": ("kGreaterEqual", "kGreater", "kLess", "kLessEqual"),
    "==": ("kEqual", None, "kUnequal", None),
    "!=": ("kUnequal", None, "kEqual", None),
}
CHECKS = r"(?<![\w.>:])(?:within|follows|allows|complete|sound|grows|watch)\("
STATEMENT = re.compile(
    r"^(\s+)((?:\+\+)?[\w.>\[\]()-]+(?: [-+*]?= [^{]*|\(.*\))?);$")
NOT_STATEMENTS = re.compile(r"^\s*(return|break|continue|throw|using|default|case|else)\b")
SECONDS = 1  # of CPU; all tests together take a tenth of one


def closing(text, opening):
    """Where the bracket that opens here is closed."""
    depth = 0
    for at in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise ValueError("no closing bracket")


class Source:
    def __init__(self, path, first):
        self.path = path
        self.text = path.read_text()
        self.next = first
        self.mutants = []

    def add(self, at, what):
        line = self.text.count("\n", 0, at)
        self.mutants.append({"id": self.next, "file": self.path.name, "line": line + 1,
                             "source": self.text.split("\n")[line].strip(), "what": what})
        self.next += 1
        return self.next - 1

    def edits(self):
        """(from, to, text before, text after) of each place, of the original text."""
        text = self.text
        body = text.index("namespace {") if "namespace {" in text else 0
        for match in re.finditer(r" (<=|>=|==|!=|<|>) ", text):
            if match.start() < body or self.skipped(match.start()):
                continue
            name, boundary, contrary, other = OPS[match[1]]
            first = self.next
            for what, op in (("boundary", boundary), ("contrary", contrary),
                             ("other way", other)):
                if op:
                    self.add(match.start(), what + " of " + match[1])
                else:
                    self.next += 1
            ops = ", ".join("mutants::Op::" + (op or name)
                            for op in (name, boundary, contrary, other))
            yield (match.start() + 1, match.end() - 1,
                   "|mutants::Compare{%d, %s}|" % (first, ops), None)
        for match in re.finditer(r"\bif \(", text):
            end = closing(text, match.end() - 1)
            start = match.end()
            if ";" in text[start:end]:
                start += text[start:end].index(";") + 1
            elif re.match(r"const \w+ \w+ =", text[start:end]):
                continue
            yield (start, end) + self.forced(match.start(), "condition")
        for match in re.finditer(CHECKS, text):
            if text[:match.start()].endswith("::") or self.declares(match.start()):
                continue
            end = closing(text, match.end() - 1) + 1
            if re.match(r" (const )?noexcept", text[end:end + 16]) or text[end] == ";" and \
                    text[:match.start()].rstrip(" ").endswith("\n"):
                continue
            yield (match.start(), end) + self.forced(match.start(), "check")
        for match in re.finditer(r"(?<=[-+?:] )\d+(?= ?[;:)])|(?<= = )[0-9]+(?=;)", text):
            if not self.skipped(match.start()):
                yield (match.start(), match.end(),
                       "MUTANT_NUMBER(%d, " % self.add(match.start(), "one more"), ")")
        for match in re.finditer(r"std::(abs|min|max)\(", text):
            end = closing(text, match.end() - 1) + 1
            inside = text[match.end():end]
            other = {"abs": "(", "min": "std::max(", "max": "std::min("}[match[1]]
            what = {"abs": "no abs", "min": "max for min", "max": "min for max"}[match[1]]
            if match[1] != "abs" and "{" in inside:
                continue
            yield (match.start(), match.end(), "MUTANT_CALL(%d, %s, %s)(" % (
                self.add(match.start(), what), match[0][:-1], other[:-1] or "mutants::same"),
                None)
        for match in re.finditer(r"(?m)^constexpr (\S+ k\w+) = ([\d.e]+);", text):
            yield (match.start(), match.end(), "const %s = MUTANT_NUMBER(%d, %s);" % (
                match[1], self.add(match.start(), "one more"), match[2]), None)
        at = 0
        previous = ""
        for line in text.split("\n"):
            match = STATEMENT.match(line)
            follows = previous == "" or previous[-1] in ";{}:)"
            previous = line.split("  //")[0].rstrip()
            if (match and follows and not NOT_STATEMENTS.match(line)
                    and line.count("(") == line.count(")")):
                start = at + len(match[1])
                yield (start, at + len(line),
                       "MUTANT_DROPPED(%d, " % self.add(start, "dropped"), ")")
            at += len(line) + 1

    def forced(self, at, what):
        first = self.add(at, what + " always")
        self.add(at, what + " never")
        return ("MUTANT_FORCED(%d, " % first, ")")

    def line_of(self, at):
        start = self.text.rfind("\n", 0, at) + 1
        return self.text[start:self.text.find("\n", at)]

    def skipped(self, at):
        line = self.line_of(at).strip()
        return line.startswith(("//", "constexpr", "#", "template"))

    def declares(self, at):
        return not self.line_of(at).startswith(" ")

    def mutated(self):
        inserts = {}
        removed = []
        for start, end, before, after in sorted(self.edits(), key=lambda e: (e[0], -e[1])):
            inserts.setdefault(start, []).append(before)
            if after is None:
                removed.append((start, end))
            else:
                inserts.setdefault(end, []).insert(0, after)
        pieces = []
        gone = 0
        for at, letter in enumerate(self.text):
            pieces += inserts.get(at, [])
            if removed and at == removed[0][0]:
                gone = removed.pop(0)[1]
            if at >= gone:
                pieces.append(letter)
        return '#include "tests/site-servers/safety/mutant_switch.h"\n' + "".join(pieces)


def refuse_comparisons_in_headers(folder):
    """Code in a header would be compiled into the tests, too, and not be mutated."""
    for header in sorted(folder.glob("*.h")):
        for number, line in enumerate(header.read_text().split("\n"), 1):
            if re.search(r" (<=|>=|==|!=|<|>) ", line.split("//")[0]):
                sys.exit(f"{header}:{number}: a comparison in a header; move it to the source")


def generate(folder, sources):
    refuse_comparisons_in_headers(Path(sources[0]).parent)
    mutants = []
    first = 1
    for path in sources:
        source = Source(Path(path), first)
        (folder / source.path.name).write_text(source.mutated())
        mutants += source.mutants
        first = source.next
    (folder / "mutants.json").write_text(json.dumps(mutants, indent=1))


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def passes(program, mutant, tests="*"):
    """Whether these tests pass with this mutant alive."""
    environment = dict(os.environ, MUTANT=str(mutant), GTEST_FAIL_FAST="1")
    try:
        return subprocess.run([program, "--gtest_filter=" + tests], env=environment,
                              preexec_fn=limit, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=60,
                              check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def survives(program, mutant):
    """Its own class's tests first: most die there."""
    words = mutant["file"].removesuffix(".cc").split("_")
    own = "".join(word.capitalize() for word in words) + ".*"
    return passes(program, mutant["id"], own) and passes(program, mutant["id"])


def key(mutant):
    return (mutant["file"], mutant["source"], mutant["what"])


def run(program, mutants, equivalent, jobs):
    if not passes(program, 0):
        sys.exit("the tests fail without any mutant")
    excused = {key(entry) for entry in equivalent}
    with ThreadPoolExecutor(jobs) as pool:
        alive = list(pool.map(lambda mutant: survives(program, mutant), mutants))
    survivors = [mutant for mutant, lives in zip(mutants, alive) if lives]
    unexcused = [mutant for mutant in survivors if key(mutant) not in excused]
    stale = excused - {key(mutant) for mutant in survivors}
    print(f"{len(mutants)} mutants, {len(mutants) - len(survivors)} killed, "
          f"{len(survivors) - len(unexcused)} equivalent, {len(unexcused)} alive")
    for mutant in unexcused:
        print(f"ALIVE {mutant['id']} {mutant['file']}:{mutant['line']}: {mutant['what']}: "
              f"{mutant['source']}")
    for entry in sorted(stale):
        print("NOT EQUIVALENT, or no longer there:", *entry)
    return 1 if unexcused or stale else 0


if __name__ == "__main__":
    if sys.argv[1] == "generate":
        generate(Path(sys.argv[2]), sys.argv[3:])
    else:
        sys.exit(run(sys.argv[2], json.loads(Path(sys.argv[3]).read_text()),
                     json.loads(Path(sys.argv[4]).read_text()),
                     int(sys.argv[5]) if len(sys.argv) > 5 else 2))
