//===- Program.cpp - functions that run on arrays -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "parablock-c/Package.h"
#include "parablock-launch/Launch.h"
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

using namespace parablock::python;

namespace {

/// What elements of a type of the IR are in DLPack; the first of a name is it.
struct ElementKind {
  const char *name;
  nb::dlpack::dtype_code code;
  uint8_t bits;
};
constexpr ElementKind elementKinds[] = {
    {"f64", nb::dlpack::dtype_code::Float, 64},
    {"f32", nb::dlpack::dtype_code::Float, 32},
    {"f16", nb::dlpack::dtype_code::Float, 16},
    {"bf16", nb::dlpack::dtype_code::Bfloat, 16},
    {"bf16", nb::dlpack::dtype_code::UInt, 16},
    {"i64", nb::dlpack::dtype_code::Int, 64},
    {"i32", nb::dlpack::dtype_code::Int, 32},
    {"i16", nb::dlpack::dtype_code::Int, 16},
    {"i8", nb::dlpack::dtype_code::Int, 8},
    {"ui8", nb::dlpack::dtype_code::UInt, 8},
    {"i1", nb::dlpack::dtype_code::Bool, 8}};

const ElementKind *findKind(const std::string &name) {
  for (const ElementKind &kind : elementKinds)
    if (name == kind.name)
      return &kind;
  return nullptr;
}

} // namespace

/// Memory of any library that speaks DLPack or the buffer protocol, and what
/// its elements are. It is used where it lies.
class parablock::python::Tensor {
public:
  Tensor(nb::object array, std::string type) : type(std::move(type)) {
    // What may not be written to is an input. Nothing is ever converted: what
    // is written has to arrive.
    nb::ndarray<nb::device::cpu> writable;
    isWritable = nb::try_cast(array, writable, /*convert=*/false);
    if (!nb::try_cast(array, memory, /*convert=*/false))
      throw nb::type_error("expected an array in memory of the CPU");
    checkType();
    int64_t expected = 1;
    for (size_t d = this->memory.ndim(); d-- > 0;) {
      int64_t size = this->memory.shape(d);
      // What holds nothing has no order: steps of its memory say nothing.
      bool matters = size > 1 && this->memory.size() > 0;
      if (matters && this->memory.stride(d) != expected)
        throw nb::value_error("expected memory in row-major order");
      expected *= size;
      shape.insert(shape.begin(), size);
    }
  }

  bool canBeWritten() const { return isWritable; }

  uintptr_t getAddress() const {
    return reinterpret_cast<uintptr_t>(memory.data());
  }

  ParablockTensor get() const {
    return {const_cast<void *>(memory.data()), type.c_str(), shape.size(),
            shape.data()};
  }

private:
  /// The elements are of the type, or as many bits that stand for it.
  void checkType() const {
    nb::dlpack::dtype found = memory.dtype();
    for (const ElementKind &each : elementKinds)
      if (type == each.name && found.lanes == 1 && found.bits == each.bits &&
          found.code == static_cast<uint8_t>(each.code))
        return;
    throw nb::value_error("expected memory of the type that is given");
  }

  nb::ndarray<nb::ro, nb::device::cpu> memory;
  bool isWritable = false;
  std::string type;
  std::vector<int64_t> shape;
};

/// A recipe of a package, which packs weights one after the other.
class parablock::python::Packing {
public:
  Packing(std::shared_ptr<Context> context, const std::string &recipe)
      : context(std::move(context)) {
    this->context->call([&](ParablockContext *own) {
      return parablockPackingCreate(own, recipe.c_str(), &handle);
    });
  }
  ~Packing() { context->destroy(parablockPackingDestroy, handle); }
  Packing(const Packing &) = delete;

  using Names = std::pair<std::string, std::vector<std::string>>;

  std::vector<Names> list() const {
    std::vector<Names> all(parablockPackingCount(handle));
    for (size_t i = 0; i < all.size(); ++i) {
      all[i].first = parablockPackingGetName(handle, i);
      while (const char *original =
                 parablockPackingGetOriginal(handle, i, all[i].second.size()))
        all[i].second.push_back(original);
    }
    return all;
  }

