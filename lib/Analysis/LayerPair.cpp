//===- LayerPair.cpp - parses and prints names of pairs -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/LayerPair.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace parablock;

std::string LayerPair::getName() const {
  return std::to_string(index) + (shifted ? "+" : "");
}

std::optional<LayerPair> LayerPair::parse(llvm::StringRef name) {
  LayerPair pair;
  pair.shifted = name.consume_back("+");
  if (name.empty() || !llvm::all_of(name, llvm::isDigit) ||
      name.getAsInteger(10, pair.index))
    return std::nullopt;
  return pair;
}

llvm::Error parablock::checkMatching(llvm::ArrayRef<LayerPair> sorted) {
  for (size_t i = 1; i < sorted.size(); ++i) {
    LayerPair left = sorted[i - 1], right = sorted[i];
    if (left == right)
      return llvm::createStringError("pair " + left.getName() +
                                     " is given twice");
    bool sameMlp = left.index == right.index;
    bool sameAttention =
        left.shifted && !right.shifted && left.index + 1 == right.index;
    if (sameMlp || sameAttention)
      return llvm::createStringError(
          "pairs " + left.getName() + " and " + right.getName() +
          " both need the " + (sameMlp ? "MLP" : "attention") + " of layer " +
          std::to_string(right.index));
  }
  return llvm::Error::success();
}
