//===- PackageRequest.cpp - opens the package of a request ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PackageRequest.h"

#include "parablock/Engines/Device/ReadLaunchPlan.h"

using namespace parablock;

llvm::Expected<std::shared_ptr<const Package>>
openPackage(runner::RunRequest &request) {
  if (!launch::isPackage(request.irPath))
    return nullptr;
  auto package = std::make_shared<Package>();
  if (llvm::Error error =
          toError(launch::readPackage(request.irPath, *package)))
    return error;
  std::string model;
  if (llvm::Error error =
          toError(launch::readPackageFile(*package, package->model, model)))
    return error;
  if (!request.functionName.empty() &&
      request.functionName != package->function)
    return llvm::createStringError(package->path + ": expected the function '" +
                                   package->function + "', got '" +
                                   request.functionName + "'");
  request.irPath = package->path + "/" + package->model.name;
  return package;
}
