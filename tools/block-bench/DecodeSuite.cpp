//===- DecodeSuite.cpp - generation on this machine -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every engine, including ours, runs in a separate process and continues the
// same prompts; its output is checked, all tokens of a model at once, before a
// time is printed.
//
//===----------------------------------------------------------------------===//

#include "ReadSpeed.h"
#include "Suites.h"
#include "parablock/Support/AtomicOutput.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace bench;
using namespace parablock;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

namespace {
/// Rows of a prompt, and how many tokens are made of each.
struct Workload {
  llvm::StringLiteral name;
  int64_t batch, prompt, added;
};

/// A model, and its workloads.
struct DecodeCase {
  llvm::StringLiteral name, family;
  int64_t layers, width, heads, kvHeads, hidden, vocabulary, positions;
  llvm::ArrayRef<Workload> workloads;
  /// True where floors are kept.
  bool isMeasured;
};

/// A type of weights, and of all else.
struct Column {
  StringRef name;
  generate::FloatKind dtype;
  /// Codes as block-quantize names them.
  StringRef weights = "";
};
} // namespace

/// The first of each is that of a step by itself, the second that of several
/// rows, the third that of a long prompt.
static constexpr Workload workloads[] = {
    {"B1", 1, 64, 128}, {"B8", 8, 64, 32}, {"T512", 1, 512, 1}};
static constexpr Workload smallWorkloads[] = {
    {"B1", 1, 9, 8}, {"B8", 8, 9, 4}, {"T512", 1, 33, 1}};

static constexpr DecodeCase cases[] = {
    {"small-learned", "gpt2", 2, 128, 4, 4, 512, 97, 64, smallWorkloads, false},
    {"small-rotary", "llama", 2, 128, 4, 2, 256, 97, 2048, smallWorkloads,
     false},
    {"gpt2", "gpt2", 12, 768, 12, 12, 3072, 50257, 1024, workloads, true},
    {"llama", "llama", 12, 1024, 16, 4, 2816, 32000, 2048, workloads, true}};

static constexpr Column columns[] = {
    {"f32", generate::FloatKind::F32},
    {"bf16", generate::FloatKind::BF16},
    {"int8", generate::FloatKind::BF16, "int8"},
    {"int4-g128", generate::FloatKind::BF16, "int4-g128"}};

/// The number of loops over memory whose mean is reported next to a step's
/// time: other load on the machine slows some of either.
static constexpr unsigned numReadings = 64;

/// Floors, and a ceiling, of each case that is measured.
static constexpr double leastOverPeers = 1.0, leastOfBatch = 5.0,
                        leastMemoryShare = 0.9, mostByCapacity = 1.05;

namespace {
/// A folder that is gone afterwards.
class TemporaryFolder {
public:
  Error create() {
    if (std::error_code code =
            llvm::sys::fs::createUniqueDirectory("block-bench", path))
      return llvm::createStringError("no temporary folder: " + code.message());
    return Error::success();
  }
  ~TemporaryFolder() {
    if (!path.empty())
      (void)llvm::sys::fs::remove_directories(path);
  }
  std::string find(StringRef name) const {
    llvm::SmallString<128> file(path);
    llvm::sys::path::append(file, name);
    return file.str().str();
  }
  StringRef getPath() const { return path; }

private:
  llvm::SmallString<128> path;
};

/// The report of one engine, on so many threads.
struct Run {
  std::string name;
  unsigned threads;
  json::Object report;
  /// Average milliseconds of a plain loop over as many bytes as our weights
  /// have.
  double readMilliseconds = 0;
};

/// The cells of the suite.
class DecodeSuite {
public:
  DecodeSuite(mlir::MLIRContext &context, const BenchOptions &options,
              SuiteResult &result)
      : context(context), options(options), result(result) {}

  Error run();

private:
  Error measureColumn(const DecodeCase &decoded, const Column &column,
                      llvm::ArrayRef<unsigned> threads);
  Error writeFolder(const DecodeCase &decoded, const Column &column,
                    const TemporaryFolder &folder);
  /// Runs our own engine before and after the others, since other load on the
  /// machine changes meanwhile.
  Error runEngines(const TemporaryFolder &folder, const Column &column,
                   unsigned threads, std::vector<Run> &runs);
  Error measureOurs(const TemporaryFolder &folder, const Column &column,
                    unsigned threads, std::vector<Run> &runs);
  /// Removes times of engines whose tokens are wrong.
  Error checkTokens(const TemporaryFolder &folder, const Column &column,
                    std::vector<Run> &runs);
  Error addCell(const DecodeCase &decoded, const Column &column,
                const Workload &workload, unsigned threads,
                const std::vector<Run> &runs);
  void addOwnFloors(const std::string &cell, const json::Object &ours);
  /// How much more several rows at once make than one alone.
  void addBatchFloor(const DecodeCase &decoded, const Column &column,
                     unsigned threads);
  bool isWanted(const std::string &cell) const {
    return StringRef(cell).contains(options.caseFilter);
  }

