#!/usr/bin/python3
"""Exports a model of OpenSees as a test file of Trestle.

    trestle_export.py MODEL.py --units m,N --out test.yaml      runs the model in OpenSeesPy
    trestle_export.py MODEL.record --units m,N --out test.yaml  what trestle_export.tcl has recorded

Or in the model itself: `recording = trestle_export.record(ops)` before its first command, and
`recording.write("test.yaml", "m,N")` behind its last. OpenSees keeps no section that could be read back, so the commands
are recorded while they build the model. What cannot be translated is refused, and no file is written.
"""

import argparse
import functools
import importlib
import json
import os
import runpy
import sys

if __name__ == "__main__":
    sys.dont_write_bytecode = True  # the installed folder has the package's files alone

from opensees_loads import LoadWriter
from opensees_model import HARMLESS, ModelReader, is_query
from opensees_parts import Command
from trestle_frame import FORCES, LENGTHS, FrameWriter, Units


class ExportError(Exception):
    """Says all that cannot be translated, one line each."""


class ModelEnds(BaseException):
    """Ends the user's script at the command of --stop-at; a BaseException, so that no `except Exception` keeps it."""


def flat(values):
    """Arguments as OpenSeesPy takes them: lists, tuples and arrays opened."""
    result = []
    for value in values:
        if isinstance(value, str) or not hasattr(value, "__iter__"):
            result.append(value)
        else:
            result += flat(value)
    return result


class Recording:
    """The commands of a model, and at its end what OpenSees' domain has."""

    def __init__(self, module=None, stop_at=None):
        self.module = module
        self.stop_at = stop_at
        self.commands = []
        self.domain = {}
        self._wiped = None  # commands and domain of the last model that was wiped

    def wrap_all(self):
        """Puts a recording function in place of each command of the module."""
        for name in dir(self.module):
            command = getattr(self.module, name)
            if not name.startswith("_") and callable(command) and not isinstance(command, type):
                if name == "wipe" or (name not in HARMLESS and not is_query(name)) or name == self.stop_at:
                    setattr(self.module, name, self._wrapped(name, command))

    def _wrapped(self, name, command):
        @functools.wraps(command)
        def recorded(*args, **kwargs):
            if name == self.stop_at:
                raise ModelEnds
            if name == "wipe":
                self._keep_wiped()
            result = command(*args, **kwargs)
            if name != "wipe":  # a command that raised has changed nothing
                caller = sys._getframe(1)
                where = f"{os.path.basename(caller.f_code.co_filename)}:{caller.f_lineno}"
                self.commands.append(Command(name, flat(args), where))
            return result
        return recorded

    def _keep_wiped(self):
        if any(command.name == "node" for command in self.commands):
            self._wiped = (self.commands, self._ask_domain())
        self.commands = []

    def _ask_domain(self):
        """Nodes with coordinates and masses, and elements, as OpenSees has them."""
        domain = {"nodes": self._ask("getNodeTags"), "elements": self._ask("getEleTags")}
        for key, query in (("coordinates", "nodeCoord"), ("masses", "nodeMass")):
            domain[key] = {tag: self._ask(query, tag) or [] for tag in domain["nodes"] or []}
        return domain

    def _ask(self, query, *args):
        """The answer as a list; None if this OpenSees does not know the query, which some versions do not."""
        try:
            return flat([getattr(self.module, query)(*args) or []])
        except Exception:  # each module has its own error
            return None

    def finish(self):
        """The commands of the last model and its domain; a wiped model counts if none followed."""
        if any(command.name == "node" for command in self.commands) or self._wiped is None:
            return self.commands, self.domain or (self._ask_domain() if self.module else {})
        return self._wiped

    def write(self, out, units, geometry=None, up="z", gravity=()):
        """Writes the test file and returns what it leaves out.

        @throws ExportError, without a file, if anything cannot be translated
        """
        commands, domain = self.finish()
        text, notices = translated(commands, domain, Units(units),
                                   {"geometry": geometry, "up": up, "gravity": list(gravity)})
        with open(out, "w", encoding="utf-8") as file:
            file.write(text)
        return notices


def record(module, stop_at=None):
    """Records each command of the module from now on; call it before `from ... import *`."""
    recording = Recording(module, stop_at)
    recording.wrap_all()
    return recording


def differences(model, domain):
    """What OpenSees has and the recorded commands have not made, or the other way round."""
    result = []
    for kind, known in (("node", model.nodes), ("element", model.elements)):
        tags = domain.get(kind + "s")
        if tags is None:
            continue
        tags = {int(tag) for tag in tags}
        result += [f"{kind} {tag} is in OpenSees' model, but no recorded command made it; record from the first command "
                   "on, and make it by `" + kind + "`" for tag in sorted(tags - set(known))]
        result += [f"{kind} {tag} was made, but OpenSees' model no longer has it" for tag in sorted(set(known) - tags)]
    for key, attribute in (("coordinates", "coordinates"), ("masses", "mass")):
        for tag, values in domain.get(key, {}).items():
            node = model.nodes.get(int(tag))
            ours = getattr(node, attribute) if node else []
            pairs = zip(ours, (float(value) for value in values))
            if any(abs(a - b) > 1e-9 * max(abs(a), abs(b)) for a, b in pairs):
                result.append(f"node {tag}: OpenSees has other {key} than the recorded commands: {values}, not {ours}")
    return result


