# What `cmake --install build/release --prefix X` lays down beside the program, which
# trestle_program() installs. Includes are written from the root, so a plug-in or a tool is
# compiled with -I X/include/trestle.
foreach(folder core/types core/ports)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/trestle/core
    FILES_MATCHING PATTERN "*.h")
endforeach()

install(DIRECTORY proto DESTINATION ${CMAKE_INSTALL_DATADIR}/trestle
  FILES_MATCHING PATTERN "*.proto")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/trestle USE_SOURCE_PERMISSIONS
  PATTERN "runs" EXCLUDE)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/trestle)

include(cmake/trestle_package.cmake)
