"""Frequencies of the building as the stand-in of OpenSees was told it, by an own assembly in numpy.

Nothing of the export script or of Trestle is used: stiffness from flexibilities, constraints by elimination of rows,
units as in the model.
"""

import numpy as np



class Frame:
    def __init__(self, calls):
        self.coordinates, self.masses, self.fixed = {}, {}, set()
        self.rows = {}  # (node, dof) -> {(node, dof): factor}
        self.sections, self.transformations, self.materials = {}, {}, {}
        self.elements = []
        for name, args in calls:
            flat = [v for a in args for v in (a if isinstance(a, (list, tuple)) else [a])]
            getattr(self, "do_" + name, lambda *_: None)(*flat)

    def do_node(self, tag, *xyz):
        self.coordinates[tag] = np.array(xyz)

    def do_mass(self, tag, *values):
        self.masses[tag] = np.array(values)

    def do_fix(self, tag, *flags):
        self.fixed |= {(tag, k) for k, flag in enumerate(flags) if flag}

    def do_fixZ(self, z, *flags):
        for tag, xyz in self.coordinates.items():
            if xyz[2] == z:
                self.do_fix(tag, *flags)

    def do_section(self, _, tag, e, a, iz, iy, g, j):
        self.sections[tag] = (a, e, g, j, iy, iz)

    def do_uniaxialMaterial(self, _, tag, e):
        self.materials[tag] = e

    def do_geomTransf(self, _, tag, x, y, z, *rest):
        self.transformations[tag] = (np.array([x, y, z]), np.array(rest[1:] or [0.0] * 6).reshape(2, 3))

    def do_rigidDiaphragm(self, _, master, *slaves):
        for slave in slaves:
            d = self.coordinates[slave] - self.coordinates[master]
            self.rows[slave, 0] = {(master, 0): 1.0, (master, 5): -d[1]}
            self.rows[slave, 1] = {(master, 1): 1.0, (master, 5): d[0]}
            self.rows[slave, 5] = {(master, 5): 1.0}

    def do_rigidLink(self, _, master, slave):
        arm = spin(self.coordinates[slave] - self.coordinates[master])
        for k in range(3):
            self.rows[slave, k] = {(master, k): 1.0, **{(master, 3 + m): arm[k, m] for m in range(3)}}
            self.rows[slave, 3 + k] = {(master, 3 + k): 1.0}

    def do_equalDOF(self, master, slave, *dofs):
        for dof in dofs:
            self.rows[slave, dof - 1] = {(master, dof - 1): 1.0}

    def do_element(self, kind, tag, first, second, *rest):
        self.elements.append((kind, first, second, rest))

    def matrices(self):
        place = {tag: 6 * k for k, tag in enumerate(self.coordinates)}
        n = 6 * len(place)
        stiffness, mass = np.zeros((n, n)), np.zeros((n, n))
        for tag, values in self.masses.items():
            for k, value in enumerate(values):
                mass[place[tag] + k, place[tag] + k] += value
        for kind, first, second, rest in self.elements:
            rows = [place[tag] + k for tag in (first, second) for k in range(6)]
            part, lumped = {"elasticBeamColumn": self.beam, "truss": self.bar, "zeroLength": self.spring}[kind](
                first, second, rest)
            stiffness[np.ix_(rows, rows)] += part
            for k in (0, 1, 2, 6, 7, 8):
                mass[rows[k], rows[k]] += lumped
        reduction = self.reduction(place, n)
        return reduction.T @ stiffness @ reduction, reduction.T @ mass @ reduction

    def reduction(self, place, n):
        free = [(tag, k) for tag in place for k in range(6) if (tag, k) not in self.fixed and (tag, k) not in self.rows]
        column = {dof: i for i, dof in enumerate(free)}
        reduction = np.zeros((n, len(free)))

        def fill(row, dof, factor):
            if dof in self.rows:
                for master, part in self.rows[dof].items():
                    fill(row, master, factor * part)
            elif dof in column:
                reduction[row, column[dof]] += factor

        for tag in place:
            for k in range(6):
                fill(place[tag] + k, (tag, k), 1.0)
        return reduction

    def beam(self, first, second, rest):
        plain = rest[:next((i for i, v in enumerate(rest) if isinstance(v, str)), len(rest))]
        options = dict(zip(rest[len(plain)::2], rest[len(plain) + 1::2]))
        a, e, g, j, iy, iz = self.sections[plain[0]] if len(plain) == 2 else plain[:6]
        towards, offsets = self.transformations[plain[-1]]
        start, end = self.coordinates[first] + offsets[0], self.coordinates[second] + offsets[1]
        length = np.linalg.norm(end - start)
        x = (end - start) / length
        y = np.cross(towards, x)
        y /= np.linalg.norm(y)
        axes = np.array([x, y, np.cross(x, y)])
        basic = np.zeros((6, 6))  # elongation, z turns, y turns, twist
        basic[0, 0], basic[5, 5] = e * a / length, g * j / length
        basic[1:3, 1:3] = bending(length / (e * iz), options.get("-releasez", 0))
        basic[3:5, 3:5] = bending(length / (e * iy), options.get("-releasey", 0))
        # Basic deformations from local displacements of the two ends.
        b = np.zeros((6, 12))
        b[0, 0], b[0, 6] = -1, 1
        b[5, 3], b[5, 9] = -1, 1
        for row, turn in ((1, 5), (2, 11)):
            b[row, turn], b[row, 1], b[row, 7] = 1, 1 / length, -1 / length
        for row, turn in ((3, 4), (4, 10)):
            b[row, turn], b[row, 2], b[row, 8] = 1, -1 / length, 1 / length
        rotation = np.kron(np.eye(4), axes)
        arms = np.eye(12)
        arms[0:3, 3:6], arms[6:9, 9:12] = spin(offsets[0]), spin(offsets[1])
        deformation = b @ rotation @ arms
        return deformation.T @ basic @ deformation, 0.5 * options.get("-mass", 0.0) * length

    def bar(self, first, second, rest):
        area, material, _, rho = rest
        d = self.coordinates[second] - self.coordinates[first]
        length = np.linalg.norm(d)
        b = np.zeros((1, 12))
        b[0, 0:3], b[0, 6:9] = -d / length, d / length
        return self.materials[material] * area / length * b.T @ b, 0.5 * rho * length

    def spring(self, first, second, rest):
        rest = list(rest)
        at = rest.index("-dir")
        axes = np.eye(3)
        if "-orient" in rest:
            x, towards = np.array(rest[rest.index("-orient") + 1:]).reshape(2, 3)
            z = np.cross(x, towards)
            axes = np.array([x, np.cross(z, x), z])
        part = np.zeros((12, 12))
        for material, direction in zip(rest[1:at], rest[at + 1:at + 1 + at - 1]):
            b = np.zeros((1, 12))
            begin = 0 if direction <= 3 else 3
            b[0, begin:begin + 3] = -axes[(direction - 1) % 3]
            b[0, begin + 6:begin + 9] = axes[(direction - 1) % 3]
            part += self.materials[material] * b.T @ b
        return part, 0.0

    def frequencies(self, count):
        """Hz, rising. Through the inverse of the stiffness: rotations have no mass."""
        stiffness, mass = self.matrices()
        lower = np.linalg.cholesky(stiffness)
        half = np.linalg.solve(lower, mass)
        values = np.linalg.eigvalsh(np.linalg.solve(lower, half.T))
        return 1.0 / (2.0 * np.pi * np.sqrt(values[::-1][:count]))


def spin(arm):
    """Displacement of the end of an arm = spin(arm) @ turn."""
    x, y, z = arm
    return np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])


def bending(flexibility, release):
    """Moments at the two ends from their rotations; 1, 2, 3 releases the first, the second, both."""
    whole = np.array([[4.0, 2.0], [2.0, 4.0]]) / flexibility
    kept = [k for k in (0, 1) if not release & (k + 1)]
    result = np.zeros((2, 2))
    if kept:
        inverse = np.linalg.inv(whole)
        result[np.ix_(kept, kept)] = np.linalg.inv(inverse[np.ix_(kept, kept)])
    return result
