//===- EmulatorBarrierTest.cpp - Barriers, barrier objects, clusters ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestDevice.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;
using llvm::Twine;

/// Runs `body`, which stores one i32 per thread through %p, and compares.
template <typename Expected>
static LaunchResult checkThreads(llvm::StringRef name, const Twine &body,
                                 LaunchConfig config, Expected expected,
                                 bool clean = true) {
  TestDevice device;
  uint64_t count = config.block.volume() * config.grid.volume();
  auto *out = device.makeRoom<uint32_t>(count, "out");
  std::string kernel = makeKernel(
      "ptr addrspace(1) %out",
      "  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
      "  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
      "  %base = mul i32 %cta, %ntid\n"
      "  %i = add i32 %base, %tid\n"
      "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i\n"
      "  %mine = getelementptr i32, ptr addrspace(3) @dyn, i32 %tid\n"
      "  %bar = getelementptr i8, ptr addrspace(3) @dyn, i32 4096\n"
      "  %first = icmp eq i32 %tid, 0\n" +
          body);
  LaunchResult result =
      run(device, kernel, "k", config, {KernelArgument::of(out)});
  if (clean)
    EXPECT_THAT(result, IsClean()) << name.str();
  std::vector<uint32_t> got = device.get(out, count);
  for (uint64_t i = 0; i < count; ++i)
    if (got[i] != expected(static_cast<uint32_t>(i))) {
      EXPECT_EQ(got[i], expected(static_cast<uint32_t>(i)))
          << (name + ": thread " + Twine(i)).str();
      break;
    }
  return result;
}

/// Any values.
static LaunchResult runThreads(const Twine &body, LaunchConfig config) {
  TestDevice device;
  std::string kernel = makeKernel(
      "", "  %bar = getelementptr i8, ptr addrspace(3) @dyn, i32 4096\n"
          "  %first = icmp eq i32 %tid, 0\n" +
              body);
  return run(device, kernel, "k", config, {});
}

static LaunchConfig clusterOf(uint32_t size, uint32_t threads) {
  LaunchConfig config = oneCta(threads, 8192);
  config.grid.x = config.cluster.x = size;
  return config;
}

//===----------------------------------------------------------------------===//
// Barriers of the CTA
//===----------------------------------------------------------------------===//

TEST(EmulatorBarrierTest, NamedBarriersOrderThreads) {
  // Warp 0 and 1 exchange at barrier 1, warps 2 and 3 at barrier 2.
  checkThreads(
      "barrier for some",
      "  store i32 %i, ptr addrspace(3) %mine\n"
      "  %half = lshr i32 %tid, 6\n"
      "  %id = add i32 %half, 1\n"
      "  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %id, i32 64)\n"
      "  %other = xor i32 %tid, 32\n"
      "  %q = getelementptr i32, ptr addrspace(3) @dyn, i32 %other\n"
      "  %v = load i32, ptr addrspace(3) %q\n"
      "  store i32 %v, ptr addrspace(1) %p\n",
      oneCta(128, 8192), [](uint32_t i) { return i ^ 32; });
  // Warp 0 arrives and goes on, warp 1 waits for what it wrote.
  checkThreads(
      "arrive and sync",
      "  %producer = icmp ult i32 %tid, 32\n"
      "  store i32 %i, ptr addrspace(1) %p\n"
      "  br i1 %producer, label %produce, label %consume\n"
      "produce:\n"
      "  store i32 %i, ptr addrspace(3) %mine\n"
      "  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 3, i32 64)\n"
      "  br label %done\n"
      "consume:\n"
      "  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 3, i32 64)\n"
      "  %q = getelementptr i32, ptr addrspace(3) @dyn, i32 %lane\n"
      "  %v = load i32, ptr addrspace(3) %q\n"
      "  store i32 %v, ptr addrspace(1) %p\n"
      "  br label %done\n"
      "done:\n",
      oneCta(64, 8192), [](uint32_t i) { return i % 32; });
  auto reduction = [](llvm::StringRef op, bool isCount) {
    return ("  %c = icmp ult i32 %tid, 40\n"
            "  %v = call " +
            Twine(isCount ? "i32" : "i1") + " @llvm.nvvm.barrier.cta.red." +
            op + ".aligned.all(i32 0, i1 %c)\n  %r = " +
            (isCount ? "add i32 %v, 0" : "zext i1 %v to i32") +
            "\n  store i32 %r, ptr addrspace(1) %p\n")
        .str();
  };
  checkThreads("barrier.red.popc", reduction("popc", true), oneCta(64),
               [](uint32_t) { return 40u; });
  checkThreads("barrier.red.and", reduction("and", false), oneCta(64),
               [](uint32_t) { return 0u; });
  checkThreads("barrier.red.or", reduction("or", false), oneCta(64),
               [](uint32_t) { return 1u; });
  // Threads that have ended do not hold up the others.
  checkThreads("barrier without those that ended",
               "  store i32 7, ptr addrspace(1) %p\n"
               "  %ends = icmp ult i32 %tid, 32\n"
               "  br i1 %ends, label %done, label %go\n"
               "go:\n"
               "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
               "  br label %done\n"
               "done:\n",
               oneCta(64), [](uint32_t) { return 7u; });
}

