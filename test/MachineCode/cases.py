# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which kernels' machine code is measured, what it may have at most, and what other projects' has.

Kernels of these models without a row below have only the limits that all have.
"""

import dataclasses

LAYER = "--layers=1 --vocab=97 --positions=16384 --scope=block --dtype=bf16"
# Models whose layers' kernels are measured.
MODELS = {
    "gptj-4096": "--family=gptj --width=4096 --heads=32 --batch=2 --seq=4096",
    "gptj-768": "--family=gptj --width=768 --heads=12 --batch=4 --seq=4096",
    "llama-4096": "--family=llama --width=4096 --heads=32 --hidden=11008 --batch=2 --seq=4096",
    "llama-768": "--family=llama --width=768 --heads=12 --hidden=2048 --batch=4 --seq=4096",
    "gpt2-768": "--family=gpt2 --width=768 --heads=12 --batch=4 --seq=4096",
    "bloom-4096": "--family=bloom --width=4096 --heads=32 --batch=2 --seq=4096",
    "gemma2-2304": "--family=gemma2 --width=2304 --heads=8 --head-dim=256 --seq=4096",
    "bert-768": "--family=bert --width=768 --heads=12 --batch=4 --seq=512 --padding",
    "llama-packed": "--family=llama --width=2048 --heads=16 --seq=4096 --varlen=3",
    "t5-1024": "--family=t5-encoder --width=1024 --heads=8 --seq=1024",
}
# Of every day: sources, rotation and GELU; a gate; a norm; ALiBi; a soft cap and wide heads.
EVERYDAY = ("gptj-4096", "llama-4096", "gpt2-768", "bloom-4096", "gemma2-2304")


@dataclasses.dataclass
class Row:
    """One kernel of a model, and what it may have at most."""

    model: str
    kernel: str
    what: str
    loop: int  # instructions of the main loop that are no products
    row: float  # instructions of loops over rows, for each 8 bytes that a lane stores
    hidden: int = 0  # of loops over keys that are hidden from some queries; 0 where there are none


ROWS = [
    Row("gptj-4096", "linear_0", "q, k, v and up, rotation, GELU", 59, 68),
    Row("gptj-4096", "linear_sum_0", "two sources and the skip", 58, 0),
    Row("gptj-768", "linear_0", "q, k, v and up, rotation, GELU", 59, 68),
    Row("gptj-768", "linear_sum_0", "two sources and the skip", 58, 0),
    Row("llama-4096", "linear_0", "norm, q, k, v, rotation", 60, 35),
    Row("llama-4096", "linear_2", "norm and SwiGLU", 56, 44),
    Row("llama-4096", "linear_3", "down and the skip", 58, 0),
    Row("gpt2-768", "linear_0", "norm, q, k, v", 60, 22),
    Row("gpt2-768", "linear_3", "down and the skip", 58, 0),
    Row("gptj-4096", "sdpa_0", "head of 128, causal", 460, 12, 620),
    Row("gptj-768", "sdpa_0", "head of 64, causal", 423, 14, 584),
    Row("bert-768", "sdpa_0", "head of 64, lengths", 423, 11, 570),
    Row("llama-packed", "sdpa_0", "head of 128, packed", 462, 12, 751),
    Row("t5-1024", "sdpa_0", "head of 128, buckets", 821, 11),
    Row("bloom-4096", "sdpa_0", "head of 128, ALiBi, causal", 693, 12, 852),
    Row("gemma2-2304", "sdpa_0", "head of 256, soft cap, causal", 973, 24, 1118),
]

# Read from kernels that others' compilers made for sm_90a; none was run.
PRODUCT_PEERS = [
    ("CuTe DSL 4.8.1, dense_gemm_persistent", "4 x 64x256x16", 54, 0, "16 STSM, 8 TMA stores a tile"),
    ("QuACK 0.6.5, cooperative", "4 x 64x256x16", 58, 0, "16 STSM, 8 TMA stores a tile"),
    ("QuACK 0.6.5, ping-pong", "8 x 64x192x16", 68, 0, "24 STSM, 12 TMA stores, under the other warpgroup's products"),
    ("Triton 3.9, persistent, TMA", "4 x 64x256x16", 85, 0, "STSM and TMA stores"),
]
ATTENTION_PEERS = [
    ("FlashAttention 4.0.0b36, head of 128", 477, "6 to 29 of 66"),
    ("FlashAttention 4.0.0b36, head of 64", 434, "11 to 56 of 66"),
    ("Triton 3.9, tutorial, head of 128", 521, "0 of 66"),
    ("Triton 3.9, tutorial, head of 64", 470, "0 of 66"),
]

# Bytes that kernels are known to spill; all others spill none. Of attention: what is seen and added, size of a head,
# many queries or one; of an open number of tokens, caches and size of a head. Of layers: family, many tokens, one or
# an open number, kernel.
ATTENTION_SPILLS = {
    "cache-nothing 256 one": 4,
    "pages-nothing 256 one": 24,
    "pages-window 256 one": 24,
    "pages-open 64 few": 16,
    "pages-open 128 few": 8,
    "pages-open 256 few": 24,
}
LAYER_SPILLS = {
    "falcon-40b open linear_0": 124,
    "gpt-neox many linear_sum_0": 52,
    "gpt-neox open linear_sum_0": 60,
    "peri-ln open linear_0": 84,
    "phi many linear_sum_0": 52,
    "phi open linear_sum_0": 60,
    "stablelm-parallel one linear_0": 4,
    "vit-22b many linear_sum_0": 52,
    "vit-22b open linear_sum_0": 60,
}
