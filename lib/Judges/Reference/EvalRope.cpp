//===- EvalRope.cpp - evaluates rotations ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

/// Computes the cosines and sines of one position. A `table_type` is part of
/// the form: it rounds them in exact arithmetic too.
static void fillTable(block::RopeAttr form, double position,
                      std::vector<double> &cosines,
                      std::vector<double> &sines) {
  for (size_t pair = 0; pair < cosines.size(); ++pair) {
    double angle = position * form.getFrequency(pair);
    cosines[pair] = std::cos(angle) * form.getTableScaleValue();
    sines[pair] = std::sin(angle) * form.getTableScaleValue();
  }
  if (!form.getTableType())
    return;
  ElementType type = *getElementTypeOf(form.getTableType());
  roundTo(type, cosines);
  roundTo(type, sines);
}

/// Rotates the pairs at the front of one head, back where `sign` is -1.
static void rotateHead(block::RopeAttr form, double *head,
                       llvm::ArrayRef<double> cosines,
                       llvm::ArrayRef<double> sines, double sign) {
  bool half = form.getStyle() == block::RopeStyle::Half;
  int64_t pairs = cosines.size();
  for (int64_t pair = 0; pair < pairs; ++pair) {
    double &first = head[half ? pair : 2 * pair];
    double &second = head[half ? pair + pairs : 2 * pair + 1];
    double a = first, b = second;
    first = a * cosines[pair] - sign * b * sines[pair];
    second = b * cosines[pair] + sign * a * sines[pair];
  }
}

FailureOr<Tensor> reference::rotate(Evaluation &at, const Tensor &input,
                                    block::RopeAttr form, int64_t heads,
                                    llvm::ArrayRef<double> offsets,
                                    bool inverse, ElementType type) {
  int64_t width = input.shape[2], headSize = width / heads;
  int64_t pairs = form.getDim() / 2;
  if (failed(at.checkRoundsTo("table_type", form.getTableType())))
    return failure();
  if (input.data().empty())
    return at.wrap({}, input.shape, type);
  std::vector<double> result(input.data());
  std::vector<double> cosines(pairs), sines(pairs);
  auto rotateRows = [&](int64_t t, double offset, int64_t begin, int64_t end) {
    fillTable(form, std::max(offset + static_cast<double>(t), 0.0), cosines,
              sines);
    for (int64_t b = begin; b < end; ++b) {
      double *row = result.data() + (b * input.shape[1] + t) * width;
      for (int64_t head = 0; head < heads; ++head)
        rotateHead(form, row + head * headSize, cosines, sines,
                   inverse ? -1 : 1);
    }
  };
  for (int64_t t = 0; t < input.shape[1]; ++t) {
    if (offsets.size() == 1)
      rotateRows(t, offsets.front(), 0, input.shape[0]);
    else
      for (auto [b, offset] : llvm::enumerate(offsets))
        rotateRows(t, offset, b, b + 1);
  }
  return at.round(std::move(result), input.shape, type);
}

FailureOr<Tensor> reference::rotateByTables(Evaluation &at, const Tensor &input,
                                            const Tensor &cosines,
                                            const Tensor &sines,
                                            block::RopeStyle style, int64_t dim,
                                            int64_t heads, bool inverse,
                                            ElementType type) {
  int64_t batch = input.shape[0], tokens = input.shape[1];
  int64_t width = input.shape[2], headSize = width / heads, pairs = dim / 2;
  for (auto [name, table] :
       {std::pair("cosines", &cosines), std::pair("sines", &sines)})
    if (failed(at.checkSize(name, table, 1, tokens, "rows of the input")) ||
        (table->shape[0] != 1 &&
         failed(at.checkSize(name, table, 0, batch, "1, or batch"))))
      return failure();
  bool half = style == block::RopeStyle::Half;
  std::vector<double> result(input.data());
  for (int64_t row = 0; row < batch * tokens; ++row) {
    // A table of one column for each pair has one value for both elements.
    auto look = [&](const Tensor &table, int64_t element, int64_t pair) {
      int64_t columns = table.shape[2];
      int64_t tableRow = table.shape[0] == 1 ? row % tokens : row;
      return table
          .data()[tableRow * columns + (columns == pairs ? pair : element)];
    };
    for (int64_t head = 0; head < heads; ++head)
      for (int64_t pair = 0; pair < pairs; ++pair) {
        int64_t first = half ? pair : 2 * pair;
        int64_t second = half ? pair + pairs : 2 * pair + 1;
        double *x = result.data() + row * width + head * headSize;
        double a = x[first], b = x[second];
        double sineOfFirst = look(sines, first, pair);
        double sineOfSecond = look(sines, second, pair);
        // The transposed map has each sine in the other's row.
        if (inverse)
          std::tie(sineOfFirst, sineOfSecond) =
              std::pair(-sineOfSecond, -sineOfFirst);
        x[first] = a * look(cosines, first, pair) - b * sineOfFirst;
        x[second] = b * look(cosines, second, pair) + a * sineOfSecond;
      }
  }
  return at.round(std::move(result), input.shape, type);
}

static FailureOr<Tensor> evalRotate(block::RotateOp op, Evaluation &at) {
  return rotateByTables(at, at.get(op.getInput()), at.get(op.getCosines()),
                        at.get(op.getSines()), op.getStyle(), op.getDim(),
                        op.getHeads(), op.getInverse(), at.getResultType());
}

static FailureOr<Tensor> evalRope(block::RopeOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor *offset = at.getOptional(op.getOffset());
  if (offset && !offset->shape.empty() &&
      failed(at.checkSize("offset", *offset, 0, input.shape[0],
                          "one per batch row")))
    return failure();
  return rotate(at, input, op.getForm(), op.getHeads(),
                offset ? offset->data() : llvm::ArrayRef<double>(0.0),
                op.getInverse(), at.getResultType());
}

void reference::addRopeEvaluators(Registry &registry) {
  registry.add<block::RopeOp>(evalRope);
  registry.add<block::RotateOp>(evalRotate);
}
