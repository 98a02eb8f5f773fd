//===- Meeting.cpp - exchanges ids through files --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Files of earlier runs may exist, so each rank draws a random number for this
// one. Rank R writes its number to `rank.R`; the first rank writes `id` for the
// ranks whose numbers it has read, again whenever these change; a rank that
// finds its own number there takes the id and writes the first rank's number to
// `ready.R`. Once all are ready, the first removes the files.
//
//===----------------------------------------------------------------------===//

#include "Meeting.h"

#include "parablock/Engines/Launch/Package.h"
#include "parablock/Engines/Launch/TensorStore.h"
#include "parablock/Files/AtomicFile.h"
#include <cstdio>
#include <cstring>
#include <random>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace parablock;
using namespace parablock::launch;
using Clock = std::chrono::steady_clock;

static std::string drawNumber() {
  std::random_device source;
  uint64_t number = uint64_t(source()) << 32 | source();
  // At least two processes differ even without a random source.
  number ^= static_cast<uint64_t>(
      std::chrono::system_clock::now().time_since_epoch().count());
  return std::to_string(number);
}

namespace {
class Meeting {
public:
  Meeting(const std::string &folder, RankOf own,
          std::chrono::milliseconds limit)
      : folder(folder), own(own), end(Clock::now() + limit), limit(limit),
        number(drawNumber()) {}

  Status lead(const nccl::UniqueId &id);
  Status follow(nccl::UniqueId &id);

private:
  std::string getPath(const std::string &name, int rank) const {
    return folder + "/" + name + "." + std::to_string(rank);
  }
  std::string getIdPath() const { return folder + "/id"; }
  /// Returns an empty text if there is no such file.
  static std::string read(const std::string &path) {
    std::string text;
    // A line for each of thousands of ranks.
    constexpr uint64_t most = 1 << 20;
    return files::readWhole(path, most, text) ? std::string() : text;
  }
  Status pause(const std::string &others) const;
  bool areAllReady(int &missing) const;
  void removeFiles() const;

  const std::string &folder;
  const RankOf own;
  const Clock::time_point end;
  const std::chrono::milliseconds limit;
  const std::string number;
};
} // namespace

/// A failure when the time is over.
Status Meeting::pause(const std::string &others) const {
  if (Clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return {};
  }
  return fail(
      "rank " + std::to_string(own.rank) + " of " + std::to_string(own.count) +
      ": waited " +
      std::to_string(
          std::chrono::duration_cast<std::chrono::seconds>(limit).count()) +
      " s for " + others + " in " + folder);
}

bool Meeting::areAllReady(int &missing) const {
  for (missing = 1; missing < own.count; ++missing)
    if (read(getPath("ready", missing)) != number)
      return false;
  return true;
}

void Meeting::removeFiles() const {
  std::remove(getIdPath().c_str());
  for (int rank = 1; rank < own.count; ++rank) {
    std::remove(getPath("rank", rank).c_str());
    std::remove(getPath("ready", rank).c_str());
  }
}

Status Meeting::lead(const nccl::UniqueId &id) {
  // The id, this rank's number and those of the others, one per line.
  std::string written;
  int missing = 0;
  while (!areAllReady(missing)) {
    std::string text(id.bytes, sizeof(id.bytes));
    text += "\n" + number + "\n";
    for (int rank = 1; rank < own.count; ++rank)
      text += read(getPath("rank", rank)) + "\n";
    if (text != written) {
      if (Status failure = writeText(getIdPath(), text))
        return failure;
      written = text;
    }
    if (Status failure = pause("rank " + std::to_string(missing)))
      return failure;
  }
  removeFiles();
  return {};
}

Status Meeting::follow(nccl::UniqueId &id) {
  if (Status failure = writeText(getPath("rank", own.rank), number))
    return failure;
  while (true) {
    std::string text = read(getIdPath());
    // Lines behind the id, which may itself hold line ends.
    size_t line = std::min(text.size(), sizeof(id.bytes)) + 1;
    std::string leader;
    for (int rank = 0; line < text.size(); ++rank) {
      size_t end = std::min(text.find('\n', line), text.size());
      std::string word = text.substr(line, end - line);
      line = end + 1;
      if (rank == 0)
        leader = word;
      if (rank != own.rank || word != number)
        continue;
      std::memcpy(id.bytes, text.data(), sizeof(id.bytes));
      return writeText(getPath("ready", own.rank), leader);
    }
    if (Status failure = pause("rank 0"))
      return failure;
  }
}

/// A user with write access could give a rank another group's id.
static Status checkFolder(const std::string &folder) {
  struct stat info;
  if (stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
    return fail(folder + ": expected a folder in which ranks meet");
  if (info.st_uid == geteuid() && (info.st_mode & 077) == 0)
    return {};
  char mode[8];
  std::snprintf(mode, sizeof(mode), "%03o",
                static_cast<unsigned>(info.st_mode & 0777));
  return fail(folder +
              ": expected a folder of this user alone (mode 700), got one " +
              (info.st_uid == geteuid() ? std::string("of mode ") + mode
                                        : std::string("of another user")));
}

Status launch::meetInFolder(const std::string &folder, RankOf own,
                            std::chrono::milliseconds limit,
                            nccl::UniqueId &id) {
  if (Status failure = checkFolder(folder))
    return failure;
  Meeting meeting(folder, own, limit);
  if (own.rank != 0) {
    // Missing libraries are reported before others wait for this rank.
    if (Status failure = Nccl().load())
      return failure;
    return meeting.follow(id);
  }
  if (Status failure = RankGroup::makeId(id))
    return failure;
  return meeting.lead(id);
}
