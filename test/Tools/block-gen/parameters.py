# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The published sizes have the published numbers of parameters, and their IR is
small."""

import math
import re

import tools

TOTAL = {
    "gpt2": 124439808,
    "gptj": 6050882784,
    "gpt-neox": 20554567680,
    "falcon-7b": 6921720704,
    "llama": 6738415616,
    "bert": 108891648,
    "nanogpt-palm": 123568128,
    "andrea": 92294400,
}
MATRICES = {"sas": 145944576, "sas-p": 145944576, "v-skipinit": 166588416}


def count(family):
    text = tools.require("block-gen", "--family=" + family)
    assert len(text) < 3000000, (family, len(text))
    shapes = re.findall(r"%arg\d+: tensor<([\dx]+)xf32> \{[^}]*block.param", text)
    shapes = [[int(d) for d in shape.split("x")] for shape in shapes]
    total = sum(math.prod(shape) for shape in shapes)
    matrices = sum(math.prod(shape) for shape in shapes if len(shape) == 2)
    return total, matrices


for family, expected in TOTAL.items():
    assert count(family)[0] == expected, (family, count(family)[0])
for family, expected in MATRICES.items():
    assert count(family)[1] == expected, (family, count(family)[1])
