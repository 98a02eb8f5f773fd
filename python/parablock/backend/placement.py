# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Targets of graphs: an option of torch.compile, or where the tensors are."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from parablock.decoding.decoder import read_target
from parablock.errors import Error
from parablock.target import REDUCE_OVERHEAD

_CPU = torch.device("cpu")


@dataclasses.dataclass(frozen=True)
class Placement:
    """The target that a graph is compiled for, and how its calls are launched."""

    target: str = "cpu"
    #: As Model.compile() takes it.
    mode: str | None = None

    @property
    def is_device(self) -> bool:
        return self.target.startswith("cuda")


def read_options(
    options: Mapping[str, Any], args: Sequence[Any]
) -> tuple[str | None, str | None]:
    """Returns the target that torch.compile's `options=` names, and the mode.

    Each is None if it is not given. `args` are the graph's example inputs. A target that
    this machine does not have is an error before anything is compiled.
    """
    given = dict(options)
    chosen = given.pop("options", None) or {}
    mode = given.pop("mode", None) or chosen.get("mode")
    others = sorted([*given, *(set(chosen) - {"target", "mode"})])
    if others:
        raise Error(
            "the backend accepts options={'target': ..., 'mode': ...} alone, got "
            f"{', '.join(others)}"
        )
    if mode not in (None, REDUCE_OVERHEAD):
        raise Error(f"the backend accepts mode='{REDUCE_OVERHEAD}' alone, got '{mode}'")
    if (target := chosen.get("target")) is not None:
        read_target(target, 0)
        target = str(target)
    place = target or ("cpu" if _is_of_cpu(args) else "cuda")
    if mode is not None and not place.startswith("cuda"):
        raise Error(
            f"mode '{mode}' requires target 'cuda', got '{place}': omit mode=, or give "
            f"options={{'target': 'cuda', 'mode': '{mode}'}}"
        )
    return target, mode


def _is_of_cpu(args: Sequence[Any]) -> bool:
    """Returns whether a graph can only be one of a module on the CPU.

    A module on a GPU may have graphs of numbers, or of tensors of the CPU, as well.
    """
    return list_devices(args) == {_CPU} and not torch.cuda.is_available()


def list_devices(args: Sequence[Any]) -> set[torch.device]:
    """Returns the devices of the arguments, apart from numbers."""
    return {a.device for a in args if isinstance(a, torch.Tensor) and a.dim()}


def choose_target(wanted: str | None, args: Sequence[Any]) -> str:
    """Returns the target of a call; an error has the reason why PyTorch runs it.

    >>> choose_target(None, [torch.ones(2)]), choose_target("cuda", [torch.ones(2)])
    ('cpu', 'cuda')
    >>> choose_target(None, [torch.ones(2), torch.ones(2, device="meta")])
    Traceback (most recent call last):
    parablock.errors.Error: tensors on several devices: cpu, meta
    """
    devices = list_devices(args) or {_CPU}
    if len(devices) > 1:
        names = ", ".join(sorted(map(str, devices)))
        raise Error(f"tensors on several devices: {names}")
    (device,) = devices
    if device == _CPU:
        return wanted or "cpu"
    if device.type != "cuda":
        raise Error(f"tensors on another device: {device}")
    own = f"cuda:{device.index or 0}"
    if wanted is not None and (wanted if ":" in wanted else f"{wanted}:0") != own:
        raise Error(f"tensors on another device than target '{wanted}': {device}")
    return own


def check_mode(place: Placement, trains: bool) -> None:
    """Rejects modes that calls with gradients do not have."""
    if trains and place.mode is not None:
        raise Error(
            f"mode '{place.mode}' requires a call without gradients: omit mode= to train, or "
            "call it under torch.no_grad()"
        )
