//===- EvalEmbedding.cpp - evaluates embeddings ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Judges/Reference/Matmul.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

//===----------------------------------------------------------------------===//
// Token embedding
//===----------------------------------------------------------------------===//

/// Adds `scale` times row `index` of `table` to `result`.
static LogicalResult addTableRow(Evaluation &at, const Tensor &table,
                                 double index, double scale,
                                 const llvm::Twine &indexName, double *result) {
  if (!(index >= 0 && index < static_cast<double>(table.shape[0])))
    return at.error() << "expected " << indexName << " to be in [0, "
                      << table.shape[0] << "), got " << formatWhole(index);
  int64_t width = table.shape[1];
  const double *row = table.data().data() + static_cast<int64_t>(index) * width;
  for (int64_t c = 0; c < width; ++c)
    result[c] += scale * row[c];
  return success();
}

static void addSinusoid(block::Sinusoid layout, double position, double *result,
                        int64_t width) {
  bool pairs = layout == block::Sinusoid::Interleaved;
  for (int64_t i = 0; i < width / 2; ++i) {
    double frequency = std::pow(10000.0, -2.0 * i / width);
    result[pairs ? 2 * i : i] += std::sin(position * frequency);
    result[pairs ? 2 * i + 1 : width / 2 + i] += std::cos(position * frequency);
  }
}

std::vector<double> reference::computePositions(std::optional<int64_t> padId,
                                                double first,
                                                llvm::ArrayRef<double> ids) {
  std::vector<double> positions(ids.size());
  if (padId) {
    double pad = static_cast<double>(*padId), counted = 0;
    for (auto [position, id] : llvm::zip_equal(positions, ids)) {
      counted += id != pad;
      position = pad + (id == pad ? 0 : counted);
    }
    return positions;
  }
  for (auto [t, position] : llvm::enumerate(positions))
    position = first + static_cast<double>(t);
  return positions;
}

static LogicalResult checkEmbedding(block::EmbeddingOp op, Evaluation &at) {
  int64_t width = at.get(op.getTable()).shape[1];
  if (op.getTypeIds() &&
      failed(at.checkSameShape("type_ids", at.get(op.getTypeIds()), "ids",
                               at.get(op.getIds()))))
    return failure();
  if (op.getSinusoid() && width % 2)
    return at.error() << "expected an even width for a sinusoid, got " << width;
  return success();
}

static FailureOr<Tensor> evalEmbedding(block::EmbeddingOp op, Evaluation &at) {
  if (failed(checkEmbedding(op, at)))
    return failure();
  const Tensor &ids = at.get(op.getIds()), &table = at.get(op.getTable());
  const Tensor *positionTable = at.getOptional(op.getPositionTable());
  const Tensor *typeIds = at.getOptional(op.getTypeIds());
  const Tensor *typeTable = at.getOptional(op.getTypeTable());
  int64_t tokens = ids.shape[1], width = table.shape[1];
  llvm::SmallVector<int64_t> shape = {ids.shape[0], tokens, width};
  FailureOr<std::vector<double>> result = at.allocate(shape);
  if (failed(result))
    return failure();
  if (result->empty())
    return at.wrap({}, shape, at.getResultType());
  double scale = op.getScale().convertToDouble();
  double positionOffset =
      static_cast<double>(static_cast<int64_t>(op.getPositionOffset()));
  const Tensor *offset = at.getOptional(op.getOffset());
  bool isOfEach = offset && !offset->shape.empty();
  if (isOfEach && failed(at.checkSize("offset", *offset, 0, ids.shape[0],
                                      "one per batch row")))
    return failure();
  const Tensor *firstId = at.getOptional(op.getFirstId());
  for (int64_t b = 0; b < ids.shape[0]; ++b) {
    double past = offset ? offset->data()[isOfEach ? b : 0] : 0;
    std::vector<double> positions = computePositions(
        op.getPadId(), past, ids.data().slice(b * tokens, tokens));
    if (!op.getPadId())
      for (double &position : positions)
        position = std::max(position, 0.0) + positionOffset;
    for (int64_t t = 0; t < tokens; ++t) {
      int64_t token = b * tokens + t;
      double *row = result->data() + token * width;
      std::string where =
          ("[" + llvm::Twine(b) + ", " + llvm::Twine(t) + "]").str();
      double id = ids.data()[token] - (firstId ? firstId->data().front() : 0);
      bool isElsewhere =
          firstId && (id < 0 || id >= static_cast<double>(table.shape[0]));
      if (!isElsewhere &&
          failed(addTableRow(at, table, id, scale, "ids" + where, row)))
        return failure();
      if (positionTable &&
          failed(addTableRow(at, *positionTable, positions[t], 1,
                             "the position of ids" + where, row)))
        return failure();
      if (op.getSinusoid())
        addSinusoid(*op.getSinusoid(), positions[t], row, width);
      double type = typeIds ? typeIds->data()[token] : 0;
      if (typeTable &&
          failed(addTableRow(at, *typeTable, type, 1, "type_ids" + where, row)))
        return failure();
    }
  }
  return at.round(std::move(*result), shape, at.getResultType());
}

