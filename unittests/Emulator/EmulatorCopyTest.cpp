//===- EmulatorCopyTest.cpp - Asynchronous copies -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestDevice.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;
using llvm::Twine;

/// Where the barrier lies; the box is at 0.
static constexpr uint32_t barrierOffset = 16384;
static constexpr uint32_t sharedBytes = barrierOffset + 64;

/// All threads copy `bytes` of shared memory to %out, 4 bytes at a time.
static std::string giveOut(uint32_t bytes) {
  return ("  br label %give\n"
          "give:\n"
          "  %gi = phi i32 [%tid, %ready], [%gn, %give]\n"
          "  %gs = getelementptr i32, ptr addrspace(3) @dyn, i32 %gi\n"
          "  %gd = getelementptr i32, ptr addrspace(1) %out, i32 %gi\n"
          "  %gv = load i32, ptr addrspace(3) %gs\n"
          "  store i32 %gv, ptr addrspace(1) %gd\n"
          "  %gn = add i32 %gi, 32\n"
          "  %gm = icmp ult i32 %gn, " +
          Twine(bytes / 4) +
          "\n"
          "  br i1 %gm, label %give, label %given\n"
          "given:\n")
      .str();
}

/// Thread 0 makes a barrier that awaits itself and `bytes`, and issues `load`;
/// then everybody waits.
static std::string loadAndWait(uint32_t bytes, const Twine &load) {
  return ("  %bar = getelementptr i8, ptr addrspace(3) @dyn, i32 " +
          Twine(barrierOffset) +
          "\n"
          "  %first = icmp eq i32 %tid, 0\n"
          "  br i1 %first, label %issue, label %issued\n"
          "issue:\n"
          "  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %bar, "
          "i32 1)\n"
          "  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()\n"
          "  %state = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta."
          "space.cta(ptr addrspace(3) %bar, i32 " +
          Twine(bytes) +
          ")\n"
          "  %dst = addrspacecast ptr addrspace(3) @dyn to ptr addrspace(7)\n" +
          load +
          "  br label %issued\n"
          "issued:\n"
          "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
          "  br label %wait\n"
          "wait:\n"
          "  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta."
          "space.cta(ptr addrspace(3) %bar, i32 0)\n"
          "  br i1 %done, label %ready, label %wait\n"
          "ready:\n")
      .str();
}

static constexpr const char *mapParameter =
    "ptr byval([128 x i8]) align 64 %map, ptr addrspace(1) %out";

namespace {
/// A tensor of 2-byte elements, and a box of it.
struct BoxCase {
  uint32_t rank = 2;
  uint64_t dims[5] = {72, 20, 3, 2, 2};
  uint32_t box[5] = {64, 8, 2, 2, 1};
  int32_t at[5] = {0, 0, 0, 0, 0};
  TensorMapSwizzle swizzle = TensorMapSwizzle::None;
  bool fillsWithNaN = false;

