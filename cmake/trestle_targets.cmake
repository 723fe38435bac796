# The functions that make every target of the project:
#
#   trestle_library(site SOURCES a.cc SETUP b.cc USES trestle::core)  -> trestle::site
#   trestle_program(trestle SOURCES main.cc USES trestle::site)
#   trestle_test(control SOURCES a_test.cc USES trestle::site)  -> ctest control.*
#     LABEL long: takes minutes; ctest -LE long leaves it out
#     A test of a folder below composition/ has the label `library`, too, and is built by the target
#     library_tests: these run no program of ours. One of core/ or site-servers/, without which no rig is
#     driven, also has the label `site`; target site_tests.
#   trestle_plugin(udp_target SOURCES a.cc ENTRY plugin.cc)
#     -> udp_target.so, which a site server loads; trestle::udp_target for tests

# What a source of the project and each source that includes its headers need.
add_library(trestle_language INTERFACE)
target_compile_features(trestle_language INTERFACE cxx_std_20)
target_include_directories(trestle_language INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(trestle_language INTERFACE -ffp-contract=off)
# With gold, a hundred test programs link in a third of the time.
find_program(TRESTLE_GOLD ld.gold)
if(TRESTLE_GOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_link_options(trestle_language INTERFACE -fuse-ld=gold)
endif()
if(TRESTLE_SANITIZE)
  # With a test of each pointer before its use, Eigen's decompositions take minutes to compile. The
  # address sanitizer finds the use of a null pointer as well; it does not find a misaligned one.
  target_compile_options(trestle_language INTERFACE
    -fsanitize=${TRESTLE_SANITIZE} -fno-sanitize=null,alignment -fno-omit-frame-pointer)
  target_link_options(trestle_language INTERFACE -fsanitize=${TRESTLE_SANITIZE})
endif()

# How the project compiles its own sources. Linked PRIVATE: no user of a library inherits it.
add_library(trestle_warnings INTERFACE)
target_compile_options(trestle_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<BOOL:${TRESTLE_WERROR}>:-Werror>)
# g++ 12 reports overflows of strings after much inlining that do not exist (PR105651 and similar).
# The preset dev, in which warnings are errors, does not need this.
set(trestle_false_alarms
  -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict)
if(CMAKE_BUILD_TYPE STREQUAL "Release" OR TRESTLE_SANITIZE)
  target_compile_options(trestle_warnings INTERFACE ${trestle_false_alarms})
endif()
# Without garbage collection g++ is a tenth quicker and needs a seventh more memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(trestle_warnings INTERFACE "SHELL:--param ggc-min-heapsize=4000000")
endif()

# Both, for targets that nothing links.
add_library(trestle_rules INTERFACE)
target_link_libraries(trestle_rules INTERFACE trestle_language trestle_warnings)

# Sources that are not on the step path are optimised lightly, which saves a quarter of their build
# time. A library lists such sources under SETUP; each *_factory.cc is one unless the library lists it
# under ALGEBRA. Sources that multiply or solve with full matrices do not belong under SETUP: if the
# step path uses the same template, the linker may keep the lightly optimised copy. With g++ the
# precompiled header decides how a source is optimised, whatever its own command says; so these
# sources have a precompiled header of their own.
add_library(trestle_lightly_optimised INTERFACE)
target_compile_options(trestle_lightly_optimised INTERFACE $<$<CONFIG:Release>:-O1>)
add_library(trestle_tested INTERFACE)
target_compile_options(trestle_tested INTERFACE $<$<CONFIG:Release>:-Og>)

# Headers that nearly every source includes are parsed once. On in presets that build from scratch
# (release, sanitizers); off in dev, because clang's tools read the same commands.
option(TRESTLE_PRECOMPILE "Precompile the headers that most sources include" OFF)
function(trestle_precompile target headers)
  if(NOT TRESTLE_PRECOMPILE)
    return()
  endif()
  set(owner trestle_headers_${headers})
  if(NOT TARGET ${owner})
    if(NOT EXISTS ${CMAKE_BINARY_DIR}/${owner}.cc)  # a new file would rebuild everything
      file(WRITE ${CMAKE_BINARY_DIR}/${owner}.cc "")
    endif()
    add_library(${owner} OBJECT ${CMAKE_BINARY_DIR}/${owner}.cc)
    if(TRESTLE_CCACHE)
      set_target_properties(${owner} PROPERTIES CXX_COMPILER_LAUNCHER
        "${PROJECT_SOURCE_DIR}/cmake/checksum_header.sh;${CMAKE_CXX_COMPILER_LAUNCHER}")
    endif()
    target_link_libraries(${owner} PRIVATE trestle_rules Eigen3::Eigen)
    if(NOT headers STREQUAL base)
      set(level trestle_lightly_optimised)
      if(headers STREQUAL test)
        set(level trestle_tested)
      endif()
      target_link_libraries(${owner} PRIVATE ${level} trestle::proto)
      target_precompile_headers(${owner} PRIVATE <optional> <sstream> <proto/config/test.pb.h>)
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

# The sources of a target are compiled in batches, so that their headers are parsed and their templates
# instantiated once: it halves the build. Off in dev, where a changed file must not compile its
# neighbours. A batch is sorted by name, so it does not depend on the order in a CMakeLists.txt. Names in
# anonymous namespaces, static functions and macros must differ within a target, because two of them
# may meet in a batch; a source (or ALL) that APART lists is compiled alone. The structure test (rule
# joined) finds two equal names even if they are not in one batch today.
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
  # SOURCES *.cc: all of the folder, for a folder to which contributors add methods.
  if("*.cc" IN_LIST arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cc)
  endif()
  set(setup ${arg_SOURCES})
  list(FILTER setup INCLUDE REGEX "_factory\\.cc$")
  list(FILTER arg_SOURCES EXCLUDE REGEX "_factory\\.cc$")
  list(APPEND setup ${arg_SETUP})
  list(APPEND arg_SOURCES ${arg_ALGEBRA})
  list(SORT setup)
  list(SORT arg_SOURCES)
  add_library(trestle_${name} STATIC ${arg_SOURCES})
  add_library(trestle::${name} ALIAS trestle_${name})
  set_target_properties(trestle_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(trestle_${name}
    PUBLIC trestle_language PRIVATE trestle_warnings PUBLIC ${arg_USES})
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
  list(SORT arg_SOURCES)
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE trestle_rules trestle_lightly_optimised ${arg_USES})
  trestle_precompile(${name} setup)
  trestle_join(${name} "${arg_APART}")
  set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  install(TARGETS ${name} EXPORT trestleProgram RUNTIME COMPONENT program)
endfunction()

# Without precompiled headers: those of the program are not position-independent.
function(trestle_plugin name)
  cmake_parse_arguments(arg "" "" "SOURCES;ENTRY;USES" ${ARGN})
  add_library(trestle_${name} STATIC ${arg_SOURCES})
  add_library(trestle::${name} ALIAS trestle_${name})
  target_link_libraries(trestle_${name}
    PUBLIC trestle_language PRIVATE trestle_warnings PUBLIC ${arg_USES})
  set_target_properties(trestle_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  add_library(${name} MODULE ${arg_ENTRY})
  target_link_libraries(${name} PRIVATE trestle_rules trestle_${name})
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden)
  install(TARGETS ${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/trestle COMPONENT program)
endfunction()

# A process for each of four thousand tests takes longer than the tests, above all under the sanitizers.
option(TRESTLE_LIBRARY_TESTS_WHOLE "Run a test program of label library in one process, as one test of ctest" OFF)

set(trestle_folders_of_library "^(core|numerical|adapters|site-servers|gateway|observe)/?")
set(trestle_folders_of_site "^(core|site-servers)/?")

function(trestle_test name)
  cmake_parse_arguments(arg "" "LABEL" "SOURCES;APART;USES" ${ARGN})
  list(SORT arg_SOURCES)
  add_executable(${name}_test ${arg_SOURCES})
  target_link_libraries(${name}_test PRIVATE
    trestle_rules trestle_tested trestle::test_support ${arg_USES} GTest::gtest_main)
  trestle_precompile(${name}_test test)
  trestle_join(${name}_test "${arg_APART}")
  set_target_properties(${name}_test PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  set(labels ${arg_LABEL})
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/tests OUTPUT_VARIABLE place)
  foreach(group library site)
    if(place MATCHES "${trestle_folders_of_${group}}")
      list(APPEND labels ${group})
      if(NOT TARGET ${group}_tests)
        add_custom_target(${group}_tests)
      endif()
      add_dependencies(${group}_tests ${name}_test)
    endif()
  endforeach()
  if(TRESTLE_LIBRARY_TESTS_WHOLE AND library IN_LIST labels)
    add_test(NAME ${name} COMMAND ${name}_test)
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 600)
    return()
  endif()
  if(labels)
    string(REPLACE ";" "\\;" labels "${labels}")  # gtest_discover_tests hands them on as a list
    set(labels PROPERTIES LABELS "${labels}")
  endif()
  gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST ${labels})
endfunction()
