//===- FakeNccl.cpp - NCCL between processes, by files --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For each collective, a rank writes its data to a file, and reads those of the
// others. PARABLOCK_FAKE_NCCL injects a fault:
//   die:N     the process ends without a word at its Nth thing
//   hang:N    it does not go on there
//   refuse    ranks cannot join
//
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"
#include "parablock/Engines/Launch/NcclAPI.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <unistd.h>

using namespace parablock;
using namespace parablock::nccl;
using fake::FakeDevice;
using fake::FakeStream;

// The launcher's own list of them: one that is missing here does not link.
extern "C" {
#define X(name, symbol, parameters)                                            \
  __attribute__((visibility("default"))) Result symbol parameters;
PARABLOCK_NCCL_FUNCTIONS(X)
#undef X
__attribute__((visibility("default")))
const char *ncclGetErrorString(Result result);
}

namespace {
using Bytes = std::vector<char>;

/// One thing that ranks do together.
struct Meeting {
  const char *name;
  cuda::Pointer input, output;
  /// The size of the input.
  size_t bytes;
  DataType type;
};

/// Data for another rank, or from it.
struct Message {
  cuda::Pointer address;
  size_t bytes;
  DataType type;
  int peer;
  bool isSent;
};

class FakeComm {
public:
  FakeComm(const char *folder, int rank, int count)
      : folder(folder), rank(rank), count(count) {}
  ~FakeComm();

  void join();
  cuda::Result run(const Meeting &meeting);
  cuda::Result run(const std::vector<Message> &messages);
  size_t getCount() const { return static_cast<size_t>(count); }

  std::atomic<Result> state = InProgress;
  std::atomic<bool> isAborted = false;

private:
  std::string getPath(const std::string &name, int which) const {
    return folder + "/" + name + "." + std::to_string(which);
  }
  void write(const std::string &name, llvm::StringRef text) const;
  /// Reads the data that the ranks wrote, in their order; empty if this rank
  /// was aborted.
  std::vector<std::string> readAll(const std::string &name) const;
  Bytes combine(const Meeting &meeting,
                const std::vector<std::string> &all) const;
  void misbehave();

  const std::string folder;
  const int rank, count;
  /// Meetings, and these and groups of messages.
  uint64_t number = 0, things = 0;
  /// Messages to each rank, and from it.
  std::map<int, uint64_t> sent, received;
  std::thread joining;
};
} // namespace

