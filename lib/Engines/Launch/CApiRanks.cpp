//===- CApiRanks.cpp - functions on groups of ranks -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "Meeting.h"

#include <cstring>

using namespace parablock;
using namespace parablock::launch;

static_assert(sizeof(nccl::UniqueId) == PBL_GROUP_ID_BYTES);

pbl_code pbl_group_make_id(unsigned char *id, pbl_error *error) {
  return run(error, [&] {
    nccl::UniqueId made = {};
    Status status = checkGiven(id, "memory for an id");
    if (!status)
      status = RankGroup::makeId(made);
    if (!status)
      std::memcpy(id, made.bytes, sizeof(made.bytes));
    return status;
  });
}

static RankOf getRank(uint32_t rank, uint32_t ranks) {
  return {static_cast<int>(rank), static_cast<int>(ranks)};
}

/// Joins by an id that `findId` gives, of a device that is one.
template <typename FindId>
static pbl_group *join(pbl_device *device, uint32_t rank, uint32_t ranks,
                       uint32_t seconds, pbl_error *error,
                       const FindId &findId) {
  return make<pbl_group>(error, [&](pbl_group &made) {
    std::shared_ptr<pbl_device> own;
    nccl::UniqueId id = {};
    Status status = find(device, own);
    if (!status)
      status = checkRank(getRank(rank, ranks));
    if (!status)
      status = findId(id);
    if (status)
      return status;
    made.context = own->context;
    std::unique_ptr<RankGroup> group;
    status = RankGroup::join(*own->context, getRank(rank, ranks),
                             std::chrono::seconds(seconds), id, group);
    made.group = std::move(group);
    return status;
  });
}

pbl_group *pbl_group_join(pbl_device *device, uint32_t rank, uint32_t ranks,
                          uint32_t seconds, const unsigned char *id,
                          pbl_error *error) {
  return join(device, rank, ranks, seconds, error, [&](nccl::UniqueId &given) {
    if (Status failure = checkGiven(id, "an id"))
      return failure;
    std::memcpy(given.bytes, id, sizeof(given.bytes));
    return Status();
  });
}

pbl_group *pbl_group_meet_in(pbl_device *device, uint32_t rank, uint32_t ranks,
                             uint32_t seconds, const char *folder,
                             pbl_error *error) {
  return join(device, rank, ranks, seconds, error, [&](nccl::UniqueId &given) {
    if (Status failure = checkGiven(folder, "a folder"))
      return failure;
    return meetInFolder(folder, getRank(rank, ranks),
                        std::chrono::seconds(seconds), given);
  });
}

void pbl_group_leave(pbl_group *group) {
  Handles<pbl_group>::get().remove(group);
}

pbl_code pbl_group_meet(pbl_group *group, const char *failure,
                        pbl_error *error) {
  return run(error, [&] {
    std::shared_ptr<pbl_group> own;
    if (Status none = find(group, own))
      return none;
    return own->group->meet(failure ? fail(failure) : Status());
  });
}

pbl_code pbl_group_wait(pbl_group *group, void *stream, pbl_error *error) {
  return run(error, [&] {
    std::shared_ptr<pbl_group> own;
    if (Status none = find(group, own))
      return none;
    CurrentContext current(own->group->device);
    return own->group->wait(static_cast<cuda::Stream>(stream));
  });
}
