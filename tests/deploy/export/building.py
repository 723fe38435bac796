"""A building of 200 members for OpenSeesPy: kN, m, s. Five storeys on a grid of four by four columns.

Floors are rigid diaphragms with an eccentric centre; one is retained by a node of the frame. It has released and offset
beams, a column on a spring, a braced bay, a joint of two nodes, equipment on an arm and masses that differ by direction.

With the argument `unchained` the equipment and the joint are fixed instead: their constraints start at nodes that a diaphragm
moves, which the Transformation handler of OpenSees does not follow.
"""

import sys

from opensees import *  # noqa: F403 (as users write it)

wipe()
model("basic", "-ndm", 3, "-ndf", 6)
X, Y, STOREYS = [0.0, 6.0, 11.0, 18.0], [0.0, 5.0, 11.5, 15.0], 5
HEIGHTS = [0.0, 4.2, 7.7, 11.2, 14.7, 18.0]


def at(level, i, j):
    return 100 * (level + 1) + 10 * i + j


for level, z in enumerate(HEIGHTS):
    for i, x in enumerate(X):
        for j, y in enumerate(Y):
            node(at(level, i, j), x, y, z)
fixZ(0.0, 1, 1, 1, 1, 1, 1)

# The corner column stands on a spring: vertical and rotational, the rest held.
node(90, 0.0, 0.0, 0.0)
fix(90, 1, 1, 1, 1, 1, 1)
node(91, 0.0, 0.0, 0.0)
fix(91, 1, 1, 0, 0, 1, 1)
uniaxialMaterial("Elastic", 1, 250e3)
uniaxialMaterial("Elastic", 2, 90e3)
element("zeroLength", 990, 90, 91, "-mat", 1, 2, "-dir", 3, 4)

E, G = 210e6, 81e6
section("Elastic", 1, E, 149e-4, 8563e-8, 25170e-8, G, 185e-8)  # E A Iz Iy G J: columns
geomTransf("Linear", 1, 1.0, 0.0, 0.0)   # columns
geomTransf("Linear", 2, 0.0, 0.0, 1.0)   # beams
geomTransf("PDelta", 3, 0.2, 1.0, 0.0)   # turned columns
geomTransf("Linear", 4, 0.0, 0.0, 1.0, "-jntOffset", 0.3, 0.0, -0.2, -0.3, 0.0, -0.2)

tag = 0
for level in range(STOREYS):
    for i in range(4):
        for j in range(4):
            tag += 1
            foot = 91 if (level, i, j) == (0, 0, 0) else at(level, i, j)
            element("elasticBeamColumn", tag, foot, at(level + 1, i, j), 1, 3 if i == 2 else 1, "-mass", 0.117)
for level in range(1, STOREYS + 1):
    for i in range(4):
        for j in range(4):
            along_x = [(i + 1, j)] if i < 3 else []
            along_y = [(i, j + 1)] if j < 3 else []
            for k, (p, q) in enumerate(along_x + along_y):
                tag += 1
                beam = (84.5e-4, E, G, 51e-8, 23130e-8, 1318e-8)  # A E G J Iy Iz
                if p > i and j == 1:
                    element("elasticBeamColumn", tag, at(level, i, j), at(level, p, q), *beam, 4, "-mass", 0.0663)
                elif q > j and i == 3:
                    element("elasticBeamColumn", tag, at(level, i, j), at(level, p, q), *beam, 2, "-releasez", 1,
                            "-releasey", 2 if j == 1 else 3)
                else:
                    element("elasticBeamColumn", tag, at(level, i, j), at(level, p, q), *beam, 2, "-mass", 0.0663)

# A braced bay: bars without bending.
uniaxialMaterial("Elastic", 3, E)
for level in range(STOREYS):
    element("truss", 500 + level, at(level, 1, 0), at(level + 1, 2, 0), 12e-4, 3, "-rho", 0.0094)

# The fourth floor hangs on a node of the frame, the others on their own centres.
for level in range(1, STOREYS + 1):
    floor = [at(level, i, j) for i in range(4) for j in range(4)]
    if level == 4:
        rigidDiaphragm(3, floor[0], *floor[1:])
        for one in floor:
            mass(one, 9.0, 9.0, 9.0, 0.0, 0.0, 0.0)
    else:
        node(level, 8.3 + 0.2 * level, 7.9, HEIGHTS[level])
        fix(level, 0, 0, 1, 1, 1, 0)
        mass(level, 150.0, 150.0, 0.0, 0.0, 0.0, 150.0 * 61 / 2)
        rigidDiaphragm(3, level, *floor)

# A wall panel on the roof moves with it along x and y, and has less mass along y and none upright.
node(801, 9.0, 15.0, 19.0)
mass(801, 4.0, 3.0, 0.0, 0.0, 0.5, 0.0)
fix(801, 0, 0, 1, 1, 0, 1)
element("elasticBeamColumn", 801, at(5, 1, 3), 801, 50e-4, E, G, 40e-8, 900e-8, 800e-8, 1)
# Equipment on a rigid arm, and a joint of two nodes.
node(802, 11.5, 5.5, 16.0)
mass(802, 2.5, 2.5, 2.5, 0.7, 0.7, 0.7)
if "unchained" in sys.argv:
    fix(802, 1, 1, 1, 1, 1, 1)
else:
    rigidLink("beam", at(4, 2, 1), 802)
node(803, 18.0, 15.0, 18.0)
if "unchained" in sys.argv:
    fix(803, 1, 1, 1, 1, 1, 1)
else:
    equalDOF(at(5, 3, 3), 803, 1, 2, 3)
node(804, 18.0, 17.0, 18.0)
element("elasticBeamColumn", 804, 803, 804, 50e-4, E, G, 40e-8, 900e-8, 800e-8, 2, "-mass", 0.5)
fix(804, 1, 0, 0, 0, 1, 0)
uniaxialMaterial("Elastic", 4, 40.0)
node(805, 18.0, 17.0, 18.0)
fix(805, 1, 1, 1, 1, 1, 1)
element("zeroLength", 991, 805, 804, "-mat", 4, 4, "-dir", 1, 3, "-orient", 0, 0, 1, 0, 1, 0)
assert tag == 200

timeSeries("Linear", 1)
pattern("Plain", 1, 1)
load(at(5, 0, 0), 10.0, 0.0, 0.0, 0.0, 0.0, 0.0)
constraints("Transformation")
if "wipe" in sys.argv:
    wipe()
else:
    analyze(1)
