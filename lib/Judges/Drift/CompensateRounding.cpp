//===- CompensateRounding.cpp - rounds columns and compensates ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CompensateRounding.h"

#include "Floor.h"
#include "LeastSquares.h"
#include "parablock/Transforms/QuantizedForms.h"
#include "llvm/Support/Parallel.h"
#include <Eigen/Cholesky>
#include <Eigen/Core>

using namespace parablock;
using namespace parablock::drift;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

using Matrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

namespace {
/// Statistics of a projection's inputs for rounding: the Gram matrix, and the
/// upper Cholesky factor of the inverse of the damped one.
struct Inputs {
  Matrix gram, factor;
};

/// The codes' numbers of one row of weights.
class RowRounder {
public:
  RowRounder(QuantizedForm form, const Inputs &inputs)
      : layout(block::getCodeLayout(form)), inputs(inputs) {}

  std::vector<double> compensate(ArrayRef<double> row) const;
  /// The squared length of a row's results.
  double measure(ArrayRef<double> row) const {
    Eigen::Map<const Eigen::VectorXd> vector(row.data(), row.size());
    return vector.dot(inputs.gram * vector);
  }

private:
  block::CodeLayout layout;
  const Inputs &inputs;
};
} // namespace

std::vector<double> RowRounder::compensate(ArrayRef<double> row) const {
  size_t columns = row.size();
  size_t group = layout.group ? layout.group : columns;
  std::vector<double> rest(row), result(columns);
  for (size_t first = 0; first < columns; first += group) {
    size_t end = std::min(columns, first + group), largest = first;
    for (size_t k = first; k < end; ++k)
      if (std::fabs(row[k]) > std::fabs(row[largest]))
        largest = k;
    double scale = block::getCodeScale(layout.form, std::fabs(row[largest]));
    for (size_t k = first; k < end; ++k) {
      // The scale is that of the largest magnitude, which is unchanged.
      double wanted = k == largest ? row[k] : rest[k];
      result[k] = scale * block::roundToCode(layout.form, wanted / scale);
      const double *factors = &inputs.factor(k, 0);
      double error = (rest[k] - result[k]) / factors[k];
      for (size_t later = k + 1; later < columns; ++later)
        rest[later] -= error * factors[later];
    }
  }
  return result;
}

namespace {
/// Weights of one sublayer, rounded in both ways.
struct RoundedWeights {
  SublayerWeights nearest, compensated;
};

/// Walks the chain of a model.
class Compensator {
public:
  Compensator(const Model &model, QuantizedForm form, double damping)
      : model(model), form(form), damping(damping) {}

  Expected<CompensatedWeights> run(ArrayRef<mlir::func::FuncOp> encoded);

private:
  Error roundSublayer(size_t link, RoundedWeights &weights,
                      const Stream &stream);
  Expected<Inputs> measure(const SublayerRunner &runner,
                           const SublayerWeights &weights, const Stream &stream,
                           bool ofOutput);
  void roundProjection(const Sublayer &sublayer, const Projection &projection,
                       LinearWeights &nearest, LinearWeights &compensated,
                       const Inputs &inputs);
  Error advance(size_t link, const LinkWeights &weights, ArrayRef<Split> splits,
                Stream &stream);
  Error measureRows(ArrayRef<mlir::func::FuncOp> encoded,
                    const Stream &original);

  const Model &model;
  QuantizedForm form;
  double damping;
  CompensatedWeights result;
};
} // namespace

static Expected<Inputs> invert(ArrayRef<double> lower, int64_t size,
                               double damping) {
  Inputs inputs;
  inputs.gram = Eigen::Map<const Matrix>(lower.data(), size, size)
                    .selfadjointView<Eigen::Lower>();
  double mean = inputs.gram.trace() / static_cast<double>(size);
  Matrix damped = inputs.gram;
  // Inputs that are always 0 do not constrain their weights.
  damped.diagonal().array() += mean > 0 ? damping * mean : 1;
  Eigen::LLT<Matrix> factors(damped);
  Matrix inverse = factors.solve(Matrix::Identity(size, size));
  Eigen::LLT<Matrix> ofInverse(inverse);
  if (factors.info() != Eigen::Success || ofInverse.info() != Eigen::Success)
    return llvm::createStringError("the Gram matrix cannot be inverted; a "
                                   "larger --ridge makes it possible");
  inputs.factor = ofInverse.matrixU();
  return inputs;
}

