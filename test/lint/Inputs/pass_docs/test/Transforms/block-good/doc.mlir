// RUN: block-opt %s \
// RUN:   --block-good="level=2"
