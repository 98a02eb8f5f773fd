//===- DropoutCode.h - code of which elements are dropped -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_DROPOUTCODE_H
#define PARABLOCK_IR_DROPOUTCODE_H

#include "parablock/Dialect/Block/ElementCode.h"

namespace parablock {

/// Draws for elements as `#block.dropout` says, in integers of 64 and 32 bits:
/// numbers, or as many as a vector has lanes, one of which may stand beside
/// many.
class DropoutCode {
public:
  using Value = mlir::Value;
  /// The halves of a row's key, in 32 bits.
  struct RowKey {
    Value low, high;
  };

  DropoutCode(const RowCode &code, block::DropoutAttr form)
      : code(code), form(form) {}

  /// The key of each of `rows`.
  RowKey createKey(Value seed, Value rows) const;
  /// `number`, of a column of that row, as dropout leaves it.
  Value keep(Value number, const RowKey &key, Value column) const;

private:
  Value mix(Value z) const;
  /// z ^ (z >> bits).
  Value fold(Value z, int64_t bits) const;

  const RowCode &code;
  block::DropoutAttr form;
};

} // namespace parablock

#endif // PARABLOCK_IR_DROPOUTCODE_H
