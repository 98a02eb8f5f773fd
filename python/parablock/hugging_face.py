# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders of Hugging Face with parallel pairs, which Model.save_pretrained writes.

A serial model is a checkpoint like any other. One with parallel pairs has a model type of
its own, so that no reader takes it for the serial model, a section `parablock` in
config.json with the fields of a choice file (docs/Drift.md), and modelling code beside it.
"""

from __future__ import annotations

import dataclasses
import json
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parablock.drift import Choice
from parablock.errors import Error
from parablock.rewriting import parallelize_layers
from parablock.weights import Checkpoint, load_json

if TYPE_CHECKING:
    from parablock._core import Module

#: The section of config.json.
SECTION = "parablock"
PREFIX = "parablock_"
#: Of the metadata of weights.
MARK = "parablock.conversion"
#: Model types with modelling code: the word in the names of its classes, transformers'
#: classes without and with a head, and those of the code.
FAMILIES = {
    "gpt2": ("GPT2", "GPT2Model", "GPT2LMHeadModel"),
    "llama": ("Llama", "LlamaModel", "LlamaForCausalLM"),
    "qwen2": ("Qwen2", "Qwen2Model", "Qwen2ForCausalLM"),
    "qwen3": ("Qwen3", "Qwen3Model", "Qwen3ForCausalLM"),
    "mistral": ("Mistral", "MistralModel", "MistralForCausalLM"),
    "gpt_neox": ("GPTNeoX", "GPTNeoXModel", "GPTNeoXForCausalLM"),
    "opt": ("OPT", "OPTModel", "OPTForCausalLM"),
    "gemma2": ("Gemma2", "Gemma2Model", "Gemma2ForCausalLM"),
    "gemma3_text": ("Gemma3", "Gemma3TextModel", "Gemma3ForCausalLM"),
    "bert": ("Bert", "BertModel", "BertForMaskedLM"),
    "mixtral": ("Mixtral", "MixtralModel", "MixtralForCausalLM"),
    "qwen3_moe": ("Qwen3Moe", "Qwen3MoeModel", "Qwen3MoeForCausalLM"),
    "olmoe": ("Olmoe", "OlmoeModel", "OlmoeForCausalLM"),
    "glm4_moe": ("Glm4Moe", "Glm4MoeModel", "Glm4MoeForCausalLM"),
    "deepseek_v3": ("DeepseekV3", "DeepseekV3Model", "DeepseekV3ForCausalLM"),
}


def name_head(family: str) -> str:
    """Returns the ending of the names of a family's head and of its class Auto."""
    return "ForMaskedLM" if FAMILIES[family][2].endswith("ForMaskedLM") else "ForCausalLM"


#: Names that a section may have in place of pairs.
_PAIRINGS = ("ladder", "shortcut")


@dataclasses.dataclass(frozen=True)
class Source:
    """The checkpoint that a model was read from."""

    folder: Path
    #: Its config, as that of the serial model.
    config: Mapping[str, Any]
    checkpoint: Checkpoint
    dtype: str


def list_families(prefix: str = "") -> str:
    """Returns the model types with modelling code, as a list in words."""
    names = sorted(prefix + name for name in FAMILIES)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def read_config(path: Path) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Returns the config of the serial model, and the section on its parallel pairs.

    What else is wrong with a config is the compiler's to say.
    """
    try:
        config = load_json(path.read_bytes())
    except (OSError, ValueError):
        return {}, None
    if not isinstance(config, dict):
        return {}, None
    model_type = str(config.get("model_type"))
    if not model_type.startswith(PREFIX):
        return config, None
    family, section = model_type.removeprefix(PREFIX), config.pop(SECTION, None)
    if family not in FAMILIES:
        raise Error(
            f"'{path}': model_type requires {list_families(PREFIX)}, got '{model_type}'"
        )
    _check_section(path, section)
    _, bare, causal = FAMILIES[family]
    is_bare = config.get("architectures") == [f"Parablock{bare}"]
    config.pop("auto_map", None)
    config["model_type"], config["architectures"] = family, [bare if is_bare else causal]
    return config, section


def _check_section(path: Path, section: Any) -> None:
    """Rejects what is no choice of pairs; the pass checks all that names the model's layers."""
    good = isinstance(section, dict) and section.get("schema") == 1
    chosen = section.get("chosen") if good else None
    if (
        not isinstance(chosen, list)
        or not chosen
        or not all(isinstance(pair, str) and re.fullmatch(r"\d+\+?", pair) for pair in chosen)
    ):
        raise Error(
            f"'{path}': '{SECTION}' requires an object with schema 1 and 'chosen', a list of "
            "pairs such as \"3\" or \"3+\""
        )
    if section.get("pairing", "ladder") not in _PAIRINGS:
        raise Error(
            f"'{path}': 'pairing' of '{SECTION}' requires 'ladder' or 'shortcut', got "
            f"{section['pairing']!r}"
        )
    scales = section.get("scales", {})
    if not isinstance(scales, dict) or not all(
        isinstance(scale, int | float) and not isinstance(scale, bool)
        for scale in scales.values()
    ):
        raise Error(f"'{path}': 'scales' of '{SECTION}' requires an object of numbers")
    if section.get("correction", "none") != "none" and "model_hash" not in section:
        raise Error(
            f"'{path}': '{SECTION}' requires 'model_hash' for pairs that a correction fitted"
        )


