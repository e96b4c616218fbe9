"""Take part in a simulation of Cardan with a Python class.

    import cardan

    class Driver(cardan.Participant):
        speed = cardan.Input(unit="m/s")
        throttle = cardan.Output(unit="1")
        target = cardan.Parameter(20.0, unit="m/s", tunable=True)

        def step(self, t, dt):
            self.throttle = 0.1 * (self.target - self.speed)

In a description: ``python = "driver.py:Driver"``. Started by other means: ``cardan.run(Driver)``.
Nothing but the standard library is used. The protocol: docs/book/protocol.md."""

import copy, hashlib, hmac, importlib.util, itertools, math, os, struct, sys, traceback  # noqa: E401

VERSION, MAGIC = 1, b"CARDAN\r\n"
HELLO, CHALLENGE, PROOF, WELCOME, REFUSE, INTERFACE, LOG, FAILURE, GOODBYE = 1, 2, 3, 4, 5, 6, 8, 9, 10
BIND, BEGIN, FINISH, STEP, OUTPUTS, PARAMETERS, TERMINATE = 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16
SAVE, RESTORE, TANGENT, REPLY, WITH_OUTPUTS, ARCS, CAN_ROLL_BACK, KNOWS_TANGENT = 0x20, 0x21, 0x31, 0x8000, 1, 2, 1, 8
TYPES = ["real", "integer", "boolean", "string", "binary", "enumeration", "clock"]
# What the elements of a port are together: its bit on the wire, and its first value.
FORMS = {"rotation": (1, [1.0] + [0.0] * 3), "frame": (4, [0.0] * 3 + [1.0] + [0.0] * 9), "load": (8, [0.0] * 6)}
PLANES = {"real": 0, "integer": 1, "enumeration": 1, "boolean": 2, "clock": 2, "string": 3, "binary": 3}

class Early:
    """Returned by ``step``: it stopped before, at an event others should know of."""
    number = 1

    def __init__(self, at, advice=math.nan):
        self.at, self.advice = at, advice

class Rejected(Early):
    """Returned by ``step``: it came only so far; a step of the size ``advice`` may work."""
    number = 2

class Terminate(Early):
    """Returned by ``step``: the simulation is to end here."""
    number = 3

class Port:
    """A value that is exchanged: of a type, a shape (none for a scalar) and a unit, or of a form that has its own."""
    causality = 0

    def __init__(self, unit=None, start=None, type="real", shape=(), discrete=None, nominal=1.0, description="",
                 direct=(), form=None):
        for what, name, known in (("type", type, TYPES), ("form", form or "frame", FORMS)):
            if name not in known:
                raise ValueError(f"there is no {what} `{name}`: choose one of {', '.join(known)}")
        self.bits, first = FORMS.get(form, (0, start))
        start, shape = first if start is None else start, len(first) if form else shape
        self.unit, self.start, self.type, self.nominal, self.description = unit, start, type, nominal, description
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.count, self.plane = math.prod(self.shape), PLANES[type]
        self.discrete = type != "real" if discrete is None else discrete
        # Names of inputs to which it reacts at once; True for all.
        self.direct = (direct,) if isinstance(direct, str) else direct or ()
        self.start = self.initial() if start is None and self.causality == 0 else start

    def initial(self):
        zero = [0.0, 0, False, "" if self.type == "string" else b""][self.plane]
        return copy.copy(self.start) if self.start is not None else [zero] * self.count if self.shape else zero

    def elements(self, value):
        """All single values, row by row."""
        if not self.shape:
            return [value]
        flat = list(value)
        if len(self.shape) > 1 and flat and hasattr(flat[0], "__len__"):
            flat = [item for row in flat for item in row]
        if len(flat) != self.count:
            raise ValueError(f"`{self.name}` has {self.count} values, but was given {len(flat)}")
        return flat

    def packed(self, value):
        try:
            if self.plane < 3:
                return struct.pack(f"<{self.count}{'dq?'[self.plane]}", *self.elements(value))
            return b"".join(text(element) for element in self.elements(value))
        except (struct.error, TypeError, AttributeError, OverflowError):
            wanted = f"{self.count} values" if self.shape else "a value"
            raise TypeError(f"`{self.name}` takes {wanted} of the type {self.type}, not {value!r:.60}") from None

    def begun(self, *kind):
        """What the descriptions of ports and parameters begin with."""
        out = text(self.name) + bytes(kind) + struct.pack(f"<I{len(self.shape)}I", len(self.shape), *self.shape)
        number = TYPES.index({"enumeration": "integer", "clock": "boolean"}.get(self.type, self.type))
        header = struct.pack("<BI", number, self.count)
        return out + optional(self.unit, text) + optional(self.start, lambda start: header + self.packed(start))

    def described(self):
        out = self.begun(self.causality, TYPES.index(self.type), self.discrete, self.bits)
        return out + struct.pack("<dI", self.nominal, 0) + text(self.description) + b"\0\0"

