//===- Module.cpp - model IR ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "parablock-c/Create.h"
#include "parablock-c/Drift.h"
#include "parablock-c/Package.h"
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

using namespace parablock::python;

using SharedContext = std::shared_ptr<Context>;
using OwnedModule = std::unique_ptr<Module>;

Module::~Module() { context->destroy(parablockModuleDestroy, handle); }

/// Makes a module by a call that gives one.
template <typename Function>
static OwnedModule make(const SharedContext &context, Function function) {
  ParablockModule *made = nullptr;
  context->call(
      [&](ParablockContext *handle) { return function(handle, &made); });
  return std::make_unique<Module>(context, made);
}

/// The text that a call on a module gives.
template <typename Function>
static std::string getText(Module &module, Function function) {
  char *text = nullptr;
  module.context->call(
      [&](ParablockContext *) { return function(module.handle, &text); });
  return takeString(text);
}

static OwnedModule parse(const SharedContext &context, const std::string &text,
                         const std::string &name) {
  return make(context, [&](ParablockContext *handle, ParablockModule **made) {
    return parablockModuleParse(handle, text.data(), text.size(), name.c_str(),
                                made);
  });
}

static OwnedModule load(const SharedContext &context, const std::string &path) {
  return make(context, [&](ParablockContext *handle, ParablockModule **made) {
    return parablockModuleLoad(handle, path.c_str(), made);
  });
}

static OwnedModule readConfig(const SharedContext &context,
                              const std::string &path, const std::string &dtype,
                              bool padding, bool layersOnly) {
  ParablockConfigOptions options{dtype.c_str(), padding, layersOnly};
  return make(context, [&](ParablockContext *handle, ParablockModule **made) {
    return parablockModuleFromConfig(handle, path.c_str(), &options, made);
  });
}

static OwnedModule copyModule(Module &module) {
  return make(module.context, [&](ParablockContext *, ParablockModule **made) {
    return parablockModuleClone(module.handle, made);
  });
}

static void runPasses(Module &module, const std::string &passes) {
  module.context->call([&](ParablockContext *) {
    return parablockModuleRunPasses(module.handle, passes.c_str());
  });
}

static void raiseBlocks(Module &module, const std::string &options) {
  module.context->call([&](ParablockContext *) {
    return parablockModuleRaise(module.handle, options.c_str());
  });
}

static void writePackage(Module &module, const std::string &path,
                         const std::string &chips) {
  module.context->call([&](ParablockContext *) {
    return parablockModuleWritePackage(module.handle, chips.c_str(),
                                       path.c_str());
  });
}

static void writeDevicePackage(Module &module, const std::string &path,
                               const std::string &chip, bool ptxOnly,
                               const std::optional<std::string> &cache) {
  ParablockDevicePackageOptions options = {};
  options.chip = chip.c_str();
  options.ptxOnly = ptxOnly;
  options.cache = cache ? cache->c_str() : nullptr;
  module.context->call([&](ParablockContext *) {
    return parablockModuleWriteDevicePackage(module.handle, &options,
                                             path.c_str());
  });
}

static void checkWeights(Module &module, const std::string &file,
                         const std::map<std::string, std::string> &metadata) {
  std::vector<const char *> keys, values;
  for (const auto &[key, value] : metadata) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  module.context->call([&](ParablockContext *) {
    return parablockModuleCheckWeights(module.handle, file.c_str(), keys.size(),
                                       keys.data(), values.data());
  });
}

static void packWeights(const SharedContext &context, const std::string &recipe,
                        const std::string &input, const std::string &output) {
  context->call([&](ParablockContext *handle) {
    return parablockPackWeights(handle, recipe.c_str(), input.c_str(),
                                output.c_str());
  });
}

static std::string measureDrift(const SharedContext &context,
                                const std::string &request) {
  char *report = nullptr;
  context->call([&](ParablockContext *handle) {
    return parablockMeasureDrift(handle, request.c_str(), &report);
  });
  return takeString(report);
}

namespace {
/// What a function takes or gives.
struct TensorInfo {
  std::string name, type;
  size_t elementSize;
  std::vector<int64_t> shape;
  std::vector<std::string> dims;
};

struct Signature {
  std::string function;
  std::vector<TensorInfo> inputs, parameters, outputs;
  std::optional<int64_t> mostPositions, pageWindow;
};
} // namespace

static TensorInfo copyInfo(const ParablockTensorInfo &info) {
  TensorInfo copy{info.name, info.type, info.elementSize, {}, {}};
  copy.shape.assign(info.shape, info.shape + info.rank);
  if (info.dims)
    copy.dims.assign(info.dims, info.dims + info.rank);
  return copy;
}

