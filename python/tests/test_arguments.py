# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong arguments of public functions and methods: an error of this package, each time."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from families import FAMILIES, make_inputs
from torch.utils.checkpoint import checkpoint

import parablock
from parablock.decoding.generator import Generator
from parablock.decoding.page_tables import PagedDecoder
from parablock.decoding.transformers_model import CompiledForGeneration
from parablock.device_program import DeviceModel
from parablock.training.trained import TrainedModel

_WRONG: list[Any] = [
    True, 1.5, -1, 10**30, float("nan"), 1j, "abc", "", "a\0b", "\ud800", "9" * 5000, b"x",
    [], [1.5], [None], [[1], [2, 3]], {}, {1: 2}, {"a": object()}, object(), len, int,
    np.zeros(2), np.zeros(0), np.array(["a"]), torch.zeros(2), torch.zeros(0), torch.nn.ReLU(),
    Path("/nowhere"), 10**9, "cpu:", "@", range(3), iter([1]),
]  # fmt: skip


class _Subjects:
    """What methods are called on; each is small, and made once, when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.module: Any = FAMILIES["llama"].make()
        (self.ids,) = make_inputs(FAMILIES["llama"])
        self.rows = self.ids[:1].repeat(64, 1)
        self.layer = torch.nn.TransformerEncoderLayer(16, 2, 24, batch_first=True).eval()
        self.x = torch.randn(2, 5, 16)

    @functools.cached_property
    def path(self) -> Path:
        path = self.folder / "llama"
        self.module.save_pretrained(path)
        return path

    @functools.cached_property
    def model(self) -> parablock.Model:
        return parablock.from_pretrained(self.path)

    @functools.cached_property
    def torch_model(self) -> parablock.Model:
        return parablock.from_torch(self.layer, (self.x,))

    @functools.cached_property
    def compiled(self) -> Any:
        return self.torch_model.compile()

    @functools.cached_property
    def trained(self) -> Any:
        return self.torch_model.compile(training=True)

    @functools.cached_property
    def generator(self) -> Generator:
        return self.model.generator()

    @functools.cached_property
    def paged(self) -> PagedDecoder:
        return self.model.paged_decoder(page_rows=4)

    @functools.cached_property
    def pools(self) -> Any:
        return self.paged.allocate(4)

    @functools.cached_property
    def hf(self) -> Any:
        return parablock.generation(self.module)

    @functools.cached_property
    def mlir(self) -> Path:
        path = self.folder / "layer.mlir"
        path.write_text(str(self.model))
        return path


@pytest.fixture(scope="module")
def subjects(tmp_path_factory: pytest.TempPathFactory) -> _Subjects:
    return _Subjects(tmp_path_factory.mktemp("arguments"))


#: By name: what is called, and arguments that fit, of which each is replaced.
Case = tuple[Callable[[_Subjects], Callable[..., Any]], Callable[[_Subjects], dict[str, Any]]]
CASES: dict[str, Case] = {
    "from_torch": (
        lambda s: parablock.from_torch,
        lambda s: {
            "module": s.layer,
            "example_inputs": (s.x,),
            "dynamic_shapes": None,
            "example_kwargs": None,
        },
    ),
    "from_pretrained": (
        lambda s: parablock.from_pretrained,
        lambda s: {"directory": s.path, "dtype": "f32", "padding": None, "layers_only": True},
    ),
    "from_mlir": (
        lambda s: parablock.from_mlir,
        lambda s: {"path": s.mlir, "weights": None, "options": "", "function": ""},
    ),
    "generation": (
        lambda s: parablock.generation,
        lambda s: {
            "hf_model": s.module,
            "target": "cpu",
            "weights": None,
            "threads": 1,
            "cache": None,
            "page_rows": 4,
            "pool_pages": 9,
        },
    ),
    "judge": (
        lambda s: parablock.judge,
        lambda s: {
            "model": s.layer,
            "inputs": (s.x,),
            "backend": None,
            "compiler": None,
            "generate": 0,
            "tolerance": None,
        },
    ),
    "load": (lambda s: parablock.load, lambda s: {"path": s.path, "device": 0}),
    "Model.optimize": (
        lambda s: s.model.optimize,
        lambda s: {
            "parallel": "none",
            "pairing": None,
            "from_layer": None,
            "norm": None,
            "router": None,
            "scale": None,
            "attn_scale": None,
            "mlp_scale": None,
            "chip": None,
            "weights": "fp8",
            "activations": None,
            "require": (),
        },
    ),
    "Model.count": (lambda s: s.model.count, lambda s: {"chip": None}),
    "Model.report": (
        lambda s: s.model.report,
        lambda s: {"path": s.folder / "r.html", "chip": None},
    ),
    "Model.drift": (
        lambda s: s.model.drift,
        lambda s: {"data": s.ids, "budget": 0.1, "choice": None, "engine": "cpu", "seed": 1},
    ),
    "heal": (
        lambda s: functools.partial(parablock.heal, blocks="0", correction="none"),
        lambda s: {
            "model": s.model,
            "data": s.rows,
            "tokens": 2048,
            "training_data": None,
            "rate": None,
            "targets": None,
            "streams": None,
            "lora": None,
            "codes": None,
            "checkpoint": None,
            "stop": None,
        },
    ),
    "Model.compile": (
        lambda s: s.torch_model.compile,
        lambda s: {
            "target": "cpu",
            "threads": 1,
            "training": False,
            "memory_budget": None,
            "chunk_rows": None,
            "reversible": False,
            "compute_type": None,
            "cache": None,
            "mode": None,
            "keep_weights": False,
        },
    ),
    "Model.compile, training": (
        lambda s: s.torch_model.compile,
        lambda s: {
            "target": "cpu",
            "training": True,
            "memory_budget": None,
            "chunk_rows": None,
            "reversible": False,
            "compute_type": None,
        },
    ),
    "Model.add_caches": (
        lambda s: s.model.add_caches,
        lambda s: {
            "weights": None,
            "rings": True,
            "counts_padding": False,
            "has_memory": False,
            "page_rows": None,
            "chooses_tokens": False,
        },
    ),
    "Model.generator": (
        lambda s: s.model.generator,
        lambda s: {
            "target": "cpu",
            "threads": 1,
            "weights": None,
            "cache": None,
            "page_rows": 4,
            "pool_pages": 9,
            "keep_weights": False,
        },
    ),
    "Model.paged_decoder": (
        lambda s: s.model.paged_decoder,
        lambda s: {
            "page_rows": 4,
            "target": "cpu",
            "threads": 1,
            "weights": None,
            "cache": None,
        },
    ),
    "Model.gradients": (
        lambda s: lambda **given: s.torch_model.gradients(s.x, **given),
        lambda s: {"loss": None, "cotangents": s.x, "wrt": "params"},
    ),
    "Model.save": (
        lambda s: s.torch_model.save,
        lambda s: {"path": s.folder / "p.pbk", "chips": "sm_90a"},
    ),
    "Model.save_pretrained": (
        lambda s: s.model.save_pretrained,
        lambda s: {"directory": s.folder / "saved", "max_shard_size": "5GB"},
    ),
    "Model.save_onnx": (
        lambda s: s.model.save_onnx,
        lambda s: {"path": s.folder / "m.onnx", "max_inline_size": "1GB"},
    ),
    "CompiledModel.__call__": (lambda s: s.compiled, lambda s: {"src": s.x}),
    "TrainedModel.forward": (lambda s: s.trained, lambda s: {"src": s.x}),
    "Generator.generate": (
        lambda s: s.generator.generate,
        lambda s: {
            "ids": [[1, 2]],
            "max_new_tokens": 2,
            "temperature": 0.0,
            "top_k": 0,
            "top_p": 1.0,
            "min_p": 0.0,
            "repetition_penalty": 1.0,
            "seed": 1,
            "stop": None,
            "stream": None,
        },
    ),
    "PagedDecoder.allocate": (lambda s: s.paged.allocate, lambda s: {"pages": 4}),
    "PagedDecoder.run": (
        lambda s: s.paged.run,
        lambda s: {
            "ids": [[1, 2]],
            "pools": s.pools,
            "tables": [[0]],
            "lengths": [0],
            "starts": None,
            "kept": None,
        },
    ),
    "CompiledForGeneration.generate": (
        lambda s: lambda **given: s.hf.generate(max_new_tokens=2, do_sample=True, **given),
        lambda s: {"inputs": s.ids, "seed": 3},
    ),
    "CompiledForGeneration.make_cache": (lambda s: s.hf.make_cache, lambda s: {"expected": 4}),
    "CompiledForGeneration.forward": (
        lambda s: s.hf,
        lambda s: {
            "input_ids": s.ids,
            "attention_mask": torch.ones_like(s.ids),
            "position_ids": None,
            "past_key_values": None,
            "inputs_embeds": None,
            "labels": None,
            "logits_to_keep": 0,
        },
    ),
}
#: Values that are fine, or mean work of minutes. A stream may raise what it likes.
_LONG = {
    ("Generator.generate", "max_new_tokens"): [10**9],
    ("CompiledForGeneration.make_cache", "expected"): [10**9],
    ("Model.report", "path"): ["abc", "9" * 5000, "cpu:", "@", "\ud800"],
    ("Model.save", "path"): ["abc", "cpu:", "@"],
    ("Model.save_pretrained", "directory"): ["abc", "cpu:", "@"],
    ("Model.save_onnx", "path"): ["abc", "cpu:", "@"],
    ("Model.drift", "choice"): ["abc", "cpu:", "@"],
    ("heal", "checkpoint"): ["abc", "cpu:", "@"],
    ("Model.compile", "cache"): ["abc", "cpu:", "@"],
    ("Model.generator", "cache"): ["abc", "cpu:", "@"],
    ("Model.paged_decoder", "cache"): ["abc", "cpu:", "@"],
    ("generation", "cache"): ["abc", "cpu:", "@"],
}


@pytest.mark.parametrize("name", CASES)
def test_wrong_arguments(name: str, subjects: _Subjects, monkeypatch: Any) -> None:
    monkeypatch.chdir(subjects.folder)
    get, list_arguments = CASES[name]
    function, fine = get(subjects), list_arguments(subjects)
    rejected = dict.fromkeys(fine, 0)
    raw = []
    for option in fine:
        for wrong in _WRONG:
            skipped = _LONG.get((name, option), [])
            if option == "stream" and isinstance(wrong, torch.nn.Module):
                continue
            if any(type(s) is type(wrong) and s == wrong for s in skipped):
                continue
            try:
                function(**{**fine, option: wrong})
            except parablock.Error as problem:
                rejected[option] += 1
                assert str(problem)
            except BaseException as problem:
                raw.append(f"{option}={wrong!r:.60}: {type(problem).__name__}: {problem!s:.120}")
    assert not raw, "\n".join(raw)
    assert all(rejected.values()), f"nothing is rejected of {rejected}"


_CLASSES = {
    "Model": parablock.Model,
    "CompiledModel": parablock.CompiledModel,
    "TrainedModel": TrainedModel,
    "Generator": Generator,
    "PagedDecoder": PagedDecoder,
    "CompiledForGeneration": CompiledForGeneration,
    "Package": parablock.Package,
    "DeviceModel": DeviceModel,
    "Drift": parablock.Drift,
    "Explanation": parablock.Explanation,
    "Judgement": parablock.Judgement,
}
#: What takes objects of this package, is called by transformers, or needs a GPU.
_ELSEWHERE = {
    "Model.get_drift_of",
    "Model.keep_codes",
    "Model.keep_owner",
    "Model.keep_section",
    "Model.keep_source",
    "Model.give_weights",
    "Model.make_program",
    "Model.list_left",
    "Model.report_layers",
    "Model.check_codes",
    "CompiledForGeneration.num_parameters",
    "CompiledForGeneration.save_pretrained",
    "CompiledForGeneration.init_continuous_batching",
}


@pytest.mark.daily
def test_every_public_function_has_a_case() -> None:
    names = {n for n in parablock.__all__ if inspect.isfunction(getattr(parablock, n))}
    wanted = {n for n in names if inspect.signature(getattr(parablock, n)).parameters}
    for owner, kind in _CLASSES.items():
        own = [each for each in kind.__mro__ if each.__module__.startswith("parablock")]
        for name, method in [pair for each in own for pair in vars(each).items()]:
            if name.startswith("_") or not inspect.isfunction(method):
                continue
            if len(inspect.signature(method).parameters) > 1:
                wanted.add(f"{owner}.{name}")
    assert wanted - _ELSEWHERE <= set(CASES)
    for name in wanted & set(CASES):
        owner, _, method = name.rpartition(".")
        function = getattr(_CLASSES[owner] if owner else parablock, method)
        known = [
            parameter.name
            for parameter in inspect.signature(function).parameters.values()
            if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
        ]
        if name.startswith("CompiledForGeneration") or "forward" in name:
            continue
        taken = set(CASES[name][1](_Names()))  # type: ignore[arg-type]
        assert set(known) - {"self"} <= taken, name


class _Names:
    """Stands for subjects where only names of arguments are asked for."""

    def __getattr__(self, name: str) -> Any:
        return torch.zeros(1, dtype=torch.int64) if name in ("ids", "x") else Path(name)


MESSAGES: list[tuple[Callable[[_Subjects], Any], str]] = [
    (
        lambda s: parablock.from_torch(len, (s.x,)),  # type: ignore[arg-type]
        r"option 'module' requires a module of PyTorch \(torch.nn.Module\), got a "
        "builtin_function_or_method",
    ),
    (
        lambda s: parablock.from_torch(s.layer, s.x),
        "option 'example_inputs' requires a tuple of the module's arguments, got a Tensor: "
        r"one argument is \(x,\), names are example_kwargs=",
    ),
    (lambda s: s.model.compile(None), "option 'target' requires 'cpu', .*, got None"),
    (lambda s: s.model.compile("cpu:"), "option 'target' requires 'cpu', .*, got 'cpu:'"),
    (
        lambda s: s.model.compile(threads=1.5),  # type: ignore[arg-type]
        "option 'threads' requires a whole number, got 1.5",
    ),
    (
        lambda s: s.model.optimize(parallel=3.5),  # type: ignore[arg-type]
        r"option 'parallel' requires a string, a list of pairs, or the result of drift\(\), "
        "got 3.5",
    ),
    (
        lambda s: s.generator.generate([[1]], 10**12),
        "option 'max_new_tokens' requires 8000000000000 bytes .* more memory than there is",
    ),
    (lambda s: s.hf.generate("abc"), "option 'inputs' requires a tensor, got 'abc'"),
    (
        lambda s: torch.jit.trace(s.compiled, (s.x,)),  # type: ignore[no-untyped-call]
        r"compiled code cannot be traced \(by torch.jit.trace",
    ),
    (
        lambda s: parablock.from_torch(s.layer, (s.x[:0],)),
        r"expected inputs of sizes from 1, got 'src' \[0, 5, 16\]",
    ),
]


@pytest.mark.parametrize("number", range(len(MESSAGES)))
def test_messages(number: int, subjects: _Subjects) -> None:
    call, message = MESSAGES[number]
    with pytest.raises(parablock.Error, match=message):
        call(subjects)


class _Together(torch.nn.Module):
    """A module that returns what it is given, and what is no tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.up = torch.nn.Linear(16, 16)

    def forward(self, x: torch.Tensor) -> Any:
        return {"y": self.up(x), "same": x, "kind": "linear", "none": None, "count": 3}


