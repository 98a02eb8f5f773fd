//===- ImportTensor.cpp - imports tensor ops as layouts -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Group.h"
#include "Importer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock::raise;

Term parablock::raise::readSlice(Graph &graph, const Term &source,
                                 ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> offsets,
                                 ArrayRef<int64_t> sizes,
                                 ArrayRef<int64_t> strides) {
  SmallVector<int64_t> places = getPlaces(shape);
  SmallVector<Digit> digits;
  int64_t offset = 0;
  for (auto [place, first, size, stride] :
       llvm::zip(places, offsets, sizes, strides)) {
    digits.push_back({size, stride * place});
    offset += first * place;
  }
  return graph.read(source, Layout(digits, offset));
}

Term parablock::raise::concatenate(Importer &importer, ValueRange parts,
                                   int64_t axis) {
  SmallVector<Term> terms;
  SmallVector<int64_t> sizes;
  ArrayRef<int64_t> shape = getShape(parts.front());
  int64_t outer = 1, inner = 1;
  for (auto [d, extent] : llvm::enumerate(shape))
    (static_cast<int64_t>(d) < axis ? outer : inner) *=
        static_cast<int64_t>(d) == axis ? 1 : extent;
  for (Value part : parts) {
    terms.push_back(importer.get(part));
    if (!terms.back())
      return {};
    sizes.push_back(getShape(part)[axis]);
  }
  return importer.graph.concat(terms, outer, sizes, inner);
}

Value parablock::raise::stripBounds(Value index, int64_t last) {
  auto strip = [](Operation *op, int64_t bound) -> Value {
    for (unsigned k = 0; op && k < 2; ++k)
      if (getConstantIntValue(op->getOperand(k)) == bound)
        return op->getOperand(1 - k);
    return {};
  };
  Value inner = strip(index.getDefiningOp<arith::MinSIOp>(), last);
  Value given =
      inner ? strip(inner.getDefiningOp<arith::MaxSIOp>(), 0) : Value();
  return given ? given : index;
}

/// A slice at a place that is computed, along one dimension behind the first.
static Term updateRows(Importer &importer, tensor::InsertSliceOp insert) {
  Graph &graph = importer.graph;
  ArrayRef<int64_t> shape = getShape(insert.getDest());
  ArrayRef<int64_t> offsets = insert.getStaticOffsets();
  ArrayRef<int64_t> sizes = insert.getStaticSizes();
  if (insert.getOffsets().size() != 1)
    return {};
  int64_t axis = llvm::find(offsets, ShapedType::kDynamic) - offsets.begin();
  for (auto [d, extent] : llvm::enumerate(shape))
    if (static_cast<int64_t>(d) != axis &&
        (offsets[d] != 0 || sizes[d] != extent))
      return {};
  Term start = importer.get(
      stripBounds(insert.getOffsets()[0], shape[axis] - sizes[axis]));
  if (axis == 0 || !start)
    return {};
  // Behind the first dimension come rows.
  SmallVector<int64_t> order = {0, axis};
  for (int64_t d = 1, rank = shape.size(); d < rank; ++d)
    if (d != axis)
      order.push_back(d);
  auto inRows = [&](Value value) {
    Term term = importer.get(value);
    return graph.read(term, getTransposition(getShape(value), order));
  };
  Node update;
  update.op = Kind::Update;
  update.size = insert.getDestType().getNumElements();
  update.extents = {shape[0], shape[axis], sizes[axis]};
  update.width = update.size / (shape[0] * shape[axis]);
  update.operands = {inRows(insert.getDest()), inRows(insert.getSource()),
                     stripWrap(graph, start)};
  if (!update.operands[0] || !update.operands[1])
    return {};
  std::optional<Layout> back = invert(getTransposition(shape, order));
  return back ? graph.read(graph.make(update), *back) : Term();
}