def translated(commands, domain, units, settings):
    """The text of the test file, and what it leaves out."""
    reader = ModelReader()
    model = reader.read(commands)
    refusals = list(reader.refusals)
    if not model.nodes:
        raise ExportError("no model was recorded: no `node` command was called")
    if not refusals:  # a command that was refused leaves elements out
        refusals += differences(model, domain)
    writer = FrameWriter(model, units, settings["geometry"], settings["up"])
    lines = writer.lines()
    loads = LoadWriter(writer)
    excitation = loads.lines(settings["gravity"]) if settings["gravity"] else []
    refusals += writer.refusals + loads.refusals
    if refusals:
        raise ExportError("\n".join(dict.fromkeys(refusals)))
    for tag, pattern in model.patterns.items():
        for name in [] if tag in settings["gravity"] else ["pattern", *(c.name for c in pattern.commands)]:
            model.ignored[name] = model.ignored.get(name, 0) + 1
    notices = [f"{name}: {times} calls, not translated" for name, times in sorted(model.ignored.items())]
    notices += writer.notices
    head = [f"# From OpenSees: {len(model.nodes)} nodes, {len(model.elements)} elements; units were {units.text}, here SI.",
            "# Node 7 is n7, element 3 is e3, the diaphragm of node 9 is d9 (d9.x, d9.y, d9.rz).",
            *(f"# Left out: {notice}" for notice in notices),
            "# Next: add the record, the integrator, and sites; `undivided` runs the model alone until then.",
            "test: imported from OpenSees", "mode: simulated", "time_step: 5 ms", "undivided: true", "excitation:",
            "  record: synthetic", *excitation, "numerical:", "  integrator: constant-average-acceleration", "  frame:"]
    lines += [f"recording: {{nodes: [{', '.join(writer.watched())}]}}"]
    return "\n".join(head + lines) + "\n", notices


def read_record(path):
    """The recording that trestle_export.tcl wrote: one JSON list a line, place, command, arguments."""
    recording = Recording()
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                place, name, *args = json.loads(line)
            except ValueError:
                raise ExportError(f"{path}:{number}: is no recording of trestle_export.tcl") from None
            if name == "domain":
                recording.domain[args[0]] = args[1:] if args[0] in ("nodes", "elements") else {args[1]: args[2:]} | \
                    recording.domain.get(args[0], {})
            else:
                recording.commands.append(Command(name, args, place))
    return recording


def run_model(path, arguments, module_name, stop_at):
    """Runs the user's script with all commands recorded."""
    names = [module_name] if module_name else ["openseespy.opensees", "opensees"]
    for name in names:
        try:
            module = importlib.import_module(name)
            break
        except ImportError as error:
            failure = error
    else:
        raise ExportError(f"cannot import {' or '.join(names)} ({failure}); install OpenSeesPy for {sys.executable}, or "
                          "give --module")
    recording = record(module, stop_at)
    before = sys.argv, sys.path[:]
    sys.argv, sys.path[0:0] = [path, *arguments], [os.path.dirname(os.path.abspath(path))]
    try:
        runpy.run_path(path, run_name="__main__")
    except ModelEnds:
        pass
    except SystemExit as end:
        if end.code not in (None, 0):
            raise ExportError(f"{path} ended with {end.code}") from None
    finally:
        sys.argv, sys.path[:] = before
    return recording


def tags_of(text):
    """Tags of patterns: 1,2."""
    try:
        return [int(tag) for tag in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is no list of tags, such as 1,2") from None


def parsed(arguments):
    parser = argparse.ArgumentParser(description="Exports a model of OpenSees as a test file of Trestle.")
    parser.add_argument("model", help="a script of OpenSeesPy (.py), its own arguments behind --; or a recording of "
                                      "trestle_export.tcl")
    parser.add_argument("--units", required=True, metavar="LENGTH,FORCE",
                        help=f"of the model: {', '.join(LENGTHS)}; {', '.join(FORCES)}; time in seconds")
    parser.add_argument("--out", required=True, metavar="FILE")
    parser.add_argument("--up", choices=("y", "z"), default="z", help="vertical axis of a model in space")
    parser.add_argument("--geometry", choices=("linear", "p-delta", "corotational"),
                        help="linear: PDelta and Corotational as linear; p-delta: PDelta with the constant axial force "
                             "of gravity; corotational: Corotational")
    parser.add_argument("--gravity", type=tags_of, default=[], metavar="TAG,...",
                        help="load patterns that are gravity, with factor 1; the others are left out")
    parser.add_argument("--stop-at", metavar="COMMAND", help="ends the script at this command, such as analyze")
    parser.add_argument("--module", help="module of the commands, if it is not openseespy.opensees or opensees")
    return parser.parse_args(arguments)


def main(arguments):
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    given, own = parsed(arguments[:cut]), arguments[cut + 1:]
    try:
        if given.model.endswith(".py"):
            recording = run_model(given.model, own, given.module, given.stop_at)
        else:
            recording = read_record(given.model)
        notices = recording.write(given.out, given.units, given.geometry, given.up, given.gravity)
    except (ExportError, ValueError, OSError) as error:
        for line in str(error).splitlines():
            print("trestle_export: " + line, file=sys.stderr)
        print(f"trestle_export: {given.out} was not written", file=sys.stderr)
        return 1
    for notice in notices:
        print("trestle_export: left out: " + notice, file=sys.stderr)
    print(f"{given.out}: written; see it with `trestle check {given.out}`")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
