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

/// Follows first operands up to a parameter.
static std::string makeBaseName(func::FuncOp prepack, Value value) {
  StringRef role;
  while (Operation *op = value.getDefiningOp()) {
    if (isa<WeightSumsOp>(op))
      role = ".sums";
    else if (isa<FoldBiasOp>(op))
      role = ".bias";
    if (op->getNumOperands() == 0)
      return "packed.constant";
    value = op->getOperand(0);
  }
  unsigned number = cast<BlockArgument>(value).getArgNumber();
  auto source = prepack.getArgAttrOfType<StringAttr>(number, kParamAttr);
  return ("packed." + source.getValue() + role).str();
}

std::vector<std::string> block::makePackedNames(func::FuncOp prepack) {
  std::vector<std::string> names;
  llvm::StringSet<> taken;
  for (Value value : prepack.front().getTerminator()->getOperands()) {
    std::string base = makeBaseName(prepack, value);
    std::string name = base;
    for (unsigned i = 1; !taken.insert(name).second; ++i)
      name = base + "." + std::to_string(i);
    names.push_back(name);
  }
  return names;
}