/// A slice that spans all dimensions but one is a part of a concatenation.
static Term insertSlice(Importer &importer, tensor::InsertSliceOp insert) {
  Graph &graph = importer.graph;
  ArrayRef<int64_t> shape = getShape(insert.getDest());
  Term source = importer.get(insert.getSource());
  Term dest = importer.get(insert.getDest());
  ArrayRef<int64_t> offsets = insert.getStaticOffsets();
  ArrayRef<int64_t> sizes = insert.getStaticSizes();
  if (!source || !dest || !insert.getSizes().empty() ||
      llvm::any_of(insert.getStaticStrides(), [](int64_t s) { return s != 1; }))
    return {};
  if (!insert.getOffsets().empty())
    return updateRows(importer, insert);
  std::optional<unsigned> axis;
  for (unsigned d = 0; d < shape.size(); ++d)
    if (sizes[d] != shape[d]) {
      if (axis)
        return {};
      axis = d;
    }
  if (!axis)
    return source;
  int64_t outer = 1, inner = 1;
  for (unsigned d = 0; d < shape.size(); ++d)
    (d < *axis ? outer : inner) *= d == *axis ? 1 : shape[d];
  int64_t begin = offsets[*axis], end = begin + sizes[*axis];
  auto keep = [&](int64_t first, int64_t size) {
    SmallVector<int64_t> from(shape.size(), 0), count(shape);
    from[*axis] = first;
    count[*axis] = size;
    return size == 0 ? dest
                     : readSlice(graph, dest, shape, from, count,
                                 SmallVector<int64_t>(shape.size(), 1));
  };
  Term before = keep(0, begin), after = keep(end, shape[*axis] - end);
  if (!before || !after)
    return {};
  return graph.concat({before, source, after}, outer,
                      {begin, sizes[*axis], shape[*axis] - end}, inner);
}

/// Rows of a table along the one dimension whose index is of data: dimensions
/// in front of it choose rows, too, and those behind it are read whole.
static Term readRows(Graph &graph, const Term &table, ArrayRef<int64_t> shape,
                     ArrayRef<Term> coordinates) {
  SmallVector<int64_t> places = getPlaces(shape);
  std::optional<unsigned> axis;
  SmallVector<std::optional<Layout>> layouts;
  for (auto [d, index] : llvm::enumerate(coordinates)) {
    layouts.push_back(getIndexLayout(index));
    if (layouts.back())
      continue;
    if (axis)
      return {};
    axis = d;
  }
  if (!axis)
    return {};
  Term chosen = coordinates[*axis];
  int64_t width = places[*axis];
  SmallVector<Layout> all = {chosen.layout};
  for (unsigned d = 0; d < layouts.size(); ++d)
    if (d != *axis)
      all.push_back(*layouts[d]);
  std::optional<Aligned> aligned = align(all);
  if (!aligned)
    return {};
  // Each digit is of rows or of columns; repetitions are of neither.
  SmallVector<unsigned> rows, columns;
  SmallVector<Digit> before, within, back(aligned->getNumDigits());
  int64_t firstRow = 0, firstColumn = 0;
  for (unsigned d = 0, next = 1; d < layouts.size(); ++d)
    if (d != *axis)
      (d < *axis ? firstRow : firstColumn) +=
          all[next++].getOffset() * (d < *axis ? places[d] / width : places[d]);
  for (unsigned digit = 0; digit < aligned->getNumDigits(); ++digit) {
    int64_t row = 0, column = 0;
    for (unsigned d = 0, next = 1; d < layouts.size(); ++d)
      if (d != *axis) {
        int64_t stride = aligned->strides[next++][digit];
        (d < *axis ? row : column) +=
            stride * (d < *axis ? places[d] / width : places[d]);
      }
    bool isOfRow = aligned->strides[0][digit] != 0 || row != 0;
    if (isOfRow && column != 0)
      return {};
    int64_t extent = aligned->extents[digit];
    back[digit] = {extent, column};
    if (isOfRow) {
      rows.push_back(digit);
      before.push_back({extent, row});
    } else if (column != 0) {
      columns.push_back(digit);
      within.push_back({extent, column});
    }
  }
  llvm::stable_sort(within,
                    [](Digit a, Digit b) { return a.stride > b.stride; });
  if (firstColumn != 0 || Layout(within) != Layout::identity(width))
    return {};
  int64_t below = width;
  for (unsigned digit : llvm::reverse(rows)) {
    back[digit].stride = below;
    below *= aligned->extents[digit];
  }
  Term ids = {chosen.node, aligned->select(0, rows, chosen.layout.getOffset())};
  Layout fixed(before, firstRow);
  if (!fixed.isBroadcast() || fixed.getOffset() != 0)
    ids = graph.add(ids, graph.iota(fixed));
  return graph.read(graph.gather(table, ids, width), Layout(back));
}

