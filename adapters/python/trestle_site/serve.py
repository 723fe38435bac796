"""Puts a site's node on the bus and keeps it there."""

import math
import signal
import sys
import time

from trestle_site.bus import Bus
from trestle_site.node import Site

HELLO_PERIOD = 0.2  # [s]
FAREWELL = 0.5  # [s]; who closes while something comes in takes his last word with him


def serve(name, dofs, rig, listen=None, integrator=None, once=False, keys=None, insecure=False, say=None, **settings):
    """Serves a rig from one test to the next; ends on SIGINT and SIGTERM, or with `once` after one test.

    @param name        of the site, as the test knows it
    @param dofs        number of controlled interface DOFs; one actuator for each
    @param rig         called with the target of each DOF [m | rad]; returns the measured displacements and the forces
                       needed to hold them [N | N*m], +K*d for a spring. Called with zeros when a test begins.
                       An attribute `reset`, if there is one, is called before that.
    @param listen      address at which the integrator calls, tcp://127.0.0.1:7001 or ipc:///run/west
    @param integrator  in its place: where the integrator listens
    @param keys        trestle_site.Keys; needed beyond this machine
    @param say         receives each log line; by default stderr
    """
    say = say or (lambda line: print(line, file=sys.stderr, flush=True))
    bus = Bus(name, listen, integrator, keys, insecure)
    site = Site(name, dofs, rig, say=say, **settings)
    say(f"site {name} {'listens at' if bus.listens else 'calls'} {bus.address}; simulated, without safety gate")
    asked = []
    before = {}
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, lambda *_: asked.append(True))
    except ValueError:
        pass  # not the main thread: somebody else ends us
    try:
        leave_at = math.inf
        while not asked and time.monotonic() < leave_at:
            content = bus.receive(site.patience(time.monotonic_ns(), HELLO_PERIOD))
            answers = site.hear(content, time.monotonic_ns()) if content else []
            answers += site.tick(time.monotonic_ns(), HELLO_PERIOD)
            bus.keep_peer = site.conversing
            for answer in answers:
                bus.send(answer)
            if once and site.sessions_ended:
                leave_at = min(leave_at, time.monotonic() + FAREWELL)
        for answer in site.leave("the person at the site asked for a stop"):
            bus.send(answer)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        bus.close()
    say(f"site {name} ends")
