# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writer of Hugging Face folders (parablock/hugging_face.py)."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import math
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.errors import Error
from parablock.folder_codes import find_form, list_matrices
from parablock.hugging_face import FAMILIES, MARK, PREFIX, SECTION, Source, list_families, mark, name_head
from parablock.model import ModelValue
from parablock.model_card import CHIP, CardData, write_card
from parablock.origin import get_metadata
from parablock.output import replace_folder, write_output
from parablock.progress import show_progress
from parablock.rewriting import get_form
from parablock.tensors import convert, to_stored
from parablock.weights import SIZES, Checkpoint, StackedTensor, StoredTensor, write_safetensors

if TYPE_CHECKING:
    from parablock._core import TensorInfo

_MODELLING = "parablock.modelling"
_PAIRS = "parablock_pairs.py"
#: Model types whose modelling code is Llama's with other names.
_LIKE_LLAMA = (
    *("qwen2", "qwen3", "mistral", "gemma2", "gemma3_text"),
    *("mixtral", "qwen3_moe", "olmoe", "glm4_moe", "deepseek_v3"),
)
_DTYPES = {"f32": "float32", "bf16": "bfloat16", "f16": "float16"}
#: Weights in other formats, and files that are written anew.
_WRITTEN = re.compile(
    r"\..*|config\.json|.*\.(safetensors|bin|pt|pth|ckpt|h5|msgpack|onnx|gguf)|.*\.index\.json"
)
#: Files that are copied, because they hold for a model with parallel pairs, too.
_KEPT = re.compile(
    r"(tokenizer|special_tokens|added_tokens|vocab|merges|generation_config|chat_template|LICENSE|NOTICE|"
    r"USE_POLICY|preprocessor_config|processor_config).*|.*\.(model|tiktoken)"
)
_OWN = re.compile(r"config\.json|README\.md|model(-\d+-of-\d+)?\.safetensors|model\.safetensors\.index\.json")


@dataclasses.dataclass(frozen=True)
class _Entry:
    """A tensor to write."""

    name: str
    kind: str
    shape: tuple[int, ...]
    load: Callable[[], Any]

    @property
    def size(self) -> int:
        return math.prod(self.shape) * SIZES[self.kind]


def write_folder(model: ModelValue, path: Path, limit: int) -> None:
    """Writes a folder with the model's weights, whole or not at all."""
    source = _get_source(model)
    _, weights, codes = model.get_layers()
    section = model.get_section()
    if section is not None and codes is not None:
        section = {**section, "codes": get_form(codes)}
    config = _make_config(source, section)
    _check_target(path, source)
    entries = _list_entries(model, source, is_plain=section is None)
    if codes is not None:
        config["quantization_config"] = _encode(model, codes, entries)
    metadata = {"format": "pt", **get_metadata(weights)}
    if section is not None:
        metadata[MARK] = mark(section)
    with replace_folder(path, "config.json") as folder, show_progress("writing weights"):
        folder.mkdir()
        _write_weights(folder, entries, metadata, limit)
        write_output(str(folder / "config.json"), json.dumps(config, indent=2) + "\n")
        _copy_files(source.folder, folder, is_plain=section is None)
        if section is not None:
            _write_code(folder, str(source.config["model_type"]))
            write_output(str(folder / "README.md"), _describe(model, config, section))


def _get_source(model: ModelValue) -> Source:
    if model.source is None:
        raise Error(
            "save_pretrained requires a model of from_pretrained(folder), which has a config.json, "
            "got another one: save the module by transformers' own save_pretrained and read that "
            "folder, or keep a package by save()"
        )
    return model.source


def _make_config(source: Source, section: Mapping[str, Any] | None) -> dict[str, Any]:
    """Returns the config; rejects families without code for parallel pairs."""
    config = dict(source.config)
    key = "torch_dtype" if "torch_dtype" in config and "dtype" not in config else "dtype"
    config[key] = _DTYPES[source.dtype]
    if section is None:
        return config
    family = str(config["model_type"])
    if family not in FAMILIES:
        raise Error(
            f"save_pretrained has no modelling code for parallel layers of model type '{family}', "
            f"only for {list_families()}: save the serial model, or keep a package by save()"
        )
    if config.get("add_cross_attention"):
        raise Error(
            "save_pretrained has no modelling code for parallel layers with cross-attention "
            "('add_cross_attention' of config.json): save the serial model, or keep a package by save()"
        )
    word, bare, whole = FAMILIES[family]
    names = config.get("architectures") or [whole]
    if names[0] not in (bare, whole):
        raise Error(
            f"save_pretrained has modelling code for parallel layers of {bare} and {whole}, got '{names[0]}' in "
            "config.json: save the serial model, or keep a package by save()"
        )
    is_bare = names == [bare]
    code = _name_code(family)
    head = f"Parablock{word}{name_head(family)}"
    return {
        **config,
        "model_type": PREFIX + family,
        "architectures": [f"Parablock{bare}" if is_bare else head],
        "auto_map": {
            "AutoConfig": f"{code}.Parablock{word}Config",
            "AutoModel": f"{code}.Parablock{bare}",
            **({} if is_bare else {f"AutoModel{name_head(family)}": f"{code}.{head}"}),
        },
        SECTION: dict(section),
    }