class Input(Port):
    """Driven from outside. In ``step`` it has its value at the beginning; ``read`` knows all others."""

class Output(Port):
    """Drives others. With ``direct`` it is computed by ``outputs``, from the inputs of the same instant."""
    causality = 1

class Local(Output):
    """Can be recorded, not connected."""
    causality = 2

class Parameter(Port):
    """Set once, or with ``tunable`` between steps too. The type is that of the default."""
    causality = None

    def __init__(self, default, unit=None, minimum=None, maximum=None, tunable=False, description=""):
        shape = (len(default),) if isinstance(default, (list, tuple)) else ()
        names = {bool: "boolean", int: "integer", str: "string", bytes: "binary"}
        kind = names.get(type(default[0] if shape else default), "real")
        super().__init__(unit, default, kind, shape, description=description)
        self.minimum, self.maximum, self.tunable = minimum, maximum, tunable

    def described(self):
        out = self.begun(TYPES.index(self.type), self.tunable)
        for bound in (self.minimum, self.maximum):
            out += optional(bound, lambda bound: struct.pack("<d", bound))
        return out + struct.pack("<I", 0) + text(self.description)

class Participant:
    """The class to derive from. Ports and parameters are attributes; override what is needed."""
    period = None  # The sampling period of one that acts only at multiples of it.
    rollback = False  # True lets it repeat steps: all attributes are copied, or what save and restore say.

    def initialize(self, start, stop):
        """Parameters are set; the run is about to begin."""
    def step(self, t, dt):
        """Goes from ``t`` to ``t + dt``. May return Early, Rejected or Terminate."""
    def outputs(self, t):
        """Computes the outputs that react at once to inputs."""
    def changed(self, t):
        """Parameters have changed between steps."""
    def terminate(self):
        """The run is over."""
    # def tangent(self, t): rows of derivatives, one for each real output or local, one column for each real input

    def save(self):
        """The state, so that ``restore`` can go back to it."""
        return copy.deepcopy({k: v for k, v in self.__dict__.items() if k != "_link"})

    def restore(self, state):
        """Goes back to a state, which stays saved."""
        self.__dict__.update(copy.deepcopy(state))

    def read(self, name, t):
        """A real input at any time of the present step."""
        return self._link.read(name, t)

    def log(self, message, level="info"):
        """Tells people something. What is printed reaches them too."""
        number = ["error", "warning", "info", "debug"].index(level)
        self._link.send(LOG, 0, 0, struct.pack("<I", number) + text(str(message)))

def text(value):
    data = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<I", len(data)) + data

def optional(value, write):
    return b"\0" if value is None else b"\1" + write(value)

class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        found = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return found

    def blob(self):
        return self.take(f"{self.take('I')[0]}s")[0]

    def values(self, kind, count):
        if PLANES[kind] < 3:
            return list(self.take(f"{count}{'dq?'[PLANES[kind]]}"))
        return [self.blob().decode() if kind == "string" else self.blob() for _ in range(count)]

