//===- DivideRows.cpp - searches ranges of launches to divide -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Divides the launches of a layer, in order, into ranges: among all divisions
// with the smallest peak of the layer, one with the fewest launches. Sums over
// rows continue in the order of the rows, and groups that sums or products
// process together start at multiples of `kPartRows`, so results do not depend
// on the division.
//
//===----------------------------------------------------------------------===//

#include "DivideRows.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace parablock;
using namespace parablock::cpugen;

namespace {
/// Maximum number of parts of a range.
constexpr int64_t mostTimes = 8;

/// Consecutive launches that process some rows at a time: all of them the first
/// rows, then all of them the next.
struct DividedLaunches {
  std::vector<cpu::LaunchData> launches;
  std::vector<CpuParts> parts;
  /// Start of each part, and the end of the last one: in sequences if
  /// `bySequence`, else in rows.
  std::vector<int64_t> bounds;
  bool bySequence = false;
  /// Tensors used only within the range, with memory for the current rows only.
  std::vector<int64_t> inner;
};

/// Launches [begin, end) that are divided, or a single one that is not.
class RowRange {
public:
  RowRange(const CpuProgram &program, int32_t workers, size_t begin)
      : program(program), workers(workers), begin(begin), end(begin) {}

  /// Adds the next launch, which may be the first. Returns false, permanently,
  /// if it cannot be divided together with the previous ones.
  bool grow();
  /// Decides how rows are divided; false where they are too few.
  bool divide();
  DividedLaunches make() const;
  /// Returns whether a tensor is used in the range alone, and row by row.
  bool isInner(int64_t tensor) const;
  /// The bytes that a tensor takes while the range runs.
  uint64_t countBytes(int64_t tensor) const;
  size_t size() const { return end - begin; }
  size_t countLaunches() const { return size() * (bounds.size() - 1); }

private:
  struct Use {
    bool byRows = true, isWritten = false;
    unsigned count = 0;
  };

  bool takeSizes(const cpu::LaunchData &launch, const CpuParts &parts);
  bool takeTensors(const cpu::LaunchData &launch, const CpuParts &parts);

  const CpuProgram &program;
  int32_t workers;
  size_t begin, end;
  llvm::MapVector<int64_t, Use> uses;
  int64_t batch = 0, sequence = 0;
  bool bySequence = false, knowsSequence = false;
  /// The sequences that attention has items enough with.
  int64_t leastSequences = 1;
  std::vector<int64_t> bounds;
};
} // namespace

static int64_t getNumber(const cpu::ExtentData &extent) {
  return extent.evaluate({});
}

static bool isResult(const cpu::LaunchData &launch, size_t place) {
  return static_cast<int64_t>(place) + launch.numResults >=
         static_cast<int64_t>(launch.tensors.size());
}

/// Returns the row sizes of a launch's items; none if its items are not
/// rows.
static llvm::ArrayRef<cpu::ExtentData> getItems(const cpu::LaunchData &launch) {
  return launch.work.outer.empty() ? launch.work.inner : launch.work.outer;
}

bool RowRange::takeSizes(const cpu::LaunchData &launch, const CpuParts &parts) {
  int64_t ownBatch = getNumber(launch.dims[0]),
          ownSequence = getNumber(launch.dims[1]);
  llvm::ArrayRef<cpu::ExtentData> items = getItems(launch);
  if (ownBatch < 1 || ownSequence < 1 || (begin != end && ownBatch != batch) ||
      (!items.empty() && getNumber(items[0]) != ownBatch))
    return false;
  batch = ownBatch;
  if (parts.bySequence) {
    bySequence = true;
    int64_t each = launch.work.evaluate({}) / batch;
    leastSequences = std::max<int64_t>(
        leastSequences, llvm::divideCeil(workers, std::max<int64_t>(each, 1)));
    if (!knowsSequence)
      sequence = ownSequence;
    return true;
  }
  if (knowsSequence && ownSequence != sequence)
    return false;
  sequence = ownSequence;
  knowsSequence = true;
  return items.empty() || (launch.work.outer.empty() && items.size() == 2 &&
                           getNumber(items[1]) == ownSequence);
}

/// Adds the tensors of a launch: a tensor that it writes must exist for all
/// rows if a launch outside the range uses it.
bool RowRange::takeTensors(const cpu::LaunchData &launch,
                           const CpuParts &parts) {
  for (auto [place, tensor] : llvm::enumerate(launch.tensors)) {
    Use &use = uses[tensor];
    use.byRows &= llvm::is_contained(parts.rows, static_cast<int64_t>(place));
    use.isWritten |= isResult(launch, place);
    ++use.count;
    if (use.isWritten && !use.byRows && use.count > 1)
      return false;
  }
  return true;
}

