"""Holds many greeted connections to one ipc socket, from one process or from several.

usage: many_connections.py SOCKET PROCESSES CONNECTIONS

Prints `HELD n REFUSED m` when each connection was either greeted or closed, and keeps them until it is ended.
"""
import ctypes
import os
import signal
import sys

import zmtp


def hold(path, count):
    return [peer for peer in (zmtp.connect(path) for _ in range(count)) if peer]


def child(path, count, report):
    # PR_SET_PDEATHSIG: nobody is left behind.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    held = hold(path, count)
    os.write(report, len(held).to_bytes(4, "big"))
    while True:
        signal.pause()


def main():
    path, processes, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if processes == 1:
        peers = hold(path, count)
        held = len(peers)
    else:
        reading, writing = os.pipe()
        for _ in range(processes):
            if os.fork() == 0:
                child(path, count, writing)
        held = sum(int.from_bytes(os.read(reading, 4), "big") for _ in range(processes))
    print(f"HELD {held} REFUSED {processes * count - held}", flush=True)
    while True:
        signal.pause()


main()
