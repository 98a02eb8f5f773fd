//===- CpuSuite.cpp - a layer of GPT-2 on this machine --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Suites.h"
#include "parablock/Engines/CPUEngine/CpuEngine.h"
#include "parablock/Pipelines/BlockToCPU.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <thread>

using namespace bench;
using namespace parablock;
using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

llvm::Expected<std::unique_ptr<runner::Engine>> bench::createHostEngine() {
  Expected<CpuTarget> target = findCpuTarget("native");
  if (!target)
    return target.takeError();
  return createCpuEngine(*target, lowerToKernels);
}

namespace {
/// The cells of the suite, and what floors are made of.
class CpuSuite {
public:
  CpuSuite(mlir::MLIRContext &context, const BenchOptions &options,
           SuiteResult &result)
      : context(context), options(options), result(result) {}

  Error run();

private:
  Error measureTokens(generate::FloatKind dtype, int64_t tokens);
  Error measureCell(generate::FloatKind dtype, int64_t tokens, unsigned threads,
                    Model *serial, Model *parallel);
  void addFloors();
  /// Notes and prints a time.
  void note(const std::string &cell, json::Object &entry);
  /// The time of an entry of a cell; 0 where there is none.
  double getTime(const llvm::Twine &key) const;
  bool isWanted(const std::string &cell) const {
    return llvm::StringRef(cell).contains(options.caseFilter);
  }

  mlir::MLIRContext &context;
  const BenchOptions &options;
  SuiteResult &result;
  std::unique_ptr<runner::Engine> engine;
  std::map<std::string, double> times, temporaryBytes;
};
} // namespace

static std::string getCellName(generate::FloatKind dtype, int64_t tokens,
                               unsigned threads) {
  return llvm::formatv("gpt2-layer/{0}/T{1}/{2}", getName(dtype), tokens,
                       threads);
}

static std::vector<unsigned> getThreadCounts() {
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

Error CpuSuite::measureCell(generate::FloatKind dtype, int64_t tokens,
                            unsigned threads, Model *serial, Model *parallel) {
  std::string cell = getCellName(dtype, tokens, threads);
  json::Array entries;
  for (Model *model : {serial, parallel}) {
    Expected<json::Object> report =
        model->measure(*engine, threads, options.repeat);
    if (!report)
      return report.takeError();
    (*report)["name"] = model == serial ? "serial fused" : "parallel fused";
    note(cell, *report);
    entries.push_back(std::move(*report));
  }
  Expected<json::Array> peers = measurePeers(
      options.peers, *serial, getName(dtype), threads, options.repeat);
  if (!peers)
    return peers.takeError();
  for (json::Value &peer : *peers) {
    if (json::Object *entry = peer.getAsObject())
      note(cell, *entry);
    entries.push_back(std::move(peer));
  }
  result.cells.push_back(json::Object{{"case", cell},
                                      {"tokens", tokens},
                                      {"dtype", getName(dtype)},
                                      {"threads", threads},
                                      {"entries", std::move(entries)}});
  return Error::success();
}

Error CpuSuite::measureTokens(generate::FloatKind dtype, int64_t tokens) {
  std::vector<unsigned> wanted;
  for (unsigned threads : getThreadCounts())
    if (isWanted(getCellName(dtype, tokens, threads)))
      wanted.push_back(threads);
  if (wanted.empty())
    return Error::success();
  ModelRequest request;
  request.tokens = tokens;
  request.dtype = dtype;
  Expected<std::unique_ptr<Model>> serial = Model::create(context, request);
  if (!serial)
    return serial.takeError();
  request.isParallel = true;
  Expected<std::unique_ptr<Model>> parallel = Model::create(context, request);
  if (!parallel)
    return parallel.takeError();
  for (unsigned threads : wanted)
    if (Error error =
            measureCell(dtype, tokens, threads, serial->get(), parallel->get()))
      return error;
  return Error::success();
}

void CpuSuite::addFloors() {
  auto addRatio = [&](llvm::StringRef name, const llvm::Twine &slow,
                      const llvm::Twine &fast, double limit) {
    if (getTime(slow) > 0 && getTime(fast) > 0)
      result.addFloor(name, getTime(slow) / getTime(fast), limit);
  };
  auto ours = [](generate::FloatKind dtype, int64_t tokens, unsigned threads) {
    return getCellName(dtype, tokens, threads) + " serial fused";
  };
  using generate::FloatKind;
  addRatio("onnxruntime's time over ours, f32, T = 512",
           getCellName(FloatKind::F32, 512, 1) + " onnxruntime",
           ours(FloatKind::F32, 512, 1), 0.5);
  Expected<CpuTarget> host = findCpuTarget("native");
  if (host && host->hasBF16Dot)
    addRatio("PyTorch's time over ours, bf16, T = 512",
             getCellName(FloatKind::BF16, 512, 1) + " torch",
             ours(FloatKind::BF16, 512, 1), 0.4);
  llvm::consumeError(host.takeError());
  addRatio("one thread's time over two threads', f32, T = 512",
           ours(FloatKind::F32, 512, 1), ours(FloatKind::F32, 512, 2), 1.6);
  double small = temporaryBytes[ours(FloatKind::F32, 512, 1)],
         large = temporaryBytes[ours(FloatKind::F32, 2048, 1)];
  if (small > 0 && large > 0)
    result.addFloor("temporary bytes at T = 2048 over those at T = 512",
                    large / small, 4.1, /*isCeiling=*/true);
}

Error CpuSuite::run() {
  Expected<std::unique_ptr<runner::Engine>> created = createHostEngine();
  if (!created)
    return created.takeError();
  engine = std::move(*created);
  for (generate::FloatKind dtype :
       {generate::FloatKind::F32, generate::FloatKind::BF16})
    for (int64_t tokens : {1, 17, 512, 2048})
      if (Error error = measureTokens(dtype, tokens))
        return error;
  addFloors();
  return Error::success();
}

Error bench::runCpuSuite(mlir::MLIRContext &context,
                         const BenchOptions &options, SuiteResult &result) {
  return CpuSuite(context, options, result).run();
}
