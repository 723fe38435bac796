# Fails where a file includes what its layer may not see, or stands in no layer. A file has no
# largest length: a class stands in one source, and what is too large has two
# responsibilities. Run by ctest:
#   cmake -DROOT=<source dir> -P check_layers.cmake
# The table is the architecture: a folder, a colon, and what it may include besides
# itself; of proto only a catalogue, the codec and the reader may take anything. A main.cc is free.
cmake_minimum_required(VERSION 3.25)

set(core "core/types core/ports core/linear core/mechanics core/tracking core/session core/timing core/host")
set(layers
  "core/types:"
  "core/ports:core/types"
  "core/digest:"
  "core/files:"
  "core/linear:core/types proto"
  "core/link:core/types core/linear proto"
  "core/kinematics:core/types core/ports core/linear proto"
  "core/mechanics:core/types core/ports core/linear proto"
  "core/tracking:core/types core/linear"
  "core/session:core/types core/digest"
  "core/timing:core/types core/ports core/linear"
  "core/host:core/types core/ports"
  "core/bus:core/types core/ports core/files core/linear core/link proto"
  "core/config:core/types proto"
  "core/journal:core/types core/ports core/digest core/files"
  "numerical/frame:core/types core/ports core/linear core/mechanics proto numerical/integration numerical/excitation"
  "numerical/integration:core/types core/ports core/linear core/mechanics proto"
  "numerical/bridge:core/types core/ports core/linear core/mechanics proto numerical/integration numerical/excitation"
  "numerical/bond-graph:core/types core/ports core/linear core/mechanics core/tracking numerical/excitation core/config proto"
  "numerical/excitation:core/types core/linear core/mechanics proto"
  "numerical/evaluation:core/types core/linear core/tracking"
  "numerical/node:core/types core/ports core/linear core/session core/timing core/tracking numerical/evaluation"
  "adapters/plugin:core/types core/ports proto"
  "adapters/simulated:core/types core/ports core/linear core/mechanics proto adapters/plugin"
  "adapters/udp_target:core/types core/ports proto adapters/plugin"
  "adapters/openfresco:core/types core/ports proto adapters/plugin"
  "site-servers/safety:core/types"
  "site-servers/checks:core/types core/ports core/session proto site-servers/safety"
  "site-servers/control:core/types core/ports core/linear proto site-servers/safety"
  "site-servers/node:${core} site-servers/checks site-servers/control site-servers/safety"
  "gateway:core numerical/node adapters/openfresco proto"
  "virtual-lab:core numerical site-servers adapters proto"
  "observe:core proto"
  "studies/identification:core/types core/linear core/mechanics core/config numerical/bridge observe proto"
  "studies:core numerical site-servers adapters virtual-lab observe proto"
  "cli:core numerical site-servers adapters gateway virtual-lab observe studies proto"
)

set(roots "core|numerical|site-servers|adapters|gateway|virtual-lab|observe|studies|cli|proto")
set(violations "")
set(covered "")
foreach(layer IN LISTS layers)
  string(REGEX MATCH "^([^:]+):(.*)$" _ "${layer}")
  set(folder "${CMAKE_MATCH_1}")
  string(REPLACE " " ";" uses "${CMAKE_MATCH_2}")
  list(APPEND uses "${folder}")
  file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cc)
  list(APPEND covered ${sources})
  foreach(source IN LISTS sources)
    file(STRINGS ${ROOT}/${source} lines REGEX "^#include \"(${roots})/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" header "${line}")
      set(allowed FALSE)
      foreach(use IN LISTS uses)
        string(FIND "${header}" "${use}/" at)
        if(at EQUAL 0)
          set(allowed TRUE)
        endif()
      endforeach()
      if(NOT allowed)
        list(APPEND violations "${source} includes ${header}")
      endif()
    endforeach()
  endforeach()
endforeach()

foreach(root core numerical site-servers adapters gateway virtual-lab observe studies cli)
  file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/${root}/*.h ${ROOT}/${root}/*.cc)
  foreach(source IN LISTS sources)
    if(NOT source IN_LIST covered AND NOT source MATCHES "/main\\.cc$")
      list(APPEND violations "${source} stands in no layer")
    endif()
  endforeach()
endforeach()

if(violations)
  list(JOIN violations "\n  " text)
  message(FATAL_ERROR "layers broken:\n  ${text}")
endif()
