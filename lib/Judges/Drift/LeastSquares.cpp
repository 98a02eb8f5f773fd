//===- LeastSquares.cpp - accumulates and solves ridge regressions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LeastSquares.h"

#include "parablock/Judges/Reference/Matmul.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <Eigen/Cholesky>
#include <Eigen/Core>

using namespace parablock;
using namespace parablock::drift;
using llvm::ArrayRef;

using Matrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMap = Eigen::Map<const Matrix>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;

LeastSquares::LeastSquares(int64_t numFeatures, int64_t numTargets)
    : numFeatures(numFeatures), numTargets(numTargets),
      gram(numFeatures * numFeatures), cross(numFeatures * numTargets),
      featureSum(numFeatures), targetSum(numTargets),
      targetSquares(numTargets) {}

/// Columns of `[rows, width]` as rows.
static std::vector<double> transpose(ArrayRef<double> values, int64_t width) {
  int64_t rows = static_cast<int64_t>(values.size()) / width;
  std::vector<double> result(values.size());
  // Processes a few rows at a time, whose cache lines are written whole.
  constexpr int64_t blockRows = 8;
  for (int64_t first = 0; first < rows; first += blockRows)
    for (int64_t c = 0; c < width; ++c)
      for (int64_t r = first; r < std::min(rows, first + blockRows); ++r)
        result[c * rows + r] = values[r * width + c];
  return result;
}

static void addColumnSums(ArrayRef<double> values, std::vector<double> &sums,
                          bool squared) {
  for (; !values.empty(); values = values.drop_front(sums.size()))
    for (auto [sum, value] : llvm::zip(sums, values))
      sum += squared ? value * value : value;
}

/// `sums += a b^T` of rows `[width, rows]`, into rows of `stride` sums.
static void addProducts(reference::MatrixView a, reference::MatrixView b,
                        double *sums, int64_t stride) {
  std::vector<double> products(a.rows * b.rows);
  reference::multiplyTransposed(a, b, products.data(), b.rows);
  for (int64_t r = 0; r < a.rows; ++r)
    for (int64_t c = 0; c < b.rows; ++c)
      sums[r * stride + c] += products[r * b.rows + c];
}

/// Rows of the Gram matrix that are added to together.
static constexpr int64_t gramRows = 64;

/// `gram += a a^T` up to the diagonal, and a little beyond.
static void addLowerGram(reference::MatrixView a, double *gram) {
  for (int64_t first = 0; first < a.rows; first += gramRows) {
    int64_t end = std::min(a.rows, first + gramRows);
    addProducts({a.data + first * a.stride, end - first, a.columns, a.stride},
                {a.data, end, a.columns, a.stride}, gram + first * a.rows,
                a.rows);
  }
}

void LeastSquares::add(ArrayRef<double> features, ArrayRef<double> targets) {
  int64_t rows = static_cast<int64_t>(features.size()) / numFeatures;
  if (rows == 0)
    return;
  samples += rows;
  std::vector<double> f = transpose(features, numFeatures);
  reference::MatrixView featureView = {f.data(), numFeatures, rows, rows};
  addLowerGram(featureView, gram.data());
  addColumnSums(features, featureSum, /*squared=*/false);
  if (numTargets == 0)
    return;
  std::vector<double> t = transpose(targets, numTargets);
  addProducts(featureView, {t.data(), numTargets, rows, rows}, cross.data(),
              numTargets);
  addColumnSums(targets, targetSum, /*squared=*/false);
  addColumnSums(targets, targetSquares, /*squared=*/true);
}

llvm::Expected<Fit> LeastSquares::solve(double relativeRidge,
                                        bool withBias) const {
  double count = static_cast<double>(samples);
  Eigen::VectorXd featureMean =
      ConstVector(featureSum.data(), numFeatures) / count;
  Eigen::VectorXd targetMean =
      ConstVector(targetSum.data(), numTargets) / count;
  if (!withBias) {
    featureMean.setZero();
    targetMean.setZero();
  }
  Matrix centred = Matrix(ConstMap(gram.data(), numFeatures, numFeatures)
                              .selfadjointView<Eigen::Lower>()) -
                   count * featureMean * featureMean.transpose();
  Matrix right = ConstMap(cross.data(), numFeatures, numTargets) -
                 count * featureMean * targetMean.transpose();

  Fit fit;
  fit.samples = samples;
  fit.numFeatures = numFeatures;
  fit.numTargets = numTargets;
  fit.weight.assign(numFeatures * numTargets, 0.0);
  fit.bias.assign(targetMean.data(), targetMean.data() + numTargets);
  double diagonal = centred.trace() / static_cast<double>(numFeatures);
  // Constant features carry no information: only the mean is fitted.
  if (diagonal > 0) {
    fit.ridge = relativeRidge * diagonal;
    Matrix regularised = centred;
    regularised.diagonal().array() += fit.ridge;
    Eigen::LLT<Matrix> factors(regularised);
    if (factors.info() != Eigen::Success)
      return llvm::createStringError(
          "the Gram matrix of the features is not positive definite; a larger "
          "--ridge makes it so");
    double reciprocal = factors.rcond();
    fit.condition = reciprocal > 0 ? 1 / reciprocal : 0;
    Matrix solution = factors.solve(right);
    Eigen::Map<Matrix>(fit.weight.data(), numFeatures, numTargets) = solution;
    Eigen::Map<Eigen::VectorXd>(fit.bias.data(), numTargets) -=
        solution.transpose() * featureMean;
    double energy = ConstVector(targetSquares.data(), numTargets).sum() -
                    count * targetMean.squaredNorm();
    double explained = 2 * solution.cwiseProduct(right).sum() -
                       solution.cwiseProduct(centred * solution).sum();
    fit.residual = energy > 0 ? std::max(0.0, 1 - explained / energy) : 0;
  }
  return fit;
}

double LeastSquares::measureError(const Fit &fit) const {
  ConstMap weight(fit.weight.data(), numFeatures, numTargets);
  ConstVector bias(fit.bias.data(), numTargets);
  Matrix mapped = ConstMap(gram.data(), numFeatures, numFeatures)
                      .selfadjointView<Eigen::Lower>() *
                  weight;
  Eigen::VectorXd made =
      weight.transpose() * ConstVector(featureSum.data(), numFeatures);
  ConstVector targets(targetSum.data(), numTargets);
  return ConstVector(targetSquares.data(), numTargets).sum() -
         2 * weight
                 .cwiseProduct(ConstMap(cross.data(), numFeatures, numTargets))
                 .sum() +
         weight.cwiseProduct(mapped).sum() + 2 * bias.dot(made - targets) +
         static_cast<double>(samples) * bias.squaredNorm();
}
