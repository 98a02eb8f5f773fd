//===- CApiGeneration.cpp - functions on generations ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceMachine.h"
#include "Handles.h"

#include <algorithm>

using namespace parablock;
using namespace parablock::launch;

struct pbl_generation {
  static constexpr char what[] = "a generation";
  pbl_program owner;
  std::unique_ptr<generation::Generation> loop;
  /// The loop's.
  const DeviceMachine *machine = nullptr;
  /// Set while a call is under way.
  std::atomic_flag isBusy = ATOMIC_FLAG_INIT;
};

static Status readRequest(const pbl_request &given,
                          generation::Request &request) {
  if (Status failure = checkGiven(given.ids, "the tokens of a prompt"))
    return failure;
  if (Status failure =
          given.num_stops ? checkGiven(given.stops, "stops") : Status())
    return failure;
  // Larger sizes cannot be in memory.
  constexpr uint64_t most = uint64_t(1) << 48;
  if (given.rows == 0 || given.width == 0)
    return fail("ids: expected rows of as many tokens each, at least one");
  if (given.rows > most || given.width > most / (given.rows + 1) ||
      given.num_stops > most)
    return fail("ids: the prompt is too large");
  request.ids.assign(given.ids, given.ids + given.rows * given.width);
  if (given.starts)
    request.starts.assign(given.starts, given.starts + given.rows);
  else
    request.starts.assign(given.rows, 0);
  request.mostTokens = given.max_new_tokens;
  const pbl_sampling &sampling = given.sampling;
  request.sampling = {sampling.temperature, sampling.top_k, sampling.top_p,
                      sampling.min_p, sampling.repetition_penalty};
  request.seed = given.seed;
  request.stops.assign(given.stops, given.stops + given.num_stops);
  request.padding = given.padding;
  if (given.pool_pages != 0)
    request.mostPages = given.pool_pages;
  if (given.reserved_tokens != 0)
    request.mostReserved = given.reserved_tokens;
  return {};
}

/// Checks a request, and runs its prompt.
static Status begin(pbl_program *program, const pbl_request *given,
                    pbl_generation &made) {
  std::shared_ptr<pbl_program> own;
  if (Status failure = find(program, own))
    return failure;
  if (Status failure = checkGiven(given, "a request"))
    return failure;
  generation::Request request;
  if (Status failure = readRequest(*given, request))
    return failure;
  made.owner = *own;
  generation::TokenPorts ports;
  generation::TokenLimits limits;
  if (Status failure = readTokenPorts(own->open->package, ports, limits))
    return failure;
  if (Status failure = own->program->checkWeights())
    return failure;
  std::unique_ptr<DeviceMachine> machine;
  if (Status failure = DeviceMachine::create(*own->program, ports, machine))
    return failure;
  made.machine = machine.get();
  if (Status failure = generation::Generation::create(
          std::move(ports), limits, std::move(request), std::move(machine),
          made.loop))
    return failure;
  return made.loop->begin();
}

static Status next(pbl_generation &own, int64_t *tokens, int &hasEnded) {
  if (Status failure = own.loop->next())
    return failure;
  const std::vector<int64_t> &chosen = own.loop->getTokens();
  std::copy(chosen.begin(), chosen.end(), tokens);
  hasEnded = own.loop->hasEnded();
  return {};
}

pbl_generation *pbl_generation_begin(pbl_program *program,
                                     const pbl_request *request,
                                     pbl_error *error) {
  return make<pbl_generation>(error, [&](pbl_generation &made) {
    return begin(program, request, made);
  });
}

void pbl_generation_free(pbl_generation *generation) {
  Handles<pbl_generation>::get().remove(generation);
}

pbl_code pbl_generation_next(pbl_generation *generation, int64_t *tokens,
                             int *has_ended, pbl_error *error) {
  return run(error, [&] {
    return useAlone(generation, [&](pbl_generation &own) {
      Status failure = checkGiven(tokens, "room for tokens");
      if (!failure)
        failure = checkGiven(has_ended, "room for has_ended");
      return failure ? failure : next(own, tokens, *has_ended);
    });
  });
}

pbl_facts pbl_generation_facts(const pbl_generation *generation) {
  pbl_facts facts = {};
  (void)useAlone(generation, [&](const pbl_generation &own) -> Status {
    if (const Session *session = own.machine->getSession()) {
      facts = describeSession(*session);
      facts.session_bytes += own.machine->getBytes();
    }
    return {};
  });
  return facts;
}

pbl_code pbl_generate(pbl_program *program, const pbl_request *request,
                      pbl_token_handler handler, void *user_data,
                      int64_t *tokens, uint64_t *steps, pbl_error *error) {
  return run(error, [&]() -> Status {
    if (Status failure = checkGiven(tokens, "room for tokens"))
      return failure;
    if (Status failure = checkGiven(steps, "room for the number of steps"))
      return failure;
    *steps = 0;
    pbl_generation own;
    if (Status failure = begin(program, request, own))
      return failure;
    uint64_t rows = own.loop->getTokens().size();
    for (int hasEnded = 0; !hasEnded; tokens += rows) {
      if (Status failure = next(own, tokens, hasEnded))
        return failure;
      ++*steps;
      if (handler && handler(tokens, rows, user_data) != 0)
        break;
    }
    return {};
  });
}
