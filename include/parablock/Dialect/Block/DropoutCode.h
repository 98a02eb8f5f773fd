//===- DropoutCode.h - code that drops elements -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_DROPOUTCODE_H
#define PARABLOCK_IR_DROPOUTCODE_H

#include "parablock/Dialect/Block/ElementCode.h"

namespace parablock {

/// Draws the elements that `#block.dropout` drops, in integers of 64 and 32
/// bits. Values are scalars or vectors; a scalar may be combined with a
/// vector.
class DropoutCode {
public:
  using Value = mlir::Value;
  /// Halves of a row's key, in 32 bits.
  struct RowKey {
    Value low, high;
  };

  DropoutCode(const RowCode &code, block::DropoutAttr form)
      : code(code), form(form) {}

  /// Returns the key of each of `rows`.
  RowKey createKey(Value seed, Value rows) const;
  /// Returns `number`, of a column of that row, after dropout.
  Value keep(Value number, const RowKey &key, Value column) const;

private:
  Value mix(Value z) const;
  /// Returns z ^ (z >> bits).
  Value fold(Value z, int64_t bits) const;

  const RowCode &code;
  block::DropoutAttr form;
};

} // namespace parablock

#endif // PARABLOCK_IR_DROPOUTCODE_H
