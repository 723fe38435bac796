"""Elements of OpenSees that Trestle knows, and what they refer to: sections, materials, transformations, rules."""

import math

from opensees_parts import Element, Refused, Transformation, cross, expect, finite, integer, options_of

BEAMS = {"elasticBeamColumn", "ElasticBeamColumn", "elasticBeam"}
INTEGRATED_BEAMS = {"forceBeamColumn", "ForceBeamColumn", "dispBeamColumn", "DispBeamColumn", "nonlinearBeamColumn"}
# Rules and the least number of points that integrate the square of a straight moment line exactly.
EXACT_RULES = {"Lobatto": 3, "Legendre": 2, "Radau": 2, "NewtonCotes": 3}


class ElementReader:
    """Adds the elements to the model; keeps what later elements may refer to."""

    def __init__(self, model):
        self.model = model
        self._transformations = {}
        self._sections = {}
        self._materials = {}
        self._integrations = {}

    def on_geomTransf(self, command):
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

    def on_section(self, command):
        self._sections[integer(command.args[1])] = command

    def on_uniaxialMaterial(self, command):
        self._materials[integer(command.args[1])] = command

    def on_beamIntegration(self, command):
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
    def on_element(self, command):
        kind = command.args[0]
        readers = {**dict.fromkeys(BEAMS, self._elastic_beam), **dict.fromkeys(INTEGRATED_BEAMS, self._integrated_beam),
                   **dict.fromkeys(("truss", "Truss", "corotTruss", "CorotTruss"), self._truss),
                   **dict.fromkeys(("zeroLength", "ZeroLength"), self._zero_length),
                   **dict.fromkeys(("twoNodeLink", "TwoNodeLink"), self._two_node_link)}
        if kind not in readers:
            raise Refused(f"elements `{kind}` cannot be translated")
        positional, options = options_of(command.args[1:])
        tag, first, second = [integer(value) for value in positional[:3]]
        for node in (first, second):
            if node not in self.model.nodes:
                raise Refused(f"node {node} is not known")
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
