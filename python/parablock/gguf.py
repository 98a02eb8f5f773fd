# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GGUF files: a model in one file, with codes in blocks of 32.

This file translates a GGUF file to a config.json and to the tensors of its checkpoint, so
no other part depends on GGUF. Linear layers and experts of Q8_0 and Q4_0, and experts of
MXFP4, stay codes. All other tensors become f32, which represents them exactly.
"""

from __future__ import annotations

import dataclasses
import math
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
    39: ("MXFP4", 32, 17),
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
_EXPERTS = ("ffn_gate_exps", "ffn_up_exps", "ffn_down_exps")


@dataclasses.dataclass(frozen=True)
class _Family:
    """The words of a config and a checkpoint for an architecture's facts and tensors."""

    model_type: str
    kind: str
    #: Whether rows of q and k lie as interleaved rotations want them.
    turns: bool = False
    #: Parts that have a bias.
    biased: tuple[str, ...] = ()
    parts: dict[str, str] = dataclasses.field(default_factory=dict)
    fields: dict[str, str] = dataclasses.field(default_factory=dict)
    fixed: dict[str, Any] = dataclasses.field(default_factory=dict)
    #: The module of a layer's experts; none if it has a plain MLP.
    experts: str = ""
    #: Whether gate and up alternate, in matrices as [in, out].
    alternates: bool = False


