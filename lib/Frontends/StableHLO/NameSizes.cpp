//===- NameSizes.cpp - which open sizes are equal -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// JAX exports symbolic shapes as `?`. A wrapper function reads each symbol from
// a dimension of an argument, passes it on under its name, and asserts that
// other dimensions equal it.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "Rewrites.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <map>

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

/// An argument and one of its dimensions.
using Dimension = std::pair<unsigned, unsigned>;

/// Returns the dimension whose size a number is.
static std::optional<Dimension> findDimension(Value number) {
  while (Operation *op = number.getDefiningOp()) {
    StringRef name = op->getName().getStringRef();
    if (op->getNumOperands() != 1)
      return std::nullopt;
    number = op->getOperand(0);
    if (name == "stablehlo.convert" || name == "stablehlo.reshape")
      continue;
    SmallVector<int64_t> dim = Conversion(op).getNumbers("dim", "dimension");
    auto argument = dyn_cast<BlockArgument>(number);
    if (name != "stablehlo.get_dimension_size" || dim.size() != 1 || !argument)
      return std::nullopt;
    return Dimension(argument.getArgNumber(), dim[0]);
  }
  return std::nullopt;
}

namespace {
struct Names {
  llvm::EquivalenceClasses<Dimension> equal;
  std::map<Dimension, StringAttr> given;

  StringAttr find(Dimension dimension) const {
    for (auto &[other, name] : given)
      if (other == dimension || equal.isEquivalent(other, dimension))
        return name;
    return {};
  }
};
} // namespace

static Names readNames(func::FuncOp function) {
  Names names;
  function.walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      for (auto [k, operand] : llvm::enumerate(call.getOperands()))
        if (auto name = callee ? callee.getArgAttrOfType<StringAttr>(
                                     k, "jax.global_constant")
                               : StringAttr())
          if (std::optional<Dimension> dimension = findDimension(operand))
            names.given[*dimension] = name;
      return;
    }
    if (op->getName().getStringRef() != "stablehlo.custom_call" ||
        op->getNumOperands() == 0)
      return;
    Operation *test = op->getOperand(0).getDefiningOp();
    if (!test || test->getName().getStringRef() != "stablehlo.compare" ||
        test->getNumOperands() != 2 || Conversion(test).getDirection() != "EQ")
      return;
    std::optional<Dimension> a = findDimension(test->getOperand(0));
    std::optional<Dimension> b = findDimension(test->getOperand(1));
    if (a && b)
      names.equal.unionSets(*a, *b);
  });
  return names;
}

void hlo::nameSizes(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate() || function.isExternal())
      continue;
    Names names = readNames(function);
    for (BlockArgument argument : function.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      SmallVector<Attribute> found;
      for (int64_t d = 0; type && d < type.getRank(); ++d)
        if (type.isDynamicDim(d))
          found.push_back(names.find({argument.getArgNumber(), d}));
      // As block.dims has it: one name for each `?`.
      if (!found.empty() && !llvm::is_contained(found, Attribute()))
        function.setArgAttr(argument.getArgNumber(), "block.dims",
                            ArrayAttr::get(module.getContext(), found));
    }
  }
}
