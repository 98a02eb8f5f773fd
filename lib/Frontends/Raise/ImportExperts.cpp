//===- ImportExperts.cpp - routes and experts of foreign functions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file reads block.route and block.experts: other dialects have no ops
// for a choice among experts and their products.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "ReadRoute.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

/// True where all operands and results of an op have static shapes.
static bool hasStaticShapes(Operation *op) {
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  return llvm::all_of(op->getOperandTypes(), isStatic) &&
         llvm::all_of(op->getResultTypes(), isStatic);
}

/// Gives a node the values that there are; false where one is not understood.
bool Importer::addRoles(Node &node,
                        ArrayRef<std::pair<StringRef, Value>> values) {
  for (auto [role, value] : values) {
    if (!value)
      continue;
    Term term = get(value);
    if (!term)
      return false;
    node.addRole(role, term);
  }
  return true;
}

/// Sets the terms of both results; false where an operand is not understood.
bool Importer::importRoute(block::RouteOp op) {
  Term logits = get(op.getLogits());
  if (!hasStaticShapes(op) || !logits)
    return false;
  Node node;
  node.op = Kind::Route;
  node.size = op.getWeights().getType().getNumElements();
  node.width = op.getForm().getChosen();
  node.operands = {logits};
  node.extents = {op.getLogits().getType().getDimSize(2)};
  node.form = op.getForm();
  if (!addRoles(node, {{"correction", op.getCorrection()},
                       {"expert_scale", op.getExpertScale()}}))
    return false;
  Term weights =
      roundToType(graph, graph.make(node), op.getWeights().getType());
  Node choice;
  choice.op = Kind::Choice;
  choice.size = node.size;
  choice.width = node.width;
  choice.operands = {weights};
  set(op.getWeights(), weights);
  set(op.getIndices(), graph.make(choice));
  return true;
}

Term Importer::importExperts(block::ExpertsOp op) {
  if (!hasStaticShapes(op))
    return {};
  Node node;
  node.op = Kind::Experts;
  node.size = op.getType().getNumElements();
  node.width = op.getType().getDimSize(2);
  node.form = op.getForm();
  for (Value operand : {op.getInput(), op.getIndices(), op.getWeights(),
                        op.getUpWeight(), op.getDownWeight()}) {
    node.operands.push_back(get(operand));
    if (!node.operands.back())
      return {};
  }
  foldRoute(graph, node.operands[1], node.operands[2]);
  if (!addRoles(node,
                {{"up_bias", op.getUpBias()}, {"down_bias", op.getDownBias()}}))
    return {};
  auto up = cast<RankedTensorType>(op.getUpWeight().getType());
  auto down = cast<RankedTensorType>(op.getDownWeight().getType());
  node.extents = {op.getInput().getType().getDimSize(2),
                  up.getDimSize(0),
                  up.getDimSize(1),
                  up.getDimSize(2),
                  down.getDimSize(1),
                  down.getDimSize(2)};
  return roundToType(graph, graph.make(node), op.getType());
}
