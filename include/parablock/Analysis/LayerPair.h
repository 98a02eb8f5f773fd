//===- LayerPair.h - pairs of an attention and an MLP -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A model is a chain A0 F0 A1 F1 ... of attentions and MLPs. Two neighbours
// may be made parallel: the block pair `l` is (A_l, F_l), the shifted pair `l+`
// is (F_l, A_l+1). Chosen pairs share no member.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_LAYERPAIR_H
#define PARABLOCK_ANALYSIS_LAYERPAIR_H

#include "parablock/Support/NamedEnum.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace parablock {

struct LayerPair {
  int64_t index = 0;
  bool shifted = false;

  /// `3` or `3+`.
  std::string getName() const;
  static std::optional<LayerPair> parse(llvm::StringRef name);

  bool operator==(const LayerPair &other) const {
    return index == other.index && shifted == other.shifted;
  }
  /// Compares by position in the chain.
  bool operator<(const LayerPair &other) const {
    return std::tie(index, shifted) < std::tie(other.index, other.shifted);
  }
};

/// The pairs that "all" selects; with Ladder, the layers whose branches read
/// the stream one sum older, and with Shortcut, shifted pairs of routed
/// experts.
enum class Pairing { Block, Shifted, Best, Ladder, Shortcut };

/// Returns an error naming two pairs of the sorted list that share a sublayer.
llvm::Error checkMatching(llvm::ArrayRef<LayerPair> sorted);

} // namespace parablock

PARABLOCK_NAMED_ENUM(parablock::Pairing, "block", "shifted", "best", "ladder",
                     "shortcut")

#endif // PARABLOCK_ANALYSIS_LAYERPAIR_H
