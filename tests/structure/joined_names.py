"""Names that a source keeps to itself: those of unnamed namespaces, static functions and variables, and macros.

The build compiles sources of one target in batches. Two sources of a batch that keep one name to themselves do not compile,
or, worse, compile with the wrong overload. So such a name occurs once in a target, whatever the batches are today.
"""
import re

import check_one_definition as odr

USING = re.compile(r"\busing\s+(\w+)\s*=")
ALIAS = re.compile(r"\bnamespace\s+(\w+)\s*=")
CALLED = re.compile(r"([\w~]+)\s*\(")
BRACES = re.compile(r"[{};]")
DEFINE = re.compile(r"^[ \t]*#[ \t]*(define|undef)[ \t]+(\w+)", re.M)


def named_by(head):
    """The name that a declaration at namespace scope introduces, or nothing."""
    head = re.sub(r"\btemplate\s*<[^<>]*(?:<[^<>]*>[^<>]*)*>|\[\[[^\]]*\]\]|\balignas\([^)]*\)", " ", head).strip()
    if not head or re.match(r"(friend|extern|static_assert|using\s+namespace)\b", head):
        return None
    alias = USING.search(head) or ALIAS.search(head)
    if alias:
        return alias.group(1)
    if re.match(r"using\b", head):
        return None
    own = odr.scope_of(head)
    if own:
        return None if "::" in own else own
    plain = re.split(r"(?<![=!<>])=(?!=)", head)[0]
    if "operator" in plain:
        return None
    called = CALLED.search(re.sub(r"\b(noexcept|decltype|requires)\s*\([^()]*\)", " ", plain))
    if called:
        before = plain[:called.start()].rstrip()
        return None if before.endswith("::") or not before else called.group(1)  # a member of a class that a header declares
    words = re.findall(r"\w+", re.sub(r"\[[^\]]*\]", " ", plain))
    return words[-1] if len(words) > 1 and not re.search(r"::\s*\w+$", plain.strip()) else None


def kept_names(text):
    """name -> (line, alias) of all that the source keeps to itself; alias: the text of a declaration that may be repeated."""
    found = {}
    defined = {}
    for match in DEFINE.finditer(text):
        if match.group(1) == "define":
            defined[match.group(2)] = (text.count("\n", 0, match.start()) + 1, "")
        else:
            defined.pop(match.group(2), None)
    found.update(defined)
    bare = odr.bare(text)
    scopes, begin = [], 0  # of each open brace: "named" or "unnamed" for a namespace, else "body"
    for match in BRACES.finditer(bare):
        head = " ".join(bare[begin:match.start()].split())
        outside = "body" not in scopes
        if match.group() == "}":
            if scopes:
                scopes.pop()
        else:
            hidden = outside and ("unnamed" in scopes or re.match(r"(?:inline\s+|constexpr\s+)*static\b", head))
            space = odr.NAMESPACE.search(head)
            if match.group() == "{":
                scopes.append("body" if not space or not outside else "named" if space.group(1) else "unnamed")
            if (hidden and not space) or (outside and ALIAS.match(head)):
                name = named_by(head)
                if name:
                    alias = head if USING.match(head) or ALIAS.match(head) else ""
                    found.setdefault(name, (bare.count("\n", 0, match.start()) + 1, alias))
        begin = match.end()
    return found


def pools(targets):
    """The sources that a batch may hold together: of each target those with and those without full optimisation."""
    for name, target in sorted(targets.items()):
        together = [file for file in target.sources if file not in target.apart]
        for setup in (False, True):
            yield name, [file for file in together if (file in target.setup or file.endswith("_factory.cc")) == setup]


def collisions(targets, sources):
    """(target, name, places) for each name that two sources of one pool keep to themselves."""
    for target, files in pools(targets):
        kept = {}
        for file in files:
            if file in sources:
                for name, (line, alias) in kept_names(sources[file].text).items():
                    kept.setdefault(name, []).append((f"{file}:{line}", alias))
        for name, places in sorted(kept.items()):
            if len(places) > 1 and (len({alias for _, alias in places}) > 1 or not places[0][1]):
                yield target, name, [place for place, _ in places]
