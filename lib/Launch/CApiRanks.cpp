//===- CApiRanks.cpp - the C interface for several devices ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "Meeting.h"

#include <cstring>

using namespace parablock;
using namespace parablock::launch;

static_assert(sizeof(nccl::UniqueId) == PBL_GROUP_ID_BYTES);

uint32_t pbl_package_num_ranks(const pbl_package *package) {
  return package->package.numRanks();
}

pbl_code pbl_group_make_id(unsigned char *id, pbl_error *error) {
  nccl::UniqueId made = {};
  Status status = RankGroup::makeId(made);
  std::memcpy(id, made.bytes, sizeof(made.bytes));
  return report(status, error);
}

static RankOf getRank(uint32_t rank, uint32_t ranks) {
  return {static_cast<int>(rank), static_cast<int>(ranks)};
}

pbl_group *pbl_group_join(pbl_device *device, uint32_t rank, uint32_t ranks,
                          uint32_t seconds, const unsigned char *id,
                          pbl_error *error) {
  auto made = std::make_unique<pbl_group>();
  nccl::UniqueId given;
  std::memcpy(given.bytes, id, sizeof(given.bytes));
  Status status =
      RankGroup::join(*device->context, getRank(rank, ranks),
                      std::chrono::seconds(seconds), given, made->group);
  return give(std::move(made), status, error);
}

pbl_group *pbl_group_meet_in(pbl_device *device, uint32_t rank, uint32_t ranks,
                             uint32_t seconds, const char *folder,
                             pbl_error *error) {
  nccl::UniqueId id = {};
  if (Status failure = meetInFolder(folder, getRank(rank, ranks),
                                    std::chrono::seconds(seconds), id)) {
    report(failure, error);
    return nullptr;
  }
  return pbl_group_join(device, rank, ranks, seconds,
                        reinterpret_cast<const unsigned char *>(id.bytes),
                        error);
}

void pbl_group_leave(pbl_group *group) { delete group; }

pbl_code pbl_group_meet(pbl_group *group, const char *failure,
                        pbl_error *error) {
  return report(group->group->meet(failure ? fail(failure) : Status()), error);
}

pbl_code pbl_group_wait(pbl_group *group, void *stream, pbl_error *error) {
  CurrentContext current(group->group->device);
  return report(group->group->wait(static_cast<cuda::Stream>(stream)), error);
}

pbl_program *pbl_program_create_rank(pbl_package *package, pbl_device *device,
                                     pbl_group *group, const char *chip,
                                     pbl_error *error) {
  auto made = std::make_unique<pbl_program>();
  made->package = package;
  Status status =
      Program::create(package->package, *device->context, group->group.get(),
                      chip ? chip : "", made->program);
  return give(std::move(made), status, error);
}