  mlir::MLIRContext &context;
  const BenchOptions &options;
  SuiteResult &result;
  /// Our own milliseconds for a token, by cell.
  std::map<std::string, double> times;
};
} // namespace

/// The name of our own engine among the others.
static constexpr llvm::StringLiteral ownName = "parablock";

static std::string getCellName(const DecodeCase &decoded, const Column &column,
                               StringRef workload, unsigned threads) {
  return llvm::formatv("{0}/{1}/{2}/{3}", decoded.name, column.name, workload,
                       threads);
}

static ModelRequest makeRequest(const DecodeCase &decoded,
                                const Column &column) {
  ModelRequest request;
  request.family = decoded.family.str();
  request.scope = generate::Scope::Model;
  request.layers = decoded.layers;
  request.width = decoded.width;
  request.heads = decoded.heads;
  request.kvHeads = decoded.kvHeads;
  request.hidden = decoded.hidden;
  request.vocabulary = decoded.vocabulary;
  if (decoded.family == "gpt2")
    request.positions = decoded.positions;
  request.tokens = decoded.workloads.front().prompt;
  request.dtype = column.dtype;
  request.weights = column.weights;
  return request;
}

/// Sizes and workloads, as scripts/peers/decode/problem.py reads them.
static json::Value describe(const DecodeCase &decoded, const Column &column,
                            const BenchOptions &options) {
  json::Array workloads;
  for (const Workload &workload : decoded.workloads)
    workloads.push_back(json::Object{{"name", workload.name},
                                     {"batch", workload.batch},
                                     {"prompt", workload.prompt},
                                     {"new", workload.added}});
  return json::Object{{"family", decoded.family},
                      {"dtype", column.name},
                      {"cpu", options.cpu},
                      {"counter", options.allocationCounter},
                      {"layers", decoded.layers},
                      {"width", decoded.width},
                      {"heads", decoded.heads},
                      {"kv_heads", decoded.kvHeads},
                      {"hidden", decoded.hidden},
                      {"vocabulary", decoded.vocabulary},
                      {"positions", decoded.positions},
                      {"workloads", std::move(workloads)}};
}

Error DecodeSuite::writeFolder(const DecodeCase &decoded, const Column &column,
                               const TemporaryFolder &folder) {
  ModelRequest request = makeRequest(decoded, column);
  Expected<std::unique_ptr<Model>> model = Model::create(context, request);
  if (!model)
    return model.takeError();
  if (Error error = (*model)->write(folder.find("weights.safetensors"),
                                    Model::Part::Weights))
    return error;
  if (Error error = (*model)->write(folder.find("expected.safetensors"),
                                    Model::Part::Values))
    return error;
  // Ours makes the codes itself, of the weights that these were made of.
  if (!request.weights.empty()) {
    request.weights.clear();
    if (Error error = Model::createUnchecked(context, request).moveInto(*model))
      return error;
    if (Error error = (*model)->write(folder.find("plain.safetensors"),
                                      Model::Part::Weights))
      return error;
  }
  Expected<std::string> text = printOpenModel(context, request);
  if (!text)
    return text.takeError();
  if (Error error = writeFile(folder.find("model.mlir"), *text))
    return error;
  return writeFile(
      folder.find("case.json"),
      llvm::formatv("{0}", describe(decoded, column, options)).str());
}

static Error addRuns(Expected<json::Array> reports, unsigned threads,
                     std::vector<Run> &runs) {
  if (!reports)
    return reports.takeError();
  for (json::Value &report : *reports) {
    json::Object &fields = *report.getAsObject();
    std::string name = fields.getString("name").value_or("").str();
    runs.push_back({name, threads, std::move(fields)});
  }
  return Error::success();
}

Error DecodeSuite::measureOurs(const TemporaryFolder &folder,
                               const Column &column, unsigned threads,
                               std::vector<Run> &runs) {
  PeerOptions own = options.decodePeers;
  own.names = ownName.str();
  if (Error error = addRuns(measurePeers(own, folder.getPath(), column.name,
                                         threads, options.repeat),
                            threads, runs))
    return error;
  Run &run = runs.back();
  if (auto reason = run.report.getString("skipped"))
    return llvm::createStringError(ownName + ": " + *reason);
  auto bytes = run.report.getInteger("weight_bytes").value_or(0);
  run.readMilliseconds =
      measureReading(static_cast<uint64_t>(bytes), threads, numReadings).mean;
  return Error::success();
}

