# What `cmake --install` leaves: tools and plugin (installed where they are made),
# libraries, headers with what TableGen made of them and the tables that they include,
# .td files, the package that find_package(Parablock) finds, and files for pkg-config.

include(CMakePackageConfigHelpers)

set(PARABLOCK_INSTALL_INCLUDE include)
set(PARABLOCK_INSTALL_TOOLS bin)
set(PARABLOCK_INSTALL_PACKAGE lib/cmake/Parablock)

get_property(PARABLOCK_EXPORTED_LIBRARIES GLOBAL PROPERTY PARABLOCK_LIBRARIES)
foreach(library ${PARABLOCK_EXPORTED_LIBRARIES})
  target_include_directories(${library} INTERFACE "$<INSTALL_INTERFACE:${PARABLOCK_INSTALL_INCLUDE}>")
endforeach()
install(TARGETS ${PARABLOCK_EXPORTED_LIBRARIES} EXPORT ParablockTargets ARCHIVE DESTINATION lib)
install(EXPORT ParablockTargets NAMESPACE Parablock:: DESTINATION ${PARABLOCK_INSTALL_PACKAGE})

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/parablock" DESTINATION ${PARABLOCK_INSTALL_INCLUDE}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.td")
install(DIRECTORY "${PROJECT_BINARY_DIR}/include/parablock" DESTINATION ${PARABLOCK_INSTALL_INCLUDE}
        FILES_MATCHING PATTERN "*.inc" PATTERN "CMakeFiles" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/parablock)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/ParablockConfig.cmake.in" "${PROJECT_BINARY_DIR}/ParablockConfig.cmake"
  INSTALL_DESTINATION ${PARABLOCK_INSTALL_PACKAGE}
  PATH_VARS PARABLOCK_INSTALL_INCLUDE PARABLOCK_INSTALL_TOOLS)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ParablockConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/ParablockConfig.cmake" "${PROJECT_BINARY_DIR}/ParablockConfigVersion.cmake"
        DESTINATION ${PARABLOCK_INSTALL_PACKAGE})

list(TRANSFORM PARABLOCK_EXPORTED_LIBRARIES PREPEND "-l" OUTPUT_VARIABLE library_flags)
list(JOIN library_flags " " PARABLOCK_PKGCONFIG_LIBRARIES)
list(REMOVE_DUPLICATES MLIR_INCLUDE_DIRS)
list(JOIN MLIR_INCLUDE_DIRS " -isystem " PARABLOCK_PKGCONFIG_LLVM_INCLUDE)
set(PARABLOCK_PKGCONFIG_RTTI "")
if(NOT LLVM_ENABLE_RTTI)
  set(PARABLOCK_PKGCONFIG_RTTI " -fno-rtti")
endif()
foreach(name parablock parablock-c parablock-launch)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/pkgconfig/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION lib/pkgconfig)
endforeach()
