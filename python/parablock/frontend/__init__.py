# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch modules as model IR. Nothing else of the package needs PyTorch."""
