"""Holds greeted connections to one ipc socket, each of which another process made that has ended since.

usage: connections_of_the_dead.py SOCKET CONNECTIONS

The kernel names to the other end who connected: here nobody whom one could ask for. Prints `HELD n REFUSED m` when each
connection was either greeted or closed, and keeps them until it is ended.
"""
import os
import signal
import socket
import sys

import zmtp


def connect(path):
    peer = socket.socket(socket.AF_UNIX)
    child = os.fork()
    if child == 0:
        try:
            peer.connect(path)
        except OSError:
            pass
        os._exit(0)
    os.waitpid(child, 0)
    return zmtp.greeted(peer)


def main():
    path, count = sys.argv[1], int(sys.argv[2])
    held = [peer for peer in (connect(path) for _ in range(count)) if peer]
    print(f"HELD {len(held)} REFUSED {count - len(held)}", flush=True)
    while True:
        signal.pause()


main()
