"""What a site does with the messages of the bus (docs/reference/bus-protocol.md): no socket and no clock in here.

A rig that is computed in Python follows each target at once. Modes: simulated and pseudo-dynamic. Every step is
executed at most once: the same again, and every older one, is answered from memory (P3). A restarted program
has no memory, and cannot resume the session that it was in.
"""

import math

from trestle_site.contract import contract_text, hash_of
from trestle_site.wire import session_pb2 as wire

VERSION = "0.1.0"
PROTOCOL = (1, 0)
OPENING = -1
# FaultKind of core/types/fault.h
NOT_FINITE, DISPLACEMENT, FORCE, TARGET, ADAPTER, STOPPED = 1, 2, 4, 6, 7, 10


class RigFault(Exception):
    """Raised by a rig that cannot go on: the sentence goes to everyone, the test stops safely."""


class _Trip(Exception):
    def __init__(self, kind, sentence, index=-1, value=0.0, limit=0.0):
        super().__init__(sentence)
        self.kind, self.index, self.value, self.limit = kind, index, value, limit


class Site:
    """One site's state: OFFLINE, CONNECTED, CONFIGURED, ARMED, RUNNING, HOLDING, FAULT."""

    def __init__(self, name, dofs, rig, say=lambda line: None, software=None):
        self.name, self.dofs, self.rig, self.say = name, dofs, rig, say
        self.software = software or f"{VERSION} (Python, no safety gate)"
        self.state = "OFFLINE"
        self.reason = ""
        self.sessions_ended = 0
        self.configure = None  # of the session that stands, or stood last
        self.live = False
        self._answers = {}  # step -> StepResponse
        self._sent = self._heard = 0
        self._spoke = False
        self._exchange = (0, 0)  # heard_sent, heard_received
        self._offset = None  # of the integrator's clock to ours, and the round trip it was found in [ns]
        self._stopped = wire.Stopped()

    @property
    def conversing(self):
        return self.live and self.state != "HOLDING"

    @property
    def last_step(self):
        return max(self._answers, default=OPENING)

    # --- called by who owns the socket and the clock ---

    def patience(self, now, hello_period):
        """How long nothing has to be said [s]."""
        period = self.configure.heartbeat_period_s if self.conversing else hello_period
        return max(0.0, period - (now - self._sent) * 1e-9) if self._spoke else 0.0

    def tick(self, now, hello_period):
        """What is due without a message: a hello, a heartbeat, a hold because nobody speaks."""
        if self.conversing and self.state != "FAULT" and now - self._heard > self.configure.watchdog_s * 1e9:
            self._fall_silent()
        if self._spoke and self.patience(now, hello_period) > 0.0:
            return []
        return [self._pack(self._heartbeat(now) if self.conversing else self._hello(), now)]

    def hear(self, content, now):
        """@returns the bytes of what is to be sent"""
        envelope = wire.Envelope()
        try:
            envelope.ParseFromString(content)
        except Exception:  # whatever the parser makes of garbage
            return []
        kind = envelope.WhichOneof("message")
        answer = getattr(self, "_on_" + kind, None) if kind else None
        if answer is None:
            return []
        message = getattr(envelope, kind)
        try:
            return [self._pack(m, now) for m in answer(message, now) or ()]
        except _Trip as trip:
            return [self._pack(self._fault(trip), now)]

    def leave(self, reason):
        """@returns the last words: who is in a test says that it stops"""
        if not self.live or self.state not in ("ARMED", "RUNNING"):
            return []
        self._be("HOLDING", reason)
        return [self._pack(self._halt(_Trip(STOPPED, reason)), self._heard)]

    # --- before the run ---

    def _on_welcome(self, welcome, _now):
        if self.state != "OFFLINE":
            return
        if welcome.protocol.major == PROTOCOL[0]:
            return self._be("CONNECTED")
        self.say(f"the integrator speaks protocol {welcome.protocol.major}, this site {PROTOCOL[0]}; update the older one")

    def _on_refusal(self, refusal, _now):
        if not self.live and refusal.reason != self.reason:
            self.reason = refusal.reason
            self.say("the integrator refuses: " + refusal.reason)

    def _on_configure(self, configure, now):
        same = self.configure is not None and configure.session == self.configure.session
        if same and self.live:
            self._heard = now
            if configure.resume and self.state == "RUNNING":  # the integrator was restarted
                self._be("HOLDING", "the integrator was restarted")
            return [self.configured]
        why = self._refusal_of(configure)
        if why:
            self.say("refused: " + why)
            return [wire.Rejection(reason=why)]
        self.configure = configure
        self._answers = {}
        self._offset = None
        self._heard = now
        self.live = True
        self._target = [0.0] * self.dofs
        self.configured = self._agree(configure)
        self.hash = hash_of(self.configured.contract)
        self._be("CONFIGURED")
        return [self.configured]

    def _refusal_of(self, configure):
        if self.state == "FAULT":
            return f"it is in FAULT ({self.reason}); restart its program when that is seen to"
        if self.live and self.state == "RUNNING":
            return f"it is RUNNING in test {self.configure.test}"
        if configure.resume:
            return "it has no record of this session that was cut off: a site in Python keeps none"
        if len(configure.session) != 16:
            return "the session has no id"
        if configure.mode not in self._modes():
            return f"it cannot run in mode {configure.mode}; a site in Python knows {', '.join(self._modes())}"
        if len(configure.layout) != self.dofs or any(dof.force_only for dof in configure.layout):
            return f"its rig has {self.dofs} controlled interface DOFs, and none that is force-only"
        if configure.limits and len(configure.limits) != self.dofs:
            return f"it has {self.dofs} actuators, the test states limits for {len(configure.limits)}"
        for what, message, none in (("compensator", configure.compensator, "none"), ("controller", configure.controller, "pass_through")):
            kind = message.WhichOneof("kind")
            if kind not in (None, none):
                return f"a site in Python has no {what}, and the test asks for {kind}; say {what}: {none.replace('_', '-')}"
        return ""

    @staticmethod
    def _modes():
        return ["simulated", "pseudo-dynamic"]

    def _agree(self, configure):
        """The test's limits hold: there are no others here."""
        configured = wire.Configured(session=configure.session)
        configured.layout.extend(configure.layout)
        for dof, actuator in zip(configure.layout, self._hello().actuators):
            configured.actuators.add(name=actuator.name, kind=dof.kind)
        infinite = {f: math.inf for f in ("displacement", "rate", "force", "tracking_error")}
        for i in range(self.dofs):
            configured.limits.add(**infinite)
            if configure.limits:
                configured.limits[i].CopyFrom(configure.limits[i])
        stated = [("safe_action", "none: simulated in Python"), ("safety_gate", "none"), ("start_checks", "none")]
        configured.contract = contract_text(self._hello(), configure, configured, stated)
        return configured

    def _on_arm(self, arm, now):
        if not self._ours(arm, now):
            return
        if self.state == "CONFIGURED":
            if arm.contract_hash != self.hash:
                return [wire.Rejection(reason="the contract to arm is not the one that this site agreed to; configure the test again")]
            self._be("ARMED")
        if self.state == "ARMED" or (self.state == "RUNNING" and self.last_step == OPENING):
            return [wire.Armed(session=self.configure.session)]

    def _on_start(self, start, now):
        if not self._ours(start, now):
            return
        if self.state == "RUNNING" and self.last_step == OPENING:
            return [self._answers[OPENING]]  # asked again: the opening read is made once
        if self.state != "ARMED":
            return
        self._be("RUNNING")
        self._zero = start.at_ns
        self._open(now)
        return [self._answers[OPENING]]

    def _open(self, now):
        if hasattr(self.rig, "reset"):
            self.rig.reset()
        self._answers[OPENING] = self._move(OPENING, [0.0] * self.dofs, now)

    # --- the run ---

    def _on_step_command(self, command, now):
        if not self._ours(command, now):
            if self.live or self.state == "OFFLINE":
                return
            return [wire.Rejection(reason="a step of another session came")]
        self._learn(command.exchange, now)
        if command.step in self._answers and command.step != OPENING:
            return [self._answers[command.step]]  # never moved twice
        if self.state == "FAULT":
            return [self._last_halt]
        if self.state == "HOLDING":
            return [self._hello()]
        why = self._refusal_of_step(command)
        if why:
            self.say("refused: " + why)
            return [wire.Rejection(reason=why)]
        self._answers[command.step] = self._move(command.step, list(command.target.displacement), now)
        return [self._answers[command.step]]

    def _refusal_of_step(self, command):
        step = f"step {command.step}"
        if self.state != "RUNNING":
            return f"{step} came while the site is {self.state}"
        if command.step != self.last_step + 1:
            return f"{step} came; the next one is {self.last_step + 1}"
        parts = [command.target.displacement, command.target.velocity, command.target.acceleration]
        if any(len(part) != self.dofs for part in parts):
            return f"{step} has vectors of other lengths than the {self.dofs} controlled interface DOFs that were agreed"
        if command.feedforward_target.displacement or command.command_feedforward:
            return f"{step} brings feed-forward, which a site in Python does not know"
        for dof, value in zip(self.configured.layout, command.target.displacement):
            if not math.isfinite(value):
                return f"the target of {dof.name} is not a number at {step}"
            if abs(value) > dof.displacement_limit:
                return f"target {value:.6g} of {dof.name} is above its limit {dof.displacement_limit:.6g} at {step}"
        return ""

    def _move(self, step, target, now):
        """Executes the step once. @returns its answer"""
        for i, (value, limits) in enumerate(zip(target, self.configured.limits)):
            if abs(value) > limits.displacement:
                raise _Trip(DISPLACEMENT, f"displacement {value:.6g} at actuator {i + 1} is above its limit {limits.displacement:.6g}", i, abs(value), limits.displacement)
        measured, force = self._ask_rig(target)
        response = wire.Envelope().step_response
        response.session, response.step = self.configure.session, step
        response.measured.extend(measured)
        response.force.extend(force)
        response.actuators.target.extend(target)
        response.actuators.command.extend(target)
        response.actuators.measured.extend(measured)
        response.actuators.force.extend(force)
        response.received_ns = response.started_ns = response.driven_ns = response.closed_ns = now
        if self.configure.mode == "simulated":
            response.measured_at_ns = round((step + 1) * self.configure.time_step_s * 1e9)
        elif step != OPENING and self._offset is not None:
            response.measured_at_ns = max(0, now + self._offset[0] - self._zero)
        for i, (value, limits) in enumerate(zip(force, self.configured.limits)):
            if abs(value) > limits.force:
                raise _Trip(FORCE, f"force {value:.6g} at actuator {i + 1} is above its limit {limits.force:.6g}", i, abs(value), limits.force)
        return response

    def _ask_rig(self, target):
        try:
            measured, force = self.rig(list(target))
            measured, force = [float(v) for v in measured], [float(v) for v in force]
        except Exception as error:  # whatever is wrong in a user's rig ends the test, not the site
            raise _Trip(ADAPTER, f"the rig in Python failed: {type(error).__name__}: {error}") from error
        if len(measured) != self.dofs or len(force) != self.dofs:
            raise _Trip(ADAPTER, f"the rig in Python gave {len(measured)} displacements and {len(force)} forces, not {self.dofs} of each")
        for i, value in enumerate(measured + force):
            if not math.isfinite(value):
                raise _Trip(NOT_FINITE, f"a number that is not finite at actuator {i % self.dofs + 1}", i % self.dofs)
        return measured, force

    # --- holding, going on, the end ---

    def _on_heartbeat(self, beat, now):
        if not self._ours(beat, now):
            return
        self._learn(beat.exchange, now)
        if self.state in ("CONFIGURED", "HOLDING"):
            return [self._heartbeat(now)]  # an integrator that compares clocks speaks often

    def _on_halt(self, halt, now):
        if not self._ours(halt, now):
            return
        if self.state in ("ARMED", "RUNNING"):
            self._be("HOLDING", f"{halt.node}: {halt.reason}")
        return [self._heartbeat(now)]  # the word that it holds

    def _on_resume(self, resume, now):
        if not self._ours(resume, now):
            return
        if self.state == "HOLDING":
            if resume.contract_hash and resume.contract_hash != self.hash:
                return [wire.Rejection(reason="the contract to resume is not the one that this site agreed to")]
            if OPENING not in self._answers:
                self._open(now)
            self._zero = resume.at_ns
            self._be("RUNNING")
        if self.state == "RUNNING":
            return [wire.Resumed(session=self.configure.session, last_step=self.last_step)]

    def _on_stop(self, stop, now):
        if self.configure is None or stop.session != self.configure.session:
            return None if self.live else [wire.Stopped(session=stop.session, last_step=OPENING)]
        if not self.live:
            return [self._stopped]
        self._heard = now
        self._end(stop.reason)
        return [self._stopped]

    def _end(self, reason):
        """A simulated rig comes to rest by being left alone. A fault stays."""
        steps = self.last_step
        self._stopped = wire.Stopped(session=self.configure.session, last_step=steps, ticks=(steps + 1) * max(1, self.configure.ticks_per_step))
        self.live = False
        self.sessions_ended += 1
        if self.state != "FAULT":
            self._be("CONFIGURED", reason)
            self.state = "OFFLINE"  # the next test begins with a hello
            self.reason = ""

    def _fall_silent(self):
        why = f"the integrator is silent for longer than {self.configure.watchdog_s:.6g} s"
        if self.state == "RUNNING":
            self._be("HOLDING", why)
        else:
            self._end(why)

    def _on_fetch(self, fetch, _now):
        return [wire.RecordChunk(session=fetch.session, offset=fetch.offset, problem="a site in Python keeps no records")]

    def _fault(self, trip):
        step = self.last_step + 1
        self._be("FAULT", f"{trip} at step {step}, t = {step * self.configure.time_step_s:.3f} s")
        self._last_halt = self._halt(trip)
        return self._last_halt

    # --- parts of messages ---

    def _ours(self, message, now):
        """Only messages of the session that stands are a sign of life."""
        if not self.live or message.session != self.configure.session:
            return False
        self._heard = now
        return True

    def _learn(self, exchange, now):
        """The integrator's clock, by the exchange with the shortest round trip so far."""
        if not exchange.sent_ns:
            return
        self._exchange = (exchange.sent_ns, now)
        if exchange.heard_sent_ns:
            there, back = exchange.heard_received_ns - exchange.heard_sent_ns, exchange.sent_ns - now
            trip = (now - exchange.heard_sent_ns) - (exchange.sent_ns - exchange.heard_received_ns)
            if self._offset is None or trip < self._offset[1]:
                self._offset = ((there + back) // 2, trip)

    def _hello(self):
        hello = wire.Hello(site=self.name, software=self.software, interface_dofs=self.dofs, modes=self._modes(),
                           real_equipment=False, hardware_watchdog=False, last_step=OPENING, in_doubt_step=OPENING)
        hello.protocol.major, hello.protocol.minor = PROTOCOL
        for i in range(self.dofs):
            hello.actuators.add(name=str(i + 1))
        if self.configure is not None:
            hello.last_session = self.configure.session
            hello.last_step = self.last_step
            hello.can_resume = self.live and self.state in ("HOLDING", "RUNNING")
        return hello

    def _heartbeat(self, _now):
        return wire.Heartbeat(session=self.configure.session)

    def _halt(self, trip):
        return wire.Halt(session=self.configure.session, node=self.name, fault=trip.kind, index=trip.index,
                         value=trip.value, limit=trip.limit, step=self.last_step + 1, reason=self.reason)

    def _pack(self, message, now):
        """An envelope, its stamps made right before it goes."""
        envelope = wire.Envelope()
        field = next(f.name for f in wire.Envelope.DESCRIPTOR.fields if f.message_type == message.DESCRIPTOR)
        part = getattr(envelope, field)
        part.CopyFrom(message)
        if field in ("step_response", "heartbeat"):
            part.exchange.sent_ns = now
            part.exchange.heard_sent_ns, part.exchange.heard_received_ns = self._exchange
        self._sent, self._spoke = now, True
        return envelope.SerializeToString()

    def _be(self, state, reason=""):
        self.state, self.reason = state, reason
        test = self.configure.test if self.configure is not None else ""
        self.say(f"{state:10} {test}  {reason}".rstrip())
