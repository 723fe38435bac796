# What a plug-in or a tool outside the tree is built with: `cmake --install build --component sdk`.
#
#   trestle::site_adapter_abi  C headers of the adapter interface: #include <trestle/site_adapter_abi.h>
#   trestle::core_headers      C++20 headers of the ports: #include "core/ports/compensator.h"
#
# docs/howto/install.md describes the use; tests/adapters/plugin/installed_sdk_test.sh tries it.
set(package_build ${CMAKE_BINARY_DIR}/package)

# The headers are installed as trestle/NAME.h, so the build tree has them under that name, too.
add_library(trestle_site_adapter_abi INTERFACE)
add_library(trestle::site_adapter_abi ALIAS trestle_site_adapter_abi)
set(abi_headers "")
foreach(header site_adapter_abi plugin_settings)
  configure_file(${PROJECT_SOURCE_DIR}/adapters/plugin/${header}.h
    ${package_build}/include/trestle/${header}.h COPYONLY)
  list(APPEND abi_headers ${package_build}/include/trestle/${header}.h)
endforeach()
target_sources(trestle_site_adapter_abi INTERFACE
  FILE_SET abi TYPE HEADERS BASE_DIRS ${package_build}/include FILES ${abi_headers})

add_library(trestle_core_headers INTERFACE)
add_library(trestle::core_headers ALIAS trestle_core_headers)
file(GLOB core_headers ${PROJECT_SOURCE_DIR}/core/types/*.h ${PROJECT_SOURCE_DIR}/core/ports/*.h)
list(APPEND core_headers
  ${PROJECT_SOURCE_DIR}/core/base/snapshot.h ${PROJECT_SOURCE_DIR}/core/base/time.h)
target_sources(trestle_core_headers INTERFACE
  FILE_SET core TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${core_headers})
target_compile_features(trestle_core_headers INTERFACE cxx_std_20)
target_link_libraries(trestle_core_headers INTERFACE Eigen3::Eigen)

# `all_verify_interface_header_sets` compiles each header alone; it is not part of `all`.
set_target_properties(trestle_site_adapter_abi trestle_core_headers PROPERTIES
  VERIFY_INTERFACE_HEADER_SETS ON)
set_target_properties(trestle_site_adapter_abi PROPERTIES EXPORT_NAME site_adapter_abi)
set_target_properties(trestle_core_headers PROPERTIES EXPORT_NAME core_headers)

set(config_folder ${CMAKE_INSTALL_DATADIR}/cmake/trestle)
install(TARGETS trestle_site_adapter_abi EXPORT trestleHeaders
  FILE_SET abi DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT sdk)
install(TARGETS trestle_core_headers EXPORT trestleHeaders
  FILE_SET core DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/trestle COMPONENT sdk)
install(EXPORT trestleHeaders NAMESPACE trestle:: DESTINATION ${config_folder} COMPONENT sdk)
# The program is a target of a separate component: headers may be installed without it.
install(EXPORT trestleProgram NAMESPACE trestle:: DESTINATION ${config_folder} COMPONENT program)

include(CMakePackageConfigHelpers)
set(TRESTLE_DATA_DIR ${CMAKE_INSTALL_DATADIR}/trestle)
configure_package_config_file(${PROJECT_SOURCE_DIR}/deploy/package/trestleConfig.cmake.in
  ${package_build}/trestleConfig.cmake
  INSTALL_DESTINATION ${config_folder} PATH_VARS TRESTLE_DATA_DIR)
write_basic_package_version_file(${package_build}/trestleConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${package_build}/trestleConfig.cmake ${package_build}/trestleConfigVersion.cmake
  DESTINATION ${config_folder} COMPONENT sdk)

install(DIRECTORY proto DESTINATION ${CMAKE_INSTALL_DATADIR}/trestle COMPONENT sdk
  FILES_MATCHING PATTERN "*.proto")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/trestle COMPONENT sdk
  USE_SOURCE_PERMISSIONS PATTERN "runs" EXCLUDE)
# The plug-in that `trestle adapter new` writes, as an example.
install(DIRECTORY adapters/plugin/skeleton/ COMPONENT sdk
  DESTINATION ${CMAKE_INSTALL_DATADIR}/trestle/examples/adapter)

# The same targets of the build tree: cmake -Dtrestle_DIR=<build>/package/build_tree
if(CMAKE_BUILD_TYPE)
  file(GENERATE OUTPUT ${package_build}/build_tree/trestleConfig.cmake CONTENT
"add_library(trestle::site_adapter_abi INTERFACE IMPORTED)
set_target_properties(trestle::site_adapter_abi PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${package_build}/include)
add_executable(trestle::trestle IMPORTED)
set_target_properties(trestle::trestle PROPERTIES IMPORTED_LOCATION $<TARGET_FILE:trestle>)
")
endif()
