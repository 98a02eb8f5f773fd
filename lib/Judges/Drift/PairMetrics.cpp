//===- PairMetrics.cpp - measures errors of one pair ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PairMetrics.h"

using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

/// The step of the finite difference, relative to d.
static constexpr double differenceStep = 1e-3;

void PairMetrics::append(const PairMetrics &other) {
  outputError.append(other.outputError);
  updateError.append(other.updateError);
  outputCosine.append(other.outputCosine);
  updateCosine.append(other.updateCosine);
  delta.append(other.delta);
  normedCosine.append(other.normedCosine);
  interaction.append(other.interaction);
  nonlinearity.append(other.nonlinearity);
}

static double getNorm(llvm::ArrayRef<double> row) {
  return compareRows(row, row).aNorm;
}

namespace {
/// One chunk of the streams around a pair.
struct Surroundings {
  Tensor input, middle, output;
  std::optional<Tensor> older;

  static Expected<Surroundings> get(PairStreams streams, size_t chunk) {
    Surroundings result;
    for (auto [stream, to] : {std::pair(&streams.input, &result.input),
                              std::pair(&streams.middle, &result.middle),
                              std::pair(&streams.output, &result.output)}) {
      Expected<Tensor> tensor = stream->get(chunk);
      if (!tensor)
        return tensor.takeError();
      *to = std::move(*tensor);
    }
    if (streams.older) {
      Expected<Tensor> older = streams.older->get(chunk);
      if (!older)
        return older.takeError();
      result.older = std::move(*older);
    }
    return result;
  }
};

class ChunkMeasurement {
public:
  ChunkMeasurement(const Model &model, const Candidate &candidate,
                   const PairWeights &weights, const Chunk &chunk)
      : model(model), pair(model.getPair(candidate)), weights(weights),
        chunk(chunk), valid(model.data().getValid(chunk)) {}

  Error measureAll(const Surroundings &at, PairMetrics &metrics) {
    if (Error error = measureResult(at, metrics))
      return error;
    if (Error error = measureScreen(at, metrics))
      return error;
    return measureInteraction(at, metrics);
  }

  Error measureError(const Surroundings &at, TokenStatistics &statistics) {
    PairMetrics metrics;
    if (Error error = measureResult(at, metrics))
      return error;
    statistics = std::move(metrics.updateError);
    return Error::success();
  }

private:
  Error measureResult(const Surroundings &at, PairMetrics &metrics) {
    Expected<Tensor> result =
        pair.runResult(at.input, weights, model.data(), chunk,
                       at.older ? &*at.older : nullptr);
    if (!result)
      return result.takeError();
    double skip = pair.getSkipFactor();
    Tensor serial = combine(1, at.output, -skip, at.input);
    Tensor parallel = combine(1, *result, -skip, at.input);
    for (size_t row = 0; row < valid.size(); ++row) {
      if (!valid[row])
        continue;
      RowComparison output =
          compareRows(getRow(*result, row), getRow(at.output, row));
      RowComparison update =
          compareRows(getRow(parallel, row), getRow(serial, row));
      metrics.outputError.add(getRatio(output.difference, output.bNorm));
      metrics.updateError.add(getRatio(output.difference, update.bNorm));
      metrics.outputCosine.add(output.cosine);
      metrics.updateCosine.add(update.cosine);
    }
    return Error::success();
  }

  /// Returns the stream after the first sublayer without what the second one
  /// lacks.
  Expected<Tensor> getBase(const Surroundings &at) const {
    if (pair.hasSharedStream())
      return pair.runSecondStream(at.input, weights, model.data(), chunk);
    return combine(pair.first().sublayer().getStreamFactor(), at.input, 0,
                   at.input);
  }

