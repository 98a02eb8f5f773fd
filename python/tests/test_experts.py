# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of transformers with experts: imports, results, tokens, refusals."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from oracle import get_distance, run_exactly

import parablock
from parablock.frontend import expert_modules

transformers = pytest.importorskip("transformers")

import experts  # noqa: E402  (requires transformers)

#: Attributes that differ from family to family.
ROUTES = {
    "mixtral": "chosen = 2, score = softmax, divide_by = added>",
    "olmoe": "chosen = 3, score = softmax>",
    "granitemoe": "chosen = 2, score = logit, weight = softmax>",
    "gpt_oss": "chosen = 2, score = logit, weight = softmax>",
    "glm4_moe": "chosen = 3, score = sigmoid, divide_by = added, eps = 1.0e-20, weight_scale = 1.5>",
    "deepseek_v3": "divide_by = added, eps = 1.0e-20, groups = 4, kept = 2, group_score = best_two,",
    "deepseek_v2": "chosen = 3, score = softmax, groups = 4, kept = 2>",
    "minimax_m2": "chosen = 2, score = sigmoid, divide_by = added>",
    "llama4": "chosen = 2, score = logit, weight = sigmoid>",
}
FORMS = {
    "gpt_oss": "activation = quick_gelu, layout = interleaved, transposed = true, limit = 7.0, up_offset = 1.0",
    "llama4": "activation = silu, transposed = true, weigh = input>",
}
#: Families whose router remains ordinary operations.
BY_PARTS = ("phimoe",)
#: Families whose shared experts have a gate.
GATED = ("qwen2_moe",)


def _compile(model: Any, ids: torch.Tensor) -> tuple[parablock.Model, torch.Tensor]:
    model.config.use_cache = False
    made = parablock.from_torch(model, (ids,))
    result = made.optimize().compile("cpu", threads=1)(ids)
    return made, getattr(result, "logits", result)


@pytest.mark.parametrize("family", experts.FAMILIES)
def test_families(family: str) -> None:
    model, ids = experts.make(family), experts.draw_ids()
    before = [config._experts_implementation for config in _list_configs(model)]
    made, found = _compile(model, ids)
    assert before == [config._experts_implementation for config in _list_configs(model)]
    assert experts.get_distance(found, model, ids) < 2e-6
    count = 1 if family in ("glm4_moe", "llama4") else 2
    assert made.explain().to_dict()["recognised"]["experts"] == count
    text = " ".join(str(made).split())
    assert text.count("block.moe ") == (0 if family in BY_PARTS else count)
    assert ("shared_router" in text) == (family in GATED)
    assert text.count("block.layer ") == 2
    assert ROUTES.get(family, "") in text and FORMS.get(family, "") in text


def _list_configs(model: Any) -> list[Any]:
    return [part.config for part in model.modules() if hasattr(part, "config")]


@pytest.mark.parametrize("family", ["qwen3_moe", "gpt_oss", "deepseek_v3", "cohere2_moe"])
def test_tokens(family: str) -> None:
    model, ids = experts.make(family), experts.draw_ids()
    options = {"max_new_tokens": 8, "do_sample": False, "pad_token_id": 0, "eos_token_id": None}
    found = parablock.generation(model, threads=1).generate(ids, **options)
    assert torch.equal(found, model.generate(ids, **options))


