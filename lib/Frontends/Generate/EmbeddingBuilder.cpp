//===- EmbeddingBuilder.cpp - builds embeddings as IR ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StackBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <cmath>

using namespace mlir;

namespace parablock::generate {

/// Returns the size of the embedded tokens: small, so that an epsilon matters,
/// unless a tied head computes logits from them, or a sinusoid would dominate
/// them.
static double getTokenRms(const EmbeddingSpec &embedding, const HeadSpec *head,
                          int64_t tableWidth) {
  double rms = 0.25;
  double scale = std::fabs(embedding.scale);
  if (head && head->weight == embedding.table)
    rms = scale * 3 / (std::sqrt(double(tableWidth)) * std::fabs(head->scale));
  return embedding.sinusoid ? std::max(rms, 0.7) : rms;
}

static RankedTensorType getHiddenType(Value ids, int64_t width, Type element) {
  SmallVector<int64_t> shape(cast<RankedTensorType>(ids.getType()).getShape());
  shape.push_back(width);
  return RankedTensorType::get(shape, element);
}

/// A matrix "NAME.weight" that keeps the size of its input.
static Stream buildProjection(OpBuilder &builder, FunctionArguments &arguments,
                              const std::string &name, int64_t out,
                              Stream input) {
  auto type = cast<RankedTensorType>(input.value.getType());
  int64_t in = type.getShape().back();
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = out;
  Value weight =
      arguments.getParameter(name + ".weight", {out, in},
                             {Distribution::Normal, 0, 1 / std::sqrt(in)});
  Value result =
      block::LinearOp::create(builder, input.value.getLoc(), type.clone(shape),
                              input.value, weight, /*bias=*/Value());
  return {result, input.rms};
}

namespace {
/// The tables of an embedding as values; null where there are none.
struct EmbeddingTables {
  Value tokens, positions, types;
};
} // namespace

/// Creates one embedding op. Attributes about positions are set only if it has
/// positions.
static Value createEmbedding(OpBuilder &builder, Type element,
                             const EmbeddingSpec &spec, Value ids,
                             Value typeIds, const EmbeddingTables &tables,
                             double scale) {
  MLIRContext *context = builder.getContext();
  int64_t width = cast<RankedTensorType>(tables.tokens.getType()).getDimSize(1);
  IntegerAttr padId;
  if (tables.positions && spec.padId)
    padId = builder.getI64IntegerAttr(*spec.padId);
  block::SinusoidAttr sinusoid;
  if (spec.sinusoid)
    sinusoid = block::SinusoidAttr::get(context, *spec.sinusoid);
  return block::EmbeddingOp::create(
      builder, ids.getLoc(), getHiddenType(ids, width, element), ids,
      tables.tokens, tables.positions, typeIds, tables.types,
      /*offset=*/Value(), /*first_id=*/Value(), builder.getF64FloatAttr(scale),
      builder.getI64IntegerAttr(tables.positions ? spec.positionOffset : 0),
      padId, sinusoid);
}

/// Narrower tokens are projected before positions are added: positions then are
/// a separate embedding, on a token table of zeros.
static Stream projectTokens(OpBuilder &builder, FunctionArguments &arguments,
                            const EmbeddingSpec &spec, int64_t width, Value ids,
                            Stream tokens, Value positions) {
  tokens = buildProjection(builder, arguments, spec.projection, width, tokens);
  if (!positions)
    return tokens;
  Type element = arguments.getElementType();
  auto type = RankedTensorType::get({spec.vocab, width}, element);
  Value zeros = arith::ConstantOp::create(builder, ids.getLoc(),
                                          builder.getZeroAttr(type));
  Value rows = createEmbedding(builder, element, spec, ids, Value(),
                               {zeros, positions, Value()}, /*scale=*/1);
  Value sum = block::ResidualOp::create(
      builder, ids.getLoc(), rows.getType(), tokens.value, rows,
      builder.getF64FloatAttr(1), builder.getF64ArrayAttr({}));
  return {sum, tokens.rms};
}

static Stream buildTokens(OpBuilder &builder, FunctionArguments &arguments,
                          const EmbeddingSpec &spec, int64_t width,
                          const HeadSpec *head, Value ids, Value typeIds) {
  int64_t tableWidth = spec.tableWidth ? spec.tableWidth : width;
  bool projected = !spec.projection.empty();
  double rms = getTokenRms(spec, head, tableWidth);
  // A mean of half the deviation: rows have a mean for a norm to subtract.
  double deviation = rms / std::fabs(spec.scale) / std::hypot(1, 0.5);
  DrawRule added{Distribution::Normal, 0, 0.5 * rms};

  EmbeddingTables tables;
  tables.tokens = arguments.getParameter(
      spec.table, {spec.vocab, tableWidth},
      {Distribution::Normal, 0.5 * deviation, deviation});
  if (!spec.positionTable.empty())
    tables.positions = arguments.getParameter(
        spec.positionTable, {spec.positionCount, width}, added);
  if (!spec.typeTable.empty())
    tables.types =
        arguments.getParameter(spec.typeTable, {spec.typeCount, width}, added);
  Value positions = tables.positions;
  if (projected)
    tables.positions = Value();
  Value tokens = createEmbedding(builder, arguments.getElementType(), spec, ids,
                                 typeIds, tables, spec.scale);

  for (Value table : {positions, tables.types})
    if (table)
      rms = std::hypot(rms, added.deviation);
  if (spec.sinusoid)
    rms = std::hypot(rms, std::sqrt(0.5));
  Stream x{tokens, rms};
  return projected
             ? projectTokens(builder, arguments, spec, width, ids, x, positions)
             : x;
}

static Stream buildPatches(OpBuilder &builder, FunctionArguments &arguments,
                           const PatchEmbeddingSpec &patches, int64_t width,
                           Value pixels) {
  WeightReader weights(builder, arguments);
  auto type = cast<RankedTensorType>(pixels.getType());
  int64_t tokens = (patches.height / patches.patchHeight) *
                   (patches.width / patches.patchWidth);
  tokens += patches.classToken.exists() ? 1 : 0;
  double fanIn =
      double(patches.channels) * patches.patchHeight * patches.patchWidth;
  DrawRule added{Distribution::Normal, 0.1, 0.3};
  Value weight = weights.readTensor(
      patches.weight,
      {width, patches.channels, patches.patchHeight, patches.patchWidth},
      {Distribution::Normal, 0, 1 / std::sqrt(fanIn)});
  Value bias = weights.readVector(patches.bias, width, added);
  Value classToken = weights.readVector(patches.classToken, width, added);
  Value positions;
  if (!patches.positionTable.empty())
    positions = weights.reshape(
        weights.readTensor(patches.positionTable, {1, tokens, width}, added),
        {tokens, width});
  Value result = block::PatchEmbeddingOp::create(
      builder, pixels.getLoc(),
      RankedTensorType::get({type.getDimSize(0), tokens, width},
                            type.getElementType()),
      pixels, weight, bias, classToken, positions);
  return {result, 1.1};
}

Stream buildEmbedding(OpBuilder &builder, FunctionArguments &arguments,
                      const StackSpec &stack, int64_t width,
                      const HeadSpec *head, Value input, Value typeIds) {
  if (stack.patches)
    return buildPatches(builder, arguments, *stack.patches, width, input);
  Stream x = buildTokens(builder, arguments, *stack.embedding, width, head,
                         input, typeIds);
  WeightReader weights(builder, arguments);
  if (stack.embedding->norm)
    x = buildNorm(builder, weights, *stack.embedding->norm, x);
  return x;
}

//===----------------------------------------------------------------------===//
// The other end
//===----------------------------------------------------------------------===//

Stream buildEnd(OpBuilder &builder, FunctionArguments &arguments,
                const StackSpec &stack, Stream input) {
  WeightReader weights(builder, arguments);
  if (stack.finalNorm)
    input = buildNorm(builder, weights, *stack.finalNorm, input);
  if (!stack.projection.empty())
    input = buildProjection(builder, arguments, stack.projection,
                            stack.projectedWidth, input);
  return input;
}

} // namespace parablock::generate
