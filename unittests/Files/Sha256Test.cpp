//===- Sha256Test.cpp - the hash of a package's files ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Files/Sha256.h"

#include "Check.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace parablock;
using files::computeSha256;

int main() {
  // The examples of FIPS 180-4.
  CHECK_EQUAL(
      "abc", computeSha256("abc"),
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK_EQUAL(
      "nothing", computeSha256(""),
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  // Every length around the padding's edges, against another program.
  bool same = true;
  std::string text;
  for (unsigned length = 0; length < 200; ++length) {
    auto bytes = llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
    same &= computeSha256(text) == llvm::toHex(bytes, /*LowerCase=*/true);
    text += static_cast<char>(length * 7);
  }
  CHECK("all lengths", same);
  return unittest::finish();
}
