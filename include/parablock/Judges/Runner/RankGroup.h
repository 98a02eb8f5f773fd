//===- RankGroup.h - processes that run one function together ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_RANKGROUP_H
#define PARABLOCK_RUNNER_RANKGROUP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace parablock::runner {

/// Something that has to be the same on all ranks, as a hash.
struct RankFact {
  llvm::StringRef name;
  uint64_t hash = 0;
};

/// The ranks of a function that was split, one process each, as one of them
/// sees them. Whatever goes wrong on one of them is an error on all: none waits
/// longer than a limit for another.
class RankGroup {
public:
  /// More would not fit one message.
  static constexpr unsigned maxFacts = 7;

  virtual ~RankGroup() = default;
  virtual int64_t rank() const = 0;
  virtual int64_t size() const = 0;
  bool isFirst() const { return rank() == 0; }

  /// Waits until all ranks have come here. Gives `own` back, or an error where
  /// another rank has one, or where a fact differs between ranks. Ranks that
  /// meet at different places understand each other, so a rank may leave its
  /// way early with an error. After an error they do not meet again.
  virtual llvm::Error meet(llvm::Error own,
                           llvm::ArrayRef<RankFact> facts = {}) = 0;

  /// All that was to be done together is done.
  virtual llvm::Error leave() = 0;
};

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_RANKGROUP_H
