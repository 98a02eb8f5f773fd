# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoder layers whose attention and MLP read the same stream, or an older one.

The section "parablock" of config.json lists pairs: "3" is the attention and the MLP of
layer 3, "3+" the MLP of layer 3 and the attention of layer 4. With "pairing": "ladder" each
branch of a listed layer reads the stream one sum older; with "shortcut" the routed experts
of layer 3 run beside the attention of layer 4, which reads what the shared experts of layer
3 add. A layer in no pair is the one of transformers. Attention, MLP, norms and the loop
over layers are always those of transformers; this file requires PyTorch alone.
"""

from __future__ import annotations

import inspect
from typing import Any

import torch
from torch import nn

#: The forms of norms that this code computes. "shared" differs from "separate" in nothing
#: here: both norms of a layer have one kind and one epsilon.
_NORMS = ("separate", "shared", "shared-lossy")


def list_arguments(layer: type) -> list[str]:
    """Returns the names of what the loop over layers may pass by position after the stream."""
    names = list(inspect.signature(layer.forward).parameters)[2:]  # type: ignore[attr-defined]
    if "output_attentions" in names:
        raise ImportError(
            f"'{layer.__name__}' of this version of transformers returns tuples, which parallel "
            "pairs do not: pip install -U transformers"
        )
    return names


class PairedLayer:
    """A mixin for a decoder layer of transformers, in front of its class.

    A family, or a mixin of several, defines the four methods below. A layer `gives` if its
    MLP runs beside the attention of the next layer: it returns its stream after attention
    and the MLP's result as a tuple, from which the next layer, which `takes`, begins.
    Below a layer that `climbs`, a rung of a ladder, a layer returns its stream and the one
    before its MLP.
    """

    #: Names of the arguments after the stream.
    arguments: list[str]
    is_parallel = gives = takes = is_lossy = climbs = is_below = is_first = False
    is_shortcut = False
    attention_scale = mlp_scale = 1.0

    def norm_attention(self, stream: torch.Tensor) -> torch.Tensor:
        """Returns what attention reads."""
        raise NotImplementedError

    def attend(self, x: torch.Tensor, options: dict[str, Any]) -> torch.Tensor:
        """Returns what attention adds to the stream."""
        raise NotImplementedError

    def norm_mlp(self, stream: torch.Tensor) -> torch.Tensor:
        """Returns what the MLP reads."""
        raise NotImplementedError

    def run_mlp(self, x: torch.Tensor) -> torch.Tensor:
        """Returns what the MLP adds to the stream."""
        raise NotImplementedError

    def get_shared(self) -> nn.Module | None:
        """Returns the shared experts of the MLP."""
        return getattr(getattr(self, "mlp", None), "shared_experts", None)

    def run_shared(self, x: torch.Tensor) -> Any:
        """Returns what shared experts that were left out add to the stream."""
        return self.get_shared().run(x)  # type: ignore[union-attr, operator]

    def forward(self, hidden_states: Any, *args: Any, **kwargs: Any) -> Any:
        options = {**dict(zip(self.arguments, args)), **kwargs}
        if self.climbs or self.is_below:
            return self._climb(hidden_states, options)
        if self.takes:
            stream, mlp, normed = _unpack(hidden_states, 3)
            attention = self.attend(
                normed if self.is_lossy else self.norm_attention(stream), options
            )
            stream = _add(stream, mlp, self.mlp_scale, attention, self.attention_scale)
        else:
            stream = hidden_states
            normed = self.norm_attention(stream)
            attention = self.attend(normed, options)
            if self.is_parallel:
                mlp = self.run_mlp(normed if self.is_lossy else self.norm_mlp(stream))
                return _add(stream, attention, self.attention_scale, mlp, self.mlp_scale)
            stream = stream + attention
        normed = self.norm_mlp(stream)
        mlp = self.run_mlp(normed)
        if self.is_shortcut:
            # Shared experts were left out of the MLP.
            stream = stream + _scale(self.run_shared(normed), self.mlp_scale)
        return (stream, mlp, normed) if self.gives else stream + mlp

    def _climb(self, given: Any, options: dict[str, Any]) -> Any:
        """Runs a rung of a ladder, or the layer below one."""
        stream = older = given
        if self.climbs and not self.is_first:
            stream, older = _unpack(given, 2)
        attention = self.attend(self.norm_attention(older), options)
        between = stream + _scale(attention, self.attention_scale)
        mlp = self.run_mlp(self.norm_mlp(stream if self.climbs else between))
        result = between + _scale(mlp, self.mlp_scale)
        return (result, between) if self.is_below else result


class PreNormLayer(PairedLayer):
    """A layer with a norm before each branch, as Llama and its relatives have it."""

    # Of the layer of transformers.
    input_layernorm: Any
    self_attn: Any
    post_attention_layernorm: Any
    mlp: Any

    def norm_attention(self, stream: torch.Tensor) -> Any:
        return self.input_layernorm(stream)

    def attend(self, x: torch.Tensor, options: dict[str, Any]) -> Any:
        return self.self_attn(hidden_states=x, **options)[0]

    def norm_mlp(self, stream: torch.Tensor) -> Any:
        return self.post_attention_layernorm(stream)

    def run_mlp(self, x: torch.Tensor) -> Any:
        return self.mlp(x)


class SandwichLayer(PreNormLayer):
    """A layer with a norm before and behind each branch, as Gemma 2 and 3 have it."""

    pre_feedforward_layernorm: Any
    post_feedforward_layernorm: Any

    def attend(self, x: torch.Tensor, options: dict[str, Any]) -> Any:
        return self.post_attention_layernorm(super().attend(x, options))

    def norm_mlp(self, stream: torch.Tensor) -> Any:
        return self.pre_feedforward_layernorm(stream)

    def run_mlp(self, x: torch.Tensor) -> Any:
        return self.post_feedforward_layernorm(super().run_mlp(x))


class PostNormLayer(PairedLayer):
    """A layer with a norm behind each sum, as BERT has it.

    A family defines `attend`, `run_mlp` and the two methods below. A layer that `gives`
    returns its result and its stream after attention, which the MLP read and the attention
    of the next layer reads.
    """

    def add_attention(self, stream: torch.Tensor, branch: torch.Tensor) -> torch.Tensor:
        """Returns the norm of the first sum."""
        raise NotImplementedError

    def add_mlp(self, stream: torch.Tensor, branch: torch.Tensor) -> torch.Tensor:
        """Returns the norm of the second sum."""
        raise NotImplementedError

    def forward(self, hidden_states: Any, *args: Any, **kwargs: Any) -> Any:
        options = {**dict(zip(self.arguments, args)), **kwargs}
        stream = read = hidden_states
        if self.takes:
            stream, read = _unpack(hidden_states, 2)
        attention = self.attend(read, options)
        if self.takes or self.is_parallel:
            attention = _scale(attention, self.attention_scale)
        middle = self.add_attention(stream, attention)
        mlp = self.run_mlp(stream if self.is_parallel else middle)
        if self.gives or self.is_parallel:
            mlp = _scale(mlp, self.mlp_scale)
        result = self.add_mlp(middle, mlp)
        return (result, middle) if self.gives else result


class _LeftOut:
    """A mixin for shared experts that add nothing to the MLP that has them."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x)

    def run(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x)  # type: ignore[misc, no-any-return]


