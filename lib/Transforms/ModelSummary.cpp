//===- ModelSummary.cpp - prints a summary of a model ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/ModelSummary.h"

#include "LayerStory.h"
#include "parablock/Analysis/CodeCounts.h"
#include "parablock/Transforms/Launches.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// A line for each stamp, with the layers that have it.
static void writeApproximations(raw_ostream &os, ArrayRef<LayerStory> stories) {
  std::map<std::string, SmallVector<StringRef>> stamped;
  for (const LayerStory &story : stories) {
    LayerOp layer = story.layer;
    for (ApproxAttr stamp = layer.getApproxAttr(); stamp;
         stamp = stamp.getPrevious())
      stamped[describeStamp(stamp)].push_back(layer.getLabel());
  }
  for (const auto &[stamp, layers] : stamped)
    os << "approximate: " << stamp << " in " << llvm::join(layers, ", ")
       << "\n";
}

LogicalResult parablock::writeModelSummary(raw_ostream &os,
                                           FunctionOpInterface function) {
  FailureOr<ModelCounts> counts = countLaunched(function);
  FailureOr<KeptStamps> kept = readKeptStamps(function);
  if (failed(counts) || failed(kept))
    return failure();
  SmallVector<LayerStory> stories =
      llvm::map_to_vector(counts->layers, tellStory);
  Recognised found = countRecognised(stories, function);
  bool isLeftover = counts->steps.launches == counts->leftovers.launches;
  if (found.empty() && isLeftover)
    os << "recognised nothing: all of it is leftovers";
  else
    writeRecognised(os, found);
  os << "\n";
  writeMissed(os, function);
  os << "launches: " << counts->steps.launches << "\n";
  writeLeftovers(os, counts->leftovers);
  writeApproximations(os, stories);
  writeKeptStamps(os, *kept);
  // Device code reads codes, or weights that @prepack unpacks.
  auto module = function->getParentOfType<ModuleOp>();
  CodeCounts codes =
      countCodes(module ? module.getOperation() : function.getOperation());
  if (codes.readBytes != 0)
    os << "codes: " << codes.weights << " weights of codes, " << codes.codeBytes
       << " bytes, which run as " << codes.readBytes << " bytes of codes and "
       << codes.readNumberBytes << " bytes of numbers\n";
  else if (codes.weights != 0)
    os << "unpacked: " << codes.weights << " weights of codes, "
       << codes.codeBytes << " bytes, which run as " << codes.unpackedBytes
       << " bytes of numbers\n";
  return success();
}