static FakeComm *unwrap(Comm comm) {
  return reinterpret_cast<FakeComm *>(comm);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// A file that appears whole.
void FakeComm::write(const std::string &name, llvm::StringRef text) const {
  std::string path = getPath(name, rank), temporary = path + ".partial";
  std::error_code code;
  llvm::raw_fd_ostream(temporary, code) << text;
  (void)llvm::sys::fs::rename(temporary, path);
}

std::vector<std::string> FakeComm::readAll(const std::string &name) const {
  std::vector<std::string> all;
  while (all.size() < static_cast<size_t>(count) && !isAborted) {
    auto buffer = llvm::MemoryBuffer::getFile(
        getPath(name, static_cast<int>(all.size())));
    if (buffer)
      all.push_back((*buffer)->getBuffer().str());
    else
      std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  if (isAborted)
    all.clear();
  return all;
}

FakeComm::~FakeComm() {
  if (joining.joinable())
    joining.join();
  if (isAborted)
    return;
  // The others may still read the last files.
  write("leave", "");
  if (rank != 0)
    return;
  for (int other = 1, tries = 0; other < count && tries < 200; ++tries)
    if (llvm::sys::fs::exists(getPath("leave", other)))
      ++other;
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  (void)llvm::sys::fs::remove_directories(folder);
}

void FakeComm::join() {
  joining = std::thread([this] {
    write("join", std::to_string(count));
    for (const std::string &other : readAll("join"))
      if (other != std::to_string(count)) {
        state = InvalidArgument;
        return;
      }
    state = isAborted ? SystemError : Success;
  });
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

void FakeComm::misbehave() {
  auto [how, when] =
      llvm::StringRef(fake::getVariable("PARABLOCK_FAKE_NCCL", "")).split(':');
  uint64_t wanted = 0;
  if (when.getAsInteger(10, wanted) || things != wanted)
    return;
  if (how == "die")
    _exit(9);
  while (how == "hang" && !isAborted)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Each rank's bytes behind a first line that is the same on all.
Bytes FakeComm::combine(const Meeting &meeting,
                        const std::vector<std::string> &all) const {
  llvm::StringRef name = meeting.name;
  Bytes result;
  std::vector<float> sum(meeting.bytes / sizeof(float));
  for (const std::string &text : all) {
    llvm::StringRef data = llvm::StringRef(text).split('\n').second;
    if (name == "all_gather") {
      result.insert(result.end(), data.begin(), data.end());
      continue;
    }
    for (size_t i = 0; i < sum.size(); ++i) {
      float value;
      std::memcpy(&value, data.data() + i * sizeof(value), sizeof(value));
      sum[i] += value;
    }
  }
  if (name == "all_gather")
    return result;
  size_t share = name == "all_reduce" ? sum.size() : sum.size() / count;
  size_t first = name == "all_reduce" ? 0 : share * static_cast<size_t>(rank);
  const char *begin = reinterpret_cast<const char *>(sum.data() + first);
  return Bytes(begin, begin + share * sizeof(float));
}

cuda::Result FakeComm::run(const Meeting &meeting) {
  ++number;
  ++things;
  misbehave();
  FakeDevice &device = FakeDevice::get();
  device.count(std::string("nccl ") + meeting.name);
  std::string text = std::string(meeting.name) + " " +
                     std::to_string(meeting.bytes) + " of type " +
                     std::to_string(meeting.type);
  size_t begin = text.size() + 1;
  text += "\n" + std::string(meeting.bytes, '\0');
  if (cuda::Result result =
          device.download(text.data() + begin, meeting.input, meeting.bytes))
    return result;
  std::string name = std::to_string(number);
  write(name, text);
  std::vector<std::string> all = readAll(name);
  // A rank that reached this point has read the earlier files.
  (void)llvm::sys::fs::remove(getPath(std::to_string(number - 1), rank));
  for (const std::string &other : all)
    if (other.compare(0, begin, text, 0, begin) != 0) {
      state = RemoteError;
      return cuda::LaunchFailed;
    }
  if (all.empty())
    return cuda::LaunchFailed;
  Bytes result = combine(meeting, all);
  return device.upload(meeting.output, result.data(), result.size());
}

/// All that is sent is there before anything is awaited.
cuda::Result FakeComm::run(const std::vector<Message> &messages) {
  ++things;
  misbehave();
  FakeDevice &device = FakeDevice::get();
  auto getName = [](int from, int to, uint64_t count) {
    return "from." + std::to_string(from) + "." + std::to_string(count) +
           ".to." + std::to_string(to);
  };
  for (const Message &message : messages) {
    if (!message.isSent)
      continue;
    device.count("nccl send");
    std::string text = std::to_string(message.type) + "\n";
    size_t begin = text.size();
    text.resize(begin + message.bytes);
    if (cuda::Result result = device.download(text.data() + begin,
                                              message.address, message.bytes))
      return result;
    write(getName(rank, message.peer, sent[message.peer]++), text);
  }
  for (const Message &message : messages) {
    if (message.isSent)
      continue;
    std::string path = getPath(
        getName(message.peer, rank, received[message.peer]++), message.peer);
    auto buffer = llvm::MemoryBuffer::getFile(path);
    for (; !buffer && !isAborted; buffer = llvm::MemoryBuffer::getFile(path))
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (!buffer)
      return cuda::LaunchFailed;
    auto [type, data] = (*buffer)->getBuffer().split('\n');
    // NCCL would wait forever, or write past the end.
    if (type != std::to_string(message.type) || data.size() != message.bytes) {
      state = RemoteError;
      return cuda::LaunchFailed;
    }
    (void)llvm::sys::fs::remove(path);
    if (cuda::Result result =
            device.upload(message.address, data.data(), data.size()))
      return result;
  }
  return cuda::Success;
}

static size_t getTypeSize(DataType type) {
  switch (type) {
  case Uint8:
    return 1;
  case Float16:
  case Bfloat16:
    return 2;
  case Int32:
  case Float32:
    return 4;
  case Int64:
    return 8;
  }
  return 1;
}

static Result enqueue(const char *name, const void *input, void *output,
                      size_t inputCount, DataType type, Comm comm,
                      cuda::Stream stream) {
  FakeComm *own = unwrap(comm);
  if (own->state != Success ||
      (std::strcmp(name, "all_gather") != 0 && type != Float32))
    return InvalidArgument;
  Meeting meeting{name, reinterpret_cast<cuda::Pointer>(input),
                  reinterpret_cast<cuda::Pointer>(output),
                  inputCount * getTypeSize(type), type};
  auto *on = reinterpret_cast<FakeStream *>(stream);
  // Ranks send in one order, also those of which another stream sent before.
  if (!on->isBehindOthers())
    return InvalidArgument;
  on->runInThread();
  return FakeDevice::get().enqueue(on, [=] { return own->run(meeting); })
             ? SystemError
             : Success;
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

Result ncclGetUniqueId(UniqueId *id) {
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("parablock-nccl", folder) ||
      folder.size() >= sizeof(id->bytes))
    return SystemError;
  *id = {};
  std::memcpy(id->bytes, folder.data(), folder.size());
  return Success;
}

Result ncclCommInitRankConfig(Comm *comm, int count, UniqueId id, int rank,
                              Config *config) {
  bool isSound = config->size == sizeof(Config) &&
                 config->magic == 0xcafebeef && config->version == 21400 &&
                 config->blocking == 0 && rank >= 0 && rank < count &&
                 id.bytes[sizeof(id.bytes) - 1] == 0;
  if (!isSound)
    return InvalidArgument;
  if (fake::getVariable("PARABLOCK_FAKE_NCCL", "") == "refuse")
    return SystemError;
  auto *made = new FakeComm(id.bytes, rank, count);
  made->join();
  *comm = reinterpret_cast<Comm>(made);
  return InProgress;
}

Result ncclAllReduce(const void *input, void *output, size_t count,
                     DataType type, Reduction, Comm comm, cuda::Stream stream) {
  return enqueue("all_reduce", input, output, count, type, comm, stream);
}

Result ncclReduceScatter(const void *input, void *output, size_t outputCount,
                         DataType type, Reduction, Comm comm,
                         cuda::Stream stream) {
  return enqueue("reduce_scatter", input, output,
                 outputCount * unwrap(comm)->getCount(), type, comm, stream);
}

Result ncclAllGather(const void *input, void *output, size_t inputCount,
                     DataType type, Comm comm, cuda::Stream stream) {
  return enqueue("all_gather", input, output, inputCount, type, comm, stream);
}

namespace {
/// The messages of a group that a thread began.
struct FakeGroup {
  int depth = 0;
  FakeComm *comm = nullptr;
  FakeStream *stream = nullptr;
  std::vector<Message> messages;
};
} // namespace

static thread_local FakeGroup group;

/// Outside of a group, ranks that send to each other would wait forever.
static Result addMessage(Message message, Comm comm, cuda::Stream stream) {
  FakeComm *own = unwrap(comm);
  auto *on = reinterpret_cast<FakeStream *>(stream);
  bool isOther = group.comm && (group.comm != own || group.stream != on);
  if (group.depth == 0 || isOther || own->state != Success ||
      message.peer < 0 || static_cast<size_t>(message.peer) >= own->getCount())
    return InvalidArgument;
  group.comm = own;
  group.stream = on;
  group.messages.push_back(message);
  return Success;
}

Result ncclGroupStart() {
  ++group.depth;
  return Success;
}

Result ncclGroupEnd() {
  if (group.depth == 0)
    return InvalidArgument;
  if (--group.depth != 0)
    return Success;
  FakeGroup own = std::move(group);
  group = {};
  if (!own.comm)
    return Success;
  if (!own.stream->isBehindOthers())
    return InvalidArgument;
  own.stream->runInThread();
  cuda::Result result = FakeDevice::get().enqueue(
      own.stream, [=] { return own.comm->run(own.messages); });
  return result ? SystemError : Success;
}

Result ncclSend(const void *input, size_t count, DataType type, int peer,
                Comm comm, cuda::Stream stream) {
  return addMessage({reinterpret_cast<cuda::Pointer>(input),
                     count * getTypeSize(type), type, peer, /*isSent=*/true},
                    comm, stream);
}

Result ncclRecv(void *output, size_t count, DataType type, int peer, Comm comm,
                cuda::Stream stream) {
  return addMessage({reinterpret_cast<cuda::Pointer>(output),
                     count * getTypeSize(type), type, peer, /*isSent=*/false},
                    comm, stream);
}

Result ncclCommGetAsyncError(Comm comm, Result *result) {
  *result = unwrap(comm)->state;
  return Success;
}

Result ncclCommAbort(Comm comm) {
  // Work that it ends may still look at it.
  unwrap(comm)->isAborted = true;
  return Success;
}

Result ncclCommDestroy(Comm comm) {
  delete unwrap(comm);
  return Success;
}

const char *ncclGetErrorString(Result result) {
  switch (result) {
  case SystemError:
    return "unhandled system error";
  case InvalidArgument:
    return "invalid argument";
  case RemoteError:
    return "remote process exited or there was a network error";
  default:
    return "no error";
  }
}
