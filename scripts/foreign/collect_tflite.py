# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints Keras models by TensorFlow Lite's converter and the converter from there to TOSA."""

import os
import pathlib
import re
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf
import tosa_converter_for_tflite as tosa
from tensorflow import keras

WIDTH, TOKENS, VOCABULARY = 32, 8, 61


def block(x, order="pre", activation="gelu", causal=False, heads=4):
    layers = keras.layers
    attention = layers.MultiHeadAttention(heads, WIDTH // heads)
    up, down = layers.Dense(64, activation=activation), layers.Dense(WIDTH)
    if order == "post":
        x = layers.LayerNormalization(epsilon=1e-6)(x + attention(x, x, use_causal_mask=causal))
        return layers.LayerNormalization(epsilon=1e-6)(x + down(up(x)))
    if order == "parallel":
        h = layers.LayerNormalization(epsilon=1e-6)(x)
        return x + attention(h, h, use_causal_mask=causal) + down(up(h))
    h = layers.LayerNormalization(epsilon=1e-6)(x)
    x = x + attention(h, h, use_causal_mask=causal)
    return x + down(up(layers.LayerNormalization(epsilon=1e-6)(x)))


def stream(batch=1):
    return keras.Input((TOKENS, WIDTH), batch_size=batch)


def of_stream(**options):
    x = stream()
    return keras.Model(x, block(x, **options))


def stack():
    x = stream()
    y = x
    for _ in range(3):
        y = block(y)
    return keras.Model(x, keras.layers.LayerNormalization(epsilon=1e-6)(y))


def mean_classes():
    x = stream()
    y = keras.layers.GlobalAveragePooling1D()(block(x))
    return keras.Model(x, keras.layers.Dense(5, activation="softmax")(y))


def first_classes():
    x = stream()
    y = keras.layers.Dense(WIDTH, activation="tanh")(block(x, order="post")[:, 0])
    return keras.Model(x, keras.layers.Dense(3)(y))


def language():
    ids = keras.Input((TOKENS,), batch_size=1, dtype="int32")
    x = keras.layers.Embedding(VOCABULARY, WIDTH)(ids)
    x = block(x, causal=True, activation="relu")
    return keras.Model(ids, keras.layers.Dense(VOCABULARY)(x))


def vision():
    image = keras.Input((16, 16, 3), batch_size=1)
    x = keras.layers.Conv2D(WIDTH, 4, 4)(image)
    x = keras.layers.Reshape((16, WIDTH))(x)
    y = keras.layers.GlobalAveragePooling1D()(block(x))
    return keras.Model(image, keras.layers.Dense(5)(y))


MODELS = {
    "pre_gelu": lambda: of_stream(),
    "pre_relu": lambda: of_stream(activation="relu"),
    "pre_silu": lambda: of_stream(activation="silu"),
    "causal": lambda: of_stream(causal=True),
    "post": lambda: of_stream(order="post"),
    "parallel": lambda: of_stream(order="parallel"),
    "one_head": lambda: of_stream(heads=1),
    "stack": stack,
    "mean_classes": mean_classes,
    "first_classes": first_classes,
    "language": language,
    "vision": vision,
}


# The converter prints TOSA as a later MLIR does; each row is a spelling of 22.
SPELLINGS = [
    (r"= tosa\.const_shape +values\((dense<.*> : tensor<[^>]*>)\) : \(\) -> ",
     r"= tosa.const_shape {values = \1} : () -> "),
    (r"= tosa\.const +values\((.*)\) : \(\) -> (tensor<.*>)$", r'= "tosa.const"() <{values = \1}> : () -> \2'),
    (r" axis\(([0-9]+)\) *:", r" {axis = \1 : i32} :"),
    (r" perms\(\[([0-9, ]*)\]\) *:", r" {perms = array<i32: \1>} :"),
    (r" pad\(\[([0-9, ]*)\]\) stride\(\[([0-9, ]*)\]\) dilation\(\[([0-9, ]*)\]\) acc_type\(([a-z0-9]+)\) *:",
     r" {acc_type = \4, dilation = array<i64: \3>, pad = array<i64: \1>, stride = array<i64: \2>} :"),
    (r" min_val\(([^)]*)\) max_val\(([^)]*)\) *:", r" {min_val = \1, max_val = \2} :"),
]


def convert(make):
    keras.utils.set_random_seed(0)
    model = make()
    random = np.random.default_rng(0)
    model.set_weights([w + 0.1 * random.standard_normal(w.shape).astype(w.dtype)
                       for w in model.get_weights()])
    data = tf.lite.TFLiteConverter.from_keras_model(model).convert()
    with tempfile.TemporaryDirectory() as folder:
        source, made = pathlib.Path(folder, "m.tflite"), pathlib.Path(folder, "m.mlir")
        source.write_bytes(data)
        tosa.tflite_flatbuffer_to_tosa_mlir(str(source), str(made), tosa.TosaConverterOutputFormat.Text)
        text = made.read_text()
    for pattern, spelling in SPELLINGS:
        text = re.sub(pattern, spelling, text, flags=re.MULTILINE)
    return text


def list_cases():
    for name, make in MODELS.items():
        yield f"tf-{name}-tosa-literal", lambda m=make: convert(m)
