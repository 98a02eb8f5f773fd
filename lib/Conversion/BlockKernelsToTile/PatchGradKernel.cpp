//===- PatchGradKernel.cpp - gradients of patch embeddings ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A launch for each gradient. A lane has an element of the result, and sums it
// over patches or columns in order.
//
//===----------------------------------------------------------------------===//

#include "GradientKernels.h"

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

namespace {
class PatchGrad {
public:
  explicit PatchGrad(const GradientSite &site)
      : site(site), op(cast<block::PatchEmbeddingGradOp>(site.op)),
        channels(block::getDim(op.getPixels(), 1)),
        imageRows(block::getDim(op.getPixels(), 2)),
        imageColumns(block::getDim(op.getPixels(), 3)),
        width(block::getDim(op.getWeight(), 0)),
        patchRows(block::getDim(op.getWeight(), 2)),
        patchColumns(block::getDim(op.getWeight(), 3)),
        across(imageColumns / patchColumns),
        patches(imageRows / patchRows * across),
        firstPatch(op.getHasClass() ? 1 : 0) {}

  LaunchSequence build();

private:
  /// Sums the element of a row's column.
  using Sum = llvm::function_ref<Value(TileCode, KernelShell &, Value item,
                                       Value column)>;
  /// A result of `items` rows of `columns`, each element one sum. The launch
  /// reads the gradient, and `other` if there is one.
  tile::KernelOp buildSums(StringRef name, OpResult result,
                           std::optional<int64_t> items, int64_t columns,
                           Value other, Sum sum);
  tile::KernelOp buildWeight(OpResult result);
  tile::KernelOp buildPixels(OpResult result);
  /// Sums of tokens from `first` on, of all images.
  tile::KernelOp buildTokens(StringRef name, OpResult result, int64_t first,
                             std::optional<int64_t> count);
  /// The token of a patch of an image.
  Value findToken(TileCode code, KernelShell &shell, Value image, Value patch) {
    Value tokens = code.dim(shell.getInput(0), 1);
    return code.addIndex(code.mulIndex(image, tokens),
                         code.addIndex(patch, code.index(firstPatch)));
  }

  const GradientSite &site;
  block::PatchEmbeddingGradOp op;
  int64_t channels, imageRows, imageColumns, width, patchRows, patchColumns,
      across, patches, firstPatch;
};
} // namespace

tile::KernelOp PatchGrad::buildSums(StringRef name, OpResult result,
                                    std::optional<int64_t> items,
                                    int64_t columns, Value other, Sum sum) {
  constexpr int64_t own = 128;
  int64_t blocks = llvm::divideCeil(columns, own);
  SmallVector<Type> inputs = {op.getGradient().getType()};
  if (other)
    inputs.push_back(other.getType());
  std::optional<int64_t> warps;
  if (items)
    warps = *items * blocks;
  KernelShell shell =
      site.createRowsShell(("_" + name).str(), warps, inputs, result.getType());
  TileCode code{shell.builder, op.getLoc()};
  // Of pixels, as many as there are.
  Value count =
      items ? code.index(*items)
            : createRowCount(code.builder, code.loc, shell.getOutput(0));
  code.gridRows(
      code.mulIndex(count, code.index(blocks)), [&](TileCode inner, Value at) {
        Value item = inner.divIndex(at, inner.index(blocks));
        Value first = inner.mulIndex(inner.remIndex(at, inner.index(blocks)),
                                     inner.index(own));
        Value end = inner.minIndex(inner.addIndex(first, inner.index(own)),
                                   inner.index(columns));
        inner.columns(first, end, [&](TileCode each, Value column) {
          Value place =
              each.addIndex(each.mulIndex(item, each.index(columns)), column);
          tile::StoreOp::create(each.builder, each.loc,
                                sum(each, shell, item, column),
                                shell.getOutput(0), ValueRange{place});
        });
      });
  return shell.kernel;
}