  uint64_t count() const {
    uint64_t result = 1;
    for (uint32_t i = 0; i < rank; ++i)
      result *= dims[i];
    return result;
  }
  uint32_t boxBytes() const {
    uint32_t result = 2;
    for (uint32_t i = 0; i < rank; ++i)
      result *= box[i];
    return result;
  }
  EmulatedTensorMap encode(const void *address, TensorMapType type) const {
    uint64_t strides[4], stride = 2;
    uint32_t ones[5] = {1, 1, 1, 1, 1};
    for (uint32_t i = 0; i + 1 < rank; ++i)
      strides[i] = stride *= dims[i];
    EmulatedTensorMap map;
    const char *problem =
        encodeTensorMap(map, type, rank, address, dims, strides, box, ones,
                        swizzle, fillsWithNaN);
    EXPECT_EQ(llvm::StringRef(problem ? problem : ""), "") << "tensor map";
    return map;
  }
  /// Calls `visit(element of the tensor or -1, byte in shared memory)`.
  template <typename Visit> void forEachElement(Visit visit) const {
    uint32_t index[5] = {};
    for (uint32_t linear = 0; linear < boxBytes() / 2; ++linear) {
      int64_t element = 0, scale = 1;
      for (uint32_t i = 0; i < rank; ++i) {
        int64_t position = at[i] + static_cast<int64_t>(index[i]);
        if (position < 0 || position >= static_cast<int64_t>(dims[i]))
          element = INT64_MIN / 2;
        element += position * scale;
        scale *= static_cast<int64_t>(dims[i]);
      }
      uint32_t byte = 2 * linear;
      uint32_t exchanged = byte >> 7;
      exchanged &= (1u << static_cast<uint32_t>(swizzle)) - 1;
      visit(element < 0 ? -1 : element, byte ^ exchanged << 4);
      for (uint32_t i = 0; i < rank && ++index[i] == box[i]; ++i)
        index[i] = 0;
    }
  }
  std::string listCoordinates() const {
    std::string text;
    for (uint32_t i = 0; i < rank; ++i)
      text += ", i32 " + llvm::itostr(at[i]);
    return text;
  }
};
} // namespace

static std::vector<uint16_t> numberElements(uint64_t count) {
  std::vector<uint16_t> values(count);
  for (uint64_t i = 0; i < count; ++i)
    values[i] = static_cast<uint16_t>(i * 40503 + 1);
  return values;
}

static void checkTensorLoad(llvm::StringRef name, const BoxCase &box) {
  TestDevice device;
  std::vector<uint16_t> tensor = numberElements(box.count());
  EmulatedTensorMap map =
      box.encode(device.put(tensor, "tensor"), TensorMapType::BF16);
  auto *out = device.makeRoom<uint16_t>(box.boxBytes() / 2, "out");
  std::string kernel = makeKernel(
      mapParameter,
      loadAndWait(box.boxBytes(),
                  "  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile." +
                      Twine(box.rank) +
                      "d(ptr addrspace(7) %dst, ptr addrspace(3) %bar, ptr "
                      "%map" +
                      box.listCoordinates() +
                      ", i16 0, i64 0, i1 false, i1 false, i32 0)\n") +
          giveOut(box.boxBytes()));
  LaunchResult result = run(device, kernel, "k", oneCta(32, sharedBytes),
                            {KernelArgument::of(map), KernelArgument::of(out)});
  EXPECT_THAT(result, IsClean()) << name.str();
  std::vector<uint16_t> got = device.get(out, box.boxBytes() / 2);
  bool allRight = true;
  box.forEachElement([&](int64_t element, uint32_t byte) {
    uint16_t outside = box.fillsWithNaN ? 0xFFFF : 0;
    allRight &= got[byte / 2] == (element < 0 ? outside : tensor[element]);
  });
  EXPECT_TRUE(allRight) << (name + ": elements").str();
}

TEST(EmulatorCopyTest, LoadsBoxesOfTensors) {
  for (uint32_t rank = 1; rank <= 5; ++rank) {
    BoxCase box;
    box.rank = rank;
    checkTensorLoad(("load of rank " + Twine(rank)).str(), box);
  }
  BoxCase box;
  box.swizzle = TensorMapSwizzle::Bytes128;
  checkTensorLoad("swizzle 128", box);
  box.box[0] = 32;
  box.swizzle = TensorMapSwizzle::Bytes64;
  checkTensorLoad("swizzle 64", box);
  box.box[0] = 16;
  box.swizzle = TensorMapSwizzle::Bytes32;
  checkTensorLoad("swizzle 32", box);

  box = BoxCase();
  box.at[0] = 16;
  box.at[1] = 15;
  checkTensorLoad("box over the end", box);
  box.at[0] = -3;
  box.at[1] = -2;
  checkTensorLoad("box before the start", box);
  box.fillsWithNaN = true;
  checkTensorLoad("outside is NaN", box);
}

