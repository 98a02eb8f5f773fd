//===- CApi.cpp - the C interface -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Handles.h"

#include <algorithm>
#include <cstring>

using namespace parablock;
using namespace parablock::launch;

pbl_code launch::report(const Status &status, pbl_error *error) {
  pbl_code code = status ? static_cast<pbl_code>(status->fault) : PBL_OK;
  if (!error)
    return code;
  error->code = code;
  std::string text = status ? status->text : "";
  size_t length = std::min(text.size(), sizeof(error->message) - 1);
  std::memcpy(error->message, text.data(), length);
  error->message[length] = '\0';
  return code;
}

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

pbl_package *pbl_package_open(const char *path, pbl_error *error) {
  auto made = std::make_unique<pbl_package>();
  Status status = readPackage(path, made->package);
  if (!status)
    for (uint32_t i = 0; i < made->numTensors(); ++i) {
      TensorView &view = made->views.emplace_back();
      for (const PlanSize &size : made->port(i).tensor.shape) {
        view.shape.push_back(size.isNamed() ? -1 : size.value);
        view.dimNames.push_back(size.isNamed() ? size.name.c_str() : nullptr);
      }
    }
  return give(std::move(made), status, error);
}

void pbl_package_close(pbl_package *package) { delete package; }

uint32_t pbl_package_num_tensors(const pbl_package *package) {
  return package->numTensors();
}

pbl_tensor pbl_package_tensor(const pbl_package *package, uint32_t index) {
  const PackagePort &port = package->port(index);
  const TensorView &view = package->views[index];
  pbl_tensor tensor = {};
  tensor.name = port.tensor.name.c_str();
  tensor.dtype = port.tensor.type.c_str();
  bool isResult = index >= package->package.arguments.size();
  tensor.role = isResult           ? PBL_RESULT
                : port.isParameter ? PBL_PARAMETER
                                   : PBL_INPUT;
  tensor.rank = static_cast<uint32_t>(view.shape.size());
  tensor.shape = view.shape.data();
  tensor.dim_names = view.dimNames.data();
  return tensor;
}

//===----------------------------------------------------------------------===//
// Devices and programs
//===----------------------------------------------------------------------===//

pbl_device *pbl_device_open(int ordinal, pbl_error *error) {
  auto made = std::make_unique<pbl_device>();
  Status status = DeviceContext::open(ordinal, made->context);
  return give(std::move(made), status, error);
}

void pbl_device_close(pbl_device *device) { delete device; }

const char *pbl_device_name(const pbl_device *device) {
  return device->context->name.c_str();
}

pbl_program *pbl_program_create(pbl_package *package, pbl_device *device,
                                const char *chip, pbl_error *error) {
  auto made = std::make_unique<pbl_program>();
  made->package = package;
  Status status =
      Program::create(package->package, *device->context,
                      /*group=*/nullptr, chip ? chip : "", made->program);
  return give(std::move(made), status, error);
}

void pbl_program_destroy(pbl_program *program) { delete program; }

const char *pbl_program_chip(const pbl_program *program) {
  return program->program->code->chip.c_str();
}

pbl_code pbl_program_set_weight(pbl_program *program, const char *name,
                                const void *data, uint64_t bytes,
                                pbl_error *error) {
  return report(program->program->setWeight(name, data, bytes), error);
}

pbl_code pbl_program_load_weights(pbl_program *program, const char *path,
                                  pbl_error *error) {
  return report(program->program->loadWeights(path), error);
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

pbl_session *pbl_session_create(pbl_program *program, const pbl_dim *dims,
                                uint32_t num_dims, pbl_error *error) {
  auto made = std::make_unique<pbl_session>();
  made->package = program->package;
  PlanDims sizes;
  for (uint32_t i = 0; i < num_dims; ++i)
    sizes[dims[i].name] = dims[i].size;
  Status status = Session::create(*program->program, sizes, made->session);
  return give(std::move(made), status, error);
}

void pbl_session_destroy(pbl_session *session) { delete session; }

pbl_tensor pbl_session_tensor(const pbl_session *session, uint32_t index) {
  const Session &own = *session->session;
  unsigned numArguments = own.plan().numArguments;
  unsigned tensor =
      index < numArguments ? index : own.plan().results[index - numArguments];
  pbl_tensor result = pbl_package_tensor(session->package, index);
  result.shape = own.bound().tensors[tensor].shape.data();
  result.bytes = own.bound().tensors[tensor].bytes;
  return result;
}

pbl_code pbl_session_bind(pbl_session *session, const char *name,
                          uint64_t device_pointer, pbl_error *error) {
  return report(session->session->bind(name, device_pointer), error);
}

pbl_code pbl_session_set_input(pbl_session *session, const char *name,
                               const void *data, uint64_t bytes,
                               pbl_error *error) {
  return report(session->session->setInput(name, data, bytes), error);
}

pbl_code pbl_session_get_result(pbl_session *session, const char *name,
                                void *data, uint64_t bytes, pbl_error *error) {
  return report(session->session->getResult(name, data, bytes), error);
}

pbl_code pbl_session_launch(pbl_session *session, void *stream,
                            pbl_error *error) {
  return report(session->session->launch(static_cast<cuda::Stream>(stream)),
                error);
}

pbl_code pbl_session_replay(pbl_session *session, void *stream,
                            pbl_error *error) {
  return report(session->session->replay(static_cast<cuda::Stream>(stream)),
                error);
}

void pbl_session_set_programmatic(pbl_session *session, int value) {
  session->session->setProgrammatic(value != 0);
}

pbl_code pbl_session_wait(pbl_session *session, pbl_error *error) {
  return report(session->session->wait(), error);
}

pbl_facts pbl_session_facts(const pbl_session *session) {
  const Session &own = *session->session;
  pbl_facts facts = {};
  facts.num_launches = static_cast<uint32_t>(own.plan().launches.size());
  facts.arena_bytes = own.bound().arena.peakBytes;
  facts.arena_sum_bytes = own.bound().arena.sumBytes;
  facts.session_bytes = own.getBytes();
  facts.program_bytes = own.program.getBytes();
  return facts;
}

const char *pbl_session_kernel(const pbl_session *session, uint32_t launch) {
  return session->session->plan().launches[launch].kernel.c_str();
}
