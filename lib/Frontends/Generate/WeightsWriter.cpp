//===- WeightsWriter.cpp - draws and writes parameters --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Frontends/Generate/WeightsWriter.h"

#include "parablock/Dialect/Block/BlockAttrs.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Support/DrawTensor.h"
#include "parablock/Support/SafeTensors.h"

using namespace mlir;

namespace parablock::generate {

/// Number of elements drawn at a time: tables of gigabytes are never whole in
/// memory.
static constexpr uint64_t pieceSize = 1 << 18;

static DrawRule getRule(block::InitAttr init, ArrayRef<int64_t> shape) {
  if (!init)
    return getDefaultWeightRule(shape);
  Distribution distribution = Distribution::Normal;
  if (init.getKind() == block::InitKind::Uniform)
    distribution = Distribution::Uniform;
  else if (init.getKind() == block::InitKind::Constant)
    distribution = Distribution::Constant;
  return {distribution, init.getMeanValue(), init.getStdValue()};
}

static llvm::Error writeTensor(SafeTensorsWriter &writer,
                               const TensorDeclaration &tensor,
                               const DrawRule &rule, uint64_t seed) {
  uint64_t count = *countElements(tensor.shape);
  std::vector<double> piece;
  for (uint64_t first = 0; first < count; first += pieceSize) {
    piece.resize(std::min(pieceSize, count - first));
    drawTensor(rule, seed, tensor.name, first, piece);
    if (llvm::Error error = writer.appendValues(tensor.name, piece))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error writeWeights(func::FuncOp function, uint64_t seed, StringRef path) {
  std::vector<TensorDeclaration> tensors;
  llvm::StringMap<DrawRule> rules;
  for (unsigned index = 0; index < function.getNumArguments(); ++index) {
    auto name = function.getArgAttrOfType<StringAttr>(index, block::kParamAttr);
    if (!name)
      continue;
    auto type = cast<RankedTensorType>(function.getArgument(index).getType());
    TensorDeclaration tensor;
    tensor.name = name.str();
    tensor.type = *getElementTypeOf(type);
    tensor.shape.assign(type.getShape().begin(), type.getShape().end());
    rules[tensor.name] = getRule(
        function.getArgAttrOfType<block::InitAttr>(index, block::kInitAttr),
        type.getShape());
    tensors.push_back(std::move(tensor));
  }
  auto writer = SafeTensorsWriter::create(path, std::move(tensors));
  if (!writer)
    return writer.takeError();
  for (const TensorDeclaration &tensor : (*writer)->declarations())
    if (llvm::Error error =
            writeTensor(**writer, tensor, rules.lookup(tensor.name), seed))
      return error;
  return (*writer)->keep();
}

} // namespace parablock::generate
