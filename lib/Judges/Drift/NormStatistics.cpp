//===- NormStatistics.cpp - measures means and deviations of norms --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NormStatistics.h"

#include "Convert.h"
#include <cmath>

using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

static double getMeanOverDeviation(llvm::ArrayRef<double> row) {
  double count = static_cast<double>(row.size()), mean = 0, squares = 0;
  for (double value : row)
    mean += value / count;
  for (double value : row)
    squares += (value - mean) * (value - mean) / count;
  return getRatio(std::fabs(mean), std::sqrt(squares));
}

static Expected<TokenStatistics> measureStream(const Model &model,
                                               const Stream &stream) {
  return joinChunks<TokenStatistics>(
      model.data(), allSplits,
      [&](size_t index, const Chunk &chunk, TokenStatistics &found) -> Error {
        Expected<Tensor> tensor = stream.get(index);
        if (!tensor)
          return tensor.takeError();
        std::vector<uint8_t> valid = model.data().getValid(chunk);
        for (size_t row = 0; row < valid.size(); ++row)
          if (valid[row])
            found.add(getMeanOverDeviation(getRow(*tensor, row)));
        return Error::success();
      });
}

Expected<llvm::json::Array> drift::measureNorms(const Model &model,
                                                const Scan &scan) {
  llvm::json::Array norms;
  for (size_t link = 0; link < model.size(); ++link) {
    const std::optional<Sublayer> &sublayer = model.getLink(link).sublayer;
    if (!sublayer || sublayer->head.empty() ||
        !llvm::isa<block::NormOp>(sublayer->head.front()))
      continue;
    Expected<TokenStatistics> statistics =
        measureStream(model, scan.originals[link]);
    if (!statistics)
      return statistics.takeError();
    norms.push_back(llvm::json::Object{
        {"layer", sublayer->getLayerIndex()},
        {"sublayer", sublayer->isAttention() ? "attention" : "mlp"},
        {"mean_over_std", statistics->toJSON()}});
  }
  return norms;
}
