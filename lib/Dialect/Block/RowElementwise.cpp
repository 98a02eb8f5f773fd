//===- RowElementwise.cpp - row models of elementwise steps ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowModels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/DropoutCode.h"

using namespace mlir;
using namespace parablock;

#include "parablock/Dialect/Block/RowInterface.cpp.inc"

int64_t parablock::getRowWidth(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape().back();
}

Value RowElements::repeatedElement(Value vector, const Column &column,
                                   int64_t width) {
  int64_t size = getRowWidth(vector);
  if (size == width)
    return element(vector, column);
  Column within = column;
  if (size == 1)
    within = {code.index(0), column.border, 1};
  else
    within.index = code.remIndex(column.index, code.index(size));
  return element(vector, within);
}

Value parablock::emitLogit(const ElementCode &code, APFloat scale,
                           std::optional<APFloat> cap, Value product) {
  Value logit = code.scale(product, scale.convertToDouble());
  if (!cap)
    return logit;
  Value limit = code.f32(cap->convertToDouble());
  return code.mul(limit, code.tanh(code.div(logit, limit)));
}

namespace {
struct TruncFRows : RowModel<TruncFRows, arith::TruncFOp> {
  Value emit(arith::TruncFOp op, RowElements &rows,
             const Column &column) const {
    return rows.code.round(rows.element(op.getIn(), column),
                           getElementTypeOrSelf(op.getType()));
  }
};

struct ExtFRows : RowModel<ExtFRows, arith::ExtFOp> {
  Value emit(arith::ExtFOp op, RowElements &rows, const Column &column) const {
    return rows.element(op.getIn(), column);
  }
};

struct SplitRows
    : block::RowStepOpInterface::ExternalModel<SplitRows, block::SplitOp> {
  Value emitElement(Operation *op, RowElements &rows, unsigned result,
                    const Column &column) const {
    auto split = cast<block::SplitOp>(op);
    int64_t offset = 0;
    for (Value segment : split.getSegments().take_front(result))
      offset += getRowWidth(segment);
    Column shifted = column;
    if (offset)
      shifted.index = rows.code.addIndex(column.index, rows.code.index(offset));
    return rows.element(split.getInput(), shifted);
  }
  std::optional<int64_t> getColumnReach(Operation *) const { return 0; }
};

struct AddBiasRows : RowModel<AddBiasRows, block::AddBiasOp> {
  Value emit(block::AddBiasOp op, RowElements &rows,
             const Column &column) const {
    Value x = rows.element(op.getInput(), column);
    return rows.code.add(x, rows.element(op.getBias(), column));
  }
};

struct ActivationRows : RowModel<ActivationRows, block::ActivationOp> {
  Value emit(block::ActivationOp op, RowElements &rows,
             const Column &column) const {
    return rows.code.activate(op.getKind(),
                              rows.element(op.getInput(), column));
  }
};

struct GateRows : RowModel<GateRows, block::GateOp> {
  Value emit(block::GateOp op, RowElements &rows, const Column &column) const {
    Value gate =
        rows.code.activate(op.getKind(), rows.element(op.getGate(), column));
    return rows.code.mul(gate, rows.element(op.getUp(), column));
  }
};

struct LimitedGateRows : RowModel<LimitedGateRows, block::LimitedGateOp> {
  Value emit(block::LimitedGateOp op, RowElements &rows,
             const Column &column) const {
    const RowCode &code = rows.code;
    Value limit = code.f32(op.getLimit().convertToDouble());
    Value gate = code.min(rows.element(op.getGate(), column), limit);
    Value up = code.max(code.min(rows.element(op.getUp(), column), limit),
                        code.f32(-op.getLimit().convertToDouble()));
    if (!op.getOffset().isZero())
      up = code.add(up, code.f32(op.getOffset().convertToDouble()));
    return code.mul(code.activate(op.getKind(), gate), up);
  }
};

struct ClampRows : RowModel<ClampRows, block::ClampOp> {
  Value emit(block::ClampOp op, RowElements &rows, const Column &column) const {
    const RowCode &code = rows.code;
    double limit = op.getLimit().convertToDouble();
    Value x = rows.element(op.getInput(), column);
    return code.max(code.min(x, code.f32(limit)), code.f32(-limit));
  }
};

struct ScaleRows : RowModel<ScaleRows, block::ScaleOp> {
  Value emit(block::ScaleOp op, RowElements &rows, const Column &column) const {
    Value x = rows.code.scale(rows.element(op.getInput(), column),
                              op.getFactor().convertToDouble());
    if (!op.getGain())
      return x;
    return rows.code.mul(x, rows.repeatedElement(op.getGain(), column,
                                                 getRowWidth(op.getResult())));
  }
};

struct DropoutRows : RowModel<DropoutRows, block::DropoutOp> {
  /// The key of the row.
  void emitFacts(Operation *op, RowElements &rows, Value) const {
    auto dropout = cast<block::DropoutOp>(op);
    const RowCode &code = rows.code;
    Value first = code.index(0);
    Value seed = code.toI64(code.loadInteger(rows.getPlace(dropout.getSeed()),
                                             first, first, code.index(1)));
    DropoutCode::RowKey key = DropoutCode(code, dropout.getForm())
                                  .createKey(seed, code.toI64(rows.row));
    rows.fact(op, 0) = key.low;
    rows.fact(op, 1) = key.high;
  }
  Value emit(block::DropoutOp op, RowElements &rows,
             const Column &column) const {
    return DropoutCode(rows.code, op.getForm())
        .keep(rows.element(op.getInput(), column),
              {rows.fact(op, 0), rows.fact(op, 1)},
              rows.code.toIntegers(column));
  }
};

struct ResidualRows : RowModel<ResidualRows, block::ResidualOp> {
  Value emit(block::ResidualOp op, RowElements &rows,
             const Column &column) const {
    const RowCode &code = rows.code;
    Value sum = code.scale(rows.element(op.getInput(), column),
                           op.getInputScale().convertToDouble());
    for (auto [k, branch] : llvm::enumerate(op.getBranches()))
      sum = code.add(
          sum, code.scale(rows.element(branch, column), op.getBranchScale(k)));
    return sum;
  }
};
} // namespace

void parablock::attachElementwiseRows(MLIRContext &context) {
  arith::TruncFOp::attachInterface<TruncFRows>(context);
  arith::ExtFOp::attachInterface<ExtFRows>(context);
  block::SplitOp::attachInterface<SplitRows>(context);
  block::AddBiasOp::attachInterface<AddBiasRows>(context);
  block::ActivationOp::attachInterface<ActivationRows>(context);
  block::GateOp::attachInterface<GateRows>(context);
  block::LimitedGateOp::attachInterface<LimitedGateRows>(context);
  block::ClampOp::attachInterface<ClampRows>(context);
  block::ScaleOp::attachInterface<ScaleRows>(context);
  block::DropoutOp::attachInterface<DropoutRows>(context);
  block::ResidualOp::attachInterface<ResidualRows>(context);
}
