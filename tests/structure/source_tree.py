"""Reads the sources of the tree once, for the structure test and the measurements: includes, classes
with their members and methods, functions, comments, and the targets of the CMake files."""
import pathlib
import re

PRODUCT = ("core", "numerical", "adapters", "site-servers", "gateway", "observe", "composition",
           "studies", "cli")
NAMESPACE = re.compile(r"\b(?:inline\s+)?namespace(?:\s+([\w:]+))?$")
CLASS = re.compile(r"^(class|struct|union|enum(?:\s+class|\s+struct)?)\s+(?:\[\[[^\]]*\]\]\s*|alignas\([^)]*\)\s*)*"
                   r"((?:\w+::)*\w+)?\s*(?:final\b)?\s*(?::(?!:).*)?$", re.S)
OPERATOR = r"operator\s*(?:\(\)|\[\]|[^\s\w(]+|\w[\w\s:*&]*)"
CALLED = re.compile(rf"((?:\w+::)*(?:~?\w+|{OPERATOR}))\s*$")
LITERAL = re.compile(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
                     r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.S)
NO_NAME = {"if", "for", "while", "switch", "return", "catch", "sizeof", "alignas", "decltype", "static_assert", "noexcept"}


def bare(text):
    """The text without comments, literals and preprocessor lines; lines stay where they are."""
    text = LITERAL.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda match: re.sub(r"[^\n]", " ", match.group()), text, flags=re.M)


def without_templates(head):
    head = re.sub(r"operator\s*[<>=!+*/%^&|~-]+", "operator_", head)
    while True:
        shorter = re.sub(r"<[^<>;{}]*>", "", head)
        if shorter == head:
            return head
        head = shorter


def without_parentheses(text):
    while True:
        shorter = re.sub(r"\([^()]*\)", "", text)
        if shorter == text:
            return text
        text = shorter


class Function:
    def __init__(self, name, owner, line, lines, parameters):
        self.name, self.owner, self.line, self.lines, self.parameters = name, owner, line, lines, parameters


class Class:
    def __init__(self, name, line):
        self.name, self.line, self.members, self.methods = name, line, [], []


class Source:
    def __init__(self, path, text):
        self.path, self.text = path, text
        self.folder, self.stem, self.suffix = str(path.parent), path.stem, path.suffix
        self.includes = re.findall(r'^[ \t]*#[ \t]*include "([^"]+)"', text, re.M)
        self.bare = bare(text)
        self.classes, self.functions, self.unnamed = [], [], []
        self._parse()

    @property
    def lines(self):
        return self.text.count("\n")

    def comment_lines(self):
        return sum(1 for line in self.text.split("\n") if re.match(r"\s*(//|/\*|\*)", line))

    def _parse(self):
        text, scopes, begin = self.bare, [], 0
        for match in re.finditer(r"[{};]", text):
            at, sign = match.start(), match.group()
            kind, owner = scopes[-1][:2] if scopes else ("space", "")
            if sign == "}":
                if scopes:
                    closed = scopes.pop()
                    if closed[0] == "body":
                        function = closed[2]
                        function.lines = text.count("\n", closed[3], at) + 1
                        self.functions.append(function)
                    if closed[0] == "value":
                        continue  # the statement continues
                begin = at + 1
                continue
            if kind in ("body", "inner", "value", "enum"):
                if sign == "{":
                    scopes.append(("inner" if kind != "value" else "value", owner))
                continue
            head = text[begin:at]
            if sign == ";":
                self._statement(head, kind, owner, begin)
                begin = at + 1
                continue
            opened = self._opened(head, kind, owner, begin, at)
            scopes.append(opened)
            if opened[0] != "value":
                begin = at + 1

    def _line(self, begin, head):
        return self.bare.count("\n", 0, begin + len(head) - len(head.lstrip())) + 1

    def _opened(self, head, kind, owner, begin, at):
        words = " ".join(head.split())
        words = re.sub(r"^(?:(?:public|private|protected)\s*:\s*)+", "", words)
        space = NAMESPACE.search(words)
        if space:
            return ("space", owner)
        if re.fullmatch(r'extern(\s+"C")?', words):
            return ("space", owner)
        plain = re.sub(r"\btemplate\s*(?=$|\w)|\brequires\b.*$", "", without_templates(words)).strip()
        plain = re.sub(r"^(?:typedef|static|constexpr|inline|const)\s+(?=class|struct|union|enum)", "", plain)
        if plain.count("(") != plain.count(")"):
            return ("value", owner)
        named = CLASS.match(plain)
        if named and "(" not in re.sub(r"alignas\([^)]*\)", "", plain):
            if named.group(1).startswith("enum"):
                return ("enum", owner)
            name = named.group(2) or ""
            full = f"{owner}::{name}" if owner and name else name or owner
            if name:
                made = Class(full, self._line(begin, head))
                self.classes.append(made)
            return ("class", full)
        if "(" in plain and not re.search(r"=\s*$|=\s*\[", plain) and "=" not in without_parentheses(plain).replace("operator_", "").replace("==", ""):
            # A member's initialiser in a constructor's list opens no body.
            if re.search(r"\)\s*(?:noexcept\s*(?:\([^)]*\))?\s*)?:(?!:)", plain) and re.search(r"[\w>]$", words) and \
                    not re.search(r"\b(const|noexcept|override|final|mutable|try)$", words):
                return ("value", owner)
            function = self._function(plain, owner, self._line(begin, head), words)
            if function:
                if kind == "class":
                    self._of_class(owner).methods.append(function.name)
                start = begin + len(head) - len(head.lstrip())
                return ("body", owner, function, start)
        return ("value", owner)

    def _of_class(self, name):
        found = next((one for one in reversed(self.classes) if one.name == name), None)
        if not found:
            found = Class(name, 0)
            self.classes.append(found)
        return found

    def _function(self, plain, owner, line, words):
        called = CALLED.search(plain.split("(", 1)[0])
        if not called or called.group(1) in NO_NAME:
            return None
        name = called.group(1)
        depth, start, end = 0, plain.index("("), len(plain)
        for at in range(start, len(plain)):
            depth += {"(": 1, ")": -1}.get(plain[at], 0)
            if depth == 0:
                end = at
                break
        inside = without_parentheses(plain[start + 1:end]).strip()
        parameters = 0 if inside in ("", "void") else inside.count(",") + 1
        in_class = "::".join(name.split("::")[:-1])
        return Function(name, in_class or owner, line, 0, parameters)

    def _statement(self, head, kind, owner, begin):
        if kind != "class":
            return
        words = re.sub(r"^(?:(?:public|private|protected)\s*:\s*)+", "", " ".join(head.split()))
        if not words or re.match(r"(using|friend|typedef|static_assert|enum|class|struct|union)\b", words):
            return
        plain = re.sub(r"\[\[[^\]]*\]\]\s*", "", without_templates(words))
        # A member with an initialiser in braces ends here; what was in them is not part of its name.
        cut = re.split(r"[={]", plain.replace("operator=", "operator_"), maxsplit=1)[0]
        if "(" in cut and not re.search(r"\(\s*\*", cut):
            called = CALLED.search(cut.split("(", 1)[0])
            self._of_class(owner).methods.append(called.group(1) if called else "?")
        elif not re.match(r"(static|constexpr)\b", plain):
            names = [name for name in without_parentheses(re.sub(r"\{[^{}]*\}", "", plain)).split(",") if name.strip()]
            self._of_class(owner).members.extend(names)


