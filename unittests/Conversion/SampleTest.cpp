//===- SampleTest.cpp - tokens of GPUs and of processors ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernel of block.sample runs step after step over one memory, as a graph
// does that is replayed, and must choose the tokens of the token loop's
// sampler. Kernels with a planted fault must choose others.
//
//===----------------------------------------------------------------------===//

#include "DeviceTensors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "parablock/Engines/Generation/Sampling.h"
#include "parablock/Support/SeededBits.h"
#include "parablock/Support/TokenShares.h"
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

/// About a third of the tokens of each row.
static std::vector<int8_t> drawSeen() {
  std::vector<double> drawn(rows * vocabulary);
  SeededStream(seed, "seen").fillNormal(0, drawn);
  std::vector<int8_t> seen;
  for (double value : drawn)
    seen.push_back(value > 0.5);
  return seen;
}

/// Numbers, every third row with ties, every fourth with masks. Of the rows
/// that take the best token, one has several of them, and one no positive ones.
static std::vector<float> drawLogits(size_t call) {
  std::vector<double> drawn(rows * vocabulary);
  SeededStream(call, "logits").fillNormal(0, drawn);
  std::vector<float> logits;
  for (size_t i = 0; i < drawn.size(); ++i) {
    size_t row = i / vocabulary;
    double value = row % 3 == 1 ? std::round(drawn[i]) : 3 * drawn[i];
    if (row == 0)
      value = std::min(std::round(drawn[i]), 1.0);
    if (row == 6)
      value -= 20;
    if (row % 4 == 2 && i % 3 != 0)
      value = -INFINITY;
    logits.push_back(static_cast<float>(value));
  }
  if (call == spoiltCall)
    logits[spoiltRow * vocabulary + 5] = NAN;
  return logits;
}

using Change = llvm::function_ref<void(mlir::gpu::GPUModuleOp)>;

/// Returns the kernel as text, after `change`.
static std::string getKernelText(llvm::StringRef chip, Change change) {
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
  for (auto device : module->getOps<mlir::gpu::GPUModuleOp>()) {
    change(device);
    device.print(stream);
  }
  return kernels;
}

namespace {
/// A loop whose state stays in one memory.
class DeviceLoop {
public:
  /// Rows have a form and a step each.
  DeviceLoop(llvm::StringRef chip, llvm::ArrayRef<Sampling> forms,
             const std::vector<int64_t> &steps, Change change = ignore)
      : kernel(device, getKernelText(chip, change), chip) {
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
    step = device.put(steps, "step");
    tokens = device.put(std::vector<int64_t>(rows), "ids");
    seen = device.put(drawSeen(), "seen");
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

  static void ignore(mlir::gpu::GPUModuleOp) {}

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
    llvm::append_range(seen, drawSeen());
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
  std::vector<uint8_t> seen;
  int64_t step = -1;
};
} // namespace

/// The first call is a part of a prompt.
static const std::vector<int64_t> firstSteps(rows, -1);

/// Runs both loops, and returns the number of the first call after which they
/// differ, or `calls`.
static size_t findDifference(Change change) {
  DeviceLoop device("sm_80", forms, firstSteps, change);
  HostLoop host;
  for (size_t call = 0; call < calls; ++call) {
    std::vector<float> logits = drawLogits(call);
    device.run(logits);
    host.run(logits);
    std::vector<int8_t> seen =
        device.device.get(device.seen, rows * vocabulary);
    if (device.get(device.tokens) != host.tokens ||
        device.get(device.ended) != host.ended ||
        device.get(device.lengths) != host.lengths ||
        device.get(device.step) != std::vector<int64_t>(rows, host.step) ||
        !llvm::equal(seen, host.seen))
      return call;
  }
  // The first call chooses nothing: token 0 is that of the second.
  EXPECT_EQ(host.ended[spoiltRow], -static_cast<int64_t>(spoiltCall));
  EXPECT_EQ(host.ended[rows - 1], -1) << "a temperature that is 0 in f32";
  return calls;
}

TEST(SampleTest, CallsOverOneMemoryChooseTheTokensOfTheTokenLoop) {
  static_assert(std::size(forms) == rows);
  EXPECT_EQ(findDifference(DeviceLoop::ignore), calls);
}

//===----------------------------------------------------------------------===//
// Edges of shares
//===----------------------------------------------------------------------===//

namespace {
/// Rows of two tokens, of which `top_p` keeps one or both, by one unit of a
/// share: at 2 i the second token is dropped, and with a larger share would be
/// kept; at 2 i + 1 it is kept, and with a smaller share would be dropped.
struct Edges {
  static constexpr size_t first = 10, second = 100;

