# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maxima that a softmax takes away again."""

from __future__ import annotations

import operator

import torch

_ATEN = torch.ops.aten
_SOFTMAX = (_ATEN.softmax.int, _ATEN._softmax.default)


def is_shift(node: torch.fx.Node) -> bool:
    """Returns whether `node` is max(x, d) of softmax(x - max(x, d), d) and nothing else.

    A softmax does not depend on what a whole row has in common, nor do its gradients.
    """
    if node.target != _ATEN.max.dim or len(node.args) != 3 or node.args[2] is not True:
        return False
    x, dim = node.args[:2]
    rank = x.meta["val"].dim() if isinstance(x, torch.fx.Node) else 0
    return bool(node.users) and all(
        user.target is operator.getitem
        and user.args[1] == 0
        and all(_is_shifted(reader, x, user, dim, rank) for reader in user.users)
        for user in node.users
    )


def _is_shifted(
    node: torch.fx.Node, x: object, largest: torch.fx.Node, dim: object, rank: int
) -> bool:
    is_difference = node.target == _ATEN.sub.Tensor and node.args == (x, largest)
    return is_difference and not node.kwargs and all(
        reader.target in _SOFTMAX
        and isinstance(reader.args[1], int)
        and isinstance(dim, int)
        and reader.args[1] % rank == dim % rank
        for reader in node.users
    )
