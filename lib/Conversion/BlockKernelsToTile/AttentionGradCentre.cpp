//===- AttentionGradCentre.cpp - values without what they share -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A gradient by a score is a weight times the difference of a pull and the mean
// of pulls. If values have a common offset, both are large beside it, and their
// f32 digits go. The offset changes no difference, so pulls are those of values
// without it.
//
//===----------------------------------------------------------------------===//

#include "AttentionGrad.h"

#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;

/// Returns the middle one of three numbers.
static Value createMedian(TileCode code, Value a, Value b, Value c) {
  return code.max(code.min(a, b), code.min(code.max(a, b), c));
}

/// Subtracts from each column the median of three keys that some query may see:
/// the first one, one in the middle and the last one. So one value that is far
/// from all others is not what they are measured from.
tile::KernelOp parablock::buildCentredValues(const GradientSite &site,
                                             const AttentionGradPlan &plan,
                                             Value values) {
  block::SdpaGradOp op = plan.op;
  Value origin = op.getPastValue() ? op.getPastValue() : op.getValue();
  Value limit = op.getCuSeqlens() ? op.getCuSeqlens() : op.getLengths();
  if (op.getPastValue())
    limit = {};
  SmallVector<Type> inputs = {values.getType(), origin.getType()};
  if (limit)
    inputs.push_back(limit.getType());
  KernelShell shell = site.createRowsShell(
      values == op.getValue() ? "_centred" : "_past_centred",
      getStaticRows(values.getType()), inputs, values.getType());
  TileCode code{shell.builder, op.getLoc()};
  Value all = createRowCount(shell.builder, op.getLoc(), shell.getOutput(0));
  int64_t width = block::getDim(values, -1);
  code.gridRows(all, [&](TileCode inner, Value row) {
    Value zero = inner.index(0), one = inner.index(1);
    Value batch = inner.divIndex(row, inner.dim(shell.getOutput(0), 1));
    Value rows = inner.dim(shell.getInput(1), 1), count = rows;
    if (limit) {
      Value place = shell.getInput(2);
      Value entry =
          op.getCuSeqlens() ? inner.subIndex(inner.dim(place, 0), one) : batch;
      count = inner.toIndex(inner.load(place, zero, entry));
      count = inner.minIndex(inner.maxIndex(count, one), rows);
    }
    Value first = inner.mulIndex(batch, rows);
    Value middle = inner.addIndex(first, inner.divIndex(count, inner.index(2)));
    Value last = inner.addIndex(first, inner.subIndex(count, one));
    inner.columns(zero, inner.index(width), [&](TileCode each, Value column) {
      auto load = [&](Value from) {
        return each.load(shell.getInput(1), from, column);
      };
      Value centre = createMedian(each, load(first), load(middle), load(last));
      Value own = each.load(shell.getInput(0), row, column);
      each.store(each.sub(own, centre), shell.getOutput(0), row, column);
    });
  });
  return shell.kernel;
}
