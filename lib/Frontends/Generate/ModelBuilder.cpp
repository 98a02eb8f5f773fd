//===- ModelBuilder.cpp - builds the function of a model ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Frontends/Generate/ModelBuilder.h"

#include "StackBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include <cmath>

using namespace mlir;

namespace parablock::generate {

void loadDialects(MLIRContext &context) {
  context
      .loadDialect<arith::ArithDialect, block::BlockDialect, func::FuncDialect,
                   linalg::LinalgDialect, tensor::TensorDialect>();
}

namespace {
/// A dimension that may be `?`, and its name.
struct NamedDim {
  std::optional<int64_t> size;
  StringRef name;
};

class ModelBuilder {
public:
  ModelBuilder(MLIRContext &context, const ModelSpec &spec,
               const BuildOptions &options)
      : spec(spec), options(options), builder(&context) {}

  OwningOpRef<ModuleOp> build();

private:
  Type getElementType();
  Value addInput(StringRef name, ArrayRef<NamedDim> dims, Type element,
                 const DrawRule *rule = nullptr);
  Value addStackInput(const StackSpec &stack, StringRef hiddenName,
                      NamedDim sequence);
  void addInputs();
  void addLossInputs(NamedDim batch, NamedDim sequence);
  FailureOr<Stream> buildStack(const StackSpec &stack, Value input,
                               int64_t firstIndex, LayerContext context,
                               const HeadSpec *head);
  FailureOr<Stream> buildBody();

