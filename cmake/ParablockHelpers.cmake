# Functions that every CMakeLists.txt of the project uses, so that flags and link
# rules are written once. LLVM and MLIR come from the two shared libraries of the
# distribution: a second static copy would give the process two type registries.

find_package(Threads REQUIRED)

# The flags of every compiled target of the project.
function(parablock_configure_target target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter -Wno-comment
                         -fvisibility-inlines-hidden -fno-exceptions)
  # What ccache asks of a compiler to see through a precompiled header.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  else()
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>)
  endif()
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(${target} PRIVATE -fno-rtti)
  endif()
  if(PARABLOCK_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PARABLOCK_SANITIZE} -fno-omit-frame-pointer -g1)
    target_link_options(${target} PRIVATE -fsanitize=${PARABLOCK_SANITIZE})
  endif()
endfunction()

# Headers that many files include, parsed once: most of the time that a file here
# takes is the front end on MLIR's headers. A source still includes what it uses;
# CMAKE_DISABLE_PRECOMPILE_HEADERS builds without these.
function(parablock_add_precompiled set)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${set}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// Only carries the precompiled header.\n")
  add_library(ParablockPrecompiled${set} OBJECT "${source}")
  parablock_configure_target(ParablockPrecompiled${set})
  add_dependencies(ParablockPrecompiled${set} ParablockTableGen)
  target_precompile_headers(ParablockPrecompiled${set} PRIVATE ${ARGN})
endfunction()

# With PARABLOCK_JOIN_SOURCES a compiler reads five sources of a library at a time, and
# instantiates the templates that they share once (the lint joined_sources.py keeps their
# names apart). Sources with `using namespace llvm` are joined among themselves, since
# some names stand in mlir as well.
function(parablock_join_sources target)
  if(NOT PARABLOCK_JOIN_SOURCES)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  set(llvm_sources 0)
  set(mlir_sources 0)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$" OR NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
      continue()
    endif()
    set(kind mlir)
    file(STRINGS "${CMAKE_CURRENT_SOURCE_DIR}/${source}" uses REGEX "^using namespace llvm;" LIMIT_COUNT 1)
    if(uses)
      set(kind llvm)
    endif()
    math(EXPR group "${${kind}_sources} / 5")
    math(EXPR ${kind}_sources "${${kind}_sources} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${kind}${group})
  endforeach()
endfunction()

function(parablock_use_precompiled target set)
  if(NOT set)
    set(set Block)
  endif()
  target_precompile_headers(${target} REUSE_FROM ParablockPrecompiled${set})
endfunction()

# parablock_add_library(Name source... [LINK library...] [DEPENDS target...]
#                       [PRECOMPILED set] [OMIT_MLIR])
# set: one of lib/Precompiled; without it Block, and none where MLIR is omitted.
function(parablock_add_library name)
  cmake_parse_arguments(ARG "OMIT_MLIR" "PRECOMPILED" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  parablock_configure_target(${name})
  parablock_join_sources(${name})
  if(NOT ARG_OMIT_MLIR OR ARG_PRECOMPILED)
    parablock_use_precompiled(${name} "${ARG_PRECOMPILED}")
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK} LLVM)
  if(NOT ARG_OMIT_MLIR)
    target_link_libraries(${name} PUBLIC MLIR)
    add_dependencies(${name} ParablockTableGen)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  set_property(GLOBAL APPEND PROPERTY PARABLOCK_LIBRARIES ${name})
endfunction()

# parablock_add_tool(name source... [LINK library...])
function(parablock_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  parablock_configure_target(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM Threads::Threads)
  add_dependencies(${name} ParablockTableGen)
  install(TARGETS ${name} RUNTIME DESTINATION bin)
  set_property(GLOBAL APPEND PROPERTY PARABLOCK_TOOLS ${name})
endfunction()

# parablock_harden_target(target)
# For what reads packages and runs in applications: defects there become errors
# instead of more, and nothing in it says where it was built. Sanitizers have
# checks of their own.
function(parablock_harden_target target)
  target_compile_options(${target} PRIVATE "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=" -fstack-protector-strong)
  if(NOT PARABLOCK_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>)
  endif()
  target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now)
endfunction()

# What only tests run takes longer to optimise than to execute.
function(parablock_optimise_little target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# A program that tests run: to unittests/ of the build tree.
# parablock_add_test_program(name source... [LINK library...] [PRECOMPILED set])
function(parablock_add_test_program name)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  parablock_configure_target(${name})
  if(ARG_PRECOMPILED)
    # As the precompiled headers are, which belong to an object library.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC)
    parablock_use_precompiled(${name} ${ARG_PRECOMPILED})
  endif()
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/unittests")
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM Threads::Threads)
  add_dependencies(${name} ParablockTableGen)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/unittests")
  set_property(GLOBAL APPEND PROPERTY PARABLOCK_TEST_PROGRAMS ${name})
endfunction()

# A program of unit tests, NameTests, in a folder of its own: lit's GoogleTest looks
# for that ending there.
# parablock_add_unittests(NameTests source... [LINK library...] [PRECOMPILED set])
# set: UnitTest or BlockUnitTest of unittests/; UnitTest unless said.
function(parablock_add_unittests name)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "LINK" ${ARGN})
  if(NOT ARG_PRECOMPILED)
    set(ARG_PRECOMPILED UnitTest)
  endif()
  parablock_add_test_program(${name} ${ARG_UNPARSED_ARGUMENTS} PRECOMPILED ${ARG_PRECOMPILED}
    LINK ${ARG_LINK} ParablockTakeError GTest::gmock GTest::gtest GTest::gtest_main)
  parablock_optimise_little(${name})
  parablock_join_sources(${name})
  get_filename_component(folder "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/unittests/${folder}")
  set_property(GLOBAL APPEND PROPERTY PARABLOCK_UNITTEST_FOLDERS ${folder})
endfunction()
