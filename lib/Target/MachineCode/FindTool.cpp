//===- FindTool.cpp - searches folders and runs tools ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FindTool.h"

#include "parablock/Target/MachineCode/MissingToolError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace parablock;

char MissingToolError::ID;

void MissingToolError::log(raw_ostream &os) const {
  os << "cannot find " << tool << "; looked " << join(places, ", ");
}

std::error_code MissingToolError::convertToErrorCode() const {
  return std::make_error_code(std::errc::no_such_file_or_directory);
}

namespace {
/// Tries places one after the other, and records them.
class Search {
public:
  explicit Search(StringRef name) : name(name) {}

  /// In a folder, or in its bin folder. `place` describes the folder.
  void tryFolder(StringRef folder, const Twine &place) {
    places.push_back(place.str());
    for (StringRef below : {"bin", ""}) {
      SmallString<128> path(folder);
      sys::path::append(path, below, name);
      if (found.empty() && sys::fs::can_execute(path))
        found = path.str();
    }
  }

  /// In the folder that an environment variable names.
  void tryVariable(const char *variable) {
    std::optional<std::string> folder = sys::Process::GetEnv(variable);
    if (folder && !folder->empty())
      tryFolder(*folder, Twine("in ") + variable + " ('" + *folder + "')");
    else
      places.push_back((Twine("in ") + variable + " (not set)").str());
  }

  void tryPath() {
    places.push_back("on PATH");
    if (ErrorOr<std::string> path = sys::findProgramByName(name))
      found = *path;
  }

  Expected<std::string> finish() {
    if (found.empty())
      return make_error<MissingToolError>(name.str(), std::move(places));
    return found;
  }

private:
  StringRef name;
  std::string found;
  std::vector<std::string> places;
};
} // namespace

/// The folder of the program that runs.
static std::string getProgramFolder() {
  // The address is used only if the system cannot determine the path.
  std::string program = sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&getProgramFolder));
  return sys::path::parent_path(program).str();
}

Expected<std::string> parablock::findTool(StringRef name, StringRef cudaPath) {
  Search search(name);
  if (!cudaPath.empty()) {
    search.tryFolder(cudaPath, Twine("in '") + cudaPath + "'");
    return search.finish();
  }
  search.tryPath();
  search.tryVariable("CUDA_HOME");
  search.tryVariable("CUDA_PATH");
  std::string folder = getProgramFolder();
  search.tryFolder(folder, "in '" + folder + "'");
  return search.finish();
}

Expected<int> parablock::runTool(ArrayRef<StringRef> command, StringRef log) {
  std::optional<StringRef> streams[] = {StringRef(), log, log};
  std::string message;
  int code = sys::ExecuteAndWait(command.front(), command, std::nullopt,
                                 streams, /*SecondsToWait=*/0,
                                 /*MemoryLimit=*/0, &message);
  if (code < 0)
    return createStringError("cannot run '" + command.front() +
                             "': " + message);
  return code;
}
