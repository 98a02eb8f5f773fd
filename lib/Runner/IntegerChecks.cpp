//===- IntegerChecks.cpp - ids and lengths that make sense ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Runner/IntegerChecks.h"

using namespace parablock;

llvm::Error
runner::checkIntegers(llvm::StringRef name, const InputFact &fact, size_t count,
                      llvm::function_ref<int64_t(size_t)> getValue) {
  std::optional<int64_t> most = fact.packedTokens;
  if (fact.tableRows)
    most = *fact.tableRows - 1;
  if (fact.tokens)
    most = std::min(most.value_or(*fact.tokens), *fact.tokens);
  for (size_t i = 0; most && i < count; ++i)
    if (int64_t value = getValue(i); value < 0 || value > *most)
      return llvm::createStringError("input '" + name + "': expected 0 to " +
                                     llvm::Twine(*most) + ", got " +
                                     llvm::Twine(value));
  for (size_t i = 0; fact.packedTokens && i < count; ++i) {
    int64_t before = i == 0 ? 0 : getValue(i - 1), value = getValue(i);
    if (i == 0 ? value != 0 : value < before)
      return llvm::createStringError(
          "input '" + name + "': expected element " + llvm::Twine(i) +
          (i == 0 ? " to be " : " to be at least ") + llvm::Twine(before) +
          ", got " + llvm::Twine(value));
  }
  return llvm::Error::success();
}
