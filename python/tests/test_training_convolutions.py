# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Front ends of sounds and images: convolutions, their norms, and tables of other sizes."""

from __future__ import annotations

import torch
from gradients import backpropagate, draw_adjoints, find_limit, find_worst, get_exact
from torch.nn import functional
from torch.nn.utils.parametrizations import weight_norm

import parablock


class FrontEnd(torch.nn.Module):
    """Windows that overlap, have gaps, are of groups, and steps of several places."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.first = torch.nn.Conv1d(1, 6, 5, stride=3)
        self.norm = torch.nn.GroupNorm(3, 6)
        positions = torch.nn.Conv1d(6, 6, 4, padding=2, groups=3)
        self.positions = weight_norm(positions, name="weight", dim=2)
        self.wide = torch.nn.Conv1d(6, 4, 3, dilation=2, padding="same", bias=False)
        self.image = torch.nn.Conv2d(2, 6, (3, 2), stride=(2, 1), padding=(1, 0))
        self.alone = torch.nn.Conv2d(6, 6, 3, padding=1, groups=6)
        self.video = torch.nn.Conv3d(2, 4, (2, 3, 3), stride=(2, 3, 3))
        self.table = torch.nn.Parameter(torch.randn(1, 6, 3, 4))

    def forward(
        self, sound: torch.Tensor, image: torch.Tensor, video: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        heard = functional.gelu(self.norm(self.first(sound)))
        heard = heard + self.positions(heard)[:, :, :-1]
        seen = self.alone(functional.gelu(self.image(image)))
        size = tuple(seen.shape[2:])
        cubic = functional.interpolate(self.table, size=size, mode="bicubic")
        linear = functional.interpolate(self.table, size=size, mode="bilinear")
        return self.wide(heard), seen + cubic * linear, self.video(video)


def test_gradients_of_front_ends() -> None:
    module = FrontEnd()
    generator = torch.Generator().manual_seed(3)
    shapes = ((2, 1, 32), (2, 2, 9, 7), (1, 2, 4, 6, 6))
    inputs = tuple(torch.randn(shape, generator=generator) for shape in shapes)
    adjoints = draw_adjoints(module(*inputs))
    exact = get_exact(module, inputs, adjoints)
    limit = find_limit(module, inputs, adjoints, exact)
    step = parablock.from_torch(module, inputs).compile("cpu", training=True)
    results = step(*inputs)
    for own, other in zip(results, module(*inputs), strict=True):
        torch.testing.assert_close(own, other, rtol=1e-5, atol=1e-5)
    module.zero_grad()
    backpropagate(results, adjoints)
    found = {n: p.grad for n, p in module.named_parameters() if p.grad is not None}
    assert found.keys() == exact.keys()
    distance, whose = find_worst(found, exact)
    assert distance < limit, whose
