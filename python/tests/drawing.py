# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models drawn by a seed: families, odd sizes, options, types."""

from __future__ import annotations

import dataclasses
import inspect
import random

import torch
import transformers as hf
from families import forbid_caches, randomise, to_bf16
from recipes import RECIPES, Draw, Recipe, Sizes, draw_sizes
from wider import WIDER


@dataclasses.dataclass
class Case:
    """A model, and calls of it."""

    name: str
    module: torch.nn.Module
    kind: str
    attention: int
    mlp: int
    vocabulary: int
    dtype: torch.dtype
    padding: bool
    dynamic: bool
    description: str
    #: How it is called: one of CALLS.
    call: str = "plain"
    #: What an error or a reason says of families that are not recognised whole.
    left: str = ""


#: nn.Transformer's layers, of batches first and of tokens first.
STACKS = ("nn", "nn-tokens-first")

#: Calls with ids alone; with results as a tuple; of a model that keeps a cache;
#: with positions; with a mask [batch, 1, query, key]; of embeddings; for all
#: hidden states.
CALLS = ("plain", "tuple", "cache", "positions", "mask", "embeddings", "states")


class Stack(torch.nn.Module):
    """nn.Transformer's layers, as a model."""

    def __init__(self, draw: Draw, width: int, options: Sizes) -> None:
        super().__init__()
        self.cross = draw.random() < 0.5
        self.causal = draw.random() < 0.5
        kind = "Decoder" if self.cross else "Encoder"
        make = getattr(torch.nn, f"Transformer{kind}Layer")
        count = draw.choice([1, 2])
        self.layers = torch.nn.ModuleList(make(width, **options) for _ in range(count))

    def forward(
        self,
        hidden: torch.Tensor,
        memory: torch.Tensor,
        key_padding_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        mask = None
        if self.causal:
            mask = torch.nn.Transformer.generate_square_subsequent_mask(hidden.shape[1])
            mask = mask.to(hidden.dtype)
        first = self.layers[0].self_attn.batch_first
        if not first:
            hidden, memory = hidden.transpose(0, 1), memory.transpose(0, 1)
        for layer in self.layers:
            if self.cross:
                hidden = layer(
                    hidden,
                    memory,
                    tgt_mask=mask,
                    memory_key_padding_mask=key_padding_mask,
                )
            else:
                hidden = layer(hidden, mask, src_key_padding_mask=key_padding_mask)
        return hidden if first else hidden.transpose(0, 1)


def find_recipe(name: str) -> Recipe:
    return RECIPES[name] if name in RECIPES else WIDER[name]


def _draw_call(name: str, seed: int, case: Case) -> str:
    """A call that the model's forward knows."""
    if case.kind == "stack":
        return "plain"
    known = inspect.signature(case.module.forward).parameters
    wanted = {
        "positions": "position_ids" in known and "token_type_ids" not in known,
        "mask": "Causal" in type(case.module).__name__
        and "attention_mask" in known
        and not name.startswith("opt"),
        "embeddings": case.kind == "ids" and "inputs_embeds" in known,
    }
    calls = [call for call in CALLS if wanted.get(call, True)]
    chosen = random.Random(f"{name} {seed} call")
    return chosen.choice(calls) if chosen.random() < 0.7 else "plain"


def draw_case(name: str, seed: int) -> Case:
    """The model of a family that a seed draws."""
    draw = random.Random(f"{name} {seed}")
    torch.manual_seed(seed)
    sizes = draw_sizes(draw)
    if name in STACKS:
        width = 2 * sizes["num_attention_heads"] * draw.choice([3, 4, 6])
        options = {
            "nhead": sizes["num_attention_heads"],
            "dim_feedforward": sizes["intermediate_size"],
            "batch_first": name == "nn",
            "norm_first": draw.random() < 0.5,
            "activation": draw.choice(["relu", "gelu"]),
            "bias": draw.random() < 0.8,
        }
        module: torch.nn.Module = Stack(draw, width, options)
        layers = len(module.layers)  # type: ignore[arg-type]
        count = (2 * layers if module.cross else layers, layers)
        kind, padding, description, left = "stack", True, str(options), ""
        vocabulary = width
    else:
        recipe = find_recipe(name)
        options = recipe.options(draw, sizes)
        config = getattr(hf, recipe.config)(**options)
        config._attn_implementation = draw.choice(recipe.attentions)
        module = getattr(hf, recipe.model)(config)
        count, left = recipe.count(sizes["num_hidden_layers"]), recipe.left
        kind, padding, vocabulary = recipe.kind, recipe.padding, sizes["vocab_size"]
        description = f"{config._attn_implementation} {options}"
    module.eval()
    randomise(module, seed)
    dtype = draw.choice([torch.float32, torch.float32, torch.bfloat16])
    dynamic = kind != "pixels" and draw.random() < 0.4
    case = Case(
        name,
        to_bf16(module) if dtype == torch.bfloat16 else module,
        kind,
        *count,
        vocabulary,
        dtype,
        padding and draw.random() < 0.5,
        dynamic,
        "",
        left=left,
    )
    case.call = _draw_call(name, seed, case)
    case.padding = case.padding and case.call not in ("mask", "positions")
    # torch.export has no place for the shape of a keyword without a name.
    case.dynamic = case.dynamic and case.call not in ("tuple", "states")
    if case.dynamic and case.call in ("positions", "mask", "embeddings"):
        # What is no block there has sizes that stay open.
        case.left = case.left or "depend on sizes|number of dynamic sizes"
    if case.call != "cache":
        forbid_caches(module)
    case.description = (
        f"{dtype} call={case.call} padding={case.padding} dynamic={case.dynamic} "
        f"{description}"
    )
    return case
