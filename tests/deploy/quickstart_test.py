#!/usr/bin/env python3
"""deploy/quickstart.sh builds what its examples need: the program, each plug-in that a file of examples/ names, and what
their pages and programs ask for.

    quickstart_test.py ROOT     compares both; then leaves out each target in turn, and expects it to be missed; runs what
                                stands behind the build with a stand-in of the program
"""
import functools
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:
    print("SKIPPED: python3-yaml is not installed; deploy/setup.sh --with-tests installs it")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]


def plugins(value):
    """Names of the plug-ins in a file that was read; a plug-in by its file is whoever's built it."""
    if isinstance(value, list):
        value = dict(enumerate(value))
    if not isinstance(value, dict):
        return set()
    own = {value["name"]} if value.get("kind") == "plugin" and "name" in value else set()
    return own.union(*(plugins(part) for part in value.values()))


@functools.lru_cache(maxsize=None)
def needed():
    """Each target, and a file that needs it."""
    found = {"trestle": "examples/two_site_frame/test.yaml"}
    for file in sorted((ROOT / "examples").rglob("*")):
        if file.suffix not in (".yaml", ".md", ".py"):
            continue
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".yaml":
            targets = plugins(yaml.safe_load(text))
        elif file.suffix == ".md":
            targets = set(re.findall(r"\(target `(\w+)`\)", text))
        else:
            targets = {"trestle_python"} if re.search(r"^(from|import) trestle_site", text, re.MULTILINE) else set()
        for target in targets:
            found.setdefault(target, str(file.relative_to(ROOT)))
    return found


def built(script):
    """The targets that the script builds."""
    command = re.search(r"^cmake --build(?:[^\n]*\\\n)*[^\n]*", script, re.MULTILINE).group()
    return set(re.search(r"--target ([\w ]+)", command).group(1).split())


def gaps(script):
    wanted, made = needed(), built(script)
    return ([f"quickstart.sh does not build {target}, which {file} needs" for target, file in wanted.items() if target not in made] +
            [f"quickstart.sh builds {target}, which no example needs" for target in sorted(made - wanted.keys())])


STAND_IN = """#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    --out) mkdir -p "$2" ;;
    report) echo '<!DOCTYPE html>' > "$2/report.html" ;;
  esac
  shift
done
"""


def said(script):
    """What the script says behind the build, and which files are there then."""
    with tempfile.TemporaryDirectory() as tree:
        program = pathlib.Path(tree, "build/release/cli/trestle")
        program.parent.mkdir(parents=True)
        program.write_text(STAND_IN)
        program.chmod(0o755)
        done = subprocess.run(["bash", "-c", "set -euo pipefail\n" + script[script.index("program="):]], cwd=tree, capture_output=True, text=True, check=True)
        return done.stdout, {str(file) for file in pathlib.Path(tree).rglob("*")}


class Quickstart(unittest.TestCase):
    def setUp(self):
        self.script = (ROOT / "deploy/quickstart.sh").read_text(encoding="utf-8")

    def test_builds_what_the_examples_need(self):
        self.assertEqual(gaps(self.script), [])

    def test_the_examples_need_more_than_the_program(self):
        self.assertLessEqual({"trestle", "udp_target", "openfresco", "modbus_tcp", "trestle_python"}, needed().keys())

    def test_a_target_that_is_left_out_is_missed(self):
        for target, file in needed().items():
            self.assertEqual(gaps(re.sub(rf"(--target .*)\b{target}\b(?!_)", r"\1", self.script)),
                             [f"quickstart.sh does not build {target}, which {file} needs"])

    def test_a_target_that_nothing_needs_is_found(self):
        self.assertEqual(gaps(self.script.replace("--target trestle ", "--target trestle benches ")),
                         ["quickstart.sh builds benches, which no example needs"])

    def test_it_ends_with_a_report_and_how_to_watch_the_next_test(self):
        words, files = said(self.script)
        report = re.search(r"(/\S+/report\.html)", words)
        self.assertIsNotNone(report, words)
        self.assertIn(report.group(1), files)
        self.assertRegex(words, r"while it runs: build/release/cli/trestle watch FOLDER")

    def test_a_report_that_is_not_made_is_missed(self):
        words, files = said(re.sub(r"^\$program report.*\n", "", self.script, flags=re.MULTILINE))
        self.assertNotIn(re.search(r"(/\S+/report\.html)", words).group(1), files)

    def test_the_example_that_it_runs_is_there(self):
        for file in re.findall(r"examples/\S+\.yaml", self.script):
            self.assertTrue((ROOT / file).is_file(), file)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ROOT = pathlib.Path(sys.argv.pop(1))
    unittest.main()
