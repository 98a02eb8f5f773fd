//===- CpuSuite.cpp - cases, floors and peers on CPUs ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ReadSpeed.h"
#include "Suites.h"
#include "parablock/Engines/CPUEngine/CpuEngine.h"
#include "parablock/Pipelines/BlockToCPU.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>
#include <map>
#include <thread>

using namespace bench;
using namespace parablock;
using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

Expected<std::unique_ptr<runner::Engine>>
bench::createHostEngine(const BenchOptions &options, SuiteResult &result) {
  Expected<CpuTarget> target = findCpuTarget(options.cpu);
  if (!target)
    return target.takeError();
  if (Error error = checkRunsHere(*target))
    return error;
  result.processorClass = target->getClassName();
  for (size_t path = 0; path < numCpuPaths; ++path)
    if (target->has(CpuPath(path)))
      result.rates[getInfo(CpuPath(path)).name] = target->rates[path];
  return createCpuEngine(*target, lowerToKernels);
}

namespace {
/// A type of weights, and of all else.
struct Column {
  llvm::StringRef name;
  generate::FloatKind dtype;
  /// Layers whose weights a token reads from memory: those of one layer, or
  /// codes of twelve, may fit a cache.
  int64_t memoryLayers;
  /// Codes as block-quantize names them.
  llvm::StringRef weights = "";
};

/// The best peer's time over ours, for a column and a range of tokens.
struct PeerFloor {
  llvm::StringRef column;
  int64_t leastTokens, mostTokens;
  /// Limits for processors with tile products of that type, and for others.
  double withTiles, without;
};

/// The time of bf16 over that of codes.
struct CodesFloor {
  llvm::StringRef column;
  int64_t tokens;
  double least;
};
} // namespace

static constexpr Column columns[] = {
    {"f32", generate::FloatKind::F32, 12},
    {"bf16", generate::FloatKind::BF16, 12},
    {"int8", generate::FloatKind::BF16, 24, "int8"},
    {"int4-g128", generate::FloatKind::BF16, 48, "int4-g128"}};

static constexpr PeerFloor peerFloors[] = {
    {"f32", 1, 1, 1.0, 1.0},      {"f32", 17, 17, 1.2, 1.2},
    {"f32", 512, 2048, 1.0, 1.0}, {"bf16", 1, 1, 1.3, 1.3},
    {"bf16", 17, 17, 1.0, 1.3},   {"bf16", 512, 2048, 1.0, 1.1},
    {"int8", 1, 17, 1.0, 1.0},    {"int4-g128", 1, 1, 1.0, 1.0}};

static constexpr CodesFloor codesFloors[] = {
    {"int8", 1, 1.7}, {"int8", 512, 1.0}, {"int8", 2048, 1.0}};

/// Minimum fraction of the memory's speed at which a token's weights are read.
static constexpr double leastMemoryShare = 0.9;

/// How often a token goes through them for each run of the slowest cell.
static constexpr unsigned memoryFactor = 20;

/// The tokens of cells, and how often these are run for each run of the
/// slowest: short ones have to find a quiet moment.
static constexpr std::pair<int64_t, unsigned> tokenCounts[] = {
    {1, 200}, {17, 20}, {512, 1}, {2048, 1}};

namespace {
/// The cells of the suite, and the values for floors.
class CpuSuite {
public:
  CpuSuite(mlir::MLIRContext &context, const BenchOptions &options,
           SuiteResult &result)
      : context(context), options(options), result(result) {}

  Error run();

private:
  Error measureTokens(const Column &column, int64_t tokens, unsigned repeat);
  Error measureCell(const Column &column, int64_t tokens, unsigned threads,
                    unsigned repeat, Model *serial, Model *parallel);
  /// Measures one token through all layers, next to a plain loop over as many
  /// bytes.
  Error measureMemory(const Column &column, unsigned repeat);
  /// Adds to `report` the fraction of the memory's speed.
  void compareWithReading(const std::string &cell, json::Object &report,
                          uint64_t bytes, double readMilliseconds);
  void addFloors();
  /// Notes and prints a time.
  void note(const std::string &cell, json::Object &entry);
  /// Records the time of the fastest peer so far that does the same
  /// work.
  void noteBest(const std::string &cell, const json::Object &entry);
  /// The time of an entry of a cell; 0 where there is none.
  double getTime(const llvm::Twine &key) const;
  bool isWanted(const std::string &cell) const {
    return llvm::StringRef(cell).contains(options.caseFilter);
  }

  mlir::MLIRContext &context;
  const BenchOptions &options;
  SuiteResult &result;
  std::unique_ptr<runner::Engine> engine;
  std::map<std::string, double> times, temporaryBytes, bestPeers, memoryShares;
};
} // namespace

static std::string getCellName(llvm::StringRef column, int64_t tokens,
                               unsigned threads) {
  return llvm::formatv("gpt2-layer/{0}/T{1}/{2}", column, tokens, threads);
}