Error DecodeSuite::runEngines(const TemporaryFolder &folder,
                              const Column &column, unsigned threads,
                              std::vector<Run> &runs) {
  if (Error error = measureOurs(folder, column, threads, runs))
    return error;
  if (options.decodePeers.names == "none")
    return Error::success();
  if (Error error = addRuns(measurePeers(options.decodePeers, folder.getPath(),
                                         column.name, threads, options.repeat),
                            threads, runs))
    return error;
  return measureOurs(folder, column, threads, runs);
}

Error DecodeSuite::checkTokens(const TemporaryFolder &folder,
                               const Column &column, std::vector<Run> &runs) {
  json::Array found;
  std::vector<Run *> checked;
  for (Run &run : runs)
    if (json::Object *workloads = run.report.getObject("workloads")) {
      json::Object tokens;
      for (auto &[name, value] : *workloads) {
        json::Object &measured = *value.getAsObject();
        tokens[name] = std::move(*measured.get("tokens"));
        measured.erase("tokens");
      }
      found.push_back(std::move(tokens));
      checked.push_back(&run);
    }
  if (Error error =
          writeFile(folder.find("found.json"),
                    llvm::formatv("{0}", json::Value(std::move(found))).str()))
    return error;
  PeerOptions check = options.decodePeers;
  check.names = "check";
  Expected<json::Array> reports =
      measurePeers(check, folder.getPath(), column.name, /*threads=*/0,
                   /*repeat=*/1);
  if (!reports)
    return reports.takeError();
  const json::Object &report = *reports->front().getAsObject();
  if (auto reason = report.getString("skipped"))
    return llvm::createStringError("check of tokens: " + *reason);
  for (auto [run, verdict] :
       llvm::zip_equal(checked, *report.getArray("verdicts"))) {
    const json::Object &fields = *verdict.getAsObject();
    run->report["cost"] = *fields.get("cost");
    run->report["mean_cost"] = *fields.get("mean_cost");
    if (StringRef wrong = fields.getString("wrong").value_or("");
        !wrong.empty()) {
      run->report.erase("workloads");
      run->report["skipped"] = wrong.str();
    }
  }
  return Error::success();
}

/// Returns the time of a workload; none without a correct one.
static std::optional<double> getTime(const json::Object &measured) {
  const json::Object *time = measured.getObject("time_ms");
  return time ? time->getNumber("min") : std::nullopt;
}

/// The entry of a run in the cell of a workload.
static json::Object makeEntry(const Run &run, const Workload &workload) {
  json::Object entry{{"name", run.name}};
  const json::Object *found = run.report.getObject("workloads");
  if (!found) {
    entry["skipped"] = *run.report.get("skipped");
    return entry;
  }
  for (const auto &[key, value] : *found->getObject(workload.name))
    entry[key] = value;
  for (StringRef fact : {"cost", "mean_cost", "differs", "version"})
    if (const json::Value *value = run.report.get(fact))
      entry[fact] = *value;
  if (std::optional<double> time = getTime(entry))
    entry["tokens_per_second"] = 1e3 * double(workload.batch) / *time;
  return entry;
}

static void print(const std::string &cell, const json::Object &entry) {
  llvm::outs() << llvm::formatv("{0,-26} {1,-18} ", cell,
                                *entry.getString("name"));
  if (auto reason = entry.getString("skipped"))
    llvm::outs() << "skipped: " << *reason << "\n";
  else
    llvm::outs() << llvm::formatv(
        "{0:f1} tokens/s, {1:f2} ms; first after {2:f1} ms\n",
        *entry.getNumber("tokens_per_second"), *getTime(entry),
        *entry.getNumber("first_ms"));
  llvm::outs().flush();
}

/// Adds the ratio of a one-row step to the memory's speed, and its cost apart
/// from its time.
static void addFacts(json::Object &entry, const Run &run,
                     double readMilliseconds) {
  for (StringRef fact : {"weight_bytes", "capacity_ms", "allocations"})
    if (const json::Value *value = run.report.get(fact))
      entry[fact] = *value;
  entry["read_ms"] = readMilliseconds;
  entry["of_memory_speed"] = readMilliseconds / *getTime(entry);
}

/// Returns the fastest loops among those that alternated with our own engine.
static double findReading(const std::vector<Run> &runs, unsigned threads) {
  double best = std::numeric_limits<double>::infinity();
  for (const Run &run : runs)
    if (run.name == ownName && run.threads == threads)
      best = std::min(best, run.readMilliseconds);
  return best;
}

