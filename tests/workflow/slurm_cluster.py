"""A real SLURM of two virtual nodes on this machine: no systemd, no cgroups, no database."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "scancel")
CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort={port}
SlurmdPort={node_port}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={base}/run/munge.sock
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation={base}/state
SlurmdSpoolDir={base}/spool/%n
SlurmctldPidFile={base}/run/slurmctld.pid
SlurmdPidFile={base}/run/slurmd.%n.pid
SlurmctldLogFile={base}/log/slurmctld.log
SlurmdLogFile={base}/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={base}/log/jobcomp.log
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
MinJobAge=600
KillWait=2
DefMemPerCPU=500
NodeName=DEFAULT CPUs={cpus} RealMemory=6000 State=UNKNOWN
NodeName=n[1-2] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first_port}-{last_port}]
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> str:
    """Why no cluster can be started here; empty if one can."""
    if os.geteuid() != 0:
        return "SLURM's daemons need root"
    lacking = [name for name in PROGRAMS if not shutil.which(name)]
    return f"not installed: {', '.join(lacking)}" if lacking else ""


class Cluster:
    """Two nodes, `n1` and `n2`, while the context lasts; `base` is a new, short path."""

    def __init__(self, base: Path, cpus: int = 1):
        self.base = base
        self.cpus = cpus
        # The plugin takes SLURM_CONF away before its inner srun: a wrapper gives it back.
        path = f"{base}/bin:{os.environ['PATH']}"
        self.own = {"SLURM_CONF": f"{base}/slurm.conf", "PATH": path}
        self.environment = os.environ | self.own

    def __enter__(self):
        self._write_files()
        try:
            self._start()
        except BaseException:
            self._end_daemons()
            raise
        return self

    def __exit__(self, *_):
        try:
            self.run("scancel", "--user", "root")
            self._wait(lambda: not self.running(), "an empty queue")
        finally:
            self._end_daemons()

    def _start(self):
        base, env = self.base, self.environment
        munge = [f"--{name}={base}/{file}" for name, file in MUNGE_FILES.items()]
        subprocess.run(["munged", *munge], check=True)
        subprocess.run(["slurmctld", "-i"], env=env, check=True)
        for node in ("n1", "n2"):
            subprocess.run(["slurmd", "-N", node], env=env, check=True)
        self._wait(lambda: self.run("sinfo", "-h", "-o", "%T %D") == "idle 2", "both nodes idle")

    def _end_daemons(self):
        """End those that have begun, however far that was."""
        for name, how in (
            ("slurmd.n1", signal.SIGTERM),
            ("slurmd.n2", signal.SIGTERM),
            ("munged", signal.SIGTERM),
            ("slurmctld", signal.SIGKILL),
        ):
            with suppress(OSError, ValueError):
                os.kill(int((self.base / "run" / f"{name}.pid").read_text()), how)

    def run(self, *command: str) -> str:
        """What a SLURM command prints."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        return done.stdout.strip()

    def running(self) -> list[str]:
        """Ids of the jobs that wait, run or are being ended."""
        return self.run("squeue", "-h", "-t", "PD,R,CG", "-o", "%A").split()

    def completed(self) -> list[dict]:
        """Every job that has ended: what the completion log says of it, by key."""
        log = self.base / "log" / "jobcomp.log"
        lines = log.read_text().splitlines() if log.exists() else []
        return [dict(part.split("=", 1) for part in line.split() if "=" in part) for line in lines]

    def _write_files(self):
        for folder in ("run", "log", "state", "spool/n1", "spool/n2", "bin"):
            (self.base / folder).mkdir(parents=True)
        (self.base / "munge").mkdir(mode=0o700)
        key = self.base / "munge" / "key"
        key.touch(0o600)
        key.write_bytes(secrets.token_bytes(128))
        port = _free_ports(4)
        text = CONFIG.format(
            base=self.base,
            host=socket.gethostname().split(".")[0],
            cpus=self.cpus,
            port=port,
            node_port=port + 1,
            first_port=port + 2,
            last_port=port + 3,
        )
        (self.base / "slurm.conf").write_text(text)
        srun = self.base / "bin" / "srun"
        real = shutil.which("srun")
        lines = ["#!/bin/sh", f'SLURM_CONF={self.base}/slurm.conf exec {real} "$@"', ""]
        srun.write_text("\n".join(lines))
        srun.chmod(0o755)

    @staticmethod
    def _wait(condition, what):
        for _ in range(300):
            if condition():
                return
            time.sleep(0.1)
        raise TimeoutError(f"SLURM: no {what} within 30 s")


MUNGE_FILES = {
    "key-file": "munge/key",
    "socket": "run/munge.sock",
    "pid-file": "run/munged.pid",
    "log-file": "munge/log",
    "seed-file": "munge/seed",
}


def _free_ports(number):
    """First of `number` free ports in a row."""
    for first in range(20000 + os.getpid() % 10000, 60000, number):
        try:
            for port in range(first, first + number):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
        except OSError:
            continue
        return first
    raise OSError("no free ports")
