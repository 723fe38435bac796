#!/usr/bin/env python3
"""A campaign in a real Slurm, which the test starts. Usage: slurm_campaign.py TRESTLE STUDY.yaml CASE
  array  the script of --slurm as it is printed: an array of shares, and the merge as a job that waits for them
  ranks  srun --mpi=pmix; SIGUSR1 stops it with exit code 3, and Slurm starts it again
  node   a node dies: the other one continues its job
Exits 77 where Slurm, the module for MPI or a network namespace is missing, or this is not root."""
import os
import signal
import sys
import tempfile

import cluster_test_case as case
from cluster_test_case import check, kill, marked_processes, wait_until
from small_slurm import SmallSlurm

MANY = 100000


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def quoted(words):
    return " ".join("'" + word + "'" for word in words)


def step_daemons():
    """Those of this network namespace, which has one job."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as words:
                if words.read().startswith(b"slurmstepd") and \
                        os.readlink(f"/proc/{entry}/ns/net") == os.readlink("/proc/self/ns/net"):
                    found.append(int(entry))
        except OSError:
            pass
    return found


def array(campaigns, slurm):
    runs = 40
    campaigns.alone("alone", runs)
    printed = campaigns.run(campaigns.words("a", runs, "--slurm", "nodes=4,tasks=1,time=10min"))
    check(printed.returncode == 0, printed.stderr)
    script = campaigns.path("job.sh")
    write(script, printed.stdout)
    check(campaigns.run(["bash", "-n", script]).returncode == 0, "the script is one for bash")
    check(campaigns.run(["sbatch", "--test-only", script]).returncode == 0, "sbatch takes the script")
    job = slurm.submit(script)
    merging = campaigns.path("merge.sh")
    words = [campaigns.trestle, "campaign", "merge", campaigns.study, "--out", campaigns.path("a"),
             "--runs", str(runs), *case.SHORT]
    write(merging, "#!/bin/bash\nexec " + quoted(words) + "\n")
    after = slurm.submit(merging, f"--dependency=afterok:{job}", "--output=" + campaigns.path("merge.log"))
    slurm.wait_for(after)
    check("COMPLETE" in campaigns.said("merge.log"), campaigns.said("merge.log"))
    campaigns.check_same("alone", "a")


def ranks(campaigns, slurm):
    script = campaigns.path("job.sh")
    write(script, "#!/bin/bash\nif [ ${SLURM_RESTART_COUNT:-0} = 0 ]; then runs=100000; else runs=300; fi\n"
          f"srun --mpi=pmix -n 2 {quoted(campaigns.words('a', 'RUNS'))} --runs $runs\ncode=$?\n"
          "echo code $code restart ${SLURM_RESTART_COUNT:-0}\n"
          "[ $code = 3 ] && scontrol requeue $SLURM_JOB_ID && exit 0\nexit $code\n".replace("'--runs' 'RUNS' ", ""))
    with open(script) as file:
        check("RUNS" not in file.read(), "the number of runs is that of the start")
    job = slurm.submit(script, "-n", "2", "--open-mode=append", "--output=" + campaigns.path("log"))
    wait_until(lambda: len(campaigns.stored("a")[0]) > 20, "the campaign has begun")
    slurm.ask("scancel", "--signal=USR1", job)
    wait_until(lambda: "code 3 restart 0" in campaigns.said("log"), "it stops with exit code 3")
    kept = campaigns.stored("a")[0]
    slurm.wait_for(job)
    check("code 0 restart 1" in campaigns.said("log"), campaigns.said("log"))
    check(campaigns.said("log").count("COMPLETE   300 runs") == 1, campaigns.said("log"))
    now = campaigns.stored("a")[0]
    check(all(now[run] == kept[run] for run in kept), "every stored run is kept")
    campaigns.check_computed(campaigns.said("log"), kept, 300, of_one_process=False)
    campaigns.alone("alone", 300)
    campaigns.check_same("alone", "a")


def node(campaigns, slurm):
    script = campaigns.path("job.sh")
    write(script, "#!/bin/bash\nif [ ${SLURM_RESTART_COUNT:-0} = 0 ]; then runs=100000; else runs=300; fi\n"
          f"{quoted(campaigns.words('a', 'RUNS', '--jobs', '1'))} --runs $runs\n"
          "echo code $? restart ${SLURM_RESTART_COUNT:-0} on $SLURMD_NODENAME\n".replace("'--runs' 'RUNS' ", ""))
    job = slurm.submit(script, "--requeue", "--open-mode=append", "--output=" + campaigns.path("log"))
    wait_until(lambda: len(campaigns.stored("a")[0]) > 20, "the campaign has begun")
    check(step_daemons(), "the node has step daemons")
    dying = slurm.facts(job)["NodeList"]
    kill(slurm.daemons[dying].pid)
    for pid in step_daemons():  # before the job, whose end they would report
        kill(pid)
    for pid, env in marked_processes().items():
        if env.get(b"SLURM_JOB_ID", b"").decode() == job:
            kill(pid)
    kept = campaigns.stored("a")[0]
    slurm.wait_for(job)
    check("code 0 restart 1 on " in campaigns.said("log"), campaigns.said("log"))
    check(f"on {dying}" not in campaigns.said("log").rsplit("code 0", 1)[1], "another node went on")
    now = campaigns.stored("a")[0]
    check(all(now[run] == kept[run] for run in kept), "every stored run is kept")
    campaigns.check_computed(campaigns.said("log"), kept, 300, of_one_process=True)
    campaigns.alone("alone", 300)
    campaigns.check_same("alone", "a")


def main():
    trestle, study, name = sys.argv[1:4]
    if os.geteuid() != 0:
        case.skip("the daemons of Slurm are started as root")
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    case.need(("sbatch", "slurm-client"), ("slurmctld", "slurmctld"), ("slurmd", "slurmd"), ("munged", "munge"),
              ("unshare", "util-linux"), ("ip", "iproute2"))
    module = os.path.join(os.path.dirname(trestle), "../studies/cluster/trestle_mpi.so")
    if name == "ranks" and not os.path.exists(module):
        case.skip("the module for MPI was not built (deploy/setup.sh --with-tests installs libopenmpi-dev)")
    case.enter_namespace()
    campaigns = case.Campaigns(trestle, study)
    with tempfile.TemporaryDirectory(prefix="trestle-slurm-") as folder:
        slurm = SmallSlurm(folder, nodes=2 if name == "node" else 1, cpus=1 if name == "node" else 2)
        try:
            slurm.start()
            {"array": array, "ranks": ranks, "node": node}[name](campaigns, slurm)
        finally:
            slurm.stop()
            for pid in marked_processes():
                kill(pid, signal.SIGKILL)


main()
