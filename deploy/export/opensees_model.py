"""The model that OpenSees commands build: nodes, elements and constraints that Trestle knows.

ModelReader follows the recorded commands. It keeps what can be translated and refuses the rest by command and tag.
Numbers keep the units of the OpenSees model.
"""

import math

from opensees_elements import ElementReader
from opensees_parts import Model, Node, Pattern, Refused, expect, integer, options_of

# Commands that leave the structure as it is. Materials matter only to the elements that name them.
HARMLESS = set("""
    constraints numberer system test algorithm integrator analysis analyze eigen recorder record print printA printB
    printGID printModel loadConst setTime reactions logFile start stop wipeAnalysis reset save restore
    database modalProperties responseSpectrumAnalysis initialize setPrecision version domainChange updateElementDomain
    defaultUnits numFact numIter systemSize totalCPU solveCPU accelCPU testIter testNorm testNorms convertBinaryToText
    convertTextToBinary searchPeerNGA patch layer fiber setNumthread barrier send recv Bcast
    parameter addToParameter updateParameter setStrain setParameter hystereticBackbone stiffnessDegradation
    strengthDegradation unloadingRule frictionModel ndMaterial nDMaterial puts source
    recorderValue classType domainCommitTag findDesignPoint randomVariable sensitivityAlgorithm computeGradients
    localForce basicForce basicDeformation basicStiffness InitialStateAnalysis sdfResponse setCreep
""".split())
HARMLESS_PREFIXES = ("get", "sens", "section")  # queries such as getNodeTags, sectionForce
# Not part of a frame: the file names them as not translated.
LEFT_OUT = {"groundMotion", "imposedMotion", "region", "damping",
            "modalDamping", "modalDampingQ", "setElementRayleighDampingFactors", "setNodeDisp", "setNodeVel", "setNodeAccel"}


def is_query(name):
    """Whether a command only asks: nodeDisp, eleResponse, getNodeTags."""
    if name.startswith(HARMLESS_PREFIXES) and name != "section":
        return True
    return any(name.startswith(p) and name[len(p):len(p) + 1].isupper() for p in ("node", "ele")) and name != "eleLoad"