def _check_target(path: Path, source: Source) -> None:
    """Rejects folders that have more than a checkpoint, which would be lost."""
    target = path.resolve()
    if target == source.folder.resolve():
        raise Error(f"'{path}' is the folder that the model was read from: give another one")
    if not target.is_dir():
        return
    known = {file.name for file in _list_copied(source.folder)}
    known.update((_PAIRS, *(f"{_name_code(family)}.py" for family in FAMILIES)))
    others = sorted(each.name for each in target.iterdir() if each.name not in known)
    others = [name for name in others if not _OWN.fullmatch(name) and name != "__pycache__"]
    if others:
        raise Error(
            f"'{path}': expected a folder with nothing but a checkpoint to replace, or none, "
            f"got '{others[0]}' in it"
        )


def _list_entries(model: ModelValue, source: Source, is_plain: bool) -> list[_Entry]:
    """Returns the model's tensors, and those of the checkpoint that it does not use."""
    module, weights, _ = model.get_layers()
    serial, stored = model.get_serial()
    found = {info.name: (info, weights) for info in module.get_signature().parameters}
    for info in serial.get_signature().parameters:
        # A norm that pairs share is still a parameter of transformers' layer.
        found.setdefault(info.name, (info, stored))
    entries = [
        _Entry(info.name, info.type, tuple(info.shape), functools.partial(read, info))
        for info, read in found.values()
    ]
    prefix = _find_prefix(found, source.checkpoint)
    for info, _ in found.values():
        # A bias that a correction added is not there.
        with contextlib.suppress(Error):
            stored_tensor = source.checkpoint.find_parameter(info)
            if isinstance(stored_tensor, StackedTensor) and is_plain:
                # Readers of plain checkpoints look for experts one by one.
                entries = [entry for entry in entries if entry.name != info.name]
                entries += _unstack(info, stored_tensor, prefix)
    is_tied = bool(source.config.get("tie_word_embeddings"))
    for key in source.checkpoint.list_unused():
        name = prefix + key
        tensor = source.checkpoint.find(key)
        if name in found or (is_tied and key.endswith("lm_head.weight")):
            continue
        if tensor.kind not in SIZES:
            raise Error(
                f"'{source.folder}': tensor '{key}' has the element type {tensor.kind}, which "
                "save_pretrained cannot write"
            )
        entries.append(_Entry(name, tensor.kind, tensor.array.shape, lambda a=tensor.array: a))  # type: ignore[misc]
    return entries


def _encode(model: ModelValue, codes: str, entries: list[_Entry]) -> dict[str, Any]:
    """Replaces weights by their codes, and returns how readers find them."""
    form = find_form(codes)
    numbers = {entry.name: entry for entry in entries}

    def read(name: str) -> Any:
        entry = numbers.get(name)
        return None if entry is None else convert(to_stored(entry.load())[0], entry.kind, "f64")

    matrices = list_matrices(form, zip(*model.list_weights(), strict=True), read)
    coded = {matrix.name for matrix in matrices}
    entries[:] = [entry for entry in entries if entry.name not in coded]
    plain = {entry.name.removesuffix(".weight") for entry in entries if len(entry.shape) == 2}
    for matrix in matrices:
        packed, shape = matrix.pack(), np.array(matrix.shape, np.int64)
        entries += [
            _Entry(f"{matrix.name}_packed", "i32", packed.shape, lambda a=packed: a),  # type: ignore[misc]
            _Entry(f"{matrix.name}_scale", "f32", matrix.scales.shape, lambda m=matrix: m.scales),  # type: ignore[misc]
            _Entry(f"{matrix.name}_shape", "i64", shape.shape, lambda a=shape: a),  # type: ignore[misc]
        ]
    return form.describe(plain | {"lm_head"})