Term parablock::raise::readElements(Graph &graph, const Term &table,
                                    ArrayRef<int64_t> shape,
                                    ArrayRef<Term> coordinates) {
  SmallVector<int64_t> places = getPlaces(shape);
  if (coordinates.empty())
    return table;
  // Every index a layout: so is the whole.
  SmallVector<Layout> layouts;
  for (const Term &index : coordinates)
    if (std::optional<Layout> layout = getIndexLayout(index))
      layouts.push_back(*layout);
  std::optional<Aligned> aligned;
  if (layouts.size() == coordinates.size() && (aligned = align(layouts))) {
    SmallVector<Digit> digits;
    int64_t offset = 0;
    for (unsigned d = 0; d < aligned->getNumDigits(); ++d) {
      int64_t stride = 0;
      for (unsigned k = 0; k < layouts.size(); ++k)
        stride += aligned->strides[k][d] * places[k];
      digits.push_back({aligned->extents[d], stride});
    }
    for (auto [layout, place] : llvm::zip(layouts, places))
      offset += layout.getOffset() * place;
    return graph.read(table, Layout(digits, offset));
  }
  return readRows(graph, table, shape, coordinates);
}

Term parablock::raise::importTensor(Importer &importer, Operation *op) {
  Graph &graph = importer.graph;
  auto get = [&](Value value) { return importer.get(value); };
  auto getStatic = [](ArrayRef<int64_t> numbers) {
    return llvm::none_of(numbers, ShapedType::isDynamic);
  };
  return TypeSwitch<Operation *, Term>(op)
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
            tensor::ReshapeOp>([&](auto) { return get(op->getOperand(0)); })
      .Case([&](tensor::ExtractSliceOp slice) -> Term {
        Term source = get(slice.getSource());
        if (!source || !getStatic(slice.getStaticOffsets()) ||
            !getStatic(slice.getStaticSizes()) ||
            !getStatic(slice.getStaticStrides()))
          return {};
        return readSlice(graph, source, getShape(slice.getSource()),
                         slice.getStaticOffsets(), slice.getStaticSizes(),
                         slice.getStaticStrides());
      })
      .Case([&](tensor::InsertSliceOp insert) {
        return insertSlice(importer, insert);
      })
      .Case([&](tensor::ConcatOp concat) {
        return concatenate(importer, concat.getInputs(), concat.getDim());
      })
      .Case([&](tensor::SplatOp splat) -> Term {
        Term number = get(splat.getInput());
        auto type = cast<RankedTensorType>(splat.getType());
        if (!number)
          return {};
        return graph.read(number, Layout::broadcast(type.getNumElements()));
      })
      .Case([&](tensor::ExtractOp extracted) -> Term {
        SmallVector<Term> indices;
        for (Value index : extracted.getIndices())
          indices.push_back(get(index));
        Term table = get(extracted.getTensor());
        if (!table ||
            !llvm::all_of(indices, [](const Term &term) { return bool(term); }))
          return {};
        return readElements(graph, table, getShape(extracted.getTensor()),
                            indices);
      })
      .Default([](Operation *) { return Term(); });
}
