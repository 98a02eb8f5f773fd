//===- World.cpp - collectives and stops of MPI ranks ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/MPI/World.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace parablock;
using namespace parablock::mpi;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Launchers
//===----------------------------------------------------------------------===//

static std::optional<unsigned> readNumber(const char *variable) {
  const char *text = std::getenv(variable);
  unsigned number = 0;
  if (!text || StringRef(text).getAsInteger(10, number))
    return std::nullopt;
  return number;
}

/// The first of these that there is.
static std::optional<unsigned>
readNumber(std::initializer_list<const char *> variables) {
  for (const char *variable : variables)
    if (std::optional<unsigned> number = readNumber(variable))
      return number;
  return std::nullopt;
}

/// Returns the number of processes that it started.
static unsigned readSize() {
  return readNumber({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}).value_or(1);
}

bool mpi::isLaunched() { return readSize() > 1; }

unsigned World::countRanksHere() {
  return std::max(1u,
                  readNumber({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"})
                      .value_or(1));
}

//===----------------------------------------------------------------------===//
// Joining and leaving
//===----------------------------------------------------------------------===//

/// The one world of the process: generated code and signals mean it.
static World *current = nullptr;
static char stoppedMessage[80] = "";

static void tellStopped() {
  ssize_t written = write(2, stoppedMessage, std::strlen(stoppedMessage));
  _exit(written < 0 ? 2 : 1);
}

Expected<std::unique_ptr<World>> World::join(std::chrono::seconds limit) {
  Expected<Library> library = Library::open();
  if (!library)
    return library.takeError();
  std::unique_ptr<World> world(new World(*library, limit));
  if (Error error = world->enter())
    return error;
  return world;
}

/// From here on this process is called so when it is ended.
void World::setName(const llvm::Twine &name) {
  std::snprintf(stoppedMessage, sizeof(stoppedMessage),
                "error: %s: stopped, as another rank failed\n",
                name.str().c_str());
  watchdog.setName(name.str());
}

Error World::enter() {
  setName("rank " +
          llvm::Twine(
              readNumber({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}).value_or(0)));
  // Launchers end the remaining ranks by these signals.
  llvm::sys::SetInterruptFunction(tellStopped);
  watchdog.begin("MPI_Init");
  // MPI_THREAD_SERIALIZED: one thread at a time calls MPI.
  constexpr int serialized = 2;
  int given = 0;
  int code = library.initThread(nullptr, nullptr, serialized, &given);
  watchdog.end();
  canSendBeside = given >= serialized;
  if (code != 0)
    return llvm::createStringError("MPI_Init failed with code " +
                                   llvm::Twine(code));
  library.commSetErrhandler(library.world, library.errorsReturn);
  library.commRank(library.world, &ownRank);
  library.commSize(library.world, &numRanks);
  if (static_cast<unsigned>(numRanks) != readSize())
    return llvm::createStringError(
        "expected " + llvm::Twine(readSize()) + " ranks, got " +
        llvm::Twine(numRanks) +
        ": the MPI library is another one than the launcher's; "
        "PARABLOCK_MPI_LIBRARY gives its path");
  setName("rank " + llvm::Twine(ownRank) + " of " + llvm::Twine(numRanks));
  current = this;
  return Error::success();
}

World::~World() {
  current = nullptr;
  if (!sender.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    isEnding = true;
  }
  wakeUp.notify_all();
  sender.join();
}

Error World::leave() {
  // Other ranks may wait for this one where no error can be sent.
  if (isRunning || hasLeft)
    return Error::success();
  hasLeft = true;
  watchdog.begin("MPI_Finalize");
  int code = library.finalize();
  watchdog.end();
  llvm::sys::SetInterruptFunction(nullptr);
  return check(code, "MPI_Finalize");
}

Error World::check(int code, StringRef function) const {
  if (code == 0)
    return Error::success();
  char text[512] = "";
  int length = 0;
  library.errorString(code, text, &length);
  return llvm::createStringError("rank " + llvm::Twine(ownRank) + " of " +
                                 llvm::Twine(numRanks) + ": " + function +
                                 " failed: " + text);
}

//===----------------------------------------------------------------------===//
// Agreeing
//===----------------------------------------------------------------------===//

Expected<std::vector<uint64_t>> World::gather(ArrayRef<uint64_t> own) {
  std::vector<uint64_t> mine(own.size() * numRanks), all(mine.size());
  llvm::copy(own, mine.begin() + own.size() * ownRank);
  watchdog.begin("a meeting of all ranks");
  int code =
      library.allreduce(mine.data(), all.data(), static_cast<int>(all.size()),
                        library.int64, library.sum, library.world);
  watchdog.end();
  if (Error error = check(code, "MPI_Allreduce"))
    return error;
  return all;
}

Error World::meet(Error own, ArrayRef<runner::RankFact> facts) {
  assert(facts.size() <= maxFacts && "a message holds no more");
  if (isOver || isRunning)
    return own;
  // Whether there is an error, then the facts.
  uint64_t message[1 + maxFacts] = {own ? 1u : 0u};
  for (auto [number, fact] : llvm::enumerate(facts))
    message[1 + number] = fact.hash;
  Expected<std::vector<uint64_t>> all = gather(message);
  if (!all)
    return llvm::joinErrors(std::move(own), all.takeError());
  auto get = [&](int rank, size_t field) {
    return (*all)[rank * std::size(message) + field];
  };
  auto fail = [&](const llvm::Twine &what) -> Error {
    isOver = true;
    return llvm::createStringError("rank " + llvm::Twine(ownRank) + " of " +
                                   llvm::Twine(numRanks) + ": " + what);
  };
  isOver = static_cast<bool>(own);
  if (own)
    return own;
  for (int rank = 0; rank < numRanks; ++rank)
    if (get(rank, 0) != 0)
      return fail("stopped, as rank " + llvm::Twine(rank) + " failed");
  for (auto [number, fact] : llvm::enumerate(facts))
    for (int rank = 1; rank < numRanks; ++rank)
      if (get(rank, 1 + number) != get(0, 1 + number))
        return fail("expected the same " + fact.name +
                    " on all ranks, but rank " + llvm::Twine(rank) +
                    " has other than rank 0");
  return own;
}

//===----------------------------------------------------------------------===//
// Generated code
//===----------------------------------------------------------------------===//

Error World::beginRuns(Error own) {
  if (Error error = meet(std::move(own), {}))
    return error;
  isRunning = true;
  counts = {};
  return Error::success();
}

SumCounts World::endRuns() {
  isRunning = false;
  return counts;
}

void World::recordTimes() {
  std::lock_guard<std::mutex> lock(mutex);
  recordsTimes = true;
}

std::vector<SumTime> World::takeTimes() {
  std::lock_guard<std::mutex> lock(mutex);
  recordsTimes = false;
  return std::exchange(times, {});
}

void World::addUp(const void *summand, void *sum, int count, uintptr_t type,
                  uintptr_t operation, uintptr_t world) {
  ++counts.awaited;
  // Sums have one order on all ranks.
  await(numStarted);
  addUp({summand, sum, count, type, operation, world});
}

uint64_t World::start(const void *summand, void *sum, int count, uintptr_t type,
                      uintptr_t operation, uintptr_t world) {
  Sum own{summand, sum, count, type, operation, world};
  if (!canSendBeside) {
    ++counts.awaited;
    addUp(own);
    return 0;
  }
  ++counts.started;
  if (!sender.joinable())
    sender = std::thread([this] { sendSums(); });
  uint64_t request;
  {
    std::lock_guard<std::mutex> lock(mutex);
    waiting.push_back(own);
    request = ++numStarted;
  }
  wakeUp.notify_all();
  return request;
}

void World::await(uint64_t request) {
  std::unique_lock<std::mutex> lock(mutex);
  wakeUp.wait(lock, [&] { return numComplete >= request; });
}

/// Nanoseconds of the steady clock.
static int64_t getNow() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void World::sendSums() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    wakeUp.wait(lock, [&] { return isEnding || !waiting.empty(); });
    if (waiting.empty())
      return;
    Sum sum = waiting.front();
    waiting.pop_front();
    lock.unlock();
    SumTime time{getNow(), 0};
    addUp(sum);
    time.end = getNow();
    lock.lock();
    if (recordsTimes)
      times.push_back(time);
    ++numComplete;
    wakeUp.notify_all();
  }
}

