#!/usr/bin/env python3
"""deploy/quickstart.sh builds what its examples need: the program, each plug-in that a file of examples/ names, and what
their pages and programs ask for.

    quickstart_test.py ROOT     compares both; then leaves out each target in turn, and expects it to be missed
"""
import functools
import pathlib
import re
import sys
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

    def test_the_example_that_it_runs_is_there(self):
        for file in re.findall(r"examples/\S+\.yaml", self.script):
            self.assertTrue((ROOT / file).is_file(), file)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ROOT = pathlib.Path(sys.argv.pop(1))
    unittest.main()
