#!/usr/bin/env python3
"""Follows docs/howto/add-a-method.md to the letter, in a copy of the tree.

    add_a_method.py ROOT WORK          applies the blocks of the page; fails if more than three files of the tree change,
                                       more than three are new, or the copy breaks a rule of the structure or the format
    add_a_method.py ROOT WORK --build  also builds the copy, runs the tests of all compensators, checks a test with the
                                       new method, and runs it; minutes
"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

PAGE = "docs/howto/add-a-method.md"
OMITTED = ("build", ".git", ".cache", "runs", "__pycache__")
MOST_CHANGED = MOST_NEW = 3


class Mistake(Exception):
    """The page cannot be followed."""


def blocks(text):
    """(file, place, line of the place, block) of each block with a language; place: new file, behind, in front of."""
    file, intro, found = None, [], []
    lines = iter(text.split("\n"))
    for line in lines:
        fence = re.match(r"\s*```(\w*)$", line)
        if not fence:
            intro.append(line.strip())
            continue
        block = []
        for inner in lines:
            if inner.strip() == "```":
                break
            block.append(inner)
        words, intro = " ".join(intro), []
        if not fence.group(1):
            continue
        named = re.findall(r"(New file|In) `([\w./-]+)`", words)
        if named:
            file = named[-1][1]
        place = re.search(r"(behind|in front of) `([^`]+)`", words)
        if named and named[-1][0] == "New file":
            found.append((file, "new file", None, block))
        elif file and place:
            found.append((file, *place.groups(), block))
        else:
            raise Mistake(f"{PAGE}: a block does not say in which file and where it belongs: {words[-80:]!r}")
    return found


def apply(root, file, place, line, block):
    # A block is indented as far as its item of the list.
    text = re.sub(r"(?m)^   ", "", "\n".join(block)) + "\n"
    path = root / file
    if place == "new file":
        if path.exists():
            raise Mistake(f"{PAGE}: {file} exists; choose another name for the example.")
        path.write_text(text, encoding="utf-8")
        return
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    at = [n for n, each in enumerate(lines) if each.strip() == line]
    if len(at) != 1:
        raise Mistake(f"{PAGE}: {file} has {len(at)} lines `{line}`; name one that is there once.")
    lines.insert(at[0] + (1 if place == "behind" else 0), text)
    path.write_text("".join(lines), encoding="utf-8")


def check_numbers(root):
    """The number that the page gives to the kind is free."""
    schema = (root / "proto/config/control.proto").read_text(encoding="utf-8")
    kinds = schema[schema.index("oneof kind {"):]
    numbers = re.findall(r"^\s+\w+ \w+ = (\d+);", kinds[:kinds.index("\n  }")], re.M)
    for number in numbers:
        if numbers.count(number) > 1:
            raise Mistake(f"{PAGE}: a kind of compensator has the number {number} already; "
                          f"give the example {max(map(int, numbers)) + 1}.")


def tree(root):
    """Each file of the tree by its path."""
    found = {}
    for folder, folders, files in os.walk(root):
        folders[:] = [each for each in folders if each not in OMITTED]
        for file in files:
            path = pathlib.Path(folder) / file
            if path.is_file():
                found[str(path.relative_to(root))] = path.read_bytes()
    return found


def renew(root, copy, before):
    """Makes the copy what the tree at root is. Files that are right are not touched: a build of them stays valid."""
    for file in tree(copy).keys() - before.keys():
        (copy / file).unlink()
    for file, content in before.items():
        path = copy / file
        if path.is_file() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        shutil.copymode(pathlib.Path(root) / file, path)  # the build runs scripts


def stat(before, after):
    """[(file, is it new, lines more, lines less)] of what differs."""
    found = []
    for file in sorted(after):
        if before.get(file) == after[file]:
            continue
        old, new = (side.get(file, b"").decode().split("\n") for side in (before, after))
        lines = [line[0] for line in difflib.unified_diff(old, new, n=0, lineterm="") if line[:3] not in ("---", "+++")]
        found.append((file, file not in before, lines.count("+"), lines.count("-")))
    return found


def follow(root, copy):
    """Applies the page to the copy. @returns what changed"""
    before = tree(root)
    renew(root, copy, before)
    for script in ("docs/generate/reference.py", "tests/structure/check_structure.py"):
        shutil.copymode(root / script, copy / script)
    text = (root / PAGE).read_text(encoding="utf-8")
    for block in blocks(text):
        apply(copy, *block)
    check_numbers(copy)
    for command in re.findall(r"^\d+\. Run `([^`]+)`", text, re.M):
        subprocess.run([sys.executable, "-B", *command.split()], cwd=copy, check=True)
    return stat(before, tree(copy))


def breaches(copy, changes):
    """One sentence for each rule that the changes break."""
    new = [file for file, is_new, _, _ in changes if is_new]
    for what, files, most in (("changes", [file for file, *_ in changes if file not in new], MOST_CHANGED),
                              ("adds", new, MOST_NEW)):
        if len(files) > most:
            yield f"A method by {PAGE} {what} {len(files)} files, more than {most}: {', '.join(files)}."
    rules = subprocess.run([sys.executable, "-B", "tests/structure/check_structure.py", "."], cwd=copy, check=False,
                           capture_output=True, text=True)
    if rules.returncode != 0:
        yield "The structure test fails in the copy:\n" + textwrap.indent(rules.stdout + rules.stderr, "  ")
    formatter = shutil.which("clang-format-14")
    sources = [file for file, *_ in changes if file.endswith((".h", ".cc"))]
    if formatter:
        form = subprocess.run([formatter, "--dry-run", "-Werror", *sources], cwd=copy, check=False, capture_output=True,
                              text=True)
        if form.returncode != 0:
            yield "clang-format would change a block of the page:\n" + textwrap.indent(form.stderr, "  ")


def build_and_run(copy, build):
    """As the page says, with flags that compile quickly."""
    def run(*command, ends=(0,)):
        print("+", *command, flush=True)
        code = subprocess.run([str(word) for word in command], cwd=copy, check=False).returncode
        if code not in ends:
            raise SystemExit(f"it ended with {code}")

    text = (copy / PAGE).read_text(encoding="utf-8")
    targets = re.search(r"--target ([\w ]+)", text).group(1).split()
    tried = re.search(r'`trestle run (\S+) --set "([^"]+)"`', text)
    run("cmake", "-S", copy, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g0",
        "-DTRESTLE_WERROR=ON", "-DTRESTLE_JOIN_SOURCES=ON", "-DTRESTLE_PRECOMPILE=ON", "-Wno-dev", "--log-level=WARNING")
    run("cmake", "--build", build, "--parallel", os.cpu_count() or 1, "--target", *targets)
    run("ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error", "-R",
        "^control(_heap)?[.].*([Cc]ompensator|[Cc]ontract|TwoTickLead)")
    trestle = build / "cli/trestle"
    # 3: it has computed the stability of the loop by the method's linear form, and does not like it.
    run(trestle, "check", tried.group(1), "--set", tried.group(2), ends=(0, 3))
    run(trestle, "run", tried.group(1), "--set", tried.group(2), "--set", "duration=1 s", "--out",
        tempfile.mkdtemp(prefix="run-", dir=build))


def main(arguments):
    root, work = pathlib.Path(arguments[0]).resolve(), pathlib.Path(arguments[1]).resolve()
    copy = work / "tree"
    try:
        changes = follow(root, copy)
    except Mistake as mistake:
        print(mistake)
        return 1
    for file, is_new, more, less in changes:
        print(f" {file} | {more} +, {less} -{'  (new)' if is_new else ''}")
    broken = list(breaches(copy, changes))
    print("\n".join(broken))
    if broken or not changes:
        return 1
    if "--build" in arguments:
        build_and_run(copy, work / "build")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
