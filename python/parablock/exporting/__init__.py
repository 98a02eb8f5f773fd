# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models in the formats of other runtimes."""
