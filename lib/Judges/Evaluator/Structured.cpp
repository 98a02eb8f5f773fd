//===- Structured.cpp - runs linalg ops as loop nests ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Product.h"
#include "Program.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

//===----------------------------------------------------------------------===//
// Loops and accesses
//===----------------------------------------------------------------------===//

/// Returns whether an expression is a sum of multiples of dimensions.
static bool isLinear(AffineExpr expression) {
  bool linear = true;
  expression.walk([&](AffineExpr part) {
    AffineExprKind kind = part.getKind();
    linear &= kind != AffineExprKind::Mod && kind != AffineExprKind::FloorDiv &&
              kind != AffineExprKind::CeilDiv &&
              kind != AffineExprKind::SymbolId;
  });
  return linear;
}

/// A linear expression at the loop indices `at`.
static int64_t evaluateAt(AffineExpr expression, ArrayRef<int64_t> at,
                          MLIRContext *context) {
  SmallVector<AffineExpr> values = llvm::map_to_vector(
      at, [&](int64_t index) { return getAffineConstantExpr(index, context); });
  return cast<AffineConstantExpr>(expression.replaceDims(values)).getValue();
}

/// The size of every loop, from the dimensions that loops run over alone.
static FailureOr<Shape> findLoopSizes(linalg::LinalgOp op, Step &step) {
  constexpr int64_t unknown = -1;
  Shape sizes(op.getNumLoops(), unknown);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [operand, map] : llvm::zip_equal(op->getOperands(), maps))
    for (auto [dim, expression] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expression);
      if (!loop)
        continue;
      int64_t &size = sizes[loop.getPosition()];
      int64_t found = step.get(operand).shape[dim];
      if (size != unknown && size != found)
        return step.error()
               << "expected loop " << loop.getPosition()
               << " to have one size, got " << size << " and " << found;
      size = found;
    }
  if (llvm::is_contained(sizes, unknown))
    return step.error() << "has a loop without a size";
  return sizes;
}

/// Returns the access of `map` to a tensor of `shape`; every index must be
/// inside.
static FailureOr<Access> makeAccess(Step &step, AffineMap map,
                                    ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> sizes) {
  MLIRContext *context = step.op->getContext();
  SmallVector<int64_t> strides = getRowMajorStrides(shape);
  Access access;
  access.strides.resize(sizes.size());
  for (auto [dim, expression] : llvm::enumerate(map.getResults())) {
    if (!isLinear(expression))
      return step.error() << "has an index that is no sum of loop indices";
    SmallVector<int64_t> at(sizes.size(), 0);
    int64_t start = evaluateAt(expression, at, context);
    int64_t low = start, high = start;
    for (unsigned loop = 0; loop < sizes.size(); ++loop) {
      at[loop] = 1;
      int64_t factor = evaluateAt(expression, at, context) - start;
      at[loop] = 0;
      access.strides[loop] += factor * strides[dim];
      (factor < 0 ? low : high) +=
          factor * std::max<int64_t>(sizes[loop] - 1, 0);
    }
    access.offset += start * strides[dim];
    if (!llvm::is_contained(sizes, 0) && (low < 0 || high >= shape[dim]))
      return step.error() << "expected indices of dimension " << dim
                          << " in [0, " << shape[dim] << "), got " << low
                          << " to " << high;
  }
  return access;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The argument that `value` is, in the width that the sum has.
static BlockArgument getFactor(Value value) {
  if (auto extend = value.getDefiningOp<arith::ExtFOp>())
    value = extend.getIn();
  return dyn_cast<BlockArgument>(value);
}

/// Returns whether the body adds its input, or the product of its two inputs,
/// to its output.
static bool isProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return false;
  Block *body = op.getBlock();
  BlockArgument output = body->getArguments().back();
  auto sum =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum || (sum.getLhs() != output && sum.getRhs() != output))
    return false;
  Value added = sum.getLhs() == output ? sum.getRhs() : sum.getLhs();
  if (op.getNumDpsInputs() == 1) {
    BlockArgument input = getFactor(added);
    return input && input != output;
  }
  auto product = added.getDefiningOp<arith::MulFOp>();
  if (!product || op.getNumDpsInputs() != 2)
    return false;
  BlockArgument a = getFactor(product.getLhs());
  BlockArgument b = getFactor(product.getRhs());
  return a && b && a != b && a != output && b != output;
}

/// A sum is a product with 1.
static void runProduct(ArrayRef<int64_t> sizes, ArrayRef<Access> accesses,
                       ArrayRef<const double *> inputs, double *output) {
  const double one = 1;
  Access nowhere{0, llvm::SmallVector<int64_t>(sizes.size(), 0)};
  bool isSum = inputs.size() == 1;
  Contraction{llvm::SmallVector<int64_t>(sizes), accesses.front(),
              isSum ? nowhere : accesses[1], accesses.back()}
      .run(inputs.front(), isSum ? &one : inputs[1], output);
}

//===----------------------------------------------------------------------===//
// Any body
//===----------------------------------------------------------------------===//