/// Threads write the box's image, one of them stores or adds it.
static void checkTensorStore(llvm::StringRef name, const BoxCase &box,
                             bool adds) {
  TestDevice device;
  std::vector<uint16_t> image(box.boxBytes() / 2), tensor(box.count());
  for (size_t i = 0; i < image.size(); ++i)
    image[i] = toF16Bits(static_cast<double>(i % 999));
  for (size_t i = 0; i < tensor.size(); ++i)
    tensor[i] = toF16Bits(static_cast<double>(i % 777));
  auto *tensorAddress = device.put(tensor, "tensor");
  EmulatedTensorMap map = box.encode(tensorAddress, TensorMapType::F16);
  std::string kernel = makeKernel(
      "ptr byval([128 x i8]) align 64 %map, ptr addrspace(1) %in",
      "  br label %fill\n"
      "fill:\n"
      "  %i = phi i32 [%tid, %0], [%n, %fill]\n"
      "  %s = getelementptr i32, ptr addrspace(1) %in, i32 %i\n"
      "  %d = getelementptr i32, ptr addrspace(3) @dyn, i32 %i\n"
      "  %v = load i32, ptr addrspace(1) %s\n"
      "  store i32 %v, ptr addrspace(3) %d\n"
      "  %n = add i32 %i, 32\n"
      "  %m = icmp ult i32 %n, " +
          Twine(box.boxBytes() / 4) +
          "\n"
          "  br i1 %m, label %fill, label %filled\n"
          "filled:\n"
          "  call void @llvm.nvvm.fence.proxy.async.shared_cta()\n"
          "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
          "  %first = icmp eq i32 %tid, 0\n"
          "  br i1 %first, label %store, label %done\n"
          "store:\n"
          "  call void @llvm.nvvm.cp.async.bulk.tensor." +
          (adds ? "reduce.add" : "s2g") + ".tile." + Twine(box.rank) +
          "d(ptr addrspace(3) @dyn, ptr %map" + box.listCoordinates() +
          ", i64 0, i1 false)\n"
          "  call void @llvm.nvvm.cp.async.bulk.commit.group()\n"
          "  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)\n"
          "  br label %done\n"
          "done:\n");
  LaunchResult result = run(device, kernel, "k", oneCta(32, box.boxBytes()),
                            {KernelArgument::of(map),
                             KernelArgument::of(device.put(image, "image"))});
  EXPECT_THAT(result, IsClean()) << name.str();
  std::vector<uint16_t> want = tensor;
  box.forEachElement([&](int64_t element, uint32_t byte) {
    if (element < 0)
      return;
    uint16_t bits = image[byte / 2];
    want[element] =
        adds ? toF16Bits(fromF16Bits(tensor[element]) + fromF16Bits(bits))
             : bits;
  });
  EXPECT_EQ(device.get(tensorAddress, tensor.size()), want)
      << (name + ": elements").str();
}

TEST(EmulatorCopyTest, StoresAndAddsBoxesOfTensors) {
  BoxCase box;
  checkTensorStore("store", box, false);
  box.swizzle = TensorMapSwizzle::Bytes128;
  box.at[0] = 24;
  box.at[1] = 14;
  checkTensorStore("store over the end", box, false);
  checkTensorStore("reduction", box, true);
}

