"""What a user sees while the workflow works: one bar for all of it, with the time left.

Takes the place of Snakemake's own messages, which stand in its log. Errors are shown as Snakemake
words them. The bar counts expected seconds, so that it moves evenly; how fast they go by is a
forecast at first, and more and more what has been measured.
"""

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text
from snakemake.logging import LogEvent, logger

from antdoku import config as configuration
from antdoku.config import Config
from antdoku.forecast import Forecast, other_s, rough_time, wall_s
from antdoku.runs.journal import read_entry
from antdoku.runs.plans import Job

LOOK_S, LINE_S = 2, 60  # between two looks: at a terminal, and without one
# Seconds of measuring that count as much as the forecast: so many, or this share of all.
TRUSTED_S, TRUSTED_SHARE = 30, 0.05
INTERRUPTED = 130  # exit status, as of a shell
# What Snakemake says when there is nothing to do, and at the end of a dry run.
NOTHING, DRY = "Nothing to be done", "This was a dry-run"


class Work:
    """Expected seconds of the jobs to come, and how many of them are done.

    Parameters
    ----------
    forecast : Forecast
    jobs : dict of int to (str, Job or None)
        By Snakemake's number of a job: its rule, and the job if it does runs.
    journals : path
        Folder of the journals.
    """

    def __init__(self, forecast: Forecast, jobs: dict[int, tuple[str, Job | None]], journals):
        self._forecast = forecast
        self.seconds = {
            number: other_s(rule) if job is None else forecast.job_s(job)
            for number, (rule, job) in jobs.items()
        }
        self.total_s = sum(self.seconds.values())
        self.finished: set[int] = set()
        self._journals = {
            number: _Journal(Path(journals) / f"{job.name}.jsonl", job)
            for number, (_, job) in jobs.items()
            if job is not None
        }

    def left_s(self) -> list[float]:
        """Expected seconds of what is left of each job."""
        left = {number: s for number, s in self.seconds.items() if number not in self.finished}
        for number in left.keys() & self._journals.keys():
            left[number] -= min(left[number], self._journals[number].done_s(self._forecast))
        return list(left.values())

    def done_s(self) -> float:
        """Expected seconds of finished jobs, and of the finished runs of the others."""
        return self.total_s - sum(self.left_s())


class _Journal:
    """The runs of a job that its journal has, read as it grows."""

    def __init__(self, path, job):
        self._path, self._job = path, job
        self._plans = {plan.variant: plan for plan in job.plans}
        self._at, self._done_s = 0, 0.0

    def done_s(self, forecast):
        if self._path.exists():
            with open(self._path, "rb") as file:
                file.seek(self._at)
                lines = [line for line in file.readlines() if line.endswith(b"\n")]
            self._at += sum(map(len, lines))
            rows = [row for _, row in filter(None, map(read_entry, lines))]
            self._done_s += sum(self._expected_s(row, forecast) for row in rows)
        return self._done_s

    def _expected_s(self, row, forecast):
        """Seconds that were expected of a run; none of one with other limits than now."""
        plan = self._plans.get(row["variant"])
        if plan is None or row["family"] not in self._job.families:
            return 0.0
        if (row["limit_s"], row["limit_steps"]) != (plan.limit_s, plan.limit_steps or -1):
            return 0.0
        return forecast.run_s(self._job.experiment, plan, row["family"])


class Pace:
    """How long the rest takes: as forecast at first, then as measured.

    Parameters
    ----------
    total_s, done_s : float
        Expected seconds of everything, and of what is done before it begins.
    cores : int
        How many expected seconds go by in a second, until it is known better.
    """

    def __init__(self, total_s: float, done_s: float, cores: int):
        self._total_s, self._before_s, self._cores = total_s, done_s, cores
        self._trusted_s = max(TRUSTED_S, TRUSTED_SHARE * (total_s - done_s) / cores)

    def left_s(self, done_s: float, elapsed_s: float) -> float:
        """Seconds until the end, when `done_s` are done after `elapsed_s`."""
        measured = done_s - self._before_s + self._trusted_s * self._cores
        return (self._total_s - done_s) * (elapsed_s + self._trusted_s) / measured


