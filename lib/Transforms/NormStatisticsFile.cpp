//===- NormStatisticsFile.cpp - reads statistics of norms -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NormStatisticsFile.h"

#include "parablock/Support/StrictJSON.h"

using namespace parablock;
using namespace parablock::block;
using llvm::Expected;

Expected<NormStatisticsFile> NormStatisticsFile::read(llvm::StringRef path) {
  Expected<llvm::json::Object> root = readJSONObject(path);
  if (!root)
    return root.takeError();
  std::optional<int64_t> schema = root->getInteger("schema");
  if (schema != 1)
    return llvm::createStringError(path + ": key 'schema': expected 1");
  const llvm::json::Array *norms = root->getArray("norms");
  if (!norms)
    return llvm::createStringError(path +
                                   ": key 'norms': expected a list of norms");
  NormStatisticsFile file;
  for (auto [index, value] : llvm::enumerate(*norms)) {
    const llvm::json::Object *norm = value.getAsObject();
    std::optional<int64_t> layer =
        norm ? norm->getInteger("layer") : std::nullopt;
    const llvm::json::Object *ratio =
        norm ? norm->getObject("mean_over_std") : nullptr;
    std::optional<double> most = ratio ? ratio->getNumber("max") : std::nullopt;
    if (!layer || !most || !(*most >= 0))
      return llvm::createStringError(
          path + ": norms[" + llvm::Twine(index) +
          "]: expected 'layer' and a 'mean_over_std' with a 'max' of at "
          "least 0");
    double &known = file.maxOfLayer.try_emplace(*layer, 0.0).first->second;
    known = std::max(known, *most);
  }
  return file;
}

std::optional<double>
NormStatisticsFile::lookupMaxMeanOverStd(int64_t layer) const {
  auto found = maxOfLayer.find(layer);
  if (found == maxOfLayer.end())
    return std::nullopt;
  return found->second;
}
