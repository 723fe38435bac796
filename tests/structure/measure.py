#!/usr/bin/env python3
"""Measures the sources: how large classes, files and functions are, who includes whom, and what a reader meets.

    measure.py ROOT            Markdown
    measure.py ROOT --write    the same, in place of the tables below "Today" in docs/contributing/structure.md
    measure.py ROOT --json     the same numbers as data

Product sources only (source_tree.PRODUCT), no tests, nothing generated.
"""
import collections
import json
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import check_structure  # noqa: E402
import source_tree  # noqa: E402

# Where the modes of pace are declared and told apart; elsewhere each `ExecutionMode::` is a question asked by name.
MODE_TABLE = ("core/types/execution_mode.h", "core/types/pace.cc", "core/types/pace_rules.h")


def distribution(values):
    values = sorted(values)
    at = lambda share: values[min(len(values) - 1, int(share * len(values)))] if values else 0
    return {"number": len(values), "p50": at(0.5), "p90": at(0.9), "p99": at(0.99), "largest": values[-1] if values else 0}


def measured(root):
    tree = source_tree.Tree(root)
    layers = tomllib.loads((HERE / "layers.toml").read_text(encoding="utf-8"))["layers"]
    where = tree.sources_of_classes()
    largest = sorted(((one.name, str(source.path), len(one.members), len(one.methods), len(where.get(one.name, ())))
                      for source, one in tree.classes() if source.suffix == ".h"),
                     key=lambda row: (-row[2] - row[3], row[0]))[:10]
    modes = {path: len(re.findall(r"\b(?:Execution)?Mode::k\w+", source.bare)) for path, source in tree.sources.items()
             if path not in MODE_TABLE}
    modes = {path: count for path, count in modes.items() if count}
    lines = sum(source.lines for source in tree.sources.values())
    comments = sum(source.comment_lines() for source in tree.sources.values())
    arrows = check_structure.arrows_of(tree, layers)
    folders, files = check_structure.folder_graph(tree), check_structure.file_graph(tree)
    missing, unused = check_structure.link_gaps(tree)
    sizes = check_structure.sizes(tree)
    return {
        "largest classes": largest,
        "classes in several sources": {name: len(places) for name, places in sorted(where.items()) if len(places) > 1},
        "ExecutionMode:: outside its table": {"uses": sum(modes.values()), "files": len(modes)},
        "lines": {"all": lines, "comments": comments, "share of comments": round(100 * comments / lines, 1)},
        "lines of a file": distribution([source.lines for source in tree.sources.values()]),
        "lines of a function": distribution([one.lines for _, one in tree.functions()]),
        "parameters of a function": distribution([one.parameters for _, one in tree.functions()]),
        "comment lines of a file": distribution([source.comment_lines() for source in tree.sources.values()]),
        "functions by parameters": dict(sorted(collections.Counter(one.parameters for _, one in tree.functions()).items())),
        "arrows": {"between layers": len([one for one in arrows if None not in one]), "layers": len(layers),
                   "between folders": sum(len(others) for others in folders.values()),
                   "folders": len({source.folder for source in tree.sources.values()})},
        "circles": {"of folders": [" - ".join(part) for part in check_structure.circles(folders)],
                    "of files": len(check_structure.circles(files))},
        "links": {"targets": len(tree.targets), "included without USES": len(missing), "USES without include": len(unused)},
        "above the limits": {kind: len(found) for kind, found in sizes.items()},
    }


def markdown(numbers):
    out = ["| class | header | data members | declared functions | sources |", "| --- | --- | ---: | ---: | ---: |"]
    out += [f"| `{name}` | `{path}` | {members} | {methods} | {sources} |"
            for name, path, members, methods, sources in numbers["largest classes"]]
    several = ", ".join(f"`{name}` {count}" for name, count in numbers["classes in several sources"].items()) or "none"
    modes, lines, arrows = numbers["ExecutionMode:: outside its table"], numbers["lines"], numbers["arrows"]
    out += ["", "| distribution | number | p50 | p90 | p99 | largest |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    out += [f"| {kind} | " + " | ".join(str(value) for value in numbers[kind].values()) + " |" for kind in
            ("lines of a file", "lines of a function", "parameters of a function", "comment lines of a file")]
    circles = numbers["circles"]
    out += ["", "| measure | value |", "| --- | --- |",
            f"| classes in several sources | {several} |",
            f"| `ExecutionMode::` outside its table | {modes['uses']} uses in {modes['files']} files |",
            f"| lines, of them comments | {lines['all']}, {lines['comments']} ({lines['share of comments']} %) |",
            "| functions with 0, 1, 2, ... parameters | " +
            ", ".join(str(count) for count in numbers["functions by parameters"].values()) + " |",
            f"| arrows between layers | {arrows['between layers']} between {arrows['layers']} layers |",
            f"| arrows between folders | {arrows['between folders']} between {arrows['folders']} folders |",
            f"| circles of folders | {', '.join(circles['of folders']) or 'none'} |",
            f"| circles of files | {circles['of files']} |",
            f"| includes of a target that `USES` does not name | {numbers['links']['included without USES']} pairs of "
            f"{numbers['links']['targets']} targets |",
            f"| `USES` without an include | {numbers['links']['USES without include']} |",
            "| above the limits of the structure test | " +
            ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in numbers["above the limits"].items()) + " |"]
    return "\n".join(out) + "\n"


def write(root, tables):
    page = pathlib.Path(root) / "docs/contributing/structure.md"
    text = page.read_text(encoding="utf-8")
    begin = text.index("### Today\n") + len("### Today\n")
    page.write_text(text[:begin] + "\n" + tables + "\n" + text[text.index("### Before", begin):], encoding="utf-8")


if __name__ == "__main__":
    found = measured(sys.argv[1])
    if "--write" in sys.argv:
        write(sys.argv[1], markdown(found))
    else:
        print(json.dumps(found, indent=2) if "--json" in sys.argv else markdown(found), end="")