/// As messages write it: input_ids: i64 [batch, 7].
static std::string describeInfo(const TensorInfo &info) {
  std::string text = info.name + ": " + info.type + " [";
  for (size_t i = 0; i < info.shape.size(); ++i) {
    text += i ? ", " : "";
    bool named = info.shape[i] < 0 && i < info.dims.size();
    text += named ? info.dims[i] : std::to_string(info.shape[i]);
  }
  return text + "]";
}

static Signature getSignature(Module &module, const std::string &function) {
  ParablockSignature *read = nullptr;
  module.context->call([&](ParablockContext *) {
    return parablockModuleGetSignature(module.handle, function.c_str(), &read);
  });
  Signature signature;
  signature.function = parablockSignatureGetFunction(read);
  while (auto *info = parablockSignatureGetInput(read, signature.inputs.size()))
    signature.inputs.push_back(copyInfo(*info));
  while (auto *info =
             parablockSignatureGetParameter(read, signature.parameters.size()))
    signature.parameters.push_back(copyInfo(*info));
  while (auto *info =
             parablockSignatureGetOutput(read, signature.outputs.size()))
    signature.outputs.push_back(copyInfo(*info));
  if (int64_t most = parablockSignatureGetMostPositions(read); most >= 0)
    signature.mostPositions = most;
  if (int64_t window = parablockSignatureGetPageWindow(read); window >= 0)
    signature.pageWindow = window;
  parablockSignatureDestroy(read);
  return signature;
}

void parablock::python::defineModules(nb::module_ &python) {
  nb::class_<TensorInfo>(python, "TensorInfo")
      .def_ro("name", &TensorInfo::name)
      .def_ro("type", &TensorInfo::type)
      .def_ro("element_size", &TensorInfo::elementSize)
      .def_ro("shape", &TensorInfo::shape)
      .def_ro("dims", &TensorInfo::dims)
      .def("__repr__", describeInfo);
  nb::class_<Signature>(python, "Signature")
      .def_ro("function", &Signature::function)
      .def_ro("inputs", &Signature::inputs)
      .def_ro("parameters", &Signature::parameters)
      .def_ro("outputs", &Signature::outputs)
      .def_ro("most_positions", &Signature::mostPositions)
      .def_ro("page_window", &Signature::pageWindow);

  nb::class_<Module>(python, "Module")
      .def_static("parse", &parse, nb::arg("context"), nb::arg("text"),
                  nb::arg("name"))
      .def_static("load", &load, nb::arg("context"), nb::arg("path"))
      .def_static("from_config", &readConfig, nb::arg("context"),
                  nb::arg("path"), nb::arg("dtype"), nb::arg("padding"),
                  nb::arg("layers_only"))
      .def_prop_ro("context", [](Module &module) { return module.context; })
      .def("clone", &copyModule)
      .def("run_passes", &runPasses, nb::arg("passes"))
      .def("raise_blocks", &raiseBlocks, nb::arg("options"))
      .def("get_signature", &getSignature, nb::arg("function") = "")
      .def("write_package", &writePackage, nb::arg("path"), nb::arg("chips"))
      .def("write_device_package", &writeDevicePackage, nb::arg("path"),
           nb::arg("chip"), nb::arg("ptx_only"), nb::arg("cache").none())
      .def("print",
           [](Module &module) { return getText(module, parablockModulePrint); })
      .def("explain",
           [](Module &module) {
             return getText(module, parablockModuleExplain);
           })
      .def(
          "count_kernels",
          [](Module &module, const std::string &chip) {
            return getText(module, [&](ParablockModule *handle, char **text) {
              return parablockModuleCountKernels(handle, chip.c_str(), text);
            });
          },
          nb::arg("chip"))
      .def(
          "list_checkpoints",
          [](Module &module, size_t most) {
            return getText(module, [&](ParablockModule *handle, char **text) {
              return parablockModuleListCheckpoints(handle, most, text);
            });
          },
          nb::arg("most"))
      .def("list_unrecognised",
           [](Module &module) {
             return getText(module, parablockModuleListUnrecognised);
           })
      .def(
          "report",
          [](Module &module, const std::string &chip) {
            return getText(module, [&](ParablockModule *handle, char **text) {
              return parablockModuleReport(
                  handle, chip.empty() ? nullptr : chip.c_str(), text);
            });
          },
          nb::arg("chip"))
      .def("check_weights", &checkWeights, nb::arg("file"),
           nb::arg("metadata"));
  python.def("pack_weights", &packWeights, nb::arg("context"),
             nb::arg("recipe"), nb::arg("input"), nb::arg("output"));
  python.def("measure_drift", &measureDrift, nb::arg("context"),
             nb::arg("request"));
}
