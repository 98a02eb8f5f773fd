# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch modules as model IR. Only this part of the package requires PyTorch."""
