//===- SdpaGradInputs.h - inputs of attention's gradient --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADINPUTS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADINPUTS_H

#include "SdpaFrame.h"

namespace parablock::cpugen {

/// Copies a block of queries and of the result's gradient, and block by block
/// keys and values, to memory of this thread, as f32.
class SdpaGradInputs {
public:
  /// Rows of an operand, padded with zeros to whole vectors of lanes; for
  /// queries also transposed, [element][query].
  struct Rows {
    Value rows, transposed;
    int64_t size, padded;
  };

  SdpaGradInputs(const SdpaFrame &sdpa, Value gradient);

  void loadQueries(const SdpaHead &head);
  void loadKeys(const SdpaHead &head, const SdpaKeys &keys);
  void loadValues(const SdpaHead &head, const SdpaKeys &keys);
  /// Return whether all numbers of the rows are finite.
  Value areQueriesFinite(const SdpaHead &head);
  Value areKeysFinite(const SdpaKeys &keys);

  const Rows &getQueries() const { return queries; }
  const Rows &getGradients() const { return gradients; }
  const Rows &getKeys() const { return keys; }
  const Rows &getValues() const { return values; }

private:
  Rows allocate(int64_t numRows, int64_t size, bool isTransposed) const;
  void loadBlock(const SdpaHead &head, Value tensor, const Rows &to);
  Value areFinite(const Rows &rows, Value numRows) const;

  const SdpaFrame &sdpa;
  Code &code;
  Value gradient;
  Rows queries, gradients, keys, values;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADINPUTS_H
