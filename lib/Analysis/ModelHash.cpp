//===- ModelHash.cpp - which model a file was made for --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/ModelHash.h"

#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
/// Writes a function as text in which each value is a number, and leaves out
/// what the hash must not see.
class ModelWriter {
public:
  std::string write(FunctionOpInterface function) {
    for (BlockArgument argument : function.getArguments())
      writeArgument(function, argument);
    function.getFunctionBody().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { writeOp(op); });
    return std::move(text);
  }

private:
  void writeArgument(FunctionOpInterface function, BlockArgument argument) {
    unsigned number = argument.getArgNumber();
    assignNumber(argument);
    if (auto name = function.getArgAttrOfType<StringAttr>(number, kParamAttr)) {
      os << "param " << name;
      weights.insert(argument);
    } else {
      os << "input " << function.getArgAttr(number, kInputAttr);
    }
    writeType(argument);
    os << "\n";
  }

  void writeOp(Operation *op) {
    os << op->getName();
    // Ops of other dialects spell batch and sequence in attributes; what they
    // do to weights is said by sizes, which are written anyway.
    bool isWeight = !isa<LayerOp>(op) && op->getNumResults() > 0 &&
                    llvm::all_of(op->getOperands(), [&](Value operand) {
                      return weights.contains(operand);
                    });
    if (isa<BlockDialect>(op->getDialect()) || isWeight)
      for (NamedAttribute attribute : op->getAttrs())
        if (attribute.getName() != "log" && attribute.getName() != "approx")
          os << " " << attribute.getName().getValue() << "="
             << attribute.getValue();
    for (Value operand : op->getOperands())
      os << " " << numbers.lookup(operand);
    for (Value result : op->getResults()) {
      if (isWeight)
        weights.insert(result);
      writeType(result);
      assignNumber(result);
    }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          assignNumber(argument);
    os << "\n";
  }

  /// Writes all sizes of a weight, but of a hidden state its width alone.
  void writeType(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return;
    os << " : ";
    if (weights.contains(value))
      llvm::interleave(type.getShape(), os, "x");
    else if (type.getRank() >= 3)
      os << "rank " << type.getRank() << " width " << type.getShape().back();
    else
      os << "rank " << type.getRank();
  }

  void assignNumber(Value value) {
    numbers.try_emplace(value, numbers.size() + 1);
  }

  std::string text;
  llvm::raw_string_ostream os{text};
  DenseMap<Value, size_t> numbers;
  DenseSet<Value> weights;
};
} // namespace

std::string parablock::computeModelHash(FunctionOpInterface function) {
  std::string text = ModelWriter().write(function);
  auto digest = llvm::SHA256::hash(
      ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return "sha256:" + llvm::toHex(digest, /*LowerCase=*/true);
}
