//===- CheckpointOptions.h - options of block-checkpoint --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DIFFERENTIATE_CHECKPOINTOPTIONS_H
#define PARABLOCK_LIB_DIFFERENTIATE_CHECKPOINTOPTIONS_H

#include "LayerRecompute.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace parablock::block {

/// A number of bytes, or a share of the range between the smallest peak and the
/// peak with everything kept.
struct MemoryBudget {
  double number = 0;
  bool isShare = false;

  static std::optional<MemoryBudget> parse(llvm::StringRef text);
  uint64_t resolve(uint64_t least, uint64_t most) const;
};

/// The words of option `layers`, by labels; `*` is every other layer.
class LayerChoices {
public:
  static llvm::Expected<LayerChoices> parse(llvm::StringRef text);

  /// Returns the entry for `layer`, or none.
  std::optional<llvm::StringRef> find(const LayerRecompute &layer) const;
  /// Returns the choice of `kept` for `layer`; names are those of its log.
  static llvm::Expected<LayerRecompute::Choice>
  resolve(llvm::StringRef kept, const LayerRecompute &layer);
  /// Fails for a label that no layer in `layers` has.
  llvm::Error check(llvm::ArrayRef<LayerRecompute> layers) const;

private:
  llvm::Error add(llvm::StringRef label, llvm::StringRef kept);

  llvm::StringMap<std::string> keptBy;
};

} // namespace parablock::block

#endif // PARABLOCK_LIB_DIFFERENTIATE_CHECKPOINTOPTIONS_H
