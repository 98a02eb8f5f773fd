# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Studies of models beside the core: judging, training in comparison, pages of HTML."""
