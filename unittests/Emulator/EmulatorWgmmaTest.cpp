//===- EmulatorWgmmaTest.cpp - Warpgroup matrix multiplication ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The host lays operands out the way tensor copies write them: rows of a box
// one after the other, chunks of 16 bytes exchanged by address bits; without
// swizzling as core matrices of 8 rows of 16 bytes.
//
//===----------------------------------------------------------------------===//

#include "WgmmaKernel.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace parablock;
using namespace parablock::unittest;
using llvm::Twine;

static constexpr unsigned depth = 16, numRows = 64;
/// Where B begins in the image.
static constexpr unsigned startB = 8192;

namespace {
/// An operand of `count` rows of A, or columns of B, by (i, k).
struct Operand {
  unsigned count;
  bool isMNMajor;
  unsigned span;

  /// Where element (i, k) lies from the start of the operand.
  unsigned locate(unsigned i, unsigned k) const {
    unsigned along = isMNMajor ? i : k, across = isMNMajor ? k : i;
    if (span == 0) {
      unsigned core =
          isMNMajor ? along / 8 * 2 + across / 8 : across / 8 * 2 + along / 8;
      return core * 128 + across % 8 * 16 + along % 8 * 2;
    }
    unsigned perRow = span / 2, lines = isMNMajor ? depth : count;
    unsigned address =
        along / perRow * lines * span + across * span + along % perRow * 2;
    unsigned chunkBits = span / 16 - 1;
    return address ^ ((address / 128 & chunkBits) << 4);
  }

  /// Leading and stride offset, swizzle mode.
  uint64_t describe() const {
    unsigned leading, stride;
    if (span == 0) {
      leading = 128;
      stride = 256;
    } else {
      leading = isMNMajor ? depth * span : 16;
      stride = 8 * span;
    }
    uint64_t mode = span == 0 ? 0 : span == 128 ? 1 : span == 64 ? 2 : 3;
    return uint64_t(leading / 16) << 16 | uint64_t(stride / 16) << 32 |
           mode << 62;
  }
};

class EmulatorWgmmaCaseTest : public testing::TestWithParam<WgmmaCase> {};
} // namespace

static unsigned getLane(unsigned row, unsigned column) {
  return row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
}

TEST_P(EmulatorWgmmaCaseTest, MatchesDouble) {
  const WgmmaCase &test = GetParam();
  unsigned columns = test.columns, count = columns / 2;
  std::vector<double> a = drawValues("a", numRows * depth),
                      b = drawValues("b", depth * columns),
                      c = drawValues("c", numRows * columns);
  auto encode = [&](double value) {
    return test.isF16 ? toF16Bits(value) : toBF16Bits(value);
  };
  Operand layoutA = {numRows, test.transposeA, test.span};
  Operand layoutB = {columns, test.transposeB, test.span};
  std::vector<uint16_t> image(wgmmaImageBytes / 2), registers(128 * 8);
  for (unsigned i = 0; i < numRows; ++i)
    for (unsigned k = 0; k < depth; ++k) {
      uint16_t bits = encode(a[i * depth + k]);
      image[layoutA.locate(i, k) / 2] = bits;
      unsigned slot = (i % 16 >= 8 ? 1 : 0) + (k >= 8 ? 2 : 0);
      registers[(getLane(i, k) * 4 + slot) * 2 + k % 2] = bits;
    }
  for (unsigned j = 0; j < columns; ++j)
    for (unsigned k = 0; k < depth; ++k)
      image[(startB + layoutB.locate(j, k)) / 2] = encode(b[k * columns + j]);
  auto locate = [&](unsigned row, unsigned column) {
    return getLane(row, column) * count + column / 8 * 4 +
           (row % 16 >= 8 ? 2 : 0) + column % 2;
  };
  std::vector<float> in(128 * count);
  for (unsigned row = 0; row < numRows; ++row)
    for (unsigned column = 0; column < columns; ++column)
      in[locate(row, column)] = static_cast<float>(c[row * columns + column]);

  TestDevice device;
  auto *out = device.makeRoom<float>(in.size(), "out");
  LaunchResult result =
      run(device, makeWgmmaKernel(test), "k", oneCta(128, wgmmaImageBytes),
          {KernelArgument::of(device.put(image, "image")),
           KernelArgument::of(layoutA.describe()),
           KernelArgument::of(layoutB.describe() + startB / 16),
           KernelArgument::of(device.put(registers, "registers")),
           KernelArgument::of(device.put(in, "in")), KernelArgument::of(out)});
  EXPECT_THAT(result, IsClean());
  std::vector<float> got = device.get(out, in.size());
  double worst = 0;
  for (unsigned row = 0; row < numRows; ++row)
    for (unsigned column = 0; column < columns; ++column) {
      double want = 0;
      for (unsigned k = 0; k < depth; ++k)
        want += a[row * depth + k] * b[k * columns + column];
      want *= test.scaleA * test.scaleB;
      if (test.scaleD)
        want += c[row * columns + column];
      worst = std::max(worst, std::fabs(got[locate(row, column)] - want));
    }
  EXPECT_LT(worst, 1e-6);
}

