//===- TokensFirst.cpp - tries transposed streams -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Hidden states are [batch, tokens, width] here. Other tools have the tokens
// first, and only attention distinguishes the two dimensions. Such streams are
// transposed after the arguments; the transpositions back move to the readers
// of results.
//
//===----------------------------------------------------------------------===//

#include "TokensFirst.h"

#include "Group.h"
#include "MarkArguments.h"
#include "Recognise.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

namespace {
struct Found {
  unsigned attentions = 0, softmaxes = 0;
};
} // namespace

/// Returns what would be recognised.
static Found tryOut(FunctionOpInterface function, ArrayRef<Value> turned) {
  Graph graph(function.getContext(), getRules(), function.getLoc());
  Importer importer(graph);
  importer.import(function, turned);
  SmallVector<Term> results;
  Operation *last = function.getFunctionBody().front().getTerminator();
  for (Value operand : last->getOperands())
    if (Term term = importer.get(operand))
      results.push_back(term);
  groupAll(graph, results, {});
  Found found;
  for (const Node *node : graph.getNodes()) {
    if (graph.getCurrent(node) != node)
      continue;
    found.attentions += node->op == Kind::Attention;
    found.softmaxes += node->op == Kind::Softmax;
  }
  return found;
}

static Value transpose(OpBuilder &builder, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Location loc = value.getLoc();
  int64_t shape[] = {type.getDimSize(1), type.getDimSize(0),
                     type.getDimSize(2)};
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  int64_t order[] = {1, 0, 2};
  return linalg::TransposeOp::create(builder, loc, value, empty, order)
      ->getResult(0);
}

Turned parablock::raise::turnTokensFirst(FunctionOpInterface function) {
  if (function.getNumArguments() == 0)
    return {};
  BlockArgument stream = function.getArgument(findStream(function).value_or(0));
  auto isTurnable = [&](BlockArgument argument) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    return type && type.hasStaticShape() && type.getRank() == 3 &&
           isa<FloatType>(type.getElementType()) && !argument.use_empty() &&
           type.getDimSize(1) == getShape(stream)[1] &&
           !function.getArgAttr(argument.getArgNumber(), block::kParamAttr);
  };
  if (getShape(stream).size() != 3 || !isTurnable(stream))
    return {};
  Found before = tryOut(function, {});
  if (before.attentions > 0 || before.softmaxes == 0)
    return {};
  OpBuilder builder =
      OpBuilder::atBlockBegin(&function.getFunctionBody().front());
  Turned turned;
  SmallVector<Value> back;
  SmallVector<BlockArgument> arguments;
  for (BlockArgument argument : function.getArguments())
    if (isTurnable(argument))
      arguments.push_back(argument);
  for (BlockArgument argument : arguments) {
    turned.push_back(transpose(builder, argument));
    back.push_back(transpose(builder, turned.back()));
    argument.replaceAllUsesExcept(back.back(), turned.back().getDefiningOp());
  }
  if (tryOut(function, turned).attentions > 0)
    return turned;
  for (auto [argument, copy, read] : llvm::zip(arguments, turned, back)) {
    read.replaceAllUsesWith(argument);
    for (Value value : {read, copy}) {
      Operation *op = value.getDefiningOp();
      Operation *empty = op->getOperand(1).getDefiningOp();
      op->erase();
      empty->erase();
    }
  }
  return {};
}
