//===- HealPrograms.cpp - builds teacher, student and step ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HealPrograms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Analysis/SerialForm.h"
#include "parablock/Transforms/Differentiate/Passes.h"
#include "parablock/Transforms/ParallelizeLayers.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "parablock/Transforms/ShiftLayers.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

/// Name of the student; block-differentiate adds the suffix of its step.
static constexpr llvm::StringLiteral studentName = "student";

/// Gives dynamic rows the sizes of one call.
static void setRows(func::FuncOp function, HealSizes sizes) {
  auto set = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return;
    SmallVector<int64_t> shape(type.getShape());
    for (auto [dim, size] : llvm::enumerate(shape))
      if (ShapedType::isDynamic(size) && dim < 2)
        size = dim == 0 ? sizes.rows : sizes.tokens;
    value.setType(type.clone(shape));
  };
  for (BlockArgument argument : function.getArguments()) {
    set(argument);
    function.removeArgAttr(argument.getArgNumber(), block::kDimsAttr);
  }
  function.walk([&](Operation *op) { llvm::for_each(op->getResults(), set); });
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.getBody().getArgumentTypes(),
      function.getBody().front().getTerminator()->getOperandTypes()));
}

namespace {
/// Writes the loss at the end of a function, in TOSA: steps of other tools have
/// kernels and gradients, too.
class LossBuilder {
public:
  explicit LossBuilder(Operation *end) : builder(end), loc(end->getLoc()) {}

  /// Returns the weighted sum over tokens of KL(teacher || student) of logits.
  Value compare(Value teacher, Value student, Value weights) {
    Value wanted = makeLogShares(teacher), found = makeLogShares(student);
    Value differences =
        tosa::SubOp::create(builder, loc, wanted.getType(), wanted, found);
    Value shares = tosa::ExpOp::create(builder, loc, wanted.getType(), wanted);
    return sumTokens(reduce(multiply(shares, differences), 2), weights);
  }

  /// Returns the weighted sum over tokens of the squared error of streams,
  /// relative to the teacher's square.
  Value compareStreams(Value teacher, Value student, Value weights) {
    Value error =
        tosa::SubOp::create(builder, loc, student.getType(), student, teacher);
    Value size = reduce(multiply(teacher, teacher), 2);
    // A stream of zeros has no relative error.
    size = add(size, makeNumber(size.getType(), 1e-12F));
    Value inverse =
        tosa::ReciprocalOp::create(builder, loc, size.getType(), size);
    return sumTokens(multiply(reduce(multiply(error, error), 2), inverse),
                     weights);
  }

  Value add(Value a, Value b) {
    return tosa::AddOp::create(builder, loc, a.getType(), a, b);
  }
  Value scale(Value value, double factor) {
    return multiply(value,
                    makeNumber(value.getType(), static_cast<float>(factor)));
  }

private:
  Value makeNumber(Type type, float number) {
    auto shaped = cast<RankedTensorType>(type);
    return tosa::ConstOp::create(builder, loc, type,
                                 DenseElementsAttr::get(shaped, number));
  }

  /// Returns the weighted sum of `[rows, tokens, 1]` as a scalar.
  Value sumTokens(Value perToken, Value weights) {
    Value sum = reduce(reduce(multiply(perToken, weights), 1), 0);
    auto scalar = RankedTensorType::get({}, builder.getF32Type());
    return tensor::CollapseShapeOp::create(builder, loc, scalar, sum,
                                           ArrayRef<ReassociationIndices>());
  }

  Value makeLogShares(Value logits) {
    Type type = logits.getType();
    auto most = tosa::ReduceMaxOp::create(builder, loc, getReduced(logits, 2),
                                          logits, builder.getI32IntegerAttr(2));
    most->setAttr("differentiate.constant", builder.getBoolAttr(true));
    Value shifted = tosa::SubOp::create(builder, loc, type, logits, most);
    Value total = reduce(tosa::ExpOp::create(builder, loc, type, shifted), 2);
    Value log = tosa::LogOp::create(builder, loc, total.getType(), total);
    return tosa::SubOp::create(builder, loc, type, shifted, log);
  }

  static RankedTensorType getReduced(Value value, int64_t axis) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] = 1;
    return type.clone(shape);
  }

  Value reduce(Value value, int32_t axis) {
    return tosa::ReduceSumOp::create(builder, loc, getReduced(value, axis),
                                     value, builder.getI32IntegerAttr(axis));
  }

  Value multiply(Value a, Value b) {
    auto type = RankedTensorType::get({1}, builder.getI8Type());
    Value shift = tosa::ConstOp::create(
        builder, loc, type, cast<DenseElementsAttr>(builder.getZeroAttr(type)));
    return tosa::MulOp::create(builder, loc, a.getType(), a, b, shift);
  }

  OpBuilder builder;
  Location loc;
};
} // namespace

