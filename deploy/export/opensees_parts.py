"""What a model of OpenSees consists of, and how the arguments of its commands are read."""

import math
from dataclasses import dataclass, field


@dataclass
class Command:
    """One call of an OpenSees command."""
    name: str
    args: list
    where: str = ""  # file:line of the call, if known

    def __str__(self):
        shown = " ".join(str(a) for a in [self.name, *self.args[:3]])
        return (self.where + ": " if self.where else "") + "`" + shown + (" ...`" if self.args[3:] else "`")


@dataclass
class Node:
    coordinates: list
    dofs: int
    mass: list
    fixed: list


@dataclass
class Element:
    """kind: beam, truss or spring; values: what the kind needs."""
    kind: str
    tag: int
    nodes: tuple
    values: dict
    by: str


@dataclass
class Transformation:
    kind: str
    plane: list  # vecxz; empty in a plane
    offsets: list  # two lists, or empty


@dataclass
class Pattern:
    """A load pattern and the commands inside it, as they were called."""
    kind: str
    series: object  # tag of a time series, or its words
    factor: float
    by: str
    commands: list = field(default_factory=list)  # load, eleLoad


@dataclass
class Model:
    dimensions: int = 0
    nodes: dict = field(default_factory=dict)
    elements: dict = field(default_factory=dict)
    diaphragms: list = field(default_factory=list)  # (perpendicular, retained, constrained, by)
    rigid_links: list = field(default_factory=list)  # (retained, constrained)
    equal_dofs: list = field(default_factory=list)  # (retained, constrained, dofs from 1)
    rayleigh: tuple = ()
    series: dict = field(default_factory=dict)  # tag -> command
    patterns: dict = field(default_factory=dict)  # tag -> Pattern
    ignored: dict = field(default_factory=dict)  # command -> times


class Refused(Exception):
    """What cannot be translated, as one sentence."""


def integer(value):
    return int(value) if not isinstance(value, str) else int(value, 0)


def is_option(value):
    return isinstance(value, str) and len(value) > 1 and value[0] == "-" and value[1].isalpha()


def options_of(args):
    """The positional arguments, and what follows each -option."""
    positional, options, current = [], {}, None
    for value in args:
        if is_option(value):
            current = options.setdefault(value, [])
        elif current is None:
            positional.append(value)
        else:
            current.append(value)
    return positional, options


def expect(options, known):
    for option in options:
        if option not in known:
            raise Refused(f"its option {option} cannot be translated")


def finite(value, name, least=0.0):
    number = float(value)
    if not math.isfinite(number) or number <= least:
        raise Refused(f"{name} is {value}; it must be above {least:g}")
    return number


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
