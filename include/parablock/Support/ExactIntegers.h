//===- ExactIntegers.h - integers that doubles cannot hold ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tensors are held as doubles, which have gaps from 2^53 on. An integer that
// falls into one is an error where it is read, not another number.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_EXACTINTEGERS_H
#define PARABLOCK_SUPPORT_EXACTINTEGERS_H

#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace parablock {

/// Tells whether encodeElements makes of the double next to `value` that
/// integer again. It does of the largest one, which says "no bound" where it
/// stands.
inline bool isExactAsDouble(int64_t value) {
  auto number = static_cast<double>(value);
  return number < 0x1p63 ? static_cast<int64_t>(number) == value
                         : value == std::numeric_limits<int64_t>::max();
}

/// An error where `bytes`, the elements of `what`, have an integer that no
/// double holds.
llvm::Error checkExactAsDoubles(const llvm::Twine &what, ElementType type,
                                llvm::ArrayRef<uint8_t> bytes);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_EXACTINTEGERS_H
