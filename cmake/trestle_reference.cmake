# The target `reference`: Doxygen pages of core/ports and of the C interface of adapters. It is not part
# of `all`, and exists only if doxygen is installed. An undocumented port is an error.
if(TRESTLE_DOXYGEN)
  set(reference ${CMAKE_BINARY_DIR}/reference)
  file(MAKE_DIRECTORY ${reference})
  add_custom_target(reference
    COMMAND ${CMAKE_COMMAND} -E env TRESTLE_REFERENCE=${reference}
            ${TRESTLE_DOXYGEN} ${PROJECT_SOURCE_DIR}/docs/generate/Doxyfile
    COMMAND ${CMAKE_COMMAND} -E echo "The reference is ${reference}/html/index.html"
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
endif()