class Link:
    """The line to Cardan, and the loop that answers it."""
    def __init__(self, participant):
        participant = participant() if isinstance(participant, type) else participant
        own = type(participant)
        if not isinstance(participant, Participant):
            raise SystemExit(f"`{own.__name__}` is no participant: write `class {own.__name__}(cardan.Participant):`.")
        participant._link, self.participant, self.slots, self.inputs, self.bound = self, participant, {}, [], []
        members = {name: member for base in reversed(own.__mro__) for name, member in vars(base).items()}
        members = {name: member for name, member in members.items() if isinstance(member, Port)}
        for name, member in members.items():
            if hasattr(Participant, name) or name in ("tangent", "_link"):
                raise SystemExit(f"A port or parameter cannot be called `{name}`: every participant has something else "
                                 f"of that name. Take another one for that of `{own.__name__}`, as `{name}_value`.")
            member.name = name
            setattr(participant, name, member.initial())
        self.parameters = [member for member in members.values() if member.causality is None]
        self.ports = [member for member in members.values() if member.causality is not None]
        inputs = [port.name for port in self.ports if port.causality == 0]
        for port in self.ports:
            port.direct = inputs if port.direct is True else port.direct
            for name in set(port.direct) - set(inputs):
                raise SystemExit(f"`{port.name}` is to react to `{name}`, but `{own.__name__}` has no such input.")

    def send(self, kind, flags, sequence, payload):
        self.sink.write(struct.pack("<IHHQ", len(payload), kind, flags, sequence) + payload)
        self.sink.flush()

    def receive(self, *expected):
        header = self.source.read(16)
        if len(header) < 16:
            raise EOFError("Cardan closed the connection")
        size, kind, flags, sequence = struct.unpack("<IHHQ", header)
        if expected and kind not in (REFUSE, *expected):  # Before it is waited for what strangers call a size.
            raise PermissionError(f"this is not Cardan: message {kind:#x} came where {expected[0]:#x} was expected")
        payload = self.source.read(size)
        if kind == REFUSE:
            raise PermissionError("Cardan refuses: " + payload[8:].decode())
        return kind, flags, sequence, payload

    def refuse(self, words):
        self.send(REFUSE, 0, 0, struct.pack("<I", VERSION) + text(words))
        raise PermissionError(words)

    def greet(self, source, sink):
        self.source, self.sink, secret = source, sink, os.environ.get("CARDAN_SECRET")
        nonce, name, tool = os.urandom(32), type(self.participant).__name__, "Python " + sys.version.split()[0]
        self.send(HELLO, 0, 0, MAGIC + struct.pack("<I", VERSION) + nonce + text(name) + text(tool))
        kind, _, _, payload = self.receive(WELCOME, CHALLENGE)
        if secret and kind == WELCOME:
            self.refuse("Cardan did not ask for the secret in CARDAN_SECRET: name it in `link`, or unset it here.")
        if kind == CHALLENGE:
            if not secret:
                self.refuse("Cardan wants a secret: set CARDAN_SECRET where this participant is started.")
            proof = lambda who: hmac.new(secret.encode(), who + nonce + payload, hashlib.sha256).digest()  # noqa: E731
            self.send(PROOF, 0, 0, proof(b"participant"))
            if not hmac.compare_digest(self.receive(WELCOME)[3][:32], proof(b"cardan")):
                self.refuse("Cardan does not know the secret.")
        self.send(INTERFACE, 0, 0, self.interface())

    def interface(self):
        own = type(self.participant)
        can = CAN_ROLL_BACK if own.rollback or own.save is not Participant.save else 0
        can |= KNOWS_TANGENT if hasattr(own, "tangent") else 0
        out = struct.pack("<I", can) + optional(own.period, lambda period: struct.pack("<d", period)) + b"\0"
        for members in (self.ports, self.parameters):
            out += struct.pack("<I", len(members)) + b"".join(member.described() for member in members)
        pairs = [(o, i) for o, output in enumerate(self.ports) for i, port in enumerate(self.ports)
                 if port.name in output.direct]
        out += struct.pack("<I", len(pairs)) + b"".join(struct.pack("<II", *pair) for pair in pairs)
        return out + struct.pack("<BII", 0, 0, 0)

    def serve(self):
        while True:
            kind, flags, sequence, payload = self.receive()
            if kind == GOODBYE:
                return
            try:
                extra, out = self.answer(kind, flags, Reader(payload))
            except Exception as error:  # Whatever goes wrong in the class is told to Cardan.
                traceback.print_exc()
                place = traceback.extract_tb(error.__traceback__)[-1]
                where = f"line {place.lineno} of {os.path.basename(place.filename)}, in {place.name}"
                words = text(f"{type(error).__name__}: {error}. ({where})")
                self.send(FAILURE, 0, sequence, struct.pack("<I", isinstance(error, ArithmeticError)) + words + b"\0")
            else:
                self.send(kind | REPLY, extra, sequence, struct.pack("<dQQ", math.inf, 0, 0) + out)

    def answer(self, kind, flags, reader):
        participant = self.participant
        if kind == STEP:
            return self.step(flags, reader)
        if kind in (OUTPUTS, TANGENT):
            (at,) = reader.take("d")
            self.take_inputs(reader)
            if kind == TANGENT:
                return 0, self.derivatives(participant.tangent(at))
            participant.outputs(at)
            return 0, self.planes()
        if kind == BIND:
            lists = [reader.take(f"{reader.take('I')[0]}I") for _ in range(2)]
            chosen = ([self.ports[index] for index in indices] for indices in lists)
            self.inputs, self.bound = (sorted(ports, key=lambda port: port.plane) for ports in chosen)
            places = itertools.accumulate((port.count for port in self.inputs), initial=0)
            self.places = {port.name: (at, port) for at, port in zip(places, self.inputs) if port.plane == 0}
        elif kind in (BEGIN, PARAMETERS):
            times = reader.take("3d" if kind == BEGIN else "d")
            for _ in range(reader.take("I")[0]):
                parameter = self.parameters[reader.take("I")[0]]
                number, count = reader.take("BI")
                values = reader.values(TYPES[number], count)
                setattr(participant, parameter.name, values if parameter.shape else values[0])
            participant.initialize(*times[:2]) if kind == BEGIN else participant.changed(*times)
        elif kind == TERMINATE:
            participant.terminate()
        elif kind == SAVE:
            self.slots[reader.take("I")[0]] = participant.save()
        elif kind == RESTORE:
            participant.restore(self.slots[reader.take("I")[0]])
        elif kind != FINISH:
            raise NotImplementedError(f"this participant does not know message {kind:#x}")
        return 0, b""

    def step(self, flags, reader):
        start, stop, _accepted, _watch, instants, count, several, held = reader.take("3d5I")
        reader.take(f"{instants}d")
        self.ends = reader.take(f"{several}I") if several else range(1, count + 1)
        numbers = reader.take(f"{6 * count}d")
        arcs = reader.take(f"{count}B") if flags & ARCS else (0,) * count
        self.segments = [(*numbers[6 * k:6 * k + 6], arcs[k]) for k in range(count)]
        for name in self.places:
            setattr(self.participant, name, self.read(name, start))
        for index in range(held):
            reader.take("d")
            self.take_inputs(reader, first=1, keep=index == 0)
        end = self.participant.step(start, stop - start)
        number, at, advice = (end.number, end.at, end.advice) if end else (0, -math.inf, math.nan)
        out = struct.pack("<IIdd", number, 0, at, advice)
        if flags & WITH_OUTPUTS and number != 2:
            self.participant.outputs(at if end else stop)
            return WITH_OUTPUTS, out + self.planes()
        return 0, out

    def read(self, name, t):
        if name not in self.places:
            return getattr(self.participant, name)
        place, port = self.places[name]
        values = []
        for real in range(place, place + port.count):
            first = self.ends[real - 1] if real else 0
            pieces = self.segments[first:self.ends[real]]
            until, origin, a, b, c, d, arc = next((piece for piece in pieces if t < piece[0]), pieces[-1])
            s = t - origin
            values.append(a * math.cos(c * s) + b * math.sin(c * s) if arc else a + s * (b + s * (c + s * d)))
        return values if port.shape else values[0]

    def take_inputs(self, reader, first=0, keep=True):
        for port in self.inputs:
            if port.plane >= first:
                values = reader.values(port.type, port.count)
                if keep:
                    setattr(self.participant, port.name, values if port.shape else values[0])

    def planes(self):
        return b"".join(port.packed(getattr(self.participant, port.name)) for port in self.bound)

    def derivatives(self, rows):
        """Those of the bound ports, out of those of all."""
        def chosen(bound, inputs):
            reals = [p for p in self.ports if p.plane == 0 and (p.causality == 0) == inputs for _ in range(p.count)]
            return [reals.index(port) + k for port in bound if port.plane == 0 for k in range(port.count)]
        across = chosen(self.inputs, True)
        values = [float(rows[row][column]) for row in chosen(self.bound, False) for column in across]
        return struct.pack(f"<{len(values)}d", *values)

