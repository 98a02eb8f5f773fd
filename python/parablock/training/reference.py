# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reference gradients in float64 without roundings."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from parablock.arguments import read_names
from parablock.calling import Calling
from parablock.compiled import CompiledFunction, check_inputs
from parablock.errors import Error
from parablock.native import get_core_module
from parablock.tensors import convert, get_type, is_torch, to_stored
from parablock.training.steps import FLOATS, add_step

if TYPE_CHECKING:
    from torch.nn import Module as TorchModule

    from parablock._core import Module, Signature, TensorInfo

class Gradients(NamedTuple):
    """A loss, and its gradients by the names of parameters and inputs."""

    loss: float
    gradients: dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Wanted:
    """The loss and the arguments to differentiate by; see Model.gradients."""

    loss: Callable[[Any], Any] | str | None
    cotangents: Any
    wrt: str | Sequence[str]


@dataclasses.dataclass(frozen=True)
class _Port:
    """A tensor of a signature where floats are f64."""

    name: str
    type: str
    shape: Sequence[int]
    dims: Sequence[str]


class _ExactFunction:
    """A function on the reference without roundings."""

    def __init__(self, module: Module, name: str) -> None:
        own = module.get_signature(name)
        self.inputs = [_widen_port(info) for info in own.inputs]
        self.parameters = [_widen_port(info) for info in own.parameters]
        self.outputs = [_widen_port(info) for info in own.outputs]
        program = get_core_module().Program(module, name, "exact", "", 0)
        self._function = CompiledFunction(program, self)  # type: ignore[arg-type]

    def run(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return self._function.run_with_parameters(given)


def differentiate(
    module: Module,
    parameters: Mapping[str, Any],
    calling: Calling,
    call: tuple[Sequence[Any], Mapping[str, Any]],
    wanted: Wanted,
    owner: TorchModule | None,
) -> Gradients:
    """Returns the gradients of a call; `module` has unrounded numbers."""
    signature = module.get_signature()
    aliases = _find_aliases(owner, parameters)
    read_names("wrt", wanted.wrt)
    names = _choose_names(wanted.wrt, signature, aliases)
    _check_way(wanted)
    for info in signature.outputs:
        if -1 in info.shape:
            shape = ", ".join("?" if size < 0 else str(size) for size in info.shape)
            raise Error(
                f"expected results of known sizes, got '{info.name}' [{shape}]: gradients "
                "are of models that are imported at the sizes of the call"
            )
    given = check_inputs(calling.flatten(*call), signature.inputs)
    if owner is not None:
        from parablock.training.stops import refuse_stops

        refuse_stops(owner, *call)
    exact = {info.name: _widen(given[info.name], info.type) for info in signature.inputs}
    for info in signature.parameters:
        exact[info.name] = _widen(parameters[info.name], info.type)
    results = _ExactFunction(module, signature.function).run(exact)
    loss, adjoints = _Results(results, calling).find_adjoints(wanted)
    step = module.clone()
    add_step(step, list(dict.fromkeys(names.values())))
    made = _ExactFunction(step, f"{signature.function}_step").run(
        {**exact, **{f"grad.{name}": adjoint for name, adjoint in adjoints.items()}}
    )
    return Gradients(loss, {own: made[f"grad.{name}"] for own, name in names.items()})


def _find_aliases(
    owner: TorchModule | None, parameters: Mapping[str, Any]
) -> dict[str, str]:
    """Returns a module's names of its parameters; the first name of tied ones is first."""
    if owner is None:
        return {}
    known = {id(tensor): name for name, tensor in parameters.items()}
    return {
        own: known[id(tensor)]
        for own, tensor in owner.named_parameters(remove_duplicate=False)
        if id(tensor) in known
    }


def _widen_port(info: TensorInfo) -> _Port:
    kind = "f64" if info.type in FLOATS else info.type
    return _Port(info.name, kind, info.shape, info.dims)


def _widen(array: Any, kind: str) -> Any:
    """Floats as f64, which has each of them."""
    if is_torch(array):
        array = array.detach()
        return array.double() if array.is_floating_point() else array
    stored = to_stored(array)[0]
    if stored.dtype.name == "bfloat16":
        stored = stored.view(np.uint16)
    return convert(stored, kind, "f64") if kind in FLOATS else stored


def _choose_names(
    wrt: str | Sequence[str], signature: Signature, aliases: Mapping[str, str]
) -> dict[str, str]:
    """Names that results have, and those of the signature which they stand for."""
    groups = {"inputs": signature.inputs, "params": signature.parameters}
    groups["all"] = [*signature.inputs, *signature.parameters]
    first = {name: own for own, name in reversed(list(aliases.items()))}
    if isinstance(wrt, str) and wrt in groups:
        names = [info.name for info in groups[wrt] if info.type in FLOATS]
        if not names:
            raise Error(f"wrt='{wrt}': the model has none of floats")
        return {first.get(name, name): name for name in names}
    kinds = {info.name: info.type for info in groups["all"]}
    known = {**{name: name for name in kinds}, **aliases}
    wanted = [wrt] if isinstance(wrt, str) else list(wrt)
    if not wanted:
        raise Error("wrt: expected params, inputs, all, or names, got none")
    for name in wanted:
        if name not in known:
            raise Error(
                "wrt: expected params, inputs, all, or names among "
                f"{', '.join(known)}, got '{name}'"
            )
        if kinds[known[name]] not in FLOATS:
            raise Error(f"wrt: '{name}' is {kinds[known[name]]}, which has no gradient")
    return {name: known[name] for name in wanted}


def _check_way(wanted: Wanted) -> None:
    if wanted.loss is not None and wanted.cotangents is not None:
        raise Error("expected loss= or cotangents=, got both")
    if not (wanted.loss is None or isinstance(wanted.loss, str) or callable(wanted.loss)):
        raise Error(
            "loss: expected a function of the results or the name of one, got "
            f"{type(wanted.loss).__name__}"
        )


class _Results:
    """Results of a call, and their factors."""

    def __init__(self, results: Mapping[str, Any], calling: Calling) -> None:
        self._all = results
        self._floats = {n: r for n, r in results.items() if get_type(r) == "f64"}
        self._calling = calling

    def find_adjoints(self, wanted: Wanted) -> tuple[float, dict[str, Any]]:
        """Returns the loss, and its gradient by each float result."""
        if callable(wanted.loss):
            return self._differentiate(wanted.loss)
        if wanted.cotangents is not None:
            adjoints = self._read(wanted.cotangents)
        else:
            name = self._find_scalar(wanted.loss)
            adjoints = {name: np.ones_like(np.asarray(self._floats[name]))}
        loss = sum(
            float((np.asarray(self._floats[name]) * adjoint).sum())
            for name, adjoint in adjoints.items()
        )
        zeros = {n: np.zeros(np.shape(r)) for n, r in self._floats.items()}
        return loss, {**zeros, **adjoints}

    def _find_scalar(self, name: str | None) -> str:
        scalars = [n for n, result in self._floats.items() if np.ndim(result) == 0]
        if name is None and len(scalars) == 1:
            return scalars[0]
        if name in scalars:
            return name
        shapes = ", ".join(f"'{n}' {list(r.shape)}" for n, r in self._floats.items())
        got = "none" if name is None else f"'{name}'"
        raise Error(
            "loss: expected a function of the results, or the name of one that is a "
            f"scalar, or cotangents=; the results are {shapes}, got {got}"
        )

    def _read(self, cotangents: Any) -> dict[str, Any]:
        """Factors of results by name, given by name, in order, or as one array."""
        if not isinstance(cotangents, Mapping):
            is_many = isinstance(cotangents, tuple | list)
            given = list(cotangents) if is_many else [cotangents]
            if len(given) != len(self._floats):
                raise Error(
                    f"cotangents: expected one for each of {', '.join(self._floats)}, "
                    f"got {len(given)}"
                )
            cotangents = dict(zip(self._floats, given, strict=True))
        for name in cotangents:
            if name not in self._floats:
                raise Error(
                    f"cotangents: expected some of {', '.join(self._floats)}, got '{name}'"
                )
        return {name: self._check(name, array) for name, array in cotangents.items()}

    def _check(self, name: str, array: Any) -> Any:
        array = array if is_torch(array) else np.asarray(array)
        kind, shape = get_type(array), list(array.shape)
        wanted = list(self._floats[name].shape)
        if kind not in FLOATS or shape != wanted:
            raise Error(
                f"cotangents['{name}']: expected floats of shape {wanted}, got {kind} of "
                f"{shape}"
            )
        return np.asarray(_widen(array, kind))

    def _differentiate(self, loss: Callable[[Any], Any]) -> tuple[float, dict[str, Any]]:
        """Differentiates the loss function behind the results by PyTorch."""
        try:
            import torch
        except ImportError as problem:
            raise Error("loss: a function of the results requires PyTorch") from problem

        leaves = {n: torch.as_tensor(r).requires_grad_() for n, r in self._floats.items()}
        with torch.enable_grad():
            value = loss(self._calling.unflatten({**self._all, **leaves}))
        if not isinstance(value, torch.Tensor) or value.numel() != 1:
            got = list(value.shape) if isinstance(value, torch.Tensor) else type(value).__name__
            raise Error(f"loss: expected a function that gives a scalar, got {got}")
        if value.dtype != torch.float64 or not value.requires_grad:
            raise Error(
                "loss: expected a function that computes in float64 of the results, got "
                f"{value.dtype}{'' if value.requires_grad else ' of none of them'}"
            )
        grads = torch.autograd.grad(
            value, list(leaves.values()), allow_unused=True, materialize_grads=True
        )
        return float(value.detach()), dict(zip(leaves, grads, strict=True))
