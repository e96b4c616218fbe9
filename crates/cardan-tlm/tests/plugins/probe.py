"""Does what its input says, one call a line, and prints what came of it: the tests drive the client for Python through it."""

import sys
import cardan_tlm as tlm

session, wishes, ends = None, {}, {}


def number(text):
    return float(text)


def obey(w):
    global session
    order, a = w[0], w[1:]
    v = [float(x) for x in a] if order not in ("connect", "config", "iface", "param") else []
    if order == "connect":
        session = tlm.Session(a[0], float(a[1]), float(a[2]), float(a[3]), a[4], **wishes)
        return []
    if order == "config":
        c = tlm.read_config(a[0])
        return [c.model, c.server, c.start, c.end, c.max_step]
    if order == "iface":
        made = session.interface(a[0], int(a[1]), a[2], a[3])
        if made:
            ends[made.id] = made
        return [made.id if made else tlm.UNCONNECTED]
    if order == "param":
        return [a[0], session.parameter(a[0], a[1])]
    if order in ("cubic", "feedback", "patience"):
        wishes.update({"cubic": True} if order == "cubic" else {"feedback": v[0]} if order == "feedback" else {"connect_patience": v[0], "patience": v[1]})
        return []
    if order == "check":
        session.check_model()
        return []
    if order == "close":
        session.close()
        return []
    if order == "extrapolations":
        return [session.extrapolations]
    end = ends[int(v[0])]
    one = lambda: end.data(v[1])
    if order in ("force1", "force3", "first"):
        end.initial_force = v[1:]
        return []
    if order in ("flow1", "flow3"):
        end.initial_flow = v[1:]
        return []
    if order == "get1":
        return [end.force(v[1], v[2])]
    if order == "get3":
        return end.load(v[1], v[2:5], v[5:8])
    if order == "wave1":
        return [end.params.zf, *end.wave(v[1])]
    if order == "wave3":
        return [end.params.zf, end.params.zfr, *end.wave(v[1])]
    if order == "value":
        return [end.value(v[1])]
    if order == "set1":
        end.set_motion(v[1], v[2], v[3])
        return []
    if order == "set3":
        end.set_motion3d(v[1], v[2:5], v[5:14], v[14:17], v[17:20])
        return []
    if order == "setvalue":
        end.set_value(v[1], v[2])
        return []
    if order == "params":
        p = end.params
        return [p.delay, p.zf, p.zfr, p.alpha, *p.position, *p.rotation, *p.nominal_position, *p.nominal_orientation, p.mode]
    if order in ("data1", "data3"):
        d = one()
        return [d.time, *d.position, *d.orientation, *d.velocity, *d.wave]
    if order == "pure1":
        return tlm.force(one(), end.params, [v[2]], bool(v[3]))
    if order == "pure3":
        return tlm.force(one(), end.params, v[2:8])
    if order == "seen":
        position, orientation = tlm.seen_from_component(one(), end.params)
        return [*position, *orientation]
    raise tlm.TLMError(0, "unknown " + order)


for line in sys.stdin:
    try:
        got = obey(line.split())
        print("ok", *(f"{x:.17g}" if isinstance(x, float) else x for x in got), flush=True)
    except tlm.TLMError as e:
        print("error", e.code, e, flush=True)
    except tlm.InterfaceRequestDone:
        print("done", flush=True)
