"""Take part in a TLM co-simulation from Python: this file and the standard library.

    import cardan_tlm

    with cardan_tlm.Session("m1", 0.0, 1.0, 1e-4, "localhost:11111") as line:
        tie = line.interface("tlm", 1)
        mass = float(line.parameter("m", "1"))
        ...
        force = tie.force(t, v)     # before a step, and within it
        tie.set_motion(t, x, v)     # after it

Results do not depend on the moment at which messages arrive: up to start + delay there is no data by rule; later a call waits
for what it needs. A session belongs to one thread. The arithmetic is that of the client for C, number by number.
"""

from __future__ import annotations

import math
import os
import select
import socket
import struct
import sys
import time as clock
from bisect import bisect_left
from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

__all__ = ["Config", "Data", "Interface", "InterfaceRequestDone", "Params", "Session", "TLMError", "read_config"]

NO_DATA = -111111.0
"""The time of data that is not there yet."""

UNCONNECTED, BAD_ARGUMENT, NO_MANAGER, LOST, PROTOCOL, REFUSED, TIMEOUT, BAD_FILE = -1, -2, -3, -4, -5, -6, -8, -9
_TIME_DATA, _COMPONENT, _INTERFACE, _CHECK, _ABORT, _PARAMETER, _CLOSE, _PERMISSION = range(1, 9)
_LARGEST = 64 << 20
_BIG = sys.byteorder == "big"
_NOT_WAITING = getattr(socket, "MSG_DONTWAIT", 0)


class TLMError(Exception):
    """Something went wrong; `code` is the number that the client for C has for it."""

    def __init__(self, code: int, words: str) -> None:
        super().__init__(words)
        self.code = code


class InterfaceRequestDone(Exception):
    """The manager only wanted to know where the interfaces are: end the simulation, without error. `Session` swallows it."""


@dataclass(frozen=True)
class Config:
    """What a start script wrote into tlm.config."""

    model: str
    server: str
    start: float
    end: float
    max_step: float


def read_config(path: str = "tlm.config") -> Config:
    """Reads name host:port start end maxstep, or name start end maxstep host:port."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            words = file.read(4096).split()
    except OSError as e:
        raise TLMError(BAD_FILE, f"The file {path} cannot be opened; the start script of the tool writes it ({e}).") from None
    server = next((k for k in (1, 4) if len(words) == 5 and ":" in words[k]), 0)
    try:
        numbers = [float(word) for k, word in enumerate(words) if k not in (0, server)]
        if not server or not all(map(math.isfinite, numbers)):
            raise ValueError
    except ValueError:
        raise TLMError(BAD_FILE, f"{path} must hold five words: name host:port start end maxstep, or name start end maxstep host:port.") from None
    return Config(words[0], words[server], *numbers)


@dataclass(frozen=True)
class Params:
    """What the model says about a line and the frames at its end. Matrices are row by row."""

    delay: float
    zf: float
    zfr: float
    alpha: float
    position: Tuple[float, ...]  # of the component's frame in the global one
    rotation: Tuple[float, ...]  # global to component
    nominal_position: Tuple[float, ...]
    nominal_orientation: Tuple[float, ...]
    mode: float

    @staticmethod
    def of(numbers: Sequence[float]) -> "Params":
        n = tuple(numbers)
        return Params(n[0], n[1], n[2], n[3], n[4:7], n[7:16], n[16:19], n[19:28], n[28])


@dataclass(frozen=True)
class Data:
    """What came for some instant: all that the pure function `force` needs. Three dimensions are in the global frame.
    Before there is data, the time is NO_DATA and the wave is the initial load."""

    time: float
    position: Tuple[float, ...]
    orientation: Tuple[float, ...]
    velocity: Tuple[float, ...]
    wave: Tuple[float, ...]


def force(data: Data, params: Params, velocity: Sequence[float], hydraulic: bool = False) -> List[float]:
    """The load for this velocity: one number or six. A pure function, for parts of a solver that have no session."""
    wave = list(data.wave)
    if data.time == NO_DATA:
        return wave
    if len(wave) == 1:
        return [wave[0] + params.zf * velocity[0] if hydraulic else wave[0] - params.zf * velocity[0]]
    load = _apply(params.rotation, wave[:3]) + _apply(params.rotation, wave[3:])
    return [load[k] - (params.zf if k < 3 else params.zfr) * velocity[k] for k in range(6)]


def seen_from_component(data: Data, params: Params) -> Tuple[List[float], List[float]]:
    """Position and orientation in data of three dimensions, as the component's frame sees them."""
    away = [data.position[k] - params.position[k] for k in range(3)]
    return _apply(params.rotation, away), _multiply(data.orientation, _transposed(params.rotation))


