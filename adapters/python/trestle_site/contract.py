"""The text that both ends agree on before anything moves (docs/reference/session-contract.md), letter for letter as the integrator
writes it."""

import hashlib
import math

from google.protobuf import text_format

LONGEST_WORDS = 400  # of a compensator's or controller's words; the hash beside them stands for the rest
UNITS = {0: ("_m", "_m_s", "_m_s2", "_N"), 1: ("_rad", "_rad_s", "_rad_s2", "_N_m")}
KINDS = {0: "translation", 1: "rotation"}


def number(value):
    """The shortest decimals that read back as the same double, as std::to_chars of C++ writes them."""
    if math.isinf(value) and value > 0:
        return "none"
    if math.isnan(value):
        return "nan"
    if value == 0 or math.isinf(value):
        return ("-" if math.copysign(1, value) < 0 else "") + ("0" if value == 0 else "inf")
    sign = "-" if value < 0 else ""
    digits, exponent = _digits(abs(value))
    tail = "." + digits[1:] if len(digits) > 1 else ""
    scientific = f"{digits[0]}{tail}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
    if exponent < 0:
        fixed = "0." + "0" * (-exponent - 1) + digits
    elif len(digits) > exponent + 1:
        fixed = digits[: exponent + 1] + "." + digits[exponent + 1 :]
    else:
        fixed = str(int(abs(value)))  # beyond 2^53 with all its digits
    return sign + (fixed if len(fixed) <= len(scientific) else scientific)


def _digits(value):
    """Shortest digits of a positive number, and the decimal exponent of the first."""
    mantissa, exponent = f"{value!r}".lower(), 0
    if "e" in mantissa:
        mantissa, power = mantissa.split("e")
        exponent = int(power)
    whole, _, part = mantissa.partition(".")
    digits = whole + part
    exponent += len(whole) - 1
    stripped = digits.lstrip("0")
    exponent -= len(digits) - len(stripped)
    return stripped.rstrip("0"), exponent


def or_none(limit):
    """Converts 0, with which the messages mark an unset limit, to infinity."""
    return limit if limit > 0 else math.inf


def one_line(text):
    return "".join(
        "\\\\" if c == "\\" else c if ord(c) >= 0x20 and ord(c) != 0x7F else f"\\x{ord(c):02x}" for c in text
    )


def words(message):
    """Returns a compensator's or controller's message as text."""
    text = text_format.MessageToString(message, as_one_line=True, use_short_repeated_primitives=True).rstrip(" ")
    if not text:
        return "default"
    raw = text.encode()
    if len(raw) <= LONGEST_WORDS:
        return text
    return raw[:LONGEST_WORDS].decode(errors="ignore") + f" ... of {len(raw)} letters"


def hash_of(text):
    return hashlib.sha256(text.encode()).hexdigest()


def contract_text(hello, configure, configured, stated):
    """@param stated  pairs of what the site alone knows"""
    lines = []

    def fact(key, value):
        if isinstance(value, bool):
            value = "yes" if value else "no"
        elif isinstance(value, float):
            value = number(value)
        lines.append(f"{key}: {one_line(str(value))}\n")

    fact("contract", "trestle 1")
    fact("protocol", hello.protocol.major)
    fact("test", configure.test)
    fact("session", configure.session.hex())
    fact("model", configure.model)
    fact("integrator.software", configure.software)
    fact("site", hello.site)
    fact("site.software", hello.software)
    fact("site.real_equipment", hello.real_equipment)
    fact("site.hardware_watchdog", hello.hardware_watchdog)
    fact("site.shortest_tick_s", hello.shortest_tick_s)
    _pace(fact, configure)
    _interface(fact, configured.layout)
    _actuators(fact, configured)
    for key, message in (("compensator", configure.compensator), ("controller", configure.controller)):
        fact(key, words(message))
        fact(key + ".sha256", hashlib.sha256(message.SerializeToString()).hexdigest())
    for key, value in stated:
        fact("site_states." + one_line(key), value)
    return "".join(lines)


def _pace(fact, configure):
    pace = configure.pace
    fact("mode", configure.mode)
    fact("clock", "virtual" if pace.virtual_clock else "wall")
    fact("clock_source", "system" if pace.system_clock else "bus")
    fact("latency_steps", pace.latency_steps)
    if configure.mode == "pseudo-dynamic":
        fact("pseudo_dynamic.rate_m_s", pace.rate)
        fact("pseudo_dynamic.rotation_rate_rad_s", pace.rotation_rate)
        fact("pseudo_dynamic.settle_s", pace.settle_s)
        fact("pseudo_dynamic.average_s", pace.average_s)
    fact("time_step_s", configure.time_step_s)
    fact("ticks_per_step", configure.ticks_per_step)
    fact("steps_planned", configure.steps_planned)
    fact("seed", configure.seed)
    fact("heartbeat_s", configure.heartbeat_period_s)
    fact("watchdog_s", configure.watchdog_s)


def _interface(fact, layout):
    fact("interface.dofs", len(layout))
    for i, dof in enumerate(layout):
        key, units = f"interface[{i}].", UNITS[dof.kind]
        fact(key + "name", dof.name)
        fact(key + "kind", KINDS[dof.kind])
        fact(key + "role", "force-only" if dof.force_only else "controlled")
        fact(key + "force" + units[3], "+K d")
        fact(key + "displacement" + units[0], dof.displacement_limit)
        fact(key + "rate" + units[1], or_none(dof.rate_limit))
        fact(key + "acceleration" + units[2], or_none(dof.acceleration_limit))


def _actuators(fact, configured):
    fact("actuators", len(configured.actuators))
    for i, actuator in enumerate(configured.actuators):
        fact(f"actuators[{i}].name", actuator.name)
        fact(f"actuators[{i}].kind", KINDS[actuator.kind])
    for i, limits in enumerate(configured.limits):
        key = f"limits.actuators[{i}]."
        units = UNITS[configured.actuators[i].kind if i < len(configured.actuators) else 0]
        fact(key + "displacement" + units[0], limits.displacement)
        fact(key + "rate" + units[1], limits.rate)
        fact(key + "acceleration" + units[2], or_none(limits.acceleration))
        fact(key + "force" + units[3], limits.force)
        fact(key + "tracking_error" + units[0], limits.tracking_error)
        fact(key + "tracking_dwell_s", limits.tracking_dwell_s)
        fact(key + "energy_error", or_none(limits.energy_error))
