//===- Package.cpp - a compiled function as a folder ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Launch/Package.h"

#include "ManifestReader.h"
#include "parablock/Launch/Sha256.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>

using namespace parablock;
using launch::fail;
using launch::Status;

const PackageCode *Package::findChip(const std::string &chip) const {
  for (const PackageCode &code : chips)
    if (code.chip == chip)
      return &code;
  return nullptr;
}

std::string Package::listChips() const {
  std::string text;
  for (const PackageCode &code : chips)
    text += (text.empty() ? "" : ", ") + code.chip;
  return text;
}

Status launch::readWholeFile(const std::string &path, std::string &bytes) {
  auto refuse = [&] { return fail(path + ": " + std::strerror(errno)); };
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return refuse();
  struct stat info;
  Status failure;
  if (fstat(fileno(file), &info) != 0) {
    failure = refuse();
  } else if (S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    failure = refuse();
  } else {
    bytes.resize(static_cast<size_t>(info.st_size));
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
    if (std::ferror(file))
      failure = refuse();
  }
  std::fclose(file);
  return failure;
}

bool launch::isPackage(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

Status launch::readPackage(const std::string &path, Package &package) {
  package = Package();
  package.path = path;
  std::string manifest = path + "/" + packageManifest, text;
  if (Status failure = readWholeFile(manifest, text))
    return failure;
  package.sha256 = computeSha256(text);
  Json root;
  if (Status failure = Json::parse(text, root))
    return fail(manifest + ": " + failure->text);
  if (Status failure = ManifestReader(root, package).read())
    return fail(manifest + ": " + failure->text);
  return {};
}

Status launch::readPackageFile(const Package &package, const PackageFile &file,
                               std::string &bytes) {
  std::string path = package.path + "/" + file.name;
  if (Status failure = readWholeFile(path, bytes))
    return failure;
  if (bytes.size() != file.bytes)
    return fail(path + ": expected " + std::to_string(file.bytes) +
                " bytes, got " + std::to_string(bytes.size()));
  std::string hash = computeSha256(bytes);
  if (hash != file.sha256)
    return fail(path + ": expected the hash " + file.sha256 + ", got " + hash);
  return {};
}
