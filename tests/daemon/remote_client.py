"""An arbiter's client for the tests: lines over TLS, WebSocket over TLS or plain, and HTTP, made of
nothing but the standard library, so that it can also do what no good client does."""
import base64
import json
import os
import socket
import ssl
import struct

PATIENCE = 60


def tls(minimum=ssl.TLSVersion.TLSv1_2, maximum=ssl.TLSVersion.MAXIMUM_SUPPORTED):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if minimum < ssl.TLSVersion.TLSv1_2:
        context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version, context.maximum_version = minimum, maximum
    return context


def connect(port, to="127.0.0.1", source="127.0.0.1", context=None):
    connection = socket.create_connection((to, port), PATIENCE, (source, 0))
    return context.wrap_socket(connection) if context else connection


def ended(connection):
    """Whether the other end closes it."""
    try:
        while connection.recv(65536):
            pass
        return True
    except (ConnectionError, ssl.SSLError):
        return True
    except socket.timeout:
        return False


class Caller:
    """JSON-RPC over some transport; what `watch` sends is kept in `notes`."""

    def __init__(self):
        self.number, self.notes = 0, []

    def call(self, method, **params):
        """The result, or the error object."""
        self.number += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}))
        while True:
            heard = json.loads(self.hear())
            if heard.get("id") == self.number:
                return heard["result"] if "result" in heard else heard["error"]
            self.notes.append(heard)


class Lines(Caller):
    def __init__(self, port, source="127.0.0.1", context=None):
        super().__init__()
        self.connection = connect(port, source=source, context=context or tls())
        self.stream = self.connection.makefile("rb")

    def send(self, text):
        self.connection.sendall(text.encode() + b"\n")

    def hear(self):
        line = self.stream.readline()
        if not line:
            raise ConnectionError("ended")
        return line


def request(connection, path, headers, host):
    """Sends a GET; the status, the headers and the body."""
    lines = ["GET %s HTTP/1.1" % path, "Host: " + host] + ["%s: %s" % h for h in headers.items()]
    connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    got = b""
    while b"\r\n\r\n" not in got:
        piece = connection.recv(65536)
        if not piece:
            raise ConnectionError("ended before an answer")
        got += piece
    head, body = got.split(b"\r\n\r\n", 1)
    status, *fields = head.decode().split("\r\n")
    found = {name.lower(): value for name, value in (f.split(": ", 1) for f in fields)}
    while len(body) < int(found.get("content-length", 0)):
        body += connection.recv(65536)
    return int(status.split()[1]), found, body


OPENING = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": base64.b64encode(b"sixteen bytes :)").decode()}


class WebSocket(Caller):
    """`status` is 101 where it was opened."""

    def __init__(self, port, path="/arbiter", context=None, host=None, to="127.0.0.1", source="", **headers):
        super().__init__()
        self.connection = connect(port, to=to, source=source, context=context)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        self.status, self.headers, self.bytes = request(
            self.connection, path, {**OPENING, **fields}, host or "localhost:%d" % port)

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        length = len(data)
        if length < 126:
            head = struct.pack("!BB", 0x81, 0x80 | length)
        elif length < 65536:
            head = struct.pack("!BBH", 0x81, 0x80 | 126, length)
        else:
            head = struct.pack("!BBQ", 0x81, 0x80 | 127, length)
        self.connection.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def take(self, n):
        while len(self.bytes) < n:
            piece = self.connection.recv(65536)
            if not piece:
                raise ConnectionError("ended")
            self.bytes += piece
        taken, self.bytes = self.bytes[:n], self.bytes[n:]
        return taken

    def hear(self):
        while True:
            kind, length = self.take(2)
            if length == 126:
                length, = struct.unpack("!H", self.take(2))
            elif length == 127:
                length, = struct.unpack("!Q", self.take(8))
            payload = self.take(length)
            if kind == 0x81:
                return payload
            if kind == 0x88:
                raise ConnectionError("closed")