TEST(EmulatorBarrierTest, MisuseOfNamedBarriersIsReported) {
  auto barrier = [](int id, const char *count) {
    return ("  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 " +
            Twine(id) + ", i32 " + count + ")\n")
        .str();
  };
  EXPECT_THAT(runThreads(barrier(16, "32"), oneCta(32)),
              Reports(ReportKind::BarrierMisuse, "barrier.cta.sync",
                      "there is no barrier 16"))
      << "barrier 16";
  EXPECT_THAT(runThreads(barrier(1, "33"), oneCta(64)),
              Reports(ReportKind::BarrierMisuse, "", "for 33 threads"))
      << "odd count";
  EXPECT_THAT(runThreads("  %low = icmp ult i32 %tid, 32\n"
                         "  %n = select i1 %low, i32 64, i32 96\n" +
                             barrier(1, "%n"),
                         oneCta(96)),
              Reports(ReportKind::BarrierMisuse, "",
                      "where the first to arrive said 64"))
      << "different counts";
  EXPECT_THAT(runThreads("  %low = icmp ult i32 %tid, 32\n"
                         "  br i1 %low, label %sync, label %done\n"
                         "sync:\n" +
                             barrier(5, "64") + "  br label %done\ndone:\n",
                         oneCta(64)),
              Reports(ReportKind::Deadlock, "barrier.cta.sync",
                      "threads 0-31 wait for barrier 5, where 32 of 64 have "
                      "arrived"))
      << "one warp is missing";
}

//===----------------------------------------------------------------------===//
// Barrier objects
//===----------------------------------------------------------------------===//

/// Thread 0 makes %bar for `count` arrivals.
static std::string makeObject(const Twine &count, bool fenced = true) {
  return ("  br i1 %first, label %init, label %made\n"
          "init:\n"
          "  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %bar, "
          "i32 " +
          count + ")\n" +
          (fenced ? "  call void @llvm.nvvm.fence.mbarrier_init.release."
                    "cluster()\n"
                  : "") +
          "  br label %made\n"
          "made:\n"
          "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n")
      .str();
}

static std::string waitFor(int parity, const char *suffix = "") {
  return ("  %w" + Twine(suffix) +
          " = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta("
          "ptr addrspace(3) %bar, i32 " +
          Twine(parity) + ")\n")
      .str();
}

static const char *arriveOnce =
    "  %s = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) "
    "%bar)\n";

