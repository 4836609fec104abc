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
from contextlib import suppress
from pathlib import Path

import psutil
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text
from snakemake.logging import LogEvent, logger

from antdoku.config import effort
from antdoku.forecast import Forecast, other_s, rough_time, wall_s
from antdoku.runs.journal import rows_of
from antdoku.runs.plans import Job

LOOK_S, LINE_S = 2, 60  # between two looks: at a terminal, and without one
# Seconds of measuring that count as much as the forecast: so many, or this share of all.
TRUSTED_S, TRUSTED_SHARE = 30, 0.05
INTERRUPTED = 130  # exit status, as of a shell
# What Snakemake says when there is nothing to do, and at the end of a dry run.
NOTHING, DRY = "Nothing to be done", "This was a dry-run"


class Work:
    """Expected seconds of the jobs to come, and of what is done of them.

    `jobs` are by Snakemake's number of a job: its rule, and the job if it does runs.
    """

    def __init__(self, forecast: Forecast, jobs: dict[int, tuple[str, Job | None]], journals):
        self._forecast, self._journals = forecast, Path(journals)
        self._runs = {number: job for number, (_, job) in jobs.items() if job}
        self._read: dict[int, tuple[int, float]] = {}  # bytes of a journal, and seconds of its runs
        self.seconds = {
            number: forecast.job_s(job) if job else other_s(rule)
            for number, (rule, job) in jobs.items()
        }
        self.total_s = sum(self.seconds.values())
        self.finished: set[int] = set()

    def left_s(self) -> list[float]:
        """Expected seconds of what is left of each job that is not finished."""
        left = self.seconds.keys() - self.finished
        return [max(0.0, self.seconds[number] - self._begun_s(number)) for number in left]

    def done_s(self) -> float:
        """Expected seconds of finished jobs, and of the finished runs of the others."""
        return self.total_s - sum(self.left_s())

    def _begun_s(self, number):
        """Seconds of the runs that the journal of a job has; it is read again when it has grown."""
        if (job := self._runs.get(number)) is None:
            return 0.0
        journal = self._journals / f"{job.name}.jsonl"
        size = journal.stat().st_size if journal.exists() else 0
        read, seconds = self._read.get(number, (0, 0.0))
        if size != read:
            seconds = sum(self._expected_s(job, row) for row in rows_of(journal).values())
            self._read[number] = size, seconds
        return seconds

    def _expected_s(self, job, row):
        """Seconds that were expected of a run; none of one that is not of this job as it is now."""
        limits = row["variant"], row["limit_s"], row["limit_steps"]
        for plan in job.plans if row["family"] in job.families else ():
            if (plan.variant, plan.limit_s, plan.limit_steps or -1) == limits:
                return self._forecast.run_s(job.experiment, plan, row["family"])
        return 0.0


def rest_s(total_s: float, before_s: float, done_s: float, elapsed_s: float, cores: int) -> float:
    """Seconds until the end: as forecast at first, then as measured.

    Of `total_s` expected seconds `before_s` were done when the clock began, and `done_s` are done
    after `elapsed_s`.
    """
    trusted_s = max(TRUSTED_S, TRUSTED_SHARE * (total_s - before_s) / cores)
    measured = done_s - before_s + trusted_s * cores
    return (total_s - done_s) * (elapsed_s + trusted_s) / measured


class Display(logging.Handler):
    """Snakemake's messages as one bar, or as a line a minute where there is no terminal.

    A dry run is left to Snakemake; only how long it would take is said before and after it. `jobs`
    are those that do runs, by name, and `journals` is the folder of their journals.
    """

    def __init__(self, workflow, forecast: Forecast, jobs: dict[str, Job], journals):
        super().__init__()
        self._workflow, self._forecast = workflow, forecast
        self._jobs, self._journals = jobs, journals
        self._work = None  # known when Snakemake knows what there is to do
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
            self._plan()
            self._tell()
        if self._workflow.output_settings.dryrun:
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

    def _plan(self):
        """What there is to do, on how many cores, and a line that says how long it will take."""
        workflow, forecast = self._workflow, self._forecast
        coming = {
            job.jobid: (
                job.rule.name,
                self._jobs[job.wildcards.job] if job.rule.name == "run" else None,
            )
            for job in workflow.dag.needrun_jobs()
        }
        self._work = Work(forecast, coming, self._journals)
        runs, left_s = effort(job for _, job in coming.values() if job), self._work.left_s()
        if workflow.local_exec:
            self._cores = min(workflow.cores, os.cpu_count() or workflow.cores)
            counted = f"{self._cores} core{'s' * (self._cores > 1)}"
            there = counted if self._cores == workflow.cores else f"the {counted} that there are"
            how_long = f"on {there}: about {rough_time(wall_s(left_s, self._cores))}"
            self._line = f"{runs} {how_long}, {forecast.basis()}"
        else:
            self._cores, how_long = 1, rough_time(sum(left_s))
            self._line = f"{runs}: about {how_long} of CPU time, {forecast.basis()}"

    def _tell(self):
        self._console.print(Text(f"antdoku: {self._line}"), soft_wrap=True)

    def begin(self) -> None:
        """Begin to show how far the work is."""
        self._begun, self._before_s = time.monotonic(), self._work.done_s()
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
        total_s = self._work.total_s
        rest = rest_s(total_s, self._before_s, done_s, elapsed_s, self._cores)
        left = f"about {rough_time(rest)} left"
        if self._console.is_terminal:
            self._bar.update(self._task, completed=done_s, description=left, refresh=True)
        elif elapsed_s > LINE_S / 2:
            self._console.print(f"antdoku: {done_s / total_s:.0%} done, {left}")