@pytest.mark.parametrize("wants", [False, True])
def test_results_that_are_inputs_and_constants(wants: bool) -> None:
    torch.manual_seed(3)
    module, x = _Together(), torch.randn(2, 5, 16)
    model = parablock.from_torch(module, (x,))
    found = model.compile()(x)
    assert (found["kind"], found["none"], found["count"]) == ("linear", None, 3)
    step = model.compile("cpu", training=True)
    gradients = []
    for each in (module, step):
        module.zero_grad()
        given = x.clone().requires_grad_(wants)
        result = each(given)
        assert result["kind"] == "linear" and torch.equal(result["same"], x)
        (result["y"].square().sum() + (3 * result["same"]).sum()).backward()
        gradients.append([p.grad.clone() for p in module.parameters()] + [given.grad])  # type: ignore
    for own, wanted in zip(*reversed(gradients), strict=True):
        if wanted is not None:
            torch.testing.assert_close(own, wanted)


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpoint_around_the_first_call(reentrant: bool) -> None:
    """Looking for lost gradients saves nothing that torch.utils.checkpoint counts."""
    torch.manual_seed(4)
    layers = [
        torch.nn.TransformerEncoderLayer(16, 2, 24, dropout=0.0, batch_first=True)
        for _ in range(3)
    ]
    x = torch.randn(2, 5, 16, requires_grad=True)
    steps = [parablock.from_torch(layer, (x.detach(),)).compile(training=True) for layer in layers]

    def train(blocks: list[Any]) -> torch.Tensor:
        x.grad = None
        hidden = x
        for block in blocks:
            hidden = checkpoint(block, hidden, use_reentrant=reentrant)
        hidden.square().mean().backward()
        assert x.grad is not None
        return x.grad

    torch.testing.assert_close(train(steps), train(layers))


def test_a_mask_of_a_decoder() -> None:
    """nn.TransformerDecoder compares masks with a causal one, which is a hint alone."""
    torch.manual_seed(5)
    layer = torch.nn.TransformerDecoderLayer(16, 2, 24, batch_first=True)
    module = torch.nn.TransformerDecoder(layer, 1).eval()
    x, memory = torch.randn(2, 5, 16), torch.randn(2, 4, 16)
    mask = torch.nn.Transformer.generate_square_subsequent_mask(5)
    compiled = parablock.from_torch(
        module, (x, memory), example_kwargs={"tgt_mask": mask}
    ).compile()
    for each in (mask, mask.T.contiguous()):
        with torch.no_grad():
            wanted = module(x, memory, tgt_mask=each)
        found = compiled(x, memory, tgt_mask=each)
        torch.testing.assert_close(found, wanted, atol=1e-5, rtol=1e-4)
