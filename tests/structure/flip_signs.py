#!/usr/bin/env python3
"""Flips each sign of a source, one at a time, and tells which flips no test sees.

    flip_signs.py BUILD SOURCE TEST [TEST ...] [--filter GTEST_FILTER] [--only LINE[,LINE...]] [--list]

BUILD: a build folder (Ninja) that is up to date. SOURCE: a source of the tree, relative to its root. TEST: names of test programs.
A flip turns + into - and back, also in += and -=, and takes a sign in front of an operand away. The source is compiled apart and
linked in front of the libraries: nothing in the build folder changes. A flip counts as seen if it does not compile, or if one of the
programs fails, is killed, or takes too long. Exit 1 if a flip was not seen.
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

MOST_SECONDS = 120
HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#[^\n]*', re.S | re.M)
# A number with its exponent, an arrow, a step by one: their signs are no operators.
SKIPPED = re.compile(r"(?:\d[\d']*\.?\d*|\.\d+)[eE][+-]\d+|->|\+\+|--")
SIGN = re.compile(r"[+-]")


def blanked(match):
    return re.sub(r"[^\n]", " ", match.group())


def signs(text):
    """Places of the operators, in the order of the text; those of lines with words in quotes join words."""
    words = {number for number, line in enumerate(text.splitlines()) if '"' in line}
    text = SKIPPED.sub(blanked, HIDDEN.sub(blanked, text))
    return [match.start() for match in SIGN.finditer(text) if text.count("\n", 0, match.start()) not in words]


def is_in_front(text, place):
    """A sign of an operand, not an operator between two."""
    before = text[:place].rstrip()
    return not before or before[-1] in "(=,{[?:<>&|!*/+-;" or re.search(r"\breturn$", before) is not None


def flipped(text, place):
    other = "-" if text[place] == "+" else "+"
    if text[place] == "-" and is_in_front(text, place):
        other = " "
    return text[:place] + other + text[place + 1 :]


def root_of(build):
    return pathlib.Path(re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", (build / "CMakeCache.txt").read_text(), re.M).group(1))


def compile_command(build, source):
    """Of the source, or of the unity source that includes it."""
    entries = json.loads((build / "compile_commands.json").read_text())
    for entry in entries:
        if pathlib.Path(entry["file"]).resolve() == source:
            return entry
    for entry in entries:
        file = pathlib.Path(entry["file"])
        if "/Unity/" in str(file) and file.exists() and f'"{source}"' in file.read_text():
            return entry
    raise SystemExit(f"{build}: no command compiles {source}")


def link_command(build, test):
    lines = subprocess.run(["ninja", "-C", str(build), "-t", "commands", test], capture_output=True, text=True, check=True).stdout
    return lines.splitlines()[-1]


class Trial:
    def __init__(self, build, source, tests, selected, folder):
        entry = compile_command(build, source)
        words = shlex.split(entry["command"])
        words = words[1:] if pathlib.Path(words[0]).name == "ccache" else words
        cut = words.index("-o")
        self.words = [word for word in words[:cut] if word != "-c"] + ["-O1", "-g0"]
        self.where, self.folder = entry["directory"], folder
        self.build, self.selected = build, selected
        self.links = [link_command(build, test) for test in tests]

    def see(self, text):
        """What saw the flip, or nothing."""
        changed = self.folder / "flipped.cc"
        made = self.folder / "flipped.o"
        changed.write_text(text)
        done = subprocess.run(
            [*self.words, "-c", str(changed), "-o", str(made)], cwd=self.where, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            return "compiler"
        for link in self.links:
            seen = self.run(link, made)
            if seen:
                return seen
        return None

    def run(self, link, made):
        program = self.folder / "flipped_test"
        match = re.search(r" -o (\S+)", link)
        name = pathlib.Path(match.group(1)).name
        line = link[: match.start()] + f" {made} -Wl,--allow-multiple-definition -o {program}" + link[match.end() :]
        line = re.sub(r"&& cd .*$", "", line)
        subprocess.run(line, shell=True, cwd=self.build, check=True, capture_output=True)
        call = [str(program), "--gtest_fail_fast", "--gtest_brief=1"] + ([f"--gtest_filter={self.selected}"] if self.selected else [])
        try:
            done = subprocess.run(call, cwd=self.folder, capture_output=True, text=True, errors="replace", timeout=MOST_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return f"{name}, too long"
        if done.returncode == 0:
            return None
        failed = re.search(r"\[  FAILED  \] (\S+)", done.stdout)
        return failed.group(1).rstrip(",") if failed else f"{name}, exit {done.returncode}"


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("build", type=pathlib.Path)
    asked.add_argument("source", type=pathlib.Path)
    asked.add_argument("tests", nargs="+")
    asked.add_argument("--filter")
    asked.add_argument("--only", help="lines of the source")
    asked.add_argument("--list", action="store_true", help="print the places, and do nothing")
    given = asked.parse_args()
    source = (root_of(given.build) / given.source).resolve()
    text = source.read_text()
    lines = {int(line) for line in given.only.split(",")} if given.only else None
    places = [place for place in signs(text) if lines is None or text.count("\n", 0, place) + 1 in lines]
    unseen = 0
    with tempfile.TemporaryDirectory() as made:
        trial = None if given.list else Trial(given.build.resolve(), source, given.tests, given.filter, pathlib.Path(made))
        if trial is not None and trial.see(text):
            raise SystemExit(f"{given.source}: the tests fail with no sign flipped")
        for place in places:
            line = text.count("\n", 0, place) + 1
            column = place - text.rfind("\n", 0, place)
            seen = "" if trial is None else trial.see(flipped(text, place)) or "NOT SEEN"
            unseen += seen == "NOT SEEN"
            print(f"{given.source}:{line}:{column}  {text.splitlines()[line - 1].strip()}  {seen}", flush=True)
    print(f"{len(places)} signs, {unseen} not seen")
    return 1 if unseen else 0


if __name__ == "__main__":
    sys.exit(main())
