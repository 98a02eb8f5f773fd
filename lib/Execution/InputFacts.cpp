//===- InputFacts.cpp - what a function expects of its integers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Execution/InputFacts.h"
#include "WrappedIndices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "parablock/Execution/CacheLimits.h"
#include "parablock/Execution/ValueFlow.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::StringRef;

bool runner::isLengthsName(StringRef name) {
  return name == "lengths" ||
         (name.ends_with("_lengths") && name != "past_lengths");
}

namespace {
class LimitFinder {
public:
  explicit LimitFinder(const Signature &signature) : signature(signature) {}

  std::vector<InputLimit> find(unsigned index) {
    mlir::func::FuncOp function = signature.function;
    followUses(function.getArgument(index));
    const Argument &argument = signature.arguments[index];
    bool isCounting = llvm::any_of(limits, [](const InputLimit &known) {
      return known.limit.kind == IndexLimit::Tokens;
    });
    if (!isCounting && isLengthsName(argument.name))
      add(IndexLimit::Tokens, findTokensByName(argument.name));
    return std::move(limits);
  }

private:
  /// Integers stay what they are through ops like casts and slices, or become
  /// the indices that they stand for where those below 0 count from the end.
  void followUses(mlir::Value start) {
    llvm::SmallVector<Numbers> pending = {{start, std::nullopt}};
    llvm::SmallPtrSet<mlir::Operation *, 8> seen;
    while (!pending.empty()) {
      Numbers numbers = pending.pop_back_val();
      for (mlir::OpOperand &use : numbers.value.getUses()) {
        mlir::Operation *op = use.getOwner();
        noteUse(numbers, op);
        auto follow = [&](mlir::Value value) {
          pending.push_back({value, numbers.wrappedAt});
        };
        if (auto structured = mlir::dyn_cast<mlir::linalg::LinalgOp>(op))
          if (use.getOperandNumber() < structured.getBlock()->getNumArguments())
            follow(structured.getMatchingBlockArgument(&use));
        if (auto kernel = mlir::dyn_cast<block::KernelOp>(op))
          follow(kernel.getBody().getArgument(use.getOperandNumber()));
        else if (mlir::isa<mlir::linalg::YieldOp>(op))
          follow(op->getParentOp()->getResult(use.getOperandNumber()));
        else if (keepsNumbers(op, numbers.value) && seen.insert(op).second)
          follow(op->getResult(0));
        else if (mlir::Value size = findWrapping(op, numbers.value))
          pending.push_back({op->getResult(0), findWrapped(size)});
      }
    }
  }

  /// Integers of an input, and the size that was added to those below 0.
  struct Numbers {
    mlir::Value value;
    std::optional<InputSize> wrappedAt;
  };

  /// The size that an operand of a sum is; 0 is one that callers choose.
  static InputSize findWrapped(mlir::Value value) {
    mlir::DenseIntElementsAttr list;
    if (std::optional<int64_t> number = mlir::getConstantIntValue(value))
      return {*number, std::nullopt, 0};
    if (mlir::matchPattern(value, mlir::m_Constant(&list)) && list.isSplat())
      return {list.getSplatValue<llvm::APInt>().getSExtValue(), std::nullopt,
              0};
    return {};
  }

  /// True of casts between whole numbers and of what moves elements: what is
  /// computed of ids is none.
  static bool keepsNumbers(mlir::Operation *op, mlir::Value operand) {
    auto isWhole = [](mlir::Value value) {
      mlir::Type type = mlir::getElementTypeOrSelf(value.getType());
      return type.isIntOrIndex() && !type.isInteger(1);
    };
    if (op->getNumResults() != 1 || !isWhole(operand) ||
        !isWhole(op->getResult(0)))
      return false;
    namespace tosa = mlir::tosa;
    namespace arith = mlir::arith;
    return mlir::isa<tosa::CastOp, tosa::ConcatOp, tosa::IdentityOp,
                     tosa::ReshapeOp, tosa::ReverseOp, tosa::SliceOp,
                     tosa::TileOp, tosa::TransposeOp, arith::ExtSIOp,
                     arith::ExtUIOp, arith::IndexCastOp, arith::IndexCastUIOp,
                     arith::TruncIOp>(op) ||
           // Scalars are sizes and places there.
           (mlir::isa<mlir::TensorType>(operand.getType()) &&
            mlir::isa_and_nonnull<mlir::tensor::TensorDialect>(
                op->getDialect()));
  }