  const ModelSpec &spec;
  const BuildOptions &options;
  OpBuilder builder;
  std::unique_ptr<FunctionArguments> arguments;
  Value encoderInput, input, typeIds, lengths, encoderLengths, cuSeqlens;
  LossInputs lossInputs;
};
} // namespace

/// Inputs of floats have a mean, too: a norm has something to subtract.
static constexpr DrawRule hiddenRule{Distribution::Normal, 0.3, 1};

bool hasCrossAttention(const StackSpec &stack) {
  for (const LayerSpec &layer : stack.layers)
    for (const StepSpec &step : layer.steps)
      for (const BranchSpec &branch : step.branches)
        if (branch.attention && branch.attention->cross)
          return true;
  return false;
}

Type ModelBuilder::getElementType() {
  switch (options.dtype) {
  case FloatKind::F32:
    return builder.getF32Type();
  case FloatKind::BF16:
    return builder.getBF16Type();
  case FloatKind::F16:
    return builder.getF16Type();
  }
  return Type();
}

Value ModelBuilder::addInput(StringRef name, ArrayRef<NamedDim> dims,
                             Type element, const DrawRule *rule) {
  SmallVector<int64_t> shape;
  SmallVector<StringRef> names;
  for (const NamedDim &dim : dims) {
    shape.push_back(dim.size.value_or(ShapedType::kDynamic));
    if (!dim.size)
      names.push_back(dim.name);
  }
  return arguments->addInput(name, RankedTensorType::get(shape, element), names,
                             rule);
}

Value ModelBuilder::addStackInput(const StackSpec &stack, StringRef hiddenName,
                                  NamedDim sequence) {
  NamedDim batch{options.batch, "batch"};
  bool whole = options.scope == Scope::Model;
  if (whole && stack.embedding)
    return addInput(stack.embedding->idsName, {batch, sequence},
                    builder.getI64Type());
  if (whole && stack.patches) {
    const PatchEmbeddingSpec &patches = *stack.patches;
    return addInput("pixel_values",
                    {batch,
                     {patches.channels, ""},
                     {patches.height, ""},
                     {patches.width, ""}},
                    arguments->getElementType(), &hiddenRule);
  }
  return addInput(hiddenName, {batch, sequence, {spec.width, ""}},
                  arguments->getElementType(), &hiddenRule);
}

void ModelBuilder::addInputs() {
  NamedDim batch{options.batch, "batch"};
  NamedDim sequence{options.sequence, "seq"};
  NamedDim encoderSequence{options.encoderSequence, "encoder_seq"};
  bool cross = hasCrossAttention(spec.stack);
  // Alone, the layers of a decoder read encoder states as an input.
  bool hasEncoder = spec.encoder && options.scope == Scope::Model;
  if (hasEncoder)
    encoderInput =
        addStackInput(*spec.encoder, "hidden_states", encoderSequence);
  input = addStackInput(spec.stack, "hidden_states", sequence);
  if (options.scope == Scope::Model && spec.stack.embedding &&
      spec.stack.embedding->typeIds)
    typeIds =
        addInput("token_type_ids", {batch, sequence}, builder.getI64Type());
  if (cross && !hasEncoder)
    encoderInput = addInput("encoder_hidden_states",
                            {batch, encoderSequence, {spec.width, ""}},
                            arguments->getElementType(), &hiddenRule);
  if (options.packed) {
    NamedDim bounds{options.packedSequences, "bounds"};
    if (bounds.size)
      ++*bounds.size;
    cuSeqlens = addInput("cu_seqlens", {bounds}, builder.getI64Type());
  }
  if (options.padding)
    lengths = addInput("lengths", {batch}, builder.getI64Type());
  if (options.padding && cross)
    encoderLengths = addInput("encoder_lengths", {batch}, builder.getI64Type());
  if (options.loss)
    addLossInputs(batch, sequence);
}

void ModelBuilder::addLossInputs(NamedDim batch, NamedDim sequence) {
  if (spec.head->firstTokenOnly)
    sequence = {1, ""};
  lossInputs.targets =
      addInput("targets", {batch, sequence}, builder.getI64Type());
  // As many as there are, were none left out.
  DrawRule rule{Distribution::Constant,
                double(batch.size.value_or(1) * sequence.size.value_or(64)), 0};
  if (options.divisor)
    lossInputs.divisor =
        addInput("loss_divisor", {}, builder.getF32Type(), &rule);
}

FailureOr<Stream> buildLayers(OpBuilder &builder, FunctionArguments &arguments,
                              const StackSpec &stack, int64_t firstIndex,
                              Stream input, LayerContext context) {
  // All layers together scale the stream by about 2^9, so that f16 can
  // represent it, while every update stays at least a third of the stream.
  double branches = 0;
  for (const LayerSpec &layer : stack.layers)
    for (const StepSpec &step : layer.steps)
      branches += step.branches.size();
  double ratio = std::sqrt(std::exp2(18 / std::fmax(branches, 1)) - 1);
  context.updateRatio = std::fmin(std::fmax(ratio, 0.45), 0.9);
  for (auto [index, layer] : llvm::enumerate(stack.layers)) {
    auto next = buildLayer(builder, arguments, layer, firstIndex + index, input,
                           context);
    if (failed(next))
      return failure();
    input = *next;
  }
  return input;
}

FailureOr<Stream> ModelBuilder::buildStack(const StackSpec &stack, Value input,
                                           int64_t firstIndex,
                                           LayerContext context,
                                           const HeadSpec *head) {
  bool whole = options.scope == Scope::Model;
  Stream x{input, 1};
  if (whole && (stack.embedding || stack.patches))
    x = buildEmbedding(builder, *arguments, stack, spec.width, head, input,
                       typeIds);
  auto result = buildLayers(builder, *arguments, stack, firstIndex, x, context);
  if (failed(result) || !whole)
    return result;
  return buildEnd(builder, *arguments, stack, *result);
}

FailureOr<Stream> ModelBuilder::buildBody() {
  LayerContext context;
  context.width = spec.width;
  context.packed = spec.packed ? &*spec.packed : nullptr;
  int64_t firstIndex = 0;
  context.memory = {encoderInput, 1};
  if (spec.encoder && options.scope == Scope::Model) {
    LayerContext encoderContext = context;
    encoderContext.lengths = encoderLengths;
    auto memory = buildStack(*spec.encoder, encoderInput, 0, encoderContext,
                             spec.head ? &*spec.head : nullptr);
    if (failed(memory))
      return failure();
    context.memory = *memory;
    firstIndex = spec.encoder->layers.size();
  }
  context.lengths = lengths;
  context.cuSeqlens = cuSeqlens;
  context.memoryLengths = encoderLengths;
  return buildStack(spec.stack, input, firstIndex, context,
                    spec.head ? &*spec.head : nullptr);
}

OwningOpRef<ModuleOp> ModelBuilder::build() {
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(
      builder, loc, "main", builder.getFunctionType(TypeRange(), TypeRange()));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  arguments = std::make_unique<FunctionArguments>(function, getElementType());
  addInputs();
  auto body = buildBody();
  if (failed(body))
    return {};
  bool hasHead = spec.head && options.scope == Scope::Model;
  Value result =
      hasHead ? buildHead(builder, *arguments, *spec.head, *body, lossInputs)
              : body->value;
  func::ReturnOp::create(builder, loc, result);
  StringRef name = options.loss ? "loss" : hasHead ? "logits" : "hidden_states";
  if (failed(arguments->finish(result.getType(), name)) ||
      failed(verify(*module)))
    return {};
  return module;
}

OwningOpRef<ModuleOp> buildModel(MLIRContext &context, const ModelSpec &spec,
                                 const BuildOptions &options) {
  return ModelBuilder(context, spec, options).build();
}

} // namespace parablock::generate
