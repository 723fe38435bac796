"""A site of a hybrid test written in Python: simulated rigs only.

The site server's safety gate, compensators and control thread are not in here. The site therefore says in its
Hello that it has no real equipment; real equipment goes through a plug-in of `trestle site`. docs/howto/python-site.md.

    from trestle_site import serve

    def spring(target):                          # one displacement per interface DOF [m | rad]
        return target, [2.8e3 * d for d in target]   # measured [m | rad], force needed to hold it [N | N*m]

    serve("west", dofs=1, rig=spring, listen="tcp://127.0.0.1:7001")
"""

from trestle_site.bus import Bus, Keys
from trestle_site.node import RigFault, Site, VERSION
from trestle_site.serve import serve

__all__ = ["Bus", "Keys", "RigFault", "Site", "VERSION", "serve"]
