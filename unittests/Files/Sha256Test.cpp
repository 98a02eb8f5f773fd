//===- Sha256Test.cpp - the hash of a package's files ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Files/Sha256.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "gtest/gtest.h"

using namespace parablock;
using files::computeSha256;

TEST(Sha256Test, MatchesTheExamplesOfFips180) {
  EXPECT_EQ(computeSha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(computeSha256(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

/// Every length around the padding's edges, against another program.
TEST(Sha256Test, MatchesLlvmAtEveryLength) {
  std::string text;
  for (unsigned length = 0; length < 200; ++length) {
    auto bytes = llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
    EXPECT_EQ(computeSha256(text), llvm::toHex(bytes, /*LowerCase=*/true));
    text += static_cast<char>(length * 7);
  }
}
