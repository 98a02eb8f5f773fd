# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small random models of transformers' text types, each beside PyTorch in float64 and transformers' tokens.

    python tests/text_types.py RESULTS.jsonl [TYPE ..]

checks types, each in a process of its own, and adds a line for each to RESULTS.jsonl, which the next run continues;
without TYPE, all of them, and docs/measured/ExpertTypes.md at the end.
"""

from __future__ import annotations

import copy
import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

import torch
from families import VOCABULARY, forbid_caches, randomise
from oracle import get_distance, run_exactly
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING,
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
)

import parablock

#: The table of the types with experts.
TABLE = Path(__file__).resolve().parents[2] / "docs" / "measured" / "ExpertTypes.md"

#: Relative distance from float64 that logits may have.
TOLERANCE = 2e-5

#: A model that remains larger than this is not drawn.
_LARGEST = 60_000_000

#: Sizes by the names of fields: the first pattern that is found. A field that is smaller keeps its size.
_SIZES = [
    (re.compile(pattern), size)
    for pattern, size in (
        ("vocab", VOCABULARY),
        (
            "experts_per_tok|experts_per_token|top_?k_experts|moe_top_?k|^moe_k$|experts_top_k|num_selected_experts"
            "|router_top_k|expert_selection_k",
            2,
        ),
        ("n_shared_experts|num_shared_experts|shared_experts", 1),
        ("first_k_dense|num_dense_layers|moe_layer_start|first_dense", 0),
        ("^n_group$|num_expert_group|n_groups_moe", 2),
        ("topk_groups?", 1),
        ("n_groups", 2),
        ("num_local_experts|n_routed_experts|num_experts|moe_num_experts|num_moe_experts", 4),
        ("num_(hidden_|decoder_|encoder_)?layers$|^n_layers?$|num_blocks|decoder_layers|encoder_layers", 2),
        ("num_(key_value|kv)_heads|n_head_kv|multi_query_group_num|n_kv_heads", 2),
        ("index_n_heads", 16),
        ("num_attention_heads|^n_heads?$|num_heads|attention_heads|n_attention_heads", 4),
        ("q_lora_rank", 24),
        ("kv_lora_rank", 16),
        ("qk_rope_head_dim|qk_nope_head_dim|v_head_dim", 8),
        ("index_head_dim|qk_head_dim|head_dim|kv_channels|attention_head_size|d_kv|head_size", 16),
        ("moe_intermediate_size|expert_ffn|expert_hidden|shared_expert_intermediate|moe_ffn", 24),
        ("intermediate|ffn|ff_dim|n_inner|d_ff|mlp_hidden|feed_forward_hidden", 96),
        (
            "hidden_size|d_model|n_embd|embed_dim|embedding_size|word_embed_proj_dim|hidden_dim|^dim$|lru_width"
            "|ple_width",
            64,
        ),
        ("max_position|n_positions|n_ctx|max_seq", 128),
        ("sliding_window|window_size|local_window", 8),
        ("index_topk", 4),
        ("chunk_size", 16),
        ("layer_period", 2),
        ("layer_offset", 1),
    )
]

#: Fields without a default that a model runs with.
_OWN: dict[str, dict[str, Any]] = {
    "dots3_note_vision": {"adapter_in_dim": 64, "adapter_out_dim": 64},
    "doge": {"is_moe": True},
    "gemma4_text": {
        "enable_moe_block": True,
        "num_experts": 4,
        "top_k_experts": 2,
        "moe_intermediate_size": 24,
    },
    "granitemoehybrid": {"layer_types": ["mamba", "attention"]},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"]},
    "qwen4_exp_text": {
        "indexer_n_heads": 2,
        "indexer_kv_heads": 1,
        "indexer_head_dim": 16,
        "indexer_budget": 8,
        "indexer_compress_ratio": 4,
    },
}


def list_types() -> list[str]:
    """Returns every type of a text model, by name."""
    return sorted({*MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, *MODEL_FOR_MASKED_LM_MAPPING_NAMES})


def _shrink(config: Any) -> dict[str, Any]:
    """Returns small sizes for the fields of a config, and as many layers as keep each kind."""
    found: dict[str, Any] = {}
    layers = getattr(config, "num_hidden_layers", 0)
    kinds: dict[str, list[Any]] = {}
    for name, value in vars(config).items():
        if name.startswith("_") or isinstance(value, bool):
            continue
        size = next((size for pattern, size in _SIZES if pattern.search(name)), None)
        if name.endswith("_token_id") and isinstance(value, int) and value >= VOCABULARY:
            found[name] = 0
        elif isinstance(value, int) and size is not None and value > size:
            found[name] = size
        elif value is None and name in ("head_dim", "n_shared_experts", "n_routed_experts", "num_experts_per_tok"):
            found[name] = size
        elif isinstance(value, list) and 2 < len(value) == layers:
            kinds[name] = list(dict.fromkeys(value))
    count = min(4, max([2, *map(len, kinds.values())]))
    if layers:
        found["num_hidden_layers"] = count
    return {**found, **{name: [own[i % len(own)] for i in range(count)] for name, own in kinds.items()}}


def _make_config(kind: type) -> Any:
    """Returns a small config, whose other fields follow from its sizes."""
    whole = kind()
    sizes = _shrink(whole)
    if getattr(whole, "qk_rope_head_dim", None):
        # Latent attention: heads have keys of their own, and a part of them is rotated.
        sizes.update(head_dim=sizes["qk_rope_head_dim"], num_key_value_heads=sizes["num_attention_heads"])
    parts = {
        name: _make_config(type(part)) for name, part in vars(whole).items() if hasattr(part, "model_type")
    }
    return kind(**{**sizes, **parts, **_OWN.get(getattr(kind, "model_type", ""), {})})


def draw(name: str) -> Any:
    """Returns a small model of a type; an error says why there is none."""
    kind = CONFIG_MAPPING[name]
    config = _make_config(kind)
    mapping = MODEL_FOR_CAUSAL_LM_MAPPING if kind in MODEL_FOR_CAUSAL_LM_MAPPING else MODEL_FOR_MASKED_LM_MAPPING
    make = mapping[kind]
    make = make[0] if isinstance(make, tuple | list) else make
    with torch.device("meta"):
        count = sum(parameter.numel() for parameter in make(config).parameters())
    if count > _LARGEST:
        raise ValueError(f"{count} parameters remain")
    torch.manual_seed(0)
    model = make(config).eval().float()
    randomise(model)
    with torch.no_grad():
        for path, buffer in model.named_buffers():
            if path.endswith("correction_bias"):
                buffer.normal_(0, 0.1)
    return model


def draw_ids() -> torch.Tensor:
    return torch.randint(5, 90, (2, 12), generator=torch.Generator().manual_seed(2))


def has_experts(model: Any) -> bool:
    return any(re.search("xpert|CDMoE", type(part).__name__) for part in model.modules())


def check(name: str, tokens: bool = True) -> dict[str, Any]:
    """Returns what came of a type: `stage` is `not drawn`, `refused`, `wrong` or `equal`; without `tokens`, of its
    import alone.
    """
    found: dict[str, Any] = {"type": name}
    try:
        model, ids = draw(name), draw_ids()
        found["experts"] = has_experts(model)
        with torch.no_grad():
            model(ids)
    except Exception as problem:
        return {**found, "stage": "not drawn", "reason": _shorten(problem)}
    exact = copy.deepcopy(model)
    if hasattr(exact, "set_experts_implementation"):
        exact.set_experts_implementation("eager")
    forbid_caches(exact)
    expected = run_exactly(exact, (ids,)).logits
    found.update(_check_import(copy.deepcopy(model), ids, expected))
    if tokens and name in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES and found["stage"] != "refused":
        found.update(_check_tokens(model, ids))
    return found


def _check_import(model: Any, ids: torch.Tensor, expected: torch.Tensor) -> dict[str, Any]:
    forbid_caches(model)
    try:
        made = parablock.from_torch(model, (ids,))
        found = {"recognised": made.explain().to_dict()["recognised"]}
        logits = made.optimize().compile("cpu", threads=1)(ids)
    except parablock.Error as problem:
        return {"stage": "refused", "reason": _shorten(problem)}
    distance = get_distance(getattr(logits, "logits", logits), expected)
    return {**found, "distance": distance, "stage": "equal" if distance < TOLERANCE else "wrong"}


def _check_tokens(model: Any, ids: torch.Tensor) -> dict[str, Any]:
    options = {"max_new_tokens": 6, "do_sample": False, "pad_token_id": 0, "eos_token_id": None}
    try:
        expected = model.generate(ids, **options)
    except Exception as problem:
        return {"tokens": "not generated", "token_reason": _shorten(problem)}
    try:
        tokens = parablock.generation(model, threads=1).generate(ids, **options)
    except parablock.Error as problem:
        return {"tokens": "refused", "token_reason": _shorten(problem)}
    return {"tokens": "equal" if torch.equal(tokens, expected) else "other"}


def _shorten(problem: BaseException) -> str:
    text = " ".join(str(problem).split())
    return f"{type(problem).__name__}: {text}"[:600]


#: Reasons of a refusal, as the table has them.
_REASONS = [
    ("whose cache is a LinearAttention", "a layer keeps a state that is no key or value"),
    ("whose cache is a Dynamic", "a layer caches keys of an indexer"),
    ("which may look at more than a row", "{} around the blocks may read other rows"),
    ("is one table and another", "windows or positions are a table of all tokens"),
    ("changes beyond", "positions are computed otherwise beyond a number of tokens"),
    ("to stay open", "the number of tokens has a limit in the code"),
    ("a number that data decide", "a loop over numbers that data decide"),
    ("data-dependent expression", "torch.export: a branch on data"),
    ("an index that floats decide", "an index of floats that may be beyond the tensor"),
    ("no rule for the operation", "no rule for {}"),
]


def explain(text: str) -> str:
    """Returns the cell of the table for the message of an error."""
    named = re.search(r"'([a-z0-9_.]+\.[A-Za-z0-9_.]+)'", text.partition(":")[2]) or re.search("'([^']+)'", text)
    for part, reason in _REASONS:
        if part in text:
            return reason.format(f"`{named[1]}`" if named else "an operation")
    return text.partition(": ")[2][:78].replace("|", "/")


def describe(row: dict[str, Any]) -> tuple[str, str, str]:
    """Returns the cells of a type: its import, its tokens, and why there is none."""
    if row["stage"] != "equal":
        return row["stage"], "", explain(row.get("reason", ""))
    tokens = row.get("tokens", "")
    return "equal", tokens, explain(row["token_reason"]) if "token_reason" in row else ""


def read_table() -> dict[str, tuple[str, str, str]]:
    """Returns the rows of the table by type."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in TABLE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| `")
    ]
    return {name.strip("`"): (stage, tokens, reason) for name, stage, tokens, reason in rows}


