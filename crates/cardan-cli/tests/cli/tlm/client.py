#!/usr/bin/env python3
"""A tool with one interface point: NAME START END MAXSTEP HOST:PORT MODELFILE.

The model file says what it does: `good` steps to the end, `die TIME` is killed there, `abort TIME` gives up there,
`close TIME` asks for the end there, `fail TIME` exits with an error, `leave TIME` exits without one, `id NUMBER` sends samples
for that interface point in its tenth step, `vanish` leaves before the start, `wait` stands still, `linger` stays after the
end."""
import os, signal, socket, struct, sys, time

name, start, end, step, server, model = sys.argv[1:7]
start, end, step = float(start), float(end), float(step)
what, _, at = model.partition(" ")
at = float(at or "inf")
open(name + ".pid", "w").write(str(os.getpid()))
host, port = server.rsplit(":", 1)
line = socket.create_connection((host, int(port)))
line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

def send(kind, interface=-1, payload=b""):
    line.sendall(struct.pack("<8sBBHiii", b"TLM_0101", kind, 0, 0, len(payload), interface, 0) + payload)

def read(count):
    data = b""
    while len(data) < count:
        more = line.recv(count - len(data))
        if not more:
            sys.exit(7)
        data += more
    return data

def receive():
    _, kind, _, _, size, interface, _ = struct.unpack("<8sBBHiii", read(24))
    return kind, interface, read(size)

send(2, payload=name.encode()); receive()
send(3, payload=b"tlm:1:bidirectional:mechanical")
_, own, reply = receive()
if what == "vanish":
    sys.exit(0)
if own < 0:
    # Nothing is connected: ready, and done.
    start = end
    reply = bytes(232)
delay, mode = struct.unpack("<d", reply[:8])[0], struct.unpack("<d", reply[-8:])[0]
send(4)
if receive()[1] != 1:
    sys.exit(5)
print(name, "runs")
heard = start
for i in range(1, 2 if mode else round((end - start) / step) + 1):
    t = start + i * step
    if t >= at and what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if t >= at and what == "abort":
        send(5)
        sys.exit(9)
    if t >= at and what in ("fail", "leave"):
        os._exit(9 if what == "fail" else 0)
    if t >= at and what == "close":
        break
    if i == 10 and what == "id":
        send(1, int(at), struct.pack("<dddd", t, 0.125, 0.0, 1.0))
    while what == "wait":
        time.sleep(1)
    while not mode and t - delay > heard:
        heard = struct.unpack("<d", receive()[2][-32:-24])[0]
    send(1, own, struct.pack("<dddd", t, 0.125, 0.0, 1.0))
send(7)
while receive()[0] != 8:
    pass
if what == "linger":
    time.sleep(60)