def _mark_shortcut(layer: Any, pair: str) -> None:
    """Leaves shared experts out of the MLP of a layer with routed ones."""
    if not hasattr(layer.mlp, "experts"):
        raise ValueError(f"shortcut '{pair}' requires routed experts, got an MLP without any")
    if (shared := layer.get_shared()) is not None:
        layer.is_shortcut = True
        name = f"LeftOut{type(shared).__name__}"
        shared.__class__ = type(name, (_LeftOut, type(shared)), {})


def _unpack(given: Any, count: int) -> tuple[torch.Tensor, ...]:
    """Returns what the layer before gives: its stream, then the MLP's result and what that
    MLP read, or the stream before the MLP.
    """
    if not isinstance(given, tuple) or len(given) != count:
        raise RuntimeError(
            "this layer reads more than the stream of the layer before it, which was left out: "
            "run all layers in their order"
        )
    # Under a checkpoint that replays layers by autograd functions, tensors in a tuple
    # have no gradient.
    if given[0].requires_grad and not torch.is_grad_enabled():
        raise RuntimeError(
            "pairs across layers and ladders require gradient checkpointing with "
            'use_reentrant=False: gradient_checkpointing_kwargs={"use_reentrant": False}'
        )
    return given


def _scale(branch: torch.Tensor, scale: float) -> torch.Tensor:
    return branch if scale == 1.0 else branch * scale


def _add(
    stream: torch.Tensor, first: torch.Tensor, scale: float, second: torch.Tensor, other: float
) -> torch.Tensor:
    return stream + _scale(first, scale) + _scale(second, other)


