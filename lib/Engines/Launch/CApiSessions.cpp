//===- CApiSessions.cpp - functions on sessions ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Handles.h"

using namespace parablock;
using namespace parablock::launch;

static Status createSession(pbl_program *program, const pbl_dim *dims,
                            uint32_t numDims, pbl_session &made) {
  std::shared_ptr<pbl_program> own;
  if (Status failure = find(program, own))
    return failure;
  if (Status failure = numDims ? checkGiven(dims, "sizes") : Status())
    return failure;
  PlanDims sizes;
  for (uint32_t i = 0; i < numDims; ++i) {
    if (Status failure = checkGiven(dims[i].name, "the name of a dimension"))
      return failure;
    sizes[dims[i].name] = dims[i].size;
  }
  made.owner = *own;
  return Session::create(*own->program, sizes, {}, made.session);
}

pbl_session *pbl_session_create(pbl_program *program, const pbl_dim *dims,
                                uint32_t num_dims, pbl_error *error) {
  return make<pbl_session>(error, [&](pbl_session &made) {
    return createSession(program, dims, num_dims, made);
  });
}

void pbl_session_destroy(pbl_session *session) {
  Handles<pbl_session>::get().remove(session);
}

template <typename Body>
static Status use(const pbl_session *session, const Body &body) {
  return useAlone(session,
                  [&](pbl_session &own) { return body(*own.session); });
}

/// The whole of a function on a session that returns a code.
template <typename Body>
static pbl_code use(const pbl_session *session, pbl_error *error,
                    const Body &body) {
  return run(error, [&] { return use(session, body); });
}

static pbl_code
bind(pbl_session *session, const char *name, uint64_t device_pointer,
     Status (Session::*bindOne)(const std::string &, cuda::Pointer),
     pbl_error *error) {
  return use(session, error, [&](Session &own) {
    Status failure = checkGiven(name, "a name");
    if (!failure)
      failure = checkPointer(name, device_pointer);
    return failure ? failure : (own.*bindOne)(name, device_pointer);
  });
}

pbl_code pbl_session_bind_input(pbl_session *session, const char *name,
                                uint64_t device_pointer, pbl_error *error) {
  return bind(session, name, device_pointer, &Session::bindInput, error);
}

pbl_code pbl_session_bind_result(pbl_session *session, const char *name,
                                 uint64_t device_pointer, pbl_error *error) {
  return bind(session, name, device_pointer, &Session::bindResult, error);
}

static Status computeWeight(pbl_program *program, const char *name,
                            Session &session, const char *result,
                            cuda::Stream stream) {
  std::shared_ptr<pbl_program> own;
  if (Status failure = find(program, own))
    return failure;
  if (Status failure = checkGiven(name, "a name"))
    return failure;
  if (Status failure = checkGiven(result, "the name of a result"))
    return failure;
  Program &target = *own->program;
  if (!target.device.isSameDevice(session.program.device))
    return fail("expected a session on the device of the program");
  uint64_t bytes = 0;
  if (Status failure = session.getResultBytes(result, bytes))
    return failure;
  cuda::Pointer pointer = 0;
  if (Status failure = target.reserveWeight(name, bytes, pointer))
    return failure;
  if (Status failure = session.bindResult(result, pointer))
    return failure;
  if (Status failure = session.launch(stream))
    return failure;
  target.noteWeight(name);
  return {};
}

pbl_code pbl_program_compute_weight(pbl_program *program, const char *name,
                                    pbl_session *session, const char *result,
                                    void *stream, pbl_error *error) {
  return use(session, error, [&](Session &own) {
    return computeWeight(program, name, own, result,
                         static_cast<cuda::Stream>(stream));
  });
}

pbl_code pbl_session_set_input(pbl_session *session, const char *name,
                               const void *data, uint64_t bytes,
                               pbl_error *error) {
  return use(session, error, [&](Session &own) {
    Status failure = checkGiven(name, "a name");
    if (!failure)
      failure = checkGiven(data, "data");
    return failure ? failure : own.setInput(name, data, bytes);
  });
}

pbl_code pbl_session_get_result(pbl_session *session, const char *name,
                                void *data, uint64_t bytes, pbl_error *error) {
  return use(session, error, [&](Session &own) {
    Status failure = checkGiven(name, "a name");
    if (!failure)
      failure = checkGiven(data, "memory");
    return failure ? failure : own.getResult(name, data, bytes);
  });
}

pbl_code pbl_session_launch(pbl_session *session, void *stream,
                            pbl_error *error) {
  return use(session, error, [&](Session &own) {
    return own.launch(static_cast<cuda::Stream>(stream));
  });
}

pbl_code pbl_session_replay(pbl_session *session, void *stream,
                            pbl_error *error) {
  return use(session, error, [&](Session &own) {
    return own.replay(static_cast<cuda::Stream>(stream));
  });
}

pbl_code pbl_session_wait(pbl_session *session, pbl_error *error) {
  return use(session, error, [&](Session &own) {
    Status failure = own.wait();
    // A router's NaN may be in the rows of one rank alone, and the others would
    // wait for it in the next run.
    return waitsOnHost(own.plan()) ? own.program.group->meet(failure) : failure;
  });
}

void pbl_session_set_programmatic(pbl_session *session, int value) {
  (void)use(session, [&](Session &own) {
    own.setProgrammatic(value != 0);
    return Status();
  });
}

void pbl_session_set_checked(pbl_session *session, int value) {
  (void)use(session, [&](Session &own) {
    own.setChecked(value != 0);
    return Status();
  });
}

pbl_facts launch::describeSession(const Session &session) {
  pbl_facts facts = {};
  facts.num_launches = static_cast<uint32_t>(session.countLaunches());
  facts.arena_bytes = session.bound().arena.peakBytes;
  facts.arena_sum_bytes = session.bound().arena.sumBytes;
  facts.session_bytes = session.getBytes();
  facts.program_bytes = session.program.getBytes();
  return facts;
}

pbl_facts pbl_session_facts(const pbl_session *session) {
  pbl_facts facts = {};
  (void)use(session, [&](const Session &own) {
    facts = describeSession(own);
    return Status();
  });
  return facts;
}

const char *pbl_session_kernel(const pbl_session *session, uint32_t launch) {
  const char *name = nullptr;
  (void)use(session, [&](const Session &own) {
    for (const PlanLaunch &step : own.plan().launches)
      if (own.isCounted(step) && launch-- == 0)
        name = own.getKernel(step).kernel.c_str();
    return Status();
  });
  return name;
}
