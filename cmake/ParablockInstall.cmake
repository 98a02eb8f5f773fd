# What `cmake --install` leaves: tools and plugin (installed where they are made),
# libraries, headers with what TableGen made of them, .td files, and the package
# that find_package(Parablock) finds.

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
        FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
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
