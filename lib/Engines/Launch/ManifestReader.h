//===- ManifestReader.h - reads a package's manifest ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_MANIFESTREADER_H
#define PARABLOCK_LIB_LAUNCH_MANIFESTREADER_H

#include "parablock/Engines/Launch/Package.h"
#include "parablock/Files/Json.h"
#include <limits>

namespace parablock::launch {

using files::Json;

/// Checks everything that a launcher relies on: afterwards, every index is in
/// range. The first error is reported.
class ManifestReader {
public:
  ManifestReader(const Json &root, Package &package)
      : root(root), package(package) {}

  Status read();

private:
  // All of these do nothing after a fault, and return something harmless.
  void refuse(const std::string &text);
  const Json &get(const Json &object, const char *key, Json::Kind kind);
  const std::vector<Json> &getArray(const Json &object, const char *key);
  std::string getString(const Json &object, const char *key);
  int64_t getInteger(const Json &object, const char *key, int64_t least,
                     int64_t most);
  unsigned getTensor(const Json &value, const LaunchPlan &plan);
  std::vector<unsigned> getTensors(const Json &object, const char *key,
                                   const LaunchPlan &plan);

  void readTop();
  void readRecipes();
  void readWeights(const Json &object);
  PackageFile readFile(const Json &object, const char *key);
  std::optional<PackageFile> readOptionalFile(const Json &object,
                                              const char *key);
  PlanTensor readTensor(const Json &object);
  PackagePort readArgument(const Json &object);
  PackageCaches readCaches(const Json &object);
  PackageLimit readLimit(const Json &object, const PackagePort &port);
  PlanSize readSize(const Json &value);
  PlanSize readPart(const Json &value);
  PlanSize readStep(const Json &object);
  void readImages(const Json &object, PackageCode &code);
  PackageCode readCode(const Json &object);

  // ManifestPlans.cpp
  LaunchPlan readPlan(const Json &object);
  std::optional<unsigned> readOwner(const Json &value, const PlanTensor &view,
                                    const LaunchPlan &plan);
  PlanLaunch readLaunch(const Json &object, const LaunchPlan &plan);
  PlanKernel readKernel(const Json &object, const LaunchPlan &plan);
  PlanFewKernel readFewKernel(const Json &object, const LaunchPlan &plan);
  PlanReports readReports(const Json &object, const LaunchPlan &plan);
  PlanLaunch readRankStep(const Json &object);
  PlanArgument readArgument(const Json &object, const LaunchPlan &plan);
  std::pair<unsigned, unsigned> readDim(const Json &object,
                                        const LaunchPlan &plan);
  void checkRankStep(const PlanLaunch &launch, const LaunchPlan &plan);
  void checkRows(const PlanLaunch &launch, const LaunchPlan &plan);
  void checkWorkspaces(const LaunchPlan &plan);
  void checkPlan(const LaunchPlan &plan);

  /// No number in a manifest is larger.
  static constexpr int64_t largest = std::numeric_limits<int32_t>::max();

  const Json &root;
  Package &package;
  size_t numRanks = 1;
  Status fault;
  /// The current place, for the message.
  std::string place;
};

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_MANIFESTREADER_H
