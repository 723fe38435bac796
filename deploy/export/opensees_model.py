"""The model that OpenSees commands build: nodes, elements and constraints that Trestle knows.

ModelReader follows the recorded commands. It keeps what can be translated and refuses the rest by command and tag.
Numbers keep the units of the OpenSees model.
"""

import math
from dataclasses import dataclass, field


@dataclass
class Command:
    """One call of an OpenSees command."""
    name: str
    args: list
    where: str = ""  # file:line of the call, if known

    def __str__(self):
        shown = " ".join(str(a) for a in [self.name, *self.args[:3]])
        return (self.where + ": " if self.where else "") + "`" + shown + (" ...`" if self.args[3:] else "`")


@dataclass
class Node:
    coordinates: list
    dofs: int
    mass: list
    fixed: list


@dataclass
class Element:
    """kind: beam, truss or spring; values: what the kind needs."""
    kind: str
    tag: int
    nodes: tuple
    values: dict
    by: str


@dataclass
class Transformation:
    kind: str
    plane: list  # vecxz; empty in a plane
    offsets: list  # two lists, or empty


@dataclass
class Model:
    dimensions: int = 0
    nodes: dict = field(default_factory=dict)
    elements: dict = field(default_factory=dict)
    diaphragms: list = field(default_factory=list)  # (perpendicular, retained, constrained, by)
    rigid_links: list = field(default_factory=list)  # (retained, constrained)
    equal_dofs: list = field(default_factory=list)  # (retained, constrained, dofs from 1)
    rayleigh: tuple = ()
    ignored: dict = field(default_factory=dict)  # command -> times


class Refused(Exception):
    """What cannot be translated, as one sentence."""


# Commands that leave the structure as it is. Materials matter only to the elements that name them.
HARMLESS = set("""
    constraints numberer system test algorithm integrator analysis analyze eigen recorder record print printA printB
    printGID printModel timeSeries loadConst setTime reactions logFile start stop wipeAnalysis reset save restore
    database modalProperties responseSpectrumAnalysis initialize setPrecision version domainChange updateElementDomain
    defaultUnits numFact numIter systemSize totalCPU solveCPU accelCPU testIter testNorm testNorms convertBinaryToText
    convertTextToBinary searchPeerNGA  patch layer fiber setNumthread barrier send recv Bcast
    parameter addToParameter updateParameter setStrain setParameter hystereticBackbone stiffnessDegradation
    strengthDegradation unloadingRule frictionModel ndMaterial nDMaterial puts source
    recorderValue classType domainCommitTag findDesignPoint randomVariable sensitivityAlgorithm computeGradients
    localForce basicForce basicDeformation basicStiffness InitialStateAnalysis sdfResponse setCreep
""".split())
HARMLESS_PREFIXES = ("get", "sens", "section")  # queries such as getNodeTags, sectionForce
# Not part of a frame: the file names them as not translated.
LEFT_OUT = {"pattern", "load", "eleLoad", "groundMotion", "imposedMotion", "region", "damping",
            "modalDamping", "modalDampingQ", "setElementRayleighDampingFactors", "setNodeDisp", "setNodeVel", "setNodeAccel"}
BEAMS = {"elasticBeamColumn", "ElasticBeamColumn", "elasticBeam"}
INTEGRATED_BEAMS = {"forceBeamColumn", "ForceBeamColumn", "dispBeamColumn", "DispBeamColumn", "nonlinearBeamColumn"}
# Rules and the least number of points that integrate the square of a straight moment line exactly.
EXACT_RULES = {"Lobatto": 3, "Legendre": 2, "Radau": 2, "NewtonCotes": 3}


def is_query(name):
    """Whether a command only asks: nodeDisp, eleResponse, getNodeTags."""
    if name.startswith(HARMLESS_PREFIXES) and name != "section":
        return True
    return any(name.startswith(p) and name[len(p):len(p) + 1].isupper() for p in ("node", "ele")) and name != "eleLoad"


def integer(value):
    return int(value) if not isinstance(value, str) else int(value, 0)


def is_option(value):
    return isinstance(value, str) and len(value) > 1 and value[0] == "-" and value[1].isalpha()


