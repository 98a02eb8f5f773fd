# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The walk of somebody who has a model in PyTorch: user.py FOLDER, an empty one.

What it calls is in docs/use/Python.md; python/tests/test_journeys.py runs it.
"""

import os
import subprocess
import sys

import numpy as np
import torch
import transformers

import parablock

torch.set_grad_enabled(False)
os.chdir(sys.argv[1])


def say(title):
    print(f"== {title}", flush=True)


def compare(own, expected):
    distance = np.linalg.norm(np.asarray(own) - np.asarray(expected)) / np.linalg.norm(expected)
    print("as PyTorch" if distance < 1e-5 else f"off by {distance}", flush=True)


def run(*arguments):
    done = subprocess.run([sys.executable, "-m", "parablock", *arguments], text=True, capture_output=True)
    print(done.stdout + done.stderr, end="" if done.returncode == 0 else f"exit {done.returncode}\n")


say("an encoder from PyTorch, with a tokenizer's dictionary")
torch.manual_seed(1)
config = transformers.BertConfig(
    num_hidden_layers=2, hidden_size=64, num_attention_heads=4, intermediate_size=128, vocab_size=97
)
module = transformers.BertModel(config).eval()
ids = torch.randint(5, 97, (2, 12))
mask = torch.ones_like(ids)
mask[1, 7:] = 0
tokens = {"input_ids": ids, "token_type_ids": torch.zeros_like(ids), "attention_mask": mask}
expected = module(**tokens)
model = parablock.from_torch(module, (), example_kwargs=tokens).optimize()
print(model.explain())
results = model.compile()(**tokens)
compare(results.last_hidden_state[mask.bool()], expected.last_hidden_state[mask.bool()])
compare(results.pooler_output, expected.pooler_output)

say("an argument that is wrong is named")
for call in (
    lambda: model.compile()(input_ids=ids),
    lambda: model.compile()(**{**tokens, "input_ids": ids.int()}),
    lambda: model.drift(tokens, add_biasses=True),
):
    try:
        call()
    except parablock.Error as error:
        print(str(error)[:110])

say("torch.compile")
compiled = torch.compile(module, backend="parablock")(**tokens)
compare(compiled.last_hidden_state[mask.bool()], expected.last_hidden_state[mask.bool()])
print("recognised", parablock.stats()["recognised"]["attention"], "attentions")

say("its checkpoint, without PyTorch in the way")
module.save_pretrained("encoder")
encoder = parablock.from_pretrained("encoder").compile()
arrays = {name: tensor.numpy() for name, tensor in tokens.items()}
compare(encoder(**arrays).last_hidden_state[mask.bool()], expected.last_hidden_state[mask.bool()])

say("a decoder, by command")
config = transformers.LlamaConfig(
    num_hidden_layers=2, hidden_size=64, num_attention_heads=4, num_key_value_heads=2,
    intermediate_size=128, vocab_size=97, use_cache=False,
)
decoder = transformers.LlamaForCausalLM(config).eval()
decoder.save_pretrained("decoder")
run("explain", "decoder")
run("explain", "decoder", "--require=block-fuse-output-projections")
run("report", "decoder", "-o", "decoder.html")
run("bench", "decoder", "--dims=batch=1,seq=16", "--repeat=1", "--threads=1", "--peers=torch", "--json=bench.json")

say("a package for a GPU, run as its device code on the CPU")
model = parablock.from_pretrained("decoder").optimize(chip="sm_90a", require=["block-form-kernels"])
print(sorted(path.name for path in model.save("decoder.pbk").iterdir()))
short = ids[:1, :5]
compare(model.compile("emulate:sm_90a")(short).logits, decoder(short).logits)
