# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traps in the IR of the families that set them."""

from trap import Trap

FAMILY_TRAPS = [
    Trap("layer norm and RMS norm", "gpt2", {"kind = layer": "kind = rms"}),
    Trap(
        "q|k|v and q|v|k",
        "gpt2",
        {
            "[64, 0] [64, 64]": "[128, 0] [64, 64]",
            "[128, 0] [64, 64]": "[64, 0] [64, 64]",
            "[64] [64]": "[128] [64]",
            "[128] [64]": "[64] [64]",
        },
    ),
    Trap(
        "q, k, v and q, v, k per head",
        "gpt-neox",
        {"[0, 16, 0]": "[0, 32, 0]", "[0, 32, 0]": "[0, 16, 0]"},
    ),
    Trap(
        "q|v|k and q|k|v per shard",
        "codegen",
        {"[0, 16, 0]": "[0, 32, 0]", "[0, 32, 0]": "[0, 16, 0]"},
    ),
    Trap(
        "key and value per group",
        "falcon-40b",
        {"[0, 32, 0]": "[0, 48, 0]", "[0, 48, 0]": "[0, 32, 0]"},
    ),
    Trap(
        "gate|up and up|gate",
        "phi3",
        {"[0, 0] [176, 64]": "[176, 0] [176, 64]", "[176, 0] [176, 64]": "[0, 0] [176, 64]"},
    ),
    Trap("two norms and one", "gpt-neox", {"block.mlp %6": "block.mlp %5"}),
    Trap("position of the first token", "opt", {"position_offset = 2": "position_offset = 0"}),
    Trap("layout of sinusoids", "deepnorm", {"sin_then_cos": "sin_cos_pairs"}),
    Trap("scale of the skip", "deepnorm", {"{input_scale = 1.4142135623730951} ": ""}),
    Trap("gain and 1 + gain", "gemma", {"gamma_form = one_plus": "gamma_form = direct"}),
    Trap("scale of embeddings", "gemma", {" {scale = 8.0}": ""}),
    Trap("soft cap of scores", "gemma2", {", softcap = 50.0": ""}),
    Trap("soft cap of logits", "gemma2", {"{softcap = 30.0}": ""}),
    Trap("scale of branches", "granite", {"{branch_scales = [0.22]}": ""}),
    Trap(
        "scale of scores",
        "granite",
        {"scale = 0.015625, causal": "scale = 0.25, causal"},
    ),
    Trap("scale of logits", "command-r", {"{scale = 0.0625}": ""}),
    Trap("scale of both branches", "nanogpt-palm", {"0.7071, 0.7071": "1.0, 1.0"}),
    Trap(
        "a gain per channel",
        "layerscale",
        {
            f" by %arg{gain} : tensor<2x17x64xf32>": " : tensor<2x17x64xf32>"
            for gain in (7, 14, 21, 28)
        },
    ),
    Trap("scores scaled or not", "t5-encoder", {"scale = 1.0": "scale = 0.25"}),
    Trap(
        "buckets of both directions and of one",
        "t5-encoder",
        {"bidirectional = true": "bidirectional = false"},
    ),
    Trap(
        "buckets of one direction and of both",
        "t5-decoder",
        {"#block.buckets<>": "#block.buckets<bidirectional = true>"},
    ),
    Trap(
        "slopes outside and inside the scale",
        "bloom",
        {"alibi_max = 8.0": "alibi_max = 8.0, order = bias_scale_cap"},
    ),
    Trap("slopes inside and outside the scale", "falcon-rw", {", order = bias_scale_cap": ""}),
    Trap("rotated width", "gptj", {"dim = 4": "dim = 8"}),
    Trap("pairs of the rotation", "gptj", {"style = interleaved": "style = half"}),
    Trap(
        "q and k norm before and after rotation",
        "qwen3",
        {"rounding = before_gain>>": "rounding = before_gain>, place = after_rope>"},
    ),
    Trap(
        "the identity in values",
        "sas",
        {"reparam %transposed_3 :": "reparam %transposed_3 {skip = 0.0} :"},
    ),
]
