//===- SdpaDropout.h - dropout in attention ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPADROPOUT_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPADROPOUT_H

#include "SdpaFrame.h"
#include "parablock/Dialect/Block/DropoutCode.h"

namespace parablock::cpugen {

/// The dropped weights of a block of queries, if any.
class SdpaDropout {
public:
  explicit SdpaDropout(const SdpaFrame &sdpa) : sdpa(sdpa) {}

  /// Finds the rows of a block of queries.
  void prepareHead(const SdpaHead &head);
  explicit operator bool() const { return sdpa.op.getDropoutAttr() != nullptr; }
  /// `number` of a key and of queries as dropout leaves it.
  Value keep(Value number, Value key, int64_t vector) const;

private:
  DropoutCode getCode() const { return {sdpa.code, sdpa.op.getDropoutAttr()}; }

  const SdpaFrame &sdpa;
  llvm::SmallVector<DropoutCode::RowKey> keys;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPADROPOUT_H
