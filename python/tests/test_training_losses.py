# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules that are given labels, and compute their loss themselves."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
import transformers as hf
from families import forbid_caches, randomise
from gradients import find_worst, take_gradients
from oracle import differentiate_exactly
from torch.nn import functional

import parablock

COUNT, ROWS, TOKENS = 29, 2, 7

_CROSS: dict[str, dict[str, Any]] = {
    "mean": {},
    "sum": {"reduction": "sum"},
    "each": {"reduction": "none"},
    "ignored class": {"ignore_index": 2},
    "smooth": {"label_smoothing": 0.1},
    "weighted": {"weight": True},
    "weighted and smooth": {"weight": True, "label_smoothing": 0.2},
    "weighted sum": {"weight": True, "reduction": "sum"},
}
_PAIRS: dict[str, Callable[..., torch.Tensor]] = {
    "mse": functional.mse_loss,
    "l1": functional.l1_loss,
    "smooth l1": lambda a, b, **o: functional.smooth_l1_loss(a, b, beta=0.7, **o),
    "huber": lambda a, b, **o: functional.huber_loss(a, b, delta=0.6, **o),
}


class Losses(torch.nn.Module):
    """Losses of all kinds of one projection, each a result."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.projection = torch.nn.Linear(6, 5)
        self.register_buffer("share", torch.rand(5) + 0.5)

    def forward(
        self, x: torch.Tensor, labels: torch.Tensor, shares: torch.Tensor
    ) -> dict[str, torch.Tensor]:
        logits = self.projection(x)
        flat, targets = logits.flatten(0, 1), labels.flatten()
        results = {}
        for name, options in _CROSS.items():
            own = {**options, **({"weight": self.share} if "weight" in options else {})}
            results[name] = functional.cross_entropy(flat, targets, **own)
            by_dimension = functional.cross_entropy(logits.transpose(1, 2), labels, **own)
            results[f"{name}, by dimension"] = by_dimension
            if "ignore_index" not in own:
                results[f"{name}, of shares"] = functional.cross_entropy(flat, shares, **own)
        logarithms = flat.log_softmax(-1)
        results["nll"] = functional.nll_loss(logarithms, targets, weight=self.share)
        for name, lose in _PAIRS.items():
            for reduction in ("mean", "sum", "none"):
                results[f"{name} {reduction}"] = lose(flat, shares, reduction=reduction)
        binary = functional.binary_cross_entropy_with_logits
        results["binary"] = binary(8 * flat, shares)
        results["binary, weighted"] = binary(flat, shares, self.share, pos_weight=self.share)
        results["padded"] = functional.pad(logits, (1, -2, 0, 3), value=0.5)
        return results


def _backpropagate(results: Any) -> None:
    """Each result counts by another factor."""
    total = [(i + 1) * leaf.sum() for i, leaf in enumerate(results.values())]
    torch.stack(total).sum().backward()


def test_losses_of_all_kinds() -> None:
    module = Losses()
    generator = torch.Generator().manual_seed(3)
    x = torch.randn(ROWS, TOKENS, 6, generator=generator)
    labels = torch.randint(5, (ROWS, TOKENS), generator=generator)
    labels[0, :3] = -100
    shares = torch.rand(ROWS * TOKENS, 5, generator=generator).softmax(-1)
    args = (x, labels, shares)
    expected: dict[str, torch.Tensor] = {}

    def remember(results: dict[str, torch.Tensor]) -> None:
        expected.update({name: value.detach() for name, value in results.items()})
        _backpropagate(results)

    # An ignored class is one, and -100 is none.
    with pytest.raises(parablock.Error, match="expected targets from 0 to 4, or 2,"):
        parablock.from_torch(module, args).compile("cpu", training=True)(*args)
    args = (x, labels.clamp(min=2), shares)
    exact = differentiate_exactly(module, args, remember)
    results = parablock.from_torch(module, args).compile("cpu", training=True)(*args)
    assert results.keys() == expected.keys()
    for name, value in results.items():
        assert value.shape == expected[name].shape, name
        torch.testing.assert_close(
            value.detach().double(), expected[name], rtol=3e-6, atol=1e-6, msg=name
        )
    _backpropagate(results)
    found = {name: p.grad for name, p in module.named_parameters() if p.grad is not None}
    assert find_worst(found, exact)[0] < 2e-6


def _ids(count: int = COUNT, least: int = 1) -> torch.Tensor:
    generator = torch.Generator().manual_seed(count)
    return torch.randint(least, count, (ROWS, TOKENS), generator=generator)


def _labels(count: int = COUNT) -> torch.Tensor:
    labels = _ids(count, 0)
    labels[0, :2] = -100
    return labels


_ENCODER: dict[str, Any] = {
    "vocab_size": COUNT,
    "hidden_size": 24,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 16,
}
_GPT: dict[str, Any] = {
    "vocab_size": COUNT,
    "n_embd": 24,
    "n_layer": 1,
    "n_head": 2,
    "n_positions": 16,
    "pad_token_id": 0,
    "bos_token_id": None,
    "eos_token_id": None,
}
_T5: dict[str, Any] = {
    "vocab_size": COUNT,
    "d_model": 24,
    "d_kv": 12,
    "d_ff": 32,
    "num_layers": 1,
    "num_heads": 2,
    "decoder_start_token_id": 0,
}
_CLASSES = torch.tensor([2, 0])

#: A class, its config, and what it is called with beside ids.
_HEADS: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "causal": ("LlamaForCausalLM", hf.LlamaConfig(**_ENCODER), {"labels": _labels()}),
    "causal, counted": (
        "GPT2LMHeadModel",
        hf.GPT2Config(**_GPT),
        {"labels": _labels(), "num_items_in_batch": torch.tensor(23)},
    ),
    "masked": ("BertForMaskedLM", hf.BertConfig(**_ENCODER), {"labels": _labels()}),
    "sequences": (
        "BertForSequenceClassification",
        hf.BertConfig(**_ENCODER, num_labels=3),
        {"labels": _CLASSES},
    ),
    "sequences, several": (
        "BertForSequenceClassification",
        hf.BertConfig(**_ENCODER, num_labels=3),
        {"labels": torch.tensor([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]])},
    ),
    "sequences, a number": (
        "BertForSequenceClassification",
        hf.BertConfig(**_ENCODER, num_labels=1),
        {"labels": torch.tensor([0.3, -1.2])},
    ),
    "sequences, last token": (
        "GPT2ForSequenceClassification",
        hf.GPT2Config(**_GPT, num_labels=3),
        {"labels": _CLASSES},
    ),
    "tokens": (
        "BertForTokenClassification",
        hf.BertConfig(**_ENCODER, num_labels=5),
        {"labels": _labels(5)},
    ),
    "answers": (
        "BertForQuestionAnswering",
        hf.BertConfig(**_ENCODER),
        # The second end is none of the text, and is left out.
        {"start_positions": torch.tensor([2, 4]), "end_positions": torch.tensor([3, 99])},
    ),
    "pairs": ("T5ForConditionalGeneration", hf.T5Config(**_T5), {"labels": _labels()}),
}
_EVERYDAY = ("causal", "causal, counted", "sequences, last token", "answers")


def _make(name: str) -> tuple[torch.nn.Module, dict[str, Any]]:
    kind, config, labels = _HEADS[name]
    config = copy.deepcopy(config)
    for rate in ("hidden_dropout_prob", "attention_probs_dropout_prob", "dropout_rate"):
        if hasattr(config, rate):
            setattr(config, rate, 0.0)
    torch.manual_seed(0)
    module = getattr(hf, kind)(config).eval()
    randomise(module)
    forbid_caches(module)
    ids = _ids()
    if "last token" in name:
        ids[1, 4:] = 0
    return module, {"input_ids": ids, **labels}


def _compare(module: torch.nn.Module, call: Callable[..., Any], kwargs: Any) -> None:
    """Loss and gradients of a call, as near to float64 as PyTorch's own are."""
    losses: list[float] = []

    def backpropagate(results: Any) -> None:
        losses.append(results.loss.item())
        results.loss.backward()

    exact = differentiate_exactly(module, (), backpropagate, kwargs)
    other = copy.deepcopy(module)
    other(**kwargs).loss.backward()
    limit = max(2e-5, 1.5 * find_worst(take_gradients(other), exact)[0])
    backpropagate(call(**kwargs))
    found = take_gradients(module)
    assert found.keys() == exact.keys()
    distance, whose = find_worst(found, exact)
    assert distance < limit, whose
    assert losses[-1] == pytest.approx(losses[0], rel=1e-5)


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=() if n in _EVERYDAY else pytest.mark.full) for n in _HEADS],
)
def test_heads_of_transformers(name: str) -> None:
    """A step ends in the loss that the module computes, and has its gradients."""
    module, kwargs = _make(name)
    model = parablock.from_torch(module, (), example_kwargs=kwargs)
    _compare(module, model.compile("cpu", training=True), kwargs)


