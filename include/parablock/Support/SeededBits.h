//===- SeededBits.h - integers of seeded streams ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The integers and uniform numbers of SeededRandom.h, which defines them.
// Requires only the standard library, because the launcher, which links no
// LLVM, draws tokens with them, too.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_SEEDEDBITS_H
#define PARABLOCK_SUPPORT_SEEDEDBITS_H

#include <cstdint>
#include <string_view>

namespace parablock {

inline uint64_t fnv1a64(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325;
  for (char byte : text)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
  return hash;
}

inline uint64_t splitmix64(uint64_t x) {
  uint64_t z = x + 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

/// The integers of one (seed, name).
class SeededBits {
public:
  SeededBits(uint64_t seed, std::string_view name)
      : state(splitmix64(splitmix64(seed) ^ fnv1a64(name))) {}
  /// The stream with that state.
  explicit SeededBits(uint64_t state) : state(state) {}

  uint64_t getState() const { return state; }

  uint64_t value(uint64_t index) const {
    return splitmix64(state + index * 0x9E3779B97F4A7C15);
  }
  /// Uniform on (0, 1).
  double uniform(uint64_t index) const {
    return (static_cast<double>(value(index) >> 11) + 0.5) * 0x1p-53;
  }

private:
  uint64_t state;
};

} // namespace parablock

#endif // PARABLOCK_SUPPORT_SEEDEDBITS_H
