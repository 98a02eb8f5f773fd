# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors in arguments and results of modules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import torch
from torch.utils import _pytree as pytree


def _is_closed(value: Any) -> bool:
    """Returns whether an object is a cache, which belongs to its run and stays as it is."""
    return hasattr(value, "get_seq_length")


def map_tensors(function: Callable[[torch.Tensor], Any], tree: Any) -> Any:
    """Returns the structure with other tensors.

    >>> map_tensors(lambda tensor: tensor + 1, {"a": (torch.tensor(1), "b")})
    {'a': (tensor(2), 'b')}
    """

    def change(leaf: Any) -> Any:
        return function(leaf) if isinstance(leaf, torch.Tensor) else leaf

    return pytree.tree_map(change, tree, is_leaf=_is_closed)


def list_tensors(tree: Any) -> list[torch.Tensor]:
    """Returns all tensors, in order.

    >>> list_tensors([1, (torch.tensor(2), None)])
    [tensor(2)]
    """
    leaves = pytree.tree_leaves(tree, is_leaf=_is_closed)
    return [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]


def put_tensors(tree: Any, tensors: Iterable[torch.Tensor]) -> Any:
    """Returns the structure with these tensors, in order."""
    left = iter(tensors)
    return map_tensors(lambda _: next(left), tree)


def copy_tensors(tree: Any) -> Any:
    """Returns the structure with detached copies."""
    return map_tensors(lambda tensor: tensor.detach().clone(), tree)


def name_tensors(tree: Any) -> dict[str, torch.Tensor]:
    """Returns results by the names of a mapping, or by number.

    >>> list(name_tensors({"logits": torch.tensor(1), "states": (torch.tensor(2),)}))
    ['logits', 'states.0']
    >>> list(name_tensors((torch.tensor(1), torch.tensor(2))))
    ['0', '1']
    """
    tree = pytree.tree_map(
        lambda leaf: torch.from_numpy(leaf) if isinstance(leaf, np.ndarray) else leaf,
        tree,
        is_leaf=_is_closed,
    )
    paths, _ = pytree.tree_flatten_with_path(tree, is_leaf=_is_closed)
    return {
        ".".join(_name_key(key) for key in path) or "result": leaf
        for path, leaf in paths
        if isinstance(leaf, torch.Tensor)
    }


def _name_key(key: Any) -> str:
    """Returns the text between the brackets of a key."""
    for attribute in ("key", "idx", "name"):
        if hasattr(key, attribute):
            return str(getattr(key, attribute))
    return str(key)
