# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The backend of torch.compile, under the name that entry points of installed packages have."""

from parablock.backend.graphs import compile_graph

__all__ = ["compile_graph"]