def forget_measured(path: Path, section: dict[str, Any], checkpoint: Checkpoint) -> dict[str, Any]:
    """Returns a section for weights that may have been trained since.

    transformers keeps the section and drops the mark beside the weights. Measurements and
    corrections from before do not hold for such weights.
    """
    if checkpoint.metadata.get(MARK) == mark(section):
        return section
    warnings.warn(
        f"'{path.parent}': weights were changed after the conversion: its drift is unmeasured",
        stacklevel=4,
    )
    return {**section, "correction": "none", "kl": None}


def mark(section: Mapping[str, Any]) -> str:
    """Returns the mark of a conversion in the metadata of weights."""
    return f"{section.get('correction', 'none')} {section.get('kl')}"


def apply_section(path: Path, module: Module, section: Mapping[str, Any]) -> None:
    """Makes the pairs of a section parallel, with their stamps."""
    choice, options = None, {}
    pairing = section.get("pairing")
    if "model_hash" in section:
        choice = Choice(section)
        options["parallel"] = ""
    else:
        scales = section.get("scales", {})
        options = {
            "parallel": ",".join(section["chosen"]),
            "norm": section.get("norm", "separate"),
            **({"pairing": pairing} if pairing else {}),
            **{name.replace("_", "-"): repr(float(scale)) for name, scale in scales.items()},
        }
    try:
        parallelize_layers(options, choice, module)
    except Error as problem:
        raise Error(f"'{path}': {problem}") from None
    if (found := list_pairs(module, pairing == "ladder")) != section["chosen"]:
        raise Error(
            f"'{path}': '{SECTION}' requires the pairs {','.join(section['chosen'])}, got "
            f"{','.join(found) or 'none'} of the model"
        )


def list_pairs(module: Module, ladder: bool = False) -> list[str]:
    """Returns the pairs that a conversion made parallel, or a ladder of, by name."""
    layers = json.loads(module.report(""))["layers"]
    return [
        f"{layer['index']}{'+' if layer['name'].endswith('+') else ''}"
        for layer in layers
        if layer["approx"] and (layer["form"].startswith("parallel") or ladder)
    ]


def make_section(
    options: Mapping[str, object], choice: Choice | None, module: Module
) -> dict[str, Any]:
    """Returns the section for a conversion of `module` by options or by a choice."""
    if choice:
        left_out = ("weights_file", "weights_hash")
        section = {key: value for key, value in choice.to_dict().items() if key not in left_out}
    else:
        names = ("scale", "attn-scale", "mlp-scale")
        section = {
            "norm": options.get("norm") or "separate",
            "scales": {n.replace("-", "_"): _or_one(options.get(n)) for n in names},
            "correction": "none",
        }
        if options.get("pairing") in _PAIRINGS:
            section["pairing"] = options["pairing"]
        if options.get("router") == "serial":
            section["router"] = "serial"
    ladder = section.get("pairing") == "ladder"
    return {"schema": 1, **section, "chosen": list_pairs(module, ladder)}


def _or_one(scale: object) -> float:
    return 1.0 if scale is None else float(scale)  # type: ignore[arg-type]