/// A pattern that starts in the middle of itself is refused.
TEST(EmulatorWgmmaTest, RefusesAStartInsideOfAPattern) {
  WgmmaCase test;
  TestDevice device;
  Operand layout = {64, false, 128};
  std::vector<float> in(128 * 32);
  std::vector<uint16_t> image(wgmmaImageBytes / 2);
  LaunchResult result =
      run(device, makeWgmmaKernel(test), "k", oneCta(128, wgmmaImageBytes),
          {KernelArgument::of(device.put(image, "image")),
           KernelArgument::of(layout.describe() + 256 / 16),
           KernelArgument::of(layout.describe() + startB / 16),
           KernelArgument::of(device.put(image, "registers")),
           KernelArgument::of(device.put(in, "in")),
           KernelArgument::of(device.makeRoom<float>(in.size(), "out"))});
  EXPECT_THAT(result, Reports(ReportKind::BadOperand, "wgmma",
                              "inside a swizzle pattern of 1024 bytes"))
      << "start inside a pattern";
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static std::vector<WgmmaCase> listWidths() {
  std::vector<WgmmaCase> cases;
  for (unsigned columns = 8; columns <= 256; columns += 8) {
    WgmmaCase test;
    test.columns = columns;
    test.isF16 = columns % 16 == 8;
    cases.push_back(test);
  }
  return cases;
}

static std::vector<WgmmaCase> listLayouts() {
  std::vector<WgmmaCase> cases;
  for (unsigned span : {0u, 32u, 64u, 128u})
    for (bool transposeA : {false, true})
      for (bool transposeB : {false, true}) {
        WgmmaCase test;
        test.columns = 128;
        test.span = span;
        test.transposeA = transposeA;
        test.transposeB = transposeB;
        cases.push_back(test);
        if (transposeA)
          continue;
        test.inRegisters = true;
        cases.push_back(test);
      }
  return cases;
}

static std::vector<WgmmaCase> listScales() {
  std::vector<WgmmaCase> cases;
  for (bool inRegisters : {false, true})
    for (int scaleD : {0, 1})
      for (int scaleA : {1, -1})
        for (int scaleB : {1, -1}) {
          WgmmaCase test;
          test.columns = 16;
          test.inRegisters = inRegisters;
          test.scaleD = scaleD;
          test.scaleA = scaleA;
          test.scaleB = scaleB;
          cases.push_back(test);
        }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Widths, EmulatorWgmmaCaseTest,
                         testing::ValuesIn(listWidths()));
INSTANTIATE_TEST_SUITE_P(Layouts, EmulatorWgmmaCaseTest,
                         testing::ValuesIn(listLayouts()));
INSTANTIATE_TEST_SUITE_P(Scales, EmulatorWgmmaCaseTest,
                         testing::ValuesIn(listScales()));
