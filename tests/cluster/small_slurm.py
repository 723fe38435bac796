"""A Slurm on this machine, as root, without systemd and cgroups, all files in one folder."""
import os
import shutil
import socket
import subprocess

from cluster_test_case import check, kill, wait_until

PORT = 16817


class SmallSlurm:
    """@param nodes: that all are this machine, with `cpus` processors each; two or more have one step each"""

    def __init__(self, folder, nodes=1, cpus=2):
        self.folder = folder
        self.nodes = [f"n{i + 1}" for i in range(nodes)]
        self.daemons = {}
        host = socket.gethostname().split(".")[0]
        for sub in ["state", "log", "munge"] + [f"{kind}-{node}" for kind in ["spool", "tmp"] for node in self.nodes]:
            os.makedirs(f"{folder}/{sub}", mode=0o755)
        os.chmod(folder, 0o755)
        os.chmod(f"{folder}/log", 0o700)
        with open(f"{folder}/munge.key", "wb") as key:
            key.write(os.urandom(128))
        os.chmod(f"{folder}/munge.key", 0o400)
        ports = "".join(f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={PORT + 2 + i} CPUs={cpus} "
                        f"RealMemory=1000 State=UNKNOWN\n" for i, node in enumerate(self.nodes))
        with open(f"{folder}/slurm.conf", "w") as conf:
            conf.write(f"""ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={PORT}
SlurmctldAddr=127.0.0.1
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CryptoType=crypto/munge
MpiDefault=pmix
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=5,batch_sched_delay=0
ReturnToService=2
JobRequeue=1
SlurmdParameters=config_overrides
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdSpoolDir={folder}/spool-%n
StateSaveLocation={folder}/state
TmpFS={folder}/tmp-%n
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd-%n.log
SlurmdTimeout=10
SlurmctldDebug=info
SlurmdDebug=info
KillWait=5
MinJobAge=600
InactiveLimit=0
{ports}PartitionName=all Nodes={",".join(self.nodes)} Default=YES MaxTime=60 State=UP OverSubscribe=NO
""")
        os.environ["SLURM_CONF"] = f"{folder}/slurm.conf"

    def start(self):
        f = self.folder
        self.daemon("munged", "--foreground", "--force", "--num-threads=2", f"--key-file={f}/munge.key",
                    f"--socket={f}/munge/socket", f"--pid-file={f}/munge/pid", f"--log-file={f}/log/munged.log",
                    f"--seed-file={f}/munge/seed")
        wait_until(lambda: os.path.exists(f"{f}/munge/socket"), "munged listens")
        self.daemon("slurmctld", "-D", "-f", f"{f}/slurm.conf")
        for node in self.nodes:
            self.daemon("slurmd", "-D", "-f", f"{f}/slurm.conf", "-N", node, name=node)
        wait_until(lambda: set(self.ask("sinfo", "-h", "-o", "%T").split()) == {"idle"}, "Slurm is idle")

    def daemon(self, program, *arguments, name=None):
        found = shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
        with open(f"{self.folder}/log/{name or program}.out", "w") as out:
            self.daemons[name or program] = subprocess.Popen([found, *arguments], stdout=out, stderr=out)

    def stop(self):
        self.ask("scancel", "--user=root")
        for process in reversed(list(self.daemons.values())):
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                kill(process.pid)
                process.wait()

    def ask(self, *words):
        return subprocess.run(words, capture_output=True, text=True).stdout

    def submit(self, script, *options):
        ended = subprocess.run(["sbatch", "--parsable", *options, script], capture_output=True, text=True)
        check(ended.returncode == 0, f"sbatch: {ended.stderr}")
        return ended.stdout.strip().split(";")[0]

    def wait_for(self, job, seconds=200):
        wait_until(lambda: not self.ask("squeue", "-h", "-j", job), f"job {job} ends", seconds)

    def facts(self, job):
        return dict(word.split("=", 1) for word in self.ask("scontrol", "show", "job", job).split() if "=" in word)
