"""Loads of patterns that are gravity: `excitation.loads` and `excitation.gravity` of the test file."""

import math

from opensees_parts import Refused, expect, integer, options_of

COMPONENTS = ("x", "y", "z", "mx", "my", "mz")


class LoadWriter:
    """Turns patterns into lines of YAML, in SI; `refusals` says what cannot be translated.

    frame: the FrameWriter of the model, after its lines()
    """

    def __init__(self, frame):
        self.frame = frame
        self.model, self.units = frame.model, frame.units
        self.refusals = []

    def lines(self, tags):
        """The value of `excitation` beside the record, indented by two."""
        result, names = ["  loads:"], []
        for tag in tags:
            pattern = self.model.patterns.get(tag)
            if pattern is None:
                known = ", ".join(str(known) for known in self.model.patterns) or "none"
                self.refusals.append(f"pattern {tag}, which --gravity names, is not known; known are: {known}")
                continue
            result.append(f"    pattern{tag}: {self._pattern(pattern)}")
            names.append(f"pattern{tag}")
        return result + [f"  gravity: {{from: none, loads: [{', '.join(names)}]}}"]

    def _pattern(self, pattern):
        nodes, members = {}, {}
        try:
            factor = self._factor(pattern)
        except Refused as refusal:
            self.refusals.append(f"{pattern.by}: {refusal}")
            return ""
        for command in pattern.commands:
            try:
                if command.name == "load":
                    self._on_node(command, factor, nodes)
                else:
                    self._on_members(command, factor, members)
            except Refused as refusal:
                self.refusals.append(f"{command}: {refusal}")
            except (ValueError, IndexError, TypeError, KeyError) as error:
                self.refusals.append(f"{command}: its arguments cannot be read ({error})")
        parts = []
        if nodes:
            parts.append("nodes: {" + ", ".join(f"{name}: {{{entries(values)}}}" for name, values in nodes.items()) + "}")
        if members:
            parts.append("members: {" + ", ".join(f"{name}: {written(load)}" for name, load in members.items()) + "}")
        return "{" + ", ".join(parts) + "}"

    def _factor(self, pattern):
        """Of a pattern that is a static load: a linear or constant series at factor 1."""
        if pattern.kind != "Plain":
            raise Refused("is no Plain pattern; ground motions are `excitation.motions`")
        words = str(pattern.series).split()
        if len(words) == 1 and words[0].lstrip("-").isdigit():
            command = self.model.series.get(integer(words[0]))
            if command is None:
                raise Refused(f"its time series {words[0]} is not known")
            kind, rest = command.args[0], command.args[2:]
        else:
            kind, rest = words[0] if words else "", words[1:]
        positional, options = options_of(rest)
        if kind not in ("Linear", "Constant") or positional or set(options) - {"-factor"}:
            raise Refused("its time series is neither Linear nor Constant; leave it out of --gravity")
        return pattern.factor * (float(options["-factor"][0]) if "-factor" in options else 1.0)

    def _on_node(self, command, factor, nodes):
        tag, *values = command.args
        node = self.model.nodes.get(integer(tag))
        if node is None:
            raise Refused(f"node {tag} is not known")
        values = [factor * finite(value) for value in values]
        if len(values) > node.dofs:
            raise Refused(f"has {len(values)} forces; the node has {node.dofs} DOFs")
        values += [0.0] * (node.dofs - len(values))
        dimensions = self.model.dimensions
        forces = self.frame.turned(values[:dimensions])
        moments = values[dimensions:]
        if dimensions == 3:
            moments = self.frame.turned(moments) if moments else []
        elif moments:
            moments = [0.0, 0.0, *moments]
        forces += [0.0] * (3 - len(forces))
        found = dict(zip(COMPONENTS, [value * self.units.force for value in forces] +
                         [value * self.units.force * self.units.length for value in moments]))
        name = self.frame.node_name(integer(tag))
        lost = [key for key in ("z", "mx", "my") if name[0] == "d" and found.get(key)]
        if lost:
            raise Refused(f"node {tag} is the centre of a floor, which has no {', '.join(lost)}; load a node of the frame")
        add(nodes.setdefault(name, {}), found)

    def _on_members(self, command, factor, members):
        wanted, kind, values = self._split(command)
        names = ["y", "x"] if self.model.dimensions == 2 else ["y", "z", "x"]
        if kind == "-beamPoint":
            names.insert(-1, "at")
        elif kind != "-beamUniform":
            raise Refused(f"loads of type {kind} cannot be translated; known are -beamUniform and -beamPoint")
        if not len(names) - 1 <= len(values) <= len(names):
            raise Refused(f"has {len(values)} numbers; {kind} has {len(names) - 1} or {len(names)}")
        given = dict(zip(names, [finite(value) for value in values]))
        for tag in wanted:
            element = self.model.elements.get(tag)
            if element is None or element.kind != "beam":
                raise Refused(f"element {tag} is no beam that is translated")
            load = members.setdefault(f"e{tag}", {"uniform": {}, "points": []})
            if kind == "-beamUniform":
                per_length = self.units.force / self.units.length
                add(load["uniform"], {key: factor * value * per_length for key, value in given.items()})
            else:
                point = {key: factor * value * self.units.force for key, value in given.items() if key != "at"}
                load["points"].append({"at": given["at"] * self.frame.length_of(element), **point})

    def _split(self, command):
        """Elements, type and numbers of an eleLoad."""
        args = list(command.args)
        at = args.index("-type")
        kind, *values = args[at + 1:]
        _, options = options_of(args[:at])
        expect(options, ("-ele", "-range"))
        tags = [integer(value) for value in options.get("-ele", [])]
        if "-range" in options:
            first, last = [integer(value) for value in options["-range"]]
            tags += [tag for tag in self.model.elements if first <= tag <= last]
        if not tags:
            raise Refused("names no element")
        return tags, kind, values


def finite(value):
    number = float(value)
    if not math.isfinite(number):
        raise Refused(f"{value} is no finite number")
    return number


def add(sums, values):
    for key, value in values.items():
        if value or key in sums:
            sums[key] = sums.get(key, 0.0) + value


def entries(values):
    return ", ".join(f"{key}: {value!r}" for key, value in values.items())


def written(load):
    parts = [entries(load["uniform"])] if load["uniform"] else []
    parts.append("local: true")
    if load["points"]:
        points = [f"{{{entries({key: value for key, value in point.items() if value or key == 'at'})}}}"
                  for point in load["points"]]
        parts.append(f"points: [{', '.join(points)}]")
    return "{" + ", ".join(parts) + "}"