void World::addUp(const Sum &sum) {
  watchdog.begin("MPI_Allreduce");
  int code = library.allreduce(sum.summand, sum.sum, sum.count, sum.type,
                               sum.operation, sum.world);
  watchdog.end();
  endOnError(check(code, "MPI_Allreduce"));
}

/// Generated code has no way to fail.
void World::endOnError(Error error) const {
  if (!error)
    return;
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
  _exit(1);
}

/// Each rank finds both numbers by choices that all have, so they differ where
/// ranks computed other choices. MPI would not fail for fewer rows.
void World::checkCounts(const Parts &to, const Parts &from) {
  std::vector<uint64_t> own(to.counts, to.counts + numRanks);
  own.insert(own.end(), from.counts, from.counts + numRanks);
  Expected<std::vector<uint64_t>> all = gather(own);
  Error error = all ? Error::success() : all.takeError();
  for (int rank = 0; !error && rank < numRanks; ++rank)
    for (int other = 0; !error && other < numRanks; ++other)
      if ((*all)[(2 * rank) * numRanks + other] !=
          (*all)[(2 * other + 1) * numRanks + rank])
        error = llvm::createStringError(
            "rank " + llvm::Twine(ownRank) + " of " + llvm::Twine(numRanks) +
            ": expected the same choices of experts on all ranks, but rank " +
            llvm::Twine(rank) + " sends rank " + llvm::Twine(other) +
            " other rows than it expects");
  endOnError(std::move(error));
}

