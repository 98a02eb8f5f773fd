//===- FakeDriver.cpp - driver entry points -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"
#include "parablock/Judges/Emulator/TensorMap.h"

#include <cstdlib>
#include <cstring>

using namespace parablock;
using namespace parablock::cuda;
using fake::FakeDevice;
using fake::FakeFunction;
using fake::FakeModule;
using fake::FakeStream;

// The launcher's own list of them: one that is missing here does not link.
extern "C" {
#define X(name, symbol, parameters)                                            \
  __attribute__((visibility("default"))) Result symbol parameters;
PARABLOCK_DRIVER_FUNCTIONS(X)
#undef X
__attribute__((visibility("default"))) NotePackage parablockNotePackage;
// For tests that try faults in one process. Counts are of FakeFaults::Kind.
__attribute__((visibility("default"))) int
parablockFakeSetFault(const char *text);
__attribute__((visibility("default"))) uint64_t parablockFakeGetCount(int kind);
// Bytes of device memory, and other objects that are not freed.
__attribute__((visibility("default"))) uint64_t parablockFakeGetUsed();
__attribute__((visibility("default"))) int64_t parablockFakeGetObjects();
}

namespace {
struct FakeGraph {
  std::vector<fake::Work> work;
};
/// A place in the work of a stream; null is the default stream, which has none
/// left.
struct FakeEvent {
  FakeStream *stream = nullptr;
  uint64_t numWork = 0;
  /// The capture that it is part of.
  FakeStream *root = nullptr;
};
} // namespace

template <typename Made, typename Handle> static Made *unwrap(Handle handle) {
  return reinterpret_cast<Made *>(handle);
}

/// The default stream, which runs at once, has no handle or this one.
static FakeStream *getStream(Stream stream) {
  const auto legacy = reinterpret_cast<Stream>(uintptr_t{1});
  return stream == legacy ? nullptr : unwrap<FakeStream>(stream);
}

static FakeDevice &device() { return FakeDevice::get(); }

/// Begins a call: Success, or Unknown on a device that is lost.
static Result enter() { return device().enter(); }

/// Returns the result of a call that does its work even on a lost device.
static Result either(Result entered, Result result) {
  return entered ? entered : result;
}

/// Contexts that this thread made current.
static thread_local unsigned numCurrent = 0;

/// Begins a call that requires a current context.
static Result enterContext() {
  if (Result lost = enter())
    return lost;
  return numCurrent ? Success : InvalidContext;
}

//===----------------------------------------------------------------------===//
// Device and context
//===----------------------------------------------------------------------===//

Result cuInit(unsigned /*flags*/) {
  if (Result lost = enter())
    return lost;
  return device().exists() ? Success : NoDevice;
}

Result cuGetErrorName(Result result, const char **text) {
  switch (result) {
  case Success:
    *text = "CUDA_SUCCESS";
    return Success;
  case InvalidValue:
    *text = "CUDA_ERROR_INVALID_VALUE";
    return Success;
  case OutOfMemory:
    *text = "CUDA_ERROR_OUT_OF_MEMORY";
    return Success;
  case NoDevice:
    *text = "CUDA_ERROR_NO_DEVICE";
    return Success;
  case InvalidContext:
    *text = "CUDA_ERROR_INVALID_CONTEXT";
    return Success;
  case NotReady:
    *text = "CUDA_ERROR_NOT_READY";
    return Success;
  case InvalidImage:
    *text = "CUDA_ERROR_INVALID_IMAGE";
    return Success;
  case NotFound:
    *text = "CUDA_ERROR_NOT_FOUND";
    return Success;
  case UnsupportedPtxVersion:
    *text = "CUDA_ERROR_UNSUPPORTED_PTX_VERSION";
    return Success;
  case LaunchFailed:
    *text = "CUDA_ERROR_LAUNCH_FAILED";
    return Success;
  case StreamCaptureUnsupported:
    *text = "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED";
    return Success;
  case StreamCaptureUnjoined:
    *text = "CUDA_ERROR_STREAM_CAPTURE_UNJOINED";
    return Success;
  case Unknown:
    *text = "CUDA_ERROR_UNKNOWN";
    return Success;
  default:
    *text = nullptr;
    return InvalidValue;
  }
}

Result cuDeviceGetCount(int *count) {
  if (Result lost = enter())
    return lost;
  *count = 1;
  return Success;
}

Result cuDeviceGet(Device *made, int ordinal) {
  if (Result lost = enter())
    return lost;
  *made = ordinal;
  return ordinal == 0 ? Success : InvalidValue;
}

