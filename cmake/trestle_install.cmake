# What `cmake --install build/release --prefix X` installs beside the program and its plug-ins, which
# trestle_program() and trestle_plugin() install.
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/trestle)
# Scripts that run inside OpenSees (docs/howto/import-from-opensees.md).
install(FILES deploy/export/opensees_elements.py deploy/export/opensees_loads.py deploy/export/opensees_model.py deploy/export/opensees_parts.py
  deploy/export/trestle_frame.py deploy/export/trestle_export.tcl
  DESTINATION ${CMAKE_INSTALL_DATADIR}/trestle/export)
install(PROGRAMS deploy/export/trestle_export.py DESTINATION ${CMAKE_INSTALL_DATADIR}/trestle/export)

include(cmake/trestle_sdk.cmake)
include(cmake/trestle_package.cmake)
include(cmake/trestle_reference.cmake)
