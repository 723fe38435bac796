"""A site in Python against the real integrator, over ipc sockets, and its node against messages made by hand.
site_test.py TRESTLE EXAMPLES [unittest's arguments]; ends with 77 where pyzmq or protobuf are not installed."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest

try:
    import zmq
    from trestle_site import Bus, Site
    from trestle_site.contract import number
    from trestle_site.wire import session_pb2 as wire
    from trestle_site.wire import step_pb2
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

TRESTLE, EXAMPLES = sys.argv[1], sys.argv[2]
SHORT = ["--set", "excitation.synthetic.duration=0.5s"]
FAST_RAMPS = ["--set", "mode=pseudo-dynamic", "--set", "excitation.synthetic.duration=0.1s", "--set",
              "pseudo_dynamic={rate: 500 mm/s, settle: 2 ms, average: 2 ms}"]


def spring(target):
    return target, [30e6 * d for d in target]


class Laboratory(unittest.TestCase):
    """A site of its own process, told what to be in Python; the test in another."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = self._folder.name
        self.address = f"ipc://{self.folder}/lab"
        self.processes = []

    def tearDown(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.communicate()
        self._folder.cleanup()

    def start(self, *words):
        process = subprocess.Popen(words, cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.processes.append(process)
        return process

    def serve(self, rig="spring", setup="", serving=""):
        serving = serving or f"listen={self.address!r}"
        program = (f"{setup}\nfrom trestle_site import serve\ndef spring(t):\n  return t, [30e6 * d for d in t]\n"
                   f"serve('lab', dofs=1, rig={rig}, once=True, {serving})")
        return self.start(sys.executable, "-c", program)

    def await_line(self, process, words):
        for line in process.stdout:
            if words in line:
                return
        self.fail("it ended without saying: " + words)

    def trestle(self, *words):
        ended = subprocess.run([TRESTLE, *words], cwd=self.folder, text=True, capture_output=True, timeout=100)
        return ended.returncode, ended.stdout + ended.stderr

    def run_far(self, *more, test="distributed.yaml"):
        return self.trestle("run", f"{EXAMPLES}/{test}", "--out", "far", "--set", f"sites.lab.address={self.address}", *more)

    def expect_same_record_as_here(self, *more):
        code, said = self.trestle("run", f"{EXAMPLES}/test.yaml", "--out", "here", "--set", "clock=virtual", *more)
        self.assertEqual(code, 0, said)
        records = []
        for run in ("here", "far"):
            code, said = self.trestle("export", run, "--csv", run + ".csv")
            self.assertEqual(code, 0, said)
            with open(f"{self.folder}/{run}.csv", "rb") as file:
                records.append(file.read())
        self.assertEqual(records[0], records[1])

    def test_gives_the_record_of_the_simulated_rig_of_the_same_law_bit_for_bit(self):
        site = self.serve()
        code, said = self.run_far()
        self.assertEqual(code, 0, said)
        self.assertEqual(site.wait(10), 0, site.stdout.read())
        self.expect_same_record_as_here()

    def test_follows_a_pseudo_dynamic_test(self):
        self.serve()
        code, said = self.run_far(*FAST_RAMPS)
        self.assertEqual(code, 0, said)
        self.expect_same_record_as_here(*FAST_RAMPS)

    def test_may_call_the_integrator(self):
        self.serve(serving=f"integrator={self.address!r}")
        with open(f"{self.folder}/calls.yaml", "w", encoding="utf8") as file:
            file.write(f"include: {EXAMPLES}/test.yaml\nlisten: {self.address}\nsites: {{lab: {{remote: true}}}}\n")
        code, said = self.trestle("run", "calls.yaml", "--out", "far", *SHORT)
        self.assertEqual(code, 0, said)
        self.expect_same_record_as_here(*SHORT)

    def test_proves_who_it_is_by_its_key(self):
        public = {}
        for name in ("lab", "hall"):
            self.trestle("keygen", name)
            with open(f"{self.folder}/{name}.pub", encoding="ascii") as file:
                public[name] = file.read().split("\n")[1]
        self.address = "tcp://127.0.0.1:0"
        site = self.serve(setup="from trestle_site import Keys",
                          serving=f"listen={self.address!r}, keys=Keys('lab.key', peers={{'hall': {public['hall']!r}}})")
        self.address = site.stdout.readline().split("listens at ")[1].split(";")[0]
        code, said = self.run_far(*SHORT, "--set", f"security.key={self.folder}/hall.key", "--set", f"sites.lab.public_key='{public['lab']}'")
        self.assertEqual(code, 0, said)
        self.expect_same_record_as_here(*SHORT)

    def test_goes_on_from_memory_after_the_integrator_was_killed(self):
        self.go_on_after_a_kill(at_once=False)

    def test_hears_the_next_integrator_that_called_before_it_held(self):
        self.go_on_after_a_kill(at_once=True)

    def go_on_after_a_kill(self, at_once):
        # Its hundredth step takes long enough for somebody to be killed in it.
        slow = ("import time\nsteps = []\ndef slow(t):\n  steps.append(t)\n  time.sleep(2e-3)\n  if len(steps) == 100:\n"
                "    print('the hundredth', flush=True)\n    time.sleep(0.3)\n  return t, [30e6 * d for d in t]")
        site = self.serve(rig="slow", setup=slow)
        integrator = self.start(TRESTLE, "run", f"{EXAMPLES}/distributed.yaml", "--out", "far", "--set", f"sites.lab.address={self.address}", *SHORT,
                                "--set", "deadlines.watchdog=0.6s", "--set", "deadlines.heartbeat=0.1s")
        self.await_line(site, "the hundredth")
        integrator.send_signal(signal.SIGKILL)
        integrator.wait()
        if not at_once:
            self.await_line(site, "HOLDING")
        code, said = self.trestle("resume", "far")
        self.assertEqual(code, 0, said)
        self.expect_same_record_as_here(*SHORT)

    def test_bears_a_network_with_delay_loss_and_outages(self):
        self.address = "tcp://127.0.0.1:0"
        site = self.serve()
        site_at = site.stdout.readline().split("listens at tcp://")[1].split(";")[0]
        with open(f"{self.folder}/link.yaml", "w", encoding="utf8") as file:
            file.write("link: {delay: 1 ms, jitter: 0.5 ms, loss: 0.5 %, outages: {every: 1 s, duration: 0.2 s, regular: true, first: 0.5 s}}\n"
                       f"seed: 3\nrelays: {{lab: {{listen: '127.0.0.1:0', to: '{site_at}'}}}}\n")
        link = self.start(TRESTLE, "link", "link.yaml")
        self.address = "tcp://" + link.stdout.readline().split("listens at ")[1].split(" ")[0]
        code, said = self.run_far(*SHORT)
        self.assertEqual(code, 0, said)
        link.send_signal(signal.SIGINT)
        self.assertIn("outage of 0.200 s begins", link.stdout.read())
        self.expect_same_record_as_here(*SHORT)

    def test_says_why_its_rig_cannot_go_on(self):
        for rig, setup, sentence in (
            ("torn", "def torn(t):\n  raise RuntimeError('the wire is torn')", "the wire is torn"),
            ("nan", "def nan(t):\n  return t, [float('nan')]", "not finite at actuator 1"),
            ("short", "def short(t):\n  return t, []", "gave 1 displacements and 0 forces"),
        ):
            with self.subTest(rig):
                self.serve(rig=f"lambda t: {rig}(t) if t[0] else ([0.0], [0.0])", setup=setup)
                code, said = self.run_far(*SHORT)
                self.assertEqual(code, 3, said)
                self.assertIn(sentence, said)
                self.tearDown()
                self.setUp()

    def test_keeps_the_limits_of_the_test(self):
        self.serve()
        code, said = self.run_far("--set", "sites.lab.limits.actuators[0].force=20 kN")
        self.assertEqual(code, 3, said)
        self.assertIn("force", said)

    def test_refuses_what_it_has_not(self):
        for setting, sentence in (("sites.lab.compensator={kind: polynomial, delay: 8 ms}", "has no compensator"),
                                  ("mode=real-time", "cannot run in mode real-time")):
            with self.subTest(setting):
                self.serve()
                code, said = self.run_far(*SHORT, "--set", setting)
                self.assertNotEqual(code, 0)
                self.assertIn(sentence, said)
                self.tearDown()
                self.setUp()


class Conversation(unittest.TestCase):
    """The node alone: what it answers, and how often its rig moves."""

    def setUp(self):
        self.moves = []

        def rig(target):
            self.moves.append(target[0])
            return spring(target)

        self.site = Site("lab", 1, rig)
        self.now = 0

    def tell(self, **message):
        self.now += 1000
        envelope = wire.Envelope(**message).SerializeToString()
        return [wire.Envelope.FromString(answer) for answer in self.site.hear(envelope, self.now)]

    def configure(self, session=b"s" * 16, **more):
        dof = wire.InterfaceDof(name="ground.x", displacement_limit=0.05)
        return wire.Configure(session=session, test="t", mode="simulated", time_step_s=0.01, ticks_per_step=1,
                              steps_planned=9, layout=[dof], heartbeat_period_s=0.5, watchdog_s=5.0, **more)

    def begin(self):
        self.tell(welcome=wire.Welcome(protocol=wire.Version(major=1)))
        configured = self.tell(configure=self.configure())[0].configured
        from trestle_site.contract import hash_of
        self.tell(arm=wire.Arm(session=b"s" * 16, contract_hash=hash_of(configured.contract)))
        return self.tell(start=wire.Start(session=b"s" * 16))[0].step_response

    def step(self, number, target, session=b"s" * 16):
        command = step_pb2.StepCommand(session=session, step=number)
        for part in (command.target.displacement, command.target.velocity, command.target.acceleration):
            part.append(target)
        return self.tell(step_command=command)

    @staticmethod
    def result(answers):
        """Without the stamps of sending."""
        answers[0].step_response.ClearField("exchange")
        return answers[0].SerializeToString()

    def test_never_moves_twice_for_a_step(self):
        self.assertEqual(self.begin().step, -1)
        first = self.result(self.step(0, 0.01))
        second = self.result(self.step(1, 0.02))
        moved = list(self.moves)
        self.assertEqual(self.result(self.step(1, 0.02)), second)
        self.assertEqual(self.result(self.step(1, 0.03)), second)
        self.assertEqual(self.result(self.step(0, 0.01)), first)
        self.assertEqual(self.moves, moved)

    def test_a_gap_another_session_and_garbage_move_nothing(self):
        self.begin()
        self.step(0, 0.01)
        moved = list(self.moves)
        self.assertIn("the next one is 1", self.step(2, 0.02)[0].refusal.reason)
        self.assertEqual(self.step(1, 0.02, session=b"x" * 16), [])
        self.assertIn("not a number", self.step(1, float("nan"))[0].refusal.reason)
        self.assertIn("above its limit", self.step(1, 0.06)[0].refusal.reason)
        for garbage in (b"", b"\xff" * 40, os.urandom(200), b"\x0a\x02\x0a\x7f"):
            self.site.hear(garbage, self.now)
        self.assertEqual(self.moves, moved)
        self.assertEqual(self.step(1, 0.02)[0].step_response.step, 1)

    def test_says_the_opening_read_and_its_agreement_again_when_asked_again(self):
        self.begin()
        self.assertEqual(self.tell(configure=self.configure())[0].configured.session, b"s" * 16)
        self.assertEqual(self.tell(start=wire.Start(session=b"s" * 16))[0].step_response.step, -1)
        self.assertEqual(len(self.moves), 1)
        self.assertIn("RUNNING in test", self.tell(configure=self.configure(b"x" * 16))[0].refusal.reason)

    def test_holds_when_nobody_speaks_and_goes_on_when_told(self):
        self.begin()
        self.step(0, 0.01)
        self.now += int(6e9)
        hello = wire.Envelope.FromString(self.site.tick(self.now, 0.2)[0]).hello
        self.assertEqual((self.site.state, hello.can_resume, hello.last_step), ("HOLDING", True, 0))
        self.assertFalse(hello.real_equipment)
        self.assertEqual(self.step(1, 0.02)[0].WhichOneof("message"), "hello")
        self.assertTrue(self.tell(configure=self.configure(resume=True))[0].HasField("configured"))
        self.assertEqual(self.tell(resume=wire.Resume(session=b"s" * 16, next_step=1))[0].resumed.last_step, 0)
        self.assertEqual(self.step(1, 0.02)[0].step_response.step, 1)

    def test_holds_and_stops_when_told(self):
        self.begin()
        halt = wire.Halt(session=b"s" * 16, node="integrator", reason="a crack")
        self.assertEqual(self.tell(halt=halt)[0].WhichOneof("message"), "heartbeat")
        self.assertEqual(self.site.state, "HOLDING")
        stop = wire.Stop(session=b"s" * 16, reason="over")
        self.assertEqual(self.tell(stop=stop)[0].stopped.last_step, -1)
        self.assertEqual(self.tell(stop=stop)[0].stopped.last_step, -1)
        self.assertEqual(self.tell(stop=wire.Stop(session=b"y" * 16))[0].stopped.session, b"y" * 16)

    def test_leaves_this_machine_by_key_only(self):
        with self.assertRaisesRegex(ValueError, "needs keys"):
            Bus("lab", listen="tcp://*:7001")

    def test_writes_numbers_as_the_integrator_does(self):
        for value, text in ((1e5, "1e+05"), (123456.0, "123456"), (1e-5, "1e-05"), (0.0009765625, "0.0009765625"), (60.0, "60"),
                            (12345678901234567890.0, "12345678901234567168"), (0.1 + 0.2, "0.30000000000000004"), (float("inf"), "none")):
            self.assertEqual(number(value), text)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
