#!/usr/bin/env python3
"""Fails if a reader of the documents is led astray. Prints each breach with its place.

    check_pages.py ROOT            checks all rules
    check_pages.py ROOT --lookups  prints the look-ups with the section that answers each

Rules: a link with an anchor leads to a heading; each page of docs/ is in the reading order of a reader; each look-up of the list
below is a row of the table "Find a fact" in docs/README.md, and the section to which that row leads contains the answer; the page
of waits names each source that check_blocking.cmake lets wait, and only tests that exist.
"""
import pathlib
import re
import sys
import unicodedata

# What a reader looks for (words of the row), and what the section must contain to be the answer.
LOOKUPS = (
    ("missed heartbeat", ("`heartbeat`", "`watchdog`", "the site holds by itself")),
    ("alpha-OS", ("`operator-splitting`", "alpha")),
    ("rate limit", ("`rate`", "`displacement`", "`force`", "/ δt")),
    ("new compensator", ("site-servers/compensators", "proto/config/control.proto", "compensator_factory.cc")),
    ("units", ("`60 mm`", "N.m/rad", "SI")),
    ("exit code", ("| 0 |", "| 1 |", "| 2 |", "| 3 |", "| 4 |")),
    ("resume", ("`trestle resume RUN`", "set-aside-1")),
    ("dropped datagram", ("dropped datagram", "`stale`")),
    ("CSV of ticks", ("CSV of ticks", "--ticks")),
    ("cut bond graph", ("cut", "ports")),
    ("who writes `fault`", ("writes the file `fault`", "trestle clear")),
    ("stability margin", ("margin", "spectral radius")),
)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*$")


def prose(text):
    """The lines of a page without those of code blocks, which may contain # and []()."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"\s*(```|~~~)", line):
            fenced = not fenced
            continue
        if not fenced:
            yield number, line


def slug(heading):
    """The anchor that GitHub gives a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    kept = "".join(c for c in plain if c in " -_" or unicodedata.category(c)[0] in "LN")
    return kept.replace(" ", "-")


def headings(text):
    """[(anchor, level, line)], with GitHub's numbers behind repeated ones."""
    seen, found = {}, []
    for number, line in prose(text):
        match = HEADING.match(line)
        if match:
            name = slug(match.group(2))
            count = seen.get(name, 0)
            seen[name] = count + 1
            found.append((f"{name}-{count}" if count else name, len(match.group(1)), number))
    return found


def section(text, anchor):
    """The text from a heading to the next one of its level or above; the whole page without an anchor."""
    if not anchor:
        return text
    lines, found = text.split("\n"), headings(text)
    for at, (name, level, begin) in enumerate(found):
        if name == anchor:
            end = next((line for _, other, line in found[at + 1:] if other <= level), len(lines) + 1)
            return "\n".join(lines[begin - 1:end - 1])
    return None


class Pages:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        skipped = ("build", ".git", "tests")
        self.texts = {str(file.relative_to(self.root)): file.read_text(encoding="utf-8")
                      for file in sorted(self.root.rglob("*.md"))
                      if file.relative_to(self.root).parts[0] not in skipped and not file.name.endswith(".in.md")}

    def target(self, page, link):
        """(page, anchor) of a link inside the tree, or None."""
        if re.match(r"[a-z]+:", link):
            return None
        path, _, anchor = link.partition("#")
        if not path:
            return page, anchor
        whole = (self.root / page).parent / path
        try:
            return str(whole.resolve().relative_to(self.root.resolve())), anchor
        except ValueError:
            return None

    def links(self, page):
        for number, line in prose(self.texts[page]):
            for link in LINK.findall(line):
                target = self.target(page, link)
                if target:
                    yield number, target


def check_anchors(pages):
    for page in pages.texts:
        for number, (other, anchor) in pages.links(page):
            if anchor and other in pages.texts and anchor not in {name for name, _, _ in headings(pages.texts[other])}:
                yield f"{page}:{number} links to {other}#{anchor}; {other} has no such heading."


def check_orders(pages):
    index = "docs/README.md"
    rows = section(pages.texts[index], slug("Documentation")).split("\n## ")[0]
    named = {pages.target(index, link)[0] for link in LINK.findall(rows) if pages.target(index, link)}
    for page in pages.texts:
        if page.startswith("docs/") and not page.startswith("docs/adr/") and page != index and page not in named:
            yield f"{page} is in no reading order of {index}. Name it there, or merge it with another page."


def answers(pages):
    """(words, page, anchor, what is missing) of each look-up."""
    index = "docs/README.md"
    rows = [line for line in (section(pages.texts[index], slug("Find a fact")) or "").split("\n") if line.startswith("|")]
    for words, needed in LOOKUPS:
        row = next((line for line in rows if words in line.split("|")[1]), "")
        link = LINK.search(row)
        if not link:
            yield words, None, "", ["a row of the table"]
            continue
        page, anchor = pages.target(index, link.group(1))
        text = section(pages.texts.get(page, ""), anchor)
        yield words, page, anchor, [word for word in needed if word not in (text or "")]


def check_lookups(pages):
    for words, page, anchor, missing in answers(pages):
        if missing:
            yield f"look-up `{words}`: {page}#{anchor} does not contain {', '.join(missing)}."


def tests_of(root):
    """(names SUITE.NAME in sources, patterns of the names that a CMakeLists.txt adds, in a loop perhaps)."""
    sources = "\n".join(file.read_text(encoding="utf-8") for file in (root / "tests").rglob("*.cc"))
    added = re.findall(r"add_test\(NAME ([^\s)]+)", "\n".join(file.read_text(encoding="utf-8") for file in (root / "tests").rglob("CMakeLists.txt")))
    return ({f"{suite}.{case}" for suite, case in re.findall(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", sources, re.M)},
            [r"\w+".join(map(re.escape, re.split(r"\$\{\w+\}", name))) for name in added])


def check_waits(pages):
    page, text = "docs/contributing/waits.md", pages.texts.get("docs/contributing/waits.md", "")
    lists = (pages.root / "tests/structure/check_blocking.cmake").read_text(encoding="utf-8")
    sources = {pathlib.PurePath(path).name for path in re.findall(r'^  "(\S+\.cc) \w+:', lists, re.M)}
    for source in sorted(sources):
        if f"`{source}`" not in text:
            yield f"{page} does not name {source}, which tests/structure/check_blocking.cmake lets wait."
    names, patterns = tests_of(pages.root)
    for name in sorted(set(re.findall(r"`([A-Za-z]\w*(?:\.\w+)*\.[A-Z]\w+(?:\.\w+)?)`", text))):
        if name not in names and not any(re.fullmatch(pattern, name) for pattern in patterns):
            yield f"{page} names the test {name}, which does not exist."


def main(arguments):
    pages = Pages(arguments[0])
    if "--lookups" in arguments:
        for words, page, anchor, missing in answers(pages):
            print(f"| {words} | {page}{'#' + anchor if anchor else ''} | {'missing: ' + ', '.join(missing) if missing else 'yes'} |")
        return 0
    broken = [sentence for rule in (check_anchors, check_orders, check_lookups, check_waits) for sentence in rule(pages)]
    print("\n".join(broken))
    print(f"{len(pages.texts)} pages, {len(LOOKUPS)} look-ups, {len(broken)} breaches")
    return 1 if broken or not pages.texts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
