//===- RankGroup.h - processes running one function -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EXECUTION_RANKGROUP_H
#define PARABLOCK_EXECUTION_RANKGROUP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace parablock::runner {

/// A hash that must be the same on all ranks.
struct RankFact {
  llvm::StringRef name;
  uint64_t hash = 0;
};

/// The ranks of a function that was split, one process each, as seen by one
/// rank. A fault on one of them is an error on all; waits are limited in
/// time.
class RankGroup {
public:
  /// Maximum number of facts in one message.
  static constexpr unsigned maxFacts = 7;

  virtual ~RankGroup() = default;
  virtual int64_t rank() const = 0;
  virtual int64_t size() const = 0;
  bool isFirst() const { return rank() == 0; }

  /// Waits until all ranks have called it. Returns `own`, or an error if
  /// another rank has one or a fact differs between ranks. Ranks may meet from
  /// different places, so a rank may return early with an error. After an error
  /// they do not meet again.
  virtual llvm::Error meet(llvm::Error own,
                           llvm::ArrayRef<RankFact> facts = {}) = 0;

  /// Ends the collective work.
  virtual llvm::Error leave() = 0;
};

} // namespace parablock::runner

#endif // PARABLOCK_EXECUTION_RANKGROUP_H
