//===- BuildId.cpp - reads notes of ELF headers ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/BuildId.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <link.h>

using namespace parablock;

namespace {
struct Search {
  uintptr_t address;
  std::string found;
};
} // namespace

/// The identity among the notes of one segment.
static std::string readNotes(const char *notes, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof(note));
    size_t nameBytes = llvm::alignTo(note.n_namesz, 4),
           idBytes = llvm::alignTo(note.n_descsz, 4),
           bytes = sizeof(note) + nameBytes + idBytes;
    if (bytes > size)
      break;
    const char *name = notes + sizeof(note);
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(name, "GNU", 4) == 0)
      return llvm::toHex(llvm::StringRef(name + nameBytes, note.n_descsz),
                         /*LowerCase=*/true);
    notes += bytes;
    size -= bytes;
  }
  return "";
}

static int visitFile(dl_phdr_info *file, size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  llvm::ArrayRef<ElfW(Phdr)> segments(file->dlpi_phdr, file->dlpi_phnum);
  bool isHere = llvm::any_of(segments, [&](const ElfW(Phdr) & segment) {
    uintptr_t begin = file->dlpi_addr + segment.p_vaddr;
    return segment.p_type == PT_LOAD && search.address >= begin &&
           search.address - begin < segment.p_memsz;
  });
  if (!isHere)
    return 0;
  for (const ElfW(Phdr) &segment : segments)
    if (segment.p_type == PT_NOTE && search.found.empty())
      search.found = readNotes(
          reinterpret_cast<const char *>(file->dlpi_addr + segment.p_vaddr),
          segment.p_memsz);
  return 1;
}

std::string parablock::findBuildId(const void *address) {
  Search search{reinterpret_cast<uintptr_t>(address), ""};
  dl_iterate_phdr(visitFile, &search);
  return search.found;
}
