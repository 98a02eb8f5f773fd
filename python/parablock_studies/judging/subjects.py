# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Subjects of a judgement: a function, or a compiler of modules."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import torch
from torch._dynamo.backends.registry import list_backends, lookup_backend
from torch._dynamo.eval_frame import OptimizedModule, innermost_backend
from torch._dynamo.exc import InvalidBackend

from parablock.errors import Error
from parablock.torch_modules import import_module
from parablock_studies.judging.prefixes import Backend
from parablock_studies.judging.trees import list_tensors

#: Makes what computes a module, of the module and the arguments of a call.
Compiler = Callable[[torch.nn.Module, tuple[Any, ...], dict[str, Any]], Callable[..., Any]]


@dataclasses.dataclass(frozen=True)
class Subject:
    """A subject. `run` takes the model's arguments."""

    label: str
    run: Callable[..., Any]
    #: Compiles a part alone, from the start.
    compile: Compiler | None = None
    #: Where hooks see parts, of a function that runs the modules themselves.
    watched: torch.nn.Module | None = None
    #: Backend that receives the graphs which PyTorch traced.
    backend: Backend | None = None
    #: Whether its first run is what compiles it.
    is_new: bool = False


def read_subject(model: torch.nn.Module, backend: Any, compiler: Any) -> Subject:
    """Checks the arguments of `judge` and returns the subject."""
    if compiler is not None:
        if backend is not None:
            raise Error("expected backend= or compiler=, got both")
        if not callable(compiler):
            raise Error(
                "compiler: expected a function of a module, its arguments and those with "
                f"names, got {type(compiler).__name__}"
            )
        return _from_compiler(f"compiler {_name(compiler)}", model, compiler)
    if backend is None:
        return _from_compiler("parablock on cpu", model, _compile_here)
    if isinstance(backend, str):
        return _from_name(model, backend)
    if isinstance(backend, OptimizedModule):
        context: Any = backend.dynamo_ctx
        function = innermost_backend(context.callback)
        return Subject("torch.compile", backend, _recompile(context), backend=function)
    if isinstance(backend, torch.nn.Module):
        holds = any(inner is model for inner in backend.modules())
        label = f"another {type(backend).__name__}"
        return Subject(label, backend, watched=model if holds else backend)
    if callable(backend):
        return Subject(f"the function {_name(backend)}", backend, watched=model)
    raise Error(
        "backend: expected a function of the model's inputs, the name of a backend "
        "of torch.compile, or None for this package's engine, got "
        f"{type(backend).__name__}"
    )


def _name(function: Any) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    return "without a name" if name == "<lambda>" else str(name)


def _from_name(model: torch.nn.Module, name: str) -> Subject:
    try:
        backend = lookup_backend(name)
    except InvalidBackend:
        known = ", ".join(list_backends(()))
        raise Error(
            f"backend: expected one of torch.compile's ({known}), got '{name}'"
        ) from None
    except ImportError as problem:
        raise Error(f"backend: '{name}' cannot be loaded: {problem}") from problem

    # PyTorch limits the compiled objects of a class, and counts those of other backends, too.
    torch.compiler.reset()

    def compile_module(module: torch.nn.Module) -> Callable[..., Any]:
        function: Callable[..., Any] = torch.compile(module, backend=name)
        return function

    return Subject(
        f"torch.compile with {name}",
        compile_module(model),
        _recompile(compile_module),
        backend=backend,
        is_new=True,
    )


def _recompile(compile_module: Callable[[torch.nn.Module], Any]) -> Compiler:
    """Returns a compiler that first resets PyTorch's, which stops after many objects."""

    def compile_alone(module: torch.nn.Module, *_: Any) -> Callable[..., Any]:
        torch.compiler.reset()
        function: Callable[..., Any] = compile_module(module)
        return function

    return compile_alone


def _from_compiler(label: str, model: torch.nn.Module, compiler: Compiler) -> Subject:
    """Returns a subject that compiles the model once for the shapes of a call."""
    made: dict[tuple[torch.Size, ...], Callable[..., Any]] = {}

    def run(*args: Any, **kwargs: Any) -> Any:
        shapes = tuple(tensor.shape for tensor in list_tensors((args, kwargs)))
        if shapes not in made:
            made[shapes] = compile_checked(model, args, kwargs)
        return made[shapes](*args, **kwargs)

    def compile_checked(
        module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Callable[..., Any]:
        function = compiler(module, args, kwargs)
        if not callable(function):
            kind = type(function).__name__
            raise Error(f"compiler: expected to be given a function by {label}, got {kind}")
        return function

    return Subject(label, run, compile_checked)


def _compile_here(
    module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any]:
    return import_module(module, args, kwargs, None).optimize().compile("cpu")
