//===- Screen.cpp - applies rules to measured candidates ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Screen.h"

#include "TokenStatistics.h"
#include "llvm/Support/Format.h"

using namespace parablock;
using namespace parablock::drift;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

/// Returns |d| / |x| of every token, for a pair whose first sublayer maps
/// `input` to `middle`.
static Expected<TokenStatistics>
measureDelta(const Model &model, const Sublayer &first, const Stream &input,
             const Stream &middle, Split split) {
  return joinChunks<TokenStatistics>(
      model.data(), split,
      [&](size_t index, const Chunk &chunk, TokenStatistics &found) -> Error {
        Expected<Tensor> before = input.get(index);
        if (!before)
          return before.takeError();
        Expected<Tensor> after = middle.get(index);
        if (!after)
          return after.takeError();
        Tensor base = combine(first.getStreamFactor(), *before, 0, *before);
        for (auto [row, isValid] :
             llvm::enumerate(model.data().getValid(chunk)))
          if (isValid) {
            RowComparison step =
                compareRows(getRow(*after, row), getRow(base, row));
            found.add(getRatio(step.difference, step.bNorm));
          }
        return Error::success();
      });
}

/// Returns whether the pair has a sublayer of the first or last layers.
static bool isNearAnEnd(const Model &model, const Candidate &candidate,
                        int64_t layers) {
  int64_t position = static_cast<int64_t>(candidate.position);
  int64_t links = static_cast<int64_t>(model.size());
  return position < 2 * layers || position + 1 >= links - 2 * layers;
}

/// Drops candidates that break a rule, but at most half.
static void drop(std::vector<ScreenRecord> &records) {
  std::vector<ScreenRecord *> bad;
  for (ScreenRecord &record : records)
    if (!record.reason.empty())
      bad.push_back(&record);
  llvm::stable_sort(bad, [](const ScreenRecord *a, const ScreenRecord *b) {
    return a->deltaP99 > b->deltaP99;
  });
  bad.resize(std::min(bad.size(), records.size() / 2));
  for (ScreenRecord *record : bad)
    record->isDropped = true;
}

Expected<std::vector<ScreenRecord>>
drift::screenCandidates(const Model &model, ArrayRef<Candidate> candidates,
                        ArrayRef<Stream> streams, Split split,
                        const Screen &screen, bool drops) {
  std::vector<ScreenRecord> records;
  for (const Candidate &candidate : candidates) {
    size_t position = candidate.position;
    Expected<TokenStatistics> delta =
        measureDelta(model, model.getRunner(position).sublayer(),
                     streams[position], streams[position + 1], split);
    if (!delta)
      return delta.takeError();
    ScreenRecord &record = records.emplace_back();
    record.deltaP99 = delta->getP99();
    if (screen.mode == Screen::Off)
      continue;
    if (record.deltaP99 > screen.mostDelta)
      record.reason = "large-update";
    else if (isNearAnEnd(model, candidate, screen.ends))
      record.reason = "near-an-end";
  }
  if (drops)
    drop(records);
  return records;
}

void drift::remarkOnDropped(llvm::raw_ostream &remarks,
                            const Candidate &candidate,
                            const ScreenRecord &record, const Screen &screen) {
  if (!record.isDropped)
    return;
  remarks << "remark: pair " << candidate.pair.getName()
          << " is dropped unmeasured: " << record.reason
          << ": the 99th percentile of |d|/|x| is "
          << llvm::format("%.3g", record.deltaP99) << ", expected at most "
          << llvm::format("%.3g", screen.mostDelta)
          << " and not the first or last " << screen.ends
          << " layers (--screen)\n";
}
