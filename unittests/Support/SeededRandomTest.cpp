//===- SeededRandomTest.cpp - The C++ and NumPy generators agree ----------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/SeededRandom.h"
#include "llvm/ADT/Twine.h"
#include "gtest/gtest.h"
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
    SCOPED_TRACE(
        (llvm::Twine(seed) + "/" + name + "/" + llvm::Twine(row.index)).str());
    EXPECT_EQ(stream.value(row.index), row.value);
    EXPECT_EQ(stream.uniform(row.index), row.uniform);
    EXPECT_LT(std::fabs(stream.normal(row.index) - row.normal), 1e-14);
  }
}
} // namespace

TEST(SeededRandomTest, HashesMatchTheirPublishedVectors) {
  EXPECT_EQ(fnv1a64(""), 0xCBF29CE484222325u) << "fnv of nothing";
  EXPECT_EQ(fnv1a64("foobar"), 0x85944171F73967E8u) << "fnv of foobar";
  EXPECT_EQ(splitmix64(0), 0xE220A8397B1DCDAFu)
      << "first output of splitmix64 seeded with 0";
}

TEST(SeededStreamTest, MatchesTheGeneratorInNumPy) {
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
}

TEST(SeededStreamTest, FillsStartWhereTheyAreTold) {
  SeededStream stream(3, "x");
  std::vector<double> uniforms(5), normals(5);
  stream.fillUniform(10, uniforms);
  stream.fillNormal(10, normals);
  EXPECT_EQ(uniforms[0], stream.uniform(10))
      << "fillUniform starts where it is told";
  EXPECT_EQ(uniforms[4], stream.uniform(14))
      << "fillUniform starts where it is told";
  EXPECT_EQ(normals[0], stream.normal(10))
      << "fillNormal starts where it is told";
  EXPECT_EQ(normals[4], stream.normal(14))
      << "fillNormal starts where it is told";
}

TEST(SeededStreamTest, AnotherNameOrSeedIsAnotherStream) {
  SeededStream stream(3, "x");
  EXPECT_NE(SeededStream(3, "y").value(0), stream.value(0))
      << "another name, another stream";
  EXPECT_NE(SeededStream(4, "x").value(0), stream.value(0))
      << "another seed, another stream";
}

TEST(SeededStreamTest, IntegersAreBelowTheirBound) {
  SeededStream stream(3, "x");
  for (uint64_t i = 0; i < 1000; ++i)
    EXPECT_LT(stream.integer(i, 7), 7u);
}

TEST(SeededStreamTest, NormalsHaveTheirMoments) {
  constexpr size_t count = 200000;
  std::vector<double> values(count);
  SeededStream(1, "moments").fillNormal(0, values);
  double sum = 0, squares = 0, neighbours = 0;
  for (size_t i = 0; i < count; ++i) {
    sum += values[i];
    squares += values[i] * values[i];
    neighbours += values[i] * values[(i + 1) % count];
  }
  EXPECT_LT(std::fabs(sum / count), 0.01) << "normal: mean 0";
  EXPECT_LT(std::fabs(squares / count - 1), 0.02) << "normal: variance 1";
  EXPECT_LT(std::fabs(neighbours / count), 0.01)
      << "normal: neighbours independent";
}