static std::string getMemoryCellName(llvm::StringRef column, unsigned threads) {
  return llvm::formatv("gpt2-layers/{0}/T1/{1}", column, threads);
}

std::vector<unsigned> bench::getThreadCounts() {
  return std::thread::hardware_concurrency() >= 2 ? std::vector<unsigned>{1, 2}
                                                  : std::vector<unsigned>{1};
}

void CpuSuite::note(const std::string &cell, json::Object &entry) {
  std::string name = entry.getString("name").value_or("").str();
  std::string key = cell + " " + name;
  if (auto reason = entry.getString("skipped")) {
    llvm::outs() << llvm::formatv("{0,-28} {1,-18} skipped: {2}\n", cell, name,
                                  *reason);
    return;
  }
  if (const json::Object *time = entry.getObject("time_ms"))
    times[key] = time->getNumber("min").value_or(0);
  temporaryBytes[key] = entry.getNumber("temporary_bytes").value_or(0);
  llvm::outs() << llvm::formatv("{0,-28} {1,-18} {2:f3} ms\n", cell, name,
                                times[key]);
  llvm::outs().flush();
}

double CpuSuite::getTime(const llvm::Twine &key) const {
  auto found = times.find(key.str());
  return found == times.end() ? 0 : found->second;
}

void CpuSuite::compareWithReading(const std::string &cell, json::Object &report,
                                  uint64_t bytes, double readMilliseconds) {
  double share = readMilliseconds / getTime(cell + " serial fused");
  double gigabytes = static_cast<double>(bytes) / 1e6;
  report["weight_bytes"] = bytes;
  report["read_ms"] = readMilliseconds;
  report["of_memory_speed"] = share;
  llvm::outs() << llvm::formatv(
      "{0,-28} {1,-18} {2:f2}: {3:f1} of {4:f1} GB/s\n", cell,
      "of memory speed", share, gigabytes / readMilliseconds * share,
      gigabytes / readMilliseconds);
  memoryShares[cell] = share;
}

/// The faster of two reports of the same.
static json::Object takeFaster(json::Object first, json::Object second) {
  auto getTime = [](const json::Object &report) {
    return report.getObject("time_ms")->getNumber("min").value_or(0);
  };
  return getTime(second) < getTime(first) ? std::move(second)
                                          : std::move(first);
}

Error CpuSuite::measureCell(const Column &column, int64_t tokens,
                            unsigned threads, unsigned repeat, Model *serial,
                            Model *parallel) {
  std::string cell = getCellName(column.name, tokens, threads);
  // Half of our runs before those of the peers, half after them, since other
  // load on the machine changes meanwhile.
  unsigned half = (repeat + 1) / 2;
  std::map<Model *, std::optional<json::Object>> reports;
  auto measureOurs = [&]() -> Error {
    for (Model *model : {serial, parallel}) {
      Expected<json::Object> report = model->measure(*engine, threads, half);
      if (!report)
        return report.takeError();
      std::optional<json::Object> &known = reports[model];
      known = known ? takeFaster(std::move(*known), std::move(*report))
                    : std::move(*report);
    }
    return Error::success();
  };
  if (Error error = measureOurs())
    return error;
  Expected<json::Array> peers =
      measurePeers(options.peers, *serial, column.name, threads, 2 * half);
  if (!peers)
    return peers.takeError();
  if (Error error = measureOurs())
    return error;
  json::Array entries;
  for (Model *model : {serial, parallel}) {
    json::Object &report = *reports[model];
    report["name"] = model == serial ? "serial fused" : "parallel fused";
    (*report.getObject("time_ms"))["repeat"] = 2 * half;
    note(cell, report);
    entries.push_back(std::move(report));
  }
  for (json::Value &peer : *peers) {
    if (json::Object *entry = peer.getAsObject()) {
      note(cell, *entry);
      noteBest(cell, *entry);
    }
    entries.push_back(std::move(peer));
  }
  return result.addCell(json::Object{{"case", cell},
                                     {"tokens", tokens},
                                     {"dtype", column.name},
                                     {"threads", threads},
                                     {"entries", std::move(entries)}});
}

