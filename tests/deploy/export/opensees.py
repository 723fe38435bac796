"""A small stand-in for the module of OpenSees: the commands of the test's models, kept as they were called.

It computes nothing. Like OpenSees it answers with the nodes and elements that it has.
"""

calls = []  # (command, arguments)
_nodes, _elements, _masses = {}, [], {}


def _keep(name, args):
    calls.append((name, args))


def model(*args):
    _keep("model", args)


def node(tag, *rest):
    if tag in _nodes:
        raise RuntimeError(f"node {tag} exists")
    _nodes[tag] = [value for value in rest if not isinstance(value, str)]
    _keep("node", (tag, *rest))


def mass(tag, *values):
    _masses[tag] = list(values)
    _keep("mass", (tag, *values))


def element(kind, tag, *rest):
    _elements.append(tag)
    _keep("element", (kind, tag, *rest))


def block2D(*args):
    """Makes nodes and elements that no recorded command names."""
    _nodes[901], _nodes[902] = [0.0, 0.0], [1.0, 0.0]
    _elements.append(77)


def remove(kind, tag=None):
    if kind == "ele":
        _elements.remove(tag)
    _keep("remove", (kind, tag))


def wipe():
    calls.clear(), _nodes.clear(), _elements.clear(), _masses.clear()


def getNodeTags():
    return list(_nodes)


def getEleTags():
    return list(_elements)


def nodeCoord(tag):
    return _nodes[tag]


def nodeMass(tag):
    return _masses.get(tag, [])


def analyze(*args):
    raise RuntimeError("this stand-in analyses nothing")


def _plain(name):
    def command(*args):
        _keep(name, args)
    return command


for _name in ("fix", "fixX", "fixY", "fixZ", "section", "uniaxialMaterial", "geomTransf", "beamIntegration", "rigidDiaphragm",
              "rigidLink", "equalDOF", "equalDOF_Mixed", "rayleigh", "timeSeries", "pattern", "load", "eleLoad", "sp",
              "constraints", "numberer", "system", "eigen", "recorder", "mesh", "patch"):
    globals()[_name] = _plain(_name)
