//===- ExactIntegers.cpp - finds integers that doubles lose ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/ExactIntegers.h"

#include "llvm/Support/Endian.h"

using namespace parablock;

llvm::Error parablock::checkExactAsDoubles(const llvm::Twine &what,
                                           ElementType type,
                                           llvm::ArrayRef<uint8_t> bytes) {
  if (type != ElementType::I64)
    return llvm::Error::success();
  for (size_t at = 0; at + sizeof(int64_t) <= bytes.size();
       at += sizeof(int64_t)) {
    auto value = llvm::support::endian::read<int64_t, llvm::endianness::little>(
        bytes.data() + at);
    if (!isExactAsDouble(value))
      return llvm::createStringError(
          what +
          ": expected integers that f64 holds, which from 2^53 on are "
          "not all, got " +
          llvm::Twine(value));
  }
  return llvm::Error::success();
}
