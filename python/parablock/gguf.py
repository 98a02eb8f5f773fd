# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GGUF files: a model in one file, with codes in blocks of 32.

What is read is said in the words of a config.json and of the checkpoint that
belongs to it, so that nothing else has to know of GGUF. Linear layers of Q8_0 and
Q4_0 stay codes; all else becomes f32, which holds it exactly.
"""

from __future__ import annotations

import dataclasses
import mmap
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from parablock.errors import Error
from parablock.weights import StoredTensor, open_at_once

_Array = np.ndarray[Any, Any]
_SCALARS = "BbHhIif?..QqD".replace("D", "d")
_STRING, _LIST = 8, 9
_MOST = 1 << 24
#: Elements and bytes of a block, by the format's number.
_BLOCKS = {
    0: ("F32", 1, 4),
    1: ("F16", 1, 2),
    2: ("Q4_0", 32, 18),
    8: ("Q8_0", 32, 34),
    14: ("Q6_K", 256, 210),
    30: ("BF16", 1, 2),
}
_CODES = ("Q4_0", "Q8_0")
_GROUP = 32
_PARTS = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
}
_WHOLE = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}
#: Families by the name of their architecture: the config's word and class,
#: whether rows of q and k lie as interleaved rotations want them, and what has a bias.
_FAMILIES: dict[str, tuple[str, str, bool, tuple[str, ...]]] = {
    "llama": ("llama", "LlamaForCausalLM", True, ()),
    "qwen2": ("qwen2", "Qwen2ForCausalLM", False, ("attn_q", "attn_k", "attn_v")),
}
_FIELDS = {
    "embedding_length": "hidden_size",
    "block_count": "num_hidden_layers",
    "feed_forward_length": "intermediate_size",
    "attention.head_count": "num_attention_heads",
    "attention.head_count_kv": "num_key_value_heads",
    "attention.layer_norm_rms_epsilon": "rms_norm_eps",
    "context_length": "max_position_embeddings",
    "rope.freq_base": "rope_theta",
}
#: Tokens that end a text, and that stand where there is none.
_TOKENS = {
    "tokenizer.ggml.eos_token_id": "eos_token_id",
    "tokenizer.ggml.padding_token_id": "pad_token_id",
}
#: What may be there besides, and changes nothing that is computed here.
_WITHOUT_EFFECT = (
    "vocab_size",
    "rope.dimension_count",
    "attention.key_length",
    "attention.value_length",
)


@dataclasses.dataclass(frozen=True)
class _Stored:
    """A tensor as the file has it: rows of blocks."""

    name: str
    form: str
    shape: tuple[int, ...]
    data: _Array


class _Reader:
    """Reader of numbers, words and lists of a file."""

    def __init__(self, data: mmap.mmap) -> None:
        self.data = data
        self.at = 4

    def take(self, code: str) -> Any:
        (value,) = struct.unpack_from("<" + code, self.data, self.at)
        self.at += struct.calcsize("<" + code)
        return value

    def take_count(self, what: str, most: int = _MOST) -> int:
        count: int = self.take("Q")
        if count > most:
            raise ValueError(f"expected at most {most} {what}, got {count}")
        return count

    def take_text(self) -> str:
        length = self.take_count("bytes of a word", len(self.data) - self.at)
        text = bytes(self.data[self.at : self.at + length])
        self.at += length
        return text.decode()

    def take_value(self, kind: int, depth: int = 0) -> Any:
        if kind == _STRING:
            return self.take_text()
        if kind == _LIST and depth < 2:
            inner, count = self.take("I"), self.take_count("elements")
            return [self.take_value(inner, depth + 1) for _ in range(count)]
        if kind >= len(_SCALARS) or _SCALARS[kind] == ".":
            raise ValueError(f"a value of unknown type {kind}")
        return self.take(_SCALARS[kind])


class GgufFile:
    """A file's config, and its tensors by the names of a checkpoint."""

    def __init__(self, path: Path) -> None:
        self.path = path
        #: Metadata of safetensors, of which the format has none.
        self.metadata: dict[str, str] = {}
        try:
            with open(path, "rb", opener=open_at_once) as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as problem:
            raise Error(f"cannot read '{path}': {problem}") from problem
        try:
            self.facts, self._stored = _read(data)
            self.config = self._make_config()
        except (ValueError, KeyError, struct.error) as problem:
            what = f"'{problem.args[0]}' is missing" if isinstance(problem, KeyError) else problem
            raise Error(f"'{path}': {what}") from problem
        self._unused = set(self._makers)

    def find(self, name: str) -> StoredTensor:
        """Returns a tensor by the checkpoint's name."""
        if name not in self._makers:
            raise Error(f"'{self.path}': expected tensor '{name}', got none")
        self._unused.discard(name)
        kind, make = self._makers[name]
        return StoredTensor(make(), kind)

    def list_unused(self) -> list[str]:
        """Returns names that were not requested."""
        return sorted(self._unused)

    # The config ----------------------------------------------------------------

    def _make_config(self) -> dict[str, Any]:
        architecture = self.facts["general.architecture"]
        if architecture not in _FAMILIES:
            known = ", ".join(_FAMILIES)
            raise ValueError(f"expected an architecture of {known}, got '{architecture}'")
        word, kind, self._turns, self._biased = _FAMILIES[architecture]
        config: dict[str, Any] = {"model_type": word, "architectures": [kind]}
        own = {
            key.removeprefix(architecture + "."): value
            for key, value in self.facts.items()
            if key.startswith(architecture + ".")
        }
        if own.get("rope.scaling.type") == "none":
            own.pop("rope.scaling.type")
        for key, value in own.items():
            if key in _FIELDS and isinstance(value, int | float):
                config[_FIELDS[key]] = value
            elif key not in _WITHOUT_EFFECT:
                raise ValueError(f"'{architecture}.{key}' = {value!r} is not known")
        for key, field in _TOKENS.items():
            if isinstance(token := self.facts.get(key), int):
                config[field] = token
        config.setdefault("num_key_value_heads", config["num_attention_heads"])
        size = config["hidden_size"] // config["num_attention_heads"]
        for key in ("rope.dimension_count", "attention.key_length", "attention.value_length"):
            if own.get(key, size) != size:
                raise ValueError(f"'{architecture}.{key}': expected {size}, got {own[key]}")
        self._heads = (config["num_attention_heads"], config["num_key_value_heads"])
        config["vocab_size"] = self._stored["token_embd.weight"].shape[0]
        config["tie_word_embeddings"] = "output.weight" not in self._stored
        self._makers: dict[str, tuple[str, Callable[[], _Array]]] = {}
        packed = [s for s in self._stored.values() if s.form in _CODES and _find_part(s.name)]
        # Codes of both forms are all told in 8 bits.
        self._bits = 4 if packed and all(s.form == "Q4_0" for s in packed) else 8
        plain = [self._add(stored) for stored in self._stored.values()]
        if packed:
            config["quantization_config"] = self._describe([p for p in plain if p])
        return config

    def _describe(self, plain: list[str]) -> dict[str, Any]:
        """Returns the description of codes in the form of compressed-tensors."""
        weights = {"num_bits": self._bits, "type": "int", "symmetric": True}
        weights |= {"strategy": "group", "group_size": _GROUP}
        group = {"targets": ["Linear"], "weights": weights}
        return {
            "quant_method": "compressed-tensors",
            "format": "pack-quantized" if self._bits == 4 else "int-quantized",
            "config_groups": {"group_0": group},
            "ignore": plain,
        }

    def _add(self, stored: _Stored) -> str | None:
        """Registers a tensor; linear layers keep their codes."""
        found = _find_part(stored.name)
        part = stored.name.split(".")[-2]
        is_bias = stored.name.endswith(".bias")
        if (found is None and stored.name not in _WHOLE) or (
            is_bias and part not in self._biased
        ):
            raise ValueError(f"tensor '{stored.name}' is not known")
        name = found or _WHOLE[stored.name]
        turns = self._turns and part in ("attn_q", "attn_k")
        heads = self._heads[part == "attn_k"] if turns else 0
        module = name.rpartition(".")[0]
        if found and stored.form in _CODES:
            add = self._makers.__setitem__
            add(module + ".weight_scale", ("f16", lambda: _turn(_get_scales(stored), heads)))
            if self._bits == 4:
                pack = lambda: _pack(_turn(_get_codes(stored), heads))  # noqa: E731
                add(module + ".weight_packed", ("i32", pack))
            else:
                add(name, ("i8", lambda: _turn(_get_codes(stored), heads)))
            return None
        self._makers[name] = ("f32", lambda: _turn(_get_numbers(stored), heads))
        return module if found and len(stored.shape) == 2 else None


