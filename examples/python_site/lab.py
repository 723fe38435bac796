#!/usr/bin/python3
# The laboratory of examples/python_site/test.yaml: the bottom storey's bracing, a spring.
from trestle_site import serve


def spring(target):  # displacement of each interface DOF [m]
    return target, [30e6 * d for d in target]  # measured [m], force needed to hold it [N]


serve("lab", dofs=1, rig=spring, listen="tcp://127.0.0.1:7001")