  Edges() : logits(rows * vocabulary, -INFINITY) {
    for (size_t row = 0; row < rows; ++row) {
      // The larger the fraction of a power of 2, the more each coefficient of
      // its series matters.
      size_t pair = row / 2;
      double power = static_cast<double>(pair) + 0.86 + 0.016 * pair;
      auto score = static_cast<float>(-power * std::log(2.0));
      logits[row * vocabulary + first] = 0;
      logits[row * vocabulary + second] = score;
      uint64_t sum = shares::whole + shares::getShare(score, 0);
      auto whole = static_cast<double>(shares::whole);
      double part = whole / static_cast<double>(sum);
      while (shares::getLeast(part, sum) > shares::whole)
        part = std::nextafter(part, 0);
      while (shares::getLeast(std::nextafter(part, 1), sum) <= shares::whole)
        part = std::nextafter(part, 1);
      if (row % 2 == 1)
        part = std::nextafter(part, 1);
      forms.push_back({1, 0, part, 0, 1});
      // A step whose draw is behind the share of the first token.
      int64_t step = 0;
      while (generation::drawPoint(seed, row, step) * static_cast<double>(sum) <
             whole + 1)
        ++step;
      steps.push_back(step);
    }
  }

  std::vector<float> logits;
  std::vector<Sampling> forms;
  std::vector<int64_t> steps;
};
} // namespace

/// Returns the rows of edges whose token is another one than on the host.
static std::vector<size_t> findWrongEdges(Change change) {
  Edges edges;
  DeviceLoop device("sm_80", edges.forms, edges.steps, change);
  device.run(edges.logits);
  std::vector<int64_t> tokens = device.get(device.tokens);
  std::vector<size_t> wrong;
  for (size_t row = 0; row < rows; ++row) {
    Sampler sampler(edges.forms[row], vocabulary);
    std::vector<float> scores(edges.logits.begin() + row * vocabulary,
                              edges.logits.begin() + (row + 1) * vocabulary);
    double point = generation::drawPoint(seed, row, edges.steps[row]);
    int64_t token = 0;
    EXPECT_FALSE(sampler.draw(scores.data(), nullptr, point, token));
    EXPECT_EQ(token,
              static_cast<int64_t>(row % 2 ? Edges::second : Edges::first))
        << "row " << row;
    if (tokens[row] != token)
      wrong.push_back(row);
  }
  return wrong;
}

TEST(SampleTest, SharesAreExact) {
  EXPECT_THAT(findWrongEdges(DeviceLoop::ignore), testing::IsEmpty());
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

/// Replaces the results of ops that `isWanted` accepts by a number, and counts
/// them.
template <typename Op>
static size_t setNumber(
    mlir::gpu::GPUModuleOp device, double number,
    llvm::function_ref<bool(Op)> isWanted = [](Op) { return true; }) {
  llvm::SmallVector<Op> found;
  device.walk([&](Op op) {
    if (isWanted(op))
      found.push_back(op);
  });
  for (Op op : found) {
    mlir::OpBuilder builder(op);
    mlir::Type type = op->getResult(0).getType();
    mlir::TypedAttr value =
        llvm::isa<mlir::FloatType>(type)
            ? mlir::TypedAttr(builder.getFloatAttr(type, number))
            : mlir::TypedAttr(
                  builder.getIntegerAttr(type, static_cast<int64_t>(number)));
    auto constant =
        mlir::arith::ConstantOp::create(builder, op->getLoc(), value);
    op->getResult(0).replaceAllUsesWith(constant);
  }
  return found.size();
}

/// Returns whether a load is of input `input`, and of that column, if any.
static auto isLoadOf(unsigned input, std::optional<int64_t> column = {}) {
  return [=](tile::LoadOp load) {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(load.getSource());
    if (!argument || argument.getArgNumber() != input)
      return false;
    return !column ||
           mlir::getConstantIntValue(load.getIndices().back()) == *column;
  };
}

static size_t setOption(mlir::gpu::GPUModuleOp device, int64_t option,
                        double number) {
  return setNumber<tile::LoadOp>(device, number, isLoadOf(2, option));
}

/// Adds `step` to constants of that value.
static size_t shiftConstants(mlir::gpu::GPUModuleOp device, uint64_t value,
                             int64_t step) {
  auto number = static_cast<int64_t>(value);
  return setNumber<mlir::arith::ConstantOp>(
      device, static_cast<double>(number + step),
      [&](mlir::arith::ConstantOp op) {
        return op.getType().isInteger(64) &&
               mlir::getConstantIntValue(op.getResult()) == number;
      });
}

/// Lets the last of the best tokens be the best one.
static size_t takeLastBest(mlir::gpu::GPUModuleOp device) {
  using namespace mlir::arith;
  size_t count = 0;
  device.walk([&](tile::FoldOp fold) {
    if (fold.getKind() != tile::Reduction::Max)
      return;
    mlir::Operation *end = fold.getBody().front().getTerminator();
    auto difference = end->getOperand(0).getDefiningOp<SubIOp>();
    auto sum = difference.getLhs().getDefiningOp<AddIOp>();
    mlir::OpBuilder builder(end);
    end->setOperand(0, AddIOp::create(builder, fold.getLoc(), sum.getLhs(),
                                      difference.getRhs()));
    for (mlir::Operation *low : fold->getUsers())
      if (llvm::isa<AndIOp>(low))
        for (mlir::Operation *token : llvm::to_vector(low->getUsers())) {
          token->getResult(0).replaceAllUsesWith(low->getResult(0));
          ++count;
        }
  });
  return count;
}

/// Divides negative logits by the penalty, too.
static size_t divideNegatives(mlir::gpu::GPUModuleOp device) {
  size_t count = 0;
  device.walk([&](mlir::arith::SelectOp op) {
    if (!op.getTrueValue().getDefiningOp<mlir::arith::MulFOp>() ||
        !op.getFalseValue().getDefiningOp<mlir::arith::DivFOp>())
      return;
    op.getTrueValueMutable().assign(op.getFalseValue());
    ++count;
  });
  return count;
}

/// Takes one tied token too many at the end of `top_p`.
static size_t takeMoreTies(mlir::gpu::GPUModuleOp device) {
  using namespace mlir::arith;
  size_t count = 0;
  device.walk([&](DivUIOp op) {
    mlir::OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    auto one =
        ConstantOp::create(builder, op.getLoc(), builder.getI64IntegerAttr(1));
    auto more = AddIOp::create(builder, op.getLoc(), op.getResult(), one);
    op.getResult().replaceAllUsesExcept(more, more);
    ++count;
  });
  return count;
}

static size_t forgetSeen(mlir::gpu::GPUModuleOp device) {
  llvm::SmallVector<tile::StoreOp> found;
  device.walk([&](tile::StoreOp store) {
    if (store.getValue().getType().isInteger(8))
      found.push_back(store);
  });
  for (tile::StoreOp store : found)
    store.erase();
  return found.size();
}

/// Returns a test of comparisons with that predicate and a constant.
static auto isComparison(mlir::arith::CmpIPredicate predicate, int64_t with) {
  return [=](mlir::arith::CmpIOp op) {
    return op.getPredicate() == predicate &&
           mlir::getConstantIntValue(op.getRhs()) == with;
  };
}

namespace {
/// A fault of the kernel, and the number of changes that make it.
struct Fault {
  const char *what;
  std::function<size_t(mlir::gpu::GPUModuleOp)> plant;
};
} // namespace

/// Returns what is changed, and fails without a change.
static auto plant(const Fault &fault) {
  return [&](mlir::gpu::GPUModuleOp device) {
    EXPECT_GT(fault.plant(device), 0U) << fault.what;
  };
}

TEST(SampleTest, WrongSharesAreFound) {
  std::vector<Fault> faults = {
      {"the logarithm",
       [](auto device) { return shiftConstants(device, shares::log2E, 1); }},
      {"top_p rounded down", [](auto device) {
         return setNumber<mlir::arith::CmpFOp>(
             device, 0, [](mlir::arith::CmpFOp op) {
               return op.getPredicate() == mlir::arith::CmpFPredicate::OLT &&
                      op.getRhs().getDefiningOp<mlir::arith::MulFOp>() &&
                      op.getLhs().getType().isF64();
             });
       }}};
  for (uint64_t coefficient : shares::coefficients)
    for (int64_t step : {-1, 1})
      faults.push_back({"a coefficient", [=](auto device) {
                          return shiftConstants(device, coefficient, step);
                        }});
  for (const Fault &fault : faults)
    EXPECT_THAT(findWrongEdges(plant(fault)), testing::Not(testing::IsEmpty()))
        << fault.what;
}

TEST(SampleTest, WrongChoicesAreFound) {
  using namespace mlir::arith;
  auto loadOf = [](unsigned input, std::optional<int64_t> column,
                   double number) {
    return [=](mlir::gpu::GPUModuleOp device) {
      return setNumber<tile::LoadOp>(device, number, isLoadOf(input, column));
    };
  };
  auto option = [](int64_t column, double number) {
    return [=](mlir::gpu::GPUModuleOp device) {
      return setOption(device, column, number);
    };
  };
  auto comparison = [](CmpIPredicate predicate, int64_t with, double result) {
    return [=](mlir::gpu::GPUModuleOp device) {
      return setNumber<CmpIOp>(device, result, isComparison(predicate, with));
    };
  };
  const Fault faults[] = {
      {"the last of the best tokens", takeLastBest},
      {"a tied token too many", takeMoreTies},
      {"no temperature", option(0, 1)},
      {"always the best token", option(0, 0)},
      {"no top_k", option(1, 0)},
      {"no top_p", option(2, 1)},
      {"no min_p", option(3, 0)},
      {"no penalty", option(4, 1)},
      {"negative logits divided by the penalty", divideNegatives},
      {"no upper bits of random numbers", loadOf(3, 1, 0)},
      {"no end tokens", loadOf(4, std::nullopt, -1)},
      {"the first end token alone",
       [](mlir::gpu::GPUModuleOp device) {
         return setNumber<tile::DimOp>(device, 1, [](tile::DimOp op) {
           auto argument = llvm::dyn_cast<mlir::BlockArgument>(op.getTensor());
           return argument && argument.getArgNumber() == 4;
         });
       }},
      {"no padding", loadOf(5, std::nullopt, 0)},
      {"tokens that are not marked", forgetSeen},
      {"rows that have ended and go on", loadOf(7, std::nullopt, 0)},
      {"a part of a prompt that chooses", comparison(CmpIPredicate::slt, 0, 0)},
      {"NaN and infinity accepted",
       comparison(CmpIPredicate::ult, 0xFF800000, 1)},
  };
  for (const Fault &fault : faults)
    EXPECT_LT(findDifference(plant(fault)), calls) << fault.what;
}