void World::exchange(const void *sent, const Parts &to, void *received,
                     const Parts &from, uintptr_t world) {
  ++counts.exchanged;
  await(numStarted);
  checkCounts(to, from);
  watchdog.begin("MPI_Alltoallv");
  int code = library.alltoallv(sent, to.counts, to.firsts, to.type, received,
                               from.counts, from.firsts, from.type, world);
  watchdog.end();
  endOnError(check(code, "MPI_Alltoallv"));
}

static int addUpInCurrentWorld(const void *summand, void *sum, int count,
                               uintptr_t type, uintptr_t operation,
                               uintptr_t world) {
  current->addUp(summand, sum, count, type, operation, world);
  return 0;
}

static int exchangeInCurrentWorld(const void *sent, const int *sentCounts,
                                  const int *sentFirsts, uintptr_t sentType,
                                  void *received, const int *receivedCounts,
                                  const int *receivedFirsts,
                                  uintptr_t receivedType, uintptr_t world) {
  current->exchange(sent, {sentCounts, sentFirsts, sentType}, received,
                    {receivedCounts, receivedFirsts, receivedType}, world);
  return 0;
}

static int startInCurrentWorld(const void *summand, void *sum, int count,
                               uintptr_t type, uintptr_t operation,
                               uintptr_t world, uint64_t *request) {
  *request = current->start(summand, sum, count, type, operation, world);
  return 0;
}

static int awaitInCurrentWorld(const uint64_t *request, void *) {
  current->await(*request);
  return 0;
}

void *World::findSymbol(StringRef name) const {
  if (name == "MPI_Allreduce")
    return reinterpret_cast<void *>(addUpInCurrentWorld);
  if (name == "MPI_Alltoallv")
    return reinterpret_cast<void *>(exchangeInCurrentWorld);
  if (name == "MPI_Iallreduce")
    return reinterpret_cast<void *>(startInCurrentWorld);
  if (name == "MPI_Wait")
    return reinterpret_cast<void *>(awaitInCurrentWorld);
  return library.find(name.str().c_str());
}
