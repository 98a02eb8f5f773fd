//===- ScoreChain.cpp - from the softmax back to queries and keys ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ScoreChain.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace parablock::raise;

/// True for a sum of products of two values that are both data.
static bool isProductOfData(const Node *node) {
  if (node->op != Kind::ReduceSum || node->source != Source::Data)
    return false;
  const Node *product = node->operands[0].node;
  while (product->op == Kind::Round)
    product = product->operands[0].node;
  return product->op == Kind::Mul &&
         llvm::all_of(product->operands, [](const Term &operand) {
           return operand.node->source == Source::Data;
         });
}

/// True where a product of queries and keys is among what makes `node`, below
/// a few elementwise steps.
static bool leadsToProduct(const Node *node, int depth = 12) {
  if (isProductOfData(node))
    return true;
  if (depth == 0 || !node->isElementwise())
    return false;
  return llvm::any_of(node->operands, [&](const Term &operand) {
    return leadsToProduct(operand.node, depth - 1);
  });
}

/// True for constants that are nothing but 0 and 1.
static bool isOfTruth(const Term &term) {
  if (term.node->source != Source::Constant)
    return false;
  for (int64_t i = 0, size = term.getSize(); i < size; ++i) {
    std::optional<double> number = evaluateAt(term, i);
    if (!number || (*number != 0 && *number != 1))
      return false;
  }
  return true;
}

std::optional<ScoreChain> parablock::raise::followScores(Graph &graph,
                                                         const Term &scores) {
  ScoreChain chain;
  Term term = scores;
  // What multiplies `term` in the final score, or in what is capped.
  double factor = 1;
  while (true) {
    term = stripRounding(graph, term);
    if (!term)
      return std::nullopt;
    Node *node = term.node;
    auto leads = [&](unsigned k) {
      return leadsToProduct(node->operands[k].node);
    };
    switch (node->op) {
    case Kind::Select: {
      bool inTrue = leads(1);
      if (inTrue == leads(2) || leads(0))
        return std::nullopt;
      chain.masks.push_back({graph.getOperand(term, 0), !inTrue,
                             graph.getOperand(term, inTrue ? 2 : 1),
                             chain.cap ? 0 : factor, chain.getNumSteps()});
      term = graph.getOperand(term, inTrue ? 1 : 2);
      continue;
    }
    case Kind::Add: {
      unsigned way = leads(0) ? 0 : 1;
      if (leads(1 - way))
        return std::nullopt;
      chain.biases.push_back({graph.getOperand(term, 1 - way), factor,
                              chain.cap != 0, chain.getNumSteps()});
      term = graph.getOperand(term, way);
      continue;
    }
    case Kind::Mul: {
      unsigned way = leads(0) ? 0 : 1;
      std::optional<double> number = getSplat(node->operands[1 - way]);
      if (!number) {
        // Scores times 0 or 1: what is added behind it hides the zeros.
        Term table = graph.getOperand(term, 1 - way);
        if (leads(1 - way) || !isOfTruth(table))
          return std::nullopt;
        chain.masks.push_back({table, /*hidesWhere=*/false,
                               graph.splat(0, term.getSize()), factor,
                               chain.getNumSteps()});
        term = graph.getOperand(term, way);
        continue;
      }
      factor *= *number;
      term = graph.getOperand(term, way);
      continue;
    }
    case Kind::Tanh:
      // cap tanh(y): from here on the capped score is cap y.
      if (chain.cap != 0 || factor <= 0)
        return std::nullopt;
      chain.cap = factor;
      term = graph.getOperand(term, 0);
      continue;
    case Kind::ReduceSum: {
      Product product = getProduct(graph, node->operands[0]);
      if (product.factors.size() != 2 || product.factors[0].exponent != 1 ||
          product.factors[1].exponent != 1)
        return std::nullopt;
      chain.product = term;
      chain.query = product.factors[0].term;
      chain.key = product.factors[1].term;
      chain.scale = factor * product.coefficient;
      return chain;
    }
    default:
      return std::nullopt;
    }
  }
}
