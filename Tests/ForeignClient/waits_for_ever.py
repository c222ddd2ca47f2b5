"""Leaves requests open for an hour: they wait for a position that no log reaches, and keep a lot meanwhile.

usage: waits_for_ever.py SOCKET PROCESSES SERVICE stay|leave

Each process sends sixteen requests of a million bytes over one connection, then 400 small ones. Prints `SENT` when all
were sent, by processes that stay until this one ends, or that are gone.
"""
import ctypes
import os
import signal
import sys

import zmtp


def request(number, service, pad):
    return (
        '{"jsonrpc":"2.0","id":%d,"method":"events.read","deadline":3600000,'
        '"not_before":[{"service":"%s","sequence":9000000000000}],"params":{%s"after":0}}'
        % (number, service, " " * pad)
    ).encode()


def child(path, service, report, stays):
    # PR_SET_PDEATHSIG: nobody is left behind.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    peer = zmtp.connect(path)
    for number in range(16):
        peer.sendall(zmtp.frame(request(number, service, 1_040_000)))
    for number in range(16, 416):
        peer.sendall(zmtp.frame(request(number, service, 0)))
    # One that is answered at once has been taken after all of them.
    peer.sendall(zmtp.frame(b'{"jsonrpc":"2.0","id":"last","method":"no.such"}'))
    answers = b""
    while b'"id":"last"' not in answers:
        answers += peer.recv(65536)
    os.write(report, b".")
    while stays:
        signal.pause()
    os._exit(0)


def main():
    path, processes, service, stays = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4] == "stay"
    reading, writing = os.pipe()
    children = []
    for _ in range(processes):
        pid = os.fork()
        if pid == 0:
            child(path, service, writing, stays)
        children.append(pid)
        # One after the other: each finds what those before it left.
        os.read(reading, 1)
        if not stays:
            os.waitpid(pid, 0)
    print("SENT", flush=True)
    while True:
        signal.pause()


main()
