//===- FittedLayers.cpp - compares stamps with metadata of weights --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/FittedLayers.h"

#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace parablock;
using llvm::StringRef;

static constexpr StringRef correctionKey = "correction=", pairKey = "pair=",
                           modelKey = "model=", rankKey = "rank=";
/// A word of stamps of ladders, and the end of the name of their corrections:
/// weights of a ladder are not those of the same layers as pairs.
static constexpr StringRef ladderWord = "pairing=ladder", ladderEnd = "-ladder";
/// The same for routed experts beside the next attention.
static constexpr StringRef shortcutWord = "pairing=shortcut",
                           shortcutEnd = "-shortcut";
/// The same for pairs whose routers read the stream behind the attention.
static constexpr StringRef routerWord = "router=serial",
                           routerEnd = "-serial-router";
/// The same for changes of matrices of that rank.
static constexpr StringRef rankEnd = "-rank-";
/// Digits of a hash that distinguish models in stamps for readers.
static constexpr size_t modelDigits = StringRef("sha256:").size() + 16;

void parablock::printFitted(llvm::raw_ostream &os, LayerPair pair,
                            Correction correction, int64_t rank,
                            StringRef modelHash) {
  if (correction == Correction::None)
    return;
  os << " " << correctionKey << correction;
  if (rank != 0)
    os << " " << rankKey << rank;
  os << " " << pairKey << pair.getName();
  if (!modelHash.empty())
    os << " " << modelKey << modelHash.take_front(modelDigits);
}

std::string parablock::dropPair(StringRef parameters) {
  llvm::SmallVector<StringRef> words;
  parameters.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  llvm::erase_if(words,
                 [](StringRef word) { return word.starts_with(pairKey); });
  return llvm::join(words, " ");
}

static std::string join(const std::set<LayerPair> &pairs) {
  std::vector<std::string> names;
  for (LayerPair pair : pairs)
    names.push_back(pair.getName());
  return llvm::join(names, ",");
}

files::WeightsForm parablock::findWeightsForm(mlir::Operation *root) {
  files::WeightsForm form;
  std::set<LayerPair> pairs;
  bool isLadder = false, isRouterSerial = false, isShortcut = false;
  std::string rank;
  auto visit = [&](block::ApproxAttr stamp) {
    llvm::SmallVector<StringRef> words;
    stamp.getParameters().split(words, ' ');
    for (StringRef word : words) {
      isLadder |= word == ladderWord;
      isRouterSerial |= word == routerWord;
      isShortcut |= word == shortcutWord;
      if (word.consume_front(correctionKey))
        form.correction = word.str();
      else if (word.consume_front(modelKey))
        form.model = word.str();
      else if (word.consume_front(rankKey))
        rank = rankEnd.str() + word.str();
      else if (word.consume_front(pairKey))
        if (std::optional<LayerPair> pair = LayerPair::parse(word))
          pairs.insert(*pair);
    }
  };
  root->walk([&](block::LayerOp layer) {
    for (block::ApproxAttr stamp = layer.getApproxAttr(); stamp;
         stamp = stamp.getPrevious())
      visit(stamp);
  });
  form.pairs = join(pairs);
  if (form.isFitted())
    form.correction += rank;
  if (isLadder && form.isFitted())
    form.correction += ladderEnd;
  if (isRouterSerial && form.isFitted())
    form.correction += routerEnd;
  if (isShortcut && form.isFitted())
    form.correction += shortcutEnd;
  return form;
}

files::WeightsForm parablock::getWeightsForm(const Choice &choice) {
  if (choice.correction == Correction::None || choice.chosen.empty())
    return {};
  return {join({choice.chosen.begin(), choice.chosen.end()}),
          getEnumName(choice.correction).str() +
              (choice.getRank()
                   ? rankEnd.str() + std::to_string(choice.getRank())
                   : "") +
              (choice.ladder ? ladderEnd.str() : "") +
              (choice.router == RouterInput::Serial ? routerEnd.str() : "") +
              (choice.shortcut ? shortcutEnd.str() : ""),
          choice.modelHash};
}

llvm::Error parablock::checkWeightsForm(mlir::Operation *root,
                                        const SafeTensorsMetadata &metadata,
                                        StringRef path) {
  files::Status failure = files::checkWeightsForm(
      findWeightsForm(root), files::readWeightsForm(metadata),
      {path.data(), path.size()});
  return failure ? llvm::createStringError(failure->text)
                 : llvm::Error::success();
}