  bool isOriginal(size_t index) const {
    return parablockPackingIsOriginal(handle, index) != 0;
  }

  /// Returns the number of the program that packs a weight on devices, or -1
  /// and the reason.
  std::pair<int64_t, std::string> findDeviceProgram(size_t index) const {
    const char *reason = parablockPackingGetDeviceReason(handle, index);
    return {parablockPackingGetDeviceProgram(handle, index),
            reason ? reason : ""};
  }

  void writeDevicePackage(size_t index, const std::string &path,
                          const std::string &chip, bool ptxOnly,
                          const std::optional<std::string> &cache) {
    ParablockDevicePackageOptions options = {};
    options.chip = chip.c_str();
    options.ptxOnly = ptxOnly;
    options.cache = cache ? cache->c_str() : nullptr;
    context->call([&](ParablockContext *) {
      return parablockPackingWriteDevicePackage(handle, index, &options,
                                                path.c_str());
    });
  }

  /// Packs a weight to a program of the launcher's library, whose function
  /// pbl_program_set_weight_part is at the address `function`. Returns that
  /// function's error, or 0.
  std::pair<int, std::string> upload(size_t index,
                                     const std::vector<const Tensor *> &given,
                                     uintptr_t function, uintptr_t program) {
    std::vector<ParablockTensor> originals;
    for (const Tensor *tensor : given)
      originals.push_back(tensor->get());
    Upload upload{reinterpret_cast<SetPart>(function),
                  reinterpret_cast<pbl_program *>(program),
                  parablockPackingGetName(handle, index),
                  {}};
    context->call([&](ParablockContext *) {
      ParablockStatus status =
          parablockPackingPack(handle, index, originals.data(),
                               originals.size(), &Upload::pass, &upload);
      return upload.error.code == PBL_OK ? status : ParablockSuccess;
    });
    return {upload.error.code, upload.error.message};
  }

private:
  using SetPart = decltype(&pbl_program_set_weight_part);

  struct Upload {
    SetPart setPart;
    pbl_program *program;
    const char *name;
    pbl_error error;

    static int32_t pass(void *data, uint64_t offset, const void *bytes,
                        uint64_t count) {
      auto *own = static_cast<Upload *>(data);
      return own->setPart(own->program, own->name, offset, bytes, count,
                          &own->error);
    }
  };

  std::shared_ptr<Context> context;
  ParablockPacking *handle = nullptr;
};

/// Memory that programs share, and tensors of PyTorch in it.
class parablock::python::Memory {
public:
  Memory() : handle(parablockMemoryCreate(), parablockMemoryDestroy) {}

  ParablockMemory *get() const { return handle.get(); }

  using Array = nb::ndarray<nb::pytorch, nb::device::cpu>;

  /// Allocates an uninitialised tensor, whose last owner frees its memory.
  Array allocate(const std::vector<size_t> &shape, const std::string &type,
                 const std::string &use) {
    const ElementKind *kind = findKind(type);
    if (!kind)
      throw nb::value_error("expected a type that PyTorch has");
    size_t bytes = kind->bits / 8;
    for (size_t size : shape)
      bytes *= size;
    auto *owned = new Owned{handle, nullptr};
    nb::capsule owner(
        owned, [](void *each) noexcept { delete static_cast<Owned *>(each); });
    owned->data = parablockMemoryAllocate(get(), use.c_str(), bytes);
    if (!owned->data)
      throw std::bad_alloc();
    nb::dlpack::dtype element{static_cast<uint8_t>(kind->code), kind->bits, 1};
    return Array(owned->data, shape.size(), shape.data(), owner,
                 /*strides=*/nullptr, element);
  }

