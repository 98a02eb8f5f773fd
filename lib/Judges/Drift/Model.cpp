//===- Model.cpp - a model to be walked link by link ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

Expected<std::unique_ptr<Model>> Model::create(func::FuncOp function,
                                               const ParameterSource &source,
                                               const Dataset &data,
                                               const ModelSetup &setup) {
  std::unique_ptr<Model> model(new Model(source, data, setup));
  Expected<Chain> chain = buildChain(function);
  if (!chain)
    return chain.takeError();
  model->chain = std::move(*chain);
  model->candidateList = model->chain.findCandidates();
  model->spill = std::make_unique<SpillFile>(setup.memoryForStreams);
  model->functions = std::make_unique<Outliner>(function.getContext());
  Outliner &outliner = *model->functions;
  for (const Link &link : model->chain.links) {
    model->runners.emplace_back();
    model->wholes.emplace_back();
    if (link.sublayer)
      model->runners.back() = std::make_unique<SublayerRunner>(
          *link.sublayer, setup.form.router, outliner);
    else
      model->wholes.back() = outliner.outline(link.output, link.input);
  }
  if (Error error = model->checkNorms())
    return error;
  model->pairs.resize(model->size());
  for (const Candidate &candidate : model->candidateList)
    model->pairs[candidate.position] = std::make_unique<PairRunner>(
        *model->runners[candidate.position],
        *model->runners[candidate.position + 1], setup.form, outliner);
  model->start = outliner.outline(model->chain.getFirst());
  model->findEnd();
  function.walk([&](block::AttentionOpInterface op) {
    model->causal &= op.getScores().getCausal();
  });
  if (Error error = model->prepare())
    return error;
  return model;
}

/// Returns an error if block-parallelize would share norms of a pair that are
/// not the whole head of both branches.
Error Model::checkNorms() const {
  if (setup.form.norm == SecondNorm::Separate)
    return Error::success();
  auto readsByNorm = [](const Sublayer &sublayer) {
    return llvm::any_of(sublayer.stream.getUsers(), [&](Operation *user) {
      return isa<block::NormOp>(user) &&
             user->getBlock() == sublayer.residual->getBlock();
    });
  };
  for (const Candidate &candidate : candidateList) {
    if (!getRunner(candidate.position).sublayer().postNorm.empty())
      return llvm::createStringError(
          "--norm=" + getEnumName(setup.form.norm) + ": pair " +
          candidate.pair.getName() +
          ": expected a norm before each branch, got one behind each sum: "
          "leave the flag out");
    bool haveNorms = true, areHeads = true;
    for (size_t link : {candidate.position, candidate.position + 1}) {
      haveNorms &= readsByNorm(getRunner(link).sublayer());
      areHeads &= static_cast<bool>(getRunner(link).getHeadNorm());
    }
    if (haveNorms && !areHeads)
      return llvm::createStringError(
          "--norm=" + getEnumName(setup.form.norm) + ": pair " +
          candidate.pair.getName() +
          ": expected one norm before each branch, and every op behind it to "
          "read the norm: --norm=separate keeps the norms of both");
  }
  return Error::success();
}

Error Model::prepare() {
  bool steps = setup.steps || llvm::any_of(pairs, [](const auto &pair) {
                 return pair && pair->needsSteps();
               });
  for (auto [runner, whole] : llvm::zip_equal(runners, wholes))
    if (Error error = runner ? runner->prepare(setup.preparation, steps)
                             : setup.preparation.prepare(*whole))
      return error;
  return end ? setup.preparation.prepare(*end) : Error::success();
}

void Model::findEnd() {
  std::optional<unsigned> index = findLogits(chain.function);
  if (!index)
    return;
  Value result =
      chain.function.getBody().front().getTerminator()->getOperand(*index);
  end = functions->outline(result, chain.getLast());
  auto type = cast<RankedTensorType>(result.getType());
  rowWiseEnd = type.isDynamicDim(1);
  vocabulary = type.getShape().back();
  end->function.walk([&](Operation *op) {
    auto step = dyn_cast<block::StepOpInterface>(op);
    rowWiseEnd &= step ? block::isProduct(op) ||
                             step.getReach() == block::StepReach::Element ||
                             step.getPart() == ModelPart::Norm
                       : op->getName().getDialectNamespace() != "block";
  });
}

