"""Just enough of ZMTP 3.0 (rfc.zeromq.org/spec/23) to be a DEALER that does what libzmq never would."""
import socket

# Mechanism NULL, as client.
GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
READY = b"\x05READY\x0bSocket-Type" + (6).to_bytes(4, "big") + b"DEALER"
READY = b"\x04" + bytes([len(READY)]) + READY


def connect(path):
    """A greeted connection; None: it was closed, or never taken."""
    peer = socket.socket(socket.AF_UNIX)
    try:
        peer.connect(path)
    except OSError:
        peer.close()
        return None
    return greeted(peer)


def greeted(peer):
    """The same of a socket that is connected."""
    try:
        peer.sendall(GREETING + READY)
        # Nothing may follow before the other end is ready, too: its greeting, then its command.
        take(peer, len(GREETING))
        take(peer, take(peer, 2)[1])
        return peer
    except OSError:
        peer.close()
        return None


def take(peer, count):
    taken = b""
    while len(taken) < count:
        more = peer.recv(count - len(taken))
        if not more:
            raise ConnectionError("closed")
        taken += more
    return taken


def frame(body):
    """A message of one frame."""
    if len(body) < 256:
        return b"\x00" + bytes([len(body)]) + body
    return b"\x02" + len(body).to_bytes(8, "big") + body
