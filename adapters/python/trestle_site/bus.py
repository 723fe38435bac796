"""A site's end of the bus: ZeroMQ, plain on this machine or CURVE beyond it (docs/explanation/security.md)."""

import os
import re
import stat

import zmq
from zmq.auth.thread import ThreadAuthenticator

LONGEST_MESSAGE = 1 << 20


class Keys:
    """Who this site is, and who may speak to it.

    @param key             file of `trestle keygen`: the secret half, mode 0600
    @param peers           {name: public key} of who may command; of a site that listens
    @param integrator_key  public key of the integrator; of a site that calls
    """

    def __init__(self, key, peers=None, integrator_key=None):
        if stat.S_IMODE(os.stat(key).st_mode) & 0o077:
            raise ValueError(f"{key} may be reached by others: chmod 600 {key}")
        with open(key, encoding="ascii") as file:
            self.secret = file.read().split("\n")[1].encode()
        self.public = zmq.curve_public(self.secret)
        self.peers = {k.encode(): name for name, k in (peers or {}).items()}
        self.integrator_key = integrator_key.encode() if integrator_key else None

    def callback(self, _domain, key):
        """@param key  in Z85, of somebody who wants to speak"""
        return key in self.peers


def is_plain_address(address):
    """Whether only this machine reaches it."""
    return address.startswith("ipc://") or re.match(r"tcp://(127\.\d+\.\d+\.\d+|localhost):", address) is not None


class Bus:
    """One socket; the peer is the last sender, and during a test the integrator that runs it."""

    def __init__(self, name, listen=None, integrator=None, keys=None, insecure=False):
        if (listen is None) == (integrator is None):
            raise ValueError("give the site exactly one of listen (the integrator calls here) and integrator (call it there)")
        address = listen or integrator
        if keys is None and not insecure and not is_plain_address(address):
            raise ValueError(f"{address} leaves this machine, where a site needs keys (docs/explanation/security.md)")
        self.listens = listen is not None
        self.keep_peer = False
        self._peer = None
        self._waiting = None  # who spoke while another one conducts a test
        self._context = zmq.Context()
        self._authenticator = None
        self.socket = self._context.socket(zmq.ROUTER if self.listens else zmq.DEALER)
        self.socket.linger = 300  # the last word of a session is carried away [ms]
        self.socket.maxmsgsize = 2 * LONGEST_MESSAGE
        # By key nobody can take a place whose id he cannot guess.
        self.socket.identity = (name + "~" + os.urandom(16).hex() if keys else name).encode()
        if keys:
            self._secure(keys)
        try:
            (self.socket.bind if self.listens else self.socket.connect)(address)
        except zmq.ZMQError as error:
            raise OSError(f"cannot {'listen at' if self.listens else 'call'} {address}: {error}") from None
        self.address = self.socket.last_endpoint.decode().rstrip("\0") if self.listens else address

    def _secure(self, keys):
        self.socket.curve_secretkey, self.socket.curve_publickey = keys.secret, keys.public
        if not self.listens:
            self.socket.curve_serverkey = keys.integrator_key
            return
        self._authenticator = ThreadAuthenticator(self._context)
        self._authenticator.start()
        self._authenticator.configure_curve_callback("trestle", credentials_provider=keys)
        self.socket.curve_server = True
        self.socket.zap_domain = b"trestle"

    def receive(self, timeout):
        """@param timeout [s]  @returns the bytes of a message, or None"""
        if not self.keep_peer and self._waiting is not None:
            # An integrator that was restarted shows its hand once, when it calls.
            self._peer, self._waiting = self._waiting, None
        if not self.socket.poll(max(0, int(timeout * 1e3))):
            return None
        frames = self.socket.recv_multipart()
        if self.listens:
            sender, frames = frames[0], frames[1:]
            if not self.keep_peer or self._peer is None:
                self._peer = sender
            elif sender != self._peer:
                self._waiting = sender
                return None  # has to wait for the end of the test, or until it is held
        if len(frames) != 1 or not frames[0] or len(frames[0]) > LONGEST_MESSAGE:
            return None  # an empty one: somebody's hand, without a word
        return frames[0]

    def send(self, content):
        """Lost where nobody is there: what matters is asked for again."""
        if self.listens and self._peer is None:
            return
        try:
            self.socket.send_multipart([self._peer, content] if self.listens else [content], zmq.DONTWAIT)
        except zmq.ZMQError:
            pass

    def close(self):
        self.socket.close()
        if self._authenticator is not None:
            self._authenticator.stop()
        self._context.term()