def _find_part(name: str) -> str | None:
    """Returns the checkpoint's name of a layer's tensor."""
    match = re.fullmatch(r"blk\.(\d+)\.(\w+)\.(weight|bias)", name)
    if not match or match[2] not in _PARTS:
        return None
    return f"model.layers.{match[1]}.{_PARTS[match[2]]}.{match[3]}"


def _read(data: mmap.mmap) -> tuple[dict[str, Any], dict[str, _Stored]]:
    if data[:4] != b"GGUF":
        raise ValueError("expected a GGUF file")
    reader = _Reader(data)
    if (version := reader.take("I")) not in (2, 3):
        raise ValueError(f"expected version 2 or 3, got {version}")
    tensors, count = reader.take_count("tensors"), reader.take_count("facts")
    facts: dict[str, Any] = {}
    for _ in range(count):
        key = reader.take_text()
        if key in facts:
            raise ValueError(f"'{key}' is given twice")
        facts[key] = reader.take_value(reader.take("I"))
    places = [_read_place(reader) for _ in range(tensors)]
    alignment = facts.get("general.alignment", 32)
    if not isinstance(alignment, int) or not 1 <= alignment <= 1 << 20:
        raise ValueError(f"expected an alignment, got {alignment!r}")
    start = -(-reader.at // alignment) * alignment
    stored: dict[str, _Stored] = {}
    for name, form, shape, size, offset in places:
        if name in stored:
            raise ValueError(f"tensor '{name}' is given twice")
        if start + offset + size > len(data):
            raise ValueError(f"the data of '{name}' end behind the file")
        bytes_ = np.frombuffer(data, np.uint8, size, start + offset)
        stored[name] = _Stored(name, form, shape, bytes_)
    return facts, stored


def _read_place(reader: _Reader) -> tuple[str, str, tuple[int, ...], int, int]:
    name, rank = reader.take_text(), reader.take("I")
    if not 1 <= rank <= 2:
        raise ValueError(f"tensor '{name}': expected 1 or 2 dimensions, got {rank}")
    # The innermost dimension comes first.
    shape = tuple(reader.take_count("elements", 1 << 40) for _ in range(rank))[::-1]
    number, offset = reader.take("I"), reader.take("Q")
    if number not in _BLOCKS:
        known = ", ".join(form for form, _, _ in _BLOCKS.values())
        raise ValueError(f"tensor '{name}': expected one of {known}, got type {number}")
    form, elements, size = _BLOCKS[number]
    if shape[-1] % elements:
        raise ValueError(f"tensor '{name}': expected whole blocks of {elements} columns")
    count = shape[-1] // elements * (shape[0] if rank == 2 else 1)
    return name, form, shape, count * size, offset


# Blocks ------------------------------------------------------------------------


def _get_blocks(stored: _Stored, size: int) -> _Array:
    return stored.data.reshape(*stored.shape[:-1], -1, size)


def _get_scales(stored: _Stored) -> _Array:
    size = 18 if stored.form == "Q4_0" else 34
    scales: _Array = np.ascontiguousarray(_get_blocks(stored, size)[..., :2])
    return scales.view("<f2").reshape(scales.shape[:-1])


def _get_codes(stored: _Stored) -> _Array:
    """Returns codes as integers, with their zero at 0."""
    if stored.form == "Q8_0":
        codes = np.ascontiguousarray(_get_blocks(stored, 34)[..., 2:]).view(np.int8)
    else:
        pairs = _get_blocks(stored, 18)[..., 2:]
        halves = np.concatenate([pairs & 15, pairs >> 4], axis=-1)
        codes = halves.astype(np.int8) - np.int8(8)
    return codes.reshape(stored.shape)


def _pack(codes: _Array) -> _Array:
    """Packs eight codes into a word, the first one lowest."""
    lifted = (codes + np.int8(8)).astype(np.uint8)
    pairs = lifted[:, ::2] | lifted[:, 1::2] << 4
    return np.ascontiguousarray(pairs).view("<i4")


def _get_numbers(stored: _Stored) -> _Array:
    """Returns the numbers of a tensor of any form, in f32."""
    if stored.form == "F32":
        numbers = stored.data.view("<f4")
    elif stored.form == "F16":
        numbers = stored.data.view("<f2").astype(np.float32)
    elif stored.form == "BF16":
        numbers = (stored.data.view("<u2").astype(np.uint32) << 16).view(np.float32)
    elif stored.form == "Q6_K":
        numbers = _get_numbers_of_6_bits(_get_blocks(stored, 210))
    else:
        scales = np.repeat(_get_scales(stored).astype(np.float32), _GROUP, axis=-1)
        numbers = scales * _get_codes(stored)
    return numbers.reshape(stored.shape)


def _get_numbers_of_6_bits(blocks: _Array) -> _Array:
    """Blocks of 256: low halves, two high bits, a scale for 16 and one for all."""
    low = blocks[..., :128].reshape(*blocks.shape[:-1], 2, 2, 32)
    high = blocks[..., 128:192].reshape(*blocks.shape[:-1], 2, 1, 32)
    own = np.ascontiguousarray(blocks[..., 192:208]).view(np.int8)
    scale = np.ascontiguousarray(blocks[..., 208:]).view("<f2").astype(np.float32)
    codes = np.stack([low & 15, low >> 4], axis=-3)
    shifts = np.arange(0, 8, 2, dtype=np.uint8).reshape(2, 2, 1)
    codes = codes | ((high[..., None, :, :] >> shifts) & 3) << 4
    scales: _Array = np.repeat(own.astype(np.float32), 16, axis=-1) * scale
    numbers: _Array = codes.reshape(*blocks.shape[:-1], 256).astype(np.float32) - 32
    return scales * numbers


def _turn(rows: _Array, heads: int) -> _Array:
    """Reorders rows of each head from adjacent pairs to the two halves of a rotation."""
    if not heads:
        return rows
    split = rows.reshape(heads, rows.shape[0] // heads // 2, 2, *rows.shape[1:])
    return np.ascontiguousarray(split.swapaxes(1, 2)).reshape(rows.shape)


def is_gguf(path: Path) -> bool:
    """Returns whether a path names a file of this format."""
    return path.suffix == ".gguf" and not path.is_dir()

