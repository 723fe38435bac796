#!/usr/bin/env python3
"""cost_guard.py with a valgrind and a program that only say what they are told to say."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

GUARD = pathlib.Path(__file__).resolve().parent / "cost_guard.py"
ALLOWED = """[build]
compiler = "12.2.0"
flags = "-O3"

[[run]]
name = "first"
command = ["run", "EXAMPLES/first.yaml"]
steps = 10
instructions_per_step = 1000
history = [
  "1000: as begun",
]

[[run]]
name = "second"
command = ["run", "EXAMPLES/second.yaml"]
steps = 10
instructions_per_step = 1000
history = [
  "1000: as begun",
]
"""


class Guard(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trestle-cost-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        copy = self.folder / "root" / "tests" / "cost"
        copy.mkdir(parents=True)
        self.guard = shutil.copy(GUARD, copy)
        self.counts = copy / "counts.toml"
        self.counts.write_text(ALLOWED)

    def guarded(self, *arguments, count=10000, ends=0, valgrind=True):
        programs = self.folder / "programs"
        programs.mkdir(exist_ok=True)
        fake = programs / "valgrind"
        fake.unlink(missing_ok=True)
        if valgrind:
            fake.write_text(f"#!/bin/sh\necho '==1== Collected : {count}' >&2\nexit {ends}\n")
            fake.chmod(0o755)
        return subprocess.run([sys.executable, "-B", self.guard, "/bin/true", *arguments], capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{programs}:/nowhere" if not valgrind else f"{programs}:{os.environ['PATH']}"})

    def test_a_run_that_costs_as_much_as_written_passes(self):
        self.assertEqual(self.guarded(count=10300).returncode, 0)

    def test_a_run_that_costs_more_than_three_percent_more_fails_with_its_name(self):
        done = self.guarded(count=10400)
        self.assertEqual(done.returncode, 1)
        self.assertIn("first", done.stdout)
        self.assertIn("2 of 2 runs cost more", done.stdout)

    def test_a_run_that_costs_less_asks_to_be_written(self):
        done = self.guarded(count=9000)
        self.assertEqual(done.returncode, 0)
        self.assertIn("write it", done.stdout)

    def test_a_run_that_fails_is_no_count(self):
        self.assertEqual(self.guarded(ends=3).returncode, 1)

    def test_other_flags_another_compiler_and_no_valgrind_are_skipped(self):
        self.assertEqual(self.guarded("--flags=-O1").returncode, 77)
        self.assertEqual(self.guarded("--compiler=13").returncode, 77)
        self.assertEqual(self.guarded(valgrind=False).returncode, 77)

    def test_a_count_is_written_with_a_reason_only(self):
        self.assertEqual(self.guarded("--write", "second").returncode, 2)
        self.assertEqual(self.counts.read_text(), ALLOWED)
        self.assertEqual(self.guarded("--write", "second", "--why", 'a "second" estimator', count=20000).returncode, 0)
        first, second = tomllib.loads(self.counts.read_text())["run"]
        self.assertEqual((first["instructions_per_step"], first["history"]), (1000, ["1000: as begun"]))
        self.assertEqual((second["instructions_per_step"], second["history"]),
                         (2000, ["1000: as begun", '2000: a "second" estimator']))

    def test_a_count_without_its_reason_fails(self):
        for changed in (ALLOWED.replace("= 1000", "= 2000", 1), ALLOWED.replace('  "1000: as begun",\n', "", 1),
                        ALLOWED.replace('"1000: as begun"', '"10000: as begun"', 1), ALLOWED.replace("1000: as begun", "1000: ", 1)):
            self.counts.write_text(changed)
            for flags in ("-O3", "-O1"):  # also where the build is another one and nothing is counted
                done = self.guarded(f"--flags={flags}")
                self.assertEqual(done.returncode, 1, changed)
                self.assertIn("the count of first is not that of the last line of its history", done.stdout)
        self.assertEqual(self.guarded("--write", "first", "--why", "wanted").returncode, 0)
        self.assertEqual(self.guarded().returncode, 0)

    def test_an_unknown_name_is_a_wrong_use(self):
        self.assertEqual(self.guarded("--only", "third").returncode, 2)


if __name__ == "__main__":
    unittest.main()
