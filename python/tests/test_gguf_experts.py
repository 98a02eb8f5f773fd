# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GGUF files of experts beside modules of the numbers that their blocks stand for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from test_gguf import draw, write_gguf

import parablock

pytest.importorskip("transformers")

import experts  # noqa: E402  (requires transformers)

WIDTH, HIDDEN, HEADS, KEY_HEADS, SIZE = 64, 96, 4, 2, 16
_SIZES = {"hidden_size": WIDTH, "intermediate_size": HIDDEN, "num_attention_heads": HEADS, "head_dim": SIZE}
_YARN = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "original_max_position_embeddings": 16,
         "truncate": False}
_ATTENTION = {"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
              "attn_output": "self_attn.o_proj", "attn_norm": "input_layernorm"}
_NORMS = {"attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm"}
#: The family, what its small model has, names of tensors, facts beside those of all, and whether rows of q and k turn.
ARCHITECTURES: dict[str, tuple[str, dict[str, Any], dict[str, str], dict[str, Any], bool]] = {
    "llama": ("mixtral", {}, {"ffn_gate_inp": "mlp.gate", "ffn_norm": "post_attention_layernorm"}, {}, True),
    "qwen3moe": (
        "qwen3_moe",
        {"moe_intermediate_size": HIDDEN},
        {**_NORMS, "ffn_gate_inp": "mlp.gate", "ffn_norm": "post_attention_layernorm"},
        {"expert_feed_forward_length": HIDDEN},
        False,
    ),
    "olmoe": (
        "olmoe",
        {},
        {**_NORMS, "ffn_gate_inp": "mlp.gate", "ffn_norm": "post_attention_layernorm"},
        {},
        False,
    ),
    "granitemoe": (
        "granitemoe",
        {"attention_multiplier": 0.3, "embedding_multiplier": 3.0, "logits_scaling": 2.0},
        {"ffn_gate_inp": "block_sparse_moe.router", "ffn_norm": "post_attention_layernorm"},
        {"attention.scale": 0.3, "embedding_scale": 3.0, "residual_scale": 0.3, "logit_scale": 2.0},
        True,
    ),
    "gpt-oss": (
        "gpt_oss",
        {"rope_parameters": _YARN},
        {"ffn_gate_inp": "mlp.router", "post_attention_norm": "post_attention_layernorm", "attn_sinks": "self_attn.sinks"},
        {
            "attention.sliding_window": 5,
            "expert_feed_forward_length": HIDDEN,
            "rope.scaling.type": "yarn",
            "rope.scaling.factor": 4.0,
            "rope.scaling.original_context_length": 16,
        },
        False,
    ),
}
Tensors = dict[str, Any]


