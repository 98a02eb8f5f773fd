//===- EvalEmbeddingGrad.cpp - evaluates gradients of embeddings ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

//===----------------------------------------------------------------------===//
// Token embedding
//===----------------------------------------------------------------------===//

/// Adds each token's row of the gradient to the row of a table that it read.
static FailureOr<Tensor> addToRows(Evaluation &at, const Tensor &gradient,
                                   llvm::ArrayRef<double> rows, double scale,
                                   llvm::StringRef name, Value result) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(result.getType()).getShape();
  FailureOr<std::vector<double>> table = at.allocate(shape);
  if (failed(table))
    return failure();
  for (auto [token, row] : llvm::enumerate(rows)) {
    if (!(row >= 0 && row < static_cast<double>(shape[0])))
      return at.error() << "expected " << name << " of token " << token
                        << " to be in [0, " << shape[0] << "), got "
                        << formatWhole(row);
    double *to = table->data() + static_cast<int64_t>(row) * shape[1];
    for (int64_t c = 0; c < shape[1]; ++c)
      to[c] += scale * gradient.data()[token * shape[1] + c];
  }
  return at.round(std::move(*table), shape, Evaluation::getType(result));
}

static FailureOr<Tensors> evalEmbeddingGrad(block::EmbeddingGradOp op,
                                            Evaluation &at) {
  const Tensor &gradient = at.get(op.getGradient());
  const Tensor &ids = at.get(op.getIds());
  const Tensor *typeIds = at.getOptional(op.getTypeIds());
  for (auto [name, other] :
       {std::pair("ids", &ids), std::pair("type_ids", typeIds)})
    for (unsigned dim : {0, 1})
      if (failed(at.checkSize(name, other, dim, gradient.shape[dim],
                              "that of the gradient")))
        return failure();
  int64_t tokens = ids.shape[1];
  double first =
      static_cast<double>(static_cast<int64_t>(op.getPositionOffset()));
  if (op.getOffset())
    first += at.get(op.getOffset()).data().front();
  std::vector<double> positions;
  for (int64_t b = 0; b < ids.shape[0]; ++b)
    llvm::append_range(positions,
                       computePositions(op.getPadId(), first,
                                        ids.data().slice(b * tokens, tokens)));
  std::vector<double> types(ids.data().size());
  if (typeIds)
    types = typeIds->data();

  Tensors results;
  for (auto [wrt, result] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op.getGradients())) {
    FailureOr<Tensor> table =
        wrt == "table"
            ? addToRows(at, gradient, ids.data(),
                        op.getScale().convertToDouble(), "the id", result)
        : wrt == "type_table"
            ? addToRows(at, gradient, types, 1, "the type", result)
            : addToRows(at, gradient, positions, 1, "the position", result);
    if (failed(table))
      return failure();
    results.push_back(std::move(*table));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Patch embedding
//===----------------------------------------------------------------------===//

/// Calls `body(row, pixel, element)` for each pixel: the row of the gradient
/// for its patch, counted through the batch, and its place in the patch.
static void
forEachPixel(const Tensor &pixels, const Tensor &weight, int64_t tokens,
             int64_t firstToken,
             llvm::function_ref<void(int64_t, int64_t, int64_t)> body) {
  int64_t channels = pixels.shape[1], height = pixels.shape[2];
  int64_t width = pixels.shape[3];
  int64_t patchHeight = weight.shape[2], patchWidth = weight.shape[3];
  int64_t pixel = 0;
  for (int64_t b = 0; b < pixels.shape[0]; ++b)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t y = 0; y < height; ++y)
        for (int64_t x = 0; x < width; ++x) {
          int64_t patch =
              y / patchHeight * (width / patchWidth) + x / patchWidth;
          int64_t element =
              (c * patchHeight + y % patchHeight) * patchWidth + x % patchWidth;
          body(b * tokens + firstToken + patch, pixel++, element);
        }
}

static FailureOr<Tensors> evalPatchEmbeddingGrad(block::PatchEmbeddingGradOp op,
                                                 Evaluation &at) {
  const Tensor &gradient = at.get(op.getGradient());
  const Tensor &pixels = at.get(op.getPixels());
  const Tensor &weight = at.get(op.getWeight());
  if (failed(at.checkSize("gradient", gradient, 0, pixels.shape[0],
                          "batch of the pixels")))
    return failure();
  int64_t tokens = gradient.shape[1], width = weight.shape[0];
  int64_t firstPatch = op.getHasClass() ? 1 : 0;
  int64_t elements = weight.getNumElements() / width;
  Tensors results;
  for (unsigned index = 0; index < op.getWrt().size(); ++index) {
    StringRef wrt = cast<StringAttr>(op.getWrt()[index]).getValue();
    Value value = op.getGradients()[index];
    SmallVector<int64_t> shape(
        cast<RankedTensorType>(value.getType()).getShape());
    if (wrt == "pixels")
      shape[0] = pixels.shape[0];
    FailureOr<std::vector<double>> result = at.allocate(shape);
    if (failed(result))
      return failure();
    if (wrt == "pixels" || wrt == "weight")
      forEachPixel(pixels, weight, tokens, firstPatch,
                   [&](int64_t row, int64_t pixel, int64_t element) {
                     for (int64_t n = 0; n < width; ++n) {
                       double dy = gradient.data()[row * width + n];
                       int64_t place = n * elements + element;
                       if (wrt == "pixels")
                         (*result)[pixel] += dy * weight.data()[place];
                       else
                         (*result)[place] += dy * pixels.data()[pixel];
                     }
                   });
    else
      for (int64_t i = 0, e = gradient.getNumElements(); i < e; ++i) {
        int64_t token = i / width % tokens;
        if (wrt == "position_table")
          (*result)[token * width + i % width] += gradient.data()[i];
        else if ((wrt == "class_token") == (token < firstPatch))
          (*result)[i % width] += gradient.data()[i];
      }
    results.push_back(
        at.round(std::move(*result), shape, at.getResultType(index)));
  }
  return results;
}

void reference::addEmbeddingGradEvaluators(Registry &registry) {
  registry.add<block::EmbeddingGradOp>(evalEmbeddingGrad);
  registry.add<block::PatchEmbeddingGradOp>(evalPatchEmbeddingGrad);
}
