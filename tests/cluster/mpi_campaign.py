#!/usr/bin/env python3
"""A campaign with a real mpirun. Usage: mpi_campaign.py TRESTLE STUDY.yaml CASE [KILLS]
  same      1, 2 and 4 ranks, and a campaign that one, then four ranks go on with: the bytes of --jobs 1
  ranks     KILLS times SIGKILL at random moments: each rank in turn, mpirun, all; started again until complete
  leader    the same of rank 0, mpirun, and all at once, as when a node dies
  recovery  a rank is killed under --enable-recovery: the campaign comes to its end in one start
  stop      SIGUSR1 to a rank: exit code 3, and the next start continues
  wrong     another file on one rank, another MPI than the launcher's, no module, two campaigns in a folder
Exits 77 where mpirun, the module or a network namespace is missing."""
import os
import random
import shutil
import signal
import sys

import cluster_test_case as case
from cluster_test_case import check, kill, marked_processes, wait_until

MANY = 100000


def ranks_of_mpi():
    return {int(env[b"OMPI_COMM_WORLD_RANK"]): pid
            for pid, env in marked_processes().items() if b"OMPI_COMM_WORLD_RANK" in env}


def same(campaigns):
    campaigns.alone("alone", 60)
    for ranks in [1, 2, 4]:
        ended = campaigns.run(campaigns.mpirun(ranks) + campaigns.words(f"mpi-{ranks}", 60))
        check(ended.returncode == 0, f"{ranks} ranks: {ended.returncode} {ended.stderr}")
        check(ended.stdout.count("COMPLETE   60 runs") == 1, f"one rank writes the table: {ended.stdout}")
        campaigns.check_same("alone", f"mpi-{ranks}")
        check(campaigns.stored(f"mpi-{ranks}")[1].get("complete") == "60", "the store says that it is complete")
    campaigns.alone("more", 20)
    before, _ = campaigns.stored("more")
    ended = campaigns.run(campaigns.mpirun(4) + campaigns.words("more", 60, "--jobs", "2"))
    check(ended.returncode == 0, f"going on with four ranks: {ended.stderr}")
    campaigns.check_computed(ended.stdout, before, 60, of_one_process=False)
    campaigns.alone("one", 20)
    before, _ = campaigns.stored("one")
    ended = campaigns.run(campaigns.words("one", 60, "--jobs", "1"), env=case.without_launcher())
    campaigns.check_computed(ended.stdout, before, 60, of_one_process=True)
    campaigns.check_same("alone", "more")


def killed_again_and_again(campaigns, kills, victims):
    """After each kill nothing that was stored is gone; at the end the bytes are those of one process."""
    dice = random.Random(17)
    before = {}
    for number in range(kills):
        victim = victims[number % len(victims)]
        log = f"log-{number}"
        launcher = campaigns.start(campaigns.mpirun(3) + campaigns.words("killed", MANY), log)
        moment = dice.uniform(0.1, 2.0)
        if victim == "launcher" or moment < 0.5:
            wait_until(lambda: marked_processes(), "mpirun runs")
        else:
            wait_until(lambda: len(ranks_of_mpi()) == 3 or launcher.poll() is not None, "three ranks run")
        try:
            launcher.wait(timeout=moment)
            check(False, f"mpirun ended by itself: {campaigns.said(log)}")
        except case.subprocess.TimeoutExpired:
            pass
        if victim == "all":
            for pid in marked_processes():
                kill(pid)
        elif victim == "launcher":
            kill(launcher.pid)
        else:
            ranks = ranks_of_mpi()
            kill(ranks.get(victim, launcher.pid))
        launcher.wait(timeout=60)
        wait_until(lambda: not marked_processes(), "all processes end")
        now, _ = campaigns.stored("killed")
        for run, results in before.items():
            check(now.get(run) == results, f"run {run} is kept when {victim} is killed ({number})")
        print(f"kill {number}: {victim} after {moment:.2f} s, {len(now)} runs are stored", flush=True)
        before = now
    check(len(before) > 1, "runs were stored between the kills")
    runs = max(before) + 20
    ended = campaigns.run(campaigns.mpirun(3) + campaigns.words("killed", runs))
    check(ended.returncode == 0, f"the last start: {ended.stderr}")
    after, meta = campaigns.stored("killed")
    check(all(after[run] == before[run] for run in before), "every stored run is kept")
    campaigns.check_computed(ended.stdout, before, runs, of_one_process=False)
    check(meta.get("complete") == str(runs), "the store says that it is complete")
    campaigns.alone("alone", runs)
    campaigns.check_same("alone", "killed")
    print(f"{kills} kills, {runs} runs: complete, the same bytes")


def ranks(campaigns, kills):
    killed_again_and_again(campaigns, kills, [0, 1, 2, "launcher", "all"])


def leader(campaigns, kills):
    killed_again_and_again(campaigns, kills, [0, "launcher", "all"])