TEST(EmulatorCopyTest, CopiesInBulk) {
  TestDevice device;
  std::vector<uint16_t> in = numberElements(256);
  auto *out = device.makeRoom<uint16_t>(256, "out");
  auto *second = device.makeRoom<uint16_t>(256, "second");
  std::string kernel = makeKernel(
      "ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %second",
      loadAndWait(512,
                  "  call void @llvm.nvvm.cp.async.bulk.global.to.shared."
                  "cluster(ptr addrspace(7) %dst, ptr addrspace(3) %bar, ptr "
                  "addrspace(1) %in, i32 512, i16 0, i64 0, i1 false, i1 "
                  "false)\n") +
          "  br i1 %first, label %back, label %next\n"
          "back:\n"
          "  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr "
          "addrspace(1) %second, ptr addrspace(3) @dyn, i32 512, i64 0, i1 "
          "false)\n"
          "  call void @llvm.nvvm.cp.async.bulk.commit.group()\n"
          "  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)\n"
          "  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)\n"
          "  br label %next\n"
          "next:\n" +
          replaceIn(giveOut(512), "%ready", "%next"));
  EXPECT_THAT(run(device, kernel, "k", oneCta(32, sharedBytes),
                  {KernelArgument::of(device.put(in, "in")),
                   KernelArgument::of(out), KernelArgument::of(second)}),
              IsClean())
      << "plain bulk copies";
  EXPECT_EQ(device.get(out, 256), in) << "bulk load";
  EXPECT_EQ(device.get(second, 256), in) << "bulk store";
}

/// cp.async of 4, 8 and 16 bytes, and of fewer source bytes than that.
TEST(EmulatorCopyTest, CopiesAndFillsWithZeros) {
  TestDevice device;
  std::vector<uint16_t> in = numberElements(32 * 8);
  auto *out = device.makeRoom<uint16_t>(32 * 8, "out");
  auto *inAddress = device.put(in, "in");
  auto test = [&](const char *op, uint32_t bytes, uint32_t sourceBytes) {
    std::string name =
        ("cp.async." + Twine(op) + " " + Twine(sourceBytes)).str();
    bool partial = sourceBytes != bytes;
    std::string kernel = makeKernel(
        "ptr addrspace(1) %in, ptr addrspace(1) %out",
        "  %o = mul i32 %tid, " + Twine(bytes) +
            "\n"
            "  %s = getelementptr i8, ptr addrspace(1) %in, i32 %o\n"
            "  %d = getelementptr i8, ptr addrspace(3) @dyn, i32 %o\n"
            "  call void @llvm.nvvm.cp.async." +
            op + ".shared.global." + Twine(bytes) + (partial ? ".s" : "") +
            "(ptr addrspace(3) %d, ptr addrspace(1) %s" +
            (partial ? ", i32 " + Twine(sourceBytes) : Twine()) +
            ")\n"
            "  call void @llvm.nvvm.cp.async.commit.group()\n"
            "  call void @llvm.nvvm.cp.async.wait.group(i32 0)\n"
            "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
            "  br label %ready\n"
            "ready:\n" +
            giveOut(32 * bytes));
    EXPECT_THAT(run(device, kernel, "k", oneCta(32, 512),
                    {KernelArgument::of(inAddress), KernelArgument::of(out)}),
                IsClean())
        << name;
    std::vector<uint16_t> got = device.get(out, 16 * bytes);
    bool allRight = true;
    for (uint32_t i = 0; i < 16 * bytes; ++i)
      allRight &= got[i] == (2 * i % bytes < sourceBytes ? in[i] : 0);
    EXPECT_TRUE(allRight) << (name + ": bytes");
  };
  test("ca", 4, 4);
  test("ca", 8, 8);
  test("ca", 16, 16);
  test("cg", 16, 16);
  test("cg", 16, 6);
  test("ca", 8, 0);
}

