//===- LeastSquares.cpp - accumulates and solves ridge regressions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LeastSquares.h"

#include "parablock/Judges/Reference/Matmul.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <cmath>

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

/// Returns the Cholesky factors of a Gram matrix.
static llvm::Expected<Eigen::LLT<Matrix>> factorise(const Matrix &gram) {
  Eigen::LLT<Matrix> factors(gram);
  if (factors.info() != Eigen::Success)
    return llvm::createStringError(
        "the Gram matrix of the features is not positive definite; a larger "
        "--ridge makes it so");
  return factors;
}

/// Returns the matrix of `rank` that is next to `weight`, as `gram = U^T U`
/// measures it: from the eigenvectors of the smaller side of `U weight`. No
/// vector is divided by a singular value, which may be nothing but rounding.
static llvm::Expected<Factorised> truncate(const Matrix &gram,
                                           const Matrix &weight, int64_t rank) {
  llvm::Expected<Eigen::LLT<Matrix>> factors = factorise(gram);
  if (!factors)
    return factors.takeError();
  Matrix scaled = factors->matrixU() * weight;
  bool isWide = scaled.cols() > scaled.rows();
  Eigen::SelfAdjointEigenSolver<Matrix> eigen(
      isWide ? Matrix(scaled * scaled.transpose())
             : Matrix(scaled.transpose() * scaled));
  Matrix found = eigen.eigenvectors().rightCols(rank);
  Matrix left, right;
  if (isWide) {
    left = found.transpose() * scaled;
    right = Matrix(factors->matrixU().solve(found)).transpose();
  } else {
    left = found.transpose();
    right = left * weight.transpose();
  }
  // Both factors get the same norms.
  for (int64_t i = 0; i < rank; ++i) {
    double leftNorm = left.row(i).norm(), rightNorm = right.row(i).norm();
    if (leftNorm == 0 || rightNorm == 0)
      continue;
    double root = std::sqrt(rightNorm / leftNorm);
    left.row(i) *= root;
    right.row(i) /= root;
  }
  return Factorised{0,
                    rank,
                    {left.data(), left.data() + left.size()},
                    {right.data(), right.data() + right.size()}};
}

/// Gives weights of the first features for some targets the rank of `lowRank`,
/// and the other features the weights that are best beside them. With `B1` of
/// the first features and `B2` of the others, the sum of squares is least at
/// the solution without a bound, and grows by `|S^1/2 (B1 - B1')|^2`, where S
/// is the Schur complement of the others' Gram matrix: so B1' is the truncated
/// decomposition of `S^1/2 B1`.
static llvm::Expected<Factorised>
reduceRank(const LowRank &lowRank, const Matrix &gram, Matrix &solution) {
  int64_t count = lowRank.numFeatures, others = gram.rows() - count;
  int64_t rank = std::min({lowRank.rank, count, lowRank.numTargets});
  Matrix weight =
      solution.block(0, lowRank.firstTarget, count, lowRank.numTargets);
  Matrix complement = gram.topLeftCorner(count, count), carried;
  if (others != 0) {
    llvm::Expected<Eigen::LLT<Matrix>> factors =
        factorise(gram.bottomRightCorner(others, others));
    if (!factors)
      return factors.takeError();
    carried = factors->solve(gram.bottomLeftCorner(others, count));
    complement -= gram.topRightCorner(count, others) * carried;
  }
  llvm::Expected<Factorised> made = truncate(complement, weight, rank);
  if (!made)
    return made;
  made->firstTarget = lowRank.firstTarget;
  Matrix reduced = ConstMap(made->right.data(), rank, count).transpose() *
                   ConstMap(made->left.data(), rank, lowRank.numTargets);
  if (others != 0)
    solution.block(count, lowRank.firstTarget, others, lowRank.numTargets) +=
        carried * (weight - reduced);
  solution.block(0, lowRank.firstTarget, count, lowRank.numTargets) = reduced;
  return made;
}

llvm::Expected<Fit> LeastSquares::solve(double relativeRidge, bool withBias,
                                        ArrayRef<LowRank> lowRank) const {
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
    llvm::Expected<Eigen::LLT<Matrix>> factors = factorise(regularised);
    if (!factors)
      return factors.takeError();
    double reciprocal = factors->rcond();
    fit.condition = reciprocal > 0 ? 1 / reciprocal : 0;
    Matrix solution = factors->solve(right);
    for (const LowRank &each : lowRank) {
      llvm::Expected<Factorised> made = reduceRank(each, regularised, solution);
      if (!made)
        return made.takeError();
      fit.factors.push_back(std::move(*made));
    }
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
