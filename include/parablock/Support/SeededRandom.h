//===- SeededRandom.h - Reproducible random numbers -------------*- C++ -*-===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every random element is a pure function of (seed, name, element index), so a
// tensor does not depend on the order of draws or on the other tensors drawn.
// All integer arithmetic is modulo 2^64:
//
//   fnv(name)      h = 0xCBF29CE484222325; per UTF-8 byte b:
//                  h = (h ^ b) * 0x100000001B3                      (FNV-1a 64)
//   splitmix64(x)  z = x + 0x9E3779B97F4A7C15
//                  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
//                  z = (z ^ (z >> 27)) * 0x94D049BB133111EB
//                  result z ^ (z >> 31)
//   state          splitmix64(splitmix64(seed) ^ fnv(name))
//   value(k)       splitmix64(state + k * 0x9E3779B97F4A7C15)
//   uniform(k)     (double(value(k) >> 11) + 0.5) * 2^-53, in double
//   arithmetic:
//                  never 0; the very last of its 2^53 values rounds to 1
//   normal(i)      sqrt(-2 ln uniform(2i)) * cos(2 pi uniform(2i + 1))
//
// test/golden/seeded.py is the same in NumPy. Integers and uniforms agree bit
// for bit everywhere; normals up to the last bits of the C library's log and
// cos.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_SEEDEDRANDOM_H
#define PARABLOCK_SUPPORT_SEEDEDRANDOM_H

#include "parablock/Support/SeededBits.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace parablock {

/// The numbers of one (seed, name): cheap to copy, stateless.
class SeededStream : public SeededBits {
public:
  using SeededBits::SeededBits;

  /// Mean 0, standard deviation 1.
  double normal(uint64_t index) const;
  /// A whole number in [0, bound), by value modulo bound; bound must not be 0.
  uint64_t integer(uint64_t index, uint64_t bound) const {
    return value(index) % bound;
  }

  /// Elements firstIndex, firstIndex + 1, ... of the stream.
  void fillUniform(uint64_t firstIndex,
                   llvm::MutableArrayRef<double> values) const;
  void fillNormal(uint64_t firstIndex,
                  llvm::MutableArrayRef<double> values) const;
};

} // namespace parablock

#endif // PARABLOCK_SUPPORT_SEEDEDRANDOM_H
