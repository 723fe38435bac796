# The files that make the program a part of its system: man page, completion, the unit of a site server,
# documents; and a Debian package, made by cpack (deploy/package.sh). docs/howto/install.md.
set(package_source ${PROJECT_SOURCE_DIR}/deploy/package)
set(package_build ${CMAKE_BINARY_DIR}/package)
file(MAKE_DIRECTORY ${package_build})

# --- the man page, generated from --help ---
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
add_custom_command(
  OUTPUT ${package_build}/trestle.1.gz
  COMMAND bash ${package_source}/man_page.sh $<TARGET_FILE:trestle>
          ${CPACK_PACKAGING_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/trestle > ${package_build}/trestle.1
  COMMAND gzip --best --no-name --force --keep ${package_build}/trestle.1
  DEPENDS trestle ${package_source}/man_page.sh ${package_source}/trestle.1.in
  VERBATIM)
add_custom_target(trestle_package_files ALL DEPENDS ${package_build}/trestle.1.gz)
# Other installed files that the target of the program does not build.
foreach(part trestle_python trestle_driver_program adapter_probe udp_target openfresco modbus_tcp scpi_tcp trestle_mpi trestle_lanes_modules)
  if(TARGET ${part})
    add_dependencies(trestle_package_files ${part})
  endif()
endforeach()
install(FILES ${package_build}/trestle.1.gz OPTIONAL DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

install(FILES ${package_source}/trestle.bash-completion RENAME trestle
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

# --- a site server as a service ---
set(BINDIR ${CPACK_PACKAGING_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR})
configure_file(${package_source}/trestle-site@.service ${package_build}/trestle-site@.service @ONLY)
install(FILES ${package_build}/trestle-site@.service DESTINATION lib/systemd/system)
install(FILES ${package_source}/sysusers.conf RENAME trestle.conf DESTINATION lib/sysusers.d)
install(FILES ${package_source}/realtime-limits.conf DESTINATION ${CMAKE_INSTALL_DATADIR}/trestle)

# --- documents ---
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "generate" EXCLUDE)
install(FILES deploy/monitoring/trestle.rules.yaml deploy/monitoring/trestle.dashboard.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/trestle/monitoring)
install(FILES ${package_source}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
add_custom_command(
  OUTPUT ${package_build}/changelog.gz
  COMMAND gzip --best --no-name --to-stdout ${package_source}/changelog > ${package_build}/changelog.gz
  DEPENDS ${package_source}/changelog
  VERBATIM)
add_custom_target(trestle_changelog ALL DEPENDS ${package_build}/changelog.gz)
add_dependencies(trestle_package_files trestle_changelog)
install(FILES ${package_build}/changelog.gz OPTIONAL DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Each Debian package has documents of its own.
if(TARGET trestle_mpi)
  install(FILES ${package_source}/copyright ${package_build}/changelog.gz OPTIONAL
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/trestle-mpi COMPONENT mpi_module EXCLUDE_FROM_ALL)
endif()

# --- the Debian package, and a small one with the module for MPI, which few need ---
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME trestle)
set(TRESTLE_PACKAGE_CONTACT "The authors of Trestle <trestle@example.org>" CACHE STRING
  "Who answers for the Debian package: name and mail address")
set(CPACK_PACKAGE_CONTACT "${TRESTLE_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_VENDOR "The authors of Trestle")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "hybrid simulation of structures: one part computed, one part tested")
set(CPACK_PACKAGE_DESCRIPTION
  "Trestle runs hybrid tests: an integrator steps the numerical substructure,
site servers move the specimens in the laboratories and measure their
forces, and one message goes out and one comes back per site and step.
With simulated rigs for design and rehearsal.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_TRESTLE_PACKAGE_NAME trestle)
set(CPACK_DEBIAN_MPI_PACKAGE_NAME trestle-mpi)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The site in Python and its examples are part of the package.
set(CPACK_DEBIAN_TRESTLE_PACKAGE_DEPENDS "python3:any")
set(CPACK_DEBIAN_TRESTLE_PACKAGE_RECOMMENDS "python3-zmq, python3-protobuf")
set(CPACK_DEBIAN_TRESTLE_PACKAGE_SUGGESTS "graphviz, chromium, cmake, trestle-mpi")
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "trestle (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_TRESTLE_PACKAGE_CONTROL_EXTRA
  ${package_source}/postinst ${package_source}/prerm ${package_source}/postrm)
set(CPACK_COMPONENT_TRESTLE_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
set(CPACK_COMPONENT_MPI_DESCRIPTION
  "Module with which the ranks of Open MPI do one campaign of Trestle.
For another MPI it is built from /usr/share/trestle/mpi/trestle_mpi.cc.")
include(CPack)
cpack_add_component_group(trestle)
cpack_add_component_group(mpi)
foreach(component program sdk Unspecified)
  cpack_add_component(${component} GROUP trestle)
endforeach()
cpack_add_component(mpi_module GROUP mpi)
