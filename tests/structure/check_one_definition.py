#!/usr/bin/env python3
"""Fails where the program defines a class, or an inline function, twice under one name.

Two definitions of one name break C++'s one-definition rule wherever they meet in one program;
no compiler sees it, and the linker keeps either. Reads the sources of the whole program, so it
also finds what inlining hides today. Run by ctest:
  check_one_definition.py SOURCE-FOLDER
With --link-time it builds the program once more for the linker's own check (-Wodr); minutes.
  check_one_definition.py --link-time SOURCE-FOLDER BUILD-FOLDER
"""
import os
import pathlib
import re
import subprocess
import sys

FOLDERS = ("core", "numerical", "adapters", "site-servers", "gateway", "observe", "composition",
           "studies", "cli")
CLASS = re.compile(
    r"\b(class|struct|union|enum(?:\s+class|\s+struct)?)\s+(?:\[\[[^\]]*\]\]\s*|alignas\([^)]*\)\s*)*"
    r"((?:\w+::)*\w+(?:\s*<.*>)?)\s*(?:final\b)?\s*(?::(?!:).*)?$", re.S)
NAMESPACE = re.compile(r"\b(?:inline\s+)?namespace(?:\s+([\w:]+))?$")
FUNCTION = re.compile(r"([\w:~]+|operator\s*\S+?)\s*(\([^{}]*\))[^(){}]*$", re.S)


def bare(text):
    """The text without comments, literals and preprocessor lines; lines stay where they are."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    text = re.sub(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
                  r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", blank, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)


def definitions(text):
    """Yields (name, line) of all that has linkage and may be defined in several sources."""
    text = bare(text)
    scopes = []  # of each open brace: a name, "" (transparent), or None (a body or unnamed)
    begin = 0
    for match in re.finditer(r"[{};]", text):
        at = match.start()
        if match.group() == "}":
            if scopes:
                scopes.pop()
        elif match.group() == "{":
            head = " ".join(text[begin:at].split())
            line = text.count("\n", 0, at) + 1
            scopes.append(scope_of(head))
            if None not in scopes[:-1]:
                name = defined(head, scopes[:-1])
                if name:
                    yield name, line
        begin = at + 1


def scope_of(head):
    space = NAMESPACE.search(head)
    if space:
        return space.group(1)  # None: an unnamed one
    if re.fullmatch(r'extern\s+""?|extern', head):
        return ""
    head = re.sub(r"^\s*(?:public|private|protected)\s*:", "", head)
    kind = CLASS.search(re.sub(r"\btemplate\s*<[^<>]*(?:<[^<>]*>[^<>]*)*>", "", head))
    if kind and "(" not in kind.group(2) and "=" not in head.split(kind.group(1))[0]:
        return kind.group(2)
    return None


def defined(head, scopes):
    prefix = "::".join(scope for scope in scopes if scope)
    if NAMESPACE.search(head):
        return None
    own = scope_of(head)
    if own:
        return f"{prefix}::{own}"
    if re.search(r"\b(inline|constexpr|template)\b", head) and not re.search(r"\bstatic\b", head):
        function = FUNCTION.search(head)
        if function and function.group(1) not in ("if", "for", "while", "switch"):
            words = " ".join(re.sub(r"=[^,)]*", "", function.group(2)).split())
            return f"{prefix}::{function.group(1)}{words}"
    return None


def by_source(root):
    found = {}
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".h", ".cc") or not file.is_file():
                continue
            for name, line in definitions(file.read_text(encoding="utf-8")):
                found.setdefault(name, []).append(f"{file.relative_to(root)}:{line}")
    twice = {name: places for name, places in found.items()
             if len({place.rsplit(":", 1)[0] for place in places}) > 1}
    for name, places in twice.items():
        print(f"{name} is defined more than once: {', '.join(places)}. Rename one of them.")
    print(f"{len(found)} definitions with linkage, {len(twice)} of them more than once")
    return 0 if found and not twice else 1


def by_linker(root, build):
    flags = "-O0 -flto=auto -fno-fat-lto-objects"
    # gold does not look into libgcc again for what the link-time compiler adds: __builtin_cpu_supports().
    linker = "-Wodr -Wl,-u,__cpu_model"
    subprocess.run(["cmake", "-S", root, "-B", build, "-DCMAKE_BUILD_TYPE=Debug",
                    f"-DCMAKE_CXX_FLAGS_DEBUG={flags}", f"-DCMAKE_C_FLAGS_DEBUG={flags}",
                    f"-DCMAKE_EXE_LINKER_FLAGS={linker}", "-DTRESTLE_WERROR=OFF",
                    "-DTRESTLE_JOIN_SOURCES=ON", "-DTRESTLE_PRECOMPILE=ON"], check=True)
    os.environ.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
    made = subprocess.run(["cmake", "--build", build, "--target", "trestle"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wrong = [line for line in made.stdout.splitlines() if "-Wodr" in line and "warning" in line]
    print("\n".join(wrong) if made.returncode == 0 else made.stdout[-4000:])
    print(f"the linker found {len(wrong)} violations")
    return 0 if made.returncode == 0 and not wrong else 1


def main(arguments):
    if arguments[:1] == ["--link-time"]:
        return by_linker(pathlib.Path(arguments[1]), pathlib.Path(arguments[2]))
    return by_source(pathlib.Path(arguments[0]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