bool RowRange::grow() {
  const cpu::LaunchData &launch = program.launches[end];
  const CpuParts &parts = program.parts[end];
  if (parts.rows.empty() || !takeSizes(launch, parts) ||
      !takeTensors(launch, parts))
    return false;
  ++end;
  return true;
}

bool RowRange::divide() {
  if (size() == 0)
    return false;
  int64_t unitRows = bySequence ? sequence : 1;
  int64_t units = bySequence ? batch : batch * sequence;
  int64_t step = kPartRows / std::gcd(kPartRows, unitRows);
  int64_t part = std::max<int64_t>(llvm::divideCeil(units, mostTimes),
                                   bySequence ? leastSequences : 1);
  part = llvm::alignTo(part, step);
  int64_t times = units / part;
  bounds.clear();
  if (times < 2)
    return false;
  for (int64_t time = 0; time < times; ++time)
    bounds.push_back(time * part);
  // The last one is the largest: few rows alone are not worth a call.
  bounds.push_back(units);
  return true;
}

bool RowRange::isInner(int64_t number) const {
  const CpuTensor &tensor = program.tensors[number];
  auto use = uses.find(number);
  return !bounds.empty() && tensor.kind == cpu::TensorKind::Temporary &&
         use != uses.end() && use->second.byRows &&
         tensor.firstUse >= static_cast<int64_t>(begin) &&
         tensor.lastUse < static_cast<int64_t>(end);
}

uint64_t RowRange::countBytes(int64_t number) const {
  uint64_t bytes = program.tensors[number].getBytes({});
  if (!isInner(number))
    return bytes;
  return bytes / bounds.back() * (bounds.back() - *(bounds.end() - 2));
}

DividedLaunches RowRange::make() const {
  DividedLaunches made;
  made.launches.assign(program.launches.begin() + begin,
                       program.launches.begin() + end);
  made.parts.assign(program.parts.begin() + begin, program.parts.begin() + end);
  made.bounds = bounds;
  made.bySequence = bySequence;
  for (const auto &[tensor, use] : uses)
    if (isInner(tensor))
      made.inner.push_back(tensor);
  return made;
}

namespace {
/// The ways to divide the launches of a layer.
class LayerDivision {
public:
  LayerDivision(const CpuProgram &program, int32_t workers, size_t begin,
                size_t end);

  /// The least peak of all ways.
  uint64_t findLeast() const;
  /// Returns the ends of the ranges with the fewest launches whose peak is at
  /// most `limit`.
  std::vector<size_t> choose(uint64_t limit) const;

  size_t begin, end;

private:
  struct Choice {
    size_t end;
    uint64_t peak;
    size_t launches;
  };

  uint64_t findPeak(const RowRange &range, size_t from, size_t to) const;

  const CpuProgram &program;
  /// Tensors that are in the arena at some time.
  std::vector<int64_t> held;
  /// The ranges that begin with each launch.
  std::vector<std::vector<Choice>> choices;
};
} // namespace

LayerDivision::LayerDivision(const CpuProgram &program, int32_t workers,
                             size_t begin, size_t end)
    : begin(begin), end(end), program(program) {
  for (auto [number, tensor] : llvm::enumerate(program.tensors))
    if ((tensor.kind == cpu::TensorKind::Temporary ||
         tensor.kind == cpu::TensorKind::Packed) &&
        tensor.firstUse < static_cast<int64_t>(end) &&
        tensor.lastUse >= static_cast<int64_t>(begin))
      held.push_back(static_cast<int64_t>(number));
  for (size_t first = begin; first < end; ++first) {
    std::vector<Choice> &own = choices.emplace_back();
    RowRange alone(program, workers, first);
    own.push_back({first + 1, findPeak(alone, first, first + 1), 1});
    RowRange range(program, workers, first);
    for (size_t last = first; last < end && range.grow(); ++last)
      if (last > first && range.divide())
        own.push_back({last + 1, findPeak(range, first, last + 1),
                       range.countLaunches()});
  }
}

uint64_t LayerDivision::findPeak(const RowRange &range, size_t from,
                                 size_t to) const {
  uint64_t bytes = 0;
  for (int64_t tensor : held)
    if (program.tensors[tensor].firstUse < static_cast<int64_t>(to) &&
        program.tensors[tensor].lastUse >= static_cast<int64_t>(from))
      bytes += range.countBytes(tensor);
  return bytes;
}

