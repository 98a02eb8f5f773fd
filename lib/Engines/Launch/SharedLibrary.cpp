//===- SharedLibrary.cpp - dlopen with readable errors --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SharedLibrary.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace parablock;
using launch::fail;
using launch::Fault;
using launch::SharedLibrary;
using launch::Status;

SharedLibrary::SharedLibrary(const char *subject, const char *version,
                             const char *variable, const char *fileName)
    : subject(subject), version(version) {
  const char *given = std::getenv(variable);
  path = given && *given ? given : fileName;
}

Status SharedLibrary::load() {
  handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle)
    return {};
  return fail("no " + subject + ": " + dlerror(), Fault::Missing);
}

void *SharedLibrary::getAddress(const char *symbol) const {
  return dlsym(handle, symbol);
}

Status SharedLibrary::missing(const char *symbol) const {
  return fail("'" + path + "' has no " + symbol + ", which " + version + " has",
              Fault::Missing);
}
