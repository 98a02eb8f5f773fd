# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""random_forms.py IR-HEADERS: within 500 seeds, random models have every value
of every enum of the dialect and every optional part of the ops that make up a
model."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor

import tools

# What passes write into their logs is no form of a model, nor are codes, which block-quantize makes.
OTHER_ENUMS = {"CodeForm", "KernelKind", "ModelPart", "OperandRole", "Outcome", "StepKind", "StepReach"}
# Random models have no experts; test/CPU/experts.test has their forms.
OTHER_ENUMS |= {"RouterScore", "RouterWeight", "GroupScore", "HiddenGroups", "WeightSum", "ExpertLayout", "Weigh"}
# Not printed where they hold: defaults.
DEFAULTS = {"inside_root", "direct", "after_gain", "scale_bias_cap", "head", "before_rope"}
OPTIONAL = """
memory v o q_bias k_bias v_bias o_bias q_gamma q_beta k_gamma k_beta lengths relative
shaw_key shaw_value alpha beta gamma gate up_bias gate_bias down_bias bias positions
type_table by from
""".split()
ATTRIBUTES = """
rope qk_norm buckets clip causal window softcap alibi_max alibi_type base inv_freq table_scale
table_type max_distance bidirectional input_scale branch_scales skip residual scale
position_offset pad_id sinusoid
""".split()
OPS = """
block.norm block.scale block.reparam block.residual block.embedding block.head
linalg.transpose tensor.extract_slice tensor.expand_shape tensor.collapse_shape
tensor.concat block.linear block.activation
""".split()
SEEDS, PART = 500, 50
TABLE_TYPES = ["table_type = " + kind for kind in ("f32", "bf16", "f16")]


def make(seed):
    command = ["block-gen", "--family=random", f"--seed={seed}", "--batch=2", "--seq=13"]
    if seed % 2:
        command.append("--padding")
    return tools.require(*command)


def find_missing(text, values):
    """What no model in `text` has."""
    missing = [v for v in values if v not in DEFAULTS and not re.search(rf"[=<] ?{v}\b", text)]
    missing += [o for o in OPTIONAL if not re.search(rf"block\.\w+ %[^{{=]* {o} %", text)]
    missing += [a for a in ATTRIBUTES if not re.search(rf"\b{a} = ", text)]
    missing += [name for name in OPS + TABLE_TYPES if name not in text]
    # Defaults hold where nothing is printed.
    for default in (r"#block.norm<kind = \w+, eps = [^,>]*>", r"#block.scores<scale = [^,>]*>"):
        missing += [] if re.search(default, text) else [default]
    # Fewer heads of keys, values of another width, both sides of a parallel block.
    heads = {(int(h), int(k)) for h, k in re.findall(r"\bheads = (\d+),\s+kv_heads = (\d+)", text)}
    missing += [] if any(k == 1 < h for h, k in heads) else ["one head of keys"]
    missing += [] if any(1 < k < h for h, k in heads) else ["groups of heads"]
    missing += [] if re.search(r"block.residual %\w+, %\w+, %\w+ ", text) else ["two branches"]
    return missing


def main(headers):
    source = open(headers + "/BlockEnums.td").read()
    enums = re.findall(r'Block_Enum<"(\w+)".*?\]>', source, re.S)
    bodies = re.findall(r'Block_Enum<"\w+"(.*?)\]>', source, re.S)
    values = [
        value
        for name, body in zip(enums, bodies)
        if name not in OTHER_ENUMS
        for value in re.findall(r'I32EnumAttrCase<"\w+", \d+, "(\w+)">', body)
    ]
    assert len(values) > 30, values
    text, missing = "", [""]
    with ThreadPoolExecutor(2) as pool:
        # In parts, so that models are made only until there is everything.
        for first in range(0, SEEDS, PART):
            text += "\n".join(pool.map(make, range(first, first + PART)))
            missing = find_missing(text, values)
            if not missing:
                break
    assert not missing, missing


main(*sys.argv[1:])
