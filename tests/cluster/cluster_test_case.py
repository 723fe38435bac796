"""What the tests of campaigns with a real mpirun and a real Slurm have in common. All runs in a network
namespace of its own, so that nothing listens outside of it."""
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

SHORT = ["--set", "duration=0.5 s"]
TABLES = ["results.csv", "results.h5", "results.mat", "summary.json"]
MARK = "TRESTLE_CLUSTER_TEST"


def skip(why):
    print("SKIPPED:", why)
    sys.exit(77)


def check(holds, what):
    if not holds:
        print("FAILED:", what)
        sys.exit(1)


def need(*programs):
    for program, package in programs:
        if shutil.which(program) is None:
            skip(f"{program} is not installed (deploy/setup.sh --with-tests installs {package})")


def enter_namespace():
    """Starts this script again where only the loopback is. The second address is for glibc, which resolves no
    name on a host that has only the first."""
    if os.environ.get(MARK):
        return
    inside = "ip link set lo up && ip addr add 10.77.0.1/32 dev lo && exec \"$@\""
    kind = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--net"]
    if subprocess.run(kind + ["true"], capture_output=True).returncode != 0:
        skip("this machine makes no network namespace (unshare --net)")
    os.environ["OMPI_MCA_oob_tcp_if_include"] = "lo"  # mpirun otherwise wants another network
    os.environ[MARK] = f"{os.getpid()}-{time.time_ns()}"
    os.execvp(kind[0], kind + ["bash", "-c", inside, "bash", sys.executable, "-B"] + sys.argv)


def marked_processes():
    """All processes that were started from here, but this one and those above it."""
    mark = f"{MARK}={os.environ[MARK]}".encode()
    above = set()
    pid = os.getpid()
    while pid > 1:
        above.add(pid)
        with open(f"/proc/{pid}/stat") as stat:
            pid = int(stat.read().rsplit(")", 1)[1].split()[1])
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) in above:
            continue
        try:
            with open(f"/proc/{entry}/environ", "rb") as environ:
                variables = environ.read().split(b"\0")
            with open(f"/proc/{entry}/stat") as stat:
                state = stat.read().rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        if mark in variables and state != "Z":
            found[int(entry)] = dict(v.split(b"=", 1) for v in variables if b"=" in v)
    return found


def wait_until(holds, what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = holds()
        if value:
            return value
        time.sleep(0.02)
    check(False, f"{what} within {seconds} s")


def kill(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


class Campaigns:
    """Campaigns of one study in folders of their own."""

    def __init__(self, trestle, study):
        self.trestle = trestle
        self.study = study
        self.place = tempfile.TemporaryDirectory(prefix="trestle-cluster-")
        self.folder = self.place.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def words(self, out, runs, *more):
        return [self.trestle, "campaign", self.study, "--out", self.path(out), "--runs", str(runs), *SHORT, *more]

    def mpirun(self, ranks, *options):
        return ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), *options]

    def run(self, words, env=None, seconds=300):
        return subprocess.run(words, capture_output=True, text=True, env=env, timeout=seconds, cwd=self.folder)

    def start(self, words, log, env=None):
        with open(self.path(log), "w") as out:
            return subprocess.Popen(words, stdout=out, stderr=out, env=env, cwd=self.folder)

    def said(self, log):
        with open(self.path(log)) as file:
            return file.read()

    def alone(self, out, runs):
        ended = self.run(self.words(out, runs, "--jobs", "1"), env=without_launcher())
        check(ended.returncode == 0, f"a campaign alone: {ended.stderr}")

    def check_computed(self, said, stored, runs, of_one_process):
        """The last start computed the runs that were not stored before it, and no other. Of ranks, rank 0 says how many it
        did."""
        missing = runs - sum(1 for run in stored if 0 < run <= runs)
        found = re.findall(r"(?m)^batches +\d+ of (\d+) runs", said)
        computed = int(found[-1]) if found else 0
        check(computed == missing if of_one_process else computed <= missing,
              f"no stored run was computed again: {missing} were missing, {computed} computed here: {said}")

    def check_same(self, one, other):
        for table in TABLES:
            with open(self.path(one) + "/" + table, "rb") as a, open(self.path(other) + "/" + table, "rb") as b:
                check(a.read() == b.read(), f"{table} of {one} and {other} are the same bytes")

    def stored(self, out, store="campaign.db"):
        """What the store has, read from a copy, as it may be in use: run -> results; and its `meta`."""
        rows, meta = {}, {}
        with tempfile.TemporaryDirectory() as copy:
            for ending in ["", "-wal"]:
                if os.path.exists(self.path(out) + "/" + store + ending):
                    shutil.copy(self.path(out) + "/" + store + ending, copy + "/store" + ending)
            if not os.path.exists(copy + "/store"):
                return rows, meta
            database = sqlite3.connect(copy + "/store")
            if database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'run'").fetchone()[0]:
                rows = {row[0]: row[1:] for row in database.execute("SELECT run, outcome, results FROM run")}
                meta = dict(database.execute("SELECT key, value FROM meta"))
            database.close()
        return rows, meta


def without_launcher():
    return {name: value for name, value in os.environ.items()
            if not name.startswith(("OMPI_COMM_", "PMIX_", "PMI_", "SLURM_STEP_"))}
