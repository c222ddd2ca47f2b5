"""Asks again and again, and never reads an answer.

usage: never_reads.py SOCKET METHOD REQUESTS CONNECTIONS

Prints `SENT n` when each connection has sent all its requests, and keeps them until it is ended.
"""
import json
import signal
import sys

import zmtp


def main():
    path, method, requests, connections = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    peers = [zmtp.connect(path) for _ in range(connections)]
    sent = 0
    for number in range(requests):
        body = {"jsonrpc": "2.0", "id": number, "method": method, "params": {}, "deadline": 3600000}
        message = zmtp.frame(json.dumps(body).encode())
        for peer in peers:
            peer.sendall(message)
            sent += 1
    print(f"SENT {sent}", flush=True)
    while True:
        signal.pause()


main()
