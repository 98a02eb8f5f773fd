# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models whose gradients are known to the digits of float64, and how far they are off.

    build/venv/bin/python python/tests/exact_gradients.py

prints the table of docs/use/Training.md.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Mapping
from typing import Any

import torch
import transformers as hf
from families import VOCABULARY, forbid_caches, randomise
from oracle import differentiate_exactly

import parablock

#: How far a tensor's elements may be off, beside the largest of them.
LIMIT = 1e-11
#: Below this part of the model's largest element, a gradient is 0 but for rounding,
#: as that of a key's bias is, and measured against the second part.
NOTHING, SCALE = 1e-9, 1e-3

_NO_IDS = {"pad_token_id": None, "bos_token_id": None, "eos_token_id": None}
_DECODER = {
    "vocab_size": VOCABULARY,
    "hidden_size": 40,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 56,
    "max_position_embeddings": 64,
    **_NO_IDS,
}


def _rotate(base: float) -> dict[str, Any]:
    return {"rope_parameters": {"rope_type": "default", "rope_theta": base}}


def _make_gpt2() -> torch.nn.Module:
    sizes = {"n_embd": 40, "n_layer": 3, "n_head": 4, "n_positions": 64, "n_inner": 88}
    config = hf.GPT2Config(
        vocab_size=VOCABULARY,
        layer_norm_epsilon=3.7e-4,
        scale_attn_by_inverse_layer_idx=True,
        **sizes,
        **_NO_IDS,
    )
    return hf.GPT2LMHeadModel(config)


def _make_llama() -> torch.nn.Module:
    config = hf.LlamaConfig(
        rms_norm_eps=2.3e-4, attention_bias=True, mlp_bias=True, **_rotate(731.0), **_DECODER
    )
    return hf.LlamaForCausalLM(config)


def _make_qwen3() -> torch.nn.Module:
    config = hf.Qwen3Config(
        head_dim=14,
        rms_norm_eps=7.1e-5,
        use_sliding_window=True,
        sliding_window=5,
        max_window_layers=1,
        attn_implementation="eager",
        **_rotate(4321.5),
        **_DECODER,
    )
    return hf.Qwen3ForCausalLM(config)


def _make_gemma2() -> torch.nn.Module:
    config = hf.Gemma2Config(
        head_dim=14,
        query_pre_attn_scalar=19,
        attn_logit_softcapping=3.3,
        final_logit_softcapping=5.7,
        sliding_window=4,
        rms_norm_eps=1.3e-4,
        attn_implementation="eager",
        **_rotate(997.0),
        **_DECODER,
    )
    return hf.Gemma2ForCausalLM(config)


def _make_t5() -> torch.nn.Module:
    config = hf.T5Config(
        vocab_size=VOCABULARY,
        d_model=40,
        d_kv=14,
        d_ff=56,
        num_layers=2,
        num_decoder_layers=3,
        num_heads=4,
        relative_attention_num_buckets=8,
        relative_attention_max_distance=17,
        layer_norm_epsilon=5.9e-4,
        feed_forward_proj="gated-gelu",
        decoder_start_token_id=0,
    )
    return hf.T5ForConditionalGeneration(config)


def _make_bert() -> torch.nn.Module:
    config = hf.BertConfig(
        vocab_size=VOCABULARY,
        hidden_size=40,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=56,
        max_position_embeddings=64,
        layer_norm_eps=4.7e-4,
    )
    return hf.BertForMaskedLM(config)


MODELS: dict[str, Callable[[], torch.nn.Module]] = {
    "GPT-2": _make_gpt2,
    "Llama": _make_llama,
    "Qwen3": _make_qwen3,
    "Gemma-2": _make_gemma2,
    "T5": _make_t5,
    "BERT": _make_bert,
}


def make_model(name: str) -> tuple[torch.nn.Module, tuple[Any, ...]]:
    """A model of random weights, none of them 0 or 1, and what it is called with."""
    torch.manual_seed(3)
    module = MODELS[name]().eval()
    randomise(module, seed=4)
    forbid_caches(module)
    generator = torch.Generator().manual_seed(5)
    ids, others = (
        torch.randint(0, VOCABULARY, (2, count), generator=generator) for count in (13, 9)
    )
    if name == "BERT":
        types = torch.randint(0, 2, (2, 13), generator=generator)
        return module, (ids, None, types)
    return module, (ids, None, others) if name == "T5" else (ids,)


def find_loss(results: Any) -> torch.Tensor:
    """A loss that every logit has a part in."""
    logits = results.logits
    targets = torch.arange(logits.shape[0] * logits.shape[1]) * 7 % logits.shape[-1]
    loss: torch.Tensor = torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets)
    return loss


def differentiate_by_torch(
    module: torch.nn.Module, inputs: tuple[Any, ...]
) -> tuple[float, dict[str, torch.Tensor]]:
    """The loss in float64, and its gradients."""
    losses: list[torch.Tensor] = []

    def backward(results: Any) -> None:
        losses.append(find_loss(results))
        losses[0].backward()

    gradients = differentiate_exactly(module, inputs, backward)
    return float(losses[0].detach()), gradients


def find_errors(
    found: Mapping[str, Any], exact: Mapping[str, torch.Tensor]
) -> dict[str, float]:
    """How far each gradient is off; infinite for one that is not there."""
    largest = max(float(gradient.abs().max()) for gradient in exact.values())

    def measure(name: str) -> float:
        wanted = exact[name]
        scale = float(wanted.abs().max())
        if name not in found or tuple(found[name].shape) != tuple(wanted.shape):
            return float("inf")
        distance = float((torch.as_tensor(found[name]) - wanted).abs().max())
        error = distance / (scale if scale > NOTHING * largest else SCALE * largest)
        return error if error == error else float("inf")

    return {name: measure(name) for name in exact}


def find_worst(
    found: Mapping[str, Any], exact: Mapping[str, torch.Tensor]
) -> tuple[float, str]:
    """The largest of the errors, and whose it is."""
    return max((error, name) for name, error in find_errors(found, exact).items())


def _print_table() -> None:
    print("| model | gradients | largest error | of | PyTorch's own in f32 |")
    print("|---|---|---|---|---|")
    for name in MODELS:
        module, inputs = make_model(name)
        _, exact = differentiate_by_torch(module, inputs)
        model = parablock.from_torch(module, inputs)
        worst, whose = find_worst(model.gradients(*inputs, loss=find_loss)[1], exact)
        other = copy.deepcopy(module)
        find_loss(other(*inputs)).backward()
        rounded = {n: p.grad for n, p in other.named_parameters()}
        own, _ = find_worst(rounded, exact)
        print(f"| {name} | {len(exact)} | {worst:.1e} | `{whose}` | {own:.1e} |")


if __name__ == "__main__":
    sys.exit(_print_table())