uint64_t LayerDivision::findLeast() const {
  std::vector<uint64_t> least(choices.size() + 1, UINT64_MAX);
  least.front() = 0;
  for (size_t i = 0; i < choices.size(); ++i)
    for (const Choice &choice : choices[i]) {
      uint64_t &known = least[choice.end - begin];
      known = std::min(known, std::max(least[i], choice.peak));
    }
  return least.back();
}

std::vector<size_t> LayerDivision::choose(uint64_t limit) const {
  std::vector<size_t> fewest(choices.size() + 1, SIZE_MAX),
      from(choices.size() + 1);
  fewest.front() = 0;
  for (size_t i = 0; i < choices.size(); ++i)
    for (const Choice &choice : choices[i]) {
      size_t to = choice.end - begin;
      if (fewest[i] == SIZE_MAX || choice.peak > limit ||
          fewest[i] + choice.launches >= fewest[to])
        continue;
      fewest[to] = fewest[i] + choice.launches;
      from[to] = i;
    }
  std::vector<size_t> ends;
  for (size_t at = choices.size(); at != 0; at = from[at])
    ends.push_back(begin + at);
  std::reverse(ends.begin(), ends.end());
  return ends;
}

/// Leaves room in `tensor` for as many of its `units` parts.
static void shrink(CpuTensor &tensor, int64_t units, int64_t room) {
  auto elements =
      static_cast<int64_t>(tensor.getBytes({})) / tensor.elementBytes / units;
  tensor.shape = {{room, -1}, {elements, -1}};
}

/// The part of a launch that one time of `divided` is.
static cpu::LaunchData makePart(const CpuProgram &program,
                                const DividedLaunches &divided, size_t number,
                                size_t time) {
  cpu::LaunchData launch = divided.launches[number];
  const CpuParts &parts = divided.parts[number];
  int64_t first = divided.bounds[time], all = divided.bounds.back();
  cpu::ExtentData count = {divided.bounds[time + 1] - first, -1};
  std::vector<cpu::ExtentData> &items =
      launch.work.outer.empty() ? launch.work.inner : launch.work.outer;
  if (!divided.bySequence) {
    launch.dims[0] = {1, -1};
    launch.dims[1] = count;
    if (!items.empty())
      items = {{1, -1}, count};
  } else {
    launch.dims[0] = count;
    if (!items.empty())
      items[0] = count;
  }
  bool sums = false;
  for (auto [place, tensor] : llvm::enumerate(launch.tensors)) {
    bool byRows = llvm::is_contained(parts.rows, static_cast<int64_t>(place));
    sums |= !byRows && isResult(launch, place);
    int64_t offset = 0;
    if (byRows && !llvm::is_contained(divided.inner, tensor))
      offset = static_cast<int64_t>(program.tensors[tensor].getBytes({})) /
               all * first;
    launch.offsets.push_back(offset);
  }
  if (sums)
    launch.dims.back() = {time != 0, -1};
  return launch;
}

void cpugen::divideRows(CpuProgram &program, int32_t workers) {
  if (!program.symbols.empty())
    return;
  std::vector<LayerDivision> layers;
  uint64_t least = 0;
  for (size_t begin = 0, end = 0; begin < program.launches.size();
       begin = end) {
    while (end < program.launches.size() &&
           program.layers[end] == program.layers[begin])
      ++end;
    layers.emplace_back(program, workers, begin, end);
    least = std::max(least, layers.back().findLeast());
  }
  std::vector<DividedLaunches> divided;
  std::vector<cpu::LaunchData> launches;
  std::vector<int64_t> layerOf;
  for (const LayerDivision &layer : layers) {
    size_t first = layer.begin;
    for (size_t end : layer.choose(least)) {
      RowRange range(program, workers, first);
      while (end > first + 1 && range.size() < end - first)
        range.grow();
      if (range.divide())
        divided.push_back(range.make());
      if (range.size() == 0)
        launches.push_back(program.launches[first]);
      else
        for (size_t time = 0; time + 1 < divided.back().bounds.size(); ++time)
          for (size_t number = 0; number < range.size(); ++number)
            launches.push_back(makePart(program, divided.back(), number, time));
      layerOf.resize(launches.size(), program.layers[first]);
      first = end;
    }
  }
  for (const DividedLaunches &own : divided)
    for (int64_t tensor : own.inner)
      shrink(program.tensors[tensor], own.bounds.back(),
             own.bounds.back() - *(own.bounds.end() - 2));
  program.launches = std::move(launches);
  program.layers = std::move(layerOf);
  program.parts.clear();
}
