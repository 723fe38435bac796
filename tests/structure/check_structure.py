#!/usr/bin/env python3
"""Holds the structure of the sources to its rules; layers.toml has the architecture, baseline.json the debts of today.

    check_structure.py ROOT [--rule NAME]...   fails where a rule is broken
    check_structure.py ROOT --shrink           writes debts that have become smaller into baseline.json; never a larger one
    check_structure.py ROOT --begin            writes all debts of today, larger ones as well: for a new rule, or a large merge
    check_structure.py ROOT --arrows           prints who includes whom today, and how often

Rules: arrows (allowed includes between folders; one that nobody uses is an error, too), circles (of folders, of files),
linked (what a target includes of another, it names under USES, and the other way round), pairs (a class is one header and
one source), size (of classes, functions, files, and the number of parameters), retired (words that shall not come back),
once (no two definitions of one name), joined (no two sources of a target keep one name to themselves), namespaces (a folder
is a namespace; of another one a source names types ahead, and defines nothing). A debt is allowed as it stands in the baseline, and may only become smaller.
"""
import collections
import json
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import check_one_definition  # noqa: E402
import joined_names  # noqa: E402
import source_tree  # noqa: E402

MEMBERS, METHODS, FUNCTION_LINES, FILE_LINES, PARAMETERS = 20, 30, 60, 600, 5
COMMANDS = "cli/commands"  # one header declares its commands


def layer_of(path, layers):
    """The longest folder of the table in which the path stands."""
    parts = str(path).split("/")
    for length in range(len(parts) - 1, 0, -1):
        folder = "/".join(parts[:length])
        if folder in layers:
            return folder
    return None


def arrows_of(tree, layers):
    """(from, to) -> one (file, header) for each include that leaves its layer."""
    found = {}
    for path, source in tree.sources.items():
        if source.stem == "main" and source.suffix == ".cc":
            continue
        own = layer_of(path, layers)
        for header in source.includes:
            if header.split("/")[0] not in source_tree.PRODUCT + ("proto",):
                continue
            other = "proto" if header.startswith("proto/") else layer_of(header, layers)
            if other != own:
                found.setdefault((own, other), []).append((path, header))
    return found


def check_arrows(tree, layers, _debts):
    for path, source in tree.sources.items():
        if layer_of(path, layers) is None and source.stem != "main":
            yield f"{path} stands in no layer. Give its folder a line in layers.toml."
    used = arrows_of(tree, layers)
    for (own, other), places in used.items():
        if own is not None and other not in layers[own]:
            for path, header in places:
                yield f"{path} includes {header}, but {own} may not include {other}."
    for own, others in layers.items():
        for other in others:
            if (own, other) not in used:
                yield f"layers.toml allows {own} -> {other}, which no include uses. Take it out."
        if len(set(others)) != len(others):
            yield f"layers.toml names a layer twice for {own}."