static double getCapacityRatio(const json::Object &entry) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const auto &[capacity, value] : *entry.getObject("capacity_ms")) {
    double time = value.getAsNumber().value_or(0);
    least = std::min(least, time);
    most = std::max(most, time);
  }
  return most / least;
}

void DecodeSuite::addOwnFloors(const std::string &cell,
                               const json::Object &ours) {
  if (const json::Value *share = ours.get("of_memory_speed")) {
    result.addFloor("share of the speed of memory, " + cell,
                    *share->getAsNumber(), leastMemoryShare);
    result.addFloor("time of a step by the capacity of caches, " + cell,
                    getCapacityRatio(ours), mostByCapacity,
                    /*isCeiling=*/true);
  }
}

Error DecodeSuite::addCell(const DecodeCase &decoded, const Column &column,
                           const Workload &workload, unsigned threads,
                           const std::vector<Run> &runs) {
  std::string cell = getCellName(decoded, column, workload.name, threads);
  std::optional<json::Object> ours;
  json::Array others;
  double best = 0;
  for (const Run &run : runs) {
    if (run.threads != threads)
      continue;
    json::Object entry = makeEntry(run, workload);
    std::optional<double> time = getTime(entry);
    if (run.name != ownName) {
      if (time && !entry.get("differs") && (best == 0 || *time < best))
        best = *time;
      others.push_back(std::move(entry));
      continue;
    }
    if (!time)
      return llvm::make_error<WrongNumbersError>(
          (cell + ": " + ownName + ": " + *entry.getString("skipped")).str());
    if (workload.name == decoded.workloads.front().name)
      addFacts(entry, run, findReading(runs, threads));
    if (!ours || *time < *getTime(*ours))
      ours = std::move(entry);
  }
  double time = *getTime(*ours);
  times[cell] = time / double(workload.batch);
  print(cell, *ours);
  for (const json::Value &other : others)
    print(cell, *other.getAsObject());
  if (decoded.isMeasured) {
    if (best > 0)
      result.addFloor("best peer's time over ours, " + cell, best / time,
                      leastOverPeers);
    addOwnFloors(cell, *ours);
  }
  json::Array entries{std::move(*ours)};
  for (json::Value &other : others)
    entries.push_back(std::move(other));
  return result.addCell(json::Object{{"case", cell},
                                     {"model", decoded.name},
                                     {"dtype", column.name},
                                     {"workload", workload.name},
                                     {"batch", workload.batch},
                                     {"prompt", workload.prompt},
                                     {"new", workload.added},
                                     {"threads", threads},
                                     {"entries", std::move(entries)}});
}

void DecodeSuite::addBatchFloor(const DecodeCase &decoded, const Column &column,
                                unsigned threads) {
  const Workload &one = decoded.workloads[0], &several = decoded.workloads[1];
  std::string cell = getCellName(decoded, column, several.name, threads);
  result.addFloor("tokens a second of " + llvm::Twine(several.batch).str() +
                      " rows over those of one, " + cell,
                  times[getCellName(decoded, column, one.name, threads)] /
                      times[cell],
                  leastOfBatch);
}

Error DecodeSuite::measureColumn(const DecodeCase &decoded,
                                 const Column &column,
                                 llvm::ArrayRef<unsigned> threads) {
  TemporaryFolder folder;
  if (Error error = folder.create())
    return error;
  if (Error error = writeFolder(decoded, column, folder))
    return error;
  std::vector<Run> runs;
  for (unsigned count : threads)
    if (Error error = runEngines(folder, column, count, runs))
      return error;
  if (Error error = checkTokens(folder, column, runs))
    return error;
  for (unsigned count : threads) {
    for (const Workload &workload : decoded.workloads)
      if (Error error = addCell(decoded, column, workload, count, runs))
        return error;
    if (decoded.isMeasured)
      addBatchFloor(decoded, column, count);
  }
  return Error::success();
}

Error DecodeSuite::run() {
  for (const DecodeCase &decoded : cases)
    for (const Column &column : columns) {
      std::vector<unsigned> wanted;
      for (unsigned threads : getThreadCounts())
        if (isWanted(llvm::formatv("{0}/{1}/{2}", decoded.name, column.name,
                                   threads)))
          wanted.push_back(threads);
      if (wanted.empty())
        continue;
      if (Error error = measureColumn(decoded, column, wanted))
        return error;
    }
  return Error::success();
}

Error bench::runDecodeSuite(mlir::MLIRContext &context,
                            const BenchOptions &options, SuiteResult &result) {
  Expected<std::unique_ptr<runner::Engine>> engine =
      createHostEngine(options, result);
  if (!engine)
    return engine.takeError();
  return DecodeSuite(context, options, result).run();
}
