"""Writes a model of OpenSees as a test file of Trestle: a frame in SI units."""

import math

from opensees_parts import cross

LENGTHS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
FORCES = {"N": 1.0, "kN": 1e3, "MN": 1e6, "lbf": 4.4482216152605, "kip": 4448.2216152605, "tf": 9806.65}
DOFS = ("x", "y", "z", "rx", "ry", "rz")
PLANE_DOFS = ("x", "y", "rz")


class Units:
    """Factors from the units of the model, with seconds, to SI."""

    def __init__(self, text):
        try:
            length, force = (part.strip() for part in text.split(","))
            self.length, self.force = LENGTHS[length], FORCES[force]
        except (KeyError, ValueError):
            raise ValueError(f"units `{text}`: give a length of {', '.join(LENGTHS)} and a force of {', '.join(FORCES)}, "
                             "such as m,N") from None
        self.text = f"{length}, {force}, s"
        self.mass = self.force / self.length
        self.inertia = self.mass * self.length ** 2
        self.stress = self.force / self.length ** 2

    def section(self, values):
        powers = {"A": 2, "I": 4, "Iy": 4, "Iz": 4, "J": 4}
        return {name: value * (self.length ** powers[name] if name in powers else self.stress)
                for name, value in values.items()}


class FrameWriter:
    """Turns a Model into lines of YAML.

    geometry: None refuses PDelta and Corotational, `linear` takes them as linear, `p-delta` keeps PDelta,
    `corotational` keeps Corotational.
    up: the vertical axis of the model, y or z; Trestle's is z in space, y in a plane.
    """

    def __init__(self, model, units, geometry=None, up="z"):
        self.model = model
        self.units = units
        self.geometry = geometry
        self.refusals = []
        self.notices = []
        self.spatial = model.dimensions == 3
        # Global axis k of the model is axis turned[k][0] of Trestle, with this sign.
        turned = self.spatial and up == "y"
        self._axes = ((0, 1.0), (2, 1.0), (1, -1.0)) if turned else ((0, 1.0), (1, 1.0), (2, 1.0))
        self._consistent = any(e.values.get("consistent") for e in model.elements.values())
        self._sections = {}
        self._extra = {}  # name of a mass's node -> (node's name, free DOFs, mass, inertia)
        self._masses = []
        self._masters = {}  # node that is only the centre of a diaphragm -> whether it is left out
        self._lumped = {}  # node -> mass of members that cannot stay with the section

    def lines(self):
        """The value of `numerical.frame`, indented by four."""
        self._find_masters()
        members, springs = self._members(), self._springs()
        diaphragms, ties, links = self._diaphragms(), self._ties(), self._links()
        self._find_masses()
        nodes, supports = self._nodes(), self._supports()
        ties += [f"{{nodes: [{of}, {name}], dofs: [{', '.join(free)}]}}" for name, (of, free, *_) in self._extra.items()]
        masses = self._masses + [mass_entry(name, mass, inertia)
                                 for name, (_, _, mass, inertia) in self._extra.items()]
        result = []
        for key, entries in (("nodes", nodes), ("sections", self._section_lines()), ("diaphragms", diaphragms)):
            if entries:
                result += [f"    {key}:"] + [f"      {entry}" for entry in entries]
        for key, entries in (("supports", supports), ("members", members), ("rigid_links", links), ("ties", ties),
                             ("masses", masses), ("springs", springs)):
            if entries:
                result += [f"    {key}:"] + [f"      - {entry}" for entry in entries]
        return result + self._whole()

    def watched(self):
        """Names of nodes worth recording: the floors, or else the highest node that moves freely."""
        if self.model.diaphragms:
            return list(dict.fromkeys(f"d{retained}" for _, retained, _, _ in self.model.diaphragms))
        led = {tag for _, tag, *_ in self.model.equal_dofs + self.model.rigid_links}
        free = [tag for tag in self.model.nodes if tag not in led and "x" not in self._fixed(tag)]
        return [f"n{max(free, key=lambda tag: self._position(tag)[-1])}"] if free else []

    def node_name(self, tag):
        """The name of a node in the test file; of the centre of a diaphragm that of the diaphragm."""
        return f"d{tag}" if self._masters.get(tag) else f"n{tag}"

    def turned(self, vector):
        """A vector of the model in Trestle's axes."""
        return self._turn(vector)

    def length_of(self, element):
        """Of the flexible part of a member, in m."""
        return self._length(element)

    def _whole(self):
        """Settings of the frame as a whole."""
        result = ["    mass_matrix: consistent"] if self._consistent else []
        if self.geometry == "p-delta":
            result += ["    geometry: p-delta          # needs excitation.gravity", "    p_delta: chord"]
        if self.geometry == "corotational":
            result.append("    geometry: corotational     # with integrator implicit or explicit-newmark")
            if self.spatial and self.model.diaphragms:
                self.refusals.append("rigidDiaphragm: it would turn to first order in a corotational frame; take stiff "
                                     "members")
            if self.model.rigid_links:
                self.refusals.append("rigidLink: it would turn to first order in a corotational frame; take stiff "
                                     "members")
        if self.model.rayleigh:
            mass, *stiffness = (*self.model.rayleigh, 0.0, 0.0, 0.0)
            if any(e.kind != "beam" for e in self.model.elements.values()):
                self.notices.append("rayleigh: trusses and springs have it here, in OpenSees only with -doRayleigh; "
                                    "give `damping` yourself")
            else:
                result.append(f"    damping: {{rayleigh: {{mass_factor: {real(mass)}, "
                              f"stiffness_factor: {real(sum(stiffness))}}}}}")
        return result

    # ---- axes
    def _turn(self, vector):
        turned = [0.0] * len(vector)
        for k, value in enumerate(vector):
            axis, sign = self._axes[k]
            turned[axis] = sign * value + 0.0
        return turned

    def _dof(self, k, dofs):
        """Trestle's name of DOF k of a node of so many DOFs."""
        if not self.spatial:
            return PLANE_DOFS[k]
        return DOFS[self._axes[k % 3][0] + (3 if k >= 3 else 0)]

    def _node_dofs(self):
        return DOFS if self.spatial else PLANE_DOFS

    def _fixed(self, tag):
        """Fixed DOFs by name; rotations that a node of a truss does not have count as fixed."""
        node = self.model.nodes[tag]
        names = {self._dof(k, node.dofs) for k in range(node.dofs) if node.fixed[k]}
        return names | {name for name in self._node_dofs() if name[0] == "r" and node.dofs == self.model.dimensions}

    # ---- nodes, supports, masses
    def _find_masters(self):
        """A retained node that nothing else uses becomes the centre of its diaphragm."""
        used = {tag for e in self.model.elements.values() for tag in e.nodes}
        used |= {tag for retained, constrained in self.model.rigid_links for tag in (retained, constrained)}
        used |= {tag for retained, constrained, _ in self.model.equal_dofs for tag in (retained, constrained)}
        used |= {tag for _, _, constrained, _ in self.model.diaphragms for tag in constrained}
        for _, retained, _, by in self.model.diaphragms:
            mass = self._mass_of(retained)
            even = mass.get("x", 0.0) == mass.get("y", 0.0)
            alone = retained not in used and even
            self._masters[retained] = alone
            loose = [name for name in ("z", "rx", "ry") if mass.get(name)]
            if alone and loose:
                self.refusals.append(f"{by}: node {retained} has mass in {', '.join(loose)}, which nothing holds; fix it")
            held = self._fixed(retained) & {"x", "y", "rz"}
            if held:
                self.refusals.append(f"{by}: node {retained} is fixed in {', '.join(sorted(held))}; fix its nodes "
                                     "instead of a diaphragm")

    def _mass_of(self, tag):
        """Masses of the free DOFs of a node in SI, by name; those of its members included."""
        node = self.model.nodes[tag]
        result = {}
        for k, value in enumerate(node.mass):
            name = self._dof(k, node.dofs)
            result[name] = value * (self.units.inertia if name[0] == "r" else self.units.mass)
            if name[0] != "r":
                result[name] += self._lumped.get(tag, 0.0)
        return {name: value for name, value in result.items() if name not in self._fixed(tag)}

    def _find_masses(self):
        for tag in self.model.nodes:
            if self._masters.get(tag):
                continue
            mass = self._mass_of(tag)
            linear = {name: value for name, value in mass.items() if name[0] != "r"}
            turning = {name: value for name, value in mass.items() if name[0] == "r"}
            if len(set(linear.values())) <= 1 and len(set(turning.values())) <= 1:
                values = [next(iter(part.values()), 0.0) for part in (linear, turning)]
                if any(values):
                    self._masses.append(mass_entry(f"n{tag}", *values))
            else:
                self._split(tag, linear, turning)

    def _split(self, tag, linear, turning):
        """Masses that differ by DOF: nodes at the same place, tied in the DOFs of one value each."""
        groups = [sorted({value for value in part.values() if value}) for part in (linear, turning)]
        for k in range(max(len(values) for values in groups)):
            name = f"n{tag}_mass" + (str(k + 1) if k else "")
            chosen = [values[k] if k < len(values) else 0.0 for values in groups]
            free = [dof for part, value in zip((linear, turning), chosen) for dof in self._node_dofs()
                    if value and part.get(dof) == value]
            self._extra[name] = (f"n{tag}", free, *chosen)

    def _nodes(self):
        result = []
        for tag, node in self.model.nodes.items():
            if not self._masters.get(tag):
                result.append(f"n{tag}: {listed(self._position(tag))}")
        result += [f"{name}: {listed(self._position(int(of[1:])))}" for name, (of, *_) in self._extra.items()]
        return result

    def _position(self, tag):
        return [value * self.units.length for value in self._turn(self.model.nodes[tag].coordinates)]

    def _supports(self):
        by_dofs = {}
        for tag in self.model.nodes:
            fixed = self._fixed(tag)
            if fixed and not self._masters.get(tag):
                by_dofs.setdefault(tuple(d for d in self._node_dofs() if d in fixed), []).append(f"n{tag}")
        for name, (_, free, *_) in self._extra.items():
            by_dofs.setdefault(tuple(d for d in self._node_dofs() if d not in free), []).append(name)
        return [f"{{nodes: [{', '.join(nodes)}], fixed: "
                + ("all" if len(dofs) == len(self._node_dofs()) else f"[{', '.join(dofs)}]") + "}"
                for dofs, nodes in by_dofs.items()]

    # ---- members
    def _members(self):
        return [self._member(e) for e in self.model.elements.values() if e.kind in ("beam", "truss")]

    def _member(self, element):
        parts = [f"name: e{element.tag}"] + [f"{end}: n{tag}" for end, tag in zip(("from", "to"), element.nodes)]
        mass = element.values["mass"] * self.units.mass / self.units.length
        extras = self._truss(element) if element.kind == "truss" else self._beam(element)
        lumped = not element.values.get("consistent")
        if mass and lumped and (self._consistent or element.kind == "truss" or element.values["transformation"].offsets):
            self._to_nodes(element, mass)
            mass = 0.0
        parts.append(f"section: {self._section(element, mass)}")
        return "{" + ", ".join(parts + extras) + "}"

    def _to_nodes(self, element, mass):
        """Lumps the mass of a member as OpenSees does: half its length at each node, without lever arms."""
        for tag in element.nodes:
            self._lumped[tag] = self._lumped.get(tag, 0.0) + 0.5 * mass * self._length(element)

    def _length(self, element):
        """Of the flexible part, in m."""
        transformation = element.values.get("transformation")
        offsets = (transformation.offsets if transformation else None) or [[0.0] * self.model.dimensions] * 2
        ends = [[c + o for c, o in zip(self.model.nodes[tag].coordinates, offset)]
                for tag, offset in zip(element.nodes, offsets)]
        return self.units.length * math.dist(*ends)

    def _beam(self, element):
        transformation, extras = element.values["transformation"], []
        if transformation.kind == "Corotational" and self.geometry not in ("linear", "corotational"):
            self.refusals.append(f"{element.by}: its geomTransf is Corotational; choose geometry linear or "
                                 "corotational")
        if "PDelta" in transformation.kind and self.geometry not in ("linear", "p-delta"):
            self.refusals.append(f"{element.by}: its geomTransf is {transformation.kind}; choose geometry linear or "
                                 "p-delta")
        if self.geometry in ("p-delta", "corotational") and transformation.kind == "Linear":
            extras.append("linear: true")
        if self.geometry == "corotational" and transformation.kind == "Corotational" and transformation.offsets:
            self.refusals.append(f"{element.by}: its offsets would turn to first order in a corotational frame")
        if self.spatial and self.geometry == "corotational" and transformation.kind == "Corotational" and \
                element.values["releases"]:
            self.refusals.append(f"{element.by}: its releases would turn about axes at rest in a corotational frame")
        if self.spatial:
            extras.append(f"z: {listed(self._turn(transformation.plane))}")
            self._check_plane(element, transformation.plane)
        if transformation.offsets:
            moved = [[value * self.units.length for value in self._turn(offset)] for offset in transformation.offsets]
            extras.append(f"offsets: {{from: {listed(moved[0])}, to: {listed(moved[1])}}}")
        if element.values["releases"]:
            ends = [f"{end}: [{', '.join(axes)}]" for end, axes in element.values["releases"].items()]
            extras.append(f"releases: {{{', '.join(ends)}}}")
        return extras

    def _check_plane(self, element, plane):
        first, second = (self.model.nodes[tag].coordinates for tag in element.nodes)
        along = [b - a for a, b in zip(first, second)]
        if math.hypot(*cross(plane, along)) <= 1e-6 * math.hypot(*plane) * math.hypot(*along):
            self.refusals.append(f"{element.by}: the vecxz of its geomTransf points along the member")

    def _truss(self, element):
        """A member with hinges; its bending and torsion reach nothing."""
        turning = element.values["corotational"]
        if turning and self.geometry not in ("linear", "corotational"):
            self.refusals.append(f"{element.by}: a corotational truss; choose geometry linear or, of a planar model, "
                                 "corotational")
        if turning and self.geometry == "corotational" and self.spatial:
            self.refusals.append(f"{element.by}: a corotational truss in space, whose hinges would turn about axes at "
                                 "rest; choose geometry linear")
        small = self.geometry == "p-delta" or (self.geometry == "corotational" and not turning)
        extras = ["linear: true"] if small else []
        if not self.spatial:
            return extras + ["hinges: [from, to]"]
        # Torsion is released where the nodes can turn; nodes of trusses alone cannot.
        turns = any(self.model.nodes[tag].dofs > 3 for tag in element.nodes)
        return extras + [f"releases: {{from: [{'rx, ' if turns else ''}ry, rz], to: [ry, rz]}}"]

    def _section(self, element, mass):
        if element.kind == "truss":
            area = element.values["A"]
            inertia = area * area / 12.0  # of a square: hinges take its effect away
            values = {"E": element.values["E"], "A": area, **({"Iy": inertia, "Iz": inertia, "J": inertia}
                                                              if self.spatial else {"I": inertia})}
        else:
            values = element.values["section"]
        key = (tuple(sorted(self.units.section(values).items())), mass)
        return self._sections.setdefault(key, f"s{len(self._sections) + 1}")

    def _section_lines(self):
        result = []
        for (values, mass), name in self._sections.items():
            parts = [f"{key}: {real(value)}" for key, value in values]
            if mass:
                parts.append(f"mass_per_length: {real(mass)}")
                if self._consistent and self.spatial:
                    parts.append("torsion_inertia: j")
            result.append(f"{name}: {{{', '.join(parts)}}}")
        return result

    # ---- constraints and springs
    def _diaphragms(self):
        joined = {}
        for perpendicular, retained, constrained, by in self.model.diaphragms:
            if self._axes[perpendicular - 1][0] != 2:
                self.refusals.append(f"{by}: its plane is not horizontal; floors lie across the vertical axis (up)")
            joined.setdefault(retained, [] if self._masters[retained] else [retained]).extend(constrained)
        result = []
        for retained, nodes in joined.items():
            centre = listed(self._position(retained)[:2])
            parts = [f"nodes: [{', '.join(f'n{tag}' for tag in nodes)}]", f"centre: {centre}"]
            mass = self._mass_of(retained) if self._masters[retained] else {}
            for key, dof in (("mass", "x"), ("rotational_inertia", "rz")):
                if mass.get(dof):
                    parts.append(f"{key}: {real(mass[dof])}")
            result.append(f"d{retained}: {{{', '.join(parts)}}}")
        return result

    def _ties(self):
        joined = {}
        for retained, constrained, dofs in self.model.equal_dofs:
            names = tuple(self._dof(k - 1, 0) for k in dofs)
            joined.setdefault((retained, names), []).append(f"n{constrained}")
        return [f"{{nodes: [n{retained}, {', '.join(nodes)}], dofs: [{', '.join(names)}]}}"
                for (retained, names), nodes in joined.items()]

    def _links(self):
        joined = {}
        for retained, constrained in self.model.rigid_links:
            joined.setdefault(retained, []).append(f"n{constrained}")
        return [f"{{master: n{retained}, slaves: [{', '.join(nodes)}]}}" for retained, nodes in joined.items()]

    def _springs(self):
        result = []
        for element in self.model.elements.values():
            for axis, law in element.values.get("laws", []):
                turning = axis >= 3
                if not self.spatial and axis not in (0, 1, 5):
                    self.refusals.append(f"{element.by}: direction {axis + 1} of a planar model")
                    continue
                dof = "rz" if not self.spatial and turning else self._dof(axis, 6)
                parts = [f"node: n{element.nodes[1]}", f"to: n{element.nodes[0]}", f"dof: {dof}",
                         f"law: {self._law(law, turning)}"]
                if law["damping"]:
                    parts.append(f"damping: {real(law['damping'] * self._per_motion(turning))}")
                result.append(f"{{{', '.join(parts)}}}")
        return result

    def _per_motion(self, turning):
        return self.units.force * self.units.length if turning else self.units.force / self.units.length

    def _law(self, law, turning):
        factors = {"stiffness": self._per_motion(turning),
                   "yield_force": self.units.force * (self.units.length if turning else 1.0)}
        values = {key: real(value * factors.get(key, 1.0)) for key, value in law.items() if key not in ("kind", "damping")}
        return "{" + ", ".join([f"kind: {law['kind']}"] + [f"{key}: {value}" for key, value in values.items()]) + "}"


def mass_entry(name, mass, inertia):
    parts = [f"node: {name}"] + ([f"mass: {real(mass)}"] if mass else [])
    return "{" + ", ".join(parts + ([f"rotational_inertia: {real(inertia)}"] if inertia else [])) + "}"


def real(value):
    """The shortest text that is the same number."""
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def listed(values):
    return "[" + ", ".join(real(value) for value in values) + "]"
