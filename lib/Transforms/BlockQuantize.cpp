//===- BlockQuantize.cpp - pass block-quantize ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EncodeRows.h"
#include "PrepackFunction.h"
#include "QuantizeWeight.h"
#include "RecipeWork.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/EraseDead.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/QuantizedForms.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <utility>

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKQUANTIZE
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kQuantize = "block-quantize";

/// Layers that an option names.
struct LayerRange {
  int64_t first, last;
};

/// Returns whether recipes can compute `value`.
bool isMadeByRecipe(Value value) {
  WalkResult sources = walkSources(value, [](Value source) -> WalkResult {
    Operation *op = source.getDefiningOp();
    return success(op ? !isa<UnpackWeightOp>(op) && isRecipeWork(op)
                      : isWeightOnly(source));
  });
  return !sources.wasInterrupted();
}

/// The parameter that a weight is read from first; null where it is none.
BlockArgument findParameter(Value weight) {
  while (Operation *op = weight.getDefiningOp()) {
    if (op->getNumOperands() == 0)
      return {};
    weight = op->getOperand(0);
  }
  return cast<BlockArgument>(weight);
}

/// Returns whether `weight` is unpacked from codes.
bool isUnpacked(Value weight) {
  if (auto transpose = weight.getDefiningOp<linalg::TransposeOp>())
    weight = transpose.getInput();
  if (auto expand = weight.getDefiningOp<tensor::ExpandShapeOp>())
    weight = expand.getSrc();
  return weight.getDefiningOp<UnpackWeightOp>() != nullptr;
}

/// Returns whether `weight` is a matrix, or matrices of experts.
bool isMatrix(Value weight) {
  int64_t rank = cast<RankedTensorType>(weight.getType()).getRank();
  return rank == 2 || rank == 3;
}

/// A weight as the matrix that codes are of: stacked matrices of experts are
/// one, as [out, in] with the rows of all experts.
class CodedMatrix {
public:
  CodedMatrix(Value weight, Operation *reader)
      : loc(weight.getLoc()), type(cast<RankedTensorType>(weight.getType())) {
    auto form = reader->getAttrOfType<ExpertsAttr>("form");
    isTransposed = isStack() && form && form.getTransposed();
    shape = llvm::to_vector(type.getShape());
    if (isTransposed)
      std::swap(shape[1], shape[2]);
  }

  /// Returns the matrix of a weight.
  Value takeFrom(OpBuilder &builder, Value weight) const {
    if (isTransposed)
      weight = transposeStack(builder, loc, weight);
    if (!isStack())
      return weight;
    return tensor::CollapseShapeOp::create(builder, loc, getType(), weight,
                                           groups);
  }
  /// Returns the weight that has this matrix.
  Value giveBack(OpBuilder &builder, Value matrix) const {
    if (!isStack())
      return matrix;
    Value stack = tensor::ExpandShapeOp::create(builder, loc, type.clone(shape),
                                                matrix, groups);
    return isTransposed ? transposeStack(builder, loc, stack) : stack;
  }
  RankedTensorType getType() const {
    return isStack() ? type.clone({shape[0] * shape[1], shape[2]}) : type;
  }

private:
  bool isStack() const { return type.getRank() == 3; }

  Location loc;
  RankedTensorType type;
  bool isTransposed;
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups = {{0, 1}, {2}};
};

struct BlockQuantizePass
    : public block::impl::BlockQuantizeBase<BlockQuantizePass> {
  using BlockQuantizeBase::BlockQuantizeBase;

  /// Codes are computed in the function, not by @prepack.
  bool isInPlace = false;

  void runOnOperation() final {
    func::FuncOp main = findMainFuncOp(getOperation(), functionName);
    if (!main)
      return signalPassFailure();
    if (failed(checkActivations(main)) || failed(parseLayers(main)) ||
        failed(findWeights(main)))
      return signalPassFailure();
    if (isInPlace)
      quantizeInPlace();
    else if (!weights.empty() && failed(quantize(main)))
      return signalPassFailure();
    if (activations == EncodedRows::Fp8 && failed(encodeLayers(main)))
      return signalPassFailure();
    if (counts.empty())
      return recordNoMatch(main, kQuantize, "weight of a layer");
    for (auto [layer, count] : counts)
      stamp(layer, count);
  }

private:
  /// Weights, and products with rows in codes, of a layer.
  struct Count {
    double weights = 0, rows = 0;
  };

  LogicalResult checkActivations(func::FuncOp main);
  LogicalResult parseLayers(func::FuncOp main);
  bool isChosen(LayerOp layer) const {
    auto index = static_cast<int64_t>(layer.getIndex());
    return ranges.empty() || llvm::any_of(ranges, [&](LayerRange range) {
             return range.first <= index && index <= range.last;
           });
  }
  LogicalResult findWeights(func::FuncOp main);
  LogicalResult quantize(func::FuncOp main);
  void quantizeInPlace();
  /// Lets all readers of `weight` read codes in its place.
  void replace(Value weight, ArrayRef<OpOperand *> readers,
               const CodedMatrix &matrix, const WeightCodes &made, Value codes,
               Value scales);
  std::string makeName(func::FuncOp main, Value weight);
  LogicalResult encodeLayers(func::FuncOp main);
  void stamp(LayerOp layer, const Count &count);

  SmallVector<LayerRange> ranges;
  /// The readers of each weight.
  llvm::MapVector<Value, SmallVector<OpOperand *>> weights;
  llvm::MapVector<LayerOp, Count> counts;
  llvm::StringSet<> names;
};
} // namespace

