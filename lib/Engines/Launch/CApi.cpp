//===- CApi.cpp - functions on packages, devices and programs -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "VerifyPackage.h"

#include <algorithm>
#include <cstdio>
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

pbl_code launch::reportInternal(const char *reason, pbl_error *error) {
  if (error) {
    error->code = PBL_INTERNAL;
    std::snprintf(error->message, sizeof(error->message), "internal error: %s",
                  reason);
  }
  return PBL_INTERNAL;
}

Status launch::checkGiven(const void *argument, const char *what) {
  return argument ? Status()
                  : fail(std::string("expected ") + what + ", got null");
}

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

static Status openPackage(const char *path, OpenPackage &made) {
  if (Status failure = checkGiven(path, "a path"))
    return failure;
  if (Status failure = readPackage(path, made.package))
    return failure;
  for (uint32_t i = 0; i < made.numTensors(); ++i) {
    TensorView &view = made.views.emplace_back();
    for (const PlanSize &size : made.port(i).tensor.shape) {
      view.shape.push_back(size.isNumber() ? size.value : -1);
      view.texts.push_back(size.isNumber() ? "" : formatSize(size));
    }
    for (size_t dim = 0; dim < view.shape.size(); ++dim)
      view.dimNames.push_back(view.shape[dim] < 0 ? view.texts[dim].c_str()
                                                  : nullptr);
  }
  return {};
}

pbl_package *pbl_package_open(const char *path, pbl_error *error) {
  return make<pbl_package>(error, [&](pbl_package &made) {
    made.open = std::make_shared<OpenPackage>();
    return openPackage(path, *made.open);
  });
}

void pbl_package_close(pbl_package *package) {
  Handles<pbl_package>::get().remove(package);
}

pbl_code pbl_package_verify(const pbl_package *package, pbl_error *error) {
  return run(error, [&] {
    std::shared_ptr<pbl_package> own;
    Status failure = find(package, own);
    return failure ? failure : verifyPackage(own->open->package);
  });
}

const char *pbl_package_hash(const pbl_package *package) {
  std::shared_ptr<pbl_package> own = Handles<pbl_package>::get().find(package);
  return own ? own->open->package.sha256.c_str() : nullptr;
}

uint32_t pbl_package_num_ranks(const pbl_package *package) {
  std::shared_ptr<pbl_package> own = Handles<pbl_package>::get().find(package);
  return own ? own->open->package.numRanks() : 0;
}

uint32_t pbl_package_num_tensors(const pbl_package *package) {
  std::shared_ptr<pbl_package> own = Handles<pbl_package>::get().find(package);
  return own ? own->open->numTensors() : 0;
}

static pbl_tensor describe(const OpenPackage &open, uint32_t index) {
  pbl_tensor tensor = {};
  if (index >= open.numTensors())
    return tensor;
  const PackagePort &port = open.port(index);
  const TensorView &view = open.views[index];
  tensor.name = port.tensor.name.c_str();
  tensor.dtype = port.tensor.type.c_str();
  bool isResult = index >= open.package.arguments.size();
  tensor.role = isResult           ? PBL_RESULT
                : port.isParameter ? PBL_PARAMETER
                                   : PBL_INPUT;
  tensor.rank = static_cast<uint32_t>(view.shape.size());
  tensor.shape = view.shape.data();
  tensor.dim_names = view.dimNames.data();
  return tensor;
}

pbl_tensor pbl_package_tensor(const pbl_package *package, uint32_t index) {
  std::shared_ptr<pbl_package> own = Handles<pbl_package>::get().find(package);
  return own ? describe(*own->open, index) : pbl_tensor{};
}

pbl_tensor pbl_session_tensor(const pbl_session *session, uint32_t index) {
  std::shared_ptr<pbl_session> own = Handles<pbl_session>::get().find(session);
  pbl_tensor result = own ? describe(*own->owner.open, index) : pbl_tensor{};
  if (!result.name)
    return result;
  const Session &made = *own->session;
  unsigned numArguments = made.plan().numArguments;
  unsigned tensor =
      index < numArguments ? index : made.plan().results[index - numArguments];
  result.shape = made.bound().tensors[tensor].shape.data();
  result.bytes = made.bound().tensors[tensor].bytes;
  return result;
}

//===----------------------------------------------------------------------===//
// Devices and programs
//===----------------------------------------------------------------------===//