class Target:
    def __init__(self, name, folder, sources, uses):
        self.name, self.folder, self.sources, self.uses = name, folder, sources, uses
        self.setup, self.apart, self.entry = [], [], []


def cmake_targets(root):
    """The targets that the three functions of cmake/trestle_targets.cmake make, and what each names as used."""
    found = {}
    for folder in PRODUCT + ("proto",):
        for file in sorted((root / folder).rglob("CMakeLists.txt")):
            text = re.sub(r"#[^\n]*", "", file.read_text(encoding="utf-8"))
            for call in re.finditer(r"\btrestle_(library|program|plugin)\s*\(\s*(\w+)([^)]*)\)", text):
                name, words = call.group(2), call.group(3).split()
                parts, key = {}, None
                for word in words:
                    if word in ("SOURCES", "SETUP", "ALGEBRA", "APART", "USES", "ENTRY"):
                        key = word
                    elif key:
                        parts.setdefault(key, []).append(word)
                base = str(file.parent.relative_to(root))
                if "*.cc" in parts.get("SOURCES", []):
                    parts["SOURCES"] = sorted(source.name for source in file.parent.glob("*.cc"))
                sources = [f"{base}/{source}" for key in ("SOURCES", "SETUP", "ALGEBRA", "ENTRY") for source in parts.get(key, [])
                           if not source.startswith("${")]
                uses = [use[len("trestle::"):] for use in parts.get("USES", []) if use.startswith("trestle::")]
                found[name] = Target(name, base, sources, uses)
                found[name].setup = [f"{base}/{source}" for source in parts.get("SETUP", [])]
                found[name].entry = [f"{base}/{source}" for source in parts.get("ENTRY", [])]
                found[name].apart = [f"{base}/{source}" for source in parts.get("APART", [])]
    return found


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.sources = {}
        for folder in PRODUCT:
            for file in sorted((self.root / folder).rglob("*")):
                if file.suffix in (".h", ".cc") and file.is_file():
                    path = file.relative_to(self.root)
                    self.sources[str(path)] = Source(path, file.read_text(encoding="utf-8"))
        self.targets = cmake_targets(self.root)

    def classes(self):
        return [(source, one) for source in self.sources.values() for one in source.classes]

    def functions(self):
        return [(source, one) for source in self.sources.values() for one in source.functions]

    def sources_of_classes(self):
        """For each class, the .cc files in which members of it are defined."""
        declared = {one.name for source, one in self.classes() if source.suffix == ".h"}
        found = {}
        for source, function in self.functions():
            if source.suffix == ".cc" and "::" in function.name and function.owner in declared:
                found.setdefault(function.owner, set()).add(str(source.path))
        return found