/// Appends an input of floats.
static FailureOr<Value> addInput(func::FuncOp function, llvm::StringRef name,
                                 ArrayRef<int64_t> shape) {
  Builder builder(function.getContext());
  unsigned position = function.getNumArguments();
  if (failed(function.insertArgument(
          position, RankedTensorType::get(shape, builder.getF32Type()),
          builder.getDictionaryAttr(builder.getNamedAttr(
              block::kInputAttr, builder.getStringAttr(name))),
          function.getLoc())))
    return failure();
  return Value(function.getArgument(position));
}

/// Replaces the results of a function; `names` are those of the first ones.
static void setResults(func::FuncOp function, ValueRange results,
                       ArrayRef<llvm::StringRef> names) {
  function.getBody().front().getTerminator()->setOperands(results);
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.getArgumentTypes(), results.getTypes()));
  Builder builder(function.getContext());
  SmallVector<DictionaryAttr> attributes;
  for (size_t i = 0; i < results.size(); ++i) {
    std::string name =
        i < names.size() ? names[i].str() : "stream." + std::to_string(i);
    attributes.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr(block::kOutputAttr, builder.getStringAttr(name))));
  }
  function.removeResAttrsAttr();
  function.setAllResultAttrs(attributes);
}

/// Lets a function return the stream behind its last layer alone.
static void returnLastStream(func::FuncOp function) {
  block::LayerOp last;
  function.walk([&](block::LayerOp layer) { last = layer; });
  setResults(function, last.getResult(0), {"stream"});
}

/// Returns the stream behind each layer of `pairs`.
static std::map<LayerPair, Value> findStreams(func::FuncOp function,
                                              ArrayRef<LayerPair> pairs) {
  std::map<LayerPair, Value> streams;
  function.walk([&](block::LayerOp layer) {
    LayerPair pair = getLayerPair(layer);
    if (llvm::is_contained(pairs, pair))
      streams.insert({pair, layer.getResult(0)});
  });
  return streams;
}

/// Replaces the results by the loss, and by its part of the first result alone
/// if there are streams.
static LogicalResult
returnLoss(func::FuncOp student,
           ArrayRef<std::pair<Value, RankedTensorType>> streams, double factor,
           bool hasLogits) {
  Operation *end = student.getBody().front().getTerminator();
  Value first = end->getOperand(0);
  auto shape = cast<RankedTensorType>(first.getType()).getShape();
  FailureOr<Value> teacher = addInput(student, "teacher_logits", shape);
  if (failed(teacher))
    return failure();
  FailureOr<Value> weights =
      addInput(student, "token_weights", {shape[0], shape[1], 1});
  if (failed(weights))
    return failure();
  LossBuilder losses(end);
  Value kl = hasLogits ? losses.compare(*teacher, first, *weights)
                       : losses.compareStreams(*teacher, first, *weights);
  Value total;
  for (auto [index, stream] : llvm::enumerate(streams)) {
    FailureOr<Value> wanted =
        addInput(student, "teacher_stream." + std::to_string(index),
                 stream.second.getShape());
    if (failed(wanted))
      return failure();
    Value own = losses.compareStreams(*wanted, stream.first, *weights);
    total = total ? losses.add(total, own) : own;
  }
  if (!total)
    setResults(student, kl, {"loss"});
  else
    setResults(student, {losses.add(kl, losses.scale(total, factor)), kl},
               {"loss", "kl"});
  return success();
}

/// Returns whether ops of `layers` alone read `value` in the end.
static bool isReadOnlyIn(Value value,
                         const SmallPtrSetImpl<Operation *> &layers) {
  WalkResult uses = walkUses(value, [&](OpOperand &use) -> WalkResult {
    Operation *user = use.getOwner();
    for (Operation *op = user; op; op = op->getParentOp())
      if (layers.contains(op))
        return WalkResult::skip();
    return success(user->getNumResults() == 1 &&
                   block::isWeightOnly(user->getResult(0)));
  });
  return !uses.wasInterrupted();
}

