#!/usr/bin/env python3
"""What the gauge excuses, and what it finds."""
import pathlib
import struct
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import gauge  # noqa: E402


def allowed(text):
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        return gauge.Allowed(file.name)


class Compares(unittest.TestCase):
    def test_a_row_that_differs_is_named_with_its_column(self):
        channels = b"west.x.target_m\tm\nwest.x.force_n\tN\n"
        rows = [struct.pack("<qdd", index, 1.5, 2.5) for index in range(4)]
        old = {"west.result.rows": b"".join(rows), "west.result.channels": channels}
        new = dict(old, **{"west.result.rows": b"".join(rows[:3]) + struct.pack("<qdd", 3, 1.5, 2.5000000000000004)})
        size, found = gauge.compared("run/x", old, new, allowed(""))
        self.assertEqual(size, 96 + len(channels))
        self.assertEqual(found, [("west.result.rows", "row 3, west.x.force_n: 2.5 and 2.5000000000000004")])
        _, found = gauge.compared("run/x", old, dict(old, **{"west.result.rows": b"".join(rows[:3])}), allowed(""))
        self.assertEqual(found, [("west.result.rows", "4 rows and 3")])

    def test_a_part_that_one_program_alone_has(self):
        _, found = gauge.compared("run/x", {"run.exit": b"0"}, {}, allowed(""))
        self.assertEqual(found, [("run.exit", "only the old program has it")])

    def test_a_wanted_change_of_words_is_excused_in_one_direction(self):
        words = allowed('[[words]]\nwhy = "plain"\nin = "stdout"\nold = "goes on"\nnew = "resumes"\n')
        self.assertEqual(gauge.compared("run/x", {"a.stdout": b"it goes on"}, {"a.stdout": b"it resumes"}, words)[1], [])
        self.assertEqual(len(gauge.compared("run/x", {"a.stdout": b"it resumes"}, {"a.stdout": b"it goes on"}, words)[1]), 1)
        self.assertEqual(len(gauge.compared("run/x", {"a.stderr": b"it goes on"}, {"a.stderr": b"it resumes"}, words)[1]), 1)

    def test_masks_of_the_shipped_list(self):
        shipped = gauge.Allowed(HERE / "allowed.toml")
        for part, old, new in (("run.summary", b'"wall_s": 0.25,', b'"wall_s": 1e-05,'),
                               ("record.west.audit", b"1\t17\tada\tterminal\tarmed\tx\t" + b"a" * 64 + b"\n",
                                b"1\t18\tada\tterminal\tarmed\tx\t" + b"b" * 64 + b"\n")):
            self.assertEqual(gauge.compared("run/x", {part: old}, {part: new}, shipped)[1], [], part)
        for part, old, new in (("run.summary", b'"nrmse": 0.25,', b'"nrmse": 0.26,'),
                               ("record.west.meta", b"model\t" + b"a" * 64, b"model\t" + b"b" * 64),
                               ("record.west.audit", b"1\t17\tada\tterminal\tarmed\tx\t" + b"a" * 64 + b"\n",
                                b"1\t17\tbob\tterminal\tarmed\tx\t" + b"a" * 64 + b"\n"),
                               ("record.ledger.csv", b"i0_ns\n1\n", b"i0_ns\n2\n")):
            self.assertEqual(len(gauge.compared("run/x", {part: old}, {part: new}, shipped)[1]), 1, part)

    def test_columns_by_the_disk_are_empty_in_their_mode_alone(self):
        shipped = gauge.Allowed(HERE / "allowed.toml")
        old, new = {"record.ledger.csv": b"step,i0_ns\n1,5\n"}, {"record.ledger.csv": b"step,i0_ns\n1,6\n"}
        self.assertEqual(gauge.compared("run/a/pseudo-dynamic", old, new, shipped)[1], [])
        self.assertEqual(len(gauge.compared("run/a/real-time", old, new, shipped)[1]), 1)
        new = {"record.ledger.csv": b"step,i0_ns\n2,5\n"}
        self.assertEqual(len(gauge.compared("run/a/pseudo-dynamic", old, new, shipped)[1]), 1)


if __name__ == "__main__":
    unittest.main()
