"""The export scripts for OpenSees: what they write, what Trestle makes of it, and what they refuse.

Usage: export_test.py TRESTLE EXPORT_FOLDER
OpenSees itself does not run here: opensees.py and stand_in.tcl stand for its commands.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TRESTLE, EXPORT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
sys.path[0:0] = [EXPORT, HERE]
import trestle_export  # noqa: E402
from opensees_parts import Command  # noqa: E402

# Of building.py in Hz, by frame_program.py (numpy 1.24.2); not by OpenSees.
BUILDING_HZ = [0.7080569123087617, 0.9065147222095906, 1.239006209875612, 1.4235250868343539, 2.2150366795371577,
               2.390072453851124, 2.9681429381080515, 4.060757120751458, 4.363580170876614, 5.37333545324801,
               6.148378032923238, 7.275492287542385]

# Of building.py with `unchained` in Hz, by OpenSees itself: OpenSeesPy of commit 2890cb36 (OPS_VERSION 3.8.0), Transformation,
# the default solver of eigen. The columns had numbers in place of their section: at that commit such members read an
# uninitialised shear area.
OPENSEES_HZ = [0.711358796769169, 0.9083795259208655, 1.2429807972009075, 2.217033654192481,
               2.392274746423037, 2.971525852237793, 4.069326684032476, 4.365300400224565,
               5.3822420032472555, 6.158905594835842, 6.166934536620121, 7.293466752327457]

PLANE = ["model basic -ndm 2 -ndf 3", "node 1 0 0", "node 2 0 4", "node 3 6 4", "node 4 6 0", "fix 1 1 1 1", "fix 4 1 1 0",
         "geomTransf Linear 1", "uniaxialMaterial Elastic 1 210e9", "section Elastic 1 210e9 0.01 1e-4",
         "element elasticBeamColumn 1 1 2 0.01 210e9 1e-4 1", "element elasticBeamColumn 2 2 3 0.01 210e9 1e-4 1",
         "element elasticBeamColumn 3 4 3 0.01 210e9 1e-4 1", "mass 2 1e4 1e4 0", "mass 3 1e4 1e4 0"]
SPACE = ["model basic -ndm 3 -ndf 6", "node 1 0 0 0", "node 2 0 0 4", "node 3 5 0 4", "fix 1 1 1 1 1 1 1",
         "geomTransf Linear 1 1 0 0", "geomTransf Linear 2 0 0 1",
         "element elasticBeamColumn 1 1 2 0.01 210e9 80e9 1e-6 2e-4 1e-4 1",
         "element elasticBeamColumn 2 2 3 0.01 210e9 80e9 1e-6 2e-4 1e-4 2", "mass 3 1e3 1e3 1e3 0 0 0"]


def commands(lines):
    return [Command(*(lambda words: (words[0], words[1:]))(line.split())) for line in lines]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = os.path.join(self.folder, "test.yaml")

    def export(self, lines, units="m,N", **settings):
        recording = trestle_export.Recording()
        recording.commands = commands(lines)
        recording.write(self.file, units, **settings)
        with open(self.file, encoding="utf-8") as file:
            return file.read()

    def refused(self, lines, **settings):
        """The sentences; no file is written."""
        with self.assertRaises(trestle_export.ExportError) as raised:
            self.export(lines, **settings)
        self.assertFalse(os.path.exists(self.file))
        return str(raised.exception)

    def run_script(self, *arguments, code=0):
        done = subprocess.run([sys.executable, os.path.join(EXPORT, "trestle_export.py"), *arguments], text=True,
                              capture_output=True, cwd=self.folder, env={**os.environ, "PYTHONPATH": HERE,
                                                                         "PYTHONDONTWRITEBYTECODE": "1"})
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def frequencies(self):
        done = subprocess.run([TRESTLE, "check", self.file, "--json"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [1.0 / mode["period_s"] for mode in json.loads(done.stdout)["modes"]]

    def assert_close(self, found, expected, tolerance=1e-9):
        self.assertGreaterEqual(len(found), len(expected))
        for ours, theirs in zip(found, expected):
            self.assertLessEqual(abs(ours / theirs - 1.0), tolerance, f"{found}, not {expected}")


class Building(Case):
    """Two hundred members with all that the script knows."""

    def test_first_twelve_frequencies_are_those_of_an_independent_program(self):
        done = self.run_script(os.path.join(HERE, "building.py"), "--units", "m,kN", "--out", self.file, "--stop-at",
                               "analyze", "--geometry", "linear")
        self.assertIn("left out: load: 1 calls", done.stderr)
        self.assert_close(self.frequencies(), BUILDING_HZ)
        # A script that wipes its model at the end gives the same file.
        other = os.path.join(self.folder, "wiped.yaml")
        self.run_script(os.path.join(HERE, "building.py"), "--units", "m,kN", "--out", other, "--geometry", "linear",
                        "--", "wipe")
        with open(self.file, encoding="utf-8") as ours, open(other, encoding="utf-8") as theirs:
            self.assertEqual(ours.read(), theirs.read())

    def test_first_twelve_frequencies_are_those_of_opensees(self):
        self.run_script(os.path.join(HERE, "building.py"), "--units", "m,kN", "--out", self.file, "--stop-at", "analyze",
                        "--geometry", "linear", "--", "unchained")
        self.assert_close(self.frequencies(), OPENSEES_HZ, 1e-8)

    def test_the_independent_program_finds_them_again(self):
        try:
            from frame_program import Frame
        except ImportError:
            self.skipTest("numpy is not installed")
        import opensees
        arguments, sys.argv = sys.argv, ["building.py"]
        try:
            with self.assertRaises(RuntimeError), open(os.path.join(HERE, "building.py"), encoding="utf-8") as file:
                exec(compile(file.read(), "building.py", "exec"), {})
        finally:
            sys.argv = arguments
        self.assert_close(list(Frame(opensees.calls).frequencies(12)), BUILDING_HZ, 1e-11)
        opensees.wipe()


class Frames(Case):
    def test_consistent_mass_and_units(self):
        # Hinged beam of 6 m in N and mm (mass in t): four members with consistent mass.
        lines = ["model basic -ndm 2"] + [f"node {k} {1500 * k} 0" for k in range(5)] + ["fix 0 1 1 0", "fix 4 0 1 0"]
        lines += ["geomTransf Linear 1", "section Elastic 9 210000 10000 16270e4"]
        lines += [f"element elasticBeamColumn {k} {k} {k + 1} 9 1 -mass 3.0571e-3 -cMass" for k in range(4)]
        text = self.export(lines, units="mm,N")
        self.assertIn("mass_matrix: consistent", text)
        self.assertIn("s1: {A: 0.01, E: 210000000000, I: 0.0001627", text)
        expected = [4.61401213946, 18.5240826741, 42.2739191462]
        found = [f for f in self.frequencies() if any(abs(f / e - 1.0) < 1e-3 for e in expected)]
        self.assert_close(found, expected, 1e-10)

    def test_truss_releases_and_uneven_masses(self):
        # A bar of stiffness EA/L carries 3 t along x and none along y.
        text = self.export(["model basic -ndm 2 -ndf 2", "node 1 0 0", "node 2 2 0", "fix 1 1 1", "fix 2 0 1",
                            "uniaxialMaterial Elastic 7 2e11", "element Truss 5 1 2 3e-4 7 -rho 100", "mass 2 2900 0"])
        self.assertIn("{name: e5, from: n1, to: n2, section: s1, hinges: [from, to]}", text)
        self.assert_close(self.frequencies(), [math.sqrt(2e11 * 3e-4 / 2 / 3000) / (2 * math.pi)])
        text = self.export([line for line in PLANE if "mass" not in line] +
                           ["mass 2 1000 500 0", "element elasticBeamColumn 4 1 3 4e-3 210e9 2e-5 1 -release 2"])
        self.assertIn("to: [rz]", text)
        for part in ("n2_mass: [0, 4]", "{nodes: [n2, n2_mass], dofs: [y]}", "{node: n2_mass, mass: 500}",
                     "{nodes: [n2, n2_mass2], dofs: [x]}", "{node: n2_mass2, mass: 1000}"):
            self.assertIn(part, text)

    def test_springs_and_laws(self):
        lines = PLANE + ["node 5 6 0", "fix 5 1 1 1", "uniaxialMaterial Elastic 11 5e6 2e3",
                         "uniaxialMaterial Steel01 12 2e4 4e6 0.02", "uniaxialMaterial ElasticPP 13 4e6 0.005",
                         "uniaxialMaterial Hardening 14 4e6 2e4 0 1e6", "uniaxialMaterial BoucWen 15 0.1 4e6 2 0.3 0.7 1 0 0 0"]
        lines += [f"element zeroLength {20 + k} 5 4 -mat {k} -dir {6 if k == 11 else 1}" for k in range(11, 16)]
        text = self.export(lines, units="mm,kN")
        for part in ("dof: rz, law: {kind: linear, stiffness: 5000000}, damping: 2000",
                     "dof: x, law: {kind: bilinear, stiffness: 4000000000000, yield_force: 20000000, hardening: 0.02}",
                     "yield_force: 20000000, hardening: 0}", "hardening: 0.2}",
                     "law: {kind: bouc-wen, stiffness: 4000000000000, yield_force: 4000000000, hardening: 0.1, n: 2, beta: 0.7"):
            self.assertIn(part, text)

    def test_integrated_beams_with_elastic_sections(self):
        plain = self.export(PLANE)
        for form in ("1 1", "5 1 1", "1 Legendre 1 2"):  # transformation and rule; points, section; rule inside
            lines = [line if "Column 2" not in line else "element forceBeamColumn 2 2 3 " + form for line in PLANE]
            lines.insert(10, "beamIntegration Lobatto 1 1 5")
            self.assertEqual(self.export(lines), plain)

    def test_offsets_turn_the_mass_of_a_member_into_nodal_mass(self):
        text = self.export([line.replace("Linear 1", "Linear 1 -jntOffset 0.5 0 -0.5 0") if "geomTransf" in line else
                            line + " -mass 100" if "Column 2" in line else line
                            for line in PLANE if "Column 1" not in line and "Column 3" not in line])
        self.assertIn("offsets: {from: [0.5, 0], to: [-0.5, 0]}", text)
        self.assertIn("{node: n2, mass: 10250}", text)

    def test_geometry(self):
        lines = [line.replace("Linear 1", "PDelta 1") for line in PLANE]
        self.assertIn("choose geometry linear or p-delta", self.refused(lines))
        self.assertIn("p_delta: chord", self.export(lines, geometry="p-delta"))
        plain = self.export(PLANE)
        self.assertEqual(self.export(lines, geometry="linear"), plain)
        lines = [line.replace("Linear 1", "Corotational 1") for line in PLANE]
        self.assertEqual(self.export(lines, geometry="linear"), plain)
        os.remove(self.file)
        self.assertIn("choose geometry linear or corotational", self.refused(lines))
        text = self.export(lines, geometry="corotational")
        self.assertIn("    geometry: corotational ", text)
        self.assertNotIn("linear: true", text)
        self.assertIn("linear: true", self.export(PLANE, geometry="corotational"))
        os.remove(self.file)
        self.assertIn("choose geometry linear or p-delta",
                      self.refused([line.replace("Linear 1", "PDelta 1") for line in PLANE], geometry="corotational"))
        turning = [line.replace("Linear", "Corotational") for line in SPACE]
        text = self.export(turning, geometry="corotational")
        self.assertIn("    geometry: corotational ", text)
        self.assertNotIn("linear: true", text)
        os.remove(self.file)
        self.assertIn("its releases would turn about axes at rest",
                      self.refused([line + " -releasez 1" if "Column 1" in line else line for line in turning],
                                   geometry="corotational"))
        self.assertIn("a corotational truss in space",
                      self.refused(SPACE + ["uniaxialMaterial Elastic 1 2e11", "element corotTruss 7 1 3 0.01 1"],
                                   geometry="corotational"))
        self.assertIn("rigidDiaphragm: it would turn to first order",
                      self.refused(turning + ["node 4 2 0 4", "fix 4 0 0 1 1 1 0", "rigidDiaphragm 3 4 2 3"],
                                   geometry="corotational"))

    def test_vertical_axis_y(self):
        turned = ["model basic -ndm 3 -ndf 6", "node 1 0 0 0", "node 2 0 4 0", "node 3 5 4 0", "fix 1 1 1 1 1 1 1",
                  "geomTransf Linear 1 1 0 0", "geomTransf Linear 2 0 1 0", "fix 3 0 0 1 0 0 0", "node 4 2 4 -1",
                  "fix 4 0 1 0 1 0 1", "mass 4 100 0 100 0 50 0", "rigidDiaphragm 2 4 2 3",
                  "element elasticBeamColumn 1 1 2 0.01 210e9 80e9 1e-6 2e-4 1e-4 1",
                  "element elasticBeamColumn 2 2 3 0.01 210e9 80e9 1e-6 2e-4 1e-4 2"]
        self.assertIn("its plane is not horizontal", self.refused(turned))
        text = self.export(turned, up="y")
        for part in ("n3: [5, 0, 4]", "z: [0, 0, 1]", "d4: {nodes: [n2, n3], centre: [2, 1], mass: 100, "
                     "rotational_inertia: 50}", "{nodes: [n3], fixed: [y]}"):
            self.assertIn(part, text)


class OpenSeesFigures(Case):
    """Models of which OpenSees 3.8.0 computed the squares of the circular frequencies (1/s2)."""

    def assert_squares(self, expected):
        self.assert_close([(2.0 * math.pi * f) ** 2 for f in self.frequencies()], expected, 1e-10)

    def test_frame_with_eccentric_rigid_floors(self):
        lines = ["model basic -ndm 3 -ndf 6", "geomTransf Linear 1 1 0 0", "geomTransf Linear 2 0 1 0",
                 "geomTransf Linear 3 0 0 1"]
        for level, z in enumerate((0, 3.5, 7)):
            lines += [f"node {10 * level + corner} {x} {y} {z}"
                      for corner, (x, y) in enumerate(((0, 0), (6, 0), (6, 5), (0, 5)), 1)]
        lines += ["fixZ 0 1 1 1 1 1 1"]
        column, heavy, beam = ("0.0106 210e6 80e6 102.7e-8 11260e-8 3923e-8 1", "149e-4 210e6 80e6 185e-8 25170e-8 5135e-8 2",
                               "72.7e-4 210e6 80e6 37.3e-8 16270e-8 1043e-8 3")
        for level in (0, 1):
            for c in range(1, 5):
                low, high = 10 * level + c, 10 * level + 10 + c
                lines += [f"element elasticBeamColumn {low} {low} {high} {heavy if c == 3 else column}",
                          f"element elasticBeamColumn {100 + high} {high} {10 * level + 10 + c % 4 + 1} {beam}"]
            centre, mass = 201 + level, (24, 18)[level]
            lines += [f"node {centre} 3.4 2.2 {(3.5, 7)[level]}", f"fix {centre} 0 0 1 1 1 0",
                      f"mass {centre} {mass} {mass} 0 0 0 {mass * 61 / 12!r}",
                      f"rigidDiaphragm 3 {centre} " + " ".join(str(10 * level + 10 + c) for c in range(1, 5))]
        self.export(lines, units="m,kN")
        self.assert_squares([193.622340021, 226.241364155, 609.422930867, 1653.70513684, 2046.91018056, 5555.64594199])

    def test_skew_member_with_consistent_mass(self):
        self.export(["model basic -ndm 3 -ndf 6", "node 1 0 0 0", "node 2 2000 1000 3000", "fix 1 1 1 1 1 1 1",
                     "geomTransf Linear 1 1 0.5 0", "element elasticBeamColumn 1 1 2 106e2 210e3 80e3 102.7e4 3923e4 11260e4 1 "
                     "-mass 83.2e-6 -cMass"], units="mm,N")
        # The torsion of the member has 2184065.93407, the axial modes are above.
        self.assert_squares([6304.9185035, 18096.707201, 612052.56776, 1756745.32577, 2184065.93407])

    def test_portal_with_second_order_effects(self):
        lines = ["model basic -ndm 2 -ndf 3", "node 1 0 0", "node 2 0 4", "node 3 6 4", "node 4 6 0", "fix 1 1 1 0",
                 "fix 4 1 1 0", "geomTransf PDelta 1", "element elasticBeamColumn 1 1 2 78.1e-4 210e9 5696e-8 1",
                 "element elasticBeamColumn 2 4 3 78.1e-4 210e9 5696e-8 1",
                 "element elasticBeamColumn 3 2 3 62.6e-4 210e9 11770e-8 1", "mass 2 1e4 1e4 0", "mass 3 1e4 1e4 0"]
        self.export(lines, geometry="linear")
        self.assert_squares([41.0651848118])
        text = self.export(lines, geometry="p-delta")
        loads = ("excitation:\n  gravity: {from: none, loads: dead}\n"
                 "  loads: {dead: {nodes: {n2: {y: -800 kN}, n3: {y: -800 kN}}}}")
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text.replace("excitation:", loads))
        self.assert_squares([21.0652205303])


# A frame of two storeys on hinges: column bases and beam ends, kN and m.
HINGES = (["model basic -ndm 2 -ndf 3"] +
          [f"node {tag} {x} {y}" for tag, x, y in ((1, 0, 0), (2, 6, 0), (11, 0, 3.5), (12, 6, 3.5), (21, 0, 7), (22, 6, 7),
                                                   (101, 0, 0), (102, 6, 0), (111, 0, 3.5), (112, 6, 3.5), (121, 0, 7),
                                                   (122, 6, 7))] +
          ["fix 1 1 1 1", "fix 2 1 1 1", "fix 101 1 1 0", "fix 102 1 1 0"] +
          [f"equalDOF {tag} {100 + tag} 1 2" for tag in (11, 12, 21, 22)] +
          ["geomTransf Linear 1", f"uniaxialMaterial Steel01 1 260 {60 * 210e6 * 11260e-8 / 3.5!r} 0.02",
           f"uniaxialMaterial Steel01 2 240 {60 * 210e6 * 16270e-8 / 6!r} 0.02"] +
          [f"element zeroLength {900 + tag} {tag} {100 + tag} -mat {1 if tag < 10 else 2} -dir 6"
           for tag in (1, 2, 11, 12, 21, 22)] +
          [f"element elasticBeamColumn {tag} {i} {j} 106e-4 210e6 11260e-8 1"
           for tag, i, j in ((1, 101, 11), (2, 102, 12), (3, 11, 21), (4, 12, 22))] +
          [f"element elasticBeamColumn {tag} {i} {j} 72.7e-4 210e6 16270e-8 1" for tag, i, j in ((5, 111, 112), (6, 121, 122))] +
          [f"mass {tag} {m} {m} {r}" for tag, m, r in ((11, 14, 0.7), (12, 14, 0.7), (21, 11, 0.6), (22, 11, 0.6))])


class Gravity(Case):
    def state(self):
        done = subprocess.run([TRESTLE, "check", self.file, "--json"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["gravity"]

    def test_frame_with_hinges_settles_as_in_opensees(self):
        # OpenSees 3.8.0 and an own program: the left roof node goes 0.0535686481779 mm and 0.962264150943 mm.
        loads = ["timeSeries Linear 7", "pattern Plain 3 7", "load 11 0 -150 0", "load 12 0 -150 0", "load 21 0 -120 0",
                 "load 22 0 -120 0", "eleLoad -ele 5 -type -beamUniform -30", "eleLoad -range 6 6 -type -beamUniform -22",
                 "pattern Plain 4 7", "load 21 50 0 0"]
        text = self.export(HINGES + loads, units="m,kN", gravity=[3])
        self.assertIn("gravity: {from: none, loads: [pattern3]}", text)
        self.assertIn("# Left out: load: 1 calls, not translated", text)
        found = self.state()
        self.assert_close([found["settlement_m"], found["drift_m"]], [0.000962264150943, 5.35686481779e-5], 1e-9)
        # Of the same loads written in other ways.
        other = ["timeSeries Constant 7 -factor 2", "pattern Plain 3 7 -fact 0.5", "load 11 0 -100 0", "load 11 0 -50",
                 "load 12 0 -150 0", "load 21 0 -120 0", "load 22 0 -120 0", "eleLoad -ele 5 6 -type -beamUniform -22 0",
                 "eleLoad -ele 5 -type -beamUniform -8"]
        self.export(HINGES + other, units="m,kN", gravity=[3])
        self.assert_close([self.state()["settlement_m"]], [0.000962264150943], 1e-9)

    def test_cantilever_in_space_with_all_kinds_of_loads(self):
        # Upwards is y: a force and a moment at the tip, a uniform load and a point load half way, in mm and kN.
        lines = ["model basic -ndm 3 -ndf 6", "node 1 0 0 0", "node 2 3000 0 0", "fix 1 1 1 1 1 1 1",
                 "geomTransf Linear 1 0 0 1", "element elasticBeamColumn 1 1 2 1e4 210 80 1e6 3e8 1e8 1",
                 "mass 2 1e-3 1e-3 1e-3 0 0 0", "pattern Plain 1 Linear", "load 2 0 -2 0 0 0 -500",
                 "eleLoad -ele 1 -type -beamUniform -0.004 0", "eleLoad -ele 1 -type -beamPoint -3 0 0.5"]
        text = self.export(lines, units="mm,kN", up="y", gravity=[1])
        self.assertIn("at: 1.5", text)
        bending = 210.0 * 1e8
        length, half = 3000.0, 1500.0
        tip = (2 * length ** 3 / 3 + 500 * length ** 2 / 2 + 0.004 * length ** 4 / 8
               + 3 * half ** 2 * (3 * length - half) / 6) / bending
        self.assert_close([self.state()["settlement_m"]], [tip / 1000], 1e-9)

    def test_refusals(self):
        base = PLANE + ["timeSeries Path 1 -dt 0.1 -values 1", "timeSeries Linear 2", "pattern Plain 1 1",
                        "pattern UniformExcitation 2 1 -accel 1", "pattern Plain 3 2", "load 9 1 0 0", "load 2 1 0 0 0",
                        "eleLoad -ele 9 -type -beamUniform 1", "eleLoad -ele 1 -type -beamThermal 1 2",
                        "eleLoad -ele 1 -type -beamPoint 1"]
        told = self.refused(base, gravity=[1, 2, 3, 8])
        for sentence in ("`pattern Plain 1 1`: its time series is neither Linear nor Constant; leave it out of --gravity",
                         "is no Plain pattern; ground motions are `excitation.motions`", "node 9 is not known",
                         "has 4 forces; the node has 3 DOFs", "element 9 is no beam that is translated",
                         "loads of type -beamThermal cannot be translated",
                         "has 1 numbers; -beamPoint has 2 or 3",
                         "pattern 8, which --gravity names, is not known; known are: 1, 2, 3"):
            self.assertIn(sentence, told)
        self.run_script("none.py", "--units", "m,N", "--out", self.file, "--gravity", "one", code=2)


class Refusals(Case):
    """Each names the command with its tag, and no file is written."""

    def assert_refused(self, lines, sentence, **settings):
        self.assertIn(sentence, self.refused(lines, **settings))

    def test_commands(self):
        for line, sentence in (
                ("mesh line 1 2 3", "`mesh line 1 2 ...`: this command cannot be translated"),
                ("sp 2 1 0.01", "`sp 2 1 0.01`: this command cannot be translated"),
                ("equalDOF_Mixed 2 3 1 1 2", "`equalDOF_Mixed 2 3 1 ...`: this command cannot be translated"),
                ("setNodeCoord 2 1 0.5", "`setNodeCoord 2 1 0.5`: this command cannot be translated"),
                ("remove sp 1 1", "`remove sp 1 1`: this part cannot be taken out again"),
                ("node 9 1 2 3", "`node 9 1 2 ...`: has 3 coordinates; the model has 2 dimensions"),
                ("node 9 1 2 -ndf 4", "a node of 4 DOFs in 2 dimensions"),
                ("node 9 1 2 -disp 0.1 0 0", "its option -disp cannot be translated"),
                ("mass 9 1 1 0", "`mass 9 1 1 ...`: node 9 is not known"),
                ("mass 2 -1 1 0", "none below zero"),
                ("mass 2 nan 1 0", "finite numbers"),
                ("rigidDiaphragm 3 2 3", "`rigidDiaphragm 3 2 3`: needs a model of 3 dimensions"),
                ("rigidLink spring 2 3", "a rigid link `spring`; known are bar and beam"),
                ("equalDOF 2 3 4", "`equalDOF 2 3 4`: DOFs [4] of node 2"),
                ("remove node 2", "`remove node 2`: node 2 still has an element"),
                ("model basic 2 3", "`model basic 2 3`: needs -ndm"),
                ("model basic -ndm 1", "a model of 1 dimensions; Trestle has 2 and 3"),
                ("fix x 1 1 1", "`fix x 1 1 ...`: its arguments cannot be read")):
            self.assert_refused(PLANE + [line], sentence)

    def test_elements(self):
        beam = "element elasticBeamColumn 7 1 3 0.01 210e9 1e-4 "
        for line, sentence in (
                ("element quad 7 1 2 3 4 0.2 PlaneStress 1", "`element quad 7 1 ...`: elements `quad` cannot be translated"),
                (beam + "8", "`element elasticBeamColumn 7 1 ...`: geomTransf 8 is not known"),
                (beam + "1 -damp 3", "its option -damp cannot be translated"),
                (beam + "1 -mass -2", "its mass is -2; it must not be below 0"),
                (beam + "1 -mass 3 -cMass -release 1", "a consistent mass with released ends"),
                ("element elasticBeamColumn 7 1 3 0 210e9 1e-4 1", "A is 0; it must be above 0"),
                ("element elasticBeamColumn 7 1 9 0.01 210e9 1e-4 1", "node 9 is not known"),
                ("element elasticBeamColumn 7 1 3 6 1", "section 6 is not known"),
                ("element elasticBeamColumn 7 1 3 3 1", "its section cannot be translated: `section Fiber 3`"),
                ("element elasticBeamColumn 7 1 3 4 1", "its section deforms in shear"),
                ("element dispBeamColumn 7 1 3 1 2", "its integration Lobatto with 2 points"),
                ("element dispBeamColumn 7 1 3 1 3", "its section changes along the member: `beamIntegration Lobatto 3 3"),
                ("element truss 7 1 3 0.01 2", "a truss of this material is not elastic"),
                ("element truss 7 1 3 0.01 3", "its material cannot be translated: `uniaxialMaterial Concrete01 3"),
                ("element truss 7 1 3 0.01 1 -cMass 1", "the consistent mass of a truss"),
                ("element corotTruss 7 1 3 0.01 1", "a corotational truss"),
                ("element zeroLength 7 1 3 -mat 4 -dir 1", "its material cannot be translated: `uniaxialMaterial Steel01 4"),
                ("element zeroLength 7 1 3 -mat 1 -dir 3", "direction 3 of a planar model"),
                ("element zeroLength 7 1 3 -mat 1 1 -dir 1", "needs as many -dir as -mat"),
                ("element zeroLength 7 1 3 -mat 1 -dir 1 -orient 1 1 0 0 1 0", "its axes are not along the global ones"),
                ("element twoNodeLink 7 1 3 -mat 1 -dir 1", "a two-node link")):
            known = ["section Fiber 3", "section Elastic 4 210e9 0.01 1e-4 80e9 0.8", "beamIntegration Lobatto 2 1 2",
                     "beamIntegration Lobatto 3 3 1 4 1", "uniaxialMaterial Steel01 2 4e8 2e11 0.01",
                     "uniaxialMaterial Concrete01 3 -3e7 -0.002 -6e6 -0.006",
                     "uniaxialMaterial Steel01 4 4e8 2e11 0.01 0.1 1 0.1 1"]
            self.assert_refused(PLANE + known + [line], sentence)

    def test_transformations_and_floors(self):
        column = " 0.01 210e9 80e9 1e-6 2e-4 1e-4 "
        floor = ["node 4 2 1 4", "rigidDiaphragm 3 4 2 3"]
        for lines, sentence in (
                (["geomTransf Linear 7 0 0 1", "element elasticBeamColumn 7 1 2" + column + "7"],
                 "`element elasticBeamColumn 7 1 ...`: the vecxz of its geomTransf points along the member"),
                (["geomTransf Inclined 7 0 0 1", "element elasticBeamColumn 7 1 2" + column + "7"],
                 "its geometric transformation cannot be translated: `geomTransf Inclined 7 0 ...`"),
                (["geomTransf Corotational 7 1 0 0", "element elasticBeamColumn 7 1 2" + column + "7"],
                 "its geomTransf is Corotational; choose geometry linear"),
                (["node 5 2 1 3.9", "rigidDiaphragm 3 5 2 3"], "node 2 is not in the plane of node 5"),
                (floor + ["fix 4 1 0 1 1 1 0"], "node 4 is fixed in x"),
                (floor + ["mass 4 10 10 10 0 0 5"], "node 4 has mass in z, which nothing holds")):
            self.assert_refused(SPACE + lines, sentence)

    def test_all_are_told_at_once(self):
        said = self.refused(PLANE + ["sp 2 1 0.01", "element quad 7 1 2 3 4 0.2 PlaneStress 1"])
        self.assertEqual(len(said.splitlines()), 2)

    def test_what_no_recorded_command_made(self):
        script = os.path.join(self.folder, "late.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write("import opensees as ops\nops.model('basic', '-ndm', 2)\nops.node(1, 0.0, 0.0)\n"
                       "ops.element('quad', 8, 1, 1, 1, 1)\n")
        done = self.run_script(script, "--units", "m,N", "--out", self.file, code=1)
        self.assertIn("trestle_export: late.py:4: `element quad 8 1 ...`: elements `quad` cannot be translated",
                      done.stderr)
        self.assertIn("was not written", done.stderr)
        recording = trestle_export.Recording()
        recording.commands = commands(PLANE)
        recording.domain = {"nodes": [1, 2, 3, 4, 5], "elements": [1, 2, 3, 6], "masses": {"2": [1e4, 0, 0]}}
        with self.assertRaises(trestle_export.ExportError) as raised:
            recording.write(self.file, "m,N")
        for sentence in ("node 5 is in OpenSees' model, but no recorded command made it", "element 6 is in OpenSees' model",
                         "node 2: OpenSees has other masses than the recorded commands"):
            self.assertIn(sentence, str(raised.exception))

    def test_usage(self):
        self.assertIn("no model was recorded", self.refused(["model basic -ndm 2"]))
        with self.assertRaises(ValueError) as raised:
            self.export(PLANE, units="m,stone")
        self.assertIn("units `m,stone`: give a length of m, cm", str(raised.exception))
        done = self.run_script("none.py", "--units", "m,N", "--out", self.file, "--module", "no_opensees", code=1)
        self.assertIn("cannot import no_opensees", done.stderr)
        broken = os.path.join(self.folder, "x.record")
        with open(broken, "w", encoding="utf-8") as file:
            file.write("[\"\", \"model\"]\nnode 1\n")
        done = self.run_script(broken, "--units", "m,N", "--out", self.file, code=1)
        self.assertIn("x.record:2: is no recording of trestle_export.tcl", done.stderr)


class Tcl(Case):
    """The Tcl script records the same commands."""

    def run_tcl(self, lines, end="trestle_export test.yaml --units m,N"):
        tclsh = shutil.which("tclsh")
        if tclsh is None:
            self.skipTest("tclsh is not installed (Debian's tcl)")
        model = os.path.join(self.folder, "model.tcl")
        with open(model, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        script = (f"source {{{HERE}/stand_in.tcl}}\nsource {{{EXPORT}/trestle_export.tcl}}\n"
                  f"set ::trestle::python {{{sys.executable}}}\nsource model.tcl\n{end}\n")
        return subprocess.run([tclsh], input=script, text=True, capture_output=True, cwd=self.folder,
                              env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})

    def test_file_is_that_of_the_same_commands(self):
        expected = self.export(SPACE + ["pattern Plain 1 1", "load 3 1 0 0 0 0 0"])
        os.remove(self.file)
        lines = [*SPACE[:7], "set area 0.01"]
        lines += [line.replace("0.01", "$area") for line in SPACE[7:]]
        lines += ["pattern Plain 1 1 { load 3 1 0 0 0 0 0 }", "timeSeries Linear 1"]
        done = self.run_tcl(["model basic -ndm 2", "node 1 0 0", "wipe", *lines])
        self.assertIn("written; see it with", done.stdout, done.stderr)
        with open(self.file, encoding="utf-8") as file:
            self.assertEqual(file.read(), expected)
        os.remove(self.file)
        done = self.run_tcl([*lines, "wipe"])
        with open(self.file, encoding="utf-8") as file:
            self.assertEqual(file.read(), expected)

    def test_loads_in_the_body_of_a_pattern_are_gravity(self):
        series = ["timeSeries Linear 1 -factor 2"]
        expected = self.export(SPACE + series + ["pattern Plain 1 1", "load 3 0 0 -5 0 0 0", "pattern Plain 2 1",
                                                 "load 3 1 0 0 0 0 0"], gravity=[1])
        self.assertIn("pattern1: {nodes: {n3: {z: -10.0}}}", expected)
        os.remove(self.file)
        done = self.run_tcl([*SPACE, *series, "pattern Plain 1 1 { load 3 0 0 -5 0 0 0 }",
                             "pattern Plain 2 1 { load 3 1 0 0 0 0 0 }"],
                            "trestle_export test.yaml --units m,N --gravity 1")
        self.assertIn("written; see it with", done.stdout, done.stderr)
        with open(self.file, encoding="utf-8") as file:
            self.assertEqual(file.read(), expected)

    def test_refusals_have_line_and_tag(self):
        done = self.run_tcl([*PLANE, "block2D 2 2 1 1 quad {1 PlaneStress}", "element quad 7 1 2 3 4"],
                            "if {[catch {trestle_export test.yaml --units m,N} said]} { puts $said }")
        self.assertIn("model.tcl:16: `block2D 2 2 1 ...`: this command cannot be translated", done.stdout, done.stderr)
        self.assertIn("model.tcl:17: `element quad 7 1 ...`: elements `quad` cannot be translated", done.stdout)
        self.assertIn("the recording is test.yaml.record", done.stdout)
        self.assertFalse(os.path.exists(self.file))

    def test_a_command_that_fails_is_not_recorded_and_fails_as_before(self):
        done = self.run_tcl(["if {[catch {", *PLANE, "node 1 9 9", "} said]} { puts \"caught $said\" }"])
        self.assertIn("caught node 1 exists", done.stdout, done.stderr)
        self.assertIn("written; see it with", done.stdout, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
