# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes with their options as text, and weights through files."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parablock.arguments import is_whole, make_error, read_number, read_text
from parablock.drift import Choice
from parablock.errors import Error, name_files
from parablock.interrupts import call_interruptibly
from parablock.native import get_core_module
from parablock.origin import FiledWeights, get_metadata
from parablock.output import make_scratch
from parablock.progress import show_progress
from parablock.tensors import to_stored
from parablock.weights import read_file, write_safetensors

if TYPE_CHECKING:
    from parablock._core import Module, TensorInfo

#: A weight by its name, shape and type, as the IR has them.
WeightSource = Callable[["TensorInfo"], Any]


@dataclasses.dataclass(frozen=True)
class Imports:
    """Further imports of a model: with numbers of f64, and under autocast to bf16."""

    exactly: Callable[[], Module]
    narrowly: Callable[[], Module] | None = None


def write_weights(path: Path, module: Module, weights: WeightSource) -> None:
    write_safetensors(
        path,
        (
            (info.name, to_stored(weights(info))[0], info.type)
            for info in module.get_signature().parameters
        ),
        get_metadata(weights),
    )


def parallelize_layers(
    options: Mapping[str, object], choice: Choice | None, module: Module
) -> None:
    """Makes unfused layers parallel."""
    with make_scratch() as folder:
        blocks = options["parallel"]
        if choice:
            blocks = f"@{choice.write(Path(folder, 'choice.json'))}"
        layers = {**options, "blocks": blocks}
        with name_files({f"{folder}/": ""}):
            module.run_passes(spell("block-parallelize", layers, "chip", "parallel"))


def get_form(form: str) -> str:
    """Returns block-quantize's name of a form of codes.

    >>> get_form("int4"), get_form("int8")
    ('int4-g32', 'int8')
    """
    return "int4-g32" if form == "int4" else form


def make_codes(module: Module, form: str, activations: str | None = None) -> None:
    """Replaces the weights of layers by codes, which @prepack makes of them.

    With `activations`, rows that products multiply are rounded to codes, too.
    """
    options = {"form": get_form(form), "activations": activations}
    module.run_passes(spell("block-quantize", options))


def make_coded_layers(module: Module, form: str) -> None:
    """Gives the module parameters of codes, without what makes them of numbers."""
    make_codes(module, form)
    with make_scratch() as folder:
        module.run_passes(f"block-prepack{{recipe={Path(folder, 'recipe.mlir')}}}")
    module.run_passes("symbol-privatize{exclude=main},symbol-dce")


def quantise(
    module: Module,
    weights: WeightSource,
    form: str,
    folder: Path,
    activations: str | None = None,
) -> WeightSource:
    """Gives the module weights of codes, or numbers in place of codes, and returns their source."""
    is_unpacked = form == "numbers"
    if is_unpacked and "block.unpack_weight" not in module.print():
        raise Error("option 'weights' requires a model with codes for 'numbers', got one without")
    recipe, original = folder / "recipe.mlir", folder / "original.safetensors"
    write_weights(original, module, weights)
    if is_unpacked:
        module.run_passes(f"block-prepack{{unpack=true recipe={recipe}}}")
    else:
        make_codes(module, form, activations)
        module.run_passes(f"block-prepack{{recipe={recipe}}}")
    packed = folder / "packed.safetensors"
    with show_progress("unpacking codes" if is_unpacked else f"rounding weights to {form}"):
        call_interruptibly(
            get_core_module().pack_weights,
            module.context,
            str(recipe),
            str(original),
            str(packed),
        )
    # Functions that made the codes are not needed any more.
    module.run_passes("symbol-privatize{exclude=main},symbol-dce")
    tensors, metadata = read_file(packed)
    return FiledWeights(
        getattr(weights, "file", "the model's weights"),
        metadata,
        lambda info: tensors[info.name].fit(str(packed), info),
    )


def spell(name: str, options: Mapping[str, object], *left_out: str) -> str:
    """Returns a pass or pipeline with the given options.

    >>> spell("block-optimize", {"parallel": "none", "chip": None})
    'block-optimize{parallel=none}'
    """
    text = " ".join(
        f"{key}={quote(value)}"
        for key, value in options.items()
        if value is not None and key not in left_out
    )
    return f"{name}{{{text}}}"


def check_options(options: Mapping[str, object]) -> None:
    """Rejects options of block-optimize of other types."""
    for name, value in options.items():
        option = name.replace("-", "_")
        if value is not None and name.endswith("scale"):
            read_number(option, value)
        elif value is not None:
            read_text(option, value, "None or a string")


def read_chip(chip: str | None) -> str:
    """Returns the name of a chip; an empty one for None."""
    return "" if chip is None else read_text("chip", chip, "None or a chip, as 'sm_90a'")


def read_first_layer(from_layer: int | str | None) -> str | None:
    """Returns the option for the first layer of which pairs become parallel.

    >>> read_first_layer(3), read_first_layer("half"), read_first_layer(None)
    ('3', 'half', None)
    """
    if is_whole(from_layer):
        return str(from_layer)
    wanted = "None, the index of a layer or 'half'"
    return None if from_layer is None else read_text("from_layer", from_layer, wanted)


def read_form(form: str | None, option: str = "weights") -> str | None:
    """Returns the form of the codes that weights become."""
    if form is None:
        return None
    return read_text(option, form, "None or a form of codes, as 'int8'")


def read_activations(activations: str | None, form: str | None) -> str | None:
    """Returns the form of the codes that rows of products become beside weights of `form`.

    >>> read_activations("fp8", "fp8"), read_activations(None, "int8")
    ('fp8', None)
    """
    if activations is None:
        return None
    if read_text("activations", activations, "None or 'fp8'") != "fp8":
        raise make_error("activations", "None or 'fp8'", activations)
    if form != "fp8":
        raise make_error("activations", "weights='fp8' beside it", form)
    return activations


def list_pairs(parallel: str | Sequence[str]) -> str:
    """Returns pairs in the form of block-optimize.

    >>> list_pairs(["1", "3+"]), list_pairs("0, 2-5"), list_pairs([])
    ('1,3+', '0,2-5', 'none')
    """
    if isinstance(parallel, str):
        return read_text("parallel", parallel).replace(" ", "")
    if not isinstance(parallel, Sequence) or not all(
        isinstance(pair, str) or is_whole(pair) for pair in parallel
    ):
        wanted = "a string, a list of pairs, or the result of drift()"
        raise make_error("parallel", wanted, parallel)
    return ",".join(map(str, parallel)) or "none"


def quote(value: object) -> str:
    """Returns an option's value for a textual pipeline.

    >>> quote("0, 2-5"), quote(0.5)
    ("'0, 2-5'", '0.5')
    """
    text = str(value)
    return f"'{text}'" if " " in text else text
