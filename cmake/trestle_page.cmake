# Writes INTO, a source that holds the bytes of FILES: called while the program is built.
set(table "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  get_filename_component(kind "${file}" LAST_EXT)
  if(kind STREQUAL ".html")
    set(type "text/html; charset=utf-8")
  elseif(kind STREQUAL ".css")
    set(type "text/css; charset=utf-8")
  else()
    set(type "text/javascript; charset=utf-8")
  endif()
  file(READ "${file}" text)
  string(APPEND table "    {\"${name}\", \"${type}\",\n     R\"TRESTLE_PAGE(${text})TRESTLE_PAGE\"},\n")
endforeach()
file(WRITE "${INTO}" "// Written by cmake/trestle_page.cmake.
#include \"observe/web/page_files.h\"

#include <array>

namespace trestle::web {
namespace {

constexpr PageFile kPageFiles[] = {
${table}};

}  // namespace

std::span<const PageFile> page_files() noexcept { return kPageFiles; }

}  // namespace trestle::web
")
