//===- EvalUpstreamLinalg.cpp - transpose, broadcast, fill ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "StridedCopy.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

/// An operation on memrefs writes to its operand and has no result.
static LogicalResult checkHasResult(Evaluation &at) {
  if (at.op->getNumResults() == 1)
    return success();
  return at.error("has no meaning on memrefs in the reference engine");
}

/// Reads `input` through `from` into a result of the shape of `init`.
static FailureOr<Tensor> gather(Evaluation &at, const Tensor &input,
                                const Layout &from, const Tensor &init) {
  FailureOr<std::vector<double>> result = at.allocate(init.shape);
  if (failed(result))
    return failure();
  copyStrided(init.shape, input.data(), from, *result,
              getRowMajorLayout(init.shape));
  return at.wrap(std::move(*result), init.shape, init.type);
}

static FailureOr<Tensor> evalTranspose(linalg::TransposeOp op, Evaluation &at) {
  if (failed(checkHasResult(at)))
    return failure();
  const Tensor &input = at.get(op.getInput()), &init = at.get(op.getInit());
  Layout rowMajor = getRowMajorLayout(input.shape), from;
  for (auto [dim, source] : llvm::enumerate(op.getPermutation())) {
    if (failed(at.checkSize("init", init, dim, input.shape[source],
                            "size in the input")))
      return failure();
    from.strides.push_back(rowMajor.strides[source]);
  }
  return gather(at, input, from, init);
}

static FailureOr<Tensor> evalBroadcast(linalg::BroadcastOp op, Evaluation &at) {
  if (failed(checkHasResult(at)))
    return failure();
  const Tensor &input = at.get(op.getInput()), &init = at.get(op.getInit());
  Layout rowMajor = getRowMajorLayout(input.shape), from;
  unsigned next = 0;
  for (unsigned dim = 0; dim < init.shape.size(); ++dim) {
    if (llvm::is_contained(op.getDimensions(), dim)) {
      from.strides.push_back(0);
      continue;
    }
    if (failed(at.checkSize("init", init, dim, input.shape[next],
                            "size in the input")))
      return failure();
    from.strides.push_back(rowMajor.strides[next++]);
  }
  return gather(at, input, from, init);
}

static FailureOr<Tensor> evalFill(linalg::FillOp op, Evaluation &at) {
  if (failed(checkHasResult(at)))
    return failure();
  const Tensor &value = at.get(op.getInputs().front());
  const Tensor &init = at.get(op.getOutputs().front());
  return at.wrap(std::vector<double>(init.data().size(), value.data().front()),
                 init.shape, init.type);
}

void reference::addLinalgEvaluators(Registry &registry) {
  registry.add<linalg::TransposeOp>(evalTranspose);
  registry.add<linalg::BroadcastOp>(evalBroadcast);
  registry.add<linalg::FillOp>(evalFill);
}