//===----------------------------------------------------------------------===//
// Patch embedding
//===----------------------------------------------------------------------===//

namespace {
struct PatchSizes {
  int64_t batch, channels, patchRows, patchColumns, patchHeight, patchWidth;
  int64_t getPatches() const { return patchRows * patchColumns; }
  int64_t getPatchElements() const {
    return channels * patchHeight * patchWidth;
  }
};
} // namespace

/// The pixels of one patch in the order of a row of the weight.
static void copyPatch(const Tensor &pixels, const PatchSizes &sizes,
                      int64_t batch, int64_t patch, double *result) {
  int64_t height = pixels.shape[2], width = pixels.shape[3];
  int64_t top = patch / sizes.patchColumns * sizes.patchHeight;
  int64_t left = patch % sizes.patchColumns * sizes.patchWidth;
  for (int64_t c = 0; c < sizes.channels; ++c)
    for (int64_t i = 0; i < sizes.patchHeight; ++i) {
      int64_t line = (batch * sizes.channels + c) * height + top + i;
      result = std::copy_n(pixels.data().data() + line * width + left,
                           sizes.patchWidth, result);
    }
}

static FailureOr<PatchSizes> checkPatches(block::PatchEmbeddingOp op,
                                          Evaluation &at) {
  const Tensor &pixels = at.get(op.getPixels());
  const Tensor &weight = at.get(op.getWeight());
  int64_t width = weight.shape[0];
  if (failed(at.checkSize("weight", weight, 1, pixels.shape[1],
                          "channels of the pixels")) ||
      failed(at.checkDivides("patch height", weight.shape[2], "image height",
                             pixels.shape[2])) ||
      failed(at.checkDivides("patch width", weight.shape[3], "image width",
                             pixels.shape[3])) ||
      failed(at.checkSize("bias", at.getOptional(op.getBias()), 0, width,
                          "width of the weight")) ||
      failed(at.checkSize("class_token", at.getOptional(op.getClassToken()), 0,
                          width, "width of the weight")))
    return failure();
  PatchSizes sizes = {pixels.shape[0],
                      pixels.shape[1],
                      pixels.shape[2] / weight.shape[2],
                      pixels.shape[3] / weight.shape[3],
                      weight.shape[2],
                      weight.shape[3]};
  if (!countElementsWithinLimit({sizes.patchRows, sizes.patchColumns}))
    return at.error() << "expected at most " << maxElements << " patches, got "
                      << sizes.patchRows << " by " << sizes.patchColumns;
  const Tensor *positions = at.getOptional(op.getPositionTable());
  int64_t tokens = sizes.getPatches() + (op.getClassToken() ? 1 : 0);
  if (failed(at.checkSize("position_table", positions, 0, tokens,
                          "one row per token")) ||
      failed(at.checkSize("position_table", positions, 1, width,
                          "width of the weight")))
    return failure();
  return sizes;
}

static FailureOr<Tensor> evalPatchEmbedding(block::PatchEmbeddingOp op,
                                            Evaluation &at) {
  FailureOr<PatchSizes> sizes = checkPatches(op, at);
  if (failed(sizes))
    return failure();
  const Tensor &pixels = at.get(op.getPixels());
  const Tensor &weight = at.get(op.getWeight());
  const Tensor *bias = at.getOptional(op.getBias());
  const Tensor *classToken = at.getOptional(op.getClassToken());
  const Tensor *positions = at.getOptional(op.getPositionTable());
  int64_t width = weight.shape[0], patches = sizes->getPatches();
  int64_t elements = sizes->getPatchElements();
  int64_t first = classToken ? 1 : 0, tokens = patches + first;
  llvm::SmallVector<int64_t> shape = {sizes->batch, tokens, width};
  FailureOr<std::vector<double>> result = at.allocate(shape);
  FailureOr<std::vector<double>> unfolded = at.allocate({patches, elements});
  if (failed(result) || failed(unfolded))
    return failure();
  if (result->empty())
    return at.wrap({}, shape, at.getResultType());
  for (int64_t b = 0; b < sizes->batch; ++b) {
    double *rows = result->data() + b * tokens * width;
    for (int64_t patch = 0; patch < patches; ++patch)
      copyPatch(pixels, *sizes, b, patch, unfolded->data() + patch * elements);
    multiplyTransposed({unfolded->data(), patches, elements, elements},
                       {weight.data().data(), width, elements, elements},
                       rows + first * width, width);
    for (int64_t i = 0; i < tokens * width; ++i) {
      bool isClass = i < first * width;
      const Tensor *added = isClass ? classToken : bias;
      rows[i] += (added ? added->data()[i % width] : 0.0) +
                 (positions ? positions->data()[i] : 0.0);
    }
  }
  return at.round(std::move(*result), shape, at.getResultType());
}

void reference::addEmbeddingEvaluators(Registry &registry) {
  registry.add<block::EmbeddingOp>(evalEmbedding);
  registry.add<block::PatchEmbeddingOp>(evalPatchEmbedding);
}