def options_of(args):
    """The positional arguments, and what follows each -option."""
    positional, options, current = [], {}, None
    for value in args:
        if is_option(value):
            current = options.setdefault(value, [])
        elif current is None:
            positional.append(value)
        else:
            current.append(value)
    return positional, options


def expect(options, known):
    for option in options:
        if option not in known:
            raise Refused(f"its option {option} cannot be translated")


def finite(value, name, least=0.0):
    number = float(value)
    if not math.isfinite(number) or number <= least:
        raise Refused(f"{name} is {value}; it must be above {least:g}")
    return number


class ModelReader:
    """Builds a Model from commands; `refusals` says what is left out."""

    def __init__(self):
        self.model = Model()
        self.refusals = []
        self._node_dofs = 0
        self._transformations = {}
        self._sections = {}
        self._materials = {}
        self._integrations = {}

    def read(self, commands):
        for command in commands:
            try:
                self._follow(command)
            except Refused as refusal:
                self.refusals.append(f"{command}: {refusal}")
            except (ValueError, IndexError, TypeError) as error:
                self.refusals.append(f"{command}: its arguments cannot be read ({error})")
        return self.model

    def _follow(self, command):
        name = command.name
        handler = getattr(self, "_on_" + name, None)
        if handler is not None:
            handler(command)
        elif name in LEFT_OUT:
            self.model.ignored[name] = self.model.ignored.get(name, 0) + 1
        elif name not in HARMLESS and not is_query(name):
            raise Refused("this command cannot be translated")

    # ---- model, nodes, masses, supports
    def _on_model(self, command):
        positional, options = options_of(command.args)
        expect(options, ("-ndm", "-ndf"))
        dimensions = integer(options["-ndm"][0]) if "-ndm" in options else integer(positional[1])
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
                self.model.nodes.pop(tag, None)
        elif kind not in ("recorders", "recorder", "loadPattern", "timeSeries", "parameter"):
            raise Refused("this part cannot be taken out again")

    def _on_rayleigh(self, command):
        self.model.rayleigh = tuple(float(value) for value in command.args[:4])

    # ---- what elements refer to
    def _on_geomTransf(self, command):
        kind, tag, *rest = command.args
        positional, options = options_of(rest)
        dimensions = self.model.dimensions
        offsets = [float(value) for value in options.get("-jntOffset", [])]
        known = {"Linear", "PDelta", "LinearWithPDelta", "Corotational"}
        plane = [float(value) for value in positional]
        bad = None
        if kind not in known or set(options) - {"-jntOffset"}:
            bad = "its geometric transformation cannot be translated: " + str(command)
        elif len(plane) != (3 if dimensions == 3 else 0) or len(offsets) not in (0, 2 * dimensions):
            bad = "its geometric transformation cannot be read: " + str(command)
        pair = [offsets[:dimensions], offsets[dimensions:]] if offsets else []
        self._transformations[integer(tag)] = bad or Transformation(kind, plane, pair)

    def _on_section(self, command):
        self._sections[integer(command.args[1])] = command

    def _on_uniaxialMaterial(self, command):
        self._materials[integer(command.args[1])] = command

    def _on_beamIntegration(self, command):
        self._integrations[integer(command.args[1])] = command

    def _lookup(self, table, tag, what):
        found = table.get(integer(tag))
        if found is None:
            raise Refused(f"{what} {tag} is not known")
        return found

    def _transformation(self, tag):
        found = self._lookup(self._transformations, tag, "geomTransf")
        if isinstance(found, str):
            raise Refused(found)
        return found

    def _elastic_section(self, tag):
        command = self._lookup(self._sections, tag, "section")
        if command.args[0] != "Elastic":
            raise Refused(f"its section cannot be translated: {command}")
        values = [float(value) for value in command.args[2:]]
        names = ["E", "A", "I"] if self.model.dimensions == 2 else ["E", "A", "Iz", "Iy", "G", "J"]
        if len(values) < len(names):
            raise Refused(f"its section has too few numbers: {command}")
        if len(values) > len(names):
            raise Refused(f"its section deforms in shear, members of Trestle do not: {command}")
        return {name: finite(value, name) for name, value in zip(names, values)}

    # ---- elements
    def _on_element(self, command):
        kind = command.args[0]
        readers = {**dict.fromkeys(BEAMS, self._elastic_beam), **dict.fromkeys(INTEGRATED_BEAMS, self._integrated_beam),
                   **dict.fromkeys(("truss", "Truss", "corotTruss", "CorotTruss"), self._truss),
                   **dict.fromkeys(("zeroLength", "ZeroLength"), self._zero_length),
                   **dict.fromkeys(("twoNodeLink", "TwoNodeLink"), self._two_node_link)}
        if kind not in readers:
            raise Refused(f"elements `{kind}` cannot be translated")
        positional, options = options_of(command.args[1:])
        tag, first, second = [integer(value) for value in positional[:3]]
        self._node(first), self._node(second)
        what, values = readers[kind](kind, positional[3:], options)
        self.model.elements[tag] = Element(what, tag, (first, second), values, str(command))

    def _elastic_beam(self, _, positional, options):
        releases = ("-release",) if self.model.dimensions == 2 else ("-releasez", "-releasey")
        expect(options, ("-mass", "-cMass") + releases)
        names = ["A", "E", "I"] if self.model.dimensions == 2 else ["A", "E", "G", "J", "Iy", "Iz"]
        if len(positional) == 2:
            section = self._elastic_section(positional[0])
        elif len(positional) == len(names) + 1:
            section = {name: finite(value, name) for name, value in zip(names, positional)}
        else:
            raise Refused(f"needs {', '.join(names)} and a geomTransf, or a section and a geomTransf")
        values = self._beam(section, positional[-1], options)
        for option, axis in zip(releases, ("rz", "ry")):
            code = integer(options[option][0]) if option in options else 0
            for bit, end in ((1, "from"), (2, "to")):
                if code in (bit, 3):
                    values["releases"].setdefault(end, []).append(axis)
        if values["consistent"] and (values["releases"] or values["transformation"].offsets):
            raise Refused("a consistent mass with released ends or joint offsets; take the lumped one")
        return "beam", values

    def _beam(self, section, transformation, options):
        mass = float(options["-mass"][0]) if "-mass" in options else 0.0
        if not math.isfinite(mass) or mass < 0.0:
            raise Refused(f"its mass is {mass:g}; it must not be below 0")
        return {"section": section, "transformation": self._transformation(transformation), "releases": {},
                "mass": mass, "consistent": "-cMass" in options and mass > 0.0}

    def _integrated_beam(self, kind, positional, options):
        expect(options, ("-mass", "-iter", "-integration"))
        positional = [word for value in positional for word in (value.split() if isinstance(value, str) else [value])]
        if len(positional) == 4 and str(positional[1])[0].isalpha():  # transformation, rule, section, points
            transformation, name = positional[:2]
            section, points = integer(positional[2]), integer(positional[3])
        elif len(positional) == 2 and "-integration" not in options:  # transformation, integration
            rule = self._lookup(self._integrations, positional[1], "beamIntegration")
            section, points, transformation = *self._one_section(rule), positional[0]
            name = rule.args[0]
        elif len(positional) == 3:  # the older form: points, section, transformation
            points, section, transformation = integer(positional[0]), integer(positional[1]), positional[2]
            usual = "Legendre" if kind.lower() == "dispbeamcolumn" else "Lobatto"
            name = options.get("-integration", [usual])[0]
        else:
            raise Refused("its arguments are not geomTransf and beamIntegration")
        if points < EXACT_RULES.get(name, math.inf):
            raise Refused(f"its integration {name} with {points} points is not that of an elastic member")
        return "beam", self._beam(self._elastic_section(section), transformation, options)

    @staticmethod
    def _one_section(rule):
        numbers = [integer(value) for value in rule.args[2:]]
        if len(numbers) == 2:
            return numbers[0], numbers[1]
        if len(set(numbers[1:])) == 1:
            return numbers[1], numbers[0]
        raise Refused(f"its section changes along the member: {rule}")

    def _truss(self, kind, positional, options):
        expect(options, ("-rho", "-cMass", "-doRayleigh"))
        if options.get("-cMass", ["0"]) and integer(options.get("-cMass", ["0"])[0]) != 0:
            raise Refused("the consistent mass of a truss; take the lumped one")
        material = self._lookup(self._materials, positional[1], "uniaxialMaterial")
        law = self._law(material)
        if law["kind"] != "linear" or law["damping"] != 0.0:
            raise Refused(f"a truss of this material is not elastic: {material}")
        mass = float(options["-rho"][0]) if "-rho" in options else 0.0
        return "truss", {"E": law["stiffness"], "A": finite(positional[0], "A"), "mass": mass,
                         "corotational": kind.lower().startswith("corot")}

    def _springs(self, options, axes):
        tags, directions = options.get("-mat", []), [integer(value) for value in options.get("-dir", [])]
        if not tags or len(tags) != len(directions):
            raise Refused("needs as many -dir as -mat")
        if any(not 1 <= direction <= 6 for direction in directions):
            raise Refused(f"its directions are {directions}")
        laws = [self._law(self._lookup(self._materials, tag, "uniaxialMaterial")) for tag in tags]
        # Direction 1..6 of the element's axes as translation or rotation about a global axis.
        return "spring", {"laws": [(axes[(d - 1) % 3] + (3 if d > 3 else 0), law) for d, law in zip(directions, laws)]}

    def _zero_length(self, _, positional, options):
        expect(options, ("-mat", "-dir", "-orient", "-doRayleigh"))
        if positional:
            raise Refused("needs -mat and -dir")
        return self._springs(options, self._global_axes(options.get("-orient", [])))

    def _two_node_link(self, _, positional, options):
        expect(options, ("-mat", "-dir", "-orient", "-doRayleigh"))
        raise Refused("a two-node link; write it as zeroLength along global axes, or as truss")

    @staticmethod
    def _global_axes(orientation):
        """Which global axis each of the element's axes lies along (0, 1, 2)."""
        if not orientation:
            return [0, 1, 2]
        if len(orientation) != 6:
            raise Refused("its -orient needs six numbers")
        x, towards = [float(v) for v in orientation[:3]], [float(v) for v in orientation[3:]]
        z = cross(x, towards)
        axes = []
        for vector in (x, cross(z, x), z):
            largest = max(range(3), key=lambda k: abs(vector[k]))
            if any(abs(vector[k]) > 1e-9 * abs(vector[largest]) for k in range(3) if k != largest):
                raise Refused("its axes are not along the global ones")
            axes.append(largest)
        return axes

    def _law(self, command):
        """The law of a uniaxial material, in the words of Trestle."""
        kind, values = command.args[0], [float(value) for value in options_of(command.args[2:])[0]]
        known = {"Elastic": elastic_law, "Steel01": steel_law, "ElasticPP": plastic_law, "Hardening": hardening_law,
                 "BoucWen": bouc_wen_law}
        law = known[kind](*values) if kind in known and not options_of(command.args)[1] else None
        if law is None:
            raise Refused(f"its material cannot be translated: {command}")
        return {"damping": 0.0, **law}


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


