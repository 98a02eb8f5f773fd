//===- HealPrograms.cpp - builds teacher, student and step ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HealPrograms.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Analysis/SerialForm.h"
#include "parablock/Transforms/Differentiate/Passes.h"
#include "parablock/Transforms/ParallelizeLayers.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "llvm/ADT/StringExtras.h"

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
    Value sum = reduce(multiply(shares, differences), 2);
    sum = reduce(reduce(multiply(sum, weights), 1), 0);
    auto scalar = RankedTensorType::get({}, builder.getF32Type());
    return tensor::CollapseShapeOp::create(builder, loc, scalar, sum,
                                           ArrayRef<ReassociationIndices>());
  }

private:
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

/// Replaces the results by the loss.
static LogicalResult returnLoss(func::FuncOp student) {
  Operation *end = student.getBody().front().getTerminator();
  Value logits = end->getOperand(0);
  auto shape = cast<RankedTensorType>(logits.getType()).getShape();
  FailureOr<Value> teacher = addInput(student, "teacher_logits", shape);
  if (failed(teacher))
    return failure();
  FailureOr<Value> weights =
      addInput(student, "token_weights", {shape[0], shape[1], 1});
  if (failed(weights))
    return failure();
  Value loss = LossBuilder(end).compare(*teacher, logits, *weights);
  end->setOperands(loss);
  student.setFunctionType(FunctionType::get(
      student.getContext(), student.getArgumentTypes(), loss.getType()));
  Builder builder(student.getContext());
  student.setResultAttrs(
      0, builder.getDictionaryAttr(builder.getNamedAttr(
             block::kOutputAttr, builder.getStringAttr("loss"))));
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

Error HealPrograms::build(func::FuncOp function, const Choice &choice) {
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
  size_t converted =
      block::parallelizeLayers(student, choice.chosen,
                               block::ParallelizeOptions::of(choice))
          .size();
  if (converted != choice.chosen.size())
    return llvm::createStringError(
        "healing: expected " + Twine(choice.chosen.size()) +
        " pairs to become parallel, got " + Twine(converted));
  for (func::FuncOp each : {serial, student}) {
    setFloatType(each, Float32Type::get(context));
    setRows(each, sizes);
  }
  auto logits = dyn_cast<RankedTensorType>(serial.getResultTypes().front());
  if (!logits || !logits.hasStaticShape() || logits.getRank() != 3)
    return llvm::createStringError(
        "healing: expected logits of [batch, sequence, vocabulary] with known "
        "sizes");
  vocabulary = logits.getDimSize(2);
  trained = findTrained(student, choice.chosen);
  if (failed(returnLoss(student)) || failed(verify(*module)))
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
                                            const DriftEngine &engine) {
  HealPrograms programs;
  programs.sizes = sizes;
  if (Error error = programs.build(function, choice))
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

Expected<Tensor> HealPrograms::runTeacher(ArrayRef<Tensor> arguments) const {
  Expected<Tensors> results = teacher(arguments);
  if (!results)
    return results.takeError();
  return std::move(results->front());
}

Expected<double> HealPrograms::runLoss(ArrayRef<Tensor> arguments) const {
  Expected<Tensors> results = loss(arguments);
  if (!results)
    return results.takeError();
  return results->front().data().front();
}