  void noteUse(const Numbers &numbers, mlir::Operation *op) {
    mlir::Value value = numbers.value;
    if (auto embedding = mlir::dyn_cast<block::EmbeddingOp>(op)) {
      noteEmbedding(value, embedding);
    } else if (auto gradient = mlir::dyn_cast<block::EmbeddingGradOp>(op)) {
      noteEmbeddingGrad(value, gradient);
    } else if (auto attention =
                   mlir::dyn_cast<block::AttentionOpInterface>(op)) {
      if (value == attention.getLengths())
        add(IndexLimit::Tokens, findSize(attention.getKey(), 1));
      if (value == attention.getCuSeqlens())
        add(IndexLimit::Bounds, findSize(attention.getKey(), 1));
    } else if (auto loss = mlir::dyn_cast<block::CrossEntropyOp>(op)) {
      noteTargets(value, loss);
    } else if (auto grad = mlir::dyn_cast<block::CrossEntropyGradOp>(op)) {
      noteTargets(value, grad);
    } else if (auto take = mlir::dyn_cast<block::TakeRowsOp>(op)) {
      if (value == take.getRows())
        add(IndexLimit::Rows, findSize(take.getInput(), 1));
    } else if (auto gather = mlir::dyn_cast<mlir::tosa::GatherOp>(op)) {
      if (value == gather.getIndices())
        add(IndexLimit::Rows, findSize(gather.getValues(), 1));
    } else if (auto extract = mlir::dyn_cast<mlir::tensor::ExtractOp>(op)) {
      for (auto [dim, index] : llvm::enumerate(extract.getIndices()))
        if (value == index)
          noteIndex(numbers, findSize(extract.getTensor(), dim));
    }
  }

  /// Indices of a dimension, of which those that were wrapped at its size may
  /// have been below 0.
  void noteIndex(const Numbers &numbers, std::optional<InputSize> size) {
    InputLimit *added = add(IndexLimit::Rows, size);
    if (!added || !numbers.wrappedAt)
      return;
    bool isOpen = added->size.argument && numbers.wrappedAt->value == 0;
    added->limit.countsFromEnd = isOpen || *numbers.wrappedAt == added->size;
  }

  template <typename LossOp> void noteTargets(mlir::Value value, LossOp op) {
    if (value != op.getTargets())
      return;
    if (InputLimit *added = add(IndexLimit::Rows, findSize(op.getWeight(), 0)))
      added->limit.ignored = op.getIgnored();
  }

  void noteEmbedding(mlir::Value value, block::EmbeddingOp op) {
    if (value == op.getTypeIds())
      add(IndexLimit::Rows, findSize(op.getTypeTable(), 0));
    if (value != op.getIds())
      return;
    // Ids of other parts of a vocabulary are allowed as well.
    mlir::Value table = findOrigin(op.getTable());
    if (op.getFirstId())
      table = findWhole(table);
    if (InputLimit *added = add(IndexLimit::Rows, findSize(table, 0))) {
      added->isOfPart = op.getFirstId() != nullptr;
      added->isWholeKnown = table != findOrigin(op.getTable());
    }
    if (op.getPositionTable())
      notePositions(op, op.getPositionTable());
  }

  /// A half of a step that goes back reads ids for this alone.
  void noteEmbeddingGrad(mlir::Value value, block::EmbeddingGradOp op) {
    for (auto [name, gradient] :
         llvm::zip_equal(op.getWrt().getAsValueRange<mlir::StringAttr>(),
                         op.getGradients())) {
      bool isOfIds = name == "table" && value == op.getIds();
      if (isOfIds || (name == "type_table" && value == op.getTypeIds()))
        add(IndexLimit::Rows, findSize(gradient, 0));
      if (name == "position_table" && value == op.getIds())
        notePositions(op, gradient);
    }
  }

  template <typename EmbeddingOp>
  void notePositions(EmbeddingOp op, mlir::Value table) {
    // Those of rows that begin anywhere are CacheLimits' to look at.
    if (op.getOffset() && !op.getOffset().getType().isIndex())
      return;
    InputLimit *added = add(IndexLimit::Positions, findSize(table, 0));
    if (!added)
      return;
    added->limit.firstPosition = op.getPositionOffset();
    added->limit.padId = op.getPadId();
    if (op.getOffset())
      added->past = findNumber(op.getOffset()).value_or(InputSize());
  }

  InputLimit *add(IndexLimit::Kind kind, std::optional<InputSize> size) {
    if (!size)
      return nullptr;
    // Each layer says the same of lengths.
    for (const InputLimit &known : limits)
      if (known.limit.kind == kind && known.size == *size &&
          (kind == IndexLimit::Tokens || kind == IndexLimit::Bounds))
        return nullptr;
    InputLimit &added = limits.emplace_back();
    added.limit.kind = kind;
    added.size = *size;
    return &added;
  }

