# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GGUF files beside checkpoints of the numbers that their blocks stand for."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from oracle import get_distance

import parablock
from parablock.weights import write_safetensors

LAYERS, WIDTH, HEADS, KEY_HEADS, HIDDEN, VOCAB = 2, 256, 4, 2, 512, 37
SIZE = WIDTH // HEADS
FORMS = {"F32": 0, "F16": 1, "Q4_0": 2, "Q8_0": 8, "Q6_K": 14, "BF16": 30, "MXFP4": 39}
LINEARS = {
    "attn_q": ("self_attn.q_proj", WIDTH, WIDTH),
    "attn_k": ("self_attn.k_proj", KEY_HEADS * SIZE, WIDTH),
    "attn_v": ("self_attn.v_proj", KEY_HEADS * SIZE, WIDTH),
    "attn_output": ("self_attn.o_proj", WIDTH, WIDTH),
    "ffn_gate": ("mlp.gate_proj", HIDDEN, WIDTH),
    "ffn_up": ("mlp.up_proj", HIDDEN, WIDTH),
    "ffn_down": ("mlp.down_proj", WIDTH, HIDDEN),
}
CONFIG = {
    "hidden_size": WIDTH,
    "num_hidden_layers": LAYERS,
    "intermediate_size": HIDDEN,
    "num_attention_heads": HEADS,
    "num_key_value_heads": KEY_HEADS,
    "rms_norm_eps": 1e-5,
    "max_position_embeddings": 64,
    "rope_theta": 5000.0,
    "vocab_size": VOCAB,
}
Tensors = dict[str, Any]


def _write_block(form: str, random: np.random.Generator) -> tuple[bytes, list[float]]:
    """A block and its numbers, one code after the other."""
    if form == "Q6_K":
        scale = np.float16(random.uniform(0.5, 1) / 64)
        scales = random.integers(-20, 20, 16)
        codes = random.integers(0, 64, 256)
        low, high = bytearray(128), bytearray(64)
        for at, code in enumerate(codes):
            half, inner = divmod(at, 128)
            quarter, lane = divmod(inner, 32)
            place = half * 64 + (quarter % 2) * 32 + lane
            low[place] |= (int(code) & 15) << (4 if quarter > 1 else 0)
            high[half * 32 + lane] |= (int(code) >> 4) << (2 * quarter)
        data = bytes(low) + bytes(high) + scales.astype(np.int8).tobytes()
        numbers = [
            float(scale) * int(scales[at // 16]) * (int(code) - 32)
            for at, code in enumerate(codes)
        ]
        return data + scale.tobytes(), numbers
    if form == "MXFP4":
        exponent, codes = int(random.integers(119, 123)), random.integers(0, 16, 32)
        data = bytes([exponent, *(int(codes[i]) | int(codes[i + 16]) << 4 for i in range(16))])
        magnitudes = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
        signed = [*magnitudes, *(-each for each in magnitudes)]
        return data, [signed[c] * 2.0 ** (exponent - 127) for c in codes]
    scale = np.float16(random.uniform(0.5, 1.5) / (64 if form == "Q4_0" else 1024))
    if form == "Q8_0":
        codes = random.integers(-127, 128, 32)
        data = codes.astype(np.int8).tobytes()
        return scale.tobytes() + data, [float(scale) * int(c) for c in codes]
    codes = random.integers(0, 16, 32)
    data = bytes(int(codes[i]) | int(codes[i + 16]) << 4 for i in range(16))
    return scale.tobytes() + data, [float(scale) * (int(c) - 8) for c in codes]


def draw(form: str, rows: int, columns: int, random: np.random.Generator) -> Any:
    """A tensor's bytes and numbers."""
    if form in ("F32", "F16", "BF16"):
        numbers = (random.standard_normal((rows, columns)) / 16).astype(np.float32)
        if form == "F16":
            halves = numbers.astype(np.float16)
            return halves.tobytes(), halves.astype(np.float32)
        if form == "BF16":
            bits = numbers.view(np.uint32) >> 16
            return bits.astype(np.uint16).tobytes(), (bits << 16).view(np.float32)
        return numbers.tobytes(), numbers
    count = rows * columns // (256 if form == "Q6_K" else 32)
    blocks = [_write_block(form, random) for _ in range(count)]
    found = np.array([number for _, own in blocks for number in own], np.float32)
    return b"".join(data for data, _ in blocks), found.reshape(rows, columns)


def _word(text: str) -> bytes:
    return struct.pack("<Q", len(text)) + text.encode()


def write_gguf(path: Path, facts: dict[str, Any], tensors: Tensors) -> None:
    data = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(facts))
    for key, value in facts.items():
        data += _word(key)
        if isinstance(value, str):
            data += struct.pack("<I", 8) + _word(value)
        elif isinstance(value, list):
            data += struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(_word, value))
        elif isinstance(value, float):
            data += struct.pack("<If", 6, value)
        else:
            data += struct.pack("<II", 4, value)
    body = b""
    for name, (form, shape, own) in tensors.items():
        data += _word(name) + struct.pack("<I", len(shape))
        data += b"".join(struct.pack("<Q", size) for size in reversed(shape))
        data += struct.pack("<IQ", FORMS[form], len(body))
        body += own + bytes(-len(own) % 32)
    path.write_bytes(data + bytes(-len(data) % 32) + body)