def plan(
    workflow, config: Config, jobs: dict[str, Job], results: str, published: str
) -> tuple[Work, int, str]:
    """What a workflow has to do, on how many cores, and a line that says how long it will take.

    Parameters
    ----------
    workflow
        That of Snakemake, when it knows what there is to do.
    jobs : dict
        Those that do runs, by name.
    results : str
        Folder of the results.
    published : str
        Runs to go by.
    """
    coming = {
        job.jobid: (job.rule.name, jobs[job.wildcards.job] if job.rule.name == "run" else None)
        for job in workflow.dag.needrun_jobs()
    }
    forecast = Forecast(config, published)
    work = Work(forecast, coming, f"{results}/journals")
    effort = configuration.effort(job for _, job in coming.values() if job)
    if not workflow.local_exec:
        seconds = rough_time(sum(work.left_s()))
        return work, 1, f"{effort}: about {seconds} of CPU time, {forecast.basis()}"
    cores = min(workflow.cores, os.cpu_count() or workflow.cores)
    seconds = rough_time(wall_s(work.left_s(), cores))
    counted = f"{cores} core{'s' * (cores > 1)}"
    there = counted if cores == workflow.cores else f"the {counted} that there are"
    return work, cores, f"{effort} on {there}: about {seconds}, {forecast.basis()}"


class Display(logging.Handler):
    """Snakemake's messages as one bar, or as a line a minute where there is no terminal.

    Parameters
    ----------
    plan : callable
        Returns what is to do when Snakemake knows it: `Work`, the number of cores, and a line.
    is_dry : bool
        Nothing is done: leave it to Snakemake to show what would be, and say the line before it and
        after it.
    """

    def __init__(self, plan: Callable[[], tuple[Work, int, str]], is_dry: bool):
        super().__init__()
        self._plan, self._is_dry, self._work = plan, is_dry, None
        self._console = Console(stderr=True)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._show_on, daemon=True)
        columns = BarColumn(), TextColumn("{task.percentage:.0f} %  {task.description}")
        hidden = not self._console.is_terminal
        self._bar = Progress(
            *columns, console=self._console, transient=True, disable=hidden, auto_refresh=False
        )
        self._own = [each for each in logger.handlers if each.name == "DefaultStreamHandler"]
        logger.addHandler(self)
        self._is_interrupted = False
        signal.signal(signal.SIGINT, self._interrupt)

    def emit(self, record):
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO and self._work is None:
            self._work, self._cores, self._line = self._plan()
            self._tell()
        if self._is_dry:
            if DRY in record.getMessage():  # below what may be a thousand lines on jobs
                self._tell()
            return
        if event == LogEvent.WORKFLOW_STARTED:
            for handler in self._own:
                logger.removeHandler(handler)
        elif event == LogEvent.JOB_FINISHED:
            self._work.finished.add(record.job_id)
        elif record.levelno >= logging.WARNING or NOTHING in record.getMessage():
            for handler in self._own:
                if not self._end.is_set() and handler.filter(record):
                    self._console.print(Text(handler.format(record)), soft_wrap=True)

    def _tell(self):
        self._console.print(Text(f"antdoku: {self._line}"), soft_wrap=True)

    def begin(self) -> None:
        """Begin to show how far the work is."""
        self._begun = time.monotonic()
        self._pace = Pace(self._work.total_s, self._work.done_s(), self._cores)
        self._task = self._bar.add_task("", total=max(self._work.total_s, 1))
        self._bar.start()
        self._thread.start()

    def end(self) -> None:
        """Take the bar away; after Ctrl-C this ends the process."""
        self._end.set()
        self._bar.stop()
        if self._is_interrupted:
            raise SystemExit(INTERRUPTED)

    def _interrupt(self, *_):
        """End all that was started, and this, with one line.

        Jobs do not hear of Ctrl-C, see the prefix of the shell in the Snakefile: what they would
        print comes between. They are killed; their journals have what they did.
        """
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._is_interrupted = True
        self._end.set()
        self._bar.stop()
        print("antdoku: interrupted; the same command goes on", file=sys.stderr)
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        raise SystemExit(INTERRUPTED)

    def _show_on(self):
        period = LOOK_S if self._console.is_terminal else LINE_S
        self._show()
        while not self._end.wait(period):
            self._show()

    def _show(self):
        done_s, elapsed_s = self._work.done_s(), time.monotonic() - self._begun
        left = f"about {rough_time(self._pace.left_s(done_s, elapsed_s))} left"
        if self._console.is_terminal:
            self._bar.update(self._task, completed=done_s, description=left, refresh=True)
        elif elapsed_s > LINE_S / 2:
            self._console.print(f"antdoku: {done_s / self._work.total_s:.0%} done, {left}")
