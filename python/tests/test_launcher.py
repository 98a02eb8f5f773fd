# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structures of the launcher's library, as ctypes has them."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

from parablock import launcher

_HEADER = Path(__file__).parents[2] / "include" / "parablock-launch" / "Launch.h"


def _read_fields(name: str) -> list[str]:
    """Returns the fields of a structure of the header, in its order."""
    body = re.search(rf"typedef struct {name} {{(.*?)}} {name};", _HEADER.read_text(), re.DOTALL)
    assert body
    plain = re.sub(r"//[^\n]*", "", body[1])
    return [
        re.sub(r"\[.*", "", each.split()[-1]).lstrip("*")
        for line in plain.split(";")
        for each in line.split(",")
        if each.strip()
    ]


def _list_structures() -> dict[str, type[ctypes.Structure]]:
    """Returns the structures of the launcher's header by their names there."""
    found = {
        (each.__doc__ or "").split(",")[0].rstrip("."): each
        for each in vars(launcher).values()
        if isinstance(each, type) and issubclass(each, ctypes.Structure)
    }
    return {name: each for name, each in found.items() if name.startswith("pbl_")}


def test_structures_of_the_header() -> None:
    """A field that is missing here would be read from memory behind the structure."""
    structures = _list_structures()
    assert {"pbl_request", "pbl_sampling", "pbl_facts", "pbl_tensor"} <= set(structures)
    for name, own in structures.items():
        assert [field[0] for field in own._fields_] == _read_fields(name), name
