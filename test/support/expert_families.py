# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families with experts, which have no gradients, device code, parts of ranks or form in upstream ops yet.

Tests of these parts leave them out. test/CPU/expert-refusals.mlir has what the parts say of experts.
"""

NAMES = frozenset("mixtral qwen3-moe olmoe gpt-oss granitemoe cohere2-moe glm4-moe".split())


def leave_out(families):
    return [name for name in families if name not in NAMES]
