# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transformer blocks: rewritten, explained, compiled.

    model = parablock.from_pretrained("checkpoint")  # or from_torch(module, inputs)
    model = model.optimize(parallel="none")
    print(model.explain())
    logits = model.compile(target="cpu")(input_ids)["logits"]
    model.report("report.html")

`from_torch`, `generation`, `judge` and the backend of `torch.compile` require PyTorch.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from parablock.compiled import CompiledModel
from parablock.drift import Drift
from parablock.errors import Diagnostic, Error, MissingError, ToleranceError
from parablock.explanation import Explanation
from parablock.files import from_mlir
from parablock.healing import heal
from parablock.package import Package, load
from parablock.pretrained import from_pretrained
from parablock.public import Model
from parablock.statistics import stats
from parablock.verdict import Judgement

if TYPE_CHECKING:
    import torch

__version__ = "0.1.0"

__all__ = [
    "CompiledModel",
    "Diagnostic",
    "Drift",
    "Error",
    "Explanation",
    "Judgement",
    "MissingError",
    "Model",
    "Package",
    "ToleranceError",
    "from_mlir",
    "from_pretrained",
    "from_torch",
    "generation",
    "heal",
    "judge",
    "load",
    "stats",
]


def from_torch(
    module: torch.nn.Module,
    example_inputs: Sequence[Any],
    dynamic_shapes: Any = None,
    *,
    example_kwargs: Mapping[str, Any] | None = None,
) -> Model:
    """Imports a module in evaluation mode by torch.export.

    `dynamic_shapes` are torch.export's: sizes that may change from call to
    call. Masks of padding among the inputs become lengths of rows, whose real
    tokens come first.

        model = parablock.from_torch(module, (input_ids,))
    """
    try:
        from parablock.torch_modules import import_module
    except ModuleNotFoundError as problem:
        if problem.name != "torch":
            raise
        raise MissingError(
            "from_torch requires PyTorch, which is not installed: pip install torch"
        ) from None

    kwargs = {} if example_kwargs is None else example_kwargs
    return import_module(module, example_inputs, kwargs, dynamic_shapes)


def generation(
    hf_model: Any,
    target: str | None = None,
    weights: str | None = None,
    threads: int = 0,
    *,
    cache: bool | str | os.PathLike[str] | None = None,
    page_rows: int | None = None,
    pool_pages: int | None = None,
) -> Any:
    """Returns a transformers model whose `generate` runs compiled code with its own caches.

    It shares the config and generation_config of `hf_model`, packs its weights, and
    packs them again when they have changed. `target` is "cpu", "cpu:PROCESSOR", "cuda",
    "cuda:1" or "reference"; without it, the device that the model is on. `weights`
    "int8", "int4" or "int4-g128" stores the weights of layers as codes, which is not
    exact; GPUs read the first and the last. `cache` is a folder for compiled code, as in
    Model.compile(). With `page_rows` caches consist of pages of that many tokens, which
    beams share; `pool_pages` is their largest number.

        fast = parablock.generation(model)
        tokens = fast.generate(**tokenizer(text, return_tensors="pt"), max_new_tokens=64)
    """
    missing = [name for name in ("torch", "transformers") if not _is_installed(name)]
    if missing:
        raise MissingError(
            f"generation requires {' and '.join(missing)}, not installed: pip install "
            f"{' '.join(missing)}; Model.generator() requires neither"
        )
    # It takes as long to load as a third of this package.
    import importlib.metadata

    version = importlib.metadata.version("transformers")
    if int(version.partition(".")[0]) < 5:
        raise MissingError(
            f"generation requires transformers 5, got {version}: pip install -U transformers"
        )
    from parablock.decoding.generation import make_model

    return make_model(hf_model, target, weights, threads, cache, page_rows, pool_pages)


def _is_installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ValueError:
        # sys.modules has None for the name.
        return False


def judge(
    model: torch.nn.Module,
    inputs: Sequence[Any] | Mapping[str, Any],
    backend: Any = None,
    *,
    compiler: Any = None,
    generate: int = 0,
    tolerance: float | None = None,
) -> Judgement:
    """Compares another compiler's model with the module in float64, layer by layer.

    `backend` is a function that takes the model's inputs, the name of a backend of
    torch.compile, or None for this package's engine; `compiler` is, instead, a
    function of a module, its arguments and those with names, that compiles it.
    `generate` compares so many more tokens, `tolerance` sets the base of limits.

        print(parablock.judge(module, (input_ids,), backend="inductor"))
    """
    try:
        from parablock_studies.judging.judge import judge_model
    except ModuleNotFoundError as problem:
        if problem.name != "torch":
            raise
        raise MissingError(
            "judge requires PyTorch, which is not installed: pip install torch"
        ) from None

    return judge_model(model, inputs, backend, compiler, generate, tolerance)