/// Parallel loops outside, then reductions, and inside one parallel loop, so
/// that many results are computed at a time, each in the loops' order.
static LoopNest makeNest(linalg::LinalgOp op, ArrayRef<int64_t> sizes,
                         ArrayRef<Access> accesses) {
  SmallVector<unsigned> parallel, reducing;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    (type == utils::IteratorType::parallel ? parallel : reducing)
        .push_back(loop);
  SmallVector<unsigned> order = parallel;
  llvm::append_range(order, reducing);
  if (!parallel.empty() && !reducing.empty()) {
    auto inner = llvm::max_element(
        parallel, [&](unsigned a, unsigned b) { return sizes[a] < sizes[b]; });
    order.erase(order.begin() + (inner - parallel.begin()));
    order.push_back(*inner);
  }
  LoopNest nest;
  nest.accesses.resize(accesses.size());
  for (unsigned loop : order) {
    nest.sizes.push_back(sizes[loop]);
    nest.names.push_back(loop);
    for (auto [to, from] : llvm::zip_equal(nest.accesses, accesses))
      to.strides.push_back(from.strides[loop]);
  }
  for (auto [to, from] : llvm::zip_equal(nest.accesses, accesses))
    to.offset = from.offset;
  return nest;
}

namespace {
/// The elements that a body reads and writes.
struct Operands {
  llvm::SmallVector<const double *> inputs;
  llvm::SmallVector<std::vector<double>> outputs;
};
} // namespace

static LogicalResult runBody(linalg::LinalgOp op, Step &step, LoopNest nest,
                             Operands &operands) {
  Block &body = *op.getBlock();
  FailureOr<Program> program = Program::compile(step, body);
  if (failed(program))
    return failure();
  bool reduces = op.getNumReductionLoops() != 0;
  if (program->getIndexUses().empty() && !reduces) {
    nest.names.clear();
    nest.fuse();
  }
  unsigned numInputs = operands.inputs.size();
  unsigned inner = nest.names.empty() ? 0 : nest.names.back();
  // Only a loop that does not reduce may be taken in pieces.
  bool alone = reduces && op.getNumParallelLoops() == 0;
  return success(nest.forEachPiece(
      alone ? 1 : Program::width, [&](const LoopNest::Piece &piece) {
        for (BlockArgument argument : body.getArguments()) {
          unsigned index = argument.getArgNumber();
          if (argument.use_empty())
            continue;
          const double *data = index < numInputs
                                   ? operands.inputs[index]
                                   : operands.outputs[index - numInputs].data();
          gather(data + piece.offsets[index], nest.getInnerStride(index),
                 piece.count, program->getArgument(index));
        }
        for (const Program::IndexUse &use : program->getIndexUses()) {
          double *indices = program->getIndex(use);
          int64_t first = use.dim == step.rowLoop ? step.firstRow : 0;
          for (int64_t i = 0; i < piece.count; ++i)
            indices[i] = static_cast<double>(first + piece.indices[use.dim] +
                                             (use.dim == inner ? i : 0));
        }
        if (failed(program->run(step, piece.count)))
          return false;
        for (unsigned i = 0; i < program->getNumYields(); ++i)
          scatter(program->getYield(i), piece.count,
                  operands.outputs[i].data() + piece.offsets[numInputs + i],
                  nest.getInnerStride(numInputs + i));
        return true;
      }));
}

FailureOr<Arrays> evaluator::evaluateStructured(Step &step) {
  auto op = cast<linalg::LinalgOp>(step.op);
  if (!op.hasPureTensorSemantics())
    return step.error() << "has no meaning on memrefs here";
  FailureOr<Shape> sizes = findLoopSizes(op, step);
  if (failed(sizes))
    return failure();
  SmallVector<Access> accesses;
  for (auto [operand, map] :
       llvm::zip_equal(op->getOperands(), op.getIndexingMapsArray())) {
    FailureOr<Access> access =
        makeAccess(step, map, step.get(operand).shape, *sizes);
    if (failed(access))
      return failure();
    accesses.push_back(std::move(*access));
  }
  Operands operands;
  for (Value input : op.getDpsInputs())
    operands.inputs.push_back(step.get(input).data().data());
  for (OpOperand &init : op.getDpsInitsMutable()) {
    const Array &array = step.get(init.get());
    // An output that is overwritten completely is not read before.
    if (op.getMatchingIndexingMap(&init).isPermutation() &&
        !op.payloadUsesValueFromOperand(&init))
      operands.outputs.emplace_back(array.data().size());
    else
      operands.outputs.push_back(*array.values);
  }

  if (isProduct(op))
    runProduct(*sizes, accesses, operands.inputs, operands.outputs[0].data());
  else if (failed(runBody(op, step, makeNest(op, *sizes, accesses), operands)))
    return failure();

  Arrays results;
  for (auto [index, init] : llvm::enumerate(op.getDpsInits()))
    results.push_back(step.finish(index, std::move(operands.outputs[index]),
                                  step.get(init).shape));
  return results;
}