def test_implementations(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop, sorted rows and gathered matrices are one function, and one model."""
    ids, texts = experts.draw_ids(), {}
    for family in ("mixtral", "gpt_oss"):
        model = experts.make(family, num_hidden_layers=1)
        model.config.use_cache = False
        for name in ("eager", "grouped_mm", "batched_mm"):
            model.set_experts_implementation(name)
            # A loop does not export: matrices are gathered instead.
            exported = "batched_mm" if name == "eager" else name
            monkeypatch.setattr(expert_modules, "_FORM", exported)
            texts[name] = _name_parameters(str(parablock.from_torch(model, (ids,))))
            assert model.config._experts_implementation == name
        assert "block.moe " in texts["eager"] and len(set(texts.values())) == 1


def _name_parameters(text: str) -> str:
    """Returns the body of a function with the names of its parameters, which may be in any order."""
    names = dict(re.findall(r"(%arg\d+): \S+ {block.param = (\S+)[,}]", text))
    body = text.split("%0 = ", 1)[1]
    return re.sub(r"%arg\d+", lambda found: names.get(found[0], found[0]), body)


def test_narrow() -> None:
    """Weights are f32 where the router computes them so, and rounded where it rounds."""
    ids = experts.draw_ids()
    for family, is_rounded in (("mixtral", False), ("qwen3_moe", True)):
        model = experts.make(family, num_hidden_layers=1).to(torch.bfloat16)
        made, found = _compile(model, ids)
        assert ("round_weights" in str(made)) == is_rounded
        expected = model(ids).logits.detach().double()
        # Logits of a router are rounded in one place, so that choices are the same.
        assert float((found.double() - expected).norm() / expected.norm()) < 2e-2


def test_open_sizes() -> None:
    model = experts.make("qwen3_moe")
    model.config.use_cache = False
    sizes = {0: torch.export.Dim("batch"), 1: torch.export.Dim("seq", min=2, max=64)}
    made = parablock.from_torch(model, (experts.draw_ids(),), ({0: sizes[0], 1: sizes[1]},))
    run = made.optimize().compile("cpu", threads=1)
    for rows, tokens in ((1, 1), (3, 11)):
        ids = experts.draw_ids(rows, tokens)
        assert experts.get_distance(run(ids).logits, model, ids) < 2e-6


class Experts(torch.nn.Module):
    """What transformers' decorator makes of a class, with hooks of a test."""

    def __init__(self, **hooks: Any) -> None:
        super().__init__()
        self.config = transformers.MixtralConfig()
        self.has_gate = self.is_concatenated = True
        self.has_bias = self.is_transposed = self.has_post_expert_norm = False
        self.gate_up_proj = torch.nn.Parameter(torch.randn(4, 12, 8))
        self.down_proj = torch.nn.Parameter(torch.randn(4, 8, 6))
        self.act_fn = torch.nn.SiLU()
        for name, value in hooks.items():
            setattr(self, name, value)

    def _apply_gate(self, x: torch.Tensor) -> torch.Tensor:
        gate, up = x.chunk(2, -1)
        result: torch.Tensor = self.act_fn(gate) * up
        return result

    def forward(self, x: torch.Tensor, indices: torch.Tensor, weights: torch.Tensor) -> Any:
        choose = transformers.integrations.moe.ALL_EXPERTS_FUNCTIONS.get_interface
        return choose(self.config._experts_implementation, None)(self, x, indices, weights)


def _swap(x: torch.Tensor) -> torch.Tensor:
    up, gate = x.chunk(2, -1)
    return torch.nn.functional.silu(gate) * up


def _limit_one(x: torch.Tensor) -> torch.Tensor:
    gate, up = x.chunk(2, -1)
    return torch.nn.functional.silu(gate.clamp(max=3)) * up


def _alternate(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.silu(x[..., ::2]) * x[..., 1::2]


@pytest.mark.parametrize(
    "hooks",
    [
        {},
        {"act_fn": torch.nn.GELU("tanh")},
        {"_apply_gate": lambda x: (x[..., 1::2].clamp(-2, 2) + 1) * torch.relu(x[..., ::2].clamp(max=2)) ** 2,
         "is_concatenated": False},
        {"has_gate": False, "up_proj": torch.nn.Parameter(torch.randn(4, 6, 8)), "act_fn": torch.nn.ReLU()},
        {"is_transposed": True, "has_bias": True,
         "gate_up_proj": torch.nn.Parameter(torch.randn(4, 8, 12)),
         "down_proj": torch.nn.Parameter(torch.randn(4, 6, 8)),
         "gate_up_proj_bias": torch.nn.Parameter(torch.randn(4, 12)),
         "down_proj_bias": torch.nn.Parameter(torch.randn(4, 8))},
    ],
    ids=["plain", "gelu", "limits", "ungated", "biases"],
)
def test_hooks(hooks: dict[str, Any]) -> None:
    """Each hook has an effect: the result is that of transformers' own gathered matrices."""
    _compare_hooks(hooks, 1)


@pytest.mark.parametrize(
    ("hooks", "count"),
    [
        ({"_apply_gate": _swap}, 1),
        ({"_apply_gate": _alternate}, 1),
        ({"_apply_gate": _limit_one}, 0),
        ({"act_fn": torch.nn.Softsign()}, 0),
        ({"has_post_expert_norm": True, "post_expert_norm": torch.nn.LayerNorm(8)}, 0),
    ],
    ids=["swapped", "alternating", "one-limit", "softsign", "norm"],
)
def test_other_hooks(hooks: dict[str, Any], count: int) -> None:
    """Columns are read in the order of the code; what no block has stays operations."""
    _compare_hooks(hooks, count)


def _compare_hooks(hooks: dict[str, Any], count: int) -> None:
    class Chosen(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.experts = Experts(**hooks)
            self.experts._is_expert_parallel = False
            self.experts.num_experts = 4

        def forward(self, x: torch.Tensor, logits: torch.Tensor) -> Any:
            weights, indices = logits.softmax(-1).topk(2, -1)
            return x + self.experts(x, indices, weights)

    torch.manual_seed(0)
    module = Chosen()
    module.experts.config._experts_implementation = "batched_mm"
    given = (torch.randn(5, 8), torch.randn(5, 4))
    made = parablock.from_torch(module, given)
    assert made.explain().to_dict()["recognised"].get("experts", 0) == count
    found = made.compile("cpu", threads=1)(*given)
    torch.testing.assert_close(found, module(*given).detach(), rtol=1e-4, atol=1e-4)


def test_routers_of_other_forms() -> None:
    """What no block is remains operations in front of the experts, with the same result."""

    class Router(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.gate, self.experts = torch.nn.Linear(8, 4, bias=False), Experts()
            self.experts._is_expert_parallel = False
            self.experts.num_experts = 4

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            scores = self.gate(x).abs().softmax(-1)
            best, indices = scores.topk(2, -1)
            left = torch.zeros_like(scores).scatter(-1, indices, 1.0).sum(-1, keepdim=True)
            result: torch.Tensor = self.experts(x, indices, best.sqrt() / left)
            return x + result

    torch.manual_seed(1)
    module, x = Router(), torch.randn(6, 8)
    module.experts.config._experts_implementation = "batched_mm"
    made = parablock.from_torch(module, (x,))
    assert made.explain().to_dict()["recognised"]["experts"] == 1 and "block.moe" not in str(made)
    found = made.compile("cpu", threads=1)(x)
    torch.testing.assert_close(found, module(x).detach(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("family", "implementation"),
    [("qwen3_moe", "grouped_mm"), ("gpt_oss", "batched_mm"), ("gpt_oss", "grouped_mm"), ("deepseek_v3", "grouped_mm")],
)
def test_compiled_graphs(family: str, implementation: str) -> None:
    """torch.compile traces an implementation, whose steps are experts again."""
    model = experts.make(family)
    model.set_experts_implementation(implementation)
    experts.check_compiled(model, 2)


def test_compiled_graphs_of_unknown_experts() -> None:
    """An activation that no block has stays operations."""

    class Chosen(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.experts = Experts(act_fn=torch.nn.Softsign())
            self.experts._is_expert_parallel = False
            self.experts.num_experts = 4

        def forward(self, x: torch.Tensor, indices: torch.Tensor, weights: torch.Tensor) -> Any:
            return x + self.experts(x, indices, weights)

    torch._dynamo.reset()
    module = Chosen()
    module.experts.config._experts_implementation = "batched_mm"
    given = (torch.randn(5, 8), torch.randint(0, 4, (5, 2)), torch.rand(5, 2))
    with torch.no_grad():
        found = torch.compile(module, backend="parablock")(*given)
        torch.testing.assert_close(found, module(*given))


@pytest.mark.parametrize("target", ["cpu", "emulate:sm_80", "emulate:sm_90a"])
def test_logits_that_are_no_numbers(target: str) -> None:
    """A NaN of a router is an error that names the row and the expert."""
    model, ids = experts.make("mixtral", num_hidden_layers=1), experts.draw_ids(1, 5)
    model.config.use_cache = False
    with torch.no_grad():
        model.model.layers[0].mlp.gate.weight[2, 0] = float("nan")
    made = parablock.from_torch(model, (ids,)).optimize(chip=target.rpartition(":")[2])
    run = made.compile(target, threads=1) if target == "cpu" else made.compile(target)
    said = "'block.route' expected logits without NaN, got one for expert 2 in row 0"
    with pytest.raises(parablock.Error, match=said):
        run(ids)
    if target == "cpu":
        _check_other_ways(model, ids, said)


def _check_other_ways(model: Any, ids: torch.Tensor, said: str) -> None:
    """Token loops raise it, and torch.compile leaves the call to PyTorch and counts that."""
    torch._dynamo.reset()
    with torch.no_grad():
        found = torch.compile(model, backend="parablock")(ids).logits
    assert bool(found.isnan().all()) and said in parablock.stats()["fallbacks"]
    model.config.use_cache = True
    with pytest.raises(parablock.Error, match=said):
        parablock.generation(model, threads=1).generate(ids, max_new_tokens=2, pad_token_id=0)


def test_more_chosen_than_there_are(tmp_path: Path) -> None:
    model = experts.make("mixtral", num_hidden_layers=1)
    model.save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "num_experts_per_tok": 5}))
    said = "key 'num_experts_per_tok': expected at most the 4 of 'num_local_experts', got 5"
    with pytest.raises(parablock.Error, match=said):
        parablock.from_pretrained(tmp_path)
    model.model.layers[0].mlp.top_k = model.model.layers[0].mlp.gate.top_k = 5
    model.config.use_cache = False
    with pytest.raises(parablock.Error, match="k not in range for dimension"):
        parablock.from_torch(model, (experts.draw_ids(),))


@pytest.mark.parametrize("family", ["mixtral", "gpt_oss"])
def test_one_expert(family: str) -> None:
    """A router with one column chooses it."""
    more = {"num_local_experts": 1, "num_experts_per_tok": 1, "num_hidden_layers": 1}
    model, ids = experts.make(family, **more), experts.draw_ids()
    made, found = _compile(model, ids)
    assert "block.moe " in str(made)
    assert experts.get_distance(found, model, ids) < 2e-6


def _make_identities(width: int = 8, hidden: int = 6, std: float = 1, other: str = "") -> torch.nn.Module:
    """Two of six columns of a router are rows themselves, or these experts are another function."""
    moe = pytest.importorskip("transformers.models.longcat_flash.modeling_longcat_flash")
    config = transformers.LongcatFlashConfig(
        hidden_size=width, expert_ffn_hidden_size=hidden, n_routed_experts=4, zero_expert_num=2
    )

    class Swapped(moe.LongcatFlashExperts):
        def forward(self, x: torch.Tensor, indices: torch.Tensor, weights: torch.Tensor) -> Any:
            result = torch.zeros_like(x)
            for expert in indices.unique().tolist():
                row, place = torch.where(indices == expert)
                made = x[row]
                if expert < self.num_routed_experts:
                    up, gate = torch.nn.functional.linear(made, self.gate_up_proj[expert]).chunk(2, dim=-1)
                    made = torch.nn.functional.linear(self.act_fn(gate) * up, self.down_proj[expert])
                result.index_add_(0, row, made * weights[row, place, None])
            return result

    class Routed(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.router = torch.nn.Linear(width, 6)
            self.experts = (Swapped if other == "halves" else moe.LongcatFlashExperts)(config)
            if other == "doubled":
                self.experts.identity_expert.register_forward_hook(lambda inner, args, result: 2 * result)

        def forward(self, x: torch.Tensor) -> Any:
            weights, indices = self.router(x).softmax(-1).topk(3, -1)
            return x + self.experts(x, indices, weights)

    torch.manual_seed(0)
    module = Routed()
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, std=std)
    return module.eval()


def test_experts_that_are_the_identity() -> None:
    """A loop over experts, some of which are the identity, becomes experts and a sum of weights."""
    module, x = _make_identities(), torch.randn(11, 8)
    made = parablock.from_torch(module, (x,))
    assert made.explain().to_dict()["recognised"]["experts"] == 1
    assert "forward" not in vars(module.experts)
    found = made.optimize().compile("cpu", threads=1)(x)
    assert get_distance(found, run_exactly(module, (x,))) < 2e-6


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize(("width", "hidden", "std"), [(1024, 1024, 1.0), (64, 32, 0.02), (8, 6, 0.0), (8, 6, 1e4)])
def test_experts_of_any_size(width: int, hidden: int, std: float, dtype: torch.dtype) -> None:
    """Neither roundings of wide rows and of 16 bits nor the size of parameters hides what a module computes."""
    assert expert_modules.has_identities(_make_identities(width, hidden, std).to(dtype).experts)


@pytest.mark.parametrize("std", [1.0, 0.02, 0.0])
@pytest.mark.parametrize("other", ["halves", "doubled"])
def test_other_experts_of_any_size(other: str, std: float) -> None:
    """A module that computes something else is left as it is, be its parameters small or zero."""
    assert not expert_modules.has_identities(_make_identities(64, 32, std, other).experts)


@pytest.mark.parametrize("other", ["halves", "doubled"])
def test_other_experts_without_matrices(other: str) -> None:
    """The loop of a module that computes something else is no graph."""
    with pytest.raises(parablock.Error, match="data-dependent expression"):
        parablock.from_torch(_make_identities(64, 32, 0.02, other), (torch.randn(11, 64),))


def test_other_call_of_experts() -> None:
    """A module of these parts that is called in another way is left as it is."""

    class Other(type(_make_identities().experts)):  # type: ignore[misc]
        def forward(self, x: torch.Tensor, routed: tuple[torch.Tensor, torch.Tensor]) -> Any:
            return super().forward(x, *routed)

    experts = _make_identities().experts
    experts.__class__ = Other
    assert not expert_modules.has_identities(experts)
