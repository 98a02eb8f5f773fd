//===- LayerSelection.cpp - which layers an option names ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/LayerSelection.h"

#include "parablock/IR/BlockOps.h"

using namespace mlir;
using namespace parablock::block;

FailureOr<LayerSelection> LayerSelection::parse(Operation *root,
                                                StringRef text) {
  LayerSelection known, selected;
  root->walk([&](LayerOp layer) {
    known.indices.insert(static_cast<int64_t>(layer.getIndex()));
  });
  if (text == "all")
    return known;
  if (text == "none")
    return selected;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    auto [from, to] = part.split('-');
    int64_t first, last;
    if (from.getAsInteger(10, first) ||
        (part.contains('-') ? to.getAsInteger(10, last)
                            : (last = first, false)))
      return root->emitError()
             << "expected blocks to be all, none, or indices and ranges such "
                "as 0,2-5, got '"
             << text << "'";
    if (last < first)
      return root->emitError() << "expected a range that does not run "
                                  "backwards in blocks, got '"
                               << part << "'";
    for (int64_t index : {first, last})
      if (!known.contains(index))
        return root->emitError()
               << "no layer has index " << index << " (blocks=" << text << ")";
    for (int64_t index = first; index <= last; ++index)
      selected.indices.insert(index);
  }
  return selected;
}