LogicalResult BlockQuantizePass::checkActivations(func::FuncOp main) {
  if (activations == EncodedRows::None || form == QuantizedForm::Fp8)
    return success();
  return main.emitError() << "option 'activations' requires form 'fp8', got '"
                          << getEnumName(form.getValue()) << "'";
}

LogicalResult BlockQuantizePass::parseLayers(func::FuncOp main) {
  ranges.clear();
  if (layers == "all")
    return success();
  DenseSet<int64_t> known;
  main.walk([&](LayerOp layer) { known.insert(layer.getIndex()); });
  SmallVector<StringRef> parts;
  StringRef(layers).split(parts, ',');
  for (StringRef part : parts) {
    auto [from, to] = part.split('-');
    LayerRange range;
    if (from.getAsInteger(10, range.first) ||
        (part.contains('-') ? to : from).getAsInteger(10, range.last) ||
        range.first > range.last)
      return main.emitError() << "expected layers to be all, or indices and "
                                 "ranges such as 0,2-5, got '"
                              << layers << "'";
    for (int64_t end : {range.first, range.last})
      if (!known.contains(end))
        return main.emitError()
               << "no layer has index " << end << " (layers=" << layers << ")";
    ranges.push_back(range);
  }
  return success();
}

LogicalResult BlockQuantizePass::findWeights(func::FuncOp main) {
  weights.clear();
  counts.clear();
  WalkResult walk = main.walk([&](StepOpInterface step) {
    if (isa<KernelOp>(step->getParentOp())) {
      step.emitError("expected weights of layers that have no kernels yet");
      return WalkResult::interrupt();
    }
    auto layer = step->getParentOfType<LayerOp>();
    if (!layer || !isChosen(layer) || step.getStepKind() == StepKind::Weights)
      return WalkResult::advance();
    for (OpOperand &operand : step->getOpOperands()) {
      if (step.getOperandRole(operand) != OperandRole::Weight ||
          isUnpacked(operand.get()) || !isMatrix(operand.get()))
        continue;
      if (!isMadeByRecipe(operand.get()) || !findParameter(operand.get())) {
        recordMissed(step, kQuantize, Reason::ConstantWeight,
                     "a weight is not made of parameters");
        continue;
      }
      weights[operand.get()].push_back(&operand);
      ++counts[layer].weights;
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Names it after the parameter that a weight is read from; numbered if that
/// holds several.
std::string BlockQuantizePass::makeName(func::FuncOp main, Value weight) {
  auto source = main.getArgAttrOfType<StringAttr>(
      findParameter(weight).getArgNumber(), kParamAttr);
  std::string base = source.str(), name = base;
  for (unsigned i = 1; !names.insert(name + ".codes").second; ++i)
    name = base + "." + std::to_string(i);
  return name;
}

void BlockQuantizePass::replace(Value weight, ArrayRef<OpOperand *> readers,
                                const CodedMatrix &matrix,
                                const WeightCodes &made, Value codes,
                                Value scales) {
  for (OpOperand *reader : readers) {
    OpBuilder builder(reader->getOwner());
    Value unpacked = UnpackWeightOp::create(
        builder, weight.getLoc(), matrix.getType(), codes, scales,
        /*zeros=*/Value(), made.form, made.group);
    reader->set(matrix.giveBack(builder, unpacked));
  }
}

void BlockQuantizePass::quantizeInPlace() {
  for (auto &[weight, readers] : weights) {
    CodedMatrix matrix(weight, readers.front()->getOwner());
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfterValue(weight);
    WeightCodes made = quantizeWeight(builder, weight.getLoc(),
                                      matrix.takeFrom(builder, weight), form);
    replace(weight, readers, matrix, made, made.codes, made.scales);
  }
}

LogicalResult BlockQuantizePass::quantize(func::FuncOp main) {
  if (!SymbolTable::symbolKnownUseEmpty(main, getOperation()))
    return main.emitError() << "expected no call of @" << main.getName()
                            << ", whose parameters change";
  FailureOr<func::FuncOp> prepack = findPrepack(main);
  if (succeeded(prepack) && !*prepack)
    prepack = makePrepack(main);
  if (failed(prepack))
    return failure();

  names.clear();
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (auto name = main.getArgAttrOfType<StringAttr>(i, kParamAttr))
      names.insert(name);
  IRMapping mapping = mapParameters(*prepack, main);
  OpBuilder inPrepack(prepack->front().getTerminator());
  unsigned numOriginal = main.getNumArguments();
  auto addParameter = [&](const Twine &name, Value made) {
    Builder builder(&getContext());
    unsigned position = main.getNumArguments();
    (void)main.insertArgument(position, made.getType(),
                              builder.getDictionaryAttr(builder.getNamedAttr(
                                  kParamAttr, builder.getStringAttr(name))),
                              made.getLoc());
    mapping.map(main.getArgument(position), made);
    return main.getArgument(position);
  };
  for (auto &[weight, readers] : weights) {
    CodedMatrix matrix(weight, readers.front()->getOwner());
    Value original =
        matrix.takeFrom(inPrepack, cloneWork(inPrepack, mapping, weight));
    WeightCodes made =
        quantizeWeight(inPrepack, weight.getLoc(), original, form);
    std::string name = makeName(main, weight);
    Value codes = addParameter(name + ".codes", made.codes);
    Value scales = addParameter(name + ".scales", made.scales);
    replace(weight, readers, matrix, made, codes, scales);
  }

  // Erases ops that have become unread.
  eraseDeadOps(main->getRegions());
  BitVector unread(main.getNumArguments());
  for (unsigned i = 0; i < numOriginal; ++i)
    unread[i] =
        main.getArgAttr(i, kParamAttr) && main.getArgument(i).use_empty();
  (void)main.eraseArguments(unread);

  SmallVector<Value> results;
  SmallVector<DictionaryAttr> attributes;
  BitVector parameters = collectParameters(main);
  for (unsigned i : parameters.set_bits()) {
    results.push_back(mapping.lookup(main.getArgument(i)));
    attributes.push_back(inPrepack.getDictionaryAttr(
        inPrepack.getNamedAttr(kOutputAttr, main.getArgAttr(i, kParamAttr))));
  }
  prepack->front().getTerminator()->setOperands(results);
  prepack->removeResAttrsAttr();
  prepack->setType(inPrepack.getFunctionType(prepack->getArgumentTypes(),
                                             ValueRange(results).getTypes()));
  prepack->setAllResultAttrs(attributes);
  eraseDeadOps((*prepack)->getRegions());
  return success();
}

LogicalResult BlockQuantizePass::encodeLayers(func::FuncOp main) {
  OpPassManager expansion(ModuleOp::getOperationName());
  expansion.addPass(createBlockExpand());
  if (failed(runPipeline(expansion, getOperation())))
    return failure();
  main.walk([&](LayerOp layer) {
    if (isChosen(layer))
      if (unsigned rows = encodeRows(layer, kQuantize))
        counts[layer].rows = rows;
  });
  return success();
}

void BlockQuantizePass::stamp(LayerOp layer, const Count &count) {
  Builder builder(&getContext());
  SmallVector<std::string> texts;
  if (count.weights > 0) {
    texts.push_back(("form=" + getEnumName(form.getValue())).str());
    if (rounding == Rounding::Compensated)
      texts.push_back("rounding=compensated");
  }
  if (count.rows > 0)
    texts.push_back("activations=fp8");
  std::string parameters = llvm::join(texts, " ");
  Attribute error = builder.getStringAttr("unmeasured");
  if (measured >= 0)
    error = builder.getF64FloatAttr(measured);
  layer.setApproxAttr(
      ApproxAttr::get(&getContext(), kQuantize, parameters, error,
                      layer.getApprox().value_or(ApproxAttr())));
  if (count.weights > 0)
    recordPassed(layer, kQuantize,
                 "weights became codes of form " + getEnumName(form.getValue()),
                 {{"weights", count.weights}});
  if (count.rows > 0)
    recordPassed(layer, kQuantize, "rows of products became codes of form fp8",
                 {{"products", count.rows}});
}

std::unique_ptr<Pass>
block::createBlockQuantizeInPlace(const BlockQuantizeOptions &options) {
  auto pass = std::make_unique<BlockQuantizePass>(options);
  pass->isInPlace = true;
  return pass;
}
