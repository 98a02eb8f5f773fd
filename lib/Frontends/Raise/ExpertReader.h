//===- ExpertReader.h - reads a contraction as experts ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_EXPERTREADER_H
#define PARABLOCK_LIB_RAISE_EXPERTREADER_H

#include "ChosenRows.h"
#include "Contraction.h"
#include "DenseShares.h"
#include "ReadExperts.h"
#include "llvm/ADT/STLExtras.h"

namespace parablock::raise {

using Digits = llvm::SmallVector<unsigned>;

/// Reads one contraction.
class ExpertReader {
public:
  ExpertReader(Graph &graph, Contraction contraction)
      : graph(graph), sum(std::move(contraction)) {}
  std::optional<Experts> read();

private:
  bool sortFactors();
  void addDenseShares();
  bool alignAll();
  void sortDigits();
  bool checkDigits();
  void readOuter();
  bool readHidden();
  bool readDownBias();
  bool removeShares(Term &x, const Layout &sums);
  bool isZeroAtZero() const;
  bool weighInput();
  /// Rows and matrices that a projection multiplies, and their digits.
  struct Factors {
    Term rows, weight;
    /// Weights of the chosen experts that the rows were multiplied by.
    Term shares;
    /// The choice of the matrices if they are gathered.
    std::optional<ChosenRows> chosen;
    enum : unsigned { kSums, kRows, kWeight, kChoice, kParts };
    Aligned aligned;
    /// Digits of rows, of experts or slots, and of hidden values.
    Digits own[3];
    Digits summed;

    Layout select(unsigned layout,
                  std::initializer_list<llvm::ArrayRef<unsigned>>,
                  const Term &term) const;
  };
  std::optional<ExpertProjection> readProjection(const Term &term);
  std::optional<Factors> findFactors(const Contraction &product,
                                     const Term &term);
  bool sortDigits(Factors &factors);
  Term readStack(const Factors &factors);
  Term readBias(const Term &bias);
  std::optional<Layout> mark(unsigned part, const Layout &positions) const;

  bool reads(unsigned layout, llvm::ArrayRef<unsigned> digits) const {
    return llvm::any_of(
        digits, [&](unsigned d) { return aligned.strides[layout][d] != 0; });
  }
  bool readsOnly(unsigned layout, llvm::ArrayRef<unsigned> digits) const {
    for (unsigned d = 0; d < aligned.getNumDigits(); ++d)
      if (aligned.strides[layout][d] != 0 && !llvm::is_contained(digits, d))
        return false;
    return true;
  }
  bool readsAll(unsigned layout, llvm::ArrayRef<unsigned> digits) const {
    return llvm::all_of(
        digits, [&](unsigned d) { return aligned.strides[layout][d] != 0; });
  }
  Term select(const Term &term, unsigned layout,
              llvm::ArrayRef<unsigned> digits) {
    return {term.node, aligned.select(layout, digits, term.layout.getOffset())};
  }

  Graph &graph;
  Contraction sum;
  Term down, choice;
  ChosenNumber number;
  bool hasMask = false;
  /// Data beside the comparison; `isBiased` as in the contraction.
  llvm::SmallVector<Contraction::Factor> data;
  std::optional<ChosenRows> chosenBias;
  /// Dense shares that the rows are multiplied by, or null, and their values.
  const Node *rowShares = nullptr;
  std::optional<DenseShares> ofRows;
  Term rowValues;
  /// True where experts compute results of all rows, and add all of them.
  bool isOfAllRows = false;

  Aligned aligned;
  enum : unsigned { kSums, kDown, kChoice, kNumber, kBias, kBiasChoice, kData };
  Digits rows, columns, experts, slots, depth;
  /// Numbers of rows, of experts or slots, and of hidden values.
  int64_t sizes[3] = {1, 1, 1};
  Experts result;
};

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_EXPERTREADER_H