def _unstack(info: TensorInfo, stacked: StackedTensor, prefix: str) -> list[_Entry]:
    """Returns the matrices of experts, as the checkpoint has them."""

    def load(part: StoredTensor) -> Any:
        return convert(part.array, part.kind, info.type)

    return [
        _Entry(prefix + key, info.type, part.array.shape, functools.partial(load, part))
        for keys, parts in zip(stacked.names, stacked.parts, strict=True)
        for key, part in zip(keys, parts, strict=True)
    ]


def _find_prefix(names: Iterable[str], checkpoint: Checkpoint) -> str:
    """Returns what the checkpoint's names lack in front of the model's."""
    for name in names:
        prefix, _, rest = name.partition(".")
        if name not in checkpoint and rest in checkpoint:
            return f"{prefix}."
    return ""


def _write_weights(
    folder: Path, entries: Sequence[_Entry], metadata: Mapping[str, str], limit: int
) -> None:
    """Writes one file, or several with an index, as transformers names them."""
    parts: list[list[_Entry]] = [[]]
    for entry in entries:
        if parts[-1] and sum(each.size for each in parts[-1]) + entry.size > limit:
            parts.append([])
        parts[-1].append(entry)
    names: dict[str, str] = {}
    for number, part in enumerate(parts, 1):
        file = "model.safetensors"
        if len(parts) > 1:
            file = f"model-{number:05}-of-{len(parts):05}.safetensors"
        write_safetensors(
            folder / file,
            ((each.name, to_stored(each.load())[0], each.kind) for each in part),
            metadata,
        )
        names.update({each.name: file for each in part})
    if len(parts) > 1:
        total = sum(entry.size for entry in entries)
        index = {"metadata": {"total_size": total}, "weight_map": names}
        text = json.dumps(index, indent=2, sort_keys=True) + "\n"
        write_output(str(folder / "model.safetensors.index.json"), text)


def _list_copied(source: Path) -> Iterator[Path]:
    """Yields the files of a checkpoint that say nothing about its weights."""
    for file in sorted(source.iterdir()):
        if file.is_file() and not _WRITTEN.fullmatch(file.name):
            yield file


def _copy_files(source: Path, folder: Path, is_plain: bool) -> None:
    """Copies tokenizer, generation config and licence; code, card and tables of the serial
    model go along with that alone.
    """
    for file in _list_copied(source):
        if is_plain or _KEPT.fullmatch(file.name):
            shutil.copyfile(file, folder / file.name)


def _write_code(folder: Path, family: str) -> None:
    write_output(str(folder / _PAIRS), _read_code(_PAIRS))
    code = f"{_name_code(family)}.py"
    like = family in _LIKE_LLAMA
    text = _rename(_read_code(f"{_name_code('llama')}.py"), family) if like else _read_code(code)
    write_output(str(folder / code), text)


def _name_code(family: str) -> str:
    return f"modeling_{PREFIX}{family}"


def _read_code(name: str) -> str:
    return resources.files(_MODELLING).joinpath(name).read_text()


def _rename(text: str, family: str) -> str:
    """Returns Llama's modelling code as that of another family."""
    word, bare, _ = FAMILIES[family]
    is_gemma = word.startswith("Gemma")
    title = word.replace("Gemma", "Gemma ")
    # In this order: a name is replaced before the parts of it.
    for name, other in (
        ("Llama with", f"{title} with"),
        ("of Llama,", f"of {title},"),
        ("parablock_llama", PREFIX + family),
        ("llama", family.removesuffix("_text")),
        ("ParablockLlamaConfig", f"Parablock{word}Config"),
        ("LlamaConfig", bare.replace("Model", "Config")),
        ("LlamaModel", bare),
        ("Llama", word),
        # Branches of Gemma are normed before they are added, too.
        ("PreNormLayer", "SandwichLayer" if is_gemma else "PreNormLayer"),
    ):
        text = text.replace(name, other)
    return text


def _describe(model: ModelValue, config: Mapping[str, Any], section: Mapping[str, Any]) -> str:
    """Returns the folder's card."""
    before, after = model.report_layers(CHIP, "")
    split = None
    with contextlib.suppress(Error):
        split = model.report_layers(CHIP, ",block-shard{ranks=2}")
    title = str(config["architectures"][0])
    reader = list(config["auto_map"])[-1]
    return write_card(CardData(title, reader, section, before, after, split, model.get_drift_of(section)))