Error CpuSuite::measureMemory(const Column &column, unsigned repeat) {
  std::unique_ptr<Model> model;
  for (unsigned threads : getThreadCounts()) {
    std::string cell = getMemoryCellName(column.name, threads);
    if (!isWanted(cell))
      continue;
    if (!model) {
      ModelRequest request;
      request.layers = column.memoryLayers;
      request.dtype = column.dtype;
      request.weights = column.weights;
      if (Error error = Model::create(context, request).moveInto(model))
        return error;
    }
    // In turns, since neighbours use the same memory.
    constexpr unsigned turns = 4;
    unsigned part = (repeat + turns - 1) / turns;
    std::optional<json::Object> report;
    double reading = std::numeric_limits<double>::infinity();
    for (unsigned turn = 0; turn < turns; ++turn) {
      Expected<json::Object> next = model->measure(*engine, threads, part);
      if (!next)
        return next.takeError();
      report = report ? takeFaster(std::move(*report), std::move(*next))
                      : std::move(*next);
      reading = std::min(
          reading,
          measureReading(model->getWeightBytes(), threads, part).fastest);
    }
    (*report)["name"] = "serial fused";
    (*report->getObject("time_ms"))["repeat"] = turns * part;
    note(cell, *report);
    compareWithReading(cell, *report, model->getWeightBytes(), reading);
    if (Error error = result.addCell(
            json::Object{{"case", cell},
                         {"tokens", 1},
                         {"layers", column.memoryLayers},
                         {"dtype", column.name},
                         {"threads", threads},
                         {"entries", json::Array{std::move(*report)}}}))
      return error;
  }
  return Error::success();
}

void CpuSuite::noteBest(const std::string &cell, const json::Object &entry) {
  if (entry.get("differs"))
    return;
  double time =
      getTime(cell + " " + entry.getString("name").value_or("").str());
  double &best = bestPeers[cell];
  if (time > 0 && (best == 0 || time < best))
    best = time;
}

Error CpuSuite::measureTokens(const Column &column, int64_t tokens,
                              unsigned repeat) {
  std::vector<unsigned> wanted;
  for (unsigned threads : getThreadCounts())
    if (isWanted(getCellName(column.name, tokens, threads)))
      wanted.push_back(threads);
  if (wanted.empty())
    return Error::success();
  ModelRequest request;
  request.tokens = tokens;
  request.dtype = column.dtype;
  request.weights = column.weights;
  Expected<std::unique_ptr<Model>> serial = Model::create(context, request);
  if (!serial)
    return serial.takeError();
  request.isParallel = true;
  Expected<std::unique_ptr<Model>> parallel = Model::create(context, request);
  if (!parallel)
    return parallel.takeError();
  for (unsigned threads : wanted)
    if (Error error = measureCell(column, tokens, threads, repeat,
                                  serial->get(), parallel->get()))
      return error;
  return Error::success();
}

void CpuSuite::addFloors() {
  auto ours = [&](llvm::StringRef column, int64_t tokens, unsigned threads) {
    return getTime(getCellName(column, tokens, threads) + " serial fused");
  };
  bool areOnTiles = result.rates.get(getInfo(CpuPath::BF16Tiles).name);
  for (const PeerFloor &floor : peerFloors)
    for (auto [tokens, factor] : tokenCounts)
      for (unsigned threads : getThreadCounts()) {
        std::string cell = getCellName(floor.column, tokens, threads);
        if (tokens < floor.leastTokens || tokens > floor.mostTokens ||
            bestPeers[cell] == 0)
          continue;
        result.addFloor("best peer's time over ours, " + cell,
                        bestPeers[cell] / ours(floor.column, tokens, threads),
                        areOnTiles ? floor.withTiles : floor.without);
      }
  for (const CodesFloor &floor : codesFloors)
    for (unsigned threads : getThreadCounts()) {
      double own = ours(floor.column, floor.tokens, threads);
      double wide = ours("bf16", floor.tokens, threads);
      if (own > 0 && wide > 0)
        result.addFloor("time of bf16 over that of codes, " +
                            getCellName(floor.column, floor.tokens, threads),
                        wide / own, floor.least);
    }
  for (const auto &[cell, share] : memoryShares)
    result.addFloor("share of the speed of memory, " + cell, share,
                    leastMemoryShare);
  double one = ours("f32", 512, 1), two = ours("f32", 512, 2);
  if (one > 0 && two > 0)
    result.addFloor("one thread's time over two threads', f32, T = 512",
                    one / two, 1.6);
  auto getBytes = [&](int64_t tokens) {
    return temporaryBytes[getCellName("f32", tokens, 1) + " serial fused"];
  };
  if (getBytes(512) > 0 && getBytes(2048) > 0)
    result.addFloor("temporary bytes at T = 2048 over those at T = 512",
                    getBytes(2048) / getBytes(512), 4.1, /*isCeiling=*/true);
}

Error CpuSuite::run() {
  Expected<std::unique_ptr<runner::Engine>> created =
      createHostEngine(options, result);
  if (!created)
    return created.takeError();
  engine = std::move(*created);
  for (const Column &column : columns) {
    for (auto [tokens, factor] : tokenCounts)
      if (Error error = measureTokens(column, tokens, options.repeat * factor))
        return error;
    if (Error error = measureMemory(column, options.repeat * memoryFactor))
      return error;
  }
  addFloors();
  return Error::success();
}

Error bench::runCpuSuite(mlir::MLIRContext &context,
                         const BenchOptions &options, SuiteResult &result) {
  return CpuSuite(context, options, result).run();
}
