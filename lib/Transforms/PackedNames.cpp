//===- PackedNames.cpp - names of packed parameters -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PackedNames.h"

#include "parablock/IR/BlockDialect.h"
#include "parablock/IR/BlockOps.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// The parameter that the first operand of the first operand ... is.
static StringRef getFirstSource(func::FuncOp prepack, Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (op->getNumOperands() == 0)
      return "constant";
    value = op->getOperand(0);
  }
  unsigned number = cast<BlockArgument>(value).getArgNumber();
  return prepack.getArgAttrOfType<StringAttr>(number, kParamAttr).getValue();
}

std::vector<std::string> block::makePackedNames(func::FuncOp prepack) {
  std::vector<std::string> names;
  llvm::StringSet<> taken;
  for (Value value : prepack.front().getTerminator()->getOperands()) {
    std::string base = "packed." + getFirstSource(prepack, value).str();
    if (value.getDefiningOp<WeightSumsOp>())
      base += ".sums";
    else if (value.getDefiningOp<FoldBiasOp>())
      base += ".bias";
    std::string name = base;
    for (unsigned i = 1; !taken.insert(name).second; ++i)
      name = base + "." + std::to_string(i);
    names.push_back(name);
  }
  return names;
}