Expected<Inputs> Compensator::measure(const SublayerRunner &runner,
                                      const SublayerWeights &weights,
                                      const Stream &stream, bool ofOutput) {
  const LinearWeights &first =
      ofOutput ? weights.output : weights.inputs.front();
  int64_t size = first.getInputs();
  LeastSquares squares(size, /*numTargets=*/0);
  const Dataset &data = model.data();
  for (auto [index, chunk] : llvm::enumerate(data.chunks())) {
    if (chunk.split != Split::Fit)
      continue;
    Expected<Tensor> input = stream.get(index);
    if (!input)
      return input.takeError();
    Expected<Tensor> read = runner.runHead(*input, weights);
    if (read && ofOutput)
      read = runner.runFeatures(*read, weights, data, chunk);
    if (!read)
      return read.takeError();
    std::vector<double> rows;
    for (auto [row, isValid] : llvm::enumerate(data.getValid(chunk)))
      if (isValid)
        llvm::append_range(rows, read->data().slice(row * size, size));
    squares.add(rows, {});
  }
  return invert(squares.getGram(), size, damping);
}

/// Elements that `stored` rounds to numbers of other codes.
static int64_t countLost(QuantizedForm form, ElementType stored,
                         ArrayRef<double> rounded, int64_t columns) {
  std::vector<double> kept(rounded);
  roundTo(stored, kept);
  for (size_t first = 0; first < kept.size(); first += columns)
    block::roundRow(form, llvm::MutableArrayRef(kept).slice(first, columns));
  int64_t lost = 0;
  for (auto [found, wanted] : llvm::zip_equal(kept, rounded))
    lost += block::isOtherCode(found, wanted);
  return lost;
}

void Compensator::roundProjection(const Sublayer &sublayer,
                                  const Projection &projection,
                                  LinearWeights &nearest,
                                  LinearWeights &compensated,
                                  const Inputs &inputs) {
  RowRounder rounder(form, inputs);
  int64_t rows = nearest.getOutputs(), columns = nearest.getInputs();
  std::vector<double> original(nearest.weight.data());
  std::vector<double> plain(original.size()), best(original.size());
  std::vector<double> size(rows), plainError(rows), bestError(rows);
  llvm::parallelFor(0, rows, [&](size_t r) {
    size_t first = r * columns;
    ArrayRef<double> row = ArrayRef(original).slice(first, columns);
    size[r] = rounder.measure(row);
    auto place = [&](std::vector<double> own, std::vector<double> &all) {
      llvm::copy(own, all.begin() + first);
      for (auto [value, wanted] : llvm::zip_equal(own, row))
        value -= wanted;
      return rounder.measure(own);
    };
    std::vector<double> nearest(row);
    block::roundRow(form, nearest);
    plainError[r] = place(std::move(nearest), plain);
    bestError[r] = place(rounder.compensate(row), best);
  });
  auto share = [&](ArrayRef<double> errors) {
    double whole = std::accumulate(size.begin(), size.end(), 0.0);
    return whole > 0
               ? std::accumulate(errors.begin(), errors.end(), 0.0) / whole
               : 0;
  };
  ElementType stored = model.getStoredType(projection.weight);
  result.errors.push_back({sublayer.getLayerIndex(), projection.name.str(),
                           share(plainError), share(bestError),
                           countLost(form, stored, best, columns)});
  auto replace = [](LinearWeights &weights, std::vector<double> values) {
    weights.weight = makeTensor(weights.weight.type, weights.weight.shape,
                                std::move(values));
  };
  replace(nearest, std::move(plain));
  replace(compensated, std::move(best));
}

Error Compensator::roundSublayer(size_t link, RoundedWeights &weights,
                                 const Stream &stream) {
  const SublayerRunner &runner = model.getRunner(link);
  const Sublayer &sublayer = runner.sublayer();
  Expected<Inputs> inputs =
      measure(runner, weights.compensated, stream, /*ofOutput=*/false);
  if (!inputs)
    return inputs.takeError();
  for (auto [projection, nearest, compensated] : llvm::zip_equal(
           sublayer.inputs, weights.nearest.inputs, weights.compensated.inputs))
    roundProjection(sublayer, projection, nearest, compensated, *inputs);
  if (!weights.nearest.output)
    return Error::success();
  // The output projection's input is computed with codes.
  Expected<Inputs> features =
      measure(runner, weights.compensated, stream, /*ofOutput=*/true);
  if (!features)
    return features.takeError();
  roundProjection(sublayer, sublayer.output, weights.nearest.output,
                  weights.compensated.output, *features);
  return Error::success();
}

/// Advances `stream` past a link.
Error Compensator::advance(size_t link, const LinkWeights &weights,
                           ArrayRef<Split> splits, Stream &stream) {
  Stream next = model.makeStream();
  if (Error error = model.runLink(link, weights, splits, stream, next))
    return error;
  stream = std::move(next);
  return Error::success();
}