  /// An index that is a size, or a constant.
  std::optional<InputSize> findNumber(mlir::Value value) {
    value = findOrigin(value);
    if (std::optional<int64_t> number = mlir::getConstantIntValue(value))
      return InputSize{*number, std::nullopt, 0};
    auto dim = value.getDefiningOp<mlir::tensor::DimOp>();
    std::optional<int64_t> which = dim ? dim.getConstantIndex() : std::nullopt;
    if (!which)
      return std::nullopt;
    return findSize(dim.getSource(), static_cast<unsigned>(*which));
  }

  /// The size of dimension `dim` at run time, looking through ops that keep it
  /// in their first operand.
  std::optional<InputSize> findSize(mlir::Value value, unsigned dim) {
    while (true) {
      value = findOrigin(value);
      auto type = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
      if (!type || type.getRank() <= static_cast<int64_t>(dim))
        return std::nullopt;
      if (!type.isDynamicDim(dim))
        return InputSize{type.getDimSize(dim), std::nullopt, 0};
      if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value)) {
        if (argument.getOwner()->getParentOp() != signature.function)
          return std::nullopt;
        return InputSize{0, argument.getArgNumber(), dim};
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

  /// Finds what `table` is a part of, without what was padded behind its end.
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
  std::optional<InputSize> findTokensByName(StringRef name) {
    static constexpr StringRef encoder[] = {"encoder_hidden_states",
                                            "input_ids"};
    static constexpr StringRef own[] = {"hidden_states", "decoder_input_ids",
                                        "input_ids"};
    for (StringRef candidate :
         name == "encoder_lengths" ? ArrayRef(encoder) : ArrayRef(own))
      for (auto [index, argument] : llvm::enumerate(signature.arguments))
        if (argument.name == candidate && argument.shape.size() > 1)
          return InputSize{0, static_cast<unsigned>(index), 1};
    return std::nullopt;
  }

  const Signature &signature;
  std::vector<InputLimit> limits;
};
} // namespace

std::vector<InputLimit> runner::collectInputLimits(const Signature &signature,
                                                   unsigned argument) {
  const Argument &input = signature.arguments[argument];
  if (input.isParameter || isFloatType(input.type))
    return {};
  return LimitFinder(signature).find(argument);
}

IndexLimit InputLimit::evaluate(ArrayRef<Shape> shapes) const {
  IndexLimit known = limit;
  known.size = size.evaluate(shapes);
  known.firstPosition += past.evaluate(shapes);
  return known;
}

static void lower(std::optional<int64_t> &bound, int64_t other) {
  if (!bound || other < *bound)
    bound = other;
}

/// An id that stands for none does so for all who read it, or is refused.
static void lowerRows(InputFact &fact, const IndexLimit &limit) {
  if (!fact.tableRows || fact.ignored == limit.ignored)
    fact.ignored = limit.ignored;
  else
    fact.ignored.reset();
  fact.countsFromEnd =
      limit.countsFromEnd && (!fact.tableRows || fact.countsFromEnd);
  lower(fact.tableRows, limit.size);
}

InputFact runner::evaluateLimits(ArrayRef<InputLimit> limits,
                                 ArrayRef<Shape> shapes) {
  InputFact fact;
  for (const InputLimit &each : limits) {
    IndexLimit limit = each.evaluate(shapes);
    switch (limit.kind) {
    case IndexLimit::Rows:
      if (each.isOfPart)
        // Others stand for positions alone.
        fact.vocabulary = std::max(fact.vocabulary.value_or(0), limit.size);
      else
        lowerRows(fact, limit);
      break;
    case IndexLimit::Tokens:
      lower(fact.tokens, limit.size);
      break;
    case IndexLimit::Bounds:
      lower(fact.packedTokens, limit.size);
      break;
    case IndexLimit::Positions:
      if (!fact.positions ||
          limit.size - limit.firstPosition <
              fact.positions->size - fact.positions->firstPosition)
        fact.positions = limit;
      break;
    }
  }
  return fact;
}

InputFacts runner::collectInputFacts(const Signature &signature,
                                     ArrayRef<Shape> shapes) {
  InputFacts facts;
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    std::vector<InputLimit> limits = collectInputLimits(signature, index);
    if (!limits.empty())
      facts[argument.name] = evaluateLimits(limits, shapes);
  }
  if (std::optional<CacheLimits> caches = collectCacheLimits(signature)) {
    auto bound = [&](unsigned index) -> std::optional<int64_t> & {
      return facts[signature.arguments[index].name].drawnBelow;
    };
    bound(caches->pastLengths) =
        std::max<int64_t>(caches->getMostPast(shapes), 0) + 1;
    if (caches->starts)
      bound(*caches->starts) = caches->tokens.evaluate(shapes) / 2 + 1;
    for (const CacheRoom::Table &table : caches->evaluate(shapes).tables) {
      InputFact &fact = facts[table.name];
      lower(fact.drawnBelow, table.pages);
      fact.isDrawnOnce = true;
    }
  }
  return facts;
}
