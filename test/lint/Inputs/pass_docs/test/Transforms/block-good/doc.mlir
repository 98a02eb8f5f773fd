// RUN: block-opt %s \
// RUN:   --block-good="level=2"
// The option of one pass is not that of another.
// RUN: block-opt %s --block-derived --block-good=level=2
// RUN: block-opt %s --block-derived-too=level=2
