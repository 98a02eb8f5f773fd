//===- VerifyPackage.cpp - whether a package is whole ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VerifyPackage.h"

#include "parablock/Launch/KernelSignature.h"

using namespace parablock;
using namespace parablock::launch;

static Status checkPlan(const Package &package, const PackageCode &code,
                        const LaunchPlan &plan, const std::string &ptx) {
  if (Status failure = checkSignatures(plan, ptx))
    return fail(package.path + "/" + packageManifest + ": chip '" + code.chip +
                "': " + failure->text);
  return {};
}

Status launch::readCode(const Package &package, const PackageCode &code,
                        const LaunchPlan &plan, std::string &ptx,
                        std::string &cubin) {
  if (Status failure = readPackageFile(package, code.ptx, ptx))
    return failure;
  if (ptx.find(".target " + code.chip + "\n") == std::string::npos)
    return fail(package.path + "/" + code.ptx.name + ": expected code for " +
                code.chip + ", got another");
  if (Status failure = checkPlan(package, code, plan, ptx))
    return failure;
  return code.cubin ? readPackageFile(package, *code.cubin, cubin) : Status();
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
  return {};
}