def circles(graph):
    """The strongly connected parts of more than one node, by Tarjan's method, without recursion."""
    number, low, on, stack, found, counter = {}, {}, set(), [], [], 0
    for root in graph:
        if root in number:
            continue
        work = [(root, iter(sorted(graph.get(root, ()))))]
        number[root] = low[root] = counter
        counter += 1
        stack.append(root)
        on.add(root)
        while work:
            node, followers = work[-1]
            for other in followers:
                if other not in number:
                    number[other] = low[other] = counter
                    counter += 1
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in on:
                    low[node] = min(low[node], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    part = []
                    while True:
                        other = stack.pop()
                        on.discard(other)
                        part.append(other)
                        if other == node:
                            break
                    if len(part) > 1:
                        found.append(sorted(part))
    return found


def folder_graph(tree):
    graph = collections.defaultdict(set)
    for source in tree.sources.values():
        if source.stem == "main" and source.suffix == ".cc":
            continue
        for header in source.includes:
            other = header.rsplit("/", 1)[0]
            if header in tree.sources and other != source.folder:
                graph[source.folder].add(other)
    return graph


def file_graph(tree):
    return {path: {header for header in source.includes if header in tree.sources and header != path}
            for path, source in tree.sources.items()}


def check_circles(tree, _layers, debts):
    allowed = [tuple(one) for one in debts.get("circles", [])]
    found = circles(folder_graph(tree)) + circles(file_graph(tree))
    for part in found:
        if tuple(part) not in allowed:
            yield f"circle of includes: {', '.join(part)}. Turn one of them round, or move what both need."
    for one in allowed:
        if list(one) not in found:
            yield f"baseline.json excuses a circle that is gone: {', '.join(one)}. Run --shrink."


def owners(tree):
    """Header -> the targets that may be its owner: of its source, or where it has none, of its folder."""
    of_source, of_folder = {}, collections.defaultdict(set)
    for target in tree.targets.values():
        for source in target.sources:
            of_source[source] = target.name
            of_folder[source.rsplit("/", 1)[0]].add(target.name)
    found = {}
    for path, source in tree.sources.items():
        if source.suffix == ".h":
            if source.folder in ("core/types", "core/ports"):
                found[path] = {"base"}
            elif path[:-2] + ".cc" in of_source:
                found[path] = {of_source[path[:-2] + ".cc"]}
            else:
                found[path] = of_folder.get(source.folder, set())
    return found


def link_gaps(tree):
    """(target, missing) and (target, unused): what is included without USES, and named without include."""
    owner, missing, unused = owners(tree), {}, set()
    for target in tree.targets.values():
        seen, pending = set(), list(target.sources)
        included = set()
        while pending:
            path = pending.pop()
            if path in seen or path not in tree.sources:
                continue
            seen.add(path)
            for header in tree.sources[path].includes:
                if header.startswith("proto/") and header.endswith(".pb.h"):
                    included.add("proto")
                    if "proto" not in target.uses:
                        missing.setdefault((target.name, "proto"), (path, header))
                elif header in owner:
                    if target.name in owner[header]:
                        pending.append(header)  # its own header: what that includes counts as well
                    elif owner[header]:
                        included |= owner[header]
                        if not owner[header] & (set(target.uses) | {"base"}):
                            missing.setdefault((target.name, sorted(owner[header])[0]), (path, header))
        for use in target.uses:
            if use in tree.targets and tree.targets[use].sources and use not in included:
                unused.add((target.name, use))
    return missing, unused


def check_linked(tree, _layers, debts):
    missing, unused = link_gaps(tree)
    allowed = {tuple(one) for one in debts.get("not_linked", [])}
    for (target, other), (path, header) in missing.items():
        if (target, other) not in allowed:
            yield f"{path} includes {header}, but target {target} does not name trestle::{other} under USES."
    for one in sorted(allowed - set(missing)):
        yield f"baseline.json excuses {one[0]} for not naming {one[1]}, which is no more so. Run --shrink."
    allowed = {tuple(one) for one in debts.get("not_included", [])}
    for target, other in sorted(unused - allowed):
        yield f"target {target} names trestle::{other} under USES, and includes nothing of it. Take it out."
    for one in sorted(allowed - unused):
        yield f"baseline.json excuses {one[0]} for naming {one[1]}, which is no more so. Run --shrink."


def pair_debts(tree):
    several = {name: len(places) for name, places in tree.sources_of_classes().items() if len(places) > 1}
    # The entry of a plug-in has its interface in C; one header declares all commands.
    free = {path for target in tree.targets.values() for path in target.entry}
    alone = sorted(path for path, source in tree.sources.items() if source.suffix == ".cc" and source.stem != "main" and
                   path[:-3] + ".h" not in tree.sources and path not in free and
                   not (source.folder == COMMANDS and re.search(r"_commands?$", source.stem)))
    return several, alone


def check_pairs(tree, _layers, debts):
    several, alone = pair_debts(tree)
    where = tree.sources_of_classes()
    yield from compared(several, debts.get("sources_of_class", {}), 1, lambda name, value:
                        f"members of {name} are defined in {value} sources: {', '.join(sorted(where[name]))}")
    allowed = debts.get("sources_without_header", [])
    for path in sorted(set(alone) - set(allowed)):
        yield f"{path} has no header of its name. A source is one half of a pair."
    for path in sorted(set(allowed) - set(alone)):
        yield f"baseline.json excuses {path} for having no header, which is no more so. Run --shrink."


def sizes(tree):
    """For each measure, what is above its limit."""
    found = {"members": {}, "methods": {}, "function_lines": {}, "parameters": {}, "file_lines": {}}

    def note(kind, name, value, limit):
        if value > limit:
            found[kind][name] = max(value, found[kind].get(name, 0))
    for source, one in tree.classes():
        note("members", f"{source.path}:{one.name}", len(one.members), MEMBERS)
        note("methods", f"{source.path}:{one.name}", len(one.methods), METHODS)
    for source, one in tree.functions():
        note("function_lines", f"{source.path}:{one.name}", one.lines, FUNCTION_LINES)
        note("parameters", f"{source.path}:{one.name}", one.parameters, PARAMETERS)
    for path, source in tree.sources.items():
        note("file_lines", path, source.lines, FILE_LINES)
    return found


LIMITS = {"members": (MEMBERS, "data members"), "methods": (METHODS, "declared functions"),
          "function_lines": (FUNCTION_LINES, "lines"), "parameters": (PARAMETERS, "parameters"),
          "file_lines": (FILE_LINES, "lines")}


def check_size(tree, _layers, debts):
    for kind, found in sizes(tree).items():
        limit, unit = LIMITS[kind]
        yield from compared(found, debts.get(kind, {}), limit, lambda name, value, unit=unit, limit=limit:
                            f"{name} has {value} {unit}, limit {limit}")


def compared(found, debts, limit, sentence):
    """Debts that grew or are new, and debts that are paid and still excused."""
    for name, value in sorted(found.items()):
        if value > debts.get(name, limit):
            yield sentence(name, value) + (f" (baseline {debts[name]})" if name in debts else "") + ". Divide it."
    for name in sorted(set(debts) - set(found)):
        yield f"baseline.json excuses {name}, which is within the limit now, or gone. Run --shrink."


def retired_counts(tree, words):
    """In how many files each word is an identifier."""
    counts = collections.Counter()
    wanted = set(words)
    for source in tree.sources.values():
        counts.update(wanted & set(re.findall(r"[A-Za-z_]\w*", source.bare)))
    return counts


def phrase_counts(tree, phrases):
    """How often each phrase stands in pages, comments and messages. Accepted decisions and what is kept of the first
    release are not edited, and generated pages repeat what they are made from."""
    counts = collections.Counter()
    texts = [source.text for path, source in tree.sources.items() if "/first_release/" not in path]
    for file in sorted(tree.root.glob("docs/**/*.md")) + sorted(tree.root.glob("*.md")) + sorted(tree.root.glob("examples/**/*.md")):
        if not {"adr", "reference"} & set(file.relative_to(tree.root).parts):
            texts.append(file.read_text(encoding="utf-8"))
    text = "\n".join(texts).lower()
    for phrase in phrases:
        counts[phrase] = len(re.findall(rf"\b{re.escape(phrase.lower())}\b", text))
    return counts


def check_retired(tree, _layers, debts):
    words = [line.split("#")[0].split() for line in debts["_retired"]]
    words = {parts[0]: parts[1] if len(parts) > 1 else "" for parts in words if parts}
    allowed = debts.get("retired", {})
    counts = retired_counts(tree, words)
    for word in sorted(words):
        if counts[word] > allowed.get(word, 0):
            hint = f" Use {words[word]}." if words[word] else ""
            yield f"`{word}` is retired and used by {counts[word]} sources, baseline {allowed.get(word, 0)}.{hint}"
        if word in allowed and counts[word] == 0:
            yield f"baseline.json excuses `{word}`, which is gone. Run --shrink."
    for word in sorted(set(allowed) - set(words)):
        yield f"baseline.json excuses `{word}`, which retired_names.txt does not have."
    phrases = dict(line.split(" => ") for line in debts["_phrases"] if " => " in line)
    allowed = debts.get("phrases", {})
    for phrase, count in sorted(phrase_counts(tree, phrases).items()):
        if count > allowed.get(phrase, 0):
            yield (f"`{phrase}` is retired and stands {count} times in pages, comments and messages, baseline "
                   f"{allowed.get(phrase, 0)}. Write: {phrases[phrase]}.")
        if phrase in allowed and count == 0:
            yield f"baseline.json excuses `{phrase}`, which is gone. Run --shrink."


def check_once(tree, _layers, _debts):
    found = {}
    for path, source in tree.sources.items():
        for name, line in check_one_definition.definitions(source.text):
            found.setdefault(name, []).append((path, line))
    for name, places in found.items():
        if len({path for path, _ in places}) > 1:
            yield f"{name} is defined more than once: {', '.join(f'{path}:{line}' for path, line in places)}. Rename one."


def joined(tree):
    return {f"{target}: {name}": places for target, name, places in joined_names.collisions(tree.targets, tree.sources)}


def check_joined(tree, _layers, debts):
    found, allowed = joined(tree), debts.get("joined", [])
    for name, places in found.items():
        if name not in allowed:
            yield f"{name} is in {', '.join(places)}, which one batch may compile together. Rename one, or list a source under APART."
    for name in allowed:
        if name not in found:
            yield f"baseline.json excuses {name} of the rule joined, which is gone. Run --shrink."


AHEAD = re.compile(r"(?:\s*(?:template\s*<[^<>]*>\s*)?(?:class|struct|enum class|enum)\s+\w+(?:\s*:\s*[\w:]+)?\s*;)*\s*")


def blocks(bare):
    """(namespace, text inside) of each block that stands in no other namespace."""
    for match in re.finditer(r"^namespace (trestle[\w:]*) \{$", bare, re.M):
        end = re.compile(r"^\}", re.M).search(bare, match.end())
        yield match.group(1), bare[match.end():end.start() if end else len(bare)]


def namespace_of(path, layers, rooms):
    layer = layer_of(path, layers)
    room = rooms.get(layer, layer.split("/")[-1].replace("-", "_")) if layer else ""
    return f"trestle::{room}" if room else "trestle"


def check_namespaces(tree, layers, debts):
    rooms = debts["_namespaces"]
    for folder in sorted(set(rooms) - set(layers)):
        yield f"layers.toml gives {folder} a namespace, which is no layer. Take it out."
    used = collections.defaultdict(set)
    for layer in layers:
        used[namespace_of(layer + "/x", layers, rooms)].add(layer)
    for name, folders in used.items():
        if len(folders) > 1 and not all(folder in rooms for folder in folders):
            yield f"{name} is the namespace of {', '.join(sorted(folders))}. Name one otherwise, in layers.toml."
    for path, source in tree.sources.items():
        if layer_of(path, layers) is None:
            continue
        own = namespace_of(path, layers, rooms)
        for name, inside in blocks(source.bare):
            if not (name == own or name.startswith(own + "::") and own != "trestle") and not AHEAD.fullmatch(inside):
                yield f"{path} defines names in {name}; its folder is {own}."


RULES = {"arrows": check_arrows, "circles": check_circles, "linked": check_linked, "pairs": check_pairs, "size": check_size,
         "retired": check_retired, "once": check_once, "joined": check_joined, "namespaces": check_namespaces}


def words_of(lines):
    return [line.split("#")[0].split()[0] for line in lines if line.split("#")[0].split()]


def debts_of(tree, words, phrases):
    missing, unused = link_gaps(tree)
    several, alone = pair_debts(tree)
    counts = retired_counts(tree, words)
    return {"circles": circles(folder_graph(tree)) + circles(file_graph(tree)),
            "not_linked": sorted(missing), "not_included": sorted(unused), "sources_of_class": several,
            "sources_without_header": alone, "joined": sorted(joined(tree)), **sizes(tree), "phrases": {phrase: count for phrase, count in phrase_counts(tree, phrases).items() if count},
            "retired": {word: counts[word] for word in words if counts[word]}}


def smaller(old, new):
    """Each debt as small as it is now, and none that was not there."""
    if isinstance(old, dict):
        return {name: min(value, new[name]) for name, value in old.items() if name in new}
    now = [list(one) if not isinstance(one, str) else one for one in new]
    return [one for one in old if one in now]


def dump(debts):
    """One debt a line, so that two branches which pay different ones can be merged."""
    parts = []
    for name in sorted(debts):
        value = debts[name]
        if isinstance(value, dict):
            lines = [f"    {json.dumps(key)}: {value[key]}" for key in sorted(value)]
            parts.append(f'  "{name}": {{\n' + ",\n".join(lines) + "\n  }" if lines else f'  "{name}": {{}}')
        else:
            lines = [f"    {json.dumps(one)}" for one in sorted(value)]
            parts.append(f'  "{name}": [\n' + ",\n".join(lines) + "\n  ]" if lines else f'  "{name}": []')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def problems(root, tables, rules=None):
    """All that is wrong under `root`, by the tables in the folder `tables`."""
    tables = pathlib.Path(tables)
    tree = source_tree.Tree(root)
    table = tomllib.loads((tables / "layers.toml").read_text(encoding="utf-8"))
    layers = table["layers"]
    debts = json.loads((tables / "baseline.json").read_text(encoding="utf-8"))
    for name in ("retired", "phrases"):
        file = tables / ("retired_names.txt" if name == "retired" else "retired_phrases.txt")
        debts[f"_{name}"] = file.read_text(encoding="utf-8").splitlines()
    debts["_namespaces"] = table.get("namespaces", {})
    return tree, {rule: list(RULES[rule](tree, layers, debts)) for rule in (rules or RULES)}


def main(arguments):
    root = pathlib.Path(arguments[0])
    if "--arrows" in arguments:
        layers = tomllib.loads((HERE / "layers.toml").read_text(encoding="utf-8"))["layers"]
        for (own, other), places in sorted(arrows_of(source_tree.Tree(root), layers).items(), key=str):
            print(f"{own} -> {other}: {len(places)}")
        return 0
    if "--shrink" in arguments or "--begin" in arguments:
        words = words_of((HERE / "retired_names.txt").read_text(encoding="utf-8").splitlines())
        phrases = [line.split(" => ")[0] for line in (HERE / "retired_phrases.txt").read_text(encoding="utf-8").splitlines()
                   if " => " in line]
        now, file = debts_of(source_tree.Tree(root), words, phrases), HERE / "baseline.json"
        if "--shrink" in arguments:
            old = json.loads(file.read_text(encoding="utf-8"))
            now = {name: smaller(old[name], now[name]) for name in old}
        file.write_text(dump(now), encoding="utf-8")
        return 0
    rules = [arguments[at + 1] for at, word in enumerate(arguments) if word == "--rule"] or None
    tree, found = problems(root, HERE, rules)
    for rule, sentences in found.items():
        for sentence in sentences:
            print(f"{rule}: {sentence}")
    broken = sum(len(sentences) for sentences in found.values())
    print(f"{len(tree.sources)} sources, {len(tree.targets)} targets, {broken} breaches of {len(found)} rules")
    return 1 if broken or not tree.sources else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
