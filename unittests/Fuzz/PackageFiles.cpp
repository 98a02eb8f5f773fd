//===- PackageFiles.cpp - a package to damage -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PackageFiles.h"

#include "parablock/Engines/Launch/Package.h"
#include "parablock/Files/Sha256.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace parablock;
using namespace parablock::fuzz;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static constexpr char weightsName[] = "w.safetensors";
/// The record of a missing file: no file has these bytes.
static const std::string nowhere = "\nno file\n";

static std::string getPath(const PackageFiles &files, const std::string &name) {
  return name == weightsName ? files.weightsPath()
                             : files.folder() + "/" + name;
}

static void store(const std::string &path, StringRef bytes) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  os << bytes;
}

llvm::Expected<PackageFiles>
PackageFiles::read(StringRef package, StringRef weights, StringRef scratch) {
  PackageFiles files;
  files.scratch = scratch.str();
  if (!fs::exists(package + "/" + packageManifest))
    return llvm::createStringError("expected a package, got '" + package + "'");
  std::map<std::string, std::string> paths = {{weightsName, weights.str()}};
  std::error_code code;
  for (fs::directory_iterator at(package, code), end; at != end && !code;
       at.increment(code))
    paths[llvm::sys::path::filename(at->path()).str()] = at->path();
  fs::create_directories(files.folder());
  for (const auto &[name, path] : paths) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      return llvm::createStringError(path + ": " + buffer.getError().message());
    files.original[name] = (*buffer)->getBuffer().str();
    files.allNames.push_back(name);
    store(getPath(files, name), files.original[name]);
  }
  files.current = files.original;
  files.readRecords();
  return files;
}

void PackageFiles::write(const std::string &name, std::string bytes) {
  // What is there now may be a folder, or a link to elsewhere.
  std::string path = getPath(*this, name);
  fs::remove_directories(path);
  unlink(path.c_str());
  store(path, bytes);
  current[name] = std::move(bytes);
  touched.push_back(name);
}

/// The objects that record files.
static void forEachFile(llvm::json::Value &value,
                        llvm::function_ref<void(llvm::json::Object &)> visit) {
  if (llvm::json::Array *array = value.getAsArray())
    for (llvm::json::Value &element : *array)
      forEachFile(element, visit);
  llvm::json::Object *object = value.getAsObject();
  if (!object)
    return;
  if (object->getString("sha256"))
    visit(*object);
  for (auto &entry : *object)
    forEachFile(entry.second, visit);
}

/// Nothing where a manifest was damaged so that it is no JSON.
static std::optional<llvm::json::Value> parse(StringRef manifest) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(manifest);
  if (value)
    return std::move(*value);
  llvm::consumeError(value.takeError());
  return std::nullopt;
}

void PackageFiles::rehash(const std::string &name) {
  std::optional<llvm::json::Value> manifest = parse(current[packageManifest]);
  if (!manifest)
    return;
  forEachFile(*manifest, [&](llvm::json::Object &file) {
    if (file.getString("file") != name)
      return;
    file["bytes"] = current[name].size();
    file["sha256"] = files::computeSha256(current[name]);
  });
  std::string text;
  llvm::raw_string_ostream(text) << *manifest;
  write(packageManifest, std::move(text));
}

void PackageFiles::readRecords() {
  recorded.clear();
  for (const char *name : {packageManifest, packageHash})
    recorded.emplace(name, files::computeSha256(current[name]));
  std::optional<llvm::json::Value> manifest = parse(current[packageManifest]);
  if (!manifest)
    return;
  forEachFile(*manifest, [&](llvm::json::Object &file) {
    if (std::optional<StringRef> name = file.getString("file"))
      recorded.emplace(name->str(), file.getString("sha256")->str());
  });
}

void PackageFiles::sign() {
  write(packageHash, launch::formatManifestHash(
                         files::computeSha256(current[packageManifest])));
  readRecords();
}

void PackageFiles::replaceBySpecial(const std::string &name, unsigned kind) {
  std::string path = getPath(*this, name), beside = path + ".beside";
  if (kind == 7) {
    // Beside the package's files there may be others.
    store(path + ".other", "other");
    return;
  }
  fs::remove_directories(path);
  unlink(path.c_str());
  touched.push_back(name);
  std::string bytes = std::move(current[name]);
  current[name] = nowhere;
  switch (kind) {
  case 0:
    return;
  case 1:
    mkdir(path.c_str(), 0700);
    return;
  case 2:
    mkfifo(path.c_str(), 0600);
    return;
  case 3:
    (void)!symlink("/dev/zero", path.c_str());
    return;
  case 4:
    (void)!symlink(path.c_str(), path.c_str());
    return;
  case 5:
    (void)!symlink("/nowhere", path.c_str());
    return;
  default:
    // A link to the same bytes is as good as the file.
    store(beside, bytes);
    (void)!symlink(beside.c_str(), path.c_str());
    current[name] = std::move(bytes);
  }
}

bool PackageFiles::isOther(const std::string &name) const {
  if (!llvm::is_contained(touched, name))
    return false;
  auto [record, end] = recorded.equal_range(name);
  std::string hash = files::computeSha256(current.at(name));
  return std::any_of(record, end,
                     [&](const auto &entry) { return entry.second != hash; });
}

bool PackageFiles::isChanged() const {
  return llvm::any_of(allNames, [&](const std::string &name) {
    return name != weightsName && current.at(name) != original.at(name);
  });
}

bool PackageFiles::isDamaged() const {
  return llvm::any_of(allNames, [&](const std::string &name) {
    return name != weightsName && isOther(name);
  });
}

bool PackageFiles::isCodeDamaged() const {
  return llvm::any_of(allNames, [&](const std::string &name) {
    StringRef own = name;
    // The stand-in takes the other chip's code only where its own is not there.
    return (own.starts_with("manifest") || own.starts_with("sm_80.")) &&
           !own.ends_with(".bc") && isOther(name);
  });
}

void PackageFiles::restore() {
  for (const std::string &name : std::exchange(touched, {}))
    write(name, original[name]);
  touched.clear();
  for (const std::string &name : allNames)
    for (const char *added : {".beside", ".other"})
      unlink((getPath(*this, name) + added).c_str());
  current = original;
  readRecords();
}
