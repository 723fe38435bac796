#!/usr/bin/env python3
"""Each rule of check_structure.py, of check_blocking.cmake and of the linker's one-definition check, seen red: a small tree
that keeps all of them, and then one breach at a time.

    check_structure_test.py [ROOT]   with ROOT, breaches are also planted in a copy of the real tree
"""
import contextlib
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import check_one_definition  # noqa: E402
import check_structure  # noqa: E402
import source_tree  # noqa: E402

ROOT = None
CLEAN = {
    "core/types/size.h": "#pragma once\nnamespace trestle {\nstruct Size { int width = 0; };\n}\n",
    "core/bus/bus.h": '#pragma once\n#include "core/types/size.h"\nnamespace trestle::bus {\nclass Bus {\n public:\n'
                      "  Bus();\n  int send(Size size);\n private:\n  int sent_ = 0;\n};\n}\n",
    "core/bus/bus.cc": '#include "core/bus/bus.h"\nnamespace trestle::bus {\nBus::Bus() {}\n'
                       "int Bus::send(Size size) { return sent_ + size.width; }\n}\n",
    "core/bus/CMakeLists.txt": "trestle_library(bus SOURCES bus.cc USES trestle::base)\n",
    "cli/talk.h": '#pragma once\n#include "core/bus/bus.h"\nnamespace trestle::cli {\nint talk(bus::Bus& bus);\n}\n',
    "cli/talk.cc": '#include "cli/talk.h"\nnamespace trestle::cli {\nint talk(bus::Bus& bus) { return bus.send(Size{}); }\n}\n',
    "cli/CMakeLists.txt": "trestle_program(talk SOURCES talk.cc USES trestle::bus)\n",
    "docs/page.md": "The bus sends.\n",
}
LAYERS = '[layers]\n"core/types" = []\n"core/bus" = ["core/types"]\n"cli" = ["core/bus"]\n[namespaces]\n"core/types" = ""\n'