Result cuDeviceGetName(char *name, int size, Device) {
  if (Result lost = enter())
    return lost;
  std::strncpy(name, "emulator", static_cast<size_t>(size));
  return Success;
}

Result cuDeviceGetAttribute(int *value, DeviceAttribute attribute, Device) {
  if (Result lost = enter())
    return lost;
  bool isHopper = device().chip == "sm_90a";
  switch (attribute) {
  case ComputeCapabilityMajor:
    *value = isHopper ? 9 : 8;
    return Success;
  case ComputeCapabilityMinor:
    *value = 0;
    return Success;
  case MaxSharedBytes:
    *value = (isHopper ? 227 : 163) * 1024;
    return Success;
  case MultiprocessorCount:
    *value = device().multiprocessors;
    return Success;
  }
  return InvalidValue;
}

Result cuDevicePrimaryCtxRetain(Context *context, Device) {
  if (Result lost = enter())
    return lost;
  *context = reinterpret_cast<Context>(&device());
  device().countObject(1);
  return Success;
}

Result cuDevicePrimaryCtxRelease_v2(Device) {
  device().countObject(-1);
  return enter();
}

Result cuCtxPushCurrent_v2(Context) {
  if (Result lost = enter())
    return lost;
  ++numCurrent;
  device().countObject(1);
  return Success;
}

