//===- SdpaScoreBias.cpp - a tensor that is added to the scores -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaBuilder.h"

#include "RowsKernel.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Sizes may turn out to be 1 only when the code runs.
void SdpaBuilder::prepareScoreBias() {
  if (!op.getScoreBias())
    return;
  unsigned first = kFirstFreeDim + (op.getCuSeqlens() ? 1 : 0);
  Value zero = code.index(0), stride = code.index(1);
  biasStrides.assign(4, Value());
  for (unsigned dim = 4; dim-- > 0;) {
    Value size = frame.getDim(first + dim);
    biasStrides[dim] = arith::SelectOp::create(
        code.builder, code.loc, code.equalI(size, code.index(1)), zero, stride);
    stride = code.mulI(stride, size);
  }
}

Value SdpaBuilder::scoreBiasOf(const Head &head, Value key, int64_t vector) {
  Value memory = pointer(op.getScoreBias());
  Type type = getElementTypeOrSelf(op.getScoreBias().getType());
  Value start = code.addI(code.addI(code.mulI(head.batch, biasStrides[0]),
                                    code.mulI(head.number, biasStrides[1])),
                          code.mulI(key, biasStrides[3]));
  // Queries are rows of the bias, which lie apart.
  Value last = code.addI(head.numQueries, -1);
  Value result = code.real(code.f32Type(code.lanes()), 0);
  for (int64_t lane = 0; lane < code.lanes(); ++lane) {
    Value query =
        code.addI(head.firstQuery,
                  code.minI(code.index(vector * code.lanes() + lane), last));
    Value entry = code.load(
        memory, type, code.addI(start, code.mulI(query, biasStrides[2])), 1);
    result =
        vector::InsertOp::create(code.builder, code.loc, entry, result, lane);
  }
  return result;
}