class Planted(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="structure-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for path, text in CLEAN.items():
            self.write(path, text)
        self.write("tables/layers.toml", LAYERS)
        self.write("tables/baseline.json", "{}")
        self.write("tables/retired_names.txt", "OldBus Bus\n")
        self.write("tables/retired_phrases.txt", "where there is none => if none exists\n")

    def write(self, path, text):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def edit(self, path, old, new):
        text = (self.folder / path).read_text(encoding="utf-8")
        self.assertIn(old, text)
        self.write(path, text.replace(old, new, 1))

    def red(self, rule, *words):
        """Exactly this rule is broken, and its sentence holds these words."""
        _, found = check_structure.problems(self.folder, self.folder / "tables")
        for other, sentences in found.items():
            if other != rule:
                self.assertEqual(sentences, [], other)
        self.assertTrue(found[rule], f"{rule} found nothing")
        for word in words:
            self.assertIn(word, "\n".join(found[rule]))

    def test_clean_tree_keeps_all_rules(self):
        _, found = check_structure.problems(self.folder, self.folder / "tables")
        self.assertEqual({rule: [] for rule in check_structure.RULES}, found)

    def test_arrow_that_is_not_in_the_table(self):
        self.write("cli/size_text.h", '#pragma once\n#include "core/types/size.h"\n')
        self.red("arrows", "cli/size_text.h includes core/types/size.h")

    def test_arrow_that_no_include_uses(self):
        self.edit("tables/layers.toml", '"cli" = ["core/bus"]', '"cli" = ["core/bus", "core/types"]')
        self.red("arrows", "cli -> core/types", "no include uses")

    def test_folder_without_a_layer(self):
        self.write("observe/new.h", "#pragma once\n")
        self.red("arrows", "observe/new.h stands in no layer")

    def test_circle_of_files(self):
        self.write("core/types/left.h", '#pragma once\n#include "core/types/right.h"\n')
        self.write("core/types/right.h", '#pragma once\n#include "core/types/left.h"\n')
        self.red("circles", "core/types/left.h, core/types/right.h")

    def test_circle_of_folders(self):
        self.write("cli/verbs/verb.h", '#pragma once\n#include "cli/talk.h"\n')
        self.write("cli/verbs.h", '#pragma once\n#include "cli/verbs/verb.h"\n')
        self.red("circles", "cli, cli/verbs")

    def test_include_of_what_is_not_named_under_uses(self):
        self.edit("cli/CMakeLists.txt", " USES trestle::bus", "")
        self.red("linked", "does not name trestle::bus")

    def test_uses_that_nothing_includes(self):
        self.write("core/types/CMakeLists.txt", "trestle_library(spare SOURCES spare.cc)\n")
        self.write("core/types/spare.h", "#pragma once\n")
        self.write("core/types/spare.cc", '#include "core/types/spare.h"\n')
        self.edit("cli/CMakeLists.txt", "trestle::bus", "trestle::bus trestle::spare")
        self.red("linked", "names trestle::spare")

    def test_class_in_two_sources(self):
        self.edit("core/bus/bus.h", "int send(Size size);", "int send(Size size);\n  int heard();")
        self.write("core/bus/bus_ear.h", '#pragma once\n#include "core/bus/bus.h"\n')
        self.write("core/bus/bus_ear.cc", '#include "core/bus/bus_ear.h"\nnamespace trestle::bus {\nint Bus::heard() { return 0; }\n}\n')
        self.edit("core/bus/CMakeLists.txt", "bus.cc", "bus.cc bus_ear.cc")
        self.red("pairs", "Bus are defined in 2 sources", "core/bus/bus_ear.cc")

    def test_definition_in_another_folders_namespace(self):
        self.edit("cli/talk.h", "namespace trestle::cli {", "namespace trestle::bus {\nint count();\n}\nnamespace trestle::cli {")
        self.red("namespaces", "cli/talk.h defines names in trestle::bus; its folder is trestle::cli")

    def test_type_named_ahead_in_another_folders_namespace(self):
        self.edit("cli/talk.h", "namespace trestle::cli {", "namespace trestle::bus {\nclass Bus;\n}\nnamespace trestle::cli {")
        self.test_clean_tree_keeps_all_rules()

    def test_two_folders_of_one_namespace(self):
        self.edit("tables/layers.toml", '[namespaces]', '"adapters/bus" = []\n[namespaces]')
        self.red("namespaces", "trestle::bus is the namespace of adapters/bus, core/bus")

    def test_source_without_a_header(self):
        self.write("core/bus/lonely.cc", "namespace trestle::bus {\n}\n")
        self.red("pairs", "core/bus/lonely.cc has no header")

    def test_command_needs_no_header_of_its_name(self):
        self.write("cli/commands/sing_command.cc", "namespace trestle::cli {\n}\n")
        self.edit("cli/CMakeLists.txt", "talk.cc", "talk.cc commands/sing_command.cc")
        _, found = check_structure.problems(self.folder, self.folder / "tables")
        self.assertEqual(found["pairs"], [])
        self.write("cli/commands/singer.cc", "namespace trestle::cli {\n}\n")
        self.red("pairs", "cli/commands/singer.cc has no header")

    def test_class_with_too_many_members(self):
        self.edit("core/bus/bus.h", "int sent_ = 0;", "".join(f"int m{i}_ = 0;\n" for i in range(21)) + "int sent_ = 0;")
        self.red("size", "Bus has 22 data members, limit 20")

    def test_class_with_too_many_methods(self):
        self.edit("core/bus/bus.h", "Bus();", "Bus();\n" + "".join(f"void f{i}(int x) const;\n" for i in range(30)))
        self.red("size", "Bus has 32 declared functions, limit 30")

    def test_function_that_is_too_long(self):
        self.edit("cli/talk.cc", "return bus", "\n" * 60 + "return bus")
        self.red("size", "cli/talk.cc:talk has 61 lines")

    def test_function_with_too_many_parameters(self):
        self.edit("cli/talk.cc", "int talk(bus::Bus& bus) {", "int talk(int, int, int, std::map<int, int>, int) { return 0; }\n"
                  "int talk(int a, int b, int c, int d, int e, int f) { return 0; }\nint talk(Bus& bus) {")
        self.red("size", "cli/talk.cc:talk has 6 parameters")

    def test_file_that_is_too_long(self):
        self.edit("core/types/size.h", "#pragma once", "#pragma once" + "\n" * 601)
        self.red("size", "core/types/size.h has")

    def test_debt_that_grew(self):
        self.edit("cli/talk.cc", "return bus", "\n" * 70 + "return bus")
        self.write("tables/baseline.json", json.dumps({"function_lines": {"cli/talk.cc:talk": 70}}))
        self.red("size", "71 lines", "baseline 70")
        self.write("tables/baseline.json", json.dumps({"function_lines": {"cli/talk.cc:talk": 71}}))
        _, found = check_structure.problems(self.folder, self.folder / "tables")
        self.assertEqual(found["size"], [])

    def test_debt_that_is_paid_and_still_excused(self):
        self.write("tables/baseline.json", json.dumps({"function_lines": {"cli/talk.cc:talk": 70}}))
        self.red("size", "excuses cli/talk.cc:talk")

    def test_debts_only_become_smaller(self):
        self.assertEqual(check_structure.smaller({"a": 5, "b": 7, "gone": 9}, {"a": 4, "b": 8, "new": 3}), {"a": 4, "b": 7})
        self.assertEqual(check_structure.smaller([["a", "b"], ["c", "d"]], [("c", "d"), ("e", "f")]), [["c", "d"]])

    def test_retired_name_comes_back(self):
        self.edit("core/bus/bus.cc", "return sent_", "int OldBus = 0; return OldBus + sent_")
        self.red("retired", "`OldBus` is retired", "Use Bus")

    def test_retired_phrase_comes_back(self):
        self.edit("docs/page.md", "sends.", "sends, where there is none.")
        self.red("retired", "`where there is none`", "if none exists")

    def test_two_definitions_of_one_name(self):
        self.write("core/types/second.h", "#pragma once\nnamespace trestle {\nstruct Size { double width; };\n}\n")
        self.red("once", "Size is defined more than once")

    def keep(self, first, second, cmake="trestle_library(bus SOURCES bus.cc line.cc USES trestle::base)\n"):
        """Gives bus.cc and line.cc, two sources of one target, a part that each keeps to itself."""
        begin = '#include "core/bus/bus.h"\n'
        self.edit("core/bus/bus.cc", begin, begin + first)
        self.write("core/bus/line.h", "#pragma once\n")
        self.write("core/bus/line.cc", '#include "core/bus/line.h"\n' + second)
        self.write("core/bus/CMakeLists.txt", cmake)

    def test_sources_of_a_target_that_keep_one_name(self):
        for first, second in (
                ("namespace trestle::bus {\nnamespace {\nint check(int a) { return a; }\n}\n}\n",
                 "namespace trestle::bus {\nnamespace {\nint check(double a) { return a > 0; }\n}\n}\n"),  # overloads compile
                ("static int check = 1;\n", "static int check(int a) { return a; }\n"),
                ("#define check 1\n", "namespace {\nstruct check { int a = 0; };\n}\n"),
                ("namespace {\nusing check = int;\n}\n", "namespace {\nusing check = double;\n}\n")):
            with self.subTest(first):
                self.setUp()
                self.keep(first, second)
                self.red("joined", "bus: check is in core/bus/bus.cc", "core/bus/line.cc")

    def test_equal_aliases_may_meet(self):
        alias = "namespace fs = std::filesystem;\nnamespace {\nusing Row = int;\n}\n"
        self.keep(alias, alias)
        self.test_clean_tree_keeps_all_rules()

    def test_source_that_is_compiled_alone(self):
        hidden = "namespace {\nint check = 1;\n}\n"
        self.keep(hidden, hidden, "trestle_library(bus SOURCES bus.cc line.cc APART line.cc USES trestle::base)\n")
        self.test_clean_tree_keeps_all_rules()

    def test_words_in_comments_and_texts_are_no_code(self):
        self.edit("core/bus/bus.cc", "return sent_", 'const char* text = "OldBus {"; /* OldBus } */ return sent_')
        _, found = check_structure.problems(self.folder, self.folder / "tables")
        self.assertEqual({rule: [] for rule in check_structure.RULES}, found)


@unittest.skipUnless(shutil.which("cmake"), "cmake is not installed")
class Blocking(unittest.TestCase):
    """What may wait, in a source that a node's thread can reach."""

    def found(self, path, text):
        with tempfile.TemporaryDirectory(prefix="blocking-") as folder:
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True)
            file.write_text(text, encoding="utf-8")
            ran = subprocess.run(["cmake", f"-DROOT={folder}", "-P", str(HERE / "check_blocking.cmake")],
                                 capture_output=True, text=True, check=False)
            self.assertNotEqual(ran.returncode, 0)  # no exception is needed in this tree
            return [line.strip() for line in ran.stderr.splitlines() if "which may wait" in line]

    def test_finds_each_call_that_may_wait(self):
        headers = "#include <poll.h>\n#include <sys/select.h>\n#include <sys/socket.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
        lines = {"poll": "::poll(&one, 1, -1);", "ppoll": "if (ppoll(a, 1, b, nullptr) > 0) return;", "select": "select(1, &r, 0, 0, 0);",
                 "epoll_wait": "epoll_wait(e, &v, 1, -1);", "recv": "const auto n = ::recv(s, b, 1, 0);",
                 "recvfrom": "recvfrom(s, b, 1, 0, a, &n);", "accept": "const int c = accept(s, nullptr, nullptr);",
                 "accept4": "accept4(s, nullptr, nullptr, 0);", "fsync": "fsync(file);", "fdatasync": "::fdatasync(file);",
                 "flock": "flock(file, LOCK_EX);", "waitpid": "waitpid(child, &status, 0);", "wait": "changed_.wait(lock, ready);",
                 "wait_for": "done_.wait_for(lock, second);", "join": "thread_.join();", "sleep": "sleep(1);",
                 "sleep_for": "std::this_thread::sleep_for(second);", "std::future": "std::future<int> answer;",
                 "getaddrinfo": "getaddrinfo(host, port, &h, &f);", "connect": "connect(s, a, n);"}
        # Brackets take lines of a list together in CMake, and what comes behind a comment would be lost.
        text = headers + "".join(f"void f{i}() {{ // [x\n  {line}\n}}\n" for i, line in enumerate(lines.values()))
        self.assertEqual(self.found("core/bus/planted.cc", text),
                         [f"core/bus/planted.cc calls {call}, which may wait: {line.rstrip(';')}" for call, line in lines.items()])

    def test_finds_nothing_in_what_cannot_wait(self):
        self.assertEqual(self.found("site-servers/node/planted.cc", """#include <sys/socket.h>
void Server::accept(const Answer& answer) {
  barrier_.accept(answer);
  handlers_.poll();
  // thread_.join();
  recv(socket, bytes, room, MSG_DONTWAIT);
  flock(file, LOCK_EX | LOCK_NB);
  if (!thread_.join(at_most)) return;
  now.waits.push_back(peer.wait());
  const auto* value = pointer.get();
  poll(integrator);
}
"""), [])

    def test_looks_at_headers_too(self):
        self.assertEqual(len(self.found("numerical/node/planted.h", "inline void stop(std::thread& one) { one.join(); }\n")), 1)


