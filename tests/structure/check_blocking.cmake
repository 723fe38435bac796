# Fails where a source that a node's thread can reach calls what may wait for somebody else: a
# directory of names, a connection, a sleep, another program. Each exception says whose thread it
# is on, or why it cannot wait. Run by ctest:
#   cmake -DROOT=<source dir> -P check_blocking.cmake
cmake_minimum_required(VERSION 3.25)

# File, calls that it may make, and why.
set(exceptions
  "core/bus/zmq_socket.cc connect:of a Unix socket on this machine, when the bus is set up"
  "core/host/chrony_tracking.cc popen:asks chrony on this machine, before a run"
  "core/host/host_claim.cc connect:of a Unix socket that does not wait, when the program starts"
  "core/host/host_claim.cc sleep_for:when the program starts, at most 0.2 s"
  "core/host/host_lookup.cc getaddrinfo:for the questions of trestle check and the identity of a rig, before anything runs"
  "core/timing/monotonic_clock.cc sleep_until:the runner's own wait, where there is no bus"
  "gateway/operator/operator_socket.cc connect:of a Unix socket on this machine, when the channel is opened"
  "gateway/openfresco_server/internet_address.cc getaddrinfo:of the address to listen at, when the program starts"
  "site-servers/node/patient_thread.cc sleep_for:when a loop ends, bounded"
  "site-servers/node/stall_guard.cc sleep_for:the watching thread's own"
  "site-servers/node/rig_preparation.cc sleep_for:when the program ends, at most three seconds"
  "adapters/driver/hello.cc connect:of a Unix socket on this machine, when the rig is opened"
  "adapters/openfresco_client/lab_connection.cc getaddrinfo:on the thread that gets the rig ready, or the mender's"
  "adapters/openfresco_client/lab_connection.cc connect:the socket does not wait, and what waits for it has a deadline and is given up by hold()"
  "adapters/openfresco_client/reconnection.cc sleep_for:its own thread"
  "adapters/udp_target/target_socket.cc getaddrinfo:in open(), when the program starts"
  "adapters/udp_target/target_socket.cc connect:of datagrams, which waits for nobody"
)
set(folders core/bus core/host core/timing core/session core/journal numerical/node site-servers gateway/openfresco_server
  gateway/operator adapters/driver adapters/openfresco_client adapters/udp_target adapters/simulated adapters/plugin)

set(violations "")
set(used "")
foreach(folder IN LISTS folders)
  file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/${folder}/*.cc)
  foreach(source IN LISTS sources)
    # The probe and the kit run beside a plug-in, the skeleton is text.
    if(source MATCHES "^adapters/plugin/(probe|conformance|skeleton)/")
      continue()
    endif()
    file(STRINGS ${ROOT}/${source} lines)
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "//.*$" "" line "${line}")
      string(REGEX REPLACE "^[A-Za-z_ ]+::[a-z_]+\\(.*\\) *(const)? *(noexcept)? *{$" "" line "${line}")  # a definition
      foreach(call getaddrinfo gethostbyname getnameinfo usleep nanosleep sleep_for sleep_until connect popen system)
        if(NOT line MATCHES "(^|[^A-Za-z0-9_.>])${call} *\\(")
          continue()
        endif()
        # The host's own wait, by the thread that keeps the control ticks.
        if(call STREQUAL "sleep_until" AND source MATCHES "^(core/host/|site-servers/node/control_thread)")
          continue()
        endif()
        set(excused FALSE)
        foreach(exception IN LISTS exceptions)
          if(exception MATCHES "^${source} ${call}:")
            set(excused TRUE)
            list(APPEND used "${exception}")
          endif()
        endforeach()
        if(NOT excused)
          list(APPEND violations "${source} calls ${call}(), which may wait: ${line}")
        endif()
      endforeach()
    endforeach()
  endforeach()
endforeach()

foreach(exception IN LISTS exceptions)
  if(NOT exception IN_LIST used)
    list(APPEND violations "nothing needs this exception any more: ${exception}")
  endif()
endforeach()
if(violations)
  list(JOIN violations "\n  " text)
  message(FATAL_ERROR "a node's thread may be kept waiting:\n  ${text}")
endif()
