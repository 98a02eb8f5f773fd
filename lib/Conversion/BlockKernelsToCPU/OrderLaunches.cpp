//===- OrderLaunches.cpp - searches orders of launches per layer ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Layers are ordered one by one, in windows of at most as many launches as a
// word has bits: tensors live before and after a window do not depend on the
// order within. The search extends partial orders of a window by smallest
// peak; only windows whose original order exceeds the overall peak are
// reordered.
//
//===----------------------------------------------------------------------===//

#include "OrderLaunches.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace parablock;

namespace {
/// Launches of a window, a bit for each.
using Mask = uint64_t;
constexpr size_t mostLaunches = 64;
/// The beginnings of orders that are followed.
constexpr size_t mostOrders = 64;

/// A tensor that is in the arena for a part of a window.
struct Held {
  uint64_t bytes = 0;
  Mask users = 0;
  bool isThereBefore = false, isThereAfter = false;
};

/// The beginning of an order.
struct Order {
  Mask done = 0;
  uint64_t peak = 0, now = 0;
  llvm::SmallVector<uint8_t, mostLaunches> launches;

  bool operator<(const Order &other) const {
    return std::tie(peak, now, launches) <
           std::tie(other.peak, other.now, other.launches);
  }
};

/// Launches of a layer that follow one another.
class Window {
public:
  Window(const CpuProgram &program, size_t begin, size_t end);

  /// Return the original order of the launches, and the best one found.
  Order keep() const;
  Order search() const;

private:
  size_t size() const { return end - begin; }
  llvm::ArrayRef<cpu::LaunchData> getLaunches() const {
    return llvm::ArrayRef(program.launches).slice(begin, size());
  }
  void findHeld();
  void findNeeds();
  bool mayWrite(const cpu::LaunchData &launch, int64_t read) const;
  Order start() const;
  void add(Order &order, size_t launch) const;

  const CpuProgram &program;
  size_t begin, end;
  /// Bytes of tensors that are in the arena before the window and used in it or
  /// after it.
  uint64_t before = 0;
  llvm::MapVector<int64_t, Held> held;
  /// Uses of these by each launch, and the launches that it stays behind.
  std::vector<llvm::SmallVector<const Held *, 8>> uses;
  std::vector<Mask> needs;
};
} // namespace

/// Returns whether a tensor is in the arena of a program that packs its
/// weights.
static bool isInArena(const CpuTensor &tensor) {
  return tensor.kind == cpu::TensorKind::Temporary ||
         tensor.kind == cpu::TensorKind::Packed;
}

Window::Window(const CpuProgram &program, size_t begin, size_t end)
    : program(program), begin(begin), end(end) {
  findHeld();
  findNeeds();
}

void Window::findHeld() {
  auto first = static_cast<int64_t>(begin), last = static_cast<int64_t>(end);
  for (const CpuTensor &tensor : program.tensors)
    if (isInArena(tensor) && tensor.firstUse < first && tensor.lastUse >= first)
      before += tensor.getBytes({});
  for (auto [number, launch] : llvm::enumerate(getLaunches()))
    for (int64_t index : launch.tensors) {
      const CpuTensor &tensor = program.tensors[index];
      if (!isInArena(tensor))
        continue;
      Held &own = held[index];
      own.bytes = tensor.getBytes({});
      own.users |= Mask(1) << number;
      own.isThereBefore = tensor.firstUse < first;
      own.isThereAfter = tensor.lastUse >= last;
    }
  uses.resize(size());
  for (const auto &[index, own] : held)
    for (size_t launch = 0; launch < size(); ++launch)
      if (own.users >> launch & 1)
        uses[launch].push_back(&own);
}

/// Returns whether `launch` may write the memory of a tensor that it reads:
/// that of a cache belongs to the caller, and may be shared with a result.
bool Window::mayWrite(const cpu::LaunchData &launch, int64_t read) const {
  const CpuTensor &input = program.tensors[read];
  return input.kind == cpu::TensorKind::Input &&
         llvm::any_of(
             llvm::ArrayRef(launch.tensors).take_back(launch.numResults),
             [&](int64_t written) {
               const CpuTensor &result = program.tensors[written];
               return result.kind == cpu::TensorKind::Result &&
                      result.type == input.type &&
                      result.getBytes({}) == input.getBytes({});
             });
}

/// A launch stays after launches that write its tensors or use tensors that it
/// writes.
void Window::findNeeds() {
  llvm::DenseMap<int64_t, std::pair<Mask, Mask>> earlier;
  for (auto [number, launch] : llvm::enumerate(getLaunches())) {
    Mask own = Mask(1) << number, &need = needs.emplace_back(0);
    size_t numRead = launch.tensors.size() - launch.numResults;
    for (auto [place, tensor] : llvm::enumerate(launch.tensors)) {
      auto &[readers, writers] = earlier[tensor];
      bool writes = place >= numRead || mayWrite(launch, tensor);
      need |= writers | (writes ? readers : 0);
      (writes ? writers : readers) |= own;
    }
    need &= ~own;
  }
}

void Window::add(Order &order, size_t launch) const {
  for (const Held *own : uses[launch])
    if (!own->isThereBefore && !(own->users & order.done))
      order.now += own->bytes;
  order.peak = std::max(order.peak, order.now);
  order.done |= Mask(1) << launch;
  for (const Held *own : uses[launch])
    if (!own->isThereAfter && !(own->users & ~order.done))
      order.now -= own->bytes;
  order.launches.push_back(launch);
}

Order Window::start() const {
  Order order;
  order.now = order.peak = before;
  return order;
}

Order Window::keep() const {
  Order order = start();
  for (size_t launch = 0; launch < size(); ++launch)
    add(order, launch);
  return order;
}

Order Window::search() const {
  std::vector<Order> orders = {start()};
  for (size_t i = 0; i < size(); ++i) {
    std::vector<Order> longer;
    for (const Order &order : orders)
      for (size_t launch = 0; launch < size(); ++launch)
        if (!(order.done >> launch & 1) && !(needs[launch] & ~order.done))
          add(longer.emplace_back(order), launch);
    llvm::sort(longer);
    // The order in which the same launches were reached no longer matters.
    std::set<Mask> seen;
    orders.clear();
    for (Order &order : longer)
      if (orders.size() < mostOrders && seen.insert(order.done).second)
        orders.push_back(std::move(order));
  }
  return std::move(orders.front());
}

namespace {
/// Orders of the window that begins there.
struct Found {
  size_t begin;
  Order own, best;
};
} // namespace

static std::vector<Found> searchWindows(const CpuProgram &program) {
  std::vector<Found> all;
  for (size_t begin = 0, end = 0; begin < program.launches.size();
       begin = end) {
    while (end < program.launches.size() && end - begin < mostLaunches &&
           program.layers[end] == program.layers[begin])
      ++end;
    Window window(program, begin, end);
    all.push_back({begin, window.keep(), window.search()});
  }
  return all;
}

/// Permutes an array of a window's launches into the order found.
template <typename T>
static void apply(const Found &found, std::vector<T> &all) {
  std::vector<T> ordered;
  for (uint8_t launch : found.best.launches)
    ordered.push_back(std::move(all[found.begin + launch]));
  llvm::move(ordered, all.begin() + found.begin);
}

void cpugen::orderLaunches(CpuProgram &program) {
  if (!program.symbols.empty())
    return;
  std::vector<Found> all = searchWindows(program);
  uint64_t least = 0;
  for (const Found &found : all)
    least = std::max(least, found.best.peak);
  for (const Found &found : all)
    if (found.own.peak > least) {
      apply(found, program.launches);
      apply(found, program.parts);
    }
}