def _apply(a: Sequence[float], v: Sequence[float]) -> List[float]:
    return [a[3 * i] * v[0] + a[3 * i + 1] * v[1] + a[3 * i + 2] * v[2] for i in range(3)]


def _transposed(a: Sequence[float]) -> List[float]:
    return [a[i % 3 * 3 + i // 3] for i in range(9)]


def _multiply(a: Sequence[float], b: Sequence[float]) -> List[float]:
    return [a[i // 3 * 3] * b[i % 3] + a[i // 3 * 3 + 1] * b[i % 3 + 3] + a[i // 3 * 3 + 2] * b[i % 3 + 6] for i in range(9)]


def _turn(a0: Sequence[float], a1: Sequence[float], part: float) -> List[float]:
    """From A0 a part of the way to A1: the angles of the turn between them grow evenly."""
    between = _multiply(_transposed(a0), a1)
    x, y, z = math.atan2(between[5], between[8]), math.asin(max(-1.0, min(1.0, -between[2]))), math.atan2(between[1], between[0])
    (c1, s1), (c2, s2), (c3, s3) = ((math.cos(part * angle), math.sin(part * angle)) for angle in (x, y, z))
    return _multiply(a0, [c2 * c3, c2 * s3, -s2,
                          s1 * s2 * c3 - c1 * s3, c1 * c3 + s1 * s2 * s3, s1 * c2,
                          s1 * s3 + c1 * s2 * c3, c1 * s2 * s3 - s1 * c3, c1 * c2])


class _History:
    """Samples whose times increase strictly. The first number of a sample is its time."""

    def __init__(self) -> None:
        self.times: List[float] = []
        self.samples: List[Tuple[float, ...]] = []
        self.dropped = 0

    def __len__(self) -> int:
        return len(self.times)

    def add(self, sample: Tuple[float, ...]) -> None:
        # The first of two samples of one instant stays: which is read must not depend on when the second comes.
        if not self.times or sample[0] > self.times[-1]:
            self.times.append(sample[0])
            self.samples.append(sample)

    def replace(self, sample: Tuple[float, ...]) -> None:
        if self.times and sample[0] == self.times[-1]:
            self.times.pop(), self.samples.pop()
        self.add(sample)

    def find(self, time: float, slack: float) -> int:
        return bisect_left(self.times, time - slack)

    def forget(self, time: float) -> None:
        many = 0
        while len(self.times) - many > 4 and self.times[many + 4] <= time:
            many += 1
        if many:
            del self.times[:many], self.samples[:many]
            self.dropped += many

    def read(self, known: int, time: float, slack: float, cubic: bool, oriented: bool = False) -> List[float]:
        k = self.find(time, slack)
        beyond = k > known
        k = min(k, known)
        b = self.samples[k]
        if not beyond and k == 0 and b[0] > time:
            return list(b)  # before the first sample: that one, with its time
        if k == 0 or (not beyond and b[0] <= time):
            return [time, *b[1:]]
        a = self.samples[k - 1]
        t0, t1 = a[0], b[0]
        if cubic and not beyond:  # through the last four; needs nothing that would have to be waited for
            out = [0.0] * len(b)
            nodes = range(max(0, k - 3), k + 1)
            for j in nodes:
                weight = 1.0
                for m in nodes:
                    if m != j:
                        weight *= (time - self.times[m]) / (self.times[j] - self.times[m])
                for i in range(1, len(b)):
                    out[i] += weight * self.samples[j][i]
            out[0] = time
        else:
            out = [time] + [((time - t0) * b[i] - (time - t1) * a[i]) / (t1 - t0) for i in range(1, len(b))]
        if oriented:
            out[4:13] = _turn(a[4:13], b[4:13], (time - t0) / (t1 - t0))
        return out


class Interface:
    """One end of a line, or a signal that comes or goes. Made by `Session.interface`."""

    def __init__(self, session: "Session", number: int, name: str, dimensions: int, causality: str, domain: str, params: Params) -> None:
        self.session, self.id, self.name, self.params = session, number, name, params
        self.dimensions, self.causality, self.domain = dimensions, causality, domain
        self.hydraulic = domain == "hydraulic" and dimensions == 1 and causality == "bidirectional"
        self.initial_force: Sequence[float] = [0.0] * dimensions
        """Load, or value of an input signal, before there is data."""
        self.initial_flow: Sequence[float] = [0.0] * dimensions
        self._width = (4 if dimensions == 1 else 25) if causality == "bidirectional" else 2
        self._wave = slice(3, 4) if self._width == 4 else slice(19, 25)
        self._came, self._damped, self._unsent = _History(), _History(), _History()
        self._last_sent = self._last_told = session.start
        self._told = self._asked = False
        self._horizon = 0
        self._slack = 1e-9 * params.delay

    def force(self, time: float, velocity: float, position: float = 0.0) -> float:
        """The load of a line of one dimension."""
        del position  # some tools pass it; no load depends on it
        return force(self.data(time), self.params, [velocity], self.hydraulic)[0]

    def load(self, time: float, velocity: Sequence[float], angular_velocity: Sequence[float]) -> List[float]:
        """Force and torque of a line of three dimensions, in the component's frame, about the interface."""
        return force(self.data(time), self.params, [*velocity, *angular_velocity])

    def value(self, time: float) -> float:
        """The value of an input signal."""
        self._must_be("input", 1)
        sample = self._sample(time)
        return self.initial_force[0] if sample is None else sample[1]

    def data(self, time: float) -> Data:
        """What the pure function `force` needs for this time."""
        self._must_be("bidirectional", self.dimensions)
        sample = self._sample(time)
        return self._data(sample, time)

    def _data(self, sample: Optional[List[float]], time: float) -> Data:
        one = self.dimensions == 1
        if sample is None:
            nothing = (0.0,) if one else (0.0,) * 3
            return Data(NO_DATA, nothing, () if one else (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), nothing if one else nothing * 2, tuple(self.initial_force))
        s, at = tuple(sample), time - self.params.delay
        return Data(at, s[1:2], (), s[2:3], s[3:4]) if one else Data(at, s[1:4], s[4:13], s[13:19], s[19:25])

    def wave(self, time: float) -> List[float]:
        """The wave that arrives, zero before there is any; of three dimensions in the global frame. Impedances: `params`."""
        data = self.data(time)
        return [0.0] * self.dimensions if data.time == NO_DATA else list(data.wave)

    def set_motion(self, time: float, position: float, velocity: float) -> None:
        """Motion of a line of one dimension, for completed steps only."""
        self._must_be("bidirectional", 1)
        if not self._may_tell(time, [position, velocity]):
            return
        sample = self._sample(time)
        z = self.params.zf if self.hydraulic else -self.params.zf
        if sample is None:
            load = self.initial_force[0] + z * self.initial_flow[0]
        else:
            self._damp(sample)
            load = sample[3] + z * velocity
        self._tell((time, position, velocity, (load if self.hydraulic else -load) + self.params.zf * velocity))

    def set_motion3d(self, time: float, position: Sequence[float], orientation: Sequence[float],
                     velocity: Sequence[float], angular_velocity: Sequence[float]) -> None:
        """Motion of a line of three dimensions; the orientation maps vectors of the component's frame into the interface's."""
        self._must_be("bidirectional", 6)
        v = [*velocity, *angular_velocity]
        if not self._may_tell(time, [*position, *orientation, *v]):
            return
        sample, a = self._sample(time), self.params.rotation
        waves = []
        if sample is not None:
            self._damp(sample)
            waves = _apply(a, sample[19:22]) + _apply(a, sample[22:25])
        for k in range(6):
            z = self.params.zf if k < 3 else self.params.zfr
            load = waves[k] - z * v[k] if sample is not None else self.initial_force[k] - z * self.initial_flow[k]
            waves[k:k + 1] = [-load + z * v[k]]
        back = _transposed(a)
        away = _apply(back, position)
        vectors = [n for w in (v[:3], v[3:], waves[:3], waves[3:]) for n in _apply(back, w)]
        self._tell((time, *(self.params.position[k] + away[k] for k in range(3)), *_multiply(orientation, a), *vectors))

    def set_value(self, time: float, value: float) -> None:
        """The value of an output signal, for completed steps only."""
        self._must_be("output", 1)
        if self._may_tell(time, [value]):
            self._tell((time, value))

    def _must_be(self, causality: str, dimensions: int) -> None:
        if (self.causality, self.dimensions) != (causality, dimensions):
            raise TLMError(BAD_ARGUMENT, f"Interface {self.name} is {self.causality} of dimension {self.dimensions}, and this call is for another kind.")

    def _sample(self, time: float) -> Optional[List[float]]:
        s, p = self.session, self.params
        slack, at = self._slack + 4.0 * sys.float_info.epsilon * abs(time), time - p.delay
        s.check_model()
        if not math.isfinite(time):
            raise TLMError(BAD_ARGUMENT, "A time must be finite.")
        if p.mode > 0.0 or time <= s.start + p.delay + slack:
            return None
        # Others may need what is still here before they can send what is needed now.
        for other in s.interfaces.values():
            if time > other._last_sent + other.params.delay + slack:
                other._send()
        came, needed = self._came, self._came.find(at, slack)
        # Beyond the own last motion plus a delay, the other end may be waiting for motion that it never gets.
        if self.causality == "input" or at <= self._last_sent + slack:
            while needed == len(came):
                s._receive(0)
                needed = came.find(at, slack)
            self._horizon = max(self._horizon, came.dropped + needed + 1)
        elif came.dropped + needed >= self._horizon:
            s.extrapolations += 1
        if self._horizon <= came.dropped:
            return None
        sample = came.read(self._horizon - came.dropped - 1, at, slack, s.cubic, self._width == 25)
        if p.alpha > 0.0 and self._damped and self._width > 2:
            before = self._damped.read(len(self._damped) - 1, sample[0] - s.feedback * p.delay, slack, s.cubic)
            sample[self._wave] = [(1.0 - p.alpha) * c + p.alpha * b for c, b in zip(sample[self._wave], before[1:])]
        return sample

    def _damp(self, sample: List[float]) -> None:
        if self.params.alpha > 0.0:
            self._damped.replace((sample[0], *sample[self._wave]))

    def _may_tell(self, time: float, numbers: Sequence[float]) -> bool:
        s = self.session
        s.check_model()
        if s.closed:
            if s.asking:
                raise InterfaceRequestDone
            raise TLMError(BAD_ARGUMENT, "The session has said goodbye already.")
        if not math.isfinite(time) or not all(map(math.isfinite, numbers)):
            raise TLMError(BAD_ARGUMENT, f"Time and motion of interface {self.name} must be finite.")
        if s.asking and self._asked:
            s.close()
            raise InterfaceRequestDone
        if time < self._last_told:
            raise TLMError(BAD_ARGUMENT, f"Interface {self.name} was told its motion at {time:.9g} s after that at {self._last_told:.9g} s; "
                           "only completed steps are told, in order.")
        return not (self._told and time == self._last_told and not self._unsent)  # what has left cannot be changed

    def _tell(self, sample: Tuple[float, ...]) -> None:
        time, delay = sample[0], self.params.delay
        self._unsent.replace(sample)
        self._told, self._last_told = True, time
        if self.session.asking or time >= self._last_sent + delay / 2.0 - self._slack:
            self._send()
            self._asked = True
        self._came.forget(time - 2.0 * delay)  # a delay more than is needed stays, for solvers that look back
        self._damped.forget(time - (2.0 + self.session.feedback) * delay)

    def _send(self) -> None:
        if self._unsent:
            numbers = [n for sample in self._unsent.samples for n in sample]
            self.session._send(_TIME_DATA, self.id, struct.pack(f"={len(numbers)}d", *numbers))
            self._last_sent, self._unsent = self._last_told, _History()


class Session:
    """A component and its connection to the manager. As a context it says goodbye at the end, or hangs up after an error."""

    def __init__(self, model: str, start: float, end: float, max_step: float, server: str, *, cubic: bool = False, feedback: float = 1.5,
                 patience: float = 0.0, connect_patience: float = 60.0) -> None:
        """`feedback`: delays between input and feedback of the filter. `patience`: seconds to wait for data, 0 for any time. The
        environment has the last word: CARDAN_TLM_INTERPOLATION, _FILTER_FEEDBACK, _PATIENCE, _CONNECT_PATIENCE."""
        self.interfaces: dict[int, Interface] = {}
        self.extrapolations = 0
        """How often a load was extrapolated, because steps were longer than the delay allows."""
        self.checked = self.closed = self.asking = False
        self._socket: Optional[socket.socket] = None
        self._inbox = bytearray()
        self._failure: Optional[TLMError] = None
        rule = os.environ.get("CARDAN_TLM_INTERPOLATION") or ("cubic" if cubic else "linear")
        if rule not in ("linear", "cubic"):
            raise TLMError(BAD_ARGUMENT, "The environment variable CARDAN_TLM_INTERPOLATION must be linear or cubic.")
        self.cubic = rule == "cubic"
        self.feedback = _setting("CARDAN_TLM_FILTER_FEEDBACK", feedback)
        self.patience = _setting("CARDAN_TLM_PATIENCE", patience)
        if not self.feedback > 0.0:
            raise TLMError(BAD_ARGUMENT, "The feedback of the filter must be later than its input by a positive number of delays.")
        if not 0 < len(model.encode()) < 256:
            raise TLMError(BAD_ARGUMENT, "The name of the component must have 1 to 255 characters.")
        if not (all(map(math.isfinite, (start, end, max_step))) and start < end and max_step >= 0.0):
            raise TLMError(BAD_ARGUMENT, "The simulation must end after its start, with a largest step that is not negative.")
        self.start, self.end, self.max_step = start, end, max_step
        self._open(server, _setting("CARDAN_TLM_CONNECT_PATIENCE", connect_patience))
        # A manager on another machine wants to hear the secret that both find in the environment.
        secret = os.environ.get("CARDAN_TLM_SECRET", "").strip()
        number, _ = self._ask(_COMPONENT, f"{model}\0{secret}".encode() if secret else model.encode())
        if number < 0:
            raise self._fail(REFUSED, f"The manager does not want a component named `{model}`.")

    @classmethod
    def from_config(cls, path: str = "tlm.config") -> "Session":
        """Connects as tlm.config says."""
        c = read_config(path)
        return cls(c.model, c.start, c.end, c.max_step, c.server)

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, kind: Optional[type], *_: object) -> bool:
        if kind is None and self.checked and not self.closed:
            self.close()
        self._hang_up()
        return kind is InterfaceRequestDone

    def interface(self, name: str, dimensions: int = 6, causality: str = "bidirectional", domain: str = "mechanical") -> Optional[Interface]:
        """Registers an interface; None if the model connects nothing to it."""
        self._registering()
        causality, domain = causality.lower(), domain[:1].lower() + domain[1:]
        if not 0 < len(name.encode()) < 128 or ":" in name:
            raise TLMError(BAD_ARGUMENT, "The name of an interface must have 1 to 127 characters, none of them a colon.")
        if not 0 < len(domain.encode()) < 64 or ":" in domain:
            raise TLMError(BAD_ARGUMENT, "The domain of an interface must be mechanical, rotational, hydraulic, electric or signal.")
        if causality not in ("bidirectional", "input", "output"):
            raise TLMError(BAD_ARGUMENT, f"The causality of {name} must be bidirectional, input or output, not `{causality}`.")
        if dimensions != 1 and (dimensions != 6 or causality != "bidirectional"):
            raise TLMError(BAD_ARGUMENT, f"Interface {name} can have dimension 1, or 6 if it is bidirectional, not {dimensions}.")
        if domain == "signal" and causality == "bidirectional":
            raise TLMError(BAD_ARGUMENT, f"The signal {name} must be input or output.")
        if any(other.name == name for other in self.interfaces.values()):
            raise TLMError(BAD_ARGUMENT, f"Interface {name} is registered twice.")
        number, (payload, order) = self._ask(_INTERFACE, f"{name}:{dimensions}:{causality}:{domain}".encode())
        if number < 0 and not payload:
            return None
        numbers = struct.unpack(order + "29d", payload) if len(payload) == 232 else ()
        if number < 0 or number in self.interfaces or not numbers or not all(map(math.isfinite, numbers)) or numbers[0] < 0 or not 0 <= numbers[3] < 1:
            raise self._fail(PROTOCOL, f"The manager's answer about interface {name} makes no sense.")
        params = Params.of(numbers)
        if not params.delay > 0.0 and not params.mode > 0.0:
            raise self._fail(REFUSED, f"The line at interface {name} has no delay; a transmission line must have one.")
        self.asking |= params.mode > 0.0
        made = self.interfaces[number] = Interface(self, number, name, dimensions, causality, domain, params)
        return made

    def parameter(self, name: str, value: str) -> str:
        """The value that the model has for this parameter, or the one given here."""
        self._registering()
        if not name or ":" in name or len((name + value).encode()) > 400:
            raise TLMError(BAD_ARGUMENT, "A parameter needs a name without a colon and a value, 400 characters at most.")
        _, (payload, _) = self._ask(_PARAMETER, f"{name}:{value}".encode())
        return bytes(payload).split(b"\0")[0].decode(errors="replace") if payload else value

    def check_model(self) -> None:
        """Waits until all components are ready. Done by the first call that needs data, if nobody did before."""
        if not self.checked:
            self._registering()
            number, _ = self._ask(_CHECK, b"")
            if number != 1:
                raise self._fail(REFUSED, "The manager's check of the model failed: an interface of the model was not registered by its component.")
            self.checked = True

    def close(self) -> None:
        """Sends what has not left yet, says goodbye, and waits for all the others."""
        if self.closed:
            return
        for interface in self.interfaces.values() if self.checked else ():
            interface._send()
        self._send(_CLOSE, -1, b"")
        while self._message()[0] != _PERMISSION:
            pass  # others may still be sending: no more use for it
        self.closed = True
        self._hang_up()

    def _registering(self) -> None:
        if self.checked:
            raise TLMError(BAD_ARGUMENT, "The model was checked already; interfaces and parameters are registered before that.")

    def _fail(self, code: int, words: str) -> TLMError:
        self._hang_up()
        self._failure = TLMError(code, words)
        return self._failure

    def _hang_up(self) -> None:
        if self._socket:
            self._socket.close()
            self._socket = None

    def _open(self, server: str, patience: float) -> None:
        host, colon, port = server.rpartition(":")
        if not (host and colon and port.isascii() and port.isdigit() and 0 < int(port) < 65536):
            raise TLMError(BAD_ARGUMENT, f"The TLM manager's address must be host:port with a port from 1 to 65535, not `{server}`.")
        host = host[1:-1] if host.startswith("[") and host.endswith("]") else host
        until, pause = clock.monotonic() + patience, 0.01
        while True:
            try:
                self._socket = socket.create_connection((host, int(port)))
                break
            except OSError as e:
                known = not isinstance(e, socket.gaierror)
                words = f"No TLM manager answers at {server}: {e}." if known else f"The name of the TLM manager's host, `{host}`, is not known here: {e}."
                again = known or getattr(e, "errno", None) == socket.EAI_AGAIN
                if not again or clock.monotonic() + pause > until:
                    raise self._fail(NO_MANAGER, words) from None
            clock.sleep(pause)
            pause = min(2.0 * pause, 1.0)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._socket.settimeout(self.patience or None)

    def _send(self, kind: int, number: int, payload: bytes) -> None:
        if not self._socket:
            raise self._failure or TLMError(LOST, "The session is closed.")
        left = memoryview(struct.pack("=8sBBxxiii", b"TLM_0101", kind, _BIG, len(payload), number, 0) + payload)
        while left:
            # Takes in what comes meanwhile: two who both only send would wait for each other for ever.
            readable, writable, _ = select.select([self._socket], [self._socket], [], self.patience or None)
            try:
                if writable:
                    left = left[self._socket.send(left, _NOT_WAITING):]
                elif readable:
                    self._take_in()
                else:
                    raise self._fail(TIMEOUT, f"The TLM manager took nothing for {self.patience:g} s.")
            except BlockingIOError:
                pass
            except OSError as e:
                raise self._fail(LOST, f"The connection to the TLM manager is lost: {e}.") from None

    def _fill(self, size: int) -> None:
        while len(self._inbox) < size:
            if not self._socket:
                raise self._failure or TLMError(LOST, "The session is closed.")
            self._take_in()

    def _take_in(self) -> None:
        assert self._socket
        try:
            piece = self._socket.recv(1 << 16)
        except socket.timeout:
            raise TLMError(TIMEOUT, f"Nothing came from the TLM manager for {self.patience:g} s (see the argument patience).") from None
        except OSError as e:
            raise self._fail(LOST, f"The connection to the TLM manager is lost: {e}.") from None
        if not piece:
            raise self._fail(LOST, "The connection to the TLM manager is lost: the manager closed it.")
        self._inbox += piece

    def _message(self) -> Tuple[int, int, bytes, str]:
        self._fill(24)
        header = bytes(self._inbox[:24])
        order = ">" if header[9] == 1 else "<"
        size, number, _ = struct.unpack(order + "3i", header[12:])
        wrong = ("it does not begin with TLM_0101" if header[:8] != b"TLM_0101" else
                 "its byte order is neither little nor big endian" if header[9] > 1 else
                 "its length is negative" if size < 0 else
                 "it is longer than 64 MB" if size > _LARGEST else None)
        if wrong:
            raise self._fail(PROTOCOL, f"What came from the TLM manager is no message of TLM: {wrong}.")
        self._fill(24 + size)
        payload = bytes(self._inbox[24:24 + size])
        del self._inbox[:24 + size]
        return header[8], number, payload, order

    def _receive(self, kind: int) -> Tuple[int, Tuple[bytes, str]]:
        """The next message of a kind; 0 for time data only. Time data goes to its interface whenever it comes."""
        while True:
            what, number, payload, order = self._message()
            if what == kind:
                return number, (payload, order)
            if what == _TIME_DATA:
                self._take(number, payload, order)
                if not kind:
                    return number, (payload, order)
            elif what in (_ABORT, _PERMISSION):
                why = ": " + payload[:300].decode(errors="replace") if payload else "."
                raise self._fail(LOST, f"The manager ended the run before this component was done{why}")
            else:
                raise self._fail(PROTOCOL, f"The manager sent a message of type {what} while type {kind} was awaited.")

    def _take(self, number: int, payload: bytes, order: str) -> None:
        interface = self.interfaces.get(number)
        if interface is None or interface.causality == "output":
            raise self._fail(PROTOCOL, f"The manager sent data for interface {number}, which this component {'only sends from' if interface else 'does not have'}.")
        width = interface._width
        if len(payload) % (8 * width):
            raise self._fail(PROTOCOL, f"The manager sent {len(payload)} bytes for interface {interface.name}; a sample has {8 * width}.")
        for sample in struct.iter_unpack(f"{order}{width}d", payload):
            if not all(map(math.isfinite, sample)):
                raise self._fail(PROTOCOL, f"A number that is not finite came for interface {interface.name}, in the sample of {sample[0]:.9g} s.")
            interface._came.add(sample)

    def _ask(self, kind: int, payload: bytes) -> Tuple[int, Tuple[bytes, str]]:
        self._send(kind, -1, payload)
        return self._receive(kind)


def _setting(name: str, usual: float) -> float:
    text = os.environ.get(name)
    try:
        value = float(text) if text else usual
        if not (math.isfinite(value) and value >= 0.0):
            raise ValueError
    except ValueError:
        raise TLMError(BAD_ARGUMENT, f"The environment variable {name} must be a number that is not negative, not `{text or usual}`.") from None
    return value