@unittest.skipUnless(shutil.which("cmake") and shutil.which("g++"), "cmake and g++ are not installed")
class OneDefinitionByTheLinker(unittest.TestCase):
    """A program of two sources, as check_one_definition.py --link-time builds the real one."""

    SOURCE = "struct Problems {{ {members}; Problems(); int count() const; }};\n"

    def violations(self, root, first, second):
        (root / "main.cc").write_text(self.SOURCE.format(members=first) + "Problems& other();\nProblems here;\n"
                                      "int main() { return &here == &other(); }\n", encoding="utf-8")
        (root / "other.cc").write_text(self.SOURCE.format(members=second) + "Problems::Problems() {}\n"
                                       "Problems there;\nProblems& other() { return there; }\n", encoding="utf-8")
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            ended = check_one_definition.by_linker(root, root / "build")
        return ended, said.getvalue()

    def test_two_definitions_of_one_class_and_one(self):
        with tempfile.TemporaryDirectory(prefix="odr-") as folder:
            root = pathlib.Path(folder)
            (root / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(planted CXX)\n"
                                                 "add_executable(trestle main.cc other.cc)\n", encoding="utf-8")
            ended, said = self.violations(root, "int size = 0", "double sum = 0; int size = 0")
            self.assertEqual(ended, 1, said)
            self.assertIn("Problems", said)
            self.assertIn("[-Wodr]", said)
            ended, said = self.violations(root, "int size = 0", "int size = 0")
            self.assertEqual(ended, 0, said)
            self.assertIn("the linker found 0 violations", said)


