//===- SampleTest.cpp - tokens of GPUs and of processors ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernel of block.sample runs step after step over one memory, as a graph
// does that is replayed, and must choose the tokens of the token loop's
// sampler.
//
//===----------------------------------------------------------------------===//

#include "DeviceTensors.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "parablock/Engines/Generation/Sampling.h"
#include "parablock/Support/SeededBits.h"
#include <cmath>

using namespace parablock;
using namespace parablock::unittest;
using generation::Sampler;
using generation::Sampling;

static constexpr size_t vocabulary = 151, rows = 16, calls = 4;
static constexpr int64_t padding = 150;
static constexpr uint64_t seed = 11;

/// Every filter alone, then several together.
static const Sampling forms[] = {
    {0, 0, 1, 0, 1},        {1, 0, 1, 0, 1},       {0.7, 5, 1, 0, 1},
    {1.3, 0, 0.8, 0, 1},    {0.9, 0, 1, 0.1, 1},   {1, 0, 1, 0, 1.5},
    {0, 0, 1, 0, 3},        {0.8, 40, 0.95, 0, 1}, {2, 3, 0.5, 0.3, 0.7},
    {1, 1, 1, 0, 1},        {1, 0, 0, 0, 1},       {1, 0, 1, 1, 1},
    {1, 500, 0.99, 0.1, 1}, {1e-30, 9, 0.5, 0, 2}, {1e4, 7, 0.5, 0.1, 2},
    {1e-50, 0, 1, 0, 1}};

/// The row with a NaN, and the call.
static constexpr size_t spoiltRow = 14, spoiltCall = 2;

/// Numbers, every third row with ties, every fourth with masks.
static std::vector<float> drawLogits(size_t call) {
  std::vector<double> drawn(rows * vocabulary);
  SeededStream(call, "logits").fillNormal(0, drawn);
  std::vector<float> logits;
  for (size_t i = 0; i < drawn.size(); ++i) {
    size_t row = i / vocabulary;
    double value = row % 3 == 1 ? std::round(drawn[i]) : 3 * drawn[i];
    if (row % 4 == 2 && i % 3 != 0)
      value = -INFINITY;
    logits.push_back(static_cast<float>(value));
  }
  if (call == spoiltCall)
    logits[spoiltRow * vocabulary + 5] = NAN;
  return logits;
}

static std::string getKernelText(llvm::StringRef chip) {
  std::string width = std::to_string(vocabulary);
  std::string types =
      "tensor<?x1x" + width +
      "xf32>, tensor<?x?xi64>, tensor<?x5xf64>, "
      "tensor<?x2xi64>, tensor<?xi64>, tensor<1xi64>, tensor<?x" +
      width + "xi8>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>";
  std::string results = "tensor<?x1xi64>, tensor<?x" + width +
                        "xi8>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>";
  std::string text = "func.func @main(";
  llvm::SmallVector<llvm::StringRef> each;
  llvm::StringRef(types).split(each, ", ");
  for (auto [index, type] : llvm::enumerate(each))
    text += (index ? ", %" : "%") + ("a" + std::to_string(index)) + ": " +
            type.str();
  text += ") -> (" + results +
          ") {\n  %y:5 = block.sample %a0 after %a1 options %a2 random %a3 "
          "stops %a4 padding %a5 state(%a6, %a7, %a8, %a9) : (" +
          types + ") -> (" + results +
          ")\n  return %y#0, %y#1, %y#2, %y#3, %y#4 : " + results + "\n}\n";
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(module) << "parses";
  mlir::PassManager manager(&context);
  manager.addPass(createConvertBlockKernelsToTile({chip.str()}));
  EXPECT_TRUE(mlir::succeeded(manager.run(*module))) << "converts";
  std::string kernels;
  llvm::raw_string_ostream stream(kernels);
  for (auto device : module->getOps<mlir::gpu::GPUModuleOp>())
    device.print(stream);
  return kernels;
}

