//===- Package.cpp - opens packages and checks hashes ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Launch/Package.h"

#include "ManifestReader.h"
#include "parablock/Files/AtomicFile.h"
#include "parablock/Files/Sha256.h"
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

/// Maximum sizes of a manifest, and of a file of code: above any real one, and
/// small enough for memory.
static constexpr uint64_t mostManifestBytes = uint64_t(64) << 20;
static constexpr uint64_t mostCodeBytes = uint64_t(1) << 30;

const char *parablock::getLimitName(IndexLimit::Kind kind) {
  static constexpr const char *names[] = {"rows", "tokens", "bounds",
                                          "positions"};
  return names[kind];
}

bool launch::isPackage(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

std::string launch::formatManifestHash(const std::string &sha256) {
  return sha256 + "  " + packageManifest + "\n";
}

/// A manifest that is not the one that was written would be believed else.
static Status checkHash(const Package &package) {
  std::string path = package.path + "/" + packageHash, text;
  if (Status failure = files::readWhole(path, /*most=*/4096, text))
    return failure;
  if (text == launch::formatManifestHash(package.sha256))
    return {};
  size_t digits = text.find_first_not_of("0123456789abcdef");
  if (digits != package.sha256.size() ||
      text.compare(0, digits, package.sha256) == 0)
    return fail(path + ": expected the hash of " + packageManifest +
                ", as sha256sum writes it");
  return fail(package.path + "/" + packageManifest + ": expected the hash " +
              text.substr(0, digits) + " of " + packageHash + ", got " +
              package.sha256);
}

Status launch::readPackage(const std::string &path, Package &package) {
  package = Package();
  package.path = path;
  std::string manifest = path + "/" + packageManifest, text;
  if (Status failure = files::readWhole(manifest, mostManifestBytes, text))
    return failure;
  package.sha256 = files::computeSha256(text);
  Json root;
  if (Status failure = Json::parse(text, root))
    return fail(manifest + ": " + failure->text);
  if (Status failure = ManifestReader(root, package).read())
    return fail(manifest + ": " + failure->text);
  return checkHash(package);
}

Status launch::readPackageFile(const Package &package, const PackageFile &file,
                               std::string &bytes) {
  std::string path = package.path + "/" + file.name;
  if (Status failure = files::readWhole(path, mostCodeBytes, bytes))
    return failure;
  if (bytes.size() != file.bytes)
    return fail(path + ": expected " + std::to_string(file.bytes) +
                " bytes, got " + std::to_string(bytes.size()));
  std::string hash = files::computeSha256(bytes);
  if (hash != file.sha256)
    return fail(path + ": expected the hash " + file.sha256 + ", got " + hash);
  return {};
}
