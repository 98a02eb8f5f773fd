// RUN: block-opt %s --block-unlisted
