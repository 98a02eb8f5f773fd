//===- GemmLayout.cpp - chooses tiles and panel layouts -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GemmKernel.h"

#include "parablock/Dialect/Block/ElementTypes.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Rows of a block: their inputs stay in the cache while all weights pass by.
static constexpr int64_t kBlockRows = 96;

/// Rows of a block that begins with decoding codes, which takes as long as four
/// of its rows: with larger blocks, threads get too few. Rows of pairs take
/// half the room.
static constexpr int64_t kCodeBlockRows = 192;

/// Rows of a block if a tile is whole rows, and only blocks give threads work.
static constexpr int64_t kFewBlockRows = 24;

/// Tiles are not widened beyond this only to fill their panels.
static constexpr int64_t kMostColumns = 768;

/// A multiple of `granule`, as few columns as waste little of their panels.
static int64_t chooseColumns(int64_t granule, int64_t width,
                             int64_t panelColumns) {
  if (panelColumns % granule == 0)
    return std::min(panelColumns, width);
  auto getWaste = [&](int64_t columns) {
    return static_cast<double>(llvm::alignTo(columns, panelColumns)) /
           static_cast<double>(columns);
  };
  int64_t most = std::max(granule, std::min(kMostColumns, width));
  double least = getWaste(granule);
  for (int64_t columns = granule; columns <= most; columns += granule)
    least = std::min(least, getWaste(columns));
  int64_t columns = granule;
  while (getWaste(columns) > least + 0.05)
    columns += granule;
  return std::min(columns, width);
}

GemmLayout cpugen::chooseLayout(const GemmPlan &plan, const CpuTarget &target) {
  GemmLayout layout;
  layout.shape = target.processorClass->gemm;
  layout.path = target.choosePath(
      *getElementTypeOf(plan.elementType),
      llvm::map_to_vector(
          plan.sources, [](const GemmSource &source) { return source.depth; }));
  layout.inPairs = layout.path != CpuPath::Fma;
  bool isEven = llvm::all_of(plan.sources, [](const GemmSource &source) {
    return source.depth % 2 == 0;
  });
  layout.together =
      layout.inPairs || (plan.elementType.isBF16() && isEven) ? 2 : 1;
  int64_t panelColumns = layout.getPanelColumns(target.getLanes());
  int64_t numPanels = 0;
  for (const GemmGroup &group : plan.groups) {
    int64_t pieces = group.segments.size();
    GemmTiles tiles;
    tiles.columns = chooseColumns(group.granule, group.width, panelColumns);
    tiles.count = llvm::divideCeil(group.width, tiles.columns);
    int64_t last = group.width - (tiles.count - 1) * tiles.columns;
    tiles.panels = llvm::divideCeil(tiles.columns, panelColumns);
    tiles.lastPanels = llvm::divideCeil(last, panelColumns);
    tiles.firstTile = layout.numTiles;
    tiles.firstPanel = numPanels;
    layout.numTiles += tiles.count;
    numPanels += pieces * ((tiles.count - 1) * tiles.panels + tiles.lastPanels);
    layout.bufferColumns =
        std::max(layout.bufferColumns, pieces * tiles.panels * panelColumns);
    layout.groups.push_back(tiles);
  }
  int64_t rows = layout.numTiles == 1                ? kFewBlockRows
                 : layout.inPairs && plan.hasCodes() ? kCodeBlockRows
                                                     : kBlockRows;
  layout.blockRows = llvm::alignTo(
      rows, std::max(layout.shape.rows, getInfo(layout.path).rows));
  return layout;
}

PanelLayout cpugen::getPanelLayout(const GemmPlan &plan,
                                   const GemmLayout &layout,
                                   const GemmSource &source, int64_t lanes) {
  PanelLayout result;
  result.columns = layout.getPanelColumns(lanes);
  result.depth = source.depth;
  result.together = layout.together;
  for (auto [group, tiles] : llvm::zip_equal(plan.groups, layout.groups))
    for (int64_t tile = 0; tile < tiles.count; ++tile) {
      int64_t begin = tile * tiles.columns;
      int64_t end = std::min(begin + tiles.columns, group.width);
      for (unsigned segment : group.segments)
        for (int64_t at = begin; at < end; at += result.columns)
          result.panels.push_back({plan.segments[segment].offset + at,
                                   std::min(result.columns, end - at)});
    }
  return result;
}