TEST(EmulatorBarrierTest, BarrierObjectsCountArrivalsAndBytes) {
  std::string readOther =
      "  %other = xor i32 %tid, 33\n"
      "  %q = getelementptr i32, ptr addrspace(3) @dyn, i32 %other\n"
      "  %v = load i32, ptr addrspace(3) %q\n"
      "  store i32 %v, ptr addrspace(1) %p\n";
  auto other = [](uint32_t i) { return i ^ 33; };
  checkThreads("mbarrier by parity",
               makeObject("64") + "  store i32 %i, ptr addrspace(3) %mine\n" +
                   arriveOnce + waitFor(0) + readOther,
               oneCta(64, 8192), other);
  checkThreads("mbarrier by state",
               makeObject("64") + "  store i32 %i, ptr addrspace(3) %mine\n" +
                   arriveOnce +
                   "  br label %again\n"
                   "again:\n"
                   "  %t = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr "
                   "addrspace(3) %bar, i64 %s)\n"
                   "  br i1 %t, label %passed, label %again\n"
                   "passed:\n" +
                   readOther,
               oneCta(64, 8192), other);
  // Two arrivals by each of 32 threads, and bytes that thread 0 announces and
  // takes back.
  checkThreads(
      "arrivals by number and bytes",
      makeObject("64") +
          "  store i32 %i, ptr addrspace(1) %p\n"
          "  br i1 %first, label %bytes, label %counted\n"
          "bytes:\n"
          "  call void @llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr "
          "addrspace(3) %bar, i32 100)\n"
          "  br label %counted\n"
          "counted:\n"
          "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
          "  %s = call i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr "
          "addrspace(3) %bar, i32 2)\n"
          "  br i1 %first, label %complete, label %wait\n"
          "complete:\n"
          "  call void @llvm.nvvm.mbarrier.complete.tx.scope.cta.space.cta(ptr "
          "addrspace(3) %bar, i32 100)\n"
          "  br label %wait\n"
          "wait:\n" +
          waitFor(0),
      oneCta(32, 8192), [](uint32_t i) { return i; });
  // After a drop of 32, the next phase needs the other 32 only.
  checkThreads("dropped arrivals",
               makeObject("64") +
                   "  store i32 %i, ptr addrspace(1) %p\n"
                   "  %low = icmp ult i32 %tid, 32\n"
                   "  br i1 %low, label %drop, label %stay\n"
                   "drop:\n"
                   "  %d = call i64 @llvm.nvvm.mbarrier.arrive.drop.shared(ptr "
                   "addrspace(3) %bar)\n"
                   "  br label %end\n"
                   "stay:\n" +
                   arriveOnce + waitFor(0) +
                   "  %s2 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr "
                   "addrspace(3) %bar)\n" +
                   waitFor(1, "2") +
                   "  br label %end\n"
                   "end:\n",
               oneCta(64, 8192), [](uint32_t i) { return i; });
}

