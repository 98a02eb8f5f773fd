//===- PackageFolder.cpp - writes a folder and renames it -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PackageFolder.h"

#include "parablock/Engines/Device/ReadLaunchPlan.h"
#include "parablock/Files/AtomicFile.h"
#include "parablock/Files/Sha256.h"
#include "parablock/Support/AtomicOutput.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace parablock;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static Error refuse(StringRef path, std::error_code code) {
  return llvm::createStringError(code, path + ": " + code.message());
}

/// Checks that the destination may be replaced: nothing, an empty folder, a
/// package.
static Error checkDestination(StringRef path) {
  if (!fs::exists(path))
    return Error::success();
  std::error_code code;
  bool isEmpty = fs::is_directory(path) &&
                 fs::directory_iterator(path, code) == fs::directory_iterator();
  if (isEmpty || fs::exists(path + "/" + packageManifest))
    return Error::success();
  return llvm::createStringError(
      path + ": expected a package to replace, or nothing, got " +
      (fs::is_directory(path) ? "another folder" : "a file"));
}

Expected<PackageFolder> PackageFolder::create(StringRef path) {
  // "p/" is the folder "p".
  StringRef trimmed = path.rtrim('/');
  if (trimmed.empty() || trimmed == "-")
    return llvm::createStringError("'" + path +
                                   "': expected the name of a folder for the "
                                   "package");
  if (Error error = checkDestination(trimmed))
    return error;
  // For a relative name, LLVM would use the system's folder for temporary
  // files, from which a rename may fail.
  llvm::SmallString<128> place(trimmed), temporary;
  if (std::error_code code = fs::make_absolute(place))
    return refuse(path, code);
  if (std::error_code code =
          fs::createUniqueDirectory(place + ".partial", temporary))
    return refuse(path, code);
  // createUniqueDirectory makes it for one user alone.
  (void)fs::setPermissions(temporary, fs::perms(0777 & ~fs::getUmask()));
  PackageFolder folder;
  folder.destination = trimmed.str();
  folder.temporary = temporary.str().str();
  return folder;
}

PackageFolder::PackageFolder(PackageFolder &&other)
    : destination(std::move(other.destination)),
      temporary(std::move(other.temporary)) {
  other.temporary.clear();
}

PackageFolder::~PackageFolder() {
  if (!temporary.empty())
    (void)fs::remove_directories(temporary);
}

std::string PackageFolder::getPath(StringRef name) const {
  return temporary + "/" + name.str();
}

Expected<PackageFile> PackageFolder::write(StringRef name, StringRef contents) {
  if (Error error = writeFile(getPath(name), contents))
    return error;
  return PackageFile{name.str(), contents.size(),
                     files::computeSha256(contents)};
}

/// Maximum size of files to copy: a recipe, or its constants.
static constexpr uint64_t mostBytes = uint64_t(1) << 40;

Expected<PackageFile> PackageFolder::adopt(StringRef name) {
  std::string contents;
  if (Error error =
          toError(files::readWhole(getPath(name), mostBytes, contents)))
    return error;
  return PackageFile{name.str(), contents.size(),
                     files::computeSha256(contents)};
}

Error PackageFolder::keep() {
  // A folder cannot replace a nonempty one: the old one is moved aside first,
  // and restored if the new one cannot be moved.
  std::string aside;
  if (fs::exists(destination)) {
    aside = temporary + ".old";
    if (std::error_code code = fs::rename(destination, aside))
      return refuse(destination, code);
  }
  if (std::error_code code = fs::rename(temporary, destination)) {
    if (!aside.empty() && fs::rename(aside, destination))
      return llvm::createStringError(
          code, destination + ": " + code.message() +
                    "; what was there before is now in " + aside);
    return refuse(destination, code);
  }
  temporary.clear();
  if (!aside.empty())
    (void)fs::remove_directories(aside);
  return Error::success();
}
