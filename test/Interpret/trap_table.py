# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every trap that separates model families, in IR that makes it count."""

from trap import Trap

NORM, SCORES, MLP = "norm.mlir", "attention.mlir", "mlp.mlir"
OUTSIDE = {"inside_root": "outside_root"}
BF16 = {"xf32>": "xbf16>"}
PLAIN_SCORES = {", softcap = 2.0, alibi_max = 8.0, order = scale_bias_cap": ""}

NORMS = [
    Trap("eps inside and outside the root", NORM, {"inside_root": "outside_root"}),
    Trap("eps added and eps as a floor", NORM, {"inside_root": "clamp"}),
    Trap("eps outside the root and floor", NORM, {"outside_root": "clamp"}, OUTSIDE),
    Trap("eps of the mean and of the sum", NORM, {"eps = 0.1": "eps = 0.018"}, OUTSIDE),
    Trap("mean subtracted or not", NORM, {"kind = layer": "kind = rms"}),
    Trap(
        "mean and sum of squares", NORM, {"kind = rms": "kind = l2"}, {"kind = layer": "kind = rms"}
    ),
    Trap("gain and 1 + gain", NORM, {"direct": "one_plus"}),
    Trap("gain or none", NORM, {"gamma %g ": "", "x32xf32>, tensor<32xf32>, ": "x32xf32>, "}),
    Trap("bias or none", NORM, {"beta %b ": "", "x32xf32>, tensor<32xf32>, ": "x32xf32>, "}),
    Trap(
        "rounding before and after the gain", NORM, {"after_gain": "before_gain"}, BF16, exact=False
    ),
]

ACTIVATIONS = [
    Trap("gelu by tanh and by erf", MLP, {"gelu_tanh": "gelu_erf"}),
    Trap("gelu and its quick form", MLP, {"gelu_tanh": "quick_gelu"}),
    Trap("silu and mish", MLP, {"silu": "mish"}, {"gelu_tanh": "silu"}),
    Trap("silu and hardswish", MLP, {"silu": "hardswish"}, {"gelu_tanh": "silu"}),
    Trap("relu and softplus", MLP, {"<relu>": "<softplus>"}, {"gelu_tanh": "relu", "-2.5": "-0.3"}),
    Trap("silu and gelu", MLP, {"gelu_tanh": "silu"}),
    Trap(
        "relu and its leaky form",
        MLP,
        {"<relu>": "<leaky_relu>"},
        {"gelu_tanh": "relu", "-2.5": "-0.3"},
    ),
    Trap(
        "relu and its square",
        MLP,
        {"<relu>": "<relu_squared>"},
        {"gelu_tanh": "relu", "-2.5": "0.2"},
    ),
]

ROTATIONS = [
    Trap("halves and interleaved pairs", SCORES, {"style = half": "style = interleaved"}),
    Trap("rotated width", SCORES, {"dim = 8": "dim = 4"}),
    Trap("base of the frequencies", SCORES, {"base = 100.0": "base = 10000.0"}),
    Trap("frequencies from a list", SCORES, {"base = 100.0": "inv_freq = [1.0, 0.3, 0.1, 0.02]"}),
    Trap("factor of the table", SCORES, {"base = 100.0": "base = 100.0, table_scale = 1.2"}),
    Trap(
        "type of the table",
        SCORES,
        {"base = 100.0": "base = 100.0, table_type = bf16"},
        PLAIN_SCORES,
    ),
    Trap("q and k norm before and after", SCORES, {"before_rope": "after_rope"}),
    Trap(
        "q and k norm of a head and of all",
        "whole-qk-norm.mlir",
        {"extent = whole": "extent = head"},
    ),
]

SCORING = [
    Trap("scale", SCORES, {"scale = 0.5": "scale = 0.35355"}),
    Trap("causal or not", SCORES, {"causal = true, ": ""}),
    Trap("window one too wide", SCORES, {"window = 4": "window = 5"}),
    Trap("window one too narrow", SCORES, {"window = 4": "window = 3"}),
    Trap("window or none", SCORES, {"window = 4, ": ""}),
    Trap("soft cap or none", SCORES, {"softcap = 2.0, ": ""}),
    Trap("slopes or none", SCORES, {", alibi_max = 8.0": ""}),
    Trap("steepness of the slopes", SCORES, {"alibi_max = 8.0": "alibi_max = 4.0"}),
    Trap(
        "slopes and rounded slopes",
        SCORES,
        {"alibi_max = 1.3": "alibi_max = 1.3, alibi_type = bf16"},
        {"window = 4, softcap = 2.0, alibi_max = 8.0, order = scale_bias_cap": "alibi_max = 1.3"},
    ),
    Trap("slopes inside and outside the scale", SCORES, {"scale_bias_cap": "bias_scale_cap"}),
    Trap("slopes before and after the cap", SCORES, {"scale_bias_cap": "scale_cap_bias"}),
    Trap(
        "query heads by block and by turns",
        "kv-heads.mlir",
        {"q %q k": "q %qx k", "o %o {": "o %ox {"},
    ),
]

TABLES = [
    Trap("buckets of both directions and of one", "tables.mlir", {", bidirectional = true": ""}),
    Trap("distance of the last bucket", "tables.mlir", {"max_distance = 16": "max_distance = 64"}),
    Trap(
        "padding or none",
        "tables.mlir",
        {"lengths %lengths ": "", "xf32>, tensor<2xi64>, ": "xf32>, "},
    ),
    Trap(
        "beta or none", "tables.mlir", {"beta %b ": "", "<5x8xf32>, tensor<4xf32>, ": "<5x8xf32>, "}
    ),
    Trap("beta and gamma", "tables.mlir", {"beta %b gamma %g": "beta %g gamma %b"}),
    Trap(
        "gamma or none",
        "tables.mlir",
        {"gamma %g ": "", "tensor<4xf32>, tensor<4xf32>, ": "tensor<4xf32>, "},
    ),
]

EMBEDDINGS = [
    Trap(
        "positions of all ids and of real ones",
        "embedding.mlir",
        {"pad_id = 1": "position_offset = 2"},
    ),
    Trap(
        "position of the first token",
        "embedding.mlir",
        {"position_offset = 2": "position_offset = 0"},
        {"pad_id = 1": "position_offset = 2"},
    ),
    Trap("scale of embeddings", "embedding.mlir", {", scale = 5.5 : f64": ""}),
]

LAYOUTS = [
    Trap("q|k|v and q|v|k", "fused.mlir", {"[4, 0, 0]": "[8, 0, 0]", "[8, 0, 0]": "[4, 0, 0]"}),
    Trap(
        "q|k|v in blocks and per head",
        "fused.mlir",
        {
            "[0, 0, 0] [4, 8, 32] [1, 1, 1]": "[0, 0, 0] [4, 8, 32] [3, 1, 1]",
            "[4, 0, 0] [4, 8, 32] [1, 1, 1]": "[1, 0, 0] [4, 8, 32] [3, 1, 1]",
            "[8, 0, 0] [4, 8, 32] [1, 1, 1]": "[2, 0, 0] [4, 8, 32] [3, 1, 1]",
        },
    ),
    Trap(
        "stored [in, out] and [out, in]",
        "fused.mlir",
        {"permutation = [1, 0]": "permutation = [0, 1]"},
    ),
    Trap("gate and up", "fused.mlir", {"up %up gate %gate": "up %gate gate %up"}),
]

TRAPS = NORMS + ACTIVATIONS + ROTATIONS + SCORING + TABLES + EMBEDDINGS + LAYOUTS
