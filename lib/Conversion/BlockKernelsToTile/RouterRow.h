//===- RouterRow.h - scores of a router's row -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ROUTERROW_H
#define PARABLOCK_LIB_CONVERSION_ROUTERROW_H

#include "TileCode.h"

namespace parablock {

/// Numbers of a row of a router in the memory of its warp.
class RouterRow {
public:
  RouterRow(block::RoutingAttr form, int64_t experts)
      : form(form), experts(experts), slots(form.getChosen()) {}

protected:
  using Element = TileCode::Element;

  mlir::Value load(TileCode code, int64_t first, mlir::Value at) {
    return code.load(memory, code.index(0),
                     code.addIndex(at, code.index(first)));
  }
  void store(TileCode code, mlir::Value value, int64_t first, mlir::Value at) {
    code.store(value, memory, code.index(0),
               code.addIndex(at, code.index(first)));
  }
  /// Stores `count` numbers from `first` on, one a lane.
  void fill(TileCode code, int64_t first, int64_t count, Element element);
  mlir::Value reduce(TileCode code, tile::Reduction kind, int64_t count,
                     Element element) {
    return code.reduce(kind, code.index(0), code.index(count), element);
  }
  mlir::Value sumNumbers(TileCode code, int64_t first, int64_t count) {
    return reduce(
        code, tile::Reduction::Add, count,
        [&](TileCode each, mlir::Value at) { return load(each, first, at); });
  }
  /// Replaces numbers by their softmax.
  void fillSoftmax(TileCode code, int64_t from, int64_t to, int64_t count);
  /// Writes scaled logits, and scores of these.
  void fillScores(TileCode code, mlir::Value logits, mlir::Value row,
                  int64_t scaled, int64_t scores);
  /// Returns what step 5 makes of a score or scaled logit, before a softmax.
  mlir::Value createWeight(TileCode code, int64_t scaled, int64_t scores,
                           mlir::Value expert);
  /// Replaces weights of the chosen by their softmax where they have one, and
  /// returns their sum and what divides them; none if nothing does.
  std::pair<mlir::Value, mlir::Value> finishWeights(TileCode code,
                                                    int64_t first);

  block::RoutingAttr form;
  int64_t experts, slots;
  mlir::Value memory;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ROUTERROW_H
