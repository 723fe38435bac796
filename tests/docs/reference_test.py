#!/usr/bin/env python3
"""What the generator of the configuration reference makes of a schema."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "docs/generate"))
import reference  # noqa: E402

SCHEMA = """// The schema.
syntax = "proto3";

// ---------------------------------------------------------------- a test

// What is run.
message Test {
  string name = 1 [(required) = true];  // for people
  // How long; default 2.5 s.
  optional double duration = 2 [(dimension) = TIME, (above) = 0,
                                (at_most) = 9];
  enum Kind { FAST_ONE = 0; SLOW = 1; }  // both
  oneof model {
    Frame frame = 3;
  }
  repeated string nodes = 4;  // first line
                              // and second
}
message Frame {}
"""


class Reads(unittest.TestCase):
    def test_schema(self):
        items = reference.parse(SCHEMA)
        blocks = {item.name: item for kind, item in items if kind == "block"}
        self.assertEqual([item for kind, item in items if kind == "heading"], ["a test"])
        self.assertEqual(list(blocks), ["Test", "Kind", "Frame"])
        self.assertEqual(blocks["Test"].comment, ["What is run."])
        fields = {entry[0]: entry for entry in blocks["Test"].entries}
        self.assertEqual(list(fields), ["name", "duration", "frame", "nodes"])
        self.assertEqual(fields["name"][4], ["for people"])
        self.assertEqual(reference.value_range(fields["duration"][3]), "> 0, ≤ 9")
        self.assertEqual(reference.default_of(" ".join(fields["duration"][4])), "2.5 s")
        self.assertEqual(fields["frame"][5], "model")
        self.assertEqual(fields["nodes"][4], ["first line", "and second"])
        self.assertEqual([entry[0] for entry in blocks["Kind"].entries], ["FAST_ONE", "SLOW"])

    def test_every_field_of_the_schema_has_its_row(self):
        for stem, _ in reference.FILES:
            text = (ROOT / f"proto/config/{stem}.proto").read_text(encoding="utf-8")
            code = re.sub(r"//[^\n]*", "", text)
            fields = len(re.findall(r"\w\s+\w+\s*=\s*\d+\s*(?:\[[^;]*\])?;", code))
            values = len(re.findall(r"[{;]\s*[A-Z][A-Z0-9_]*\s*=\s*\d+\s*(?=;)", code))
            read = [entry for kind, item in reference.parse(text) if kind == "block" for entry in item.entries]
            self.assertEqual(len(read), fields + values, stem)


if __name__ == "__main__":
    unittest.main()
