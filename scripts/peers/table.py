# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The peers of each suite of block-bench: what they need, and what they can do."""

import dataclasses

TORCH, JAX, ONNX = ("torch",), ("jax", "jaxlib"), ("onnx",)
DECODER = (*TORCH, "transformers")
#: An engine that rounds rows does other work than was asked for.
ROUNDS = "rounds rows to 8 bits"
CODES = ("int8", "int4-g128")


@dataclasses.dataclass(frozen=True)
class Peer:
    """Modules that a peer needs beside NumPy, its columns (all of the suite where none are named), what it does by
    column that was not asked for, and for decoders the module and class of its loop."""

    needs: tuple
    columns: tuple = ()
    differs: dict = dataclasses.field(default_factory=dict)
    loop: tuple = ()


PEERS = {
    "cpu": {
        "onnxruntime": Peer((*ONNX, "onnxruntime"), ("f32", *CODES)),
        "torch": Peer(TORCH),
        "torch.compile": Peer(TORCH, ("f32", "bf16")),
        "iree": Peer((*ONNX, "iree.compiler", "iree.runtime"), ("f32",)),
        "openvino": Peer((*ONNX, "openvino")),
        "openvino.rounded-rows": Peer((*ONNX, "openvino"), CODES, dict.fromkeys(CODES, ROUNDS)),
        "jax": Peer(JAX, ("f32", "bf16")),
        "ctranslate2": Peer(("ctranslate2",), ("f32", "bf16", "int8")),
    },
    "train": {"torch": Peer(TORCH), "torch.compile": Peer(TORCH), "jax": Peer(JAX)},
    "decode": {
        "parablock": Peer(("parablock",), loop=("ours", "Parablock")),
        "torch": Peer(DECODER, loop=("torch_peers", "Loop")),
        "torch.generate": Peer(DECODER, loop=("torch_peers", "Generate")),
        "torch.compile": Peer(DECODER, ("f32", "bf16"), loop=("torch_peers", "Loop")),
        "ctranslate2": Peer(("ctranslate2",), ("f32", "bf16", "int8"),
                            {"int8": "has codes for the head as well, and rounds rows to 8 bits"},
                            ("ctranslate2_peer", "CTranslate2")),
        "openvino": Peer(("openvino",), loop=("openvino_peer", "OpenVino")),
        "openvino-genai": Peer(("openvino", "openvino_genai"), loop=("openvino_genai_peer", "OpenVinoGenai")),
        "onnxruntime-genai": Peer((*ONNX, "onnxruntime_genai"), ("f32", *CODES), loop=("onnx_peer", "OnnxRuntime")),
        "llama.cpp": Peer(("gguf", "xllamacpp"), (), dict.fromkeys(CODES, ROUNDS), ("llama_cpp_peer", "LlamaCpp")),
    },
}
#: What is said of a peer that has no row in a suite's table.
UNKNOWN = {"cpu": "runs no layer alone", "train": "does not train", "decode": "does not generate"}