def arrange_layers(model: nn.Module, layers: nn.ModuleList, layer_class: type) -> None:
    """Gives layers in a pair the class `layer_class`, as the model's config has them."""
    config: Any = model.config
    section = getattr(config, "parablock", None)
    if not isinstance(section, dict) or section.get("schema") != 1:
        raise ValueError(
            "config.json requires the section 'parablock' with schema 1, which lists the "
            f"pairs of parallel layers, got {section!r}"
        )
    norm = section.get("norm", "separate")
    if norm not in _NORMS:
        raise ValueError(f"'norm' requires one of {', '.join(_NORMS)}, got {norm!r}")
    scales = {"scale": 1.0, "attn_scale": 1.0, "mlp_scale": 1.0, **section.get("scales", {})}
    if unknown := sorted(scales.keys() - {"scale", "attn_scale", "mlp_scale"}):
        raise ValueError(f"'scales' has no entry '{unknown[0]}'")
    pairing = section.get("pairing")
    if "pairing" in section and pairing not in ("ladder", "shortcut"):
        raise ValueError(f"'pairing' requires 'ladder' or 'shortcut', got {pairing!r}")
    if pairing and norm != "separate":
        raise ValueError(f"ladders and shortcuts require the norm 'separate', got {norm!r}")
    if issubclass(layer_class, PostNormLayer) and (pairing or norm != "separate"):
        raise ValueError(
            "layers with norms behind their sums require pairs with the norm 'separate', got "
            f"{pairing or norm!r}"
        )
    is_ladder = pairing == "ladder"
    for pair in section["chosen"]:
        first = int(pair.removesuffix("+"))
        members = [first, first + 1] if pair.endswith("+") else [first]
        if not 0 <= first <= members[-1] < len(layers):
            raise ValueError(f"pair '{pair}' requires layers {members}, got {len(layers)} layers")
        for index in members:
            layer: Any = layers[index]
            layer.__class__ = layer_class
            layer.is_lossy = norm == "shared-lossy"
            layer.attention_scale = float(scales["scale"] * scales["attn_scale"])
            layer.mlp_scale = float(scales["scale"] * scales["mlp_scale"])
        if is_ladder and pair.endswith("+"):
            raise ValueError(f"a ladder requires layers, got pair '{pair}'")
        if pairing == "shortcut" and not pair.endswith("+"):
            raise ValueError(f"a shortcut requires a pair such as '3+', got '{pair}'")
        if is_ladder:
            _mark_rung(layers, first, layer_class)
            _refuse_dropped_layers(config, pair)
        elif pair.endswith("+"):
            if pairing == "shortcut":
                _mark_shortcut(layers[first], pair)
            _mark(layers[first], "gives", pair)
            _mark(layers[first + 1], "takes", pair)
            _refuse_dropped_layers(config, pair)
        else:
            _mark(layers[first], "is_parallel", pair)
    for added in section.get("added_parameters", []):
        _add_bias(layers, added["name"])


def _mark_rung(layers: nn.ModuleList, index: int, layer_class: type) -> None:
    """Makes a layer a rung; the layer below it keeps the stream before its MLP."""
    layer: Any = layers[index]
    layer.climbs, layer.is_first = True, index == 0
    if index > 0:
        below: Any = layers[index - 1]
        below.__class__ = layer_class
        below.is_below = True


def _mark(layer: Any, role: str, pair: str) -> None:
    taken = layer.is_parallel or getattr(layer, role) or (role == "is_parallel" and (layer.gives or layer.takes))
    if taken:
        raise ValueError(f"pair '{pair}' has a member that is in another pair, too")
    setattr(layer, role, True)


def _refuse_dropped_layers(config: Any, pair: str) -> None:
    if getattr(config, "layerdrop", 0.0):
        raise ValueError(f"pair '{pair}' requires layerdrop 0, got {config.layerdrop}")


def _add_bias(layers: nn.ModuleList, name: str) -> None:
    """Adds a bias of zeros, `name` being the parameter's in the whole model."""
    parts = name.split(".")
    place = next(i for i, part in enumerate(parts) if part.isdigit())
    linear = layers[int(parts[place])].get_submodule(".".join(parts[place + 1 : -1]))
    weight: Any = linear.weight
    size = weight.shape[1] if type(linear).__name__ == "Conv1D" else weight.shape[0]
    linear.bias = nn.Parameter(torch.zeros(size, dtype=weight.dtype, device=weight.device))