/// A barrier that each thread's copies arrive at.
TEST(EmulatorCopyTest, CopiesArriveAtBarriers) {
  TestDevice device;
  std::vector<uint16_t> in = numberElements(64);
  auto *out = device.makeRoom<uint16_t>(64, "out");
  std::string kernel = makeKernel(
      "ptr addrspace(1) %in, ptr addrspace(1) %out",
      "  %bar = getelementptr i8, ptr addrspace(3) @dyn, i32 512\n"
      "  %first = icmp eq i32 %tid, 0\n"
      "  br i1 %first, label %init, label %ready0\n"
      "init:\n"
      "  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %bar, i32 "
      "32)\n"
      "  br label %ready0\n"
      "ready0:\n"
      "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
      "  %o = mul i32 %tid, 4\n"
      "  %s = getelementptr i8, ptr addrspace(1) %in, i32 %o\n"
      "  %d = getelementptr i8, ptr addrspace(3) @dyn, i32 %o\n"
      "  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) "
      "%d, ptr addrspace(1) %s)\n"
      "  call void @llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared(ptr "
      "addrspace(3) %bar)\n"
      "  %w = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta("
      "ptr addrspace(3) %bar, i32 0)\n"
      "  br label %ready\n"
      "ready:\n" +
          giveOut(128));
  EXPECT_THAT(
      run(device, kernel, "k", oneCta(32, 576),
          {KernelArgument::of(device.put(in, "in")), KernelArgument::of(out)}),
      IsClean())
      << "copies that arrive";
  EXPECT_EQ(device.get(out, 64), in) << "what they copied";
}

TEST(EmulatorCopyTest, RefusesWrongTensorMaps) {
  auto encode = [](BoxCase box, uint64_t address, uint64_t stride) {
    EmulatedTensorMap map;
    uint32_t ones[5] = {1, 1, 1, 1, 1};
    const char *problem = encodeTensorMap(
        map, TensorMapType::BF16, box.rank, reinterpret_cast<void *>(address),
        box.dims, &stride, box.box, ones, box.swizzle);
    return llvm::StringRef(problem ? problem : "");
  };
  BoxCase box;
  EXPECT_EQ(encode(box, 64, 144), "") << "good map";
  EXPECT_TRUE(encode(box, 8, 144).contains("address")) << "address";
  EXPECT_TRUE(encode(box, 64, 146).contains("stride")) << "stride";
  box.box[0] = 257;
  EXPECT_TRUE(encode(box, 64, 144).contains("1 to 256")) << "box too large";
  box.box[0] = 4;
  EXPECT_TRUE(encode(box, 64, 144).contains("multiple of 16 bytes"))
      << "inner box";
  box.box[0] = 64;
  box.swizzle = TensorMapSwizzle::Bytes64;
  EXPECT_TRUE(encode(box, 64, 144).contains("fit in the swizzle"))
      << "box and swizzle";
  box = BoxCase();
  box.dims[1] = 0;
  EXPECT_TRUE(encode(box, 64, 144).contains("1 to 2^32")) << "empty dimension";
  box.rank = 6;
  EXPECT_TRUE(encode(box, 64, 144).contains("rank")) << "rank";

  // What is passed instead of a map, and a map of another rank.
  TestDevice device;
  box = BoxCase();
  EmulatedTensorMap map = box.encode(
      device.put(numberElements(box.count()), "tensor"), TensorMapType::BF16);
  auto load = [&](const EmulatedTensorMap &argument, int rank) {
    std::string kernel = makeKernel(
        mapParameter,
        loadAndWait(
            1024, "  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile." +
                      Twine(rank) +
                      "d(ptr addrspace(7) %dst, ptr addrspace(3) %bar, ptr "
                      "%map" +
                      (rank == 2 ? ", i32 0, i32 0" : ", i32 0, i32 0, i32 0") +
                      ", i16 0, i64 0, i1 false, i1 false, i32 0)\n") +
            giveOut(1024));
    return run(device, kernel, "k", oneCta(32, sharedBytes),
               {KernelArgument::of(argument),
                KernelArgument::of(device.makeRoom<char>(1024, "out"))});
  };
  EXPECT_THAT(load(map, 3), Reports(ReportKind::BadOperand, "g2s",
                                    "expected a tensor map of rank 3, got 2"))
      << "rank of the map";
  map.magic = 0;
  EXPECT_THAT(load(map, 2),
              Reports(ReportKind::BadOperand, "g2s", "no tensor map"))
      << "no map";
}
