//===- TrainSuite.cpp - cases and peers of training -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Suites.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace bench;
using namespace parablock;
using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

namespace {
/// A model, and the sizes of its step.
struct TrainCase {
  llvm::StringLiteral name;
  generate::Scope scope;
  int64_t layers, width, heads;
  /// 0 if there are no logits.
  int64_t vocabulary;
  int64_t batch, tokens;
  /// The tokens of one sequence for checking numbers, if the reference engine
  /// is too slow for all; else 0.
  int64_t checkedTokens;
  /// The best peer's time over ours; 0 for no floor.
  double floorF32, floorBF16;
};
} // namespace

static constexpr TrainCase cases[] = {
    {"small", generate::Scope::Model, 2, 64, 4, 97, 2, 17, 0, 0, 0},
    {"gpt2-layer", generate::Scope::Block, 1, 768, 12, 0, 1, 512, 0, 1.25,
     1.15},
    {"nanogpt-V256", generate::Scope::Model, 6, 384, 6, 256, 8, 256, 64, 1.25,
     1.15},
    {"nanogpt-V50304", generate::Scope::Model, 6, 384, 6, 50304, 8, 256, 64,
     1.3, 1.15}};

namespace {
/// The cells of the suite.
class TrainSuite {
public:
  TrainSuite(mlir::MLIRContext &context, const BenchOptions &options,
             runner::Engine &engine, SuiteResult &result)
      : context(context), options(options), engine(engine), result(result) {}

  Error run();

private:
  Error measureCase(const TrainCase &trained, generate::FloatKind dtype);
  Error measureCell(const TrainCase &trained, generate::FloatKind dtype,
                    const std::string &cell, unsigned threads, Model &model);
  bool isWanted(const std::string &cell) const {
    return llvm::StringRef(cell).contains(options.caseFilter);
  }

  mlir::MLIRContext &context;
  const BenchOptions &options;
  runner::Engine &engine;
  SuiteResult &result;
};
} // namespace

static ModelRequest makeRequest(const TrainCase &trained,
                                generate::FloatKind dtype) {
  ModelRequest request;
  request.scope = trained.scope;
  request.layers = trained.layers;
  request.width = trained.width;
  request.heads = trained.heads;
  if (trained.vocabulary)
    request.vocabulary = trained.vocabulary;
  request.batch = trained.batch;
  request.tokens = trained.tokens;
  request.dtype = dtype;
  request.isStep = true;
  return request;
}

/// The median of an entry; 0 where it has no time.
static double getMedian(const json::Object &entry) {
  const json::Object *time = entry.getObject("time_ms");
  return time ? time->getNumber("median").value_or(0) : 0;
}

static void print(const std::string &cell, const json::Object &entry) {
  llvm::StringRef name = entry.getString("name").value_or("");
  if (auto reason = entry.getString("skipped"))
    llvm::outs() << llvm::formatv("{0,-26} {1,-14} skipped: {2}\n", cell, name,
                                  *reason);
  else
    llvm::outs() << llvm::formatv("{0,-26} {1,-14} {2:f2} ms\n", cell, name,
                                  getMedian(entry));
  llvm::outs().flush();
}

Error TrainSuite::measureCell(const TrainCase &trained,
                              generate::FloatKind dtype,
                              const std::string &cell, unsigned threads,
                              Model &model) {
  // Half of our runs before those of the peers, half after them.
  unsigned half = std::max(2u, (options.repeat + 1) / 2);
  Expected<json::Object> before = model.measure(engine, threads, half);
  if (!before)
    return before.takeError();
  Expected<json::Array> peers = measurePeers(options.trainPeers, model,
                                             getName(dtype), threads, 2 * half);
  if (!peers)
    return peers.takeError();
  Expected<json::Object> after = model.measure(engine, threads, half);
  if (!after)
    return after.takeError();
  json::Object ours = getMedian(*after) < getMedian(*before)
                          ? std::move(*after)
                          : std::move(*before);
  ours["name"] = "parablock";
  print(cell, ours);
  double best = 0, own = getMedian(ours);
  json::Array entries;
  entries.push_back(std::move(ours));
  for (json::Value &peer : *peers) {
    json::Object &entry = *peer.getAsObject();
    print(cell, entry);
    if (double time = getMedian(entry); time > 0 && (best == 0 || time < best))
      best = time;
    entries.push_back(std::move(peer));
  }
  json::Object row{{"case", cell},
                   {"dtype", getName(dtype)},
                   {"threads", threads},
                   {"entries", std::move(entries)}};
  if (best > 0) {
    row["best_peer_over_ours"] = best / own;
    llvm::outs() << llvm::formatv(
        "{0,-26} best peer's time over ours: {1:f2}\n", cell, best / own);
    double least = dtype == generate::FloatKind::F32 ? trained.floorF32
                                                     : trained.floorBF16;
    if (least > 0)
      result.addFloor("best peer's time over ours, " + cell, best / own, least);
  }
  return result.addCell(std::move(row));
}

Error TrainSuite::measureCase(const TrainCase &trained,
                              generate::FloatKind dtype) {
  auto getCell = [&](unsigned threads) -> std::string {
    return llvm::formatv("{0}/{1}/{2}", trained.name, getName(dtype), threads);
  };
  std::vector<unsigned> wanted;
  for (unsigned threads : getThreadCounts())
    if (isWanted(getCell(threads)))
      wanted.push_back(threads);
  if (wanted.empty())
    return Error::success();
  ModelRequest request = makeRequest(trained, dtype);
  std::unique_ptr<Model> model;
  if (trained.checkedTokens) {
    ModelRequest smaller = request;
    smaller.batch = 1;
    smaller.tokens = trained.checkedTokens;
    std::unique_ptr<Model> checked;
    if (Error error = Model::create(context, smaller).moveInto(checked))
      return error;
    if (Error error =
            checked->measure(engine, wanted.front(), /*repeat=*/1).takeError())
      return error;
    if (Error error = Model::createUnchecked(context, request).moveInto(model))
      return error;
  } else if (Error error = Model::create(context, request).moveInto(model)) {
    return error;
  }
  for (unsigned threads : wanted)
    if (Error error =
            measureCell(trained, dtype, getCell(threads), threads, *model))
      return error;
  return Error::success();
}

Error TrainSuite::run() {
  for (generate::FloatKind dtype :
       {generate::FloatKind::F32, generate::FloatKind::BF16})
    for (const TrainCase &trained : cases)
      if (Error error = measureCase(trained, dtype))
        return error;
  return Error::success();
}

Error bench::runTrainSuite(mlir::MLIRContext &context,
                           const BenchOptions &options, SuiteResult &result) {
  Expected<std::unique_ptr<runner::Engine>> engine =
      createHostEngine(options, result);
  if (!engine)
    return engine.takeError();
  return TrainSuite(context, options, **engine, result).run();
}
