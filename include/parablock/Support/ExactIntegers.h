//===- ExactIntegers.h - integers and doubles -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tensors are held as doubles, which have gaps above 2^53. Reading an integer
// that no double represents is an error.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_EXACTINTEGERS_H
#define PARABLOCK_SUPPORT_EXACTINTEGERS_H

#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace parablock {

/// Returns whether encodeElements converts the double nearest to `value`
/// back to that integer. True for the largest integer, which means "no
/// bound".
inline bool isExactAsDouble(int64_t value) {
  auto number = static_cast<double>(value);
  return number < 0x1p63 ? static_cast<int64_t>(number) == value
                         : value == std::numeric_limits<int64_t>::max();
}

/// Returns the integer that `number` stands for: the largest one for what is
/// above all, which is the double nearest to it.
inline int64_t toInteger(double number) {
  return number < 0x1p63 ? static_cast<int64_t>(number)
                         : std::numeric_limits<int64_t>::max();
}

/// Returns an error if `bytes`, the elements of `what`, contain an integer that
/// no double represents.
llvm::Error checkExactAsDoubles(const llvm::Twine &what, ElementType type,
                                llvm::ArrayRef<uint8_t> bytes);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_EXACTINTEGERS_H