TEST(EmulatorBarrierTest, MisuseOfBarrierObjectsIsReported) {
  EXPECT_THAT(
      runThreads(arriveOnce, oneCta(32, 8192)),
      Reports(ReportKind::BarrierMisuse, "mbarrier.arrive",
              "no mbarrier has been initialised at shared memory + 4096"))
      << "no mbarrier";
  EXPECT_THAT(
      runThreads(makeObject("16") +
                     "  %s = call i64 @llvm.nvvm.mbarrier.arrive."
                     "scope.cta.space.cta(ptr addrspace(3) %bar, i32 "
                     "17)\n",
                 oneCta(32, 8192)),
      Reports(ReportKind::BarrierMisuse, "mbarrier.arrive",
              "17 arrivals at the mbarrier at shared memory + 4096, which "
              "awaits 16 of 16"))
      << "too many arrivals";
  EXPECT_THAT(
      runThreads(makeObject("33") + arriveOnce + waitFor(0), oneCta(32, 8192)),
      Reports(ReportKind::Deadlock, "mbarrier.try.wait",
              "threads 0-31 wait for parity 0 of the mbarrier at shared "
              "memory + 4096, whose phase 0 lacks 1 of 33 arrivals and 0 "
              "bytes"))
      << "phase that never ends";
  EXPECT_THAT(runThreads(makeObject("33") +
                             "  br label %again\n"
                             "again:\n"
                             "  %t = call i1 @llvm.nvvm.mbarrier.test.wait."
                             "parity.scope.cta.space.cta(ptr addrspace(3) "
                             "%bar, i32 0)\n"
                             "  br i1 %t, label %passed, label %again\n"
                             "passed:\n",
                         oneCta(32, 8192)),
              Reports(ReportKind::Deadlock, "mbarrier.test.wait", "polling"))
      << "polling for ever";
  EXPECT_THAT(runThreads(makeObject("0"), oneCta(32, 8192)),
              Reports(ReportKind::BadOperand, "mbarrier.init", "0 arrivals"))
      << "count of 0";
  EXPECT_THAT(
      runThreads(makeObject("32") + "  store i32 0, ptr addrspace(3) %bar\n",
                 oneCta(32, 8192)),
      Reports(ReportKind::BarrierMisuse, "store", "part of an mbarrier"))
      << "overwritten mbarrier";
  EXPECT_THAT(
      runThreads(dropLine(makeObject("32"), "barrier.cta.sync") + arriveOnce,
                 oneCta(32, 8192)),
      Reports(ReportKind::Race, "mbarrier.arrive", "initialisation"))
      << "use before it is known to be made";
  EXPECT_THAT(runThreads("  %odd = getelementptr i8, ptr addrspace(3) %bar, "
                         "i32 4\n" +
                             replaceIn(makeObject("32"), "%bar", "%odd"),
                         oneCta(32, 8192)),
              Reports(ReportKind::Misaligned, "mbarrier.init", "multiple of 8"))
      << "misaligned mbarrier";
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

static const char *clusterSync =
    "  call void @llvm.nvvm.barrier.cluster.arrive.aligned()\n"
    "  call void @llvm.nvvm.barrier.cluster.wait.aligned()\n";

TEST(EmulatorBarrierTest, ClustersExchangeSharedMemory) {
  std::string mapNext =
      "  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()\n"
      "  %r1 = add i32 %rank, 1\n"
      "  %next = and i32 %r1, 3\n"
      "  %remote = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr "
      "addrspace(3) %mine, i32 %next)\n";
  std::string exchange = "  store i32 %i, ptr addrspace(3) %mine\n" +
                         std::string(clusterSync) + mapNext +
                         "  %v = load i32, ptr addrspace(7) %remote\n"
                         "  store i32 %v, ptr addrspace(1) %p\n" +
                         clusterSync;
  auto next = [](uint32_t i) { return (i + 32) % 128; };
  checkThreads("reading the neighbour", exchange, clusterOf(4, 32), next);
  checkThreads("writing to the neighbour",
               mapNext + "  store i32 %i, ptr addrspace(7) %remote\n" +
                   clusterSync +
                   "  %v = load i32, ptr addrspace(3) %mine\n"
                   "  store i32 %v, ptr addrspace(1) %p\n",
               clusterOf(4, 32), [](uint32_t i) { return (i + 96) % 128; });
  EXPECT_THAT(
      runThreads("  %mine = getelementptr i32, ptr addrspace(3) "
                 "@dyn, i32 %tid\n" +
                     mapNext +
                     "  %v = load i32, ptr addrspace(7) %remote\n"
                     "  store i32 %v, ptr addrspace(3) %mine\n" +
                     clusterSync,
                 clusterOf(4, 32)),
      Reports(ReportKind::Race, "", "of the cluster is not ordered after the"))
      << "reading the neighbour too early";
}

TEST(EmulatorBarrierTest, ArrivalsMayComeFromOtherCtas) {
  // Every thread of 2 CTAs arrives at the barrier of CTA 0.
  auto arrivals = [](const Twine &arrive, bool fenced) {
    return makeObject("64", fenced) + clusterSync + arrive.str() +
           "  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()\n"
           "  %isHome = icmp eq i32 %rank, 0\n"
           "  store i32 %i, ptr addrspace(1) %p\n"
           "  br i1 %isHome, label %home, label %end\n"
           "home:\n" +
           waitFor(0) +
           "  br label %end\n"
           "end:\n" +
           clusterSync;
  };
  const char *byIntrinsic =
      "  %remote = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr "
      "addrspace(3) %bar, i32 0)\n"
      "  call void @llvm.nvvm.mbarrier.arrive.scope.cluster.space.cluster(ptr "
      "addrspace(7) %remote, i32 1)\n";
  const char *byAssembly =
      "  %b = ptrtoint ptr addrspace(3) %bar to i32\n"
      "  call void asm sideeffect \"{ .reg .b32 ra; mapa.shared::cluster.u32 "
      "ra, $0, $1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
      "[ra]; }\", \"r,r\"(i32 %b, i32 0)\n";
  auto same = [](uint32_t i) { return i; };
  checkThreads("remote arrivals", arrivals(byIntrinsic, true), clusterOf(2, 32),
               same);
  checkThreads("remote arrivals by assembly", arrivals(byAssembly, true),
               clusterOf(2, 32), same);
  LaunchResult result =
      checkThreads("unfenced remote arrivals", arrivals(byIntrinsic, false),
                   clusterOf(2, 32), same, /*clean=*/false);
  EXPECT_THAT(result, Reports(ReportKind::MissingFence, "mbarrier.arrive",
                              "no fence.mbarrier_init"))
      << "barrier used remotely without a fence";
}

/// CTA 1 reads its word and arrives at the barrier of CTA 0, which then
/// overwrites it; or writes what CTA 0 then reads.
TEST(EmulatorBarrierTest, ScopesOfArrivalsMeanSomething) {
  auto handOver = [](const Twine &scope, const char *before,
                     const char *after) {
    return "  %mine = getelementptr i32, ptr addrspace(3) @dyn, i32 %tid\n"
           "  %kept = getelementptr i8, ptr addrspace(3) %mine, i32 2048\n" +
           makeObject("32") + clusterSync +
           "  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()\n"
           "  %isHome = icmp eq i32 %rank, 0\n"
           "  %home = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster("
           "ptr addrspace(3) %bar, i32 0)\n"
           "  %away = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster("
           "ptr addrspace(3) %mine, i32 1)\n"
           "  store i32 %tid, ptr addrspace(3) %mine\n" +
           clusterSync +
           "  br i1 %isHome, label %wait, label %arrive\n"
           "arrive:\n" +
           before + "  call void @llvm.nvvm.mbarrier.arrive.scope." +
           scope.str() +
           ".space.cluster(ptr addrspace(7) %home, i32 1)\n"
           "  br label %end\n"
           "wait:\n" +
           waitFor(0) + after +
           "  br label %end\n"
           "end:\n" +
           clusterSync;
  };
  const char *read = "  %v = load i32, ptr addrspace(3) %mine\n"
                     "  store i32 %v, ptr addrspace(3) %kept\n";
  const char *write = "  store i32 7, ptr addrspace(3) %mine\n";
  const char *readAway = "  %far = load i32, ptr addrspace(7) %away\n"
                         "  store i32 %far, ptr addrspace(3) %kept\n";
  const char *writeAway = "  store i32 9, ptr addrspace(7) %away\n";
  auto isClean = [&](const char *what, const std::string &body) {
    EXPECT_THAT(runThreads(body, clusterOf(2, 32)), IsClean()) << what;
  };
  isClean("cluster: read, then overwritten",
          handOver("cluster", read, writeAway));
  isClean("cluster: written, then read", handOver("cluster", write, readAway));
  isClean("CTA: read, then overwritten", handOver("cta", read, writeAway));
  for (const char *after : {readAway, writeAway})
    EXPECT_THAT(runThreads(handOver("cta", write, after), clusterOf(2, 32)),
                Reports(ReportKind::Race, "",
                        "which the arrival released to its own CTA alone"))
        << "CTA: written, then read or written";
}

/// CTA 1 uses the memory of CTA 0, which ends after an arrival alone.
TEST(EmulatorBarrierTest, ArrivalsForOneCtaKeepMemoryForReadsAlone) {
  auto run = [](const Twine &arrival, const char *use) {
    std::string arrive = ("  call void @llvm.nvvm.mbarrier.arrive." + arrival +
                          ".space.cluster(ptr addrspace(7) %home, i32 1)\n")
                             .str();
    std::string theirs =
        "  %mine = getelementptr i32, ptr addrspace(3) @dyn, i32 %tid\n"
        "  %home = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster("
        "ptr addrspace(3) %bar, i32 0)\n"
        "  %theirs = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster("
        "ptr addrspace(3) %mine, i32 0)\n";
    return runThreads(
        makeObject("32") + theirs +
            "  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()\n"
            "  %isHome = icmp eq i32 %rank, 0\n"
            "  store i32 %tid, ptr addrspace(3) %mine\n" +
            clusterSync + "  br i1 %isHome, label %wait, label %use\nuse:\n" +
            use + arrive + "  br label %end\nwait:\n" + waitFor(0) +
            "  br label %end\nend:\n",
        clusterOf(2, 32));
  };
  const char *read = "  %far = load i32, ptr addrspace(7) %theirs\n"
                     "  store i32 %far, ptr addrspace(3) %mine\n";
  const char *write = "  store i32 9, ptr addrspace(7) %theirs\n";
  EXPECT_THAT(run("scope.cta", read), IsClean()) << "CTA: read";
  for (const char *use : {read, write})
    EXPECT_THAT(run("scope.cluster", use), IsClean()) << "cluster: " << use;
  auto isReported = Reports(ReportKind::Race, "", "may end before this use");
  EXPECT_THAT(run("scope.cta", write), isReported) << "CTA: written";
  EXPECT_THAT(run("relaxed.scope.cluster", read), isReported) << "relaxed";
}

/// A relaxed arrival brings nothing but mbarriers that a fence has published.
TEST(EmulatorBarrierTest, RelaxedStartBringsFencedBarriersAlone) {
  const char *relaxed =
      "  call void @llvm.nvvm.barrier.cluster.arrive.relaxed.aligned()\n"
      "  call void @llvm.nvvm.barrier.cluster.wait.aligned()\n";
  auto start = [&](bool fenced) {
    return dropLine(makeObject("64", fenced), "barrier.cta.sync") + relaxed +
           "  %remote = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster("
           "ptr addrspace(3) %bar, i32 0)\n"
           "  call void @llvm.nvvm.mbarrier.arrive.scope.cta.space.cluster("
           "ptr addrspace(7) %remote, i32 1)\n" +
           clusterSync;
  };
  EXPECT_THAT(runThreads(start(true), clusterOf(2, 32)), IsClean())
      << "fenced mbarriers behind a relaxed arrival";
  EXPECT_THAT(runThreads(start(false), clusterOf(2, 32)),
              Reports(ReportKind::Race, "mbarrier.arrive", "initialisation"))
      << "mbarriers without a fence behind a relaxed arrival";
}

TEST(EmulatorBarrierTest, MisuseOfClustersIsReported) {
  EXPECT_THAT(
      runThreads("  call void @llvm.nvvm.barrier.cluster.wait.aligned()\n",
                 clusterOf(2, 32)),
      Reports(ReportKind::BarrierMisuse, "cluster.wait", "without an arrival"))
      << "wait without arrival";
  EXPECT_THAT(
      runThreads("  call void @llvm.nvvm.barrier.cluster.arrive.aligned()\n"
                 "  call void @llvm.nvvm.barrier.cluster.arrive.aligned()\n",
                 clusterOf(2, 32)),
      Reports(ReportKind::BarrierMisuse, "cluster.arrive", "second arrival"))
      << "second arrival";
  EXPECT_THAT(
      runThreads("  %r = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster("
                 "ptr addrspace(3) %bar, i32 2)\n",
                 clusterOf(2, 32)),
      Reports(ReportKind::BadOperand, "mapa", "no CTA 2 in a cluster of 2"))
      << "rank of another cluster";
  auto setRegisters = [](const char *direction, int count) {
    return ("  call void @llvm.nvvm.setmaxnreg." + Twine(direction) +
            ".sync.aligned.u32(i32 " + Twine(count) + ")\n")
        .str();
  };
  EXPECT_THAT(runThreads(setRegisters("dec", 30), oneCta(128)),
              Reports(ReportKind::BadOperand, "setmaxnreg", "multiple of 8"))
      << "register count";
  EXPECT_THAT(runThreads(setRegisters("inc", 240), oneCta(384)),
              Reports(ReportKind::BadOperand, "launch", "92160 registers"))
      << "too many registers";
  EXPECT_THAT(runThreads(setRegisters("inc", 168), oneCta(384)), IsClean())
      << "fitting registers";
}