/// Returns the arguments of floats that converted layers alone read.
static std::vector<unsigned> findTrained(func::FuncOp student,
                                         ArrayRef<LayerPair> pairs) {
  SmallPtrSet<Operation *, 8> layers;
  student.walk([&](block::LayerOp layer) {
    if (layer.getApprox() && llvm::is_contained(pairs, getLayerPair(layer)))
      layers.insert(layer);
  });
  std::vector<unsigned> trained;
  for (BlockArgument argument : student.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (type && isa<FloatType>(type.getElementType()) &&
        student.getArgAttr(argument.getArgNumber(), block::kParamAttr) &&
        !argument.use_empty() && isReadOnlyIn(argument, layers))
      trained.push_back(argument.getArgNumber());
  }
  return trained;
}

/// Walks from a weight of `step` to the parameter that it is read from, through
/// ops that keep its rows or columns whole; returns null if there are others.
static BlockArgument findWhole(Value weight, CodeAxis &axis) {
  while (Operation *op = weight.getDefiningOp()) {
    auto source = [&]() -> RankedTensorType {
      return op->getNumOperands()
                 ? dyn_cast<RankedTensorType>(op->getOperand(0).getType())
                 : RankedTensorType();
    }();
    if (!source)
      return {};
    int64_t last = source.getRank() - 1;
    ArrayRef<int64_t> from = source.getShape();
    ArrayRef<int64_t> to = cast<RankedTensorType>(weight.getType()).getShape();
    if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
      SmallVector<int64_t> swapped =
          llvm::to_vector(llvm::seq<int64_t>(0, last + 1));
      std::swap(swapped[last], swapped[last - 1]);
      if (transpose.getPermutation() != ArrayRef(swapped))
        return {};
      axis = axis == CodeAxis::Rows ? CodeAxis::Columns : CodeAxis::Rows;
    } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      int64_t whole = axis == CodeAxis::Rows ? last : last - 1;
      if (!slice.hasUnitStride() || to.size() != from.size() ||
          to[whole] != from[whole])
        return {};
    } else if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) ||
               axis != CodeAxis::Rows || from.back() != to.back()) {
      return {};
    }
    weight = op->getOperand(0);
  }
  return cast<BlockArgument>(weight);
}

Expected<std::vector<CodeAxis>> HealPrograms::findCodeAxes() {
  auto student = module->lookupSymbol<func::FuncOp>(studentName);
  std::vector<CodeAxis> axes(trained.size(), CodeAxis::None);
  std::string mixed;
  student.walk([&](block::StepOpInterface step) {
    auto layer = step->getParentOfType<block::LayerOp>();
    if (!layer || step.getStepKind() == block::StepKind::Weights)
      return;
    for (OpOperand &operand : step->getOpOperands()) {
      Value weight = operand.get();
      auto type = dyn_cast<RankedTensorType>(weight.getType());
      if (step.getOperandRole(operand) != block::OperandRole::Weight || !type ||
          (type.getRank() != 2 && type.getRank() != 3))
        continue;
      auto form = step->getAttrOfType<block::ExpertsAttr>("form");
      CodeAxis axis = type.getRank() == 3 && form && form.getTransposed()
                          ? CodeAxis::Columns
                          : CodeAxis::Rows;
      BlockArgument whole = findWhole(weight, axis);
      if (!whole) {
        // Only weights that are trained have codes.
        (void)walkSources(weight, [&](Value source) -> WalkResult {
          auto argument = dyn_cast<BlockArgument>(source);
          if (argument && llvm::is_contained(trained, argument.getArgNumber()))
            mixed = student
                        .getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      block::kParamAttr)
                        .str();
          return success();
        });
        continue;
      }
      auto found = llvm::find(trained, whole.getArgNumber());
      if (found == trained.end())
        continue;
      CodeAxis &own = axes[found - trained.begin()];
      if (own != CodeAxis::None && own != axis)
        mixed = student.getArgAttrOfType<StringAttr>(*found, block::kParamAttr)
                    .str();
      own = axis;
    }
  });
  if (!mixed.empty())
    return llvm::createStringError(
        "--heal-codes: the model reads '" + mixed +
        "' through ops that mix its rows, so codes are not of its numbers; "
        "heal without, and round by block-quantize");
  return axes;
}