class ModelReader:
    """Builds a Model from commands; `refusals` says what is left out."""

    def __init__(self):
        self.model = Model()
        self.refusals = []
        self._node_dofs = 0
        self._elements = ElementReader(self.model)
        self._pattern = None  # that is open
        self._loose = []  # loads that came before their pattern: Tcl runs its body first

    def read(self, commands):
        for command in commands:
            try:
                self._follow(command)
            except Refused as refusal:
                self.refusals.append(f"{command}: {refusal}")
            except (ValueError, IndexError, TypeError, KeyError) as error:
                self.refusals.append(f"{command}: its arguments cannot be read ({error})")
        for command in self._loose:
            self._ignore(command.name)
        return self.model

    def _ignore(self, name):
        self.model.ignored[name] = self.model.ignored.get(name, 0) + 1

    def _follow(self, command):
        name = command.name
        handler = getattr(self, "_on_" + name, None) or getattr(self._elements, "on_" + name, None)
        if handler is not None:
            handler(command)
        elif name in LEFT_OUT:
            self._ignore(name)
        elif name not in HARMLESS and not is_query(name):
            raise Refused("this command cannot be translated")

    # ---- model, nodes, masses, supports
    def _on_model(self, command):
        _, options = options_of(command.args)
        expect(options, ("-ndm", "-ndf"))
        if "-ndm" not in options:
            raise Refused("needs -ndm")
        dimensions = integer(options["-ndm"][0])
        if dimensions not in (2, 3):
            raise Refused(f"a model of {dimensions} dimensions; Trestle has 2 and 3")
        if self.model.nodes and dimensions != self.model.dimensions:
            raise Refused(f"the model changes from {self.model.dimensions} to {dimensions} dimensions")
        self.model.dimensions = dimensions
        usual = dimensions * (dimensions + 1) // 2
        self._node_dofs = integer(options["-ndf"][0]) if "-ndf" in options else usual

    def _on_node(self, command):
        positional, options = options_of(command.args)
        expect(options, ("-ndf", "-mass"))
        tag = integer(positional[0])
        coordinates = [float(value) for value in positional[1:]]
        if len(coordinates) != self.model.dimensions:
            raise Refused(f"has {len(coordinates)} coordinates; the model has {self.model.dimensions} dimensions")
        dofs = integer(options["-ndf"][0]) if "-ndf" in options else self._node_dofs
        dimensions = self.model.dimensions
        if dofs not in (dimensions, dimensions * (dimensions + 1) // 2):
            raise Refused(f"a node of {dofs} DOFs in {dimensions} dimensions")
        self.model.nodes[tag] = Node(coordinates, dofs, [0.0] * dofs, [False] * dofs)
        if "-mass" in options:
            self._set_mass(self.model.nodes[tag], options["-mass"])

    def _node(self, tag):
        found = self.model.nodes.get(integer(tag))
        if found is None:
            raise Refused(f"node {tag} is not known")
        return found

    def _set_mass(self, node, values):
        values = [float(value) for value in values]
        if len(values) > node.dofs or any(not math.isfinite(v) or v < 0.0 for v in values):
            raise Refused(f"masses {values}: up to {node.dofs} finite numbers, none below zero, are possible")
        node.mass = values + [0.0] * (node.dofs - len(values))

    def _on_mass(self, command):
        self._set_mass(self._node(command.args[0]), command.args[1:])

    def _on_fix(self, command):
        node = self._node(command.args[0])
        self._hold(node, command.args[1:])

    @staticmethod
    def _hold(node, flags):
        for k, flag in enumerate(flags[:node.dofs]):
            node.fixed[k] = node.fixed[k] or integer(flag) != 0

    def _fix_plane(self, command, axis):
        positional, options = options_of(command.args)
        expect(options, ("-tol",))
        tolerance = float(options["-tol"][0]) if "-tol" in options else 1e-10
        for node in self.model.nodes.values():
            if axis < len(node.coordinates) and abs(node.coordinates[axis] - float(positional[0])) <= tolerance:
                self._hold(node, positional[1:])

    def _on_fixX(self, command):
        self._fix_plane(command, 0)

    def _on_fixY(self, command):
        self._fix_plane(command, 1)

    def _on_fixZ(self, command):
        self._fix_plane(command, 2)

    # ---- constraints
    def _on_rigidDiaphragm(self, command):
        perpendicular, retained, *constrained = [integer(value) for value in command.args]
        master = self._node(retained)
        if self.model.dimensions != 3 or master.dofs != 6:
            raise Refused("needs a model of 3 dimensions and 6 DOFs")
        for tag in constrained:
            if self._node(tag).coordinates[perpendicular - 1] != master.coordinates[perpendicular - 1]:
                raise Refused(f"node {tag} is not in the plane of node {retained}; OpenSees leaves it out")
        self.model.diaphragms.append((perpendicular, retained, constrained, str(command)))

    def _on_rigidLink(self, command):
        kind, retained, constrained = command.args[0], integer(command.args[1]), integer(command.args[2])
        master, slave = self._node(retained), self._node(constrained)
        if kind in ("bar", "rod", "-bar", "-rod"):
            self.model.equal_dofs.append((retained, constrained, list(range(1, self.model.dimensions + 1))))
        elif kind not in ("beam", "-beam"):
            raise Refused(f"a rigid link `{kind}`; known are bar and beam")
        elif min(master.dofs, slave.dofs) == self.model.dimensions:
            raise Refused("a rigid beam needs nodes with rotations")
        else:
            self.model.rigid_links.append((retained, constrained))

    def _on_equalDOF(self, command):
        retained, constrained, *dofs = [integer(value) for value in command.args]
        for tag in (retained, constrained):
            if any(not 1 <= dof <= self._node(tag).dofs for dof in dofs) or not dofs:
                raise Refused(f"DOFs {dofs} of node {tag}")
        self.model.equal_dofs.append((retained, constrained, dofs))

    def _on_remove(self, command):
        kind, *rest = command.args
        tags = [integer(tag) for tag in rest]
        if kind in ("ele", "element"):
            for tag in tags:
                self.model.elements.pop(tag, None)
        elif kind == "node":
            for tag in tags:
                if tag in self._used():
                    raise Refused(f"node {tag} still has an element or a constraint")
                self.model.nodes.pop(tag, None)
        elif kind == "loadPattern":
            for tag in tags:
                self.model.patterns.pop(tag, None)
        elif kind not in ("recorders", "recorder", "timeSeries", "parameter"):
            raise Refused("this part cannot be taken out again")

    def _used(self):
        """Nodes that elements and constraints refer to."""
        used = {tag for element in self.model.elements.values() for tag in element.nodes}
        used |= {tag for retained, constrained, *_ in self.model.rigid_links + self.model.equal_dofs
                 for tag in (retained, constrained)}
        return used | {tag for _, retained, constrained, _ in self.model.diaphragms for tag in [retained, *constrained]}

    def _on_rayleigh(self, command):
        self.model.rayleigh = tuple(float(value) for value in command.args[:4])

    # ---- loads: kept as they were called, and read only if the pattern is wanted
    def _on_timeSeries(self, command):
        self.model.series[integer(command.args[1])] = command

    def _on_pattern(self, command):
        kind, tag, *rest = command.args
        positional, options = options_of(rest)
        factor = 1.0
        if kind == "Plain" and "-fact" in options:
            factor = float(options["-fact"][0])
            positional += options["-fact"][1:]  # the body follows
        series = positional[0] if positional else ""
        pattern = Pattern(kind, series, factor, str(command))
        self.model.patterns[integer(tag)] = pattern
        self._pattern = None
        if kind == "Plain" and len(positional) > 1:  # with its body, which has run
            pattern.commands, self._loose = self._loose, []
        elif kind == "Plain":
            self._pattern = pattern

    def _on_load(self, command):
        (self._pattern.commands if self._pattern else self._loose).append(command)

    _on_eleLoad = _on_load
