# Every target of the project is made by one of these three, so that warnings, the
# standard and the include root are said once.
#
#   trestle_library(site SOURCES a.cc SETUP b.cc USES trestle::core)  -> trestle::site
#   trestle_program(trestle SOURCES main.cc USES trestle::site)
#   trestle_test(control SOURCES a_test.cc USES trestle::site)  -> ctest control.*
#   (LABEL long: minutes rather than milliseconds; ctest -LE long leaves them out)
#
# and the shared objects that a site server loads:
#
#   trestle_plugin(udp_target SOURCES a.cc ENTRY plugin.cc) -> udp_target.so; trestle::udp_target for tests

add_library(trestle_rules INTERFACE)
target_compile_features(trestle_rules INTERFACE cxx_std_20)
target_include_directories(trestle_rules INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(trestle_rules INTERFACE
  -ffp-contract=off
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<BOOL:${TRESTLE_WERROR}>:-Werror>)
# g++ 12 sees strings overflow where it has inlined too much (PR105651 and its like); dev, where
# warnings are errors, does not need this.
set(trestle_false_alarms
  -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict)
if(CMAKE_BUILD_TYPE STREQUAL "Release" OR TRESTLE_SANITIZE)
  target_compile_options(trestle_rules INTERFACE ${trestle_false_alarms})
endif()
# Not to collect garbage is a tenth quicker, for a seventh more memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(trestle_rules INTERFACE "SHELL:--param ggc-min-heapsize=4000000")
endif()
# A hundred test programs link in a third of the time.
find_program(TRESTLE_GOLD ld.gold)
if(TRESTLE_GOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_link_options(trestle_rules INTERFACE -fuse-ld=gold)
endif()
if(TRESTLE_SANITIZE)
  # To test each pointer before its use made Eigen's decompositions take minutes to compile. A null
  # one that is used is found by the address sanitizer as well; a misaligned one no more.
  target_compile_options(trestle_rules INTERFACE
    -fsanitize=${TRESTLE_SANITIZE} -fno-sanitize=null,alignment -fno-omit-frame-pointer)
  target_link_options(trestle_rules INTERFACE -fsanitize=${TRESTLE_SANITIZE})
endif()

# What is not on the step path need not be optimised hard: it takes a quarter off its share
# of the build. A library names such sources under SETUP; a *_catalog.cc is one unless it stands
# under ALGEBRA. Sources that multiply or solve with full matrices do not belong there: of a
# template that the step path uses as well, the linker would keep the light copy. With g++
# the precompiled header decides how hard a source is optimised, whatever its own command says,
# so there is one for them.
add_library(trestle_lightly_optimised INTERFACE)
target_compile_options(trestle_lightly_optimised INTERFACE $<$<CONFIG:Release>:-O1>)
add_library(trestle_tested INTERFACE)
target_compile_options(trestle_tested INTERFACE $<$<CONFIG:Release>:-Og>)

# Headers that nearly every source parses, parsed once. On where a build starts from nothing
# (release, sanitizers in CI); off in dev, where clang's tools read the same commands.
option(TRESTLE_PRECOMPILE "Precompile the headers that everybody includes" OFF)
function(trestle_precompile target headers)
  if(NOT TRESTLE_PRECOMPILE)
    return()
  endif()
  set(owner trestle_headers_${headers})
  if(NOT TARGET ${owner})
    if(NOT EXISTS ${CMAKE_BINARY_DIR}/${owner}.cc)  # written anew, it would have all be built again
      file(WRITE ${CMAKE_BINARY_DIR}/${owner}.cc "")
    endif()
    add_library(${owner} OBJECT ${CMAKE_BINARY_DIR}/${owner}.cc)
    target_link_libraries(${owner} PRIVATE trestle_rules Eigen3::Eigen)
    if(NOT headers STREQUAL base)
      set(level trestle_lightly_optimised)
      if(headers STREQUAL test)
        set(level trestle_tested)
      endif()
      target_link_libraries(${owner} PRIVATE ${level} trestle::proto)
      target_precompile_headers(${owner} PRIVATE <optional> <sstream> <proto/config.pb.h>)
    endif()
    target_precompile_headers(${owner} PRIVATE
      <algorithm> <cmath> <cstdint> <functional> <memory> <string> <string_view> <variant>
      <vector> <Eigen/Core> <Eigen/SparseCore>)
    if(headers STREQUAL test)
      target_link_libraries(${owner} PRIVATE GTest::gtest)
      target_precompile_headers(${owner} PRIVATE <gtest/gtest.h>)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# Sources of one target compiled together, so that what they include is parsed and what they
# instantiate is made once: it halves the build. Names of anonymous namespaces must then differ
# within a target, except in sources (or ALL) that its APART lists. Off in dev, where one changed
# file should not compile its neighbours.
option(TRESTLE_JOIN_SOURCES "Compile sources of a target together" OFF)
function(trestle_join target apart)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${TRESTLE_JOIN_SOURCES} UNITY_BUILD_BATCH_SIZE 10
    UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
  if(apart STREQUAL "ALL")
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  elseif(apart)
    set_source_files_properties(${apart} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

function(trestle_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;ALGEBRA;SETUP;APART;USES" ${ARGN})
  set(setup ${arg_SOURCES})
  list(FILTER setup INCLUDE REGEX "_catalog\\.cc$")
  list(FILTER arg_SOURCES EXCLUDE REGEX "_catalog\\.cc$")
  list(APPEND setup ${arg_SETUP})
  list(APPEND arg_SOURCES ${arg_ALGEBRA})
  add_library(trestle_${name} STATIC ${arg_SOURCES})
  add_library(trestle::${name} ALIAS trestle_${name})
  set_target_properties(trestle_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(trestle_${name} PUBLIC trestle_rules ${arg_USES})
  if(arg_SOURCES)
    trestle_precompile(trestle_${name} base)
    trestle_join(trestle_${name} "${arg_APART}")
  endif()
  if(setup)
    add_library(trestle_${name}_setup OBJECT ${setup})
    target_link_libraries(trestle_${name}_setup PRIVATE
      trestle_rules ${arg_USES} trestle_lightly_optimised)
    trestle_precompile(trestle_${name}_setup setup)
    trestle_join(trestle_${name}_setup "${arg_APART}")
    target_sources(trestle_${name} PRIVATE $<TARGET_OBJECTS:trestle_${name}_setup>)
  endif()
endfunction()

function(trestle_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;APART;USES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE trestle_rules trestle_lightly_optimised ${arg_USES})
  trestle_precompile(${name} setup)
  trestle_join(${name} "${arg_APART}")
  set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  install(TARGETS ${name} RUNTIME)
endfunction()

# No precompiled headers: those of the program are not position-independent.
function(trestle_plugin name)
  cmake_parse_arguments(arg "" "" "SOURCES;ENTRY" ${ARGN})
  add_library(trestle_${name} STATIC ${arg_SOURCES})
  add_library(trestle::${name} ALIAS trestle_${name})
  target_link_libraries(trestle_${name} PUBLIC trestle_rules)
  set_target_properties(trestle_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  add_library(${name} MODULE ${arg_ENTRY})
  target_link_libraries(${name} PRIVATE trestle_${name})
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden)
  install(TARGETS ${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/trestle)
endfunction()

function(trestle_test name)
  cmake_parse_arguments(arg "" "LABEL" "SOURCES;APART;USES" ${ARGN})
  add_executable(${name}_test ${arg_SOURCES})
  target_link_libraries(${name}_test PRIVATE
    trestle_rules trestle_tested trestle::test_support ${arg_USES} GTest::gtest_main)
  trestle_precompile(${name}_test test)
  trestle_join(${name}_test "${arg_APART}")
  set_target_properties(${name}_test PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  set(labels "")
  if(arg_LABEL)
    set(labels PROPERTIES LABELS ${arg_LABEL})
  endif()
  gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST ${labels})
endfunction()
