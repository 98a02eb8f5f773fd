//===- InputFacts.cpp - what a function expects of its integers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Runner/InputFacts.h"
#include "ValueFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::StringRef;

bool runner::isLengthsName(StringRef name) {
  return name == "lengths" || name.ends_with("_lengths");
}

namespace {
class FactFinder {
public:
  FactFinder(const Signature &signature, ArrayRef<Shape> shapes)
      : signature(signature), shapes(shapes) {}

  InputFact find(unsigned index) {
    fact = InputFact();
    mlir::func::FuncOp function = signature.function;
    followUses(function.getArgument(index));
    const Argument &argument = signature.arguments[index];
    if (!fact.tokens && isLengthsName(argument.name))
      fact.tokens = findTokensByName(argument.name);
    return fact;
  }

private:
  /// Integers stay what they are through ops like casts and slices.
  void followUses(mlir::Value start) {
    llvm::SmallVector<mlir::Value> pending = {start};
    llvm::SmallPtrSet<mlir::Operation *, 8> seen;
    while (!pending.empty()) {
      mlir::Value value = pending.pop_back_val();
      for (mlir::OpOperand &use : value.getUses()) {
        mlir::Operation *op = use.getOwner();
        noteUse(value, op);
        if (auto structured = mlir::dyn_cast<mlir::linalg::LinalgOp>(op))
          if (use.getOperandNumber() < structured.getBlock()->getNumArguments())
            pending.push_back(structured.getMatchingBlockArgument(&use));
        if (auto kernel = mlir::dyn_cast<block::KernelOp>(op))
          pending.push_back(
              kernel.getBody().getArgument(use.getOperandNumber()));
        else if (op->getNumResults() == 1 &&
                 mlir::getElementTypeOrSelf(op->getResult(0).getType())
                     .isIntOrIndex() &&
                 seen.insert(op).second)
          pending.push_back(op->getResult(0));
      }
    }
  }

  void noteUse(mlir::Value value, mlir::Operation *op) {
    if (auto embedding = mlir::dyn_cast<block::EmbeddingOp>(op)) {
      // Ids of other parts of a vocabulary are allowed as well.
      if (value == embedding.getIds() && embedding.getFirstId())
        // Others stand for positions alone.
        fact.vocabulary = std::max(
            fact.vocabulary, findSize(findWhole(embedding.getTable()), 0));
      else if (value == embedding.getIds())
        lower(fact.tableRows, findSize(embedding.getTable(), 0));
      if (value == embedding.getTypeIds())
        lower(fact.tableRows, findSize(embedding.getTypeTable(), 0));
    } else if (auto attention = mlir::dyn_cast<block::AttentionOp>(op)) {
      if (value == attention.getLengths())
        lower(fact.tokens, findSize(attention.getSource(), 1));
      if (value == attention.getCuSeqlens())
        lower(fact.packedTokens, findSize(attention.getSource(), 1));
    } else if (auto sdpa = mlir::dyn_cast<block::SdpaOp>(op)) {
      if (value == sdpa.getLengths())
        lower(fact.tokens, findSize(sdpa.getKey(), 1));
      if (value == sdpa.getCuSeqlens())
        lower(fact.packedTokens, findSize(sdpa.getKey(), 1));
    } else if (auto gather = mlir::dyn_cast<mlir::tosa::GatherOp>(op)) {
      if (value == gather.getIndices())
        lower(fact.tableRows, findSize(gather.getValues(), 1));
    } else if (auto extract = mlir::dyn_cast<mlir::tensor::ExtractOp>(op)) {
      for (auto [dim, index] : llvm::enumerate(extract.getIndices()))
        if (value == index)
          lower(fact.tableRows, findSize(extract.getTensor(), dim));
    }
  }

  static void lower(std::optional<int64_t> &bound,
                    std::optional<int64_t> other) {
    if (other && (!bound || *other < *bound))
      bound = other;
  }

  /// The size of dimension `dim` at run time, looking through ops that keep it
  /// in their first operand.
  std::optional<int64_t> findSize(mlir::Value value, unsigned dim) {
    while (true) {
      value = findOrigin(value);
      auto type = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
      if (!type || type.getRank() <= static_cast<int64_t>(dim))
        return std::nullopt;
      if (!type.isDynamicDim(dim))
        return type.getDimSize(dim);
      if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value)) {
        if (argument.getOwner()->getParentOp() != signature.function)
          return std::nullopt;
        return shapes[argument.getArgNumber()][dim];
      }
      mlir::Operation *op = value.getDefiningOp();
      bool keepsRows =
          mlir::isa<mlir::tensor::CastOp>(op) ||
          mlir::isa_and_nonnull<block::BlockDialect>(op->getDialect());
      if (!keepsRows || op->getNumOperands() == 0)
        return std::nullopt;
      value = op->getOperand(0);
    }
  }

  /// What `table` is a part of, without what was padded behind its end.
  static mlir::Value findWhole(mlir::Value table) {
    while (true) {
      table = findOrigin(table);
      mlir::Operation *op = table.getDefiningOp();
      if (!mlir::isa_and_nonnull<mlir::tensor::ExtractSliceOp,
                                 mlir::tensor::ConcatOp>(op))
        return table;
      table = op->getOperand(0);
    }
  }

  /// For lengths that no attention reads: the sequence they belong to by name.
  std::optional<int64_t> findTokensByName(StringRef name) {
    static constexpr StringRef encoder[] = {"encoder_hidden_states",
                                            "input_ids"};
    static constexpr StringRef own[] = {"hidden_states", "decoder_input_ids",
                                        "input_ids"};
    for (StringRef candidate :
         name == "encoder_lengths" ? ArrayRef(encoder) : ArrayRef(own))
      for (auto [argument, shape] :
           llvm::zip_equal(signature.arguments, shapes))
        if (argument.name == candidate && shape.size() > 1)
          return shape[1];
    return std::nullopt;
  }

  const Signature &signature;
  ArrayRef<Shape> shapes;
  InputFact fact;
};
} // namespace

InputFacts runner::collectInputFacts(const Signature &signature,
                                     ArrayRef<Shape> shapes) {
  InputFacts facts;
  FactFinder finder(signature, shapes);
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    if (argument.isParameter || isFloatType(argument.type))
      continue;
    InputFact fact = finder.find(index);
    if (fact.tableRows || fact.vocabulary || fact.tokens || fact.packedTokens)
      facts[argument.name] = fact;
  }
  return facts;
}
