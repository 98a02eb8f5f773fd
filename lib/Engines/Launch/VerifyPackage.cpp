//===- VerifyPackage.cpp - checks files and plans of a package ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VerifyPackage.h"

#include "parablock/Engines/Launch/KernelSignature.h"
#include "parablock/Files/AtomicFile.h"
#include "parablock/Files/Sha256.h"
#include <algorithm>
#include <unistd.h>

using namespace parablock;
using namespace parablock::launch;

static Status checkPlan(const Package &package, const PackageCode &code,
                        const LaunchPlan &plan, const std::string &ptx) {
  std::vector<bool> parameters;
  for (const PackagePort &argument : package.arguments)
    parameters.push_back(argument.isParameter);
  Status failure = checkConstants(plan, parameters);
  if (!failure)
    failure = checkSignatures(plan, ptx);
  if (failure)
    return fail(package.path + "/" + packageManifest + ": chip '" + code.chip +
                "': " + failure->text);
  return {};
}

Status launch::readCode(const Package &package, const PackageCode &code,
                        const LaunchPlan &plan, std::string &ptx,
                        std::string &cubin) {
  if (Status failure = readPackageFile(package, code.ptx, ptx))
    return failure;
  if (ptx.find(".target " + code.getArchitecture() + "\n") == std::string::npos)
    return fail(package.path + "/" + code.ptx.name + ": expected code for " +
                code.chip + ", got another");
  if (Status failure = checkPlan(package, code, plan, ptx))
    return failure;
  return code.cubin ? readPackageFile(package, *code.cubin, cubin) : Status();
}

Status launch::openWeights(const Package &package, const std::string &path,
                           TensorStore &store) {
  if (Status failure = store.open(path))
    return failure;
  if (Status failure = files::checkWeightsForm(
          package.weights, files::readWeightsForm(store.getMetadata()), path))
    return failure;
  std::string place = path + ".sha256", text;
  bool isOwn = path == package.path + "/" + packageWeights;
  if (!isOwn && access(place.c_str(), F_OK) != 0)
    return {};
  if (Status failure = files::readWhole(place, /*most=*/4096, text))
    return failure;
  std::string hash = files::computeSha256(store.bytes());
  std::string wanted = text.substr(0, std::min(text.find(' '), hash.size()));
  if (wanted == hash)
    return {};
  return fail(path + ": expected the hash " + wanted + ", got " + hash);
}

Status launch::openConstants(const Package &package, const PackageFile &file,
                             TensorStore &store) {
  std::string path = package.path + "/" + file.name;
  if (Status failure = store.open(path))
    return failure;
  std::string hash = files::computeSha256(store.bytes());
  if (store.bytes().size() != file.bytes || hash != file.sha256)
    return fail(path + ": expected " + std::to_string(file.bytes) +
                " bytes of the hash " + file.sha256 + ", got " +
                std::to_string(store.bytes().size()) + " of " + hash);
  for (const PackagePort &port : package.arguments) {
    const StoredTensor *stored = store.find(port.tensor.name);
    PlanDims none;
    if (stored && port.isParameter)
      if (Status failure = store.check(port.tensor, *stored, none))
        return failure;
  }
  return {};
}

/// Packed weights of a package are next to the manifest.
static Status verifyWeights(const Package &package) {
  std::string path = package.path + "/" + packageWeights;
  if (access(path.c_str(), F_OK) != 0)
    return {};
  TensorStore store;
  if (Status failure = openWeights(package, path, store))
    return failure;
  for (const PackagePort &port : package.arguments) {
    if (!port.isParameter)
      continue;
    const StoredTensor *stored = store.find(port.tensor.name);
    if (!stored)
      return fail(path + ": expected tensor '" + port.tensor.name +
                  "', got none");
    PlanDims none;
    if (Status failure = store.check(port.tensor, *stored, none))
      return failure;
  }
  return {};
}

Status launch::verifyPackage(const Package &package) {
  std::string bytes, ptx;
  std::vector<PackageFile> files = package.recipes;
  files.push_back(package.model);
  for (const PackageCode &code : package.chips) {
    files.push_back(code.bitcode);
    for (const LaunchPlan &plan : code.plans)
      if (Status failure = readCode(package, code, plan, ptx, bytes))
        return failure;
  }
  for (const PackageFile &file : files)
    if (Status failure = readPackageFile(package, file, bytes))
      return failure;
  for (const std::optional<PackageFile> &file : package.constants) {
    TensorStore store;
    if (file)
      if (Status failure = openConstants(package, *file, store))
        return failure;
  }
  return verifyWeights(package);
}
