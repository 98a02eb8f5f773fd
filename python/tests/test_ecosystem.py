# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training loops, adapters and processes of other libraries."""

from __future__ import annotations

import copy
import gc
from pathlib import Path
from typing import Any

import peft
import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as processes
import transformers as hf
from families import FAMILIES, VOCABULARY, make_inputs
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel

import parablock
from parablock.training.backward import BackwardRun


@pytest.fixture(autouse=True)
def _anew() -> None:
    torch.compiler.reset()


def _make_llama() -> Any:
    module = FAMILIES["llama"].make()
    module.config.use_cache = False
    return module


def _fit(module: Any, folder: Path, *, bf16: bool = False) -> list[float]:
    """Losses of the steps of transformers' own loop."""
    ids = torch.randint(5, VOCABULARY, (8, 11), generator=torch.Generator().manual_seed(3))
    rows = [{"input_ids": row, "labels": row} for row in ids]
    arguments = hf.TrainingArguments(
        output_dir=str(folder),
        max_steps=6,
        per_device_train_batch_size=2,
        learning_rate=3e-3,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        use_cpu=True,
        bf16=bf16,
        disable_tqdm=True,
        gradient_accumulation_steps=2,
    )
    trainer = hf.Trainer(model=module, args=arguments, train_dataset=rows)
    trainer.train()
    return [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]


@pytest.mark.parametrize("is_narrow", [False, True])
def test_the_trainer_of_transformers(tmp_path: Path, is_narrow: bool) -> None:
    """In f32, and in bf16 by the autocast that it puts into the module's forward."""
    torch.compiler.reset()
    before = parablock.stats()
    module = _make_llama()
    module.compile(backend="parablock")
    ours = _fit(module, tmp_path, bf16=is_narrow)
    after = parablock.stats()
    assert after["differentiated"] > before["differentiated"]
    assert after["recognised"]["attention"] >= before["recognised"].get("attention", 0) + 2
    theirs = _fit(_make_llama(), tmp_path, bf16=is_narrow)
    assert ours == pytest.approx(theirs, rel=1e-2 if is_narrow else 1e-3)
    assert ours[-1] < ours[0]


def test_adapters_of_low_rank() -> None:
    """Factors of peft are weights of their own, and alone have gradients."""
    torch.manual_seed(4)
    config = peft.LoraConfig(r=4, target_modules=["q_proj", "v_proj"], lora_dropout=0.0)
    module = peft.get_peft_model(_make_llama(), config)
    for name, parameter in module.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(parameter)
    (ids,) = make_inputs(FAMILIES["llama"])
    other = copy.deepcopy(module)
    before = parablock.stats()
    compiled = torch.compile(module, backend="parablock")
    compiled(input_ids=ids).logits.square().mean().backward()
    other(input_ids=ids).logits.square().mean().backward()
    grads = {n: p.grad for n, p in module.named_parameters() if p.grad is not None}
    assert len(grads) == 8 and all("lora_" in name for name in grads)
    for name, parameter in other.named_parameters():
        if parameter.grad is not None:
            torch.testing.assert_close(grads[name], parameter.grad, rtol=1e-4, atol=1e-5)
    assert parablock.stats()["differentiated"] > before["differentiated"]


def _make_step(module: torch.nn.Module, ids: torch.Tensor) -> Any:
    return parablock.from_torch(module, (ids,)).compile("cpu", training=True, threads=1)


def _join(rank: int, folder: str) -> torch.Tensor:
    """Makes this process one of two, and gives its half of the rows."""
    store = dist.FileStore(f"{folder}/store", 2)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=2)
    (ids,) = make_inputs(FAMILIES["llama"], batch=4)
    return ids[2 * rank : 2 * rank + 2]


def _leave() -> None:
    """Lets gloo's thread finish what it has of Python, and ends the group."""
    gc.collect()
    dist.barrier()
    dist.destroy_process_group()


def _differentiate_part(rank: int, folder: str) -> None:
    own = _join(rank, folder)
    module = _make_llama()
    step = _make_step(module, own)
    # Buckets so small that each layer has some of its own.
    parallel = DistributedDataParallel(step, bucket_cap_mb=0.01)
    events: list[str] = []
    proceed = BackwardRun.proceed

    def watch(run: BackwardRun) -> dict[str, torch.Tensor]:
        made = proceed(run)
        events.append("segment")
        return made

    # A function with annotations of its own is not taken where they are strings.
    parallel.register_comm_hook(
        None, lambda state, bucket: (events.append("bucket"), allreduce_hook(state, bucket))[1]
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BackwardRun, "proceed", watch)
        for _ in range(2):
            events.clear()
            parallel.zero_grad()
            parallel(own).logits.square().mean().backward()
    assert events.count("segment") == len(step.list_released()) == 4
    # What is reduced once the last layer is done waits for no other one.
    assert "bucket" in events[events.index("segment") : _find_last(events, "segment")]
    torch.save({n: p.grad for n, p in module.named_parameters()}, f"{folder}/{rank}.pt")
    # Its reducer would join gloo's thread under Python's lock, which that may wait for.
    del parallel
    _leave()


def _find_last(events: list[str], event: str) -> int:
    return len(events) - 1 - events[::-1].index(event)


def _differentiate_shards(rank: int, folder: str) -> None:
    own = _join(rank, folder)
    module = _make_llama()
    mesh = init_device_mesh("cpu", (2,))
    for layer in module.model.layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(module, mesh=mesh)
    for layer in module.model.layers:
        layer.compile(backend="parablock")
    module(own).logits.square().mean().backward()
    assert parablock.stats()["differentiated"] == 1  # all layers are one graph
    assert not parablock.stats()["fallbacks"]
    grads = {n: p.grad.full_tensor() for n, p in module.named_parameters()}
    torch.save(grads, f"{folder}/{rank}.pt")
    _leave()


@pytest.mark.parametrize("work", [_differentiate_part, _differentiate_shards])
def test_two_processes_have_the_gradients_of_one(work: Any, tmp_path: Path) -> None:
    processes.spawn(work, (str(tmp_path),), nprocs=2)
    (ids,) = make_inputs(FAMILIES["llama"], batch=4)
    module = _make_llama()
    _make_step(module, ids)(ids).logits.square().mean().backward()
    parts = [torch.load(tmp_path / f"{rank}.pt") for rank in range(2)]
    for name, parameter in module.named_parameters():
        assert torch.equal(parts[0][name], parts[1][name])
        torch.testing.assert_close(parts[0][name], parameter.grad, rtol=1e-4, atol=1e-5)
