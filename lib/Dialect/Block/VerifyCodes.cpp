//===- VerifyCodes.cpp - verifiers of rows in codes -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock::block;

LogicalResult GroupScalesOp::verify() {
  // [GSCALES-1]
  auto group = static_cast<int64_t>(getGroup());
  int64_t width = getDim(getInput(), -1);
  if (failed(checkDivides(*this, "group", group, "the width", width)))
    return failure();
  // [GSCALES-2]
  NamedValue result{"result", getResult()};
  if (failed(checkSameRows(*this, result, {"input", getInput()})))
    return failure();
  return checkDim(*this, result, 2, width / group, "one per group");
}

/// [ENCODE-1], [DECODE-1] scales of all rows, and of groups of equal size.
static LogicalResult checkScales(Operation *op, Value scales, NamedValue rows) {
  if (failed(checkSameRows(op, {"scales", scales}, rows)))
    return failure();
  return checkDivides(op, "the width of scales", getDim(scales, -1),
                      "the width", getDim(rows.value, -1));
}

LogicalResult EncodeGroupsOp::verify() {
  // [ENCODE-1]
  NamedValue input{"input", getInput()};
  if (failed(checkScales(*this, getScales(), input)))
    return failure();
  // [ENCODE-2]
  return checkSameShape(*this, {"result", getResult()}, input);
}

LogicalResult DecodeGroupsOp::verify() {
  // [DECODE-1]
  NamedValue codes{"codes", getCodes()};
  if (failed(checkScales(*this, getScales(), codes)))
    return failure();
  // [DECODE-2]
  return checkSameShape(*this, {"result", getResult()}, codes);
}