Error HealPrograms::build(func::FuncOp function, const Choice &choice,
                          double streamFactor) {
  MLIRContext *context = function.getContext();
  context->loadDialect<tosa::TosaDialect, tensor::TensorDialect>();
  module = ModuleOp::create(UnknownLoc::get(context));
  auto add = [&](llvm::StringRef name) {
    func::FuncOp clone = function.clone();
    clone.setName(name);
    module->push_back(clone);
    return clone;
  };
  func::FuncOp serial = add("teacher"), student = add(studentName);
  if (failed(block::addParameters(student, choice.addedParameters)))
    return llvm::make_error<runner::DiagnosedError>();
  SmallVector<LayerPair> converted = block::parallelizeLayers(
      student, choice.chosen, block::ParallelizeOptions::of(choice));
  std::string fault =
      block::describeUnconverted(student, choice.chosen, converted);
  if (!fault.empty())
    return llvm::createStringError("--heal: " + fault +
                                   ": leave the pair out by --blocks");
  // The teacher has the student's layers.
  if (!choice.ladder)
    block::shiftLayers(serial, choice.chosen, "block-drift");
  for (func::FuncOp each : {serial, student}) {
    if (!hasLogits)
      returnLastStream(each);
    setFloatType(each, Float32Type::get(context));
    setRows(each, sizes);
  }
  auto logits = dyn_cast<RankedTensorType>(serial.getResultTypes().front());
  if (!logits || !logits.hasStaticShape() || logits.getRank() != 3)
    return llvm::createStringError(
        "healing: expected logits or a stream of [batch, sequence, width] with "
        "known sizes");
  vocabulary = logits.getDimSize(2);
  trained = findTrained(student, choice.chosen);
  SmallVector<Value> results = {
      serial.getBody().front().getTerminator()->getOperand(0)};
  SmallVector<std::pair<Value, RankedTensorType>> compared;
  if (streamFactor != 0) {
    auto wanted = findStreams(serial, choice.chosen);
    for (auto &[pair, stream] : findStreams(student, choice.chosen))
      if (auto teacher = wanted.find(pair);
          teacher != wanted.end() &&
          teacher->second.getType() == stream.getType()) {
        results.push_back(teacher->second);
        compared.push_back({stream, cast<RankedTensorType>(stream.getType())});
      }
    if (compared.size() != choice.chosen.size())
      return llvm::createStringError(
          "--heal-streams: expected both models to have the stream behind each "
          "of " +
          Twine(choice.chosen.size()) + " pairs, got " +
          Twine(compared.size()) + "; --heal-streams=0 trains without streams");
  }
  streams = compared.size();
  setResults(serial, results, {"logits"});
  if (failed(returnLoss(student, compared, streamFactor, hasLogits)) ||
      failed(verify(*module)))
    return llvm::make_error<runner::DiagnosedError>();
  return addStep();
}

/// Differentiates the student.
Error HealPrograms::addStep() {
  auto student = module->lookupSymbol<func::FuncOp>(studentName);
  SmallVector<llvm::StringRef> names;
  for (unsigned argument : trained)
    names.push_back(
        student.getArgAttrOfType<StringAttr>(argument, block::kParamAttr)
            .getValue());
  block::BlockDifferentiateOptions options;
  options.wrt = llvm::join(names, ",");
  options.loss = "loss";
  options.functionName = studentName.str();
  PassManager manager(module->getContext());
  manager.addPass(block::createBlockDifferentiate(options));
  if (failed(manager.run(*module)))
    return llvm::make_error<runner::DiagnosedError>();
  return Error::success();
}

Expected<HealPrograms> HealPrograms::create(func::FuncOp function,
                                            const Choice &choice,
                                            HealSizes sizes,
                                            double streamFactor, bool hasLogits,
                                            const DriftEngine &engine) {
  HealPrograms programs;
  programs.sizes = sizes;
  programs.hasLogits = hasLogits;
  if (Error error = programs.build(function, choice, streamFactor))
    return error;
  if (programs.trained.empty())
    return programs;
  for (auto [name, ready] : {std::pair("teacher", &programs.teacher),
                             std::pair("student", &programs.loss),
                             std::pair("student_step", &programs.step)}) {
    auto part = programs.module->lookupSymbol<func::FuncOp>(name);
    Expected<ReadyFunction> made = engine.prepare(part);
    if (!made)
      return made.takeError();
    *ready = std::move(*made);
  }
  return programs;
}

Expected<double> HealPrograms::runLoss(ArrayRef<Tensor> arguments) const {
  Expected<Tensors> results = loss(arguments);
  if (!results)
    return results.takeError();
  return results->back().data().front();
}

Expected<Tensors> HealPrograms::runStep(ArrayRef<Tensor> arguments) const {
  Expected<Tensors> results = step(arguments);
  if (!results)
    return results.takeError();
  // Losses come first.
  results->erase(results->begin(), results->end() - trained.size());
  return results;
}