class Parsed(unittest.TestCase):
    """What the reader of sources makes of C++ as it is written here."""

    def test_members_methods_and_initialisers(self):
        source = source_tree.Source(pathlib.Path("core/a.h"), """
class Loop final : public Node {
 public:
  explicit Loop(Rig& rig, double tick = 0.1) : rig_{rig}, tick_(tick) { start(); }
  template <typename T> void visit(T&& archive) { archive(tick_); }
  std::function<void(int, int)> heard_ = [](int, int) {};
  virtual TimePoint tick(TimePoint now, std::map<int, std::pair<int, int>> by) noexcept = 0;
  static constexpr int kMost = 3;
  bool operator==(const Loop& other) const = default;
  using Row = std::vector<double>;
  struct Inner { int a = 0, b = 0; };
 private:
  Rig& rig_;
  double tick_{0.1};
  std::array<int, 3> places_ = {1, 2, 3};
};
""")
        loop = next(one for one in source.classes if one.name == "Loop")
        self.assertEqual(loop.methods, ["Loop", "visit", "tick", "operator_"])
        self.assertEqual(len(loop.members), 4, loop.members)
        self.assertEqual(next(len(one.members) for one in source.classes if one.name == "Loop::Inner"), 2)
        self.assertEqual([one.parameters for one in source.functions], [2, 1])


