//===- Generation.cpp - tokens, one after the other -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "parablock-c/Generate.h"
#include "parablock-launch/Launch.h"
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

using namespace parablock::python;

namespace {
using Tokens =
    nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using NewTokens =
    nb::ndarray<int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Starts =
    nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Scores = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Marks =
    nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Rows of tokens that go on; Python keeps their program.
class Generation {
public:
  Generation(Program &program, const Tokens &ids, const Starts &starts,
             int64_t maxNewTokens, const ParablockSampling &sampling,
             uint64_t seed, const std::vector<int64_t> &stops, int64_t padding,
             int64_t poolPages)
      : context(program.context), rows(ids.shape(0)), most(maxNewTokens) {
    if (starts.shape(0) != rows)
      throw nb::value_error("expected as many starts as rows");
    ParablockGenerationOptions options{
        ids.data(),   rows,     ids.shape(1), starts.data(),
        maxNewTokens, sampling, seed,         stops.data(),
        stops.size(), padding,  poolPages};
    context->call([&](ParablockContext *) {
      return parablockGenerationCreate(program.handle, &options, &handle);
    });
  }
  ~Generation() { context->destroy(parablockGenerationDestroy, handle); }
  Generation(const Generation &) = delete;

  void begin() {
    context->call(
        [&](ParablockContext *) { return parablockGenerationBegin(handle); });
  }

  /// Does all steps, into memory [steps, rows], and says how many these were.
  /// Other threads have the program between two of them, and so does `handler`,
  /// which ends it by what is true.
  size_t run(const NewTokens &tokens, const nb::object &handler) {
    if (static_cast<int64_t>(tokens.shape(0)) < most || tokens.shape(1) != rows)
      throw nb::value_error("expected room for all tokens");
    int32_t hasEnded = 0;
    size_t step = 0;
    while (!hasEnded) {
      context->call([&](ParablockContext *) {
        return parablockGenerationStep(handle, tokens.data() + step * rows,
                                       &hasEnded);
      });
      ++step;
      if (PyErr_CheckSignals() != 0)
        throw nb::python_error();
      if (!handler.is_none() && nb::cast<bool>(handler(step - 1)))
        break;
    }
    return step;
  }

private:
  std::shared_ptr<Context> context;
  size_t rows;
  int64_t most;
  ParablockGeneration *handle = nullptr;
};
} // namespace

static void filterLogits(Context &context, const ParablockSampling &sampling,
                         const Scores &logits, const Marks &seen) {
  if (seen.shape(0) != logits.shape(0))
    throw nb::value_error("expected a mark for each token");
  context.call([&](ParablockContext *handle) {
    return parablockFilterLogits(handle, &sampling, logits.data(),
                                 logits.shape(0), seen.data());
  });
}

static int64_t chooseToken(Context &context, const ParablockSampling &sampling,
                           uint64_t seed, size_t row, size_t step,
                           const Scores &scores) {
  int64_t token = 0;
  context.call([&](ParablockContext *handle) {
    return parablockChooseToken(handle, &sampling, seed, row, step,
                                scores.data(), scores.shape(0), &token);
  });
  return token;
}

/// Does the steps of a generation of the launcher's library, whose function
/// pbl_generation_next is at the address `function`, like Generation::run.
/// Returns the number of steps, and that function's error, or 0.
static std::tuple<size_t, int, std::string>
runOnDevice(uintptr_t function, uintptr_t generation, const NewTokens &tokens,
            const nb::object &handler) {
  auto next = reinterpret_cast<decltype(&pbl_generation_next)>(function);
  auto *handle = reinterpret_cast<pbl_generation *>(generation);
  size_t most = tokens.shape(0), rows = tokens.shape(1), step = 0;
  int hasEnded = 0;
  while (!hasEnded && step < most) {
    pbl_error error = {};
    {
      nb::gil_scoped_release release;
      next(handle, tokens.data() + step * rows, &hasEnded, &error);
    }
    if (error.code != PBL_OK)
      return {step, error.code, error.message};
    ++step;
    if (PyErr_CheckSignals() != 0)
      throw nb::python_error();
    if (!handler.is_none() && nb::cast<bool>(handler(step - 1)))
      break;
  }
  return {step, PBL_OK, ""};
}

void parablock::python::defineGeneration(nb::module_ &python) {
  nb::class_<ParablockSampling>(python, "Sampling")
      .def(
          "__init__",
          [](ParablockSampling *self, double temperature, int64_t topK,
             double topP, double minP, double repetitionPenalty) {
            *self = {repetitionPenalty, temperature, topK, topP, minP};
          },
          nb::arg("temperature"), nb::arg("top_k"), nb::arg("top_p"),
          nb::arg("min_p"), nb::arg("repetition_penalty"));
  python.def("filter_logits", &filterLogits, nb::arg("context"),
             nb::arg("sampling"), nb::arg("logits"), nb::arg("seen"));
  python.def("choose_token", &chooseToken, nb::arg("context"),
             nb::arg("sampling"), nb::arg("seed"), nb::arg("row"),
             nb::arg("step"), nb::arg("scores"));
  python.def("run_on_device", &runOnDevice, nb::arg("function"),
             nb::arg("generation"), nb::arg("tokens"),
             nb::arg("handler").none());
  python.def("count_ring_rows", &parablockCountRingRows, nb::arg("window"));
  nb::class_<Generation>(python, "Generation")
      .def(nb::init<Program &, const Tokens &, const Starts &, int64_t,
                    const ParablockSampling &, uint64_t,
                    const std::vector<int64_t> &, int64_t, int64_t>(),
           nb::keep_alive<1, 2>(), nb::arg("program"), nb::arg("ids"),
           nb::arg("starts"), nb::arg("max_new_tokens"), nb::arg("sampling"),
           nb::arg("seed"), nb::arg("stops"), nb::arg("padding"),
           nb::arg("pool_pages"))
      .def("begin", &Generation::begin)
      .def("run", &Generation::run, nb::arg("tokens"),
           nb::arg("handler").none());
}