const PairRunner &Model::getPair(const Candidate &candidate) const {
  return *pairs[candidate.position];
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

static bool isParameter(Value value) { return block::isWeightOnly(value); }

Expected<Tensors> Model::loadWeightsOf(const Outline &outline,
                                       size_t given) const {
  Tensors weights;
  for (Value value : ArrayRef(outline.arguments).drop_front(given)) {
    if (!isParameter(value))
      continue;
    Expected<Tensor> tensor =
        parameters.load(cast<BlockArgument>(value).getArgNumber());
    if (!tensor)
      return tensor.takeError();
    weights.push_back(std::move(*tensor));
  }
  return weights;
}

Expected<LinkWeights> Model::load(size_t link) const {
  LinkWeights weights;
  if (runners[link]) {
    Expected<SublayerWeights> loaded = runners[link]->load(parameters);
    if (!loaded)
      return loaded.takeError();
    weights.sublayer = std::move(*loaded);
    return weights;
  }
  Expected<Tensors> loaded = loadWeightsOf(*wholes[link], 1);
  if (!loaded)
    return loaded.takeError();
  weights.whole = std::move(*loaded);
  return weights;
}

Expected<PairWeights> Model::load(const Candidate &candidate) const {
  Expected<SublayerWeights> first =
      runners[candidate.position]->load(parameters);
  if (!first)
    return first.takeError();
  Expected<SublayerWeights> second =
      runners[candidate.position + 1]->load(parameters);
  if (!second)
    return second.takeError();
  return PairWeights{std::move(*first), std::move(*second)};
}

ElementType Model::getStoredType(Value value) const {
  while (Operation *op = value.getDefiningOp()) {
    if (op->getNumOperands() == 0)
      return getElementTypeOf(value);
    value = op->getOperand(0);
  }
  return parameters.getStoredType(cast<BlockArgument>(value).getArgNumber());
}

Expected<Tensors> Model::loadEnd() const { return loadWeightsOf(*end, 1); }

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Runs `outline` on the values given for its first arguments, on weights, and
/// on the rows of the chunk of every other argument.
Expected<Tensors> Model::bindRows(const Outline &outline, Tensors given,
                                  const Tensors &weights, const Chunk &chunk,
                                  bool exactly) const {
  auto weight = weights.begin();
  for (Value value : ArrayRef(outline.arguments).drop_front(given.size()))
    given.push_back(isParameter(value) ? *weight++
                                       : dataset.getInput(value, chunk));
  return exactly ? outline.runExact(given) : outline.run(given);
}

Error Model::runStart(ArrayRef<Split> splits, Stream &to) const {
  Expected<Tensors> weights = loadWeightsOf(start, 0);
  if (!weights)
    return weights.takeError();
  return forEachChunk(
      dataset, splits, [&](size_t index, const Chunk &chunk) -> Error {
        Expected<Tensors> results = bindRows(start, {}, *weights, chunk);
        if (!results)
          return results.takeError();
        return to.set(index, std::move(results->front()));
      });
}

Error Model::runLink(size_t link, const LinkWeights &weights,
                     ArrayRef<Split> splits, const Stream &from,
                     Stream &to) const {
  return forEachChunk(
      dataset, splits, [&](size_t index, const Chunk &chunk) -> Error {
        Expected<Tensor> stream = from.get(index);
        if (!stream)
          return stream.takeError();
        if (runners[link]) {
          Expected<Tensor> result = runners[link]->runSerial(
              *stream, weights.sublayer, dataset, chunk);
          if (!result)
            return result.takeError();
          return to.set(index, std::move(*result));
        }
        Expected<Tensors> results =
            bindRows(*wholes[link], {*stream}, weights.whole, chunk);
        if (!results)
          return results.takeError();
        return to.set(index, std::move(results->front()));
      });
}

Expected<Tensor> Model::runEnd(const Tensor &stream, const Tensors &weights,
                               const Chunk &chunk, bool exactly) const {
  Expected<Tensors> results = bindRows(*end, {stream}, weights, chunk, exactly);
  if (!results)
    return results.takeError();
  return std::move(results->front());
}