  std::string report() { return takeString(parablockMemoryReport(get())); }
  void forgetPeak() { parablockMemoryForgetPeak(get()); }

private:
  /// A tensor's memory, and that which it is of.
  struct Owned {
    std::shared_ptr<ParablockMemory> memory;
    void *data;
    ~Owned() { parablockMemoryFree(memory.get(), data); }
  };

  std::shared_ptr<ParablockMemory> handle;
};

static std::vector<ParablockTensor> collect(const Tensors &tensors) {
  std::vector<ParablockTensor> list;
  for (const Tensor *tensor : tensors)
    list.push_back(tensor->get());
  return list;
}

static void checkWritable(const Tensors &outputs) {
  for (const Tensor *output : outputs)
    if (!output->canBeWritten())
      throw nb::value_error("expected outputs that can be written to");
}

Program::Program(Module &module, const std::string &function,
                 const std::string &engine, const std::string &chip,
                 uint32_t threads, const std::optional<std::string> &cache,
                 const Memory *memory, bool keepsWeights,
                 const Tensors &parameters,
                 const std::optional<std::string> &identity)
    : context(module.context) {
  std::vector<ParablockTensor> list = collect(parameters);
  // Whichever of both the engine asks for.
  ParablockProgramOptions options{engine.c_str(),
                                  chip.c_str(),
                                  chip.c_str(),
                                  threads,
                                  cache ? cache->c_str() : nullptr,
                                  memory ? memory->get() : nullptr,
                                  keepsWeights,
                                  list.empty() ? nullptr : list.data(),
                                  list.size(),
                                  identity ? identity->c_str() : nullptr};
  context->call([&](ParablockContext *) {
    return parablockProgramCreate(module.handle, function.c_str(), &options,
                                  &handle);
  });
}

void Program::setParameters(const Tensors &tensors) {
  std::vector<ParablockTensor> list = collect(tensors);
  context->call([&](ParablockContext *) {
    return parablockProgramSetParameters(handle, list.data(), list.size());
  });
}

bool Program::findParameters(const Tensors &tensors,
                             const std::string &identity) {
  std::vector<ParablockTensor> list = collect(tensors);
  int found = 0;
  context->call([&](ParablockContext *) {
    return parablockProgramFindParameters(handle, list.data(), list.size(),
                                          identity.c_str(), &found);
  });
  return found != 0;
}

void Program::keepParameters(const std::string &identity) {
  context->call([&](ParablockContext *) {
    return parablockProgramKeepParameters(handle, identity.c_str());
  });
}

std::vector<int64_t> Program::getOutputShape(const Tensors &inputs,
                                             size_t output, size_t rank) {
  std::vector<ParablockTensor> list = collect(inputs);
  std::vector<int64_t> shape(rank);
  context->call([&](ParablockContext *) {
    return parablockProgramGetOutputShape(handle, list.data(), list.size(),
                                          output, rank, shape.data());
  });
  return shape;
}

std::string Program::planMemory(const Tensors &inputs) {
  std::vector<ParablockTensor> list = collect(inputs);
  char *json = nullptr;
  context->call([&](ParablockContext *) {
    return parablockProgramPlanMemory(handle, list.data(), list.size(), &json);
  });
  return takeString(json);
}

void Program::run(const Tensors &inputs, const Tensors &outputs) {
  checkWritable(outputs);
  std::vector<ParablockTensor> in = collect(inputs), out = collect(outputs);
  context->call([&](ParablockContext *) {
    return parablockProgramRun(handle, in.data(), in.size(), out.data(),
                               out.size());
  });
}

std::string Program::report() {
  char *json = nullptr;
  context->call([&](ParablockContext *) {
    return parablockProgramReport(handle, &json);
  });
  return takeString(json);
}

std::string Program::listSegments() {
  char *json = nullptr;
  context->call([&](ParablockContext *) {
    return parablockProgramListSegments(handle, &json);
  });
  return takeString(json);
}

