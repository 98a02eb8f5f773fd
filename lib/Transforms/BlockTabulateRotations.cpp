//===- BlockTabulateRotations.cpp - pattern for tables of rotations -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExactPattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Dialect/Block/RopeTables.h"
#include "parablock/Support/FloatFormats.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKTABULATEROTATIONS
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kTabulateRotations = "block-tabulate-rotations";

struct TabulateRotation final : public ExactPattern<RopeOp> {
  using ExactPattern::ExactPattern;

  LogicalResult rewrite(RopeOp rope, PatternRewriter &rewriter) const final {
    RopeAttr form = rope.getForm();
    int64_t positions = rope.getInput().getType().getDimSize(1);
    int64_t pairs = form.getDim() / 2;
    std::optional<int64_t> first = 0;
    if (rope.getOffset())
      first = getConstantIntValue(rope.getOffset());
    if (ShapedType::isDynamic(positions) || !first)
      return refuse(rewriter, rope, kTabulateRotations, Reason::DynamicShape,
                    "the positions are known later");
    uint64_t elements = countRopeElements(form, positions);
    if (elements > mostRopeElements)
      return refuse(rewriter, rope, kTabulateRotations, Reason::LargeTable,
                    "a table would have " + Twine(elements) + " elements");
    recordPassed(rope, kTabulateRotations,
                 "rotated by a table of its positions",
                 {{"positions", static_cast<double>(positions)}});
    RopeTables tables = makeRopeTables(form, *first, positions);
    Type element =
        form.getTableType() ? form.getTableType() : rewriter.getF32Type();
    auto type = RankedTensorType::get({1, positions, pairs}, element);
    Value cosines = makeConstant(rope, type, tables.cosines, rewriter);
    Value sines = makeConstant(rope, type, tables.sines, rewriter);
    rewriter.replaceOpWithNewOp<RotateOp>(
        rope, rope.getType(), rope.getInput(), cosines, sines, rope.getHeads(),
        form.getDim(), form.getStyle(), rope.getInverse());
    return success();
  }

private:
  /// Returns a constant at the start of the function, shared by all rotations
  /// with an equal one.
  static Value makeConstant(RopeOp rope, RankedTensorType type,
                            ArrayRef<double> values,
                            PatternRewriter &rewriter) {
    ElementType element = *getElementTypeOf(type.getElementType());
    std::vector<uint8_t> bytes(values.size() * getElementSize(element));
    encodeElements(element, values, bytes);
    auto elements = DenseElementsAttr::getFromRawBuffer(
        type,
        ArrayRef(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
    Block &entry =
        rope->getParentOfType<FunctionOpInterface>().getFunctionBody().front();
    for (auto known : entry.getOps<arith::ConstantOp>())
      if (known.getValue() == elements)
        return known;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&entry);
    return arith::ConstantOp::create(rewriter, rope.getLoc(), elements);
  }
};

struct BlockTabulateRotationsPass
    : public block::impl::BlockTabulateRotationsBase<
          BlockTabulateRotationsPass> {
  using BlockTabulateRotationsBase::BlockTabulateRotationsBase;

  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add<TabulateRotation>(&getContext());
    applyOnce(getOperation(), std::move(patterns), kTabulateRotations,
              "rotation by position", numDone, numRefused);
  }
};
} // namespace