def recovery(campaigns):
    runs = 2500
    launcher = campaigns.start(campaigns.mpirun(3, "--enable-recovery") + campaigns.words("a", runs), "log")
    wait_until(lambda: len(campaigns.stored("a")[0]) > 20, "the campaign has begun")
    kill(ranks_of_mpi()[1])
    launcher.wait(timeout=200)  # its exit status says nothing
    said = campaigns.said("log")
    check(f"COMPLETE   {runs} runs" in said, f"it came to its end in one start: {said}")
    check("rank 1 is silent" in said, f"it says which rank is lost: {said}")
    wait_until(lambda: not marked_processes(), "all processes end")
    check(campaigns.stored("a")[1].get("complete") == str(runs), "the store says that it is complete")
    campaigns.alone("alone", runs)
    campaigns.check_same("alone", "a")


def stop(campaigns):
    for rank, number in [(0, signal.SIGUSR1), (2, signal.SIGUSR1), (1, signal.SIGTERM)]:
        launcher = campaigns.start(campaigns.mpirun(3) + campaigns.words("a", MANY), "log")
        count = len(campaigns.stored("a")[0])
        wait_until(lambda: len(campaigns.stored("a")[0]) > count + 10, "the campaign continues")
        kill(ranks_of_mpi()[rank], number)
        check(launcher.wait(timeout=60) == 3, f"exit code 3: {campaigns.said('log')}")
        check("start it again to go on" in campaigns.said("log"), "it says so")
        wait_until(lambda: not marked_processes(), "all processes end")
    runs = max(campaigns.stored("a")[0])
    ended = campaigns.run(campaigns.mpirun(2) + campaigns.words("a", runs))
    check(ended.returncode == 0, ended.stderr)
    campaigns.alone("alone", runs)
    campaigns.check_same("alone", "a")


def wrong(campaigns):
    folder = os.path.dirname(campaigns.study)
    for copy in ["here", "there"]:
        shutil.copytree(folder, campaigns.path(copy), ignore=shutil.ignore_patterns("runs"))
    study = os.path.basename(campaigns.study)
    with open(campaigns.path("there/" + study), "a") as file:
        file.write("\nunstable_above: 9\n")
    script = (f'[ "$OMPI_COMM_WORLD_RANK" = 1 ] && cd there || cd here; '
              f'exec {campaigns.trestle} campaign {study} --out {campaigns.path("a")} --runs 5')
    ended = campaigns.run(campaigns.mpirun(2) + ["bash", "-c", script])
    check(ended.returncode == 2, f"exit code 2: {ended.returncode} {ended.stderr}")
    check("rank 1 on " in ended.stderr and "another campaign than rank 0" in ended.stderr, ended.stderr)
    check(campaigns.stored("a")[0] == {}, "nothing was started")

    script = f'cd here; [ "$OMPI_COMM_WORLD_RANK" = 0 ] && rm -f none; exec {campaigns.trestle} campaign missing.yaml'
    ended = campaigns.run(campaigns.mpirun(2) + ["bash", "-c", script])
    check(ended.returncode == 2 and ended.stderr.count("missing.yaml") <= 2, f"one rank says it: {ended.stderr}")

    alone = campaigns.words("b", 2)
    fake = {**case.without_launcher(), "PMI_SIZE": "2", "PMI_RANK": "0"}
    ended = campaigns.run(alone, env=fake)
    check(ended.returncode == 2 and "another MPI than the launcher's" in ended.stderr, ended.stderr)
    ended = campaigns.run(alone, env={**fake, "TRESTLE_MPI": campaigns.path("none.so")})
    check(ended.returncode == 2 and "mpicxx -O2 -shared -fPIC" in ended.stderr, ended.stderr)
    ended = campaigns.run(campaigns.mpirun(2) + campaigns.words("b", 2, "--share", "1/2"))
    check(ended.returncode == 2 and "leave --share away" in ended.stderr, ended.stderr)

    first = campaigns.start(campaigns.mpirun(2) + campaigns.words("c", MANY), "log")
    wait_until(lambda: len(campaigns.stored("c")[0]) > 1, "the first campaign runs")
    ended = campaigns.run(campaigns.mpirun(2) + campaigns.words("c", 5))
    check(ended.returncode == 2 and "is being written by another program" in ended.stderr and
          " by process " in ended.stderr, f"two campaigns in one folder: {ended.stderr}")
    for pid in ranks_of_mpi().values():
        kill(pid, signal.SIGTERM)
    first.wait(timeout=60)


def main():
    trestle, study, name = sys.argv[1:4]
    case.need(("mpirun", "openmpi-bin"), ("unshare", "util-linux"), ("ip", "iproute2"))
    module = os.path.join(os.path.dirname(trestle), "../studies/cluster/trestle_mpi.so")
    if not os.path.exists(module):
        case.skip("the module for MPI was not built (deploy/setup.sh --with-tests installs libopenmpi-dev)")
    case.enter_namespace()
    campaigns = case.Campaigns(trestle, study)
    kills = [int(word) for word in sys.argv[4:]]
    try:
        {"same": same, "ranks": ranks, "leader": leader, "recovery": recovery, "stop": stop,
         "wrong": wrong}[name](campaigns, *kills)
    finally:
        for pid in marked_processes():
            kill(pid)


main()
