#!/usr/bin/env python3
"""Writes the reference pages from what defines them: docs/reference/configuration.md from the comments and options of
proto/config/*.proto, docs/reference/commands.md from `trestle ... --help`.

    reference.py configuration|commands [--program TRESTLE] [--check]

--check writes nothing, and fails if the page is not what would be written.
"""
import argparse
import difflib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILES = (("test", "Tests"), ("excitation", "Excitation"), ("numerical", "Numerical substructures"),
         ("bridge", "Bridges with vehicles"), ("site", "Sites"), ("control", "Compensators and controllers"),
         ("rig", "Simulated rigs"), ("transfer", "Transfer functions and state-space models"), ("matrix", "Matrices"),
         ("network", "Networks and keys"), ("site_file", "A site's own file"), ("gateway", "A gateway's own file"),
         ("study", "Studies"), ("identification", "Identification studies"), ("bond_graph", "Bond-graph models"))
FIELD = re.compile(r"^(?:(optional|repeated)\s+)?(map<[^>]+>|[\w.]+)\s+(\w+)\s*=\s*\d+\s*(?:\[(.*)\])?$", re.S)
NUMBERS = ("double", "float", "uint32", "uint64", "int32", "int64", "bool", "string", "bytes")
SHOWN = {"double": "number", "uint32": "whole number", "uint64": "whole number", "int32": "whole number",
         "int64": "whole number", "bool": "true or false", "string": "text"}


# ---- The schema ----------------------------------------------------------------------------------------

class Block:
    """A message, an enum, or a oneof."""

    def __init__(self, kind, name, comment):
        self.kind, self.name, self.comment = kind, name, comment
        self.entries, self.options = [], {}  # entries: (name, type, label, options, comment, oneof)


def dimensions():
    text = (ROOT / "proto/config/options.proto").read_text(encoding="utf-8")
    shown = {"a number without unit": "", "a number, or per cent": "none, or %"}
    return {name: shown.get(unit, unit) for name, unit in re.findall(r"^  ([A-Z_]+) = \d+;\s*// (.*)$", text, re.M)}


def parse(text):
    """The headings, messages and enums of one file, in its order; nested ones behind their owner."""
    items, stack, above, pending, begun = [], [], [], "", False
    for line in text.split("\n"):
        code, mark, trailing = line.partition("//")
        code, trailing = code.strip(), trailing.strip()
        if mark and not code and not pending:
            heading = re.fullmatch(r"-{10,}\s*(.*)", trailing)
            if heading:
                items.append(("heading", heading.group(1)))
                above = []
            elif not above and stack and stack[-1].entries and re.match(r"\s{30,}//", line):
                stack[-1].entries[-1][4].append(trailing)  # continues the comment of the field above
            else:
                above.append(trailing)
            begun = True
            continue
        if not code and not pending:
            above = []
            continue
        pending = f"{pending} {code}".strip()
        if trailing:
            above.append(trailing)
        while pending:
            opening = re.match(r"(message|enum|oneof)\s+(\w+)\s*\{\s*", pending)
            if opening:
                block = Block(opening.group(1), opening.group(2), [] if opening.group(1) == "oneof" else above)
                above = [] if block.kind != "oneof" else above
                if block.kind != "oneof":
                    items.append(("block", block))
                stack.append(block)
                pending = pending[opening.end():]
                continue
            if pending.startswith("}"):
                stack.pop()
                pending = pending[1:].lstrip("; ")
                above = []
                continue
            if ";" not in pending:
                break
            statement, pending = (part.strip() for part in pending.split(";", 1))
            if stack:
                note(stack, statement, above)
            above = []
    assert begun and not stack, "the schema is not as this script reads it"
    return items


def note(stack, statement, comment):
    option = re.match(r'option \((\w+)\) = "?(\w+)"?$', statement)
    owner = next(block for block in reversed(stack) if block.kind != "oneof")
    oneof = stack[-1].name if stack[-1].kind == "oneof" else ""
    if option:
        owner.options[option.group(1)] = option.group(2)
    elif owner.kind == "enum":
        name = re.match(r"(\w+)\s*=", statement)
        owner.entries.append((name.group(1), "", "", {}, list(comment), ""))
    else:
        field = FIELD.match(statement)
        if not field:
            assert re.match(r"(reserved|extensions)\b", statement), f"not understood: {statement}"
            return
        label, kind, name, options = field.groups()
        settings = {}
        for key, value in re.findall(r"\(?(\w+)\)?\s*=\s*(\"[^\"]*\"|[^,\]]+)", options or ""):
            settings.setdefault(key, []).append(value.strip().strip('"'))
        owner.entries.append((name, kind, label or "", settings, list(comment), oneof))


def cell(text):
    return text.replace("|", "\\|").strip()


def anchor(name):
    return name.lower()


