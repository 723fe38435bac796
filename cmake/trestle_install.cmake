# What `cmake --install build/release --prefix X` installs beside the program and its plug-ins, which
# trestle_program() and trestle_plugin() install.
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/trestle)

include(cmake/trestle_sdk.cmake)
include(cmake/trestle_package.cmake)
include(cmake/trestle_reference.cmake)
