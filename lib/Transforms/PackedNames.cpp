//===- PackedNames.cpp - names results of @prepack ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PackedNames.h"

#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/BlockOps.h"

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

void block::makePackedNames(func::FuncOp prepack, llvm::StringSet<> taken,
                            std::vector<std::string> &names) {
  Operation *terminator = prepack.front().getTerminator();
  for (auto [value, name] : llvm::zip_equal(terminator->getOperands(), names)) {
    if (!name.empty())
      continue;
    std::string base = name = makeBaseName(prepack, value);
    for (unsigned i = 1; !taken.insert(name).second; ++i)
      name = base + "." + std::to_string(i);
  }
}