tile::KernelOp PatchGrad::buildWeight(OpResult result) {
  return buildSums(
      "weight", result, width, channels * patchRows * patchColumns,
      op.getPixels(),
      [&](TileCode code, KernelShell &shell, Value item, Value column) {
        Value line = code.divIndex(column, code.index(patchColumns)),
              inLine = code.remIndex(column, code.index(patchColumns));
        Value channel = code.divIndex(line, code.index(patchRows)),
              inPatch = code.remIndex(line, code.index(patchRows));
        Value all =
            code.mulIndex(code.dim(shell.getInput(1), 0), code.index(patches));
        return sumRuns(
            code, code.index(0), all, [&](TileCode at, Value number) {
              Value image = at.divIndex(number, at.index(patches)),
                    patch = at.remIndex(number, at.index(patches));
              Value row =
                  at.addIndex(at.mulIndex(at.divIndex(patch, at.index(across)),
                                          at.index(patchRows)),
                              inPatch);
              Value plane =
                  at.addIndex(at.mulIndex(image, at.index(channels)), channel);
              row = at.addIndex(at.mulIndex(plane, at.index(imageRows)), row);
              Value pixel =
                  at.addIndex(at.mulIndex(at.remIndex(patch, at.index(across)),
                                          at.index(patchColumns)),
                              inLine);
              return at.mul(at.load(shell.getInput(0),
                                    findToken(at, shell, image, patch), item),
                            at.load(shell.getInput(1), row, pixel));
            });
      });
}

/// Each pixel is in one patch.
tile::KernelOp PatchGrad::buildPixels(OpResult result) {
  return buildSums(
      "pixels", result, getStaticRows(result.getType()), imageColumns,
      op.getWeight(),
      [&](TileCode code, KernelShell &shell, Value item, Value column) {
        Value plane = code.divIndex(item, code.index(imageRows)),
              row = code.remIndex(item, code.index(imageRows));
        Value image = code.divIndex(plane, code.index(channels)),
              channel = code.remIndex(plane, code.index(channels));
        Value patch = code.addIndex(
            code.mulIndex(code.divIndex(row, code.index(patchRows)),
                          code.index(across)),
            code.divIndex(column, code.index(patchColumns)));
        Value token = findToken(code, shell, image, patch);
        Value line =
            code.addIndex(code.mulIndex(channel, code.index(patchRows)),
                          code.remIndex(row, code.index(patchRows)));
        Value inLine = code.remIndex(column, code.index(patchColumns));
        return sumRuns(
            code, code.index(0), code.index(width),
            [&](TileCode at, Value number) {
              Value weightRow = at.addIndex(
                  at.mulIndex(number, at.index(channels * patchRows)), line);
              return at.mul(at.load(shell.getInput(0), token, number),
                            at.load(shell.getInput(1), weightRow, inLine));
            });
      });
}

tile::KernelOp PatchGrad::buildTokens(StringRef name, OpResult result,
                                      int64_t first,
                                      std::optional<int64_t> count) {
  // One row of sums, or one for each token.
  int64_t items = count ? 1 : firstPatch + patches;
  return buildSums(
      name, result, items, width, /*other=*/Value(),
      [&](TileCode code, KernelShell &shell, Value item, Value column) {
        Value batch = code.dim(shell.getInput(0), 0),
              tokens = code.dim(shell.getInput(0), 1);
        int64_t each = count.value_or(1);
        Value start = count ? code.index(first) : item;
        return sumRuns(
            code, code.index(0), code.mulIndex(batch, code.index(each)),
            [&](TileCode at, Value number) {
              Value image = at.divIndex(number, at.index(each));
              Value token =
                  at.addIndex(start, at.remIndex(number, at.index(each)));
              return at.load(shell.getInput(0),
                             at.addIndex(at.mulIndex(image, tokens), token),
                             column);
            });
      });
}

LaunchSequence PatchGrad::build() {
  LaunchSequence sequence;
  for (auto [name, result] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op->getResults())) {
    tile::KernelOp kernel;
    SmallVector<LaunchSequence::Source> inputs = {{0}};
    if (name == "weight") {
      kernel = buildWeight(result);
      inputs.push_back({1});
    } else if (name == "pixels") {
      kernel = buildPixels(result);
      inputs.push_back({2});
    } else if (name == "bias") {
      kernel = buildTokens(name, result, firstPatch, patches);
    } else if (name == "class_token") {
      kernel = buildTokens(name, result, 0, 1);
    } else {
      kernel = buildTokens(name, result, 0, std::nullopt);
    }
    sequence.results.push_back({0, sequence.append(kernel, inputs)});
  }
  return sequence;
}

FailureOr<LaunchSequence> parablock::buildPatchGrad(const GradientSite &site) {
  return PatchGrad(site).build();
}