namespace {
/// A run in segments; Python keeps its program.
class Run {
public:
  Run(Program &program, const Tensors &inputs, const Tensors &parameters)
      : context(program.context) {
    std::vector<ParablockTensor> in = collect(inputs),
                                 own = collect(parameters);
    context->call([&](ParablockContext *) {
      return parablockRunCreate(program.handle, in.data(), in.size(),
                                own.data(), own.size(), &handle);
    });
  }
  ~Run() { context->destroy(parablockRunDestroy, handle); }
  Run(const Run &) = delete;

  void proceed(const Tensors &outputs) {
    checkWritable(outputs);
    std::vector<ParablockTensor> out = collect(outputs);
    context->call([&](ParablockContext *) {
      return parablockRunProceed(handle, out.data(), out.size());
    });
  }

private:
  std::shared_ptr<Context> context;
  ParablockRun *handle = nullptr;
};

} // namespace

void parablock::python::definePrograms(nb::module_ &python) {
  python.def("count_cache_uses", [] {
    ParablockCacheCounts counts = parablockGetCacheCounts();
    return std::make_tuple(counts.hits, counts.misses, counts.weightHits,
                           counts.weightMisses);
  });
  nb::class_<Tensor>(python, "Tensor")
      .def(nb::init<nb::object, std::string>(), nb::arg("memory"),
           nb::arg("type"))
      .def_prop_ro("address", &Tensor::getAddress);
  nb::class_<Packing>(python, "Packing")
      .def(nb::init<std::shared_ptr<Context>, const std::string &>(),
           nb::arg("context"), nb::arg("recipe"))
      .def("list", &Packing::list)
      .def("is_original", &Packing::isOriginal, nb::arg("index"))
      .def("find_device_program", &Packing::findDeviceProgram, nb::arg("index"))
      .def("write_device_package", &Packing::writeDevicePackage,
           nb::arg("index"), nb::arg("path"), nb::arg("chip"),
           nb::arg("ptx_only"), nb::arg("cache").none())
      .def("upload", &Packing::upload, nb::arg("index"), nb::arg("originals"),
           nb::arg("function"), nb::arg("program"));
  nb::class_<Memory>(python, "Memory")
      .def(nb::init<>())
      .def("allocate", &Memory::allocate, nb::arg("shape"), nb::arg("type"),
           nb::arg("use"))
      .def("report", &Memory::report)
      .def("forget_peak", &Memory::forgetPeak)
      .def_static("round", &parablockMemoryRound, nb::arg("bytes"));
  nb::class_<Program>(python, "Program")
      .def(nb::init<Module &, const std::string &, const std::string &,
                    const std::string &, uint32_t,
                    const std::optional<std::string> &, const Memory *, bool,
                    const Tensors &, const std::optional<std::string> &>(),
           nb::arg("module"), nb::arg("function"), nb::arg("engine"),
           nb::arg("chip"), nb::arg("threads"), nb::arg("cache") = nb::none(),
           nb::arg("memory") = nb::none(), nb::arg("keep_weights") = false,
           nb::arg("parameters") = nb::list(), nb::arg("identity") = nb::none())
      .def("set_parameters", &Program::setParameters, nb::arg("tensors"))
      .def("find_parameters", &Program::findParameters, nb::arg("tensors"),
           nb::arg("identity"))
      .def("keep_parameters", &Program::keepParameters, nb::arg("identity"))
      .def("get_output_shape", &Program::getOutputShape, nb::arg("inputs"),
           nb::arg("output"), nb::arg("rank"))
      .def("plan_memory", &Program::planMemory, nb::arg("inputs"))
      .def("run", &Program::run, nb::arg("inputs"), nb::arg("outputs"))
      .def("report", &Program::report)
      .def("list_segments", &Program::listSegments);
  nb::class_<Run>(python, "Run")
      .def(nb::init<Program &, const Tensors &, const Tensors &>(),
           nb::keep_alive<1, 2>(), nb::arg("program"), nb::arg("inputs"),
           nb::arg("parameters"))
      .def("proceed", &Run::proceed, nb::arg("outputs"));
}
