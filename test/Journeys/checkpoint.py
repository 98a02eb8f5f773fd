# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The walk of somebody who has a checkpoint of their own: checkpoint.py FOLDER, an empty one.

It trains a model for a few steps beside PyTorch, and runs what it saved by each door;
all numbers are held against PyTorch's. python/tests/test_journeys.py runs this.
"""

import copy
import os
import sys

import numpy as np
import torch
import transformers

import parablock

os.chdir(sys.argv[1])


def say(title):
    print(f"== {title}", flush=True)


def compare(own, expected, limit=1e-5):
    own, expected = (np.asarray(each, np.float64) for each in (own, expected))
    distance = np.linalg.norm(own - expected) / np.linalg.norm(expected)
    print("as PyTorch" if distance < limit else f"off by {distance}", flush=True)


def train(call, parameters, batches):
    optimizer = torch.optim.AdamW(parameters, lr=1e-2)
    losses = []
    for batch in batches:
        logits = call(batch).logits[:, :-1].reshape(-1, 61)
        loss = torch.nn.functional.cross_entropy(logits, batch[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


say("a model of odd sizes, trained for eight steps, beside PyTorch")
torch.manual_seed(7)
config = transformers.MistralConfig(
    vocab_size=61, hidden_size=48, intermediate_size=88, num_hidden_layers=2,
    num_attention_heads=6, num_key_value_heads=2, head_dim=8, sliding_window=7,
    max_position_embeddings=64, use_cache=False,
    pad_token_id=0, bos_token_id=1, eos_token_id=2,
)
module = transformers.MistralForCausalLM(config)
other = copy.deepcopy(module)
batches = [torch.arange(13 * n, 13 * n + 3 * 19).reshape(3, 19) % 58 + 3 for n in range(8)]
step = parablock.from_torch(module, (batches[0],)).compile("cpu", training=True)
losses = train(step, module.parameters(), batches)
compare(losses, train(other, other.parameters(), batches), 1e-4)
print("it learns:", losses[-1] < 0.7 * losses[0])

torch.set_grad_enabled(False)
module.eval().save_pretrained("mine", max_shard_size="60KB")
ids = batches[3][:2, :11]
expected = module(ids).logits

say("the saved weights, with and without PyTorch")
stored = parablock.from_pretrained("mine")
print(stored.explain())
for target in ("cpu", "reference", "emulate:sm_80"):
    compare(stored.optimize().compile(target)(ids.numpy()).logits, expected)
compare(parablock.from_torch(module, (ids,)).optimize().compile()(ids).logits, expected)

say("bf16, as far as bf16 goes")
narrow = parablock.from_pretrained("mine", dtype="bf16").compile()(ids).logits
floor = copy.deepcopy(module).bfloat16()(ids).logits.float()
distances = [torch.linalg.norm(each.float() - expected).item() for each in (narrow, floor)]
print("no worse than PyTorch's:", distances[0] < 1.5 * distances[1])

say("tokens, one by one")
module.config.use_cache = True
options = {"max_new_tokens": 12, "do_sample": False}
wanted = module.generate(ids, **options)
print(torch.equal(parablock.generation(module).generate(ids, **options), wanted))
tokens = stored.generator().generate(ids.numpy(), max_new_tokens=12)
print(np.array_equal(tokens[:, : wanted.shape[1]], wanted))

say("codes, and layers side by side, cost what is said")
codes = stored.optimize(weights="int8").compile()(ids.numpy()).logits
distance = np.linalg.norm(codes - expected.numpy()) / torch.linalg.norm(expected).item()
print("int8 is near:", distance < 0.05, "and not the same:", distance > 1e-5)
drift = stored.drift(ids.numpy(), budget=1e9)
parallel = stored.optimize(parallel=drift)
print(drift.chosen, "approximate" in str(parallel.explain()))
own = parallel.compile()(ids.numpy()).logits
shares = [torch.log_softmax(torch.as_tensor(each, dtype=torch.float64), -1) for each in (expected, own)]
# The first row chose, the second one confirms.
apart = (shares[0].exp() * (shares[0] - shares[1])).sum(-1)[1].mean().item()
print("as it was measured:", abs(apart / drift.to_dict()["measured_kl"] - 1) < 0.01)