def value_range(options):
    words = []
    for key, sign in (("above", ">"), ("at_least", "≥"), ("below", "<"), ("at_most", "≤")):
        words += [f"{sign} {value}" for value in options.get(key, [])]
    words += [f"at least {value} entries" for value in options.get("min_entries", [])]
    return ", ".join(words)


def default_of(comment):
    """What the comment states as the default, and the rest of it."""
    match = re.search(r"(?:^|; |, |\. )default:? ((?:[^;.]|\.(?=\d))+)", comment)
    return match.group(1).strip() if match else ""


def configuration():
    units, out = dimensions(), []
    for stem, title in FILES:
        items = parse((ROOT / f"proto/config/{stem}.proto").read_text(encoding="utf-8"))
        out.append(f"\n## {title}\n\nSchema: [proto/config/{stem}.proto](../../proto/config/{stem}.proto).\n")
        for kind, item in items:
            if kind == "heading":
                out.append(f"\n### {item[:1].upper() + item[1:]}\n")
                continue
            out.append(f"\n#### {item.name}\n")
            if item.comment:
                out.append(" ".join(item.comment) + "\n")
            if "scalar" in item.options:
                out.append(f"One value without a key is `{item.options['scalar']}`.\n")
            if "positional" in item.options:
                out.append("A list of values fills the keys in their order.\n")
            if item.kind == "enum":
                out.append("| value | meaning |\n| --- | --- |")
                out += [f"| `{name.lower().replace('_', '-')}` | {cell(' '.join(comment))} |" for name, _, _, _, comment, _ in item.entries]
                continue
            if not item.entries:
                out.append("No settings.")
                continue
            out.append("| key | value | unit | range | default | meaning |\n| --- | --- | --- | --- | --- | --- |")
            for name, kind, label, options, comment, oneof in item.entries:
                comment = " ".join(comment)
                shown = SHOWN.get(kind, f"[{kind}](#{anchor(kind.rsplit('.', 1)[-1])})")
                if kind.startswith("map<"):
                    shown = f"`{kind}`"
                if "as_text" in options:
                    shown = "any YAML"
                if "is_path" in options:
                    shown = "path"
                if label == "repeated":
                    shown = f"list of {shown}"
                if oneof == "kind":
                    shown += ", by `kind:`"
                elif oneof:
                    shown += f", one of `{oneof}`"
                if "key" in options:
                    shown += ", key of the entry"
                if "keyword" in options:
                    shown += " or " + ", ".join(f"`{word}`" for word in options["keyword"])
                unit = units.get(options.get("dimension", ["PLAIN"])[0], "")
                key = f"**{name}**" if "required" in options else name
                out.append(f"| {key} | {cell(shown)} | {cell(unit)} | {cell(value_range(options))} | "
                           f"{cell(default_of(comment))} | {cell(comment)} |")
    head = """# Configuration reference

This page is generated from the schema by `docs/generate/reference.py`; do not edit it. [How values are
written](values.md) explains units, kinds, includes and `--set`. The key of each setting is its name in the
schema; **bold** keys are required. `-` and `_` are equal in values.
"""
    return re.sub(r"\n{3,}", "\n\n", head + "\n".join(out) + "\n")


# ---- The commands -------------------------------------------------------------------------------------

def help_of(program, words):
    ended = subprocess.run(["trestle"] + words + ["--help"], executable=program, stdout=subprocess.PIPE, check=True, text=True)
    return ended.stdout.rstrip() + "\n"


def commands(program):
    out = ["""# Command reference

This page is generated from `trestle --help` by `docs/generate/reference.py`; do not edit it."""]
    waiting = [[]]
    while waiting:
        words = waiting.pop(0)
        text = help_of(program, words)
        out.append(f"\n{'###' if len(words) > 1 else '##'} {' '.join(['trestle'] + words)}\n\n```\n{text}```")
        if "\nSubcommands:\n" in text:
            section = text.split("\nSubcommands:\n", 1)[1].split("\n\n", 1)[0]
            verbs = re.findall(r"^  (\S+)", section, re.M)
            waiting = [words + [verb] for verb in verbs] + waiting if words else [[verb] for verb in verbs]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", choices=("configuration", "commands"))
    parser.add_argument("--program", default=str(ROOT / "build/release/cli/trestle"))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = configuration() if options.page == "configuration" else commands(options.program)
    file = ROOT / f"docs/reference/{options.page}.md"
    if not options.check:
        file.write_text(text, encoding="utf-8")
        return 0
    kept = file.read_text(encoding="utf-8")
    if kept == text:
        return 0
    sys.stdout.writelines(list(difflib.unified_diff(kept.splitlines(True), text.splitlines(True), "docs/reference", "generated", n=1))[:60])
    print(f"{file.relative_to(ROOT)} is not fresh. Run docs/generate/reference.py {options.page}.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