# Each returns the law, or None where Trestle has none.
def elastic_law(stiffness, damping=0.0, compression=None):
    if compression not in (None, stiffness):
        return None
    return {"kind": "linear", "stiffness": stiffness, "damping": damping}


def steel_law(strength, stiffness, hardening, *isotropic):
    if any(isotropic[k] != 0.0 for k in range(0, len(isotropic), 2)):  # a1, a3
        return None
    return {"kind": "bilinear", "stiffness": stiffness, "yield_force": strength, "hardening": hardening}


def plastic_law(stiffness, tension, compression=None, initial=0.0):
    if initial != 0.0 or (compression is not None and abs(compression) != tension):
        return None
    return {"kind": "bilinear", "stiffness": stiffness, "yield_force": stiffness * tension, "hardening": 0.0}


def hardening_law(stiffness, strength, isotropic, kinematic, viscosity=0.0):
    if isotropic != 0.0 or viscosity != 0.0:
        return None
    return {"kind": "bilinear", "stiffness": stiffness, "yield_force": strength,
            "hardening": kinematic / (stiffness + kinematic)}


def bouc_wen_law(hardening, stiffness, n, gamma, beta, amplitude, *degradation):
    if amplitude != 1.0 or any(degradation[:3]) or beta + gamma <= 0.0:
        return None
    yield_displacement = (beta + gamma) ** (-1.0 / n)
    return {"kind": "bouc-wen", "stiffness": stiffness, "yield_force": stiffness * yield_displacement,
            "hardening": hardening, "n": n, "beta": beta / (beta + gamma), "gamma": gamma / (beta + gamma)}