namespace {
/// A loop whose state stays in one memory.
class DeviceLoop {
public:
  explicit DeviceLoop(llvm::StringRef chip)
      : kernel(device, getKernelText(chip), chip) {
    std::vector<double> options;
    std::vector<int64_t> random;
    for (size_t row = 0; row < rows; ++row) {
      const Sampling &form = forms[row];
      llvm::append_values(options, form.temperature,
                          static_cast<double>(form.topK), form.topP, form.minP,
                          form.repetitionPenalty);
      uint64_t state =
          SeededBits(seed, "row." + std::to_string(row)).getState();
      llvm::append_values(random, static_cast<int64_t>(state & 0xFFFFFFFF),
                          static_cast<int64_t>(state >> 32));
    }
    using T = TensorMapType;
    logits = device.put(drawLogits(0), "logits");
    ended = device.put(std::vector<int64_t>(rows), "ended");
    lengths = device.put(std::vector<int64_t>(rows, 3), "lengths");
    // The first call is a part of a prompt.
    step = device.put(std::vector<int64_t>(rows, -1), "step");
    tokens = device.put(std::vector<int64_t>(rows), "ids");
    seen = device.put(std::vector<int8_t>(rows * vocabulary), "seen");
    auto add = [&](void *address, uint64_t columns, T type,
                   std::vector<int32_t> dims) {
      tensors.push_back({address, rows, columns, type, std::move(dims)});
    };
    int32_t batch = rows;
    add(logits, vocabulary, T::F32, {batch});
    add(tokens, 1, T::U64, {batch, 1});
    add(device.put(options, "options"), 5, T::F64, {batch});
    add(device.put(random, "random"), 2, T::U64, {batch});
    add(device.put(stops, "stops"), 1, T::U64,
        {static_cast<int32_t>(stops.size())});
    add(device.put(std::vector<int64_t>{padding}, "padding"), 1, T::U64, {});
    auto addState = [&] {
      add(seen, vocabulary, T::U8, {batch});
      for (int64_t *state : {ended, lengths, step})
        add(state, 1, T::U64, {batch});
    };
    addState();
    add(tokens, 1, T::U64, {batch});
    addState();
    add(device.makeRoom<float>(rows * vocabulary, "scores"), vocabulary, T::F32,
        {batch});
  }

  void run(const std::vector<float> &given) {
    llvm::cantFail(device.memory->upload(logits, given.data(),
                                         given.size() * sizeof(float)));
    kernel.launch(bindTensors(kernel, tensors));
  }

  std::vector<int64_t> get(const int64_t *state) {
    return device.get(state, rows);
  }

  static inline const std::vector<int64_t> stops = {-1, 3, 17, 40, 90, 91, 92};
  TestDevice device;
  TileKernel kernel;
  std::vector<DeviceTensor> tensors;
  float *logits;
  int64_t *ended, *lengths, *step, *tokens;
  int8_t *seen;
};

/// The same loop by the sampler of the token loop.
struct HostLoop {
  HostLoop() {
    for (const Sampling &form : forms)
      samplers.emplace_back(form, vocabulary);
  }

  void run(const std::vector<float> &logits) {
    for (size_t row = 0; row < rows; ++row) {
      tokens[row] = padding;
      if (ended[row] != 0)
        continue;
      ++lengths[row];
      if (step < 0)
        continue;
      std::vector<float> scores(logits.begin() + row * vocabulary,
                                logits.begin() + (row + 1) * vocabulary);
      int64_t token = 0;
      if (samplers[row].draw(scores.data(), &seen[row * vocabulary],
                             generation::drawPoint(seed, row, step), token)) {
        ended[row] = -1 - step;
        continue;
      }
      tokens[row] = token;
      ended[row] = llvm::is_contained(DeviceLoop::stops, token);
      seen[row * vocabulary + token] = 1;
    }
    ++step;
  }

  std::vector<Sampler> samplers;
  std::vector<int64_t> tokens = std::vector<int64_t>(rows),
                       ended = std::vector<int64_t>(rows),
                       lengths = std::vector<int64_t>(rows, 3);
  std::vector<uint8_t> seen = std::vector<uint8_t>(rows * vocabulary);
  int64_t step = -1;
};
} // namespace

TEST(SampleTest, CallsOverOneMemoryChooseTheTokensOfTheTokenLoop) {
  static_assert(std::size(forms) == rows);
  DeviceLoop device("sm_80");
  HostLoop host;
  for (size_t call = 0; call < calls; ++call) {
    std::vector<float> logits = drawLogits(call);
    device.run(logits);
    host.run(logits);
    EXPECT_EQ(device.get(device.tokens), host.tokens) << "call " << call;
    EXPECT_EQ(device.get(device.ended), host.ended) << "call " << call;
    EXPECT_EQ(device.get(device.lengths), host.lengths) << "call " << call;
    EXPECT_EQ(device.get(device.step), std::vector<int64_t>(rows, host.step));
    std::vector<int8_t> seen =
        device.device.get(device.seen, rows * vocabulary);
    EXPECT_TRUE(llvm::equal(seen, host.seen)) << "call " << call;
  }
  // The first call chooses nothing: token 0 is that of the second.
  EXPECT_EQ(host.ended[spoiltRow], -static_cast<int64_t>(spoiltCall));
  EXPECT_EQ(host.ended[rows - 1], -1) << "a temperature that is 0 in f32";
}
