//===- TensorPartTest.cpp - a box of elements in a tensor -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/TensorPart.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace parablock;
using Sizes = std::vector<int64_t>;

/// Element by element.
static std::vector<double> pick(const Sizes &shape, const TensorPart &part) {
  std::vector<double> result;
  uint64_t total = *countElements(part.sizes);
  for (uint64_t i = 0; i < total; ++i) {
    uint64_t rest = i, position = 0, stride = 1;
    for (size_t dim = shape.size(); dim-- > 0;) {
      position += (part.offsets[dim] + rest % part.sizes[dim]) * stride;
      rest /= part.sizes[dim];
      stride *= shape[dim];
    }
    result.push_back(static_cast<double>(position));
  }
  return result;
}

static void checkPart(const Sizes &shape, const Sizes &offsets,
                      const Sizes &sizes) {
  std::vector<double> all(*countElements(shape));
  std::iota(all.begin(), all.end(), 0.0);
  TensorPart part{offsets, sizes};
  EXPECT_EQ(copyPart(all, shape, part), pick(shape, part)) << "in memory";

  SafeTensorsEntry entry;
  entry.type = ElementType::F32;
  entry.shape.assign(shape.begin(), shape.end());
  std::vector<uint8_t> bytes(all.size() * 4);
  encodeElements(entry.type, all, bytes);
  entry.bytes = bytes;
  EXPECT_EQ(decodePart(entry, part), pick(shape, part)) << "in a file";
}

TEST(TensorPartTest, IsTheSameInMemoryAndInAFile) {
  checkPart({6}, {2}, {3});
  checkPart({6, 5}, {0, 0}, {6, 5});
  checkPart({6, 5}, {2, 0}, {3, 5});
  checkPart({6, 5}, {0, 1}, {6, 2});
  checkPart({6, 5}, {5, 4}, {1, 1});
  checkPart({3, 4, 5}, {1, 2, 0}, {2, 2, 5});
  checkPart({3, 4, 5}, {0, 1, 3}, {3, 2, 2});
  checkPart({}, {}, {});
}

TEST(TensorPartTest, WholeRowsAreOneRun) {
  unsigned numRuns = 0;
  forEachRun({6, 5}, {{2, 0}, {3, 5}}, [&](uint64_t begin, uint64_t count) {
    ++numRuns;
    EXPECT_EQ(begin, 10u);
    EXPECT_EQ(count, 15u);
  });
  EXPECT_EQ(numRuns, 1u);
}
