# libparablock-c.so as a wheel carries it: with LLVM and MLIR inside, from the
# archives of the distribution, of which the linker keeps what the C API reaches.
# No other symbol is visible, so that another LLVM in the process stays another
# one. Types are told apart by addresses within this library alone: nothing else in
# a wheel has types of MLIR. Asked for by scripts/make_wheel.sh only.

file(GLOB archives "${LLVM_LIBRARY_DIR}/libMLIR*.a" "${LLVM_LIBRARY_DIR}/libLLVM*.a")
get_property(libraries GLOBAL PROPERTY PARABLOCK_LIBRARIES)
list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
# Where one of these is missing, the linker says so.
set(compression -l:libz.a -l:libzstd.a)

add_library(parablock-c-whole SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:parablock-c>)
set_target_properties(parablock-c-whole PROPERTIES
  LINKER_LANGUAGE CXX
  OUTPUT_NAME parablock-c
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/wheel"
  LINK_DEPENDS "${files};${PROJECT_SOURCE_DIR}/cmake/c-api.map")
add_dependencies(parablock-c-whole ${libraries})
target_link_libraries(parablock-c-whole PRIVATE
  -Wl,--start-group ${files} ${archives} ${compression} -Wl,--end-group
  ${CMAKE_DL_LIBS} Threads::Threads)
# Relative relocations, packed: glibc reads them since 2.36, which bookworm has.
target_link_options(parablock-c-whole PRIVATE -Wl,--gc-sections -Wl,-s -Wl,--no-undefined -Wl,--as-needed
  -Wl,-z,pack-relative-relocs -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/c-api.map)
