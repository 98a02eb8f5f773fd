#!/bin/sh
# Holds while the model has a layer of index 7 and an MLP.
grep -q 'block.layer .* at 7 ' "$1" && grep -q block.mlp "$1"
