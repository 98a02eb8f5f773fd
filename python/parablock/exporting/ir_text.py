# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reader of model IR of level 1, as the compiler prints it.

It reads one function whose ops are of `block`, and those of `tensor` and `linalg` that cut
weights; an op outside of that is an error that names it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from parablock.errors import Error

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|->|[%@#]?[\w.$?+-]+|\S')
_NUMBER = re.compile(r"[+-]?\d[\d.]*(?:[eE][+-]?\d+)?")
#: Keywords of an op without information; any other word without a value is an attribute.
_SILENT = ("ins", "outs", "output_shape")


@dataclasses.dataclass(frozen=True)
class Op:
    """An op: its results, operands in order and by keyword, and attributes."""

    name: str
    results: list[str]
    operands: list[str]
    named: Mapping[str, str]
    attributes: Mapping[str, Any]
    #: Lists of numbers behind operands, such as offsets of a slice.
    lists: list[Any]
    #: Text of the op's types.
    types: str


@dataclasses.dataclass(frozen=True)
class Function:
    """A function: its arguments' and results' attributes, and its ops without layers."""

    arguments: dict[str, Mapping[str, Any]]
    results: list[Mapping[str, Any]]
    ops: list[Op]
    returned: list[str]


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens = _TOKEN.findall(text)
        self.at = 0

    def peek(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else ""

    def take(self, expected: str | None = None) -> str:
        token = self.peek()
        if not token or (expected is not None and token != expected):
            raise ValueError(f"expected '{expected or 'more'}', got '{token or 'the end'}'")
        self.at += 1
        return token

    def skip_type(self) -> str:
        """Reads one type or several with commas and arrows between, and returns their text."""
        parts, depth = [], 0
        while self.peek():
            token = self.peek()
            if depth == 0 and (
                token[0] in "%{}\"@)" or token in ("return", "attributes", "outs", "block.yield")
                or ("." in token and self.peek(1) != "<" and not token.startswith("#"))
            ):
                break
            depth += (token in "<(") - (token in ">)")
            parts.append(self.take())
        if not parts:
            raise ValueError(f"expected a type, got '{self.peek()}'")
        return " ".join(parts)

    def value(self) -> Any:
        """Reads an attribute."""
        if self.peek() == "<":
            # A form in another form is printed without its name.
            return self.fields()
        token = self.take()
        if token == "[":
            found = []
            while self.peek() != "]":
                found.append(self.value())
                if self.peek() == ",":
                    self.take()
            self.take("]")
            return found
        if token.startswith('"'):
            return re.sub(r"\\(.)", r"\1", token[1:-1])
        if token in ("true", "false"):
            return token == "true"
        if token == "-" or _NUMBER.fullmatch(token):
            text = token + self.take() if token == "-" else token
            made: Any = float(text) if re.search(r"[.eE]", text) else int(text)
            if self.peek() == ":":
                self.take()
                self.take()
            return made
        if self.peek() == "<":
            return {"kind": token, **self.fields()}
        return token

    def fields(self) -> dict[str, Any]:
        """Reads `<name = value, ..>`; a value without a name is called `value`."""
        self.take("<")
        found: dict[str, Any] = {}
        while self.peek() != ">":
            if self.peek(1) == "=":
                name = self.take()
                self.take("=")
                # Lists may be without brackets, as those of arrays are.
                found[name] = self.value()
                while self.peek() == "," and self.peek(2) != "=" and self.peek(1) != ">":
                    self.take()
                    more = self.value()
                    first = found[name]
                    found[name] = [*first, more] if isinstance(first, list) else [first, more]
            else:
                found["value"] = self.value()
            if self.peek() == ",":
                self.take()
        self.take(">")
        return found

    def dictionary(self) -> dict[str, Any]:
        self.take("{")
        found: dict[str, Any] = {}
        while self.peek() != "}":
            name = self.take().strip('"')
            found[name] = True
            if self.peek() == "=":
                self.take()
                found[name] = self.value()
            if self.peek() == ",":
                self.take()
        self.take("}")
        return found


def read_function(text: str) -> Function:
    """Reads a module with one function."""
    try:
        return _read(_Reader(text))
    except (ValueError, IndexError) as problem:
        raise Error(f"the model's IR cannot be read: {problem}") from problem


def _read(reader: _Reader) -> Function:
    while reader.take() != "func.func":
        pass
    while not reader.peek().startswith("@"):
        reader.take()
    reader.take()
    reader.take("(")
    arguments: dict[str, Mapping[str, Any]] = {}
    while reader.peek() != ")":
        name = reader.take()
        reader.take(":")
        reader.skip_type()
        arguments[name] = reader.dictionary() if reader.peek() == "{" else {}
        if reader.peek() == ",":
            reader.take()
    reader.take(")")
    results: list[Mapping[str, Any]] = []
    reader.take("->")
    is_list = reader.peek() == "("
    if is_list:
        reader.take()
    while reader.peek() not in (")", "{") or (is_list and reader.peek() == "{"):
        reader.skip_type()
        results.append(reader.dictionary() if reader.peek() == "{" and is_list else {})
        if reader.peek() == ",":
            reader.take()
    if is_list:
        reader.take(")")
    while reader.peek() != "{":
        reader.take()
    reader.take("{")
    ops: list[Op] = []
    returned = _read_body(reader, ops, {})
    return Function(arguments, results, ops, returned)


def _read_body(reader: _Reader, ops: list[Op], names: dict[str, str], prefix: str = "") -> list[str]:
    """Reads ops up to the end of a region, and returns what it yields.

    Values have their names in one region alone: those of a layer get its number in front.
    """
    scope = dict(names)
    while True:
        if reader.peek() in ("return", "block.yield"):
            reader.take()
            yielded = []
            while reader.peek().startswith("%") or reader.peek() == ",":
                token = reader.take()
                if token != ",":
                    yielded.append(scope.get(token, token))
            if reader.peek() == ":":
                reader.take()
                reader.skip_type()
            reader.take("}")
            return yielded
        results = []
        while reader.peek().startswith("%"):
            results.append(reader.take())
            if reader.peek() == ",":
                reader.take()
        if results:
            reader.take("=")
        kind = reader.take()
        made = [f"{prefix}{name}" for name in results]
        if kind == "block.layer":
            _read_layer(reader, ops, scope, results, prefix)
            continue
        ops.append(_read_op(reader, kind, made, scope))
        scope.update(zip(results, made, strict=True))


def _read_layer(
    reader: _Reader, ops: list[Op], scope: dict[str, str], results: list[str], prefix: str
) -> None:
    while reader.peek() not in ("attributes", "{"):
        reader.take()
    if reader.peek() == "attributes":
        reader.take()
        reader.dictionary()
    reader.take("{")
    inner = f"{prefix}{results[0]}/"
    scope.update(zip(results, _read_body(reader, ops, scope, inner), strict=True))


def _read_op(reader: _Reader, kind: str, results: list[str], scope: dict[str, str]) -> Op:
    operands: list[str] = []
    named: dict[str, str] = {}
    attributes: dict[str, Any] = {}
    lists: list[Any] = []
    types = ""
    while True:
        token = reader.peek()
        if token.startswith("%"):
            operands.append(scope.get(token, token))
            reader.take()
        elif token in (",", "(", ")"):
            reader.take()
        elif token == "[":
            lists.append(reader.value())
        elif token == "{":
            attributes.update(reader.dictionary())
        elif token == ":":
            reader.take()
            types += reader.skip_type() + ";"
            if reader.peek() == ")":
                continue
            if reader.peek() != "outs":
                break
        elif re.fullmatch(r"[a-z_]+", token):
            reader.take()
            if reader.peek().startswith("%"):
                value = reader.take()
                named[token] = scope.get(value, value)
            elif reader.peek() == "=":
                reader.take()
                attributes[token] = reader.value()
            elif reader.peek() == "(" and reader.peek(2) == ")":
                reader.take()
                attributes[token] = reader.value()
            elif token not in _SILENT:
                attributes[token] = True
        else:
            break
        if kind == "linalg.transpose" and "permutation" in attributes:
            break
    return Op(kind, results, operands, named, attributes, lists, types)
