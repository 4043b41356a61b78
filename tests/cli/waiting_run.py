"""A training run that cannot be over before a signal comes, however fast it is.

Its history goes into a pipe that holds some twenty epochs, and the run waits there until that is read. The signal is sent
while it waits.
"""

import fcntl
import os
import pathlib
import signal
import subprocess
import time

from program import PROGRAM

SET_PIPE_SIZE = 1031  # F_SETPIPE_SZ, which the module names from Python 3.10 on
BYTES_WAITING = 0x541B  # FIONREAD


def interrupt_waiting(call, pipe, number=signal.SIGINT, cwd=None):
    """`trellis CALL --history PIPE` in this folder; the pipe is made and removed. The exit status, and what it said."""
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    fcntl.fcntl(reader, SET_PIPE_SIZE, 4096)
    process = subprocess.Popen(
        [PROGRAM, *map(str, call), "--history", pipe], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd
    )
    try:
        wait_until_full(reader, process)
        process.send_signal(number)
        wait_until_taken(process, number)
        while process.poll() is None:
            try:
                os.read(reader, 65536)
            except BlockingIOError:
                pass
            time.sleep(0.01)
        error = process.communicate()[1].decode()
    finally:
        process.kill()
        process.communicate()
        os.close(reader)
        os.unlink(pipe)
    return process.returncode, error


def wait_until_taken(process, number):
    """Until the thread that waits for signals has this one, which the kernel has noted as pending for the process before."""
    for _ in range(600):
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
        pending = int(status.partition("ShdPnd:")[2].split()[0], 16)
        if not pending >> (number - 1) & 1:
            break
        time.sleep(0.01)
    time.sleep(0.05)


def wait_until_full(reader, process):
    waiting = bytearray(4)
    before = -1
    for _ in range(1500):
        fcntl.ioctl(reader, BYTES_WAITING, waiting)
        size = int.from_bytes(waiting, "little")
        if size > 3000 and size == before:
            return
        if process.poll() is not None:
            break
        before = size
        time.sleep(0.02)
    raise AssertionError(f"the run did not come to wait: {size} bytes, status {process.returncode}")