_CHOSEN = {"expert_used_count": "num_experts_per_tok"}
_OF_MANY = {"expert_count": "num_local_experts", **_CHOSEN}
_NORMS = {"attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm"}
#: Families by the name of their architecture.
_FAMILIES = {
    "llama": _Family("llama", "LlamaForCausalLM", turns=True),
    "qwen2": _Family("qwen2", "Qwen2ForCausalLM", biased=("attn_q", "attn_k", "attn_v")),
    "qwen3moe": _Family(
        "qwen3_moe",
        "Qwen3MoeForCausalLM",
        parts={**_NORMS, "ffn_gate_inp": "mlp.gate"},
        fields={
            "expert_count": "num_experts",
            **_CHOSEN,
            "expert_feed_forward_length": "moe_intermediate_size",
        },
        fixed={"norm_topk_prob": True},
        experts="mlp.experts",
    ),
    "olmoe": _Family(
        "olmoe",
        "OlmoeForCausalLM",
        parts={**_NORMS, "ffn_gate_inp": "mlp.gate"},
        fields={"expert_count": "num_experts", **_CHOSEN},
        fixed={"norm_topk_prob": False},
        experts="mlp.experts",
    ),
    "granitemoe": _Family(
        "granitemoe",
        "GraniteMoeForCausalLM",
        turns=True,
        parts={"ffn_gate_inp": "block_sparse_moe.router"},
        fields={
            **_OF_MANY,
            "attention.scale": "attention_multiplier",
            "embedding_scale": "embedding_multiplier",
            "residual_scale": "residual_multiplier",
            "logit_scale": "logits_scaling",
        },
        experts="block_sparse_moe.experts",
    ),
    "gpt-oss": _Family(
        "gpt_oss",
        "GptOssForCausalLM",
        biased=("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate_inp", *_EXPERTS),
        parts={
            "attn_sinks": "self_attn.sinks",
            "ffn_gate_inp": "mlp.router",
            "post_attention_norm": "post_attention_layernorm",
        },
        fields={**_OF_MANY, "attention.sliding_window": "sliding_window"},
        experts="mlp.experts",
        alternates=True,
    ),
}
#: Files of this architecture have experts where they have a number of them.
_MIXTRAL = _Family(
    "mixtral",
    "MixtralForCausalLM",
    turns=True,
    parts={"ffn_gate_inp": "mlp.gate"},
    fields=_OF_MANY,
    experts="mlp.experts",
)
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
#: Further fields, which do not change the computation.
_WITHOUT_EFFECT = (
    "vocab_size",
    "rope.dimension_count",
    "attention.key_length",
    "attention.value_length",
    "expert_feed_forward_length",
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
        own = {
            key.removeprefix(architecture + "."): value
            for key, value in self.facts.items()
            if key.startswith(architecture + ".")
        }
        self._family = family = _FAMILIES[architecture]
        if architecture == "llama" and own.get("expert_count"):
            self._family = family = _MIXTRAL
        config: dict[str, Any] = {"model_type": family.model_type, "architectures": [family.kind]}
        config |= family.fixed
        if own.get("rope.scaling.type") == "none":
            own.pop("rope.scaling.type")
        if family.model_type == "gpt_oss":
            config["rope_parameters"] = _take_yarn(own)
        fields = {**_FIELDS, **family.fields}
        for key, value in own.items():
            if key in fields and isinstance(value, int | float):
                config[fields[key]] = value
            elif key not in _WITHOUT_EFFECT:
                raise ValueError(f"'{architecture}.{key}' = {value!r} is not known")
        for key, field in _TOKENS.items():
            if isinstance(token := self.facts.get(key), int):
                config[field] = token
        config.setdefault("num_key_value_heads", config["num_attention_heads"])
        self._read_heads(architecture, own, config)
        config["vocab_size"] = self._stored["token_embd.weight"].shape[0]
        config["tie_word_embeddings"] = "output.weight" not in self._stored
        self._makers: dict[str, tuple[str, Callable[[], _Array]]] = {}
        self._stacks: dict[str, dict[str, _Stored]] = {}
        forms = {s.form for s in self._stored.values() if _find_part(s.name, family)}
        # Experts of MXFP4 are codes alone: the config has one form of these.
        self._form = "MXFP4" if "MXFP4" in forms else "Q4_0" if forms & {*_CODES} else ""
        # Codes of both forms are all told in 8 bits.
        self._bits = 8 if "Q8_0" in forms and self._form != "MXFP4" else 4
        plain = [self._add(stored) for stored in self._stored.values()]
        for path, parts in self._stacks.items():
            plain += self._add_experts(path, parts)
        if self._form:
            config["quantization_config"] = self._describe([p for p in plain if p])
        return config

    def _read_heads(self, architecture: str, own: dict[str, Any], config: dict[str, Any]) -> None:
        """Reads the size of a head, which only some families have apart."""
        size = config["hidden_size"] // config["num_attention_heads"]
        if self._family.model_type in ("qwen3_moe", "gpt_oss"):
            config["head_dim"] = size = own.get("attention.key_length", size)
        for key in ("rope.dimension_count", "attention.key_length", "attention.value_length"):
            if own.get(key, size) != size:
                raise ValueError(f"'{architecture}.{key}': expected {size}, got {own[key]}")
        hidden = config.get("moe_intermediate_size", config.get("intermediate_size"))
        if own.get("expert_feed_forward_length", hidden) != hidden:
            raise ValueError(f"'{architecture}.expert_feed_forward_length': expected {hidden}")
        for stored in self._stored.values():
            count, many = own.get("expert_count", 0), stored.shape[0]
            if "_exps." in stored.name and count != many:
                raise ValueError(f"'{architecture}.expert_count': expected the {many} of '{stored.name}', got {count}")
        self._heads = (config["num_attention_heads"], config["num_key_value_heads"])

    def _describe(self, plain: list[str]) -> dict[str, Any]:
        """Returns the description of codes in the form of compressed-tensors, or of MXFP4."""
        if self._form == "MXFP4":
            return {"quant_method": "mxfp4", "modules_to_not_convert": plain}
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
        found = _find_part(stored.name, self._family)
        part = stored.name.split(".")[-2]
        is_bias = stored.name.endswith(".bias")
        if (found is None and stored.name not in _WHOLE) or (
            is_bias and part not in self._family.biased
        ):
            raise ValueError(f"tensor '{stored.name}' is not known")
        name = found or _WHOLE[stored.name]
        if part in _EXPERTS:
            path = name.rpartition(".")[0].rpartition(".")[0]
            self._stacks.setdefault(path, {})[part + (".bias" if is_bias else "")] = stored
            return None
        if len(stored.shape) > 2:
            raise ValueError(f"tensor '{stored.name}': expected 1 or 2 dimensions, got 3")
        turns = self._family.turns and part in ("attn_q", "attn_k")
        heads = self._heads[part == "attn_k"] if turns else 0
        module = name.rpartition(".")[0]
        if part == "attn_sinks":
            name = module
        if found and stored.form in _CODES and part != "ffn_gate_inp" and self._form != "MXFP4":
            self._add_codes(module + ".weight", [stored], heads)
            return None
        self._makers[name] = ("f32", lambda: _turn(_get_numbers(stored), heads))
        return module if found and len(stored.shape) == 2 else None

    def _add_codes(self, name: str, parts: list[_Stored], heads: int = 0) -> None:
        """Registers the codes and scales of tensors that follow one another as rows."""

        def join(get: Callable[[_Stored], _Array]) -> _Array:
            return _turn(self._join([get(part) for part in parts]), heads)

        self._makers[name + "_scale"] = ("f16", lambda: join(_get_scales))
        if self._bits == 4:
            self._makers[name + "_packed"] = ("i32", lambda: _pack(join(_get_codes)))
        else:
            self._makers[name] = ("i8", lambda: join(_get_codes))

    def _join(self, parts: list[_Array]) -> _Array:
        """Joins rows of gate and up, which are the second last dimension."""
        if len(parts) == 1:
            return parts[0]
        if self._family.alternates:
            joined = np.stack(parts, axis=2)
            return joined.reshape(joined.shape[0], -1, *joined.shape[3:])
        return np.concatenate(parts, axis=1)

    def _add_experts(self, path: str, parts: dict[str, _Stored]) -> list[str]:
        """Registers the stacks of a layer, and returns those without codes."""
        plain = []
        for name, wanted in (("gate_up_proj", _EXPERTS[:2]), ("down_proj", _EXPERTS[2:])):
            for bias in ("", ".bias") if self._family.alternates else ("",):
                if missing := [part for part in wanted if part + bias not in parts]:
                    there = next(iter(parts.values())).name.rpartition(".")[0].rpartition(".")[0]
                    raise ValueError(
                        f"expected tensor '{there}.{missing[0]}{bias or '.weight'}', got none"
                    )
            stored = [parts[part] for part in wanted]
            if any(len(part.shape) != 3 for part in stored):
                raise ValueError(f"tensor '{stored[0].name}': expected 3 dimensions")
            full, forms = f"{path}.{name}", {part.form for part in stored}
            if self._family.alternates:
                biases = [parts[part + ".bias"] for part in wanted]
                self._makers[full + "_bias"] = ("f32", _bind(self._join, biases, _get_numbers))
            if forms == {"MXFP4"} and self._form == "MXFP4":
                self._makers[full + "_blocks"] = ("ui8", _bind(self._join, stored, _get_pairs))
                self._makers[full + "_scales"] = ("ui8", _bind(self._join, stored, _get_exponents))
            elif forms <= {*_CODES} and self._form == "Q4_0":
                self._add_codes(full, stored)
            else:
                plain.append(full)
                get = _bind(self._join, stored, _get_numbers)
                turned = self._family.alternates
                self._makers[full] = ("f32", _transpose(get) if turned else get)
        return plain


def _bind(
    join: Callable[[list[_Array]], _Array],
    parts: list[_Stored],
    get: Callable[[_Stored], _Array],
) -> Callable[[], _Array]:
    return lambda: join([get(part) for part in parts])


def _transpose(get: Callable[[], _Array]) -> Callable[[], _Array]:
    return lambda: np.ascontiguousarray(get().swapaxes(1, 2))


def _take_yarn(own: dict[str, Any]) -> dict[str, Any]:
    """Takes the settings of a rotation out of the facts of gpt-oss."""
    base = own.pop("rope.freq_base")
    if (kind := own.pop("rope.scaling.type", None)) is None:
        return {"rope_type": "default", "rope_theta": base}
    if kind != "yarn":
        raise ValueError(f"'gpt-oss.rope.scaling.type': expected yarn, got {kind!r}")
    return {
        "rope_type": "yarn",
        "rope_theta": base,
        "factor": own.pop("rope.scaling.factor"),
        "original_max_position_embeddings": own.pop("rope.scaling.original_context_length"),
        "beta_fast": own.pop("rope.scaling.yarn_beta_fast", 32.0),
        "beta_slow": own.pop("rope.scaling.yarn_beta_slow", 1.0),
        "truncate": False,
    }


def _find_part(name: str, family: _Family) -> str | None:
    """Returns the checkpoint's name of a layer's tensor."""
    match = re.fullmatch(r"blk\.(\d+)\.(\w+)\.(weight|bias)", name)
    parts = {**_PARTS, **family.parts}
    if family.experts:
        parts |= {part: f"{family.experts}.{part}" for part in _EXPERTS}
    if not match or match[2] not in parts:
        return None
    return f"model.layers.{match[1]}.{parts[match[2]]}.{match[3]}"


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
    if not 1 <= rank <= 3:
        raise ValueError(f"tensor '{name}': expected 1 to 3 dimensions, got {rank}")
    # The innermost dimension comes first.
    shape = tuple(reader.take_count("elements", 1 << 40) for _ in range(rank))[::-1]
    number, offset = reader.take("I"), reader.take("Q")
    if number not in _BLOCKS:
        known = ", ".join(form for form, _, _ in _BLOCKS.values())
        raise ValueError(f"tensor '{name}': expected one of {known}, got type {number}")
    form, elements, size = _BLOCKS[number]
    if shape[-1] % elements:
        raise ValueError(f"tensor '{name}': expected whole blocks of {elements} columns")
    count = math.prod(shape) // elements
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


#: The numbers of codes of MXFP4.
_E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float32)
_E2M1 = np.concatenate([_E2M1, -_E2M1])


