"""The line to Cardan over sockets, for programs that Cardan does not talk to over their standard streams."""

import socket, sys  # noqa: E401

def placed(address):
    """A socket for an address, and where it is to be connected or bound."""
    scheme, _, rest = address.partition(":")
    if scheme == "unix":
        return socket.socket(socket.AF_UNIX), rest
    host, _, port = rest.lstrip("/").rpartition(":")
    if scheme not in ("tcp", "tls") or not port.isdigit():
        raise SystemExit(f"Python participants cannot talk over `{address}`: use pipe, unix, tcp or tls.")
    host = host.strip("[]")
    line = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # Those that are accepted inherit it.
    return line, (host, int(port))

def context(listening, certificate, key=None):
    """What secures a line: a certificate to trust, or one to show."""
    import ssl
    if listening and not (certificate and key):
        raise SystemExit("Listening with TLS needs a certificate and its key: "
                         "run(…, certificate=\"cert.pem\", key=\"key.pem\").")
    if not certificate:
        raise SystemExit("TLS needs a certificate to trust: set CARDAN_CERTIFICATE to a PEM file.")
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if listening else ssl.PROTOCOL_TLS_CLIENT)
    try:
        made.load_cert_chain(certificate, key) if listening else made.load_verify_locations(certificate)
    except OSError as error:  # Those of TLS are among them.
        raise SystemExit(f"The certificate `{certificate}` cannot be used: {error.strerror or error}.") from None
    return made

def connected(address, certificate=None):
    """The two directions of a line to where Cardan listens, as files."""
    line, place = placed(address)
    secured = context(False, certificate) if address.startswith("tls:") else None
    try:
        line.connect(place)
        if secured:
            line = secured.wrap_socket(line, server_hostname=place[0])
    except OSError as error:
        raise SystemExit(f"Cardan cannot be reached at `{address}`: {error.strerror or error}.") from None
    return line.makefile("rb"), line.makefile("wb")

def await_cardan(link, address, certificate=None, key=None):
    """Listens until Cardan has come. Others who come keep nobody out: they are told of and left."""
    server, place = placed(address)
    secured = context(True, certificate, key) if address.startswith("tls:") else None
    try:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(place)
        server.listen()
    except OSError as error:
        raise SystemExit(f"Nobody can listen at `{address}`: {error.strerror or error}.") from None
    while True:
        line = server.accept()[0]
        try:
            line.settimeout(10.0)  # For those who say nothing.
            if secured:
                line = secured.wrap_socket(line, server_side=True)
            link.greet(line.makefile("rb"), line.makefile("wb"))
            line.settimeout(None)
            return
        except (OSError, EOFError) as error:
            line.close()
            print(f"Whoever came to {address} is gone ({error}). Waiting for the next.", file=sys.stderr, flush=True)
