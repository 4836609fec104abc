"""Processes that end together, and files that one process at a time may hold."""

import fcntl
import os
import threading
import time
from contextlib import suppress
from typing import IO

import psutil

WATCH_S = 0.5  # between two looks whether another process is alive


def end_with(pid: int) -> None:
    """End this process, at once and from a thread, when the process `pid` is gone."""

    def watch():
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                time.sleep(WATCH_S)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def hold(file: IO) -> bool:
    """Hold an open file for this process until it is closed; False if another process holds it.

    The system lets go of the files of a process that is killed, and children do not inherit them.
    Where the file system has no locks, nobody is kept out.
    """
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return not isinstance(error, BlockingIOError | PermissionError)
    return True
