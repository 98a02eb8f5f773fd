//===- NearestNameTest.cpp - tests of the name that was meant -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/NearestName.h"
#include "gtest/gtest.h"

using parablock::findNearestName;

TEST(NearestNameTest, IsTheNearest) {
  EXPECT_EQ(findNearestName("engin", {"target", "engine", "engines"}),
            "engine");
  EXPECT_EQ(findNearestName("tnah", {"tan", "tanh"}), "tan");
}

TEST(NearestNameTest, IsNoneBeyondTwoLetters) {
  EXPECT_EQ(findNearestName("blocks", {"target", "engine"}), "");
  EXPECT_EQ(findNearestName("engi", {"engine"}), "engine");
  EXPECT_EQ(findNearestName("eng", {"engine"}), "");
}
