# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrices of codes in PyTorch."""

import torch


class PackedLinear(torch.nn.Module):
    """Rows of bf16 by codes, with PyTorch's own products."""

    def __init__(self, weights, name, bias):
        super().__init__()
        codes, scales = (torch.from_numpy(part.copy()) for part in weights.codes(name))
        self.bias, self.is_int8 = bias, weights.column == "int8"
        if self.is_int8:
            self.codes, self.scales = codes, scales[:, 0].bfloat16()
            return
        self.codes = torch.ops.aten._convert_weight_to_int4pack_for_cpu((codes + 8).int(), 1)
        self.scales = torch.stack([scales.t(), torch.zeros_like(scales.t())], -1).bfloat16().contiguous()

    def forward(self, x):
        rows = x.flatten(0, -2)
        if self.is_int8:
            product = torch.ops.aten._weight_int8pack_mm(rows, self.codes, self.scales)
        else:
            product = torch.ops.aten._weight_int4pack_mm_for_cpu(rows, self.codes, 128, self.scales)
        product = product.view(*x.shape[:-1], -1)
        return product if self.bias is None else product + self.bias
