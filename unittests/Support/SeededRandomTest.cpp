//===- SeededRandomTest.cpp - The C++ and NumPy generators agree ----------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/SeededRandom.h"
#include "Check.h"
#include <cmath>
#include <vector>

using namespace parablock;

namespace {
struct Expected {
  uint64_t index, value;
  double uniform, normal;
};

/// Checks rows that `python3 test/golden/seeded.py SEED NAME COUNT` printed.
void checkStream(uint64_t seed, llvm::StringRef name,
                 llvm::ArrayRef<Expected> rows) {
  SeededStream stream(seed, name);
  for (const Expected &row : rows) {
    std::string at =
        (llvm::Twine(seed) + "/" + name + "/" + llvm::Twine(row.index)).str();
    CHECK_EQUAL("value " + at, stream.value(row.index), row.value);
    CHECK("uniform " + at, stream.uniform(row.index) == row.uniform);
    CHECK("normal " + at,
          std::fabs(stream.normal(row.index) - row.normal) < 1e-14);
  }
}

void checkMoments() {
  constexpr size_t count = 200000;
  std::vector<double> values(count);
  SeededStream(1, "moments").fillNormal(0, values);
  double sum = 0, squares = 0, neighbours = 0;
  for (size_t i = 0; i < count; ++i) {
    sum += values[i];
    squares += values[i] * values[i];
    neighbours += values[i] * values[(i + 1) % count];
  }
  CHECK("normal: mean 0", std::fabs(sum / count) < 0.01);
  CHECK("normal: variance 1", std::fabs(squares / count - 1) < 0.02);
  CHECK("normal: neighbours independent", std::fabs(neighbours / count) < 0.01);
}
} // namespace

int main() {
  // The published test vectors of the two hashes.
  CHECK_EQUAL("fnv of nothing", fnv1a64(""), 0xCBF29CE484222325u);
  CHECK_EQUAL("fnv of foobar", fnv1a64("foobar"), 0x85944171F73967E8u);
  CHECK_EQUAL("first output of splitmix64 seeded with 0", splitmix64(0),
              0xE220A8397B1DCDAFu);

  // clang-format off
  checkStream(7, "h.0.attn.c_attn.weight", {
      {0, 0x94759caa283fe5ac, 0x1.28eb3954507fcp-1, 0.07140210529911271},
      {1, 0x3d36033afb494053, 0x1.e9b019d7da4a2p-3, 1.536768024734529},
      {2, 0x4d8c2a863ab7578c, 0x1.3630aa18eadd5p-2, -1.2122309394622703},
      {3, 0x0455561f7430f496, 0x1.155587dd0c3d0p-6, -0.6282537464697052}});
  checkStream(0, "", {
      {0, 0xa6bbc8dcbe30928c, 0x1.4d7791b97c612p-1, 0.9239550267290397}});
  checkStream(18446744073709551615u, "größe", {
      {0, 0x6b36e9f681116685, 0x1.acdba7da04459p-2, 0.9492648129793586},
      {1, 0x1f47a87942b57cfc, 0x1.f47a87942b57cp-4, -1.1500172446132921}});
  // clang-format on

  SeededStream stream(3, "x");
  std::vector<double> uniforms(5), normals(5);
  stream.fillUniform(10, uniforms);
  stream.fillNormal(10, normals);
  CHECK("fillUniform starts where it is told",
        uniforms[0] == stream.uniform(10) && uniforms[4] == stream.uniform(14));
  CHECK("fillNormal starts where it is told",
        normals[0] == stream.normal(10) && normals[4] == stream.normal(14));
  CHECK("another name, another stream",
        SeededStream(3, "y").value(0) != stream.value(0));
  CHECK("another seed, another stream",
        SeededStream(4, "x").value(0) != stream.value(0));
  bool inRange = true;
  for (uint64_t i = 0; i < 1000; ++i)
    inRange &= stream.integer(i, 7) < 7;
  CHECK("integers below their bound", inRange);
  checkMoments();
  return unittest::finish();
}