  Error measureScreen(const Surroundings &at, PairMetrics &metrics) {
    Expected<Tensor> serialNormed =
        pair.second().runHead(at.middle, weights.second);
    if (!serialNormed)
      return serialNormed.takeError();
    Expected<Tensor> parallelNormed =
        pair.runSecondHead(at.input, weights, model.data(), chunk);
    if (!parallelNormed)
      return parallelNormed.takeError();
    Expected<Tensor> found = getBase(at);
    if (!found)
      return found.takeError();
    const Tensor &base = *found;
    for (size_t row = 0; row < valid.size(); ++row) {
      if (!valid[row])
        continue;
      RowComparison step =
          compareRows(getRow(at.middle, row), getRow(base, row));
      metrics.delta.add(getRatio(step.difference, step.bNorm));
      metrics.normedCosine.add(
          compareRows(getRow(*serialNormed, row), getRow(*parallelNormed, row))
              .cosine);
    }
    return Error::success();
  }

  /// Runs the second branch at `base + factor * delta`; exactly, since the
  /// difference of two results may be small. A router with a stream of its own
  /// reads `middle`.
  Expected<Tensor> runSecond(const Tensor &middle, const Tensor &base,
                             double factor, const Tensor &delta) {
    return pair.runSecondSerially(combine(1, base, factor, delta), middle,
                                  weights, model.data(), chunk,
                                  /*exactly=*/true);
  }

  Error measureInteraction(const Surroundings &at, PairMetrics &metrics) {
    Expected<Tensor> found = getBase(at);
    if (!found)
      return found.takeError();
    const Tensor &base = *found;
    Tensor delta = combine(1, at.middle, -1, base);
    Expected<Tensor> above = runSecond(at.middle, base, differenceStep, delta);
    if (!above)
      return above.takeError();
    Expected<Tensor> below = runSecond(at.middle, base, -differenceStep, delta);
    if (!below)
      return below.takeError();
    Expected<Tensor> with = runSecond(at.middle, base, 1, delta);
    if (!with)
      return with.takeError();
    Expected<Tensor> without = runSecond(at.middle, base, 0, delta);
    if (!without)
      return without.takeError();
    double factor = 0.5 / differenceStep;
    Tensor jacobian = combine(factor, *above, -factor, *below);
    Tensor defect = combine(1, *with, -1, *without);
    // Behind a post-norm, an update is no sum of branches.
    Tensor update =
        pair.hasPostNorms()
            ? *with
            : combine(1, at.output, -pair.getSkipFactor(), at.input);
    for (size_t row = 0; row < valid.size(); ++row) {
      if (!valid[row])
        continue;
      RowComparison rest =
          compareRows(getRow(jacobian, row), getRow(defect, row));
      metrics.interaction.add(
          getRatio(rest.aNorm, getNorm(getRow(update, row))));
      metrics.nonlinearity.add(getRatio(rest.difference, rest.bNorm));
    }
    return Error::success();
  }

  const Model &model;
  const PairRunner &pair;
  const PairWeights &weights;
  const Chunk &chunk;
  std::vector<uint8_t> valid;
};
} // namespace

/// Runs `measure` on every chunk and joins the results, in order.
template <typename T, typename Measure>
static Expected<T> measureChunks(const Model &model, PairStreams streams,
                                 Split split, Measure measure) {
  return joinChunks<T>(
      model.data(), split,
      [&](size_t index, const Chunk &chunk, T &found) -> Error {
        Expected<Surroundings> at = Surroundings::get(streams, index);
        if (!at)
          return at.takeError();
        return measure(chunk, *at, found);
      });
}

Expected<PairMetrics> drift::measurePair(const Model &model,
                                         const Candidate &candidate,
                                         const PairWeights &weights,
                                         PairStreams streams, Split split) {
  return measureChunks<PairMetrics>(
      model, streams, split,
      [&](const Chunk &chunk, const Surroundings &at, PairMetrics &metrics) {
        return ChunkMeasurement(model, candidate, weights, chunk)
            .measureAll(at, metrics);
      });
}

Expected<TokenStatistics> drift::measureUpdateError(const Model &model,
                                                    const Candidate &candidate,
                                                    const PairWeights &weights,
                                                    PairStreams streams,
                                                    Split split) {
  return measureChunks<TokenStatistics>(
      model, streams, split,
      [&](const Chunk &chunk, const Surroundings &at, TokenStatistics &errors) {
        return ChunkMeasurement(model, candidate, weights, chunk)
            .measureError(at, errors);
      });
}