def write_table(rows: list[dict[str, Any]]) -> None:
    """Replaces the rows of the table, and the line of counts above them."""
    cells = {row["type"]: describe(row) for row in sorted(rows, key=lambda row: row["type"]) if row.get("experts")}
    lines = [f"| `{name}` | {' | '.join(own)} |".replace("|  |", "| |") for name, own in cells.items()]
    text = TABLE.read_text(encoding="utf-8")
    table = "| type | logits | tokens | reason |\n|---|---|---|---|\n"
    head, _, rest = text.partition(table)
    TABLE.write_text(head + table + "\n".join(lines) + "\n\n" + rest.partition("\n\n")[2], encoding="utf-8")
    for place, what in enumerate(("logits", "tokens")):
        kinds = [own[place] for own in cells.values()]
        print(what, {kind: kinds.count(kind) for kind in sorted(set(kinds))})


def _check_apart(name: str) -> dict[str, Any]:
    """Checks a type in a process of its own, which may end in any way."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(600)
        try:
            found = check(name)
        except BaseException as problem:
            found = {"type": name, "stage": "failed", "reason": _shorten(problem)}
        with os.fdopen(writing, "w") as results:
            json.dump(found, results)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as results:
        text = results.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return json.loads(text) if text else {"type": name, "stage": "failed", "reason": f"ended with {code}"}


def main(arguments: list[str]) -> None:
    torch.set_num_threads(1)
    results = Path(arguments[0])
    lines = results.read_text().splitlines() if results.exists() else []
    rows = {row["type"]: row for row in map(json.loads, lines)}
    for name in arguments[1:] or list_types():
        if name not in rows:
            rows[name] = _check_apart(name)
            print(rows[name], flush=True)
            with results.open("a") as file:
                file.write(json.dumps(rows[name]) + "\n")
    if not arguments[1:]:
        write_table(list(rows.values()))


if __name__ == "__main__":
    main(sys.argv[1:])
