"""A real SLURM of two virtual nodes on this machine, without systemd, cgroups or a database."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path

from conftest import wait_for

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun")
NODES = ("n1", "n2")
# A node does one job at a time.
CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthInfo=socket={base}/munge.sock
StateSaveLocation={base}
SlurmdSpoolDir={base}/%n
SlurmctldPidFile={base}/slurmctld.pid
SlurmdPidFile={base}/%n.pid
JobCompType=jobcomp/filetxt
JobCompLoc={base}/ended.log
ProctrackType=proctrack/linuxproc
KillWait=2
SlurmdParameters=config_overrides
NodeName=DEFAULT CPUs=1 RealMemory=6000
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]}
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]}
PartitionName=main Nodes=ALL Default=YES
"""
# Snakemake's plugin removes SLURM_CONF before it calls srun.
SRUN = '#!/bin/sh\nSLURM_CONF={base}/slurm.conf exec {srun} "$@"\n'


class Cluster:
    """A running cluster, whose files are in the folder `base`."""

    def __init__(self, base: Path):
        self.base = base
        path = f"{base}:{os.environ['PATH']}"
        self.environment = {"SLURM_CONF": f"{base}/slurm.conf", "PATH": path}

    def call(self, *command: str) -> str:
        """Return the output of a SLURM command."""
        env = os.environ | self.environment
        return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout

    def jobs(self) -> list[str]:
        """Return the ids of the jobs that wait, run or are being ended."""
        return self.call("squeue", "--noheader", "--states=PD,R,CG", "--format=%A").split()

    def ended(self) -> dict[str, dict[str, str]]:
        """Return the facts of each job that has ended, by id: `JobState`, `NodeList`."""
        lines = (self.base / "ended.log").read_text().splitlines()
        jobs = [dict(fact.split("=", 1) for fact in line.split() if "=" in fact) for line in lines]
        return {job["JobId"]: job for job in jobs}


@contextmanager
def running():
    """Start a cluster; end it, and remove its files, when the context is left."""
    with ExitStack() as stack:
        # A short path, for the socket. A daemon may still write when the folder is removed.
        temporary = tempfile.TemporaryDirectory("", "slurm", "/tmp", ignore_cleanup_errors=True)
        base = Path(stack.enter_context(temporary))
        cluster = Cluster(base)
        _write_files(base)
        munge = [f"--{name}-file={base}/munge.{name}" for name in ("key", "pid", "log", "seed")]
        _start(cluster, stack, "munge", "munged", f"--socket={base}/munge.sock", *munge)
        _start(cluster, stack, "slurmctld", "slurmctld", "-i")
        for node in NODES:
            _start(cluster, stack, node, "slurmd", "-N", node)
        wait_for(lambda: cluster.call("sinfo", "--noheader", "--format=%T %D") == "idle 2\n")
        yield cluster
        cluster.call("scancel", "--user=root")
        wait_for(lambda: not cluster.jobs())


def _start(cluster, stack, name, *command):
    """Start a daemon; it is killed when the stack is left."""
    cluster.call(*command)
    file = cluster.base / f"{name}.pid"
    wait_for(lambda: file.exists() and file.read_text().strip())
    stack.callback(os.kill, int(file.read_text()), signal.SIGKILL)


def _write_files(base):
    base.chmod(0o755)
    for node in NODES:
        (base / node).mkdir()
    (base / "munge.key").touch(0o600)
    (base / "munge.key").write_bytes(secrets.token_bytes(128))
    servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]  # at free ports
    ports = [server.getsockname()[1] for server in servers]
    for server in servers:
        server.close()
    host = socket.gethostname().split(".")[0]
    (base / "slurm.conf").write_text(CONFIG.format(base=base, host=host, ports=ports))
    (base / "srun").write_text(SRUN.format(base=base, srun=shutil.which("srun")))
    (base / "srun").chmod(0o755)