@unittest.skipUnless(len(sys.argv) > 1, "no tree was named")
class RealTree(unittest.TestCase):
    """A breach planted in a copy of the real tree is found there."""

    def test_planted(self):
        with tempfile.TemporaryDirectory(prefix="structure-") as folder:
            copy = pathlib.Path(folder)
            for name in source_tree.PRODUCT + ("proto", "docs", "examples"):
                if (ROOT / name).exists():
                    shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("*.csv", "*.svg"))
            for file in ROOT.glob("*.md"):
                shutil.copy(file, copy)
            gate = copy / "site-servers/safety/planted.h"
            gate.write_text('#pragma once\n#include "core/bus/zmq_transport.h"\nnamespace trestle::site_node { struct SiteNode { int a; }; }\n',
                            encoding="utf-8")
            (copy / "site-servers/safety/planted.cc").write_text('namespace trestle {\nint IntegratorNode::planted() { return 1; }\n}\n',
                                                                 encoding="utf-8")
            _, found = check_structure.problems(copy, HERE)
            text = {rule: "\n".join(sentences) for rule, sentences in found.items()}
            self.assertIn("site-servers/safety may not include core/bus", text["arrows"])
            self.assertIn("members of IntegratorNode", text["pairs"])
            self.assertIn("SiteNode is defined more than once", text["once"])


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None
    RealTree.__unittest_skip__ = ROOT is None
    unittest.main()