pbl_device *pbl_device_open(int ordinal, pbl_error *error) {
  return make<pbl_device>(error, [&](pbl_device &made) {
    std::unique_ptr<DeviceContext> context;
    Status status = DeviceContext::open(ordinal, context);
    made.context = std::move(context);
    return status;
  });
}

void pbl_device_close(pbl_device *device) {
  Handles<pbl_device>::get().remove(device);
}

const char *pbl_device_name(const pbl_device *device) {
  std::shared_ptr<pbl_device> own = Handles<pbl_device>::get().find(device);
  return own ? own->context->name.c_str() : nullptr;
}

static Status createProgram(pbl_package *package, pbl_device *device,
                            const char *chip, pbl_program &made) {
  std::shared_ptr<pbl_package> ownPackage;
  std::shared_ptr<pbl_device> ownDevice;
  if (Status failure = find(package, ownPackage))
    return failure;
  if (Status failure = find(device, ownDevice))
    return failure;
  if (made.group && &made.group->device != ownDevice->context.get())
    return fail("expected the device that the group was joined with");
  made.open = ownPackage->open;
  made.context = ownDevice->context;
  std::unique_ptr<Program> program;
  Status failure = Program::create(made.open->package, *made.context,
                                   made.group.get(), chip ? chip : "", program);
  made.program = std::move(program);
  return failure;
}

pbl_program *pbl_program_create(pbl_package *package, pbl_device *device,
                                const char *chip, pbl_error *error) {
  return make<pbl_program>(error, [&](pbl_program &made) {
    return createProgram(package, device, chip, made);
  });
}

pbl_program *pbl_program_create_rank(pbl_package *package, pbl_device *device,
                                     pbl_group *group, const char *chip,
                                     pbl_error *error) {
  return make<pbl_program>(error, [&](pbl_program &made) {
    std::shared_ptr<pbl_group> ownGroup;
    if (Status failure = find(group, ownGroup))
      return failure;
    made.group = ownGroup->group;
    return createProgram(package, device, chip, made);
  });
}

void pbl_program_destroy(pbl_program *program) {
  Handles<pbl_program>::get().remove(program);
}

const char *pbl_program_chip(const pbl_program *program) {
  std::shared_ptr<pbl_program> own = Handles<pbl_program>::get().find(program);
  return own ? own->program->code->chip.c_str() : nullptr;
}

static Status findForWeight(pbl_program *program, const char *name,
                            const void *data, uint64_t bytes,
                            std::shared_ptr<pbl_program> &own) {
  Status failure = find(program, own);
  if (!failure)
    failure = checkGiven(name, "a name");
  if (!failure && bytes)
    failure = checkGiven(data, "data");
  return failure;
}

pbl_code pbl_program_set_weight(pbl_program *program, const char *name,
                                const void *data, uint64_t bytes,
                                pbl_error *error) {
  return run(error, [&] {
    std::shared_ptr<pbl_program> own;
    Status failure = findForWeight(program, name, data, bytes, own);
    return failure ? failure : own->program->setWeight(name, data, bytes);
  });
}

pbl_code pbl_program_set_weight_part(pbl_program *program, const char *name,
                                     uint64_t offset, const void *data,
                                     uint64_t bytes, pbl_error *error) {
  return run(error, [&] {
    std::shared_ptr<pbl_program> own;
    Status failure = findForWeight(program, name, data, bytes, own);
    return failure ? failure
                   : own->program->setWeightPart(name, offset, data, bytes);
  });
}

pbl_code pbl_program_bind_weight(pbl_program *program, const char *name,
                                 uint64_t device_pointer, uint64_t bytes,
                                 pbl_error *error) {
  return run(error, [&] {
    std::shared_ptr<pbl_program> own;
    Status failure = find(program, own);
    if (!failure)
      failure = checkGiven(name, "a name");
    if (!failure)
      failure = checkPointer(name, device_pointer);
    return failure ? failure
                   : own->program->bindWeight(name, device_pointer, bytes);
  });
}

pbl_code pbl_program_load_weights(pbl_program *program, const char *path,
                                  pbl_error *error) {
  return run(error, [&] {
    std::shared_ptr<pbl_program> own;
    Status failure = find(program, own);
    if (!failure)
      failure = checkGiven(path, "a path");
    return failure ? failure : own->program->loadWeights(path);
  });
}
