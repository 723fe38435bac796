#!/usr/bin/env python3
"""The tables on uncertain plants, from results that were made up so that every number of them is known."""
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "docs/generate/uncertain_plants.py"
sys.path.insert(0, str(ROOT / "docs/generate"))
import uncertain_plants  # noqa: E402

HEAD = "run,stable,pole,zero,resumable,steps_done,criteria.J1[0],criteria.J2[0],criteria.J2[1],criteria.J4[0],criteria.J10[0]\n"


def campaign(rows):
    folder = tempfile.TemporaryDirectory()
    (pathlib.Path(folder.name) / "results.csv").write_text(HEAD + "".join(rows), encoding="utf-8")
    return folder


class Tables(unittest.TestCase):
    def setUp(self):
        # J2 of a is three times the pole; that of b depends on nothing; run 5 runs away, run 6 is impossible.
        rows = [f"{i + 1},1,{p},{z},0,100,2,{3 * p},7,2,6\n" for i, (p, z) in enumerate([(1, 1), (2, -1), (3, -1), (4, 1)])]
        rows += ["5,0,9,0,0,80,2,1000,7,2,\n", "6,0,0,0,,,,,,,\n"]
        self.folder = campaign(rows)
        self.campaign = uncertain_plants.Campaign(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def row(self, name):
        text = uncertain_plants.section([("Some", self.campaign)])
        return next(line for line in text.split("\n") if line.startswith(f"| {name} |"))

    def test_runaways_are_in_the_printed_mean_alone(self):
        # (3 + 6 + 9 + 12 + 1000)/5 = 206; stable: 7.5, sd = sqrt(15); quantiles of 3, 6, 9, 12.
        self.assertIn("| 206 ± 443.9 | 7.5 ± 3.873 | 7.5 | 3.45 | 11.55 |", self.row("J2 [%] a"))

    def test_standard_deviation_is_of_a_sample(self):
        mean, sd = uncertain_plants.mean_sd([3, 6, 9, 12, 1000])
        self.assertEqual(mean, 206)
        self.assertAlmostEqual(sd, math.sqrt((203**2 + 200**2 + 197**2 + 194**2 + 794**2) / 4))

    def test_counts_and_order(self):
        text = uncertain_plants.section([("Some", self.campaign)])
        self.assertIn("5 plants, 1 unstable (20 %). 1 more could not be run.", text)
        self.assertLess(text.index("| J1 [ms] a"), text.index("| J2 [%] a"))
        self.assertLess(text.index("| J2 [%] b"), text.index("| J10 [%] a"))
        self.assertNotIn("J4", text)
        self.assertIn("| J10 [%] a | 6 ± 0 | 6 ± 0 | 6 | 6 | 6 | █ |", text)

    def test_shares_of_the_parameters(self):
        self.assertEqual(self.campaign.parameters(), ["pole", "zero"])
        self.assertEqual(self.row("pole"), "| pole | 1.000 | 0.000 |")
        self.assertEqual(self.row("zero"), "| zero | 0.000 | 0.000 |")
        self.assertEqual(self.row("all together"), "| all together | 1.000 | 0.000 |")

    def test_histogram_has_its_largest_bin_at_the_top(self):
        drawn = uncertain_plants.histogram([0.0] * 50 + [1.0] * 25 + [2.0] * 25)
        self.assertEqual(len(drawn), uncertain_plants.BINS)
        self.assertEqual(drawn[0], "█")
        self.assertEqual(drawn[8], drawn[-1])
        self.assertEqual(drawn[1], "▁")

    def test_program_says_what_is_missing(self):
        ended = subprocess.run([sys.executable, SCRIPT, self.folder.name], capture_output=True, text=True, check=False)
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("TITLE=FOLDER", ended.stderr)
        printed = subprocess.run([sys.executable, SCRIPT, "X=" + self.folder.name], capture_output=True, text=True, check=True)
        self.assertIn("### X", printed.stdout)


if __name__ == "__main__":
    unittest.main()