def standard():
    """The standard streams, for the protocol alone: whatever is printed from now on goes to standard error."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)
    return source, sink

def serve(link, meet, *arguments):
    try:
        meet(*arguments)
        link.serve()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        raise SystemExit("Cardan is gone.") from None
    except PermissionError as error:
        raise SystemExit(str(error)) from None

def run(participant, listen=None, certificate=None, key=None):
    """Takes part as told by the environment, or waits at ``listen`` ("tcp://127.0.0.1:5000") for Cardan to call."""
    address, certificate = os.environ.get("CARDAN_CONNECT"), certificate or os.environ.get("CARDAN_CERTIFICATE")
    if not (address or listen):
        raise SystemExit("CARDAN_CONNECT is not set: let Cardan start this program, or say where to listen.")
    link = Link(participant)
    if address == "stdio:" and not listen:
        return serve(link, link.greet, *standard())
    from cardan import sockets  # Not there where Cardan brings this file along, and not needed.
    if listen:
        return serve(link, sockets.await_cardan, link, listen, certificate, key)
    serve(link, link.greet, *sockets.connected(address, certificate))

def main(spec):
    """Serves ``file.py:Class``: what ``python = …`` in a description does."""
    file, _, name = spec.rpartition(":")
    line = standard()  # Before foreign code can print.
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    called = os.path.basename(file).removesuffix(".py")
    called = "cardan_" + called if called in sys.modules else called  # `types.py` is not the module `types`.
    found = importlib.util.spec_from_file_location(called, file)
    module = sys.modules[called] = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    if not hasattr(module, name):
        raise SystemExit(f"{file} has no class `{name}`.")
    link = Link(getattr(module, name))
    serve(link, link.greet, *line)
