//===- Floor.cpp - measures errors of rounding ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Floor.h"

#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

namespace {
/// Advances a stream through the serial model on the reference engine, link by
/// link.
class Walker {
public:
  Walker(const Model &model, func::FuncOp function)
      : model(model), function(function), outliner(function.getContext()) {}

  /// Rounds to `element` from now on, where the IR rounds.
  void roundTo(Type element) {
    clone = function.clone();
    function = *clone;
    setFloatType(function, element);
  }

  size_t countLinks() const { return chain.links.size(); }

  Error start(Stream &to) {
    Expected<Chain> built = buildChain(function);
    if (!built)
      return built.takeError();
    chain = std::move(*built);
    return runPart(outliner.outline(chain.getFirst()), nullptr, to);
  }

  /// `to`, which may be `from`, is that stream behind the next link.
  Error step(const Stream &from, Stream &to) {
    Link &link = chain.links[next++];
    // The layer's yielded value: outlining its result would outline the whole
    // layer.
    Value output = link.sublayer ? link.sublayer->getResult() : link.output;
    return runPart(outliner.outline(output, link.input), &from, to);
  }

private:
  /// Numbers of the model in the type that they have here.
  Tensor convert(Tensor tensor, Value value) const {
    if (!clone || !isFloatType(tensor.type))
      return tensor;
    ElementType type = getElementTypeOf(value);
    std::vector<double> values(tensor.data());
    parablock::roundTo(type, values);
    return makeTensor(type, tensor.shape, std::move(values));
  }

  Expected<Tensor> loadArgument(Value value) {
    Expected<Tensor> tensor =
        model.source().load(cast<BlockArgument>(value).getArgNumber());
    if (!tensor)
      return tensor;
    return convert(std::move(*tensor), value);
  }

  Error runPart(const Outline &part, const Stream *from, Stream &to) {
    Tensors weights;
    ArrayRef<Value> others = ArrayRef(part.arguments).drop_front(from ? 1 : 0);
    for (Value value : others) {
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
          for (auto [value, weight] : llvm::zip_equal(others, weights))
            arguments.push_back(
                weight.values
                    ? weight
                    : convert(model.data().getInput(value, chunk), value));
          Expected<Tensors> results =
              clone ? part.runRounded(arguments) : part.runExact(arguments);
          if (!results)
            return results.takeError();
          // In the model's type: logits are computed from it there.
          results->front().type = getElementTypeOf(model.getLink(0).input);
          return to.set(index, std::move(results->front()));
        });
  }

  const Model &model;
  func::FuncOp function;
  OwningOpRef<func::FuncOp> clone;
  Outliner outliner;
  Chain chain;
  size_t next = 0;
};

/// The serial model rounding to one type.
struct Rounded {
  Rounded(const Model &model, func::FuncOp function, Type element)
      : walker(model, function), stream(model.makeStream()) {
    walker.roundTo(element);
    llvm::raw_string_ostream(floor.type) << element;
  }

  Walker walker;
  Stream stream;
  NumericFloor floor;
};
} // namespace

Error drift::runExactly(const Model &model, func::FuncOp function, Stream &to) {
  Walker walker(model, function);
  if (Error error = walker.start(to))
    return error;
  for (size_t link = 0; link < walker.countLinks(); ++link)
    if (Error error = walker.step(to, to))
      return error;
  return Error::success();
}

/// |rounded - after| / |after - before| of every token.
static Error addErrors(const Model &model, const Stream &before,
                       const Stream &after, const Stream &rounded,
                       TokenStatistics &errors) {
  Expected<TokenStatistics> all = joinChunks<TokenStatistics>(
      model.data(), Split::Report,
      [&](size_t index, const Chunk &chunk, TokenStatistics &found) -> Error {
        Expected<Tensor> from = before.get(index);
        if (!from)
          return from.takeError();
        Expected<Tensor> to = after.get(index);
        if (!to)
          return to.takeError();
        Expected<Tensor> got = rounded.get(index);
        if (!got)
          return got.takeError();
        for (auto [row, isValid] :
             llvm::enumerate(model.data().getValid(chunk)))
          if (isValid)
            found.add(getRatio(
                compareRows(getRow(*got, row), getRow(*to, row)).difference,
                compareRows(getRow(*to, row), getRow(*from, row)).difference));
        return Error::success();
      });
  if (!all)
    return all.takeError();
  errors.append(*all);
  return Error::success();
}

Expected<std::vector<NumericFloor>>
drift::measureFloors(const Model &model, func::FuncOp function,
                     ArrayRef<Type> elements) {
  Walker exact(model, function);
  Stream before = model.makeStream(), after = model.makeStream();
  if (Error error = exact.start(after))
    return error;
  std::vector<std::unique_ptr<Rounded>> all;
  for (Type element : elements) {
    all.push_back(std::make_unique<Rounded>(model, function, element));
    if (Error error = all.back()->walker.start(all.back()->stream))
      return error;
  }
  for (size_t link = 0; link < model.size(); ++link) {
    std::swap(before, after);
    if (Error error = exact.step(before, after))
      return error;
    for (const auto &rounded : all) {
      if (Error error = rounded->walker.step(rounded->stream, rounded->stream))
        return error;
      if (Error error = addErrors(model, before, after, rounded->stream,
                                  rounded->floor.updateError))
        return error;
    }
  }
  std::vector<NumericFloor> floors;
  for (const auto &rounded : all) {
    if (model.hasLogits()) {
      Expected<std::vector<LogitDrift>> drifts =
          compareLogits(model, Split::Report, after, &rounded->stream,
                        /*exactly=*/true);
      if (!drifts)
        return drifts.takeError();
      rounded->floor.logits = std::move(drifts->front());
    }
    floors.push_back(std::move(rounded->floor));
  }
  return floors;
}