Result cuCtxPopCurrent_v2(Context *) {
  Result lost = enter();
  if (numCurrent == 0)
    return InvalidContext;
  --numCurrent;
  device().countObject(-1);
  return lost;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

int parablockFakeSetFault(const char *text) {
  return device().faults.set(text);
}

uint64_t parablockFakeGetCount(int kind) {
  return device().faults.getCount(static_cast<fake::FakeFaults::Kind>(kind));
}

uint64_t parablockFakeGetUsed() { return device().getUsed(); }
int64_t parablockFakeGetObjects() { return device().getObjects(); }

void parablockNotePackage(const char *path) { device().notePackage(path); }

Result cuModuleLoadDataEx(Module *module, const void *image, unsigned,
                          JitOption *, void **) {
  if (Result lost = enterContext())
    return lost;
  std::unique_ptr<FakeModule> made;
  if (Result result = device().loadModule(image, made))
    return result;
  *module = reinterpret_cast<Module>(made.release());
  device().countObject(1);
  return Success;
}

Result cuModuleUnload(Module module) {
  delete unwrap<FakeModule>(module);
  device().countObject(-1);
  return enter();
}

Result cuModuleGetFunction(Function *function, Module module,
                           const char *name) {
  if (Result lost = enterContext())
    return lost;
  auto &functions = unwrap<FakeModule>(module)->functions;
  auto found = functions.find(name);
  if (found == functions.end())
    return NotFound;
  *function = reinterpret_cast<Function>(&found->second);
  return Success;
}

Result cuFuncSetAttribute(Function function, FunctionAttribute attribute,
                          int value) {
  if (Result lost = enterContext())
    return lost;
  if (attribute == MaxDynamicSharedBytes) {
    unwrap<FakeFunction>(function)->maxDynamicBytes =
        static_cast<uint32_t>(value);
    return Success;
  }
  if (attribute != PreferredSharedCarveout || value < 0 || value > 100)
    return InvalidValue;
  device().count("carve-outs");
  return Success;
}

Result cuLaunchKernelEx(const KernelLaunch *config, Function handle,
                        void **parameters, void **) {
  if (Result lost = enterContext())
    return lost;
  const FakeFunction &function = *unwrap<FakeFunction>(handle);
  unsigned gridX = config->gridX, blockX = config->blockX;
  unsigned sharedBytes = config->sharedBytes;
  bool fits = config->gridY == 1 && config->gridZ == 1 && config->blockY == 1 &&
              config->blockZ == 1 && blockX == function.threads &&
              gridX % function.cluster == 0 &&
              sharedBytes <= function.maxDynamicBytes &&
              config->numAttributes <= 1;
  if (!fits)
    return InvalidValue;
  if (config->numAttributes == 1) {
    const LaunchAttribute &attribute = *config->attributes;
    // Code that does not wait would read memory that is not yet written.
    if (attribute.id != LaunchAttribute::ProgrammaticStreamSerialization ||
        attribute.value != 1 || !function.waits)
      return InvalidValue;
    auto *stream = getStream(config->stream);
    if (stream && stream->isCapturing() && !device().capturesProgrammatic)
      return StreamCaptureUnsupported;
    device().count("programmatic launches");
  }
  // Parameters are read now, not when the kernel runs.
  std::vector<KernelArgument> arguments;
  for (size_t i = 0; i < function.parameterBytes.size(); ++i)
    arguments.emplace_back(parameters[i], function.parameterBytes[i]);
  bool isEarly = config->numAttributes == 1;
  return device().enqueue(getStream(config->stream), [=] {
    return device().launch(function, gridX, blockX, sharedBytes, arguments,
                           isEarly);
  });
}

Result cuTensorMapEncodeTiled(TensorMap *map, int type, unsigned rank,
                              Pointer address, const uint64_t *dims,
                              const uint64_t *strides, const unsigned *box,
                              const unsigned *elementStrides, int interleave,
                              int swizzle, int, int) {
  if (Result lost = enterContext())
    return lost;
  if (reinterpret_cast<uintptr_t>(map) % 64 != 0 ||
      interleave != InterleaveNone)
    return InvalidValue;
  EmulatedTensorMap made;
  if (const char *fault = encodeTensorMap(
          made, static_cast<parablock::TensorMapType>(type), rank,
          reinterpret_cast<const void *>(address), dims, strides, box,
          elementStrides, static_cast<TensorMapSwizzle>(swizzle)))
    return device().tell(llvm::createStringError(fault));
  std::memcpy(map, &made, sizeof(made));
  device().count("tensor maps");
  return Success;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Result cuMemAlloc_v2(Pointer *pointer, size_t bytes) {
  if (Result lost = enterContext())
    return lost;
  return device().allocate(pointer, bytes);
}

Result cuMemFree_v2(Pointer pointer) {
  return either(enterContext(), device().release(pointer));
}

Result cuMemAllocHost_v2(void **pointer, size_t bytes) {
  if (Result lost = enterContext())
    return lost;
  if (bytes == 0)
    return InvalidValue;
  if (Result result = device().allocateHost(pointer, bytes))
    return result;
  device().countObject(1);
  return Success;
}

Result cuMemFreeHost(void *pointer) {
  device().countObject(-1);
  return either(enter(), device().releaseHost(pointer));
}

Result cuMemGetInfo_v2(size_t *available, size_t *total) {
  if (Result lost = enterContext())
    return lost;
  *total = device().getCapacity();
  *available = *total - device().getUsed();
  return Success;
}

Result cuMemcpyHtoDAsync_v2(Pointer target, const void *source, size_t bytes,
                            Stream stream) {
  if (Result lost = enterContext())
    return lost;
  return device().enqueue(getStream(stream), [=] {
    return device().upload(target, source, bytes);
  });
}

Result cuMemcpyDtoHAsync_v2(void *target, Pointer source, size_t bytes,
                            Stream stream) {
  if (Result lost = enterContext())
    return lost;
  return device().enqueue(getStream(stream), [=] {
    return device().download(target, source, bytes);
  });
}

/// A device's memory is the host's here.
static Result copyOnDevice(Pointer target, Pointer source, size_t bytes) {
  return device().upload(target, reinterpret_cast<const void *>(source), bytes);
}

Result cuMemcpyDtoDAsync_v2(Pointer target, Pointer source, size_t bytes,
                            Stream stream) {
  if (Result lost = enterContext())
    return lost;
  return device().enqueue(getStream(stream),
                          [=] { return copyOnDevice(target, source, bytes); });
}

Result cuMemcpy2DAsync_v2(const BoxCopy *box, Stream stream) {
  if (Result lost = enterContext())
    return lost;
  const BoxCopy::End &source = box->source, &target = box->target;
  if (source.memoryType != BoxCopy::DeviceMemory ||
      target.memoryType != BoxCopy::DeviceMemory ||
      source.pitch < box->widthInBytes || target.pitch < box->widthInBytes)
    return InvalidValue;
  device().count("box copies");
  return device().enqueue(getStream(stream), [box = *box] {
    for (size_t row = 0; row < box.height; ++row)
      if (Result result = copyOnDevice(
              box.target.device + row * box.target.pitch,
              box.source.device + row * box.source.pitch, box.widthInBytes))
        return result;
    return Result(Success);
  });
}

Result cuMemsetD8Async(Pointer target, unsigned char value, size_t bytes,
                       Stream stream) {
  if (Result lost = enterContext())
    return lost;
  return device().enqueue(getStream(stream),
                          [=] { return device().fill(target, value, bytes); });
}

//===----------------------------------------------------------------------===//
// Streams and graphs
//===----------------------------------------------------------------------===//

Result cuStreamCreate(Stream *stream, unsigned) {
  if (Result lost = enterContext())
    return lost;
  *stream = reinterpret_cast<Stream>(new FakeStream);
  device().countObject(1);
  return Success;
}

Result cuStreamDestroy_v2(Stream stream) {
  device().retire(unwrap<FakeStream>(stream));
  device().countObject(-1);
  return enter();
}

Result cuStreamSynchronize(Stream stream) {
  if (Result lost = enterContext())
    return lost;
  FakeStream *own = getStream(stream);
  if (!own)
    return Success;
  return own->isCapturing() ? StreamCaptureUnsupported : own->wait();
}

Result cuStreamQuery(Stream stream) {
  if (Result lost = enterContext())
    return lost;
  FakeStream *own = getStream(stream);
  if (!own)
    return Success;
  return own->isCapturing() ? StreamCaptureUnsupported : own->query();
}

Result cuEventCreate(Event *event, unsigned) {
  if (Result lost = enterContext())
    return lost;
  *event = reinterpret_cast<Event>(new FakeEvent);
  device().countObject(1);
  return Success;
}

Result cuEventRecord(Event event, Stream stream) {
  if (Result lost = enterContext())
    return lost;
  FakeStream *own = getStream(stream);
  *unwrap<FakeEvent>(event) =
      own ? FakeEvent{own, own->countWork(), own->root} : FakeEvent();
  return Success;
}

Result cuStreamWaitEvent(Stream stream, Event handle, unsigned flags) {
  if (Result lost = enterContext())
    return lost;
  FakeStream *own = getStream(stream);
  const FakeEvent &event = *unwrap<FakeEvent>(handle);
  if (!own || flags != 0)
    return InvalidValue;
  if (!device().awaitsEvent() || !event.stream)
    return Success;
  // Captures are apart from all other work, and from each other.
  if (event.stream->root != event.root ||
      (own->root && own->root != event.root))
    return StreamCaptureUnsupported;
  return own->await(event.stream, event.numWork);
}

/// Waits for more than the event: for all work of its stream.
Result cuEventSynchronize(Event event) {
  if (Result lost = enterContext())
    return lost;
  const FakeEvent &own = *unwrap<FakeEvent>(event);
  if (own.root)
    return StreamCaptureUnsupported;
  return own.stream ? own.stream->wait() : Result(Success);
}

Result cuEventDestroy_v2(Event event) {
  delete unwrap<FakeEvent>(event);
  device().countObject(-1);
  return enter();
}

Result cuStreamBeginCapture_v2(Stream stream, CaptureMode) {
  if (Result lost = enterContext())
    return lost;
  FakeStream *own = getStream(stream);
  if (!own || own->isCapturing())
    return InvalidValue;
  own->beginCapture();
  return Success;
}

Result cuStreamIsCapturing(Stream stream, CaptureStatus *status) {
  if (Result lost = enterContext())
    return lost;
  FakeStream *own = getStream(stream);
  *status = own && own->isCapturing() ? Captured : NotCaptured;
  return Success;
}

Result cuStreamEndCapture(Stream stream, Graph *graph) {
  if (Result lost = enterContext())
    return lost;
  FakeStream *own = getStream(stream);
  if (!own)
    return InvalidValue;
  FakeGraph made;
  if (Result result = own->endCapture(made.work))
    return result;
  *graph = reinterpret_cast<Graph>(new FakeGraph(std::move(made)));
  device().countObject(1);
  return Success;
}

Result cuGraphInstantiateWithFlags(GraphExec *exec, Graph graph,
                                   unsigned long long) {
  if (Result lost = enterContext())
    return lost;
  *exec = reinterpret_cast<GraphExec>(new FakeGraph(*unwrap<FakeGraph>(graph)));
  device().countObject(1);
  return Success;
}

Result cuGraphLaunch(GraphExec exec, Stream stream) {
  if (Result lost = enterContext())
    return lost;
  if (FakeStream *own = getStream(stream); own && own->isCapturing())
    return StreamCaptureUnsupported;
  device().count("graph launches");
  // The graph may be destroyed while it runs.
  return device().enqueue(getStream(stream),
                          [graph = *unwrap<FakeGraph>(exec)] {
                            for (const fake::Work &work : graph.work)
                              if (Result result = work())
                                return result;
                            return Result(Success);
                          });
}

Result cuGraphDestroy(Graph graph) {
  delete unwrap<FakeGraph>(graph);
  device().countObject(-1);
  return enter();
}

Result cuGraphExecDestroy(GraphExec exec) {
  delete unwrap<FakeGraph>(exec);
  device().countObject(-1);
  return enter();
}
