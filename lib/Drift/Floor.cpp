//===- Floor.cpp - what rounding alone does -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Floor.h"

#include "parablock/IR/BlockDialect.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

namespace {
class FloorRunner {
public:
  FloorRunner(const Model &model, const Scan &scan, func::FuncOp function,
              Type element)
      : model(model), scan(scan), original(function) {
    clone = function.clone();
    setFloatType(*clone, element);
    llvm::raw_string_ostream(floor.type) << element;
  }

  Expected<NumericFloor> run() {
    Expected<Chain> chain = buildChain(*clone);
    if (!chain)
      return chain.takeError();
    Outliner outliner(original.getContext());
    Stream stream = model.makeStream();
    if (Error error =
            runPart(outliner.outline(chain->getFirst()), nullptr, stream))
      return error;
    for (auto [index, link] : llvm::enumerate(chain->links)) {
      // What a layer yields: outlining its result would be the whole layer.
      Value output =
          link.sublayer ? link.sublayer->residual.getResult() : link.output;
      if (Error error =
              runPart(outliner.outline(output, link.input), &stream, stream))
        return error;
      if (Error error = addErrors(index, stream))
        return error;
    }
    if (model.hasLogits()) {
      Expected<std::vector<LogitDrift>> drifts =
          compareLogits(model, Split::Report, scan.originals.back(), &stream);
      if (!drifts)
        return drifts.takeError();
      floor.logits = std::move(drifts->front());
    }
    return std::move(floor);
  }

private:
  /// Loads an argument in the type that the clone gives it.
  Expected<Tensor> loadArgument(Value value) {
    Expected<Tensor> tensor =
        model.source().load(cast<BlockArgument>(value).getArgNumber());
    if (!tensor)
      return tensor;
    ElementType type = getElementTypeOf(value);
    std::vector<double> values(tensor->data());
    roundTo(type, values);
    return makeTensor(type, tensor->shape, std::move(values));
  }

  Error runPart(const Outline &part, const Stream *from, Stream &to) {
    Tensors weights;
    for (Value value : ArrayRef(part.arguments).drop_front(from ? 1 : 0)) {
      weights.emplace_back();
      if (!block::isWeightOnly(value))
        continue;
      Expected<Tensor> tensor = loadArgument(value);
      if (!tensor)
        return tensor.takeError();
      weights.back() = std::move(*tensor);
    }
    return forEachChunk(
        model.data(), Split::Report,
        [&](size_t index, const Chunk &chunk) -> Error {
          Tensors arguments;
          if (from) {
            Expected<Tensor> stream = from->get(index);
            if (!stream)
              return stream.takeError();
            stream->type = getElementTypeOf(part.arguments.front());
            arguments.push_back(std::move(*stream));
          }
          for (auto [value, weight] : llvm::zip_equal(
                   ArrayRef(part.arguments).drop_front(from ? 1 : 0), weights))
            arguments.push_back(weight.values ? weight
                                              : getInput(value, chunk));
          Expected<Tensors> results = part.run(arguments, /*exact=*/false);
          if (!results)
            return results.takeError();
          results->front().type = streamType();
          return to.set(index, std::move(results->front()));
        });
  }

  /// An input of the clone; hidden states are rounded to its type.
  Tensor getInput(Value value, const Chunk &chunk) {
    Tensor tensor = model.data().getInput(value, chunk);
    if (!isFloatType(tensor.type))
      return tensor;
    ElementType type = getElementTypeOf(value);
    std::vector<double> values(tensor.data());
    roundTo(type, values);
    return makeTensor(type, tensor.shape, std::move(values));
  }

  /// Streams carry the type of the original, which the head expects.
  ElementType streamType() const {
    return getElementTypeOf(model.getLink(0).input);
  }

  Error addErrors(size_t link, const Stream &stream) {
    std::vector<TokenStatistics> byChunk(model.data().chunks().size());
    Error error = forEachChunk(
        model.data(), Split::Report,
        [&](size_t index, const Chunk &chunk) -> Error {
          Expected<Tensor> before = scan.originals[link].get(index);
          if (!before)
            return before.takeError();
          Expected<Tensor> after = scan.originals[link + 1].get(index);
          if (!after)
            return after.takeError();
          Expected<Tensor> rounded = stream.get(index);
          if (!rounded)
            return rounded.takeError();
          Tensor update = combine(1, *after, -1, *before);
          std::vector<uint8_t> valid = model.data().getValid(chunk);
          for (size_t row = 0; row < valid.size(); ++row)
            if (valid[row]) {
              double distance =
                  compareRows(getRow(*rounded, row), getRow(*after, row))
                      .difference;
              llvm::ArrayRef<double> own = getRow(update, row);
              byChunk[index].add(
                  getRatio(distance, compareRows(own, own).aNorm));
            }
          return Error::success();
        });
    for (const TokenStatistics &part : byChunk)
      floor.updateError.append(part);
    return error;
  }

  const Model &model;
  const Scan &scan;
  func::FuncOp original;
  OwningOpRef<func::FuncOp> clone;
  NumericFloor floor;
};
} // namespace

Expected<NumericFloor> drift::measureFloor(const Model &model, const Scan &scan,
                                           func::FuncOp function,
                                           Type element) {
  return FloorRunner(model, scan, function, element).run();
}