class Sure(torch.nn.Module):
    """Logits that leave next to nothing of the other classes, or nothing at all."""

    def __init__(self) -> None:
        super().__init__()
        self.logits = torch.nn.Parameter(
            torch.tensor(
                [[12.0, -3.0, 1.0], [0.0, 0.0, 0.5], [-90.0, 8.0, 200.0], [3.0, -1e38, 2.5]]
            )
        )

    def forward(self, mask: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(self.logits + mask, labels, reduction="none")


def test_small_losses_keep_their_digits() -> None:
    """Each row's gradient is relative to the row's own size, not to 1."""
    module = Sure()
    mask = torch.zeros(4, 3)
    mask[3, 1:] = -torch.inf
    args = (mask, torch.tensor([0, 2, 0, 0]))
    exact = differentiate_exactly(module, args, lambda r: r.sum().backward())["logits"]
    result = parablock.from_torch(module, args).compile("cpu", training=True)(*args)
    result.sum().backward()
    found = module.logits.grad
    assert found is not None
    torch.testing.assert_close(found.double(), exact, rtol=1e-6, atol=1e-30)
    expected = module.double()(mask.double(), args[1])
    torch.testing.assert_close(result.double(), expected, rtol=1e-6, atol=1e-30)


def test_other_targets() -> None:
    """Numbers that are no class are an error; those to ignore may be all."""
    module, kwargs = _make("causal")
    step = parablock.from_torch(module, (), example_kwargs=kwargs).compile(
        "cpu", training=True
    )
    labels = kwargs["labels"].clone()
    labels[1, 3] = COUNT
    with pytest.raises(
        parablock.Error, match=f"from 0 to {COUNT - 1}, or -100, which is ignored, got {COUNT}"
    ):
        step(input_ids=kwargs["input_ids"], labels=labels)
    labels[1, 3] = -1
    with pytest.raises(parablock.Error, match="got -1"):
        step(input_ids=kwargs["input_ids"], labels=labels)
    # The first label is no row's target.
    labels[1, 3], labels[1, 0] = 5, COUNT
    loss = step(input_ids=kwargs["input_ids"], labels=labels).loss
    assert loss.item() == pytest.approx(
        module(input_ids=kwargs["input_ids"], labels=labels).loss.item(), rel=1e-5
    )
    labels[:] = -100
    assert step(input_ids=kwargs["input_ids"], labels=labels).loss.isnan()


def test_padding_that_changes_rows() -> None:
    """OPT counts positions by the mask: losses of rows of padding are those of PyTorch."""
    torch.manual_seed(0)
    config = hf.OPTConfig(
        vocab_size=COUNT,
        hidden_size=24,
        ffn_dim=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        word_embed_proj_dim=24,
        max_position_embeddings=16,
        dropout=0.0,
    )
    module = hf.OPTForCausalLM(config).eval()
    randomise(module)
    forbid_caches(module)
    ids = _ids()
    mask = torch.ones_like(ids)
    mask[1, 4:] = 0
    labels = ids.masked_fill(mask == 0, -100)
    kwargs = {"input_ids": ids, "attention_mask": mask, "labels": labels}
    step = parablock.from_torch(module, (), example_kwargs=kwargs).compile(
        "cpu", training=True
    )
    _compare(module, step, kwargs)
    # A loss has rows of padding where its labels do not ignore them.
    _compare(module, step, {**kwargs, "labels": ids})


@pytest.mark.parametrize("name", ["causal", "sequences, last token"])
def test_torch_compile_has_the_loss(name: str) -> None:
    """Nothing of it is left to PyTorch, and other numbers of tokens are no other code."""
    torch.compiler.reset()
    module, kwargs = _make(name)
    # A first call of a classifier sets that, and PyTorch would compile the second one anew.
    module.config.problem_type = "single_label_classification"
    before = parablock.stats()
    compiled = torch.compile(module, backend="parablock")
    for count in (23, 11):
        own = {"num_items_in_batch": torch.tensor(count)} if name == "causal" else {}
        _compare(module, compiled, {**kwargs, **own})
    after = parablock.stats()
    assert after["eager_operations"] == before["eager_operations"]
    assert after["fallbacks"] == before["fallbacks"]
    assert after["differentiated"] == before["differentiated"] + 1
