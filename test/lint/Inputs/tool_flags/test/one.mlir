// RUN: block-weights --recipe=r.json in.safetensors -o out.safetensors
