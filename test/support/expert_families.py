# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families with experts, which ranks compute whole and which have no form in upstream ops.

Tests over all families leave them out: experts have their own. test/CPU/expert-refusals.mlir has what is refused.
"""

NAMES = frozenset("mixtral qwen3-moe olmoe gpt-oss granitemoe cohere2-moe glm4-moe deepseek-v3".split())


def leave_out(families):
    return [name for name in families if name not in NAMES]
