# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generation: models with caches, loops over them, and transformers' `generate`."""