/// Compares logits of rows in codes with those before.
Error Compensator::measureRows(ArrayRef<mlir::func::FuncOp> encoded,
                               const Stream &original) {
  Stream nearest = model.makeStream(), rows = model.makeStream();
  for (auto [function, stream] :
       llvm::zip_equal(encoded, std::array{&nearest, &rows}))
    if (Error error = runExactly(model, function, *stream))
      return error;
  auto compare = [&](const Stream &before,
                     std::optional<LogitDrift> &drift) -> Error {
    Expected<std::vector<LogitDrift>> logits =
        compareLogits(model, Split::Report, before, &rows, /*exactly=*/true);
    if (!logits)
      return logits.takeError();
    drift = std::move(logits->front());
    return Error::success();
  };
  if (Error error = compare(original, result.rows))
    return error;
  return compare(nearest, result.rowsAlone);
}

Expected<CompensatedWeights>
Compensator::run(ArrayRef<mlir::func::FuncOp> encoded) {
  Split report[] = {Split::Report}, both[] = {Split::Fit, Split::Report};
  Stream original = model.makeStream(), nearest = model.makeStream(),
         compensated = model.makeStream();
  for (Stream *stream : {&original, &nearest})
    if (Error error = model.runStart(report, *stream))
      return error;
  if (Error error = model.runStart(both, compensated))
    return error;
  std::vector<RoundedSublayer> rounded;
  for (size_t link = 0; link < model.size(); ++link) {
    Expected<LinkWeights> weights = model.load(link);
    if (!weights)
      return weights.takeError();
    if (Error error = advance(link, *weights, report, original))
      return error;
    LinkWeights plain = *weights;
    // Weights of other forms stay.
    const std::optional<Sublayer> &sublayer = model.getLink(link).sublayer;
    if (sublayer && sublayer->steps.empty()) {
      RoundedWeights own{weights->sublayer, weights->sublayer};
      if (Error error = roundSublayer(link, own, compensated))
        return error;
      rounded.push_back({&model.getRunner(link), own.compensated});
      plain.sublayer = std::move(own.nearest);
      weights->sublayer = std::move(own.compensated);
    }
    if (Error error = advance(link, plain, report, nearest))
      return error;
    if (Error error = advance(link, *weights, both, compensated))
      return error;
  }
  Expected<WeightChanges> changes = collectChanges(model, rounded);
  if (!changes)
    return changes.takeError();
  result.changes = std::move(*changes);
  if (model.hasLogits()) {
    const Stream *others[] = {&nearest, &compensated};
    Expected<std::vector<LogitDrift>> logits =
        compareLogits(model, report, original, others);
    if (!logits)
      return logits.takeError();
    result.logits = std::move(*logits);
  }
  if (!encoded.empty())
    if (Error error = measureRows(encoded, original))
      return error;
  return std::move(result);
}

Expected<CompensatedWeights>
drift::compensateRounding(const Model &model, QuantizedForm form,
                          double damping,
                          ArrayRef<mlir::func::FuncOp> encoded) {
  return Compensator(model, form, damping).run(encoded);
}

llvm::json::Object drift::describeRounding(QuantizedForm form,
                                           const CompensatedWeights &weights) {
  using namespace llvm;
  json::Array projections;
  for (const RoundingError &error : weights.errors)
    projections.push_back(json::Object{
        {"index", error.layer},
        {"projection", error.projection},
        {"error", json::Object{{"nearest", error.nearest},
                               {"compensated", error.compensated}}},
        {"lost_codes", error.lost}});
  json::Object report{{"schema", 1},
                      {"form", getEnumName(form)},
                      {"projections", std::move(projections)}};
  if (!weights.logits.empty()) {
    auto both = [&](TokenStatistics LogitDrift::*member) {
      return json::Object{
          {"nearest", (weights.logits[0].*member).getMean()},
          {"compensated", (weights.logits[1].*member).getMean()}};
    };
    auto ofRows = [&](TokenStatistics LogitDrift::*member) {
      return json::Object{{"all", ((*weights.rows).*member).getMean()},
                          {"alone", ((*weights.rowsAlone).*member).getMean()}};
    };
    if (weights.rows)
      report["activations"] =
          json::Object{{"form", "fp8"},
                       {"kl", ofRows(&LogitDrift::kl)},
                       {"top1", ofRows(&LogitDrift::agreement)}};
    report["kl"] = both(&LogitDrift::kl);
    report["top1"] = both(&LogitDrift::agreement);
  }
  return report;
}
