//===- SdpaDropout.cpp - applies dropout to weights of attention ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaDropout.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

void SdpaDropout::prepareHead(const SdpaHead &head) {
  if (!*this)
    return;
  const Code &code = sdpa.code;
  int64_t lanes = code.lanes();
  Value seed = code.loadI64(sdpa.getTensor(sdpa.op.getSeed()), code.index(0));
  Value row = code.addI(
      code.mulI(code.addI(code.mulI(head.batch, sdpa.heads), head.number),
                sdpa.queries),
      head.firstQuery);
  auto type = VectorType::get(lanes, code.builder.getI64Type());
  keys.clear();
  for (int64_t v = 0; v < sdpa.shape.vectors; ++v) {
    auto ahead =
        llvm::to_vector(llvm::seq<int64_t>(v * lanes, (v + 1) * lanes));
    Value rows = arith::AddIOp::create(
        code.builder, code.loc, code.splat(row, lanes),
        arith::ConstantOp::create(
            code.builder, code.loc,
            DenseElementsAttr::get(type, ArrayRef<int64_t>(ahead))));
    keys.push_back(getCode().createKey(seed, rows));
  }
}

Value SdpaDropout::keep(Value number, Value key, int64_t vector) const {
  if (!*this)
    return number;
  const Code &code = sdpa.code;
  Value column = arith::TruncIOp::create(code.builder, code.loc,
                                         code.builder.getI32Type(), key);
  return getCode().keep(number, keys[vector], column);
}
