//===- LogitsTest.cpp - conversions of logits to f32 ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/Logits.h"
#include "parablock/Support/FloatFormats.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace parablock;
using namespace parablock::generation;

/// Compares with the reference conversion of stored floats.
static void expectAgreement(ElementType type, const void *data, size_t count) {
  llvm::StringRef keyword = getElementTypeKeyword(type);
  ASSERT_TRUE(isLogitsType(keyword));
  std::vector<float> found(count);
  readLogits(keyword, data, count, found.data());
  std::vector<double> wanted(count);
  decodeElements(
      type, {static_cast<const uint8_t *>(data), count * getElementSize(type)},
      wanted);
  for (size_t i = 0; i < count; ++i)
    if (std::isnan(wanted[i]))
      EXPECT_TRUE(std::isnan(found[i])) << i;
    else
      EXPECT_EQ(llvm::bit_cast<uint32_t>(found[i]),
                llvm::bit_cast<uint32_t>(static_cast<float>(wanted[i])))
          << i;
}

TEST(LogitsTest, AllNumbersOf16Bits) {
  std::vector<uint16_t> all(1 << 16);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<uint16_t>(i);
  expectAgreement(ElementType::BF16, all.data(), all.size());
  expectAgreement(ElementType::F16, all.data(), all.size());
}

TEST(LogitsTest, WiderNumbers) {
  const float narrow[] = {0.f, -0.f, 1.5f, -3e38f, 1e-40f, INFINITY, NAN};
  expectAgreement(ElementType::F32, narrow, std::size(narrow));
  const double wide[] = {0., -1e300, 0.1, 1 + 0x1p-24, 1e-50, -INFINITY, NAN};
  expectAgreement(ElementType::F64, wide, std::size(wide));
}

TEST(LogitsTest, OtherTypes) {
  EXPECT_FALSE(isLogitsType("i64"));
  EXPECT_FALSE(isLogitsType("F32"));
}
