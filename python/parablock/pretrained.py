# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Published checkpoints, without PyTorch."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parablock.arguments import read_choice, read_flag, read_path
from parablock.calling import CallingByName
from parablock.errors import Error, name_files
from parablock.folder_codes import unpack_checkpoint
from parablock.gguf import GgufFile, is_gguf
from parablock.hugging_face import Source, apply_section, forget_measured, read_config
from parablock.native import get_core_module
from parablock.output import make_scratch
from parablock.public import Model
from parablock.rewriting import make_coded_layers
from parablock.special_tokens import read_special_tokens
from parablock.weights import Checkpoint, StackedTensor, StoredTensor

if TYPE_CHECKING:
    from collections.abc import Callable

    from parablock._core import Module, TensorInfo

_log = logging.getLogger("parablock")
_DTYPES = ("f32", "bf16", "f16")


def from_pretrained(
    directory: str | Path,
    *,
    dtype: str = "f32",
    padding: bool | None = None,
    layers_only: bool = False,
) -> Model:
    """Returns the model of a folder with config.json and safetensors, or of a GGUF file.

    Weights stay in the files until they are used, in the type they have there;
    where `dtype` is another, they are converted. With `padding` the model takes
    masks of right-padded rows, as lengths, and types of tokens where it has any;
    unless said, models take them whose tokens see later ones.

        model = parablock.from_pretrained("checkpoint", dtype="bf16")
        logits = model.compile()(**tokenizer(text, return_tensors="np")).logits
    """
    folder = read_path("directory", directory)
    read_choice("dtype", dtype, _DTYPES)
    if padding is not None:
        read_flag("padding", padding)
    read_flag("layers_only", layers_only)
    if is_gguf(folder):
        file = GgufFile(folder)
        with make_scratch() as scratch:
            config = Path(scratch) / f"{folder.stem}.json"
            config.write_text(json.dumps(file.config))
            try:
                return _load(folder, config, lambda: file, dtype, padding, layers_only)
            except Error as problem:
                # The user does not know the config that was made.
                raise Error(str(problem).replace(str(config), f"'{folder}'")) from None
    config = folder / "config.json"
    if not config.is_file():
        raise Error(
            f"'{folder}': expected a folder with a config.json, got none; "
            "huggingface_hub.snapshot_download makes one of a name"
        )
    serial, section = read_config(config)
    if section is None:
        model = _load(
            folder, config, lambda: Checkpoint(folder), dtype, padding, layers_only
        )
    else:
        model = _load_pairs(folder, serial, section, dtype, padding, layers_only)
    if not layers_only:
        model.keep_source(Source(folder, serial, Checkpoint(folder), dtype))
    return model


def _load_pairs(
    folder: Path,
    serial: dict[str, Any],
    section: dict[str, Any],
    dtype: str,
    padding: bool | None,
    layers_only: bool,
) -> Model:
    """Returns the serial model of a config with the parallel pairs of a section."""
    config, checkpoint = folder / "config.json", Checkpoint(folder)
    section = forget_measured(config, section, checkpoint)
    codes = section.get("codes") if serial.pop("quantization_config", None) else None
    if codes is not None:
        unpack_checkpoint(str(codes), checkpoint)

    def convert(module: Module) -> None:
        apply_section(config, module, section)
        if codes is not None:
            make_coded_layers(module, str(codes))

    with make_scratch() as scratch:
        made = Path(scratch, "config.json")
        made.write_text(json.dumps(serial))
        with name_files({str(made): str(config)}):
            model = _load(
                *(folder, made, lambda: checkpoint, dtype, padding, layers_only),
                convert,
            )
    model.special_tokens = read_special_tokens(folder, config)
    model.keep_section(section)
    if codes is not None:
        model.keep_codes(str(codes))
    return model


def _load(
    folder: Path,
    config: Path,
    open_weights: Callable[[], Checkpoint | GgufFile],
    dtype: str,
    padding: bool | None,
    layers_only: bool,
    convert: Callable[[Module], None] = lambda module: None,
) -> Model:
    core = get_core_module()
    context = core.Context()
    module = core.Module.from_config(
        context, str(config), dtype, bool(padding), layers_only
    )
    if padding is None and not layers_only and _sees_padding(module):
        module = core.Module.from_config(context, str(config), dtype, True, False)
    convert(module)
    for diagnostic in context.take_diagnostics():
        _log.info("%s: %s", config, diagnostic.message)
    checkpoint = open_weights()
    for info in module.get_signature().parameters:
        _find(checkpoint, info)
    if unused := checkpoint.list_unused():
        _log.info("%s: not used: %s", folder, ", ".join(unused))

    inputs = {info.name: len(info.shape) for info in module.get_signature().inputs}
    results = {} if layers_only else {"hidden_states": "last_hidden_state"}
    calling = CallingByName(inputs, results)
    whole = folder.resolve()
    name = whole.stem if whole.is_file() else whole.name
    weights = _StoredWeights(folder, checkpoint)
    model = Model(module, weights, calling, name=name)
    model.special_tokens = read_special_tokens(folder, config)
    return model


def _find(checkpoint: Checkpoint | GgufFile, info: TensorInfo) -> StoredTensor | StackedTensor:
    if isinstance(checkpoint, Checkpoint):
        return checkpoint.find_parameter(info)
    return checkpoint.find(info.name)


class _StoredWeights:
    """Weights of a checkpoint, by the model's parameters."""

    def __init__(self, folder: Path, checkpoint: Checkpoint | GgufFile) -> None:
        self._folder, self._checkpoint = folder, checkpoint
        self.file, self.metadata = f"'{folder}'", checkpoint.metadata

    def __call__(self, info: TensorInfo) -> Any:
        stored = _find(self._checkpoint, info)
        if stored.kind != info.type:
            _log.info("'%s': %s becomes %s", info.name, stored.kind, info.type)
        return stored.fit(str(self._folder), info)

    def is_stored(self, info: TensorInfo) -> bool:
        """Returns whether a weight is stored in a file unchanged."""
        return _find(self._checkpoint, info).file is not None

    def identify(self, info: TensorInfo) -> str | None:
        """Returns a text that identifies the weights, or None if they have no identity."""
        return _find(self._checkpoint, info).identify()


def _sees_padding(module: Module) -> bool:
    """Returns whether ids are inputs and tokens see later ones, which may be padding."""
    attention = re.compile(r"block\.attention [^{]*\{.*?\}\s+: ", re.DOTALL)
    attentions = attention.findall(module.print())
    names = [info.name for info in module.get_signature().inputs]
    return "input_ids" in names and any("causal = true" not in a for a in attentions)