def _make_facts(architecture: str) -> dict[str, Any]:
    return {
        "general.architecture": architecture,
        "general.name": "a model",
        f"{architecture}.embedding_length": WIDTH,
        f"{architecture}.block_count": LAYERS,
        f"{architecture}.feed_forward_length": HIDDEN,
        f"{architecture}.attention.head_count": HEADS,
        f"{architecture}.attention.head_count_kv": KEY_HEADS,
        f"{architecture}.attention.layer_norm_rms_epsilon": 1e-5,
        f"{architecture}.context_length": 64,
        f"{architecture}.rope.freq_base": 5000.0,
        f"{architecture}.rope.dimension_count": SIZE,
        "tokenizer.ggml.tokens": ["a", "b"],
        "tokenizer.ggml.eos_token_id": 5,
        "tokenizer.ggml.padding_token_id": 7,
    }


def interleave(rows: Any, heads: int) -> Any:
    """The two halves of a head's rows in turns."""
    order = [
        head * SIZE + half * SIZE // 2 + pair
        for head in range(heads)
        for pair in range(SIZE // 2)
        for half in (0, 1)
    ]
    return rows[order]


def _write_pair(
    folder: Path, architecture: str, choose: Callable[[str], str], *, tied: bool
) -> Path:
    """A GGUF file, and beside it a checkpoint of the same numbers."""
    random = np.random.default_rng(11)
    stored: Tensors = {}
    plain: dict[str, Any] = {}

    def add(name: str, own: str, rows: int, columns: int, heads: int = 0) -> None:
        form = choose(name)
        data, numbers = draw(form, rows, columns, random)
        stored[name] = (form, (rows, columns), data)
        if heads:
            # The file's rows are the checkpoint's in another order.
            at = interleave(np.arange(rows), heads)
            turned = np.empty_like(numbers)
            turned[at] = numbers
            numbers = turned
        plain[own] = numbers

    def add_vector(name: str, own: str, size: int, mean: float) -> None:
        numbers = (mean + random.standard_normal(size) / 8).astype(np.float32)
        stored[name] = ("F32", (size,), numbers.tobytes())
        plain[own] = numbers

    add("token_embd.weight", "model.embed_tokens.weight", VOCAB, WIDTH)
    add_vector("output_norm.weight", "model.norm.weight", WIDTH, 1)
    if not tied:
        add("output.weight", "lm_head.weight", VOCAB, WIDTH)
    for layer in range(LAYERS):
        own = f"model.layers.{layer}."
        add_vector(f"blk.{layer}.attn_norm.weight", own + "input_layernorm.weight", WIDTH, 1)
        add_vector(
            f"blk.{layer}.ffn_norm.weight", own + "post_attention_layernorm.weight", WIDTH, 1
        )
        for name, (linear, rows, columns) in LINEARS.items():
            heads = {"attn_q": HEADS, "attn_k": KEY_HEADS}.get(name, 0)
            if architecture == "qwen2":
                heads = 0
                if name in ("attn_q", "attn_k", "attn_v"):
                    add_vector(f"blk.{layer}.{name}.bias", f"{own}{linear}.bias", rows, 0)
            add(f"blk.{layer}.{name}.weight", f"{own}{linear}.weight", rows, columns, heads)
    path = folder / "model.gguf"
    write_gguf(path, _make_facts(architecture), stored)
    other = folder / "plain"
    other.mkdir()
    kinds = {"llama": "LlamaForCausalLM", "qwen2": "Qwen2ForCausalLM"}
    config = {**CONFIG, "model_type": architecture, "architectures": [kinds[architecture]]}
    (other / "config.json").write_text(json.dumps({**config, "tie_word_embeddings": tied}))
    write_safetensors(
        other / "model.safetensors", [(name, a, "f32") for name, a in plain.items()]
    )
    return path


CASES: dict[str, tuple[str, Callable[[str], str], bool]] = {
    "Q8_0": ("llama", lambda name: "Q8_0", True),
    "Q4_0, head of Q6_K": (
        "llama",
        lambda name: "Q6_K" if name == "output.weight" else "Q4_0",
        False,
    ),
    "both, and a layer of F16": (
        "llama",
        lambda name: (
            "F16" if name.startswith("blk.1.ffn") else "Q4_0" if "attn" in name else "Q8_0"
        ),
        False,
    ),
    "BF16": ("llama", lambda name: "BF16", False),
    "Q4_0 with biases": ("qwen2", lambda name: "Q4_0", True),
}


@pytest.mark.parametrize("name", CASES)
def test_file_is_the_numbers_of_its_blocks(name: str, tmp_path: Path) -> None:
    architecture, choose, tied = CASES[name]
    path = _write_pair(tmp_path, architecture, choose, tied=tied)
    ids = np.random.default_rng(5).integers(0, VOCAB, (2, 9))
    model = parablock.from_pretrained(path)
    assert ("unpack_weight" in str(model)) == (name != "BF16")
    result = model.compile()(input_ids=ids).logits
    plain = parablock.from_pretrained(tmp_path / "plain").compile()
    expected = plain(input_ids=ids).logits
    assert np.std(expected) > 0.1
    assert get_distance(torch.tensor(result), torch.tensor(expected)) < 1e-5


@pytest.mark.parametrize("name", ["Q4_0, head of Q6_K", "both, and a layer of F16"])
def test_generates(name: str, tmp_path: Path) -> None:
    """From weights of codes, to the tokens that the file says end a row."""
    path = _write_pair(tmp_path, *CASES[name][:2], tied=False)
    rows = [[3, 9, 11], [13]]
    model = parablock.from_pretrained(path)
    assert (model.special_tokens.stop, model.special_tokens.pad) == ((5,), 7)
    found = model.generator().generate(rows, 12, stop=())
    plain = parablock.from_pretrained(tmp_path / "plain").generator()
    expected = plain.generate(rows, 12)
    assert np.array_equal(found[:, 3:], expected[:, 3:]) and found[1, :2].tolist() == [7, 7]


def _break(path: Path, change: Callable[[dict[str, Any], Tensors], None]) -> None:
    facts = _make_facts("llama")
    tensors: Tensors = {"token_embd.weight": ("F32", (VOCAB, 4), bytes(VOCAB * 16))}
    change(facts, tensors)
    write_gguf(path, facts, tensors)


BROKEN: dict[str, tuple[Callable[[dict[str, Any], Tensors], Any], str]] = {
    "architecture": (
        lambda f, t: f.update({"general.architecture": "mamba"}),
        "expected an architecture of llama, qwen2, qwen3moe, olmoe, granitemoe, gpt-oss, got 'mamba'",
    ),
    "latent attention": (
        lambda f, t: f.update({"general.architecture": "deepseek2"}),
        "gpt-oss, got 'deepseek2'",
    ),
    "rotation": (
        lambda f, t: f.update({"llama.rope.scaling.type": "yarn"}),
        "'llama.rope.scaling.type' = 'yarn' is not known",
    ),
    "experts": (lambda f, t: f.update({"llama.expert_shared_count": 1}), "expert_shared_count' = 1"),
    "frequencies": (
        lambda f, t: t.update({"rope_freqs.weight": ("F32", (4,), bytes(16))}),
        "tensor 'rope_freqs.weight' is not known",
    ),
    "bias": (
        lambda f, t: t.update({"blk.0.attn_q.bias": ("F32", (4,), bytes(16))}),
        "tensor 'blk.0.attn_q.bias' is not known",
    ),
    "size": (lambda f, t: f.pop("llama.embedding_length"), "'hidden_size' is missing"),
    "part of a head": (
        lambda f, t: f.update({"llama.rope.dimension_count": 8}),
        "rope.dimension_count': expected 64, got 8",
    ),
    "blocks": (
        lambda f, t: t.update({"output.weight": ("Q8_0", (2, 40), bytes(102))}),
        "expected whole blocks of 32 columns",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_not_known_is_refused(name: str, tmp_path: Path) -> None:
    change, message = BROKEN[name]
    path = tmp_path / "m.gguf"
    _break(path, change)
    with pytest.raises(parablock.Error, match="m.gguf': .*") as caught:
        parablock.from_pretrained(path)
    assert message in str(caught.value)


def test_cut_and_strange_files_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    _break(path, lambda f, t: None)
    whole = path.read_bytes()
    for end in (*range(0, 400, 7), len(whole) - 1):
        path.write_bytes(whole[:end])
        with pytest.raises(parablock.Error, match="m.gguf"):
            parablock.from_pretrained(path)
    path.write_bytes(whole.replace(b"GGUF", b"GGJT"))
    with pytest.raises(parablock.Error, match="expected a GGUF file"):
        parablock.from_pretrained(path)
    path.write_bytes(b"GGUF" + struct.pack("<I", 9) + whole[8:])
    with pytest.raises(parablock.Error, match="expected version 2 or 3, got 9"):
        parablock.from_pretrained(path)
    with pytest.raises(parablock.Error, match="cannot read"):
        parablock.from_pretrained(tmp_path / "missing.gguf")
