# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of PyTorch as parablock.from_torch has them."""

import torch
import transformers

import parablock

_SIZES = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64, "vocab_size": 61}
_IDS = {"input_ids": torch.zeros(2, 7, dtype=torch.int64)}
_MASK = {**_IDS, "attention_mask": torch.ones(2, 7, dtype=torch.int64)}


def _make(name, **options):
    config = getattr(transformers, f"{name[0]}Config")(**options)
    return getattr(transformers, "".join(name))(config).eval()


def _list_models():
    """Name, module, inputs, what is open."""
    size = {"num_key_value_heads": 1, "max_position_embeddings": 32}
    yield "torch-llama", _make(("Llama", "ForCausalLM"), **_SIZES, **size, use_cache=False), _IDS, None
    yield "torch-bert", _make(("Bert", "Model"), **_SIZES, max_position_embeddings=32), _MASK, None
    gpt2 = {"n_embd": 32, "n_layer": 1, "n_head": 2, "vocab_size": 61, "n_positions": 32}
    gpt2 |= {"bos_token_id": 0, "eos_token_id": 0}
    open_ids = {"input_ids": {0: torch.export.Dim("batch"), 1: torch.export.Dim("seq", max=32)}}
    yield "torch-gpt2", _make(("GPT2", "LMHeadModel"), **gpt2, use_cache=False), _IDS, open_ids


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, module, inputs, dims in _list_models():
        paths.append(folder / f"{name}.mlir")
        paths[-1].write_text(str(parablock.from_torch(module, (), dims, example_kwargs=inputs)))
    return paths