def _get_exponents(stored: _Stored) -> _Array:
    return np.ascontiguousarray(_get_blocks(stored, 17)[..., 0])


def _get_pairs(stored: _Stored) -> _Array:
    """Returns bytes of two codes of MXFP4, the even one in the low half."""
    halves = _get_blocks(stored, 17)[..., 1:]
    codes = np.concatenate([halves & 15, halves >> 4], axis=-1)
    pairs: _Array = codes[..., ::2] | codes[..., 1::2] << 4
    return pairs


def _pack(codes: _Array) -> _Array:
    """Packs eight codes into a word, the first one lowest."""
    lifted = (codes + np.int8(8)).astype(np.uint8)
    pairs = lifted[..., ::2] | lifted[..., 1::2] << 4
    return np.ascontiguousarray(pairs).view("<i4")


def _get_numbers(stored: _Stored) -> _Array:
    """Returns the numbers of a tensor of any form, in f32."""
    if stored.form == "F32":
        numbers = stored.data.view("<f4")
    elif stored.form == "F16":
        numbers = stored.data.view("<f2").astype(np.float32)
    elif stored.form == "BF16":
        numbers = (stored.data.view("<u2").astype(np.uint32) << 16).view(np.float32)
    elif stored.form == "MXFP4":
        pairs = _get_pairs(stored)
        codes = np.stack([pairs & 15, pairs >> 4], axis=-1)
        powers = np.ldexp(np.float32(1), _get_exponents(stored).astype(np.int32) - 127)
        numbers = _E2M1[codes].reshape(*powers.shape, -1) * powers[..., None]
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