class _Writer:
    """Draws tensors of a file, and gives a module their numbers."""

    def __init__(self, architecture: str, choose: Callable[[str], str]) -> None:
        self.architecture, self.choose = architecture, choose
        family, more, self.names, self.facts, self.turns = ARCHITECTURES[architecture]
        self.model = experts.make(family, **{**_SIZES, **more})
        self.model.config.use_cache = False
        self.random, self.tensors = np.random.default_rng(3), {}
        self.state = self.model.state_dict()

    def draw(self, name: str, shape: tuple[int, ...]) -> Any:
        """Adds a tensor, and returns its numbers."""
        form = "F32" if len(shape) == 1 or "ffn_gate_inp" in name or name.endswith("bias") else self.choose(name)
        data, numbers = draw(form, int(np.prod(shape[:-1])), shape[-1], self.random)
        if name.endswith("norm.weight"):
            numbers = np.abs(numbers) + np.float32(0.5)
            data = numbers.tobytes()
        self.tensors[name] = (form, shape, data)
        return torch.tensor(numbers.reshape(shape))

    def add(self, name: str, target: str) -> None:
        """Adds a tensor of a module's shape."""
        own = self.state[target]
        numbers = self.draw(name, tuple(own.shape))
        if self.turns and (".attn_q." in name or ".attn_k." in name):
            heads = HEADS if ".attn_q." in name else KEY_HEADS
            numbers = numbers.unflatten(0, (heads, SIZE // 2, 2)).transpose(1, 2).flatten(0, 2)
        own.copy_(numbers)

    def add_experts(self, layer: int) -> None:
        count = self.model.config.num_local_experts if hasattr(self.model.config, "num_local_experts") else 6
        path, isTurned = f"model.layers.{layer}.", self.architecture == "gpt-oss"
        names = {name for name in self.state if name.startswith(path)}
        up = next(name for name in names if name.endswith(("experts.gate_up_proj", "input_linear.weight")))
        down = next(name for name in names if name.endswith(("experts.down_proj", "output_linear.weight")))
        own = {part: self.draw(f"blk.{layer}.ffn_{part}_exps.weight", shape)
               for part, shape in (("gate", (count, HIDDEN, WIDTH)), ("up", (count, HIDDEN, WIDTH)),
                                   ("down", (count, WIDTH, HIDDEN)))}
        both = torch.stack([own["gate"], own["up"]], 2) if isTurned else torch.stack([own["gate"], own["up"]], 1)
        both = both.reshape(count, 2 * HIDDEN, WIDTH)
        self.state[up].copy_(both.mT if isTurned else both)
        self.state[down].copy_(own["down"].mT if isTurned else own["down"])
        if isTurned:
            biases = {part: self.draw(f"blk.{layer}.ffn_{part}_exps.bias", (count, width))
                      for part, width in (("gate", HIDDEN), ("up", HIDDEN), ("down", WIDTH))}
            self.state[up + "_bias"].copy_(torch.stack([biases["gate"], biases["up"]], 2).flatten(1))
            self.state[down + "_bias"].copy_(biases["down"])

    def write(self, path: Path) -> Any:
        """Writes the file, and returns the module of its numbers."""
        config = self.model.config
        with torch.no_grad():
            for name, target in {"token_embd": "model.embed_tokens", "output_norm": "model.norm"}.items():
                self.add(f"{name}.weight", f"{target}.weight")
            if not config.tie_word_embeddings:
                self.add("output.weight", "lm_head.weight")
            for layer in range(config.num_hidden_layers):
                for name, part in {**_ATTENTION, **self.names}.items():
                    for kind in ("weight", "bias"):
                        target = f"model.layers.{layer}.{part}" + ("" if name == "attn_sinks" else f".{kind}")
                        if target in self.state and not (name == "attn_sinks" and kind == "bias"):
                            self.add(f"blk.{layer}.{name}.{kind}", target)
                self.add_experts(layer)
        own = {
            "embedding_length": WIDTH,
            "block_count": config.num_hidden_layers,
            "feed_forward_length": HIDDEN,
            "attention.head_count": HEADS,
            "attention.head_count_kv": KEY_HEADS,
            "attention.key_length": SIZE,
            "attention.value_length": SIZE,
            "attention.layer_norm_rms_epsilon": float(config.rms_norm_eps),
            "context_length": 64,
            "rope.freq_base": float(config.rope_parameters["rope_theta"]),
            "expert_count": self.tensors["blk.0.ffn_up_exps.weight"][1][0],
            "expert_used_count": config.num_experts_per_tok,
            **self.facts,
        }
        facts = {"general.architecture": self.architecture} | {f"{self.architecture}.{k}": v for k, v in own.items()}
        self.written = facts
        write_gguf(path, facts, self.tensors)
        return self.model


CASES: dict[str, tuple[str, Callable[[str], str]]] = {
    "llama of Q4_0": ("llama", lambda name: "Q4_0"),
    "llama of F16": ("llama", lambda name: "F16"),
    "qwen3moe of both": ("qwen3moe", lambda name: "Q8_0" if "down" in name else "Q4_0"),
    "olmoe of Q8_0": ("olmoe", lambda name: "Q8_0"),
    "granitemoe with a stack of F16": ("granitemoe", lambda name: "F16" if "down" in name else "Q8_0"),
    "gpt-oss of MXFP4": ("gpt-oss", lambda name: "MXFP4" if "exps" in name else "Q8_0"),
    "gpt-oss of Q8_0": ("gpt-oss", lambda name: "Q8_0"),
    "gpt-oss with a stack of BF16": ("gpt-oss", lambda name: "BF16" if "down" in name else "MXFP4" if "exps" in name else "F32"),
}


@pytest.mark.parametrize("name", CASES)
def test_file_is_the_module_of_its_numbers(name: str, tmp_path: Path) -> None:
    module = _Writer(*CASES[name]).write(tmp_path / "m.gguf")
    ids = experts.draw_ids()
    model = parablock.from_pretrained(tmp_path / "m.gguf")
    stacks = str(model).count("tensor.expand_shape")
    assert (stacks > 0) == ("of F16" not in name or "stack" in name)
    found = model.optimize().compile(threads=1)(ids.numpy())["logits"]
    assert experts.get_distance(torch.as_tensor(found), module, ids) < 3e-6


BROKEN: dict[str, tuple[str, Callable[[dict[str, Any], Tensors], Any], str]] = {
    "missing up": (
        "llama",
        lambda f, t: t.pop("blk.1.ffn_up_exps.weight"),
        "expected tensor 'blk.1.ffn_up_exps.weight', got none",
    ),
    "missing bias": (
        "gpt-oss",
        lambda f, t: t.pop("blk.0.ffn_down_exps.bias"),
        "expected tensor 'blk.0.ffn_down_exps.bias', got none",
    ),
    "shared": (
        "qwen3moe",
        lambda f, t: t.update({"blk.0.ffn_up_shexp.weight": ("F32", (4, 4), bytes(64))}),
        "tensor 'blk.0.ffn_up_shexp.weight' is not known",
    ),
    "shared fact": (
        "granitemoe",
        lambda f, t: f.update({"granitemoe.expert_shared_feed_forward_length": 8}),
        "'granitemoe.expert_shared_feed_forward_length' = 8 is not known",
    ),
    "rotation": (
        "gpt-oss",
        lambda f, t: f.update({"gpt-oss.rope.scaling.type": "linear"}),
        "'gpt-oss.rope.scaling.type': expected yarn, got 'linear'",
    ),
    "other size": (
        "llama",
        lambda f, t: f.update({"llama.expert_feed_forward_length": 8}),
        "'llama.expert_feed_forward_length': expected 96",
    ),
    "more chosen than there are": (
        "llama",
        lambda f, t: f.update({"llama.expert_used_count": 5}),
        "key 'num_experts_per_tok': expected at most the 4 of 'num_local_experts', got 5",
    ),
    "no experts chosen": (
        "llama",
        lambda f, t: f.update({"llama.expert_used_count": 0}),
        "key 'num_experts_per_tok': expected an integer from 1 to 2147483647, got 0",
    ),
    "other count": (
        "qwen3moe",
        lambda f, t: f.update({"qwen3moe.expert_count": 7}),
        "'qwen3moe.expert_count': expected the 6 of 'blk.0.ffn_gate_exps.weight', got 7",
    ),
    "dimensions": (
        "llama",
        lambda f, t: t.update({"blk.0.attn_q.weight": ("F32", (1, 64, 64), bytes(16384))}),
        "tensor 'blk.0.attn_q.weight': expected 1 or 2 dimensions, got 3",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_not_known_is_refused(name: str, tmp_path: Path) -> None:
    architecture, change, message = BROKEN[name]

    path = tmp_path / "m.gguf"
    writer = _Writer(architecture, lambda name: "F32")
    writer.write(path)
    change(writer.written, writer.tensors)
    write_gguf(path, writer.written, writer.tensors)
    with pytest.raises(parablock.Error, match="m.gguf': .*") as caught:
        parablock.from_pretrained(path)
    assert message in str(caught.value)
