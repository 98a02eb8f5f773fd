//===- RankModules.cpp - specialises modules to one rank ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RankModules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Transforms/Shard/RankFunction.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace parablock;

/// Moves numbers that a kernel is given into it: device code takes tensors.
static void sinkNumbers(block::KernelOp kernel) {
  Block &body = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  for (unsigned i = kernel.getNumOperands(); i-- > 0;) {
    Operation *number = kernel.getOperand(i).getDefiningOp();
    if (!isa_and_nonnull<arith::ConstantIndexOp>(number))
      continue;
    body.getArgument(i).replaceAllUsesWith(
        builder.clone(*number)->getResult(0));
    body.eraseArgument(i);
    kernel->eraseOperand(i);
  }
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static DenseFPElementsAttr getTable(Value value);

static DenseFPElementsAttr makeTable(RankedTensorType type,
                                     ArrayRef<APFloat> values) {
  return cast<DenseFPElementsAttr>(DenseElementsAttr::get(type, values));
}

/// Appends heads of zeros.
static DenseFPElementsAttr joinTables(tensor::ConcatOp op) {
  SmallVector<APFloat> values;
  for (Value input : op.getInputs()) {
    DenseFPElementsAttr table = getTable(input);
    if (!table)
      return {};
    llvm::append_range(values, table.getValues<APFloat>());
  }
  RankedTensorType type = op.getResultType();
  return type.getRank() == 1 ? makeTable(type, values) : DenseFPElementsAttr();
}

/// Returns the numbers of a table that is not a weight, or of a part of one,
/// such as the slopes of a rank's heads: all equal, or of one dimension. Null
/// for anything else.
static DenseFPElementsAttr getTable(Value value) {
  DenseFPElementsAttr table;
  if (matchPattern(value, m_Constant(&table)))
    return table.isSplat() || table.getType().getRank() == 1
               ? table
               : DenseFPElementsAttr();
  if (auto concat = value.getDefiningOp<tensor::ConcatOp>())
    return joinTables(concat);
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || slice->getNumOperands() != 1 || !slice.hasUnitStride() ||
      slice.getSourceType().getRank() != 1)
    return {};
  table = getTable(slice.getSource());
  if (!table)
    return {};
  SmallVector<APFloat> values(table.getValues<APFloat>());
  return makeTable(
      slice.getType(),
      ArrayRef(values).slice(slice.getStaticOffset(0), slice.getStaticSize(0)));
}

/// Creates the table in a form that recipes support: one number for all, or a
/// list of numbers.
static Value createTable(OpBuilder &builder, Location loc,
                         DenseFPElementsAttr table) {
  if (table.isSplat())
    return arith::ConstantOp::create(builder, loc, table);
  auto type = RankedTensorType::get({1}, table.getElementType());
  SmallVector<Value> numbers;
  for (const APFloat &value : table.getValues<APFloat>())
    numbers.push_back(arith::ConstantOp::create(
        builder, loc, type, DenseElementsAttr::get(type, value)));
  return tensor::ConcatOp::create(builder, loc, /*dim=*/0, numbers);
}

/// Makes `prepack` return `table`, and adds an argument for it to `function`.
static Value addTable(func::FuncOp function, func::FuncOp prepack,
                      DenseFPElementsAttr table, unsigned number) {
  Operation *end = prepack.front().getTerminator();
  OpBuilder builder(end);
  StringAttr name =
      builder.getStringAttr("packed.table." + std::to_string(number));
  unsigned position = end->getNumOperands();
  end->insertOperands(position, createTable(builder, end->getLoc(), table));
  (void)prepack.insertResult(position, table.getType(),
                             builder.getDictionaryAttr(builder.getNamedAttr(
                                 block::kOutputAttr, name)));
  unsigned argument = function.getNumArguments();
  (void)function.insertArgument(
      argument, table.getType(),
      builder.getDictionaryAttr(builder.getNamedAttr(block::kParamAttr, name)),
      end->getLoc());
  return function.getArgument(argument);
}

static void makeTablesParameters(func::FuncOp function, func::FuncOp prepack) {
  llvm::MapVector<Attribute, Value> known;
  function.walk([&](block::KernelOp kernel) {
    for (OpOperand &operand : kernel->getOpOperands())
      if (DenseFPElementsAttr table = getTable(operand.get())) {
        Value &argument = known[table];
        if (!argument)
          argument = addTable(function, prepack, table, known.size() - 1);
        operand.set(argument);
      }
  });
}

OwningOpRef<ModuleOp> parablock::makeRankModule(ModuleOp module, StringRef name,
                                                int64_t rank) {
  OwningOpRef<ModuleOp> own = module.clone();
  fixRank(*own, rank);
  auto function = own->lookupSymbol<func::FuncOp>(name);
  if (auto prepack = own->lookupSymbol<func::FuncOp>(kPrepack))
    makeTablesParameters(function, prepack);
  narrowCaches(function);
  function.walk(sinkNumbers);
  return own;
}

std::string parablock::getRankFunctionName(StringRef function, int64_t rank) {
  return rank == 0 ? function.str() : (function + "_rank" + Twine(rank)).str();
}
