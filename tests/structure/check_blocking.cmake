# Fails where a source that a node's thread can reach calls what may wait for somebody else: a
# directory of names, a connection, a message, a disk, a lock of a file, a thread, a sleep, another
# program. Each exception says whose thread it is on, what bounds it, or why it cannot wait. Run by ctest:
#   cmake -DROOT=<source dir> -P check_blocking.cmake
cmake_minimum_required(VERSION 3.25)

# File, calls that it may make, and why.
set(exceptions
  "core/bus/composite_transport.cc wait:the runner's own wait, with its limit"
  "core/bus/curve_authenticator.cc join:when the bus ends: what its thread waits for has been shut"
  "core/bus/curve_authenticator.cc zmq_poll:its own thread, until the bus ends"
  "core/bus/wakeable_poll.cc ppoll:the runner's own wait, with its limit, and a message ends it"
  "core/bus/zmq_socket.cc connect:of a Unix socket on this machine, when the bus is set up"
  "core/host/chrony_tracking.cc popen:asks chrony on this machine, before a run"
  "core/host/crash_handler.cc pause:a thread that crashed, until the process ends, which an alarm bounds"
  "core/host/host_claim.cc connect:of a Unix socket that does not wait, when the program starts"
  "core/host/host_claim.cc sleep_for:when the program starts, at most 0.2 s"
  "core/host/host_lookup.cc getaddrinfo:for the questions of trestle check and the identity of a rig, before anything runs"
  "core/host/line_writer.cc poll:its own thread"
  "core/host/line_writer.cc wait:its own thread"
  "core/host/line_writer.cc wait_for:when the program ends, at most two seconds"
  "core/host/person.cc getpwuid_r:its own thread"
  "core/host/person.cc wait_for:for a directory of users, at most 0.2 s for each person"
  "core/host/realtime_scheduling.cc clock_nanosleep:the wait of the thread that keeps the control ticks"
  "core/host/state_folder.cc getpwuid_r:when the program starts"
  "core/host/timer_latency.cc join:of trestle doctor, before a run"
  "core/journal/journal_writer.cc join:close() and the destructor, which the recorder calls when closed() says that the thread is done"
  "core/journal/journal_writer.cc wait_until:at most what the caller gives, while the ring has no room"
  "core/journal/writer_requests.cc sem_clockwait:its own thread, with its limit"
  "core/journal/writer_requests.cc wait_for:at most what the caller gives"
  "core/timing/monotonic_clock.cc sleep_until:the runner's own wait, where there is no bus"
  "core/timing/monotonic_clock.cc wait:the runner's own wait, with its limit"
  "core/bus/curve_key_file.cc make_folders:of trestle keys, before anything runs"
  "core/bus/curve_key_file.cc keep_new_file:of trestle keys, before anything runs"
  "core/journal/journal_file.cc publish_file:when a record is begun, before anything moves for it, and at the end of a deleted one, on the writing thread"
  "core/journal/journal_file.cc make_folders:at the end of a deleted record, on the writing thread"
  "site-servers/node/fault_latch.cc move_file:FaultKeeper's thread, and when the program starts"
  "site-servers/node/fault_latch.cc write_in_place:FaultKeeper's thread, and when the program starts"
  "site-servers/node/fault_latch.cc sync_folder:when the program starts"
  "composition/processes/drive_question_file.cc keep_file:FaultKeeper's thread, and the program of the person who answers"
  "composition/processes/drive_question_file.cc move_file:FaultKeeper's thread, the program of the person who answers, and before a motion between two tests"
  "composition/processes/gateway_process.cc wait_for:the name of a wait, no wait"
  "composition/processes/integrator_process.cc wait_for:the name of a wait, no wait"
  "composition/processes/integrator_process.cc sleep_for:10 ms under virtual time, between two looks for a person's word"
  "composition/processes/site_process.cc wait_for:the name of a wait, no wait"
  "composition/processes/second_signal.cc poll:looks, and does not wait (0 ms)"
  "composition/processes/rig_claim.cc sleep_for:when a file is loaded, before its plug-in is opened, bounded"
  "composition/processes/rig_diary_file.cc keep_file:at a person's word between two tests, before the rig moves for it"
  "composition/processes/rig_diary_file.cc move_file:at a person's word between two tests, and when a record is begun"
  "composition/processes/rig_facts.cc keep_file:when a program claims a rig"
  "composition/processes/rig_place.cc sleep_for:when a program claims a rig, bounded"
  "composition/processes/rig_place.cc make_folders:when a program claims a rig"
  "composition/processes/rig_place.cc keep_file:the program of the person who clears a rig that nobody drives"
  "composition/processes/rig_place.cc move_file:the program of the person who clears a rig that nobody drives"
  "composition/processes/run_folder.cc make_folders:when a run is begun"
  "composition/processes/run_folder.cc sync_folder:when a run is begun"
  "gateway/operator/operator_client.cc poll:of the program that asks, with its deadline"
  "gateway/operator/operator_socket.cc accept4:the listening socket does not wait"
  "gateway/operator/operator_socket.cc connect:of a Unix socket on this machine, when the channel is opened"
  "gateway/openfresco_server/internet_address.cc getaddrinfo:of the address to listen at, when the program starts"
  "gateway/openfresco_server/interruptible_transport.cc ppoll:the runner's own wait, with its limit, and a byte of the client ends it"
  "gateway/openfresco_server/interruptible_transport.cc wait:the runner's own wait, with its limit"
  "gateway/openfresco_server/tcp_port.cc accept4:the listening socket does not wait"
  "gateway/openfresco_server/tcp_port.cc recv:sockets that do not wait, by accept4()"
  "gateway/openfresco_server/udp_port.cc recvfrom:the socket does not wait"
  "site-servers/node/control_thread.cc wait:for the thread just begun, until this host has answered what it asks"
  "site-servers/node/patient_thread.cc join:of a thread that has said that it is done"
  "site-servers/node/patient_thread.cc sleep_for:when a loop ends, bounded"
  "site-servers/node/stall_guard.cc sleep_for:the watching thread's own"
  "site-servers/node/rig_preparation.cc join:of a thread that has said that it is done"
  "site-servers/node/rig_preparation.cc sleep_for:when the program ends, at most three seconds"
  "adapters/driver/driver_process.cc poll:when the rig is given back, at most the given milliseconds"
  "adapters/driver/driver_process.cc waitid:looks, and does not wait (WNOHANG)"
  "adapters/driver/driver_process.cc waitpid:looks, and does not wait (WNOHANG)"
  "adapters/driver/hello.cc connect:of a Unix socket on this machine, when the rig is opened"
  "adapters/driver/patient_poll.cc poll:when the rig is opened or given back, at most the given milliseconds"
  "adapters/driver/life_sign.cc join:when the rig is given back: its thread waits for nothing but that"
  "adapters/modbus_tcp/modbus_rig.cc poll:on the thread that gets the rig ready or stops it, 2 ms at a time, with a deadline"
  "adapters/modbus_tcp/plc_thread.cc join:when the adapter ends: its thread waits at most for a connection or an answer"
  "adapters/modbus_tcp/plc_thread.cc wait_until:its own thread, until its next period"
  "adapters/modbus_tcp/wake_signal.cc ppoll:of the thread that talks with the PLC, until its next period"
  "adapters/openfresco_client/lab_connection.cc connect:the socket does not wait, and what waits for it has a deadline and is given up by hold()"
  "adapters/openfresco_client/lab_connection.cc poll:in slices, with a deadline, and given up by hold()"
  "adapters/openfresco_client/lab_connection.cc recv:the socket does not wait"
  "adapters/openfresco_client/reconnection.cc join:when the adapter ends: its attempt has a deadline and has been given up"
  "adapters/openfresco_client/reconnection.cc sleep_for:its own thread"
  "adapters/plugin/internet_address.h getaddrinfo:of our plug-ins: in open(), when the program starts, and of the OpenFresco client on the thread that gets the rig ready, or the mender's"
  "adapters/scpi_tcp/instrument_link.cc wait:its own thread, with its limit, and ended by a hold in a preparation"
  "adapters/scpi_tcp/line_socket.cc connect:the socket does not wait, and what waits for it has a deadline, on its own thread"
  "adapters/scpi_tcp/line_socket.cc poll:its own thread, with its limit, and at most 0.2 s when the adapter ends"
  "adapters/scpi_tcp/text_instrument.cc join:when the adapter ends: the waits of its thread have been given up"
  "adapters/scpi_tcp/text_instrument.cc poll:on the thread that gets the rig ready, 2 ms at a time"
  "adapters/simulated/drive_channel.cc wait_for:a simulated rig, for the other half of its specimen: at most 0.2 s"
  "adapters/simulated/drive_file.cc poll:when a simulated rig is made: at most 0.2 s"
  "adapters/udp_target/target_socket.cc connect:of datagrams, which waits for nobody"
  "adapters/udp_target/target_socket.cc poll:at most the given milliseconds"
  "adapters/udp_target/udp_target.cc join:when the adapter ends: its thread looks every 5 ms whether to leave"
  "adapters/udp_target/udp_target.cc poll:its own thread"
  "adapters/udp_target/udp_target.cc wait:on the thread that gets the rig ready, 10 ms at a time"
)
set(folders core/bus core/host core/timing core/session core/journal numerical/node site-servers gateway/openfresco_server
  gateway/operator composition/hybrid_test composition/processes composition/rigs composition/sites adapters/driver adapters/modbus_tcp adapters/scpi_tcp adapters/openfresco_client adapters/udp_target adapters/simulated adapters/plugin)

# What may wait: functions of the system and of the language, in any source;
set(functions getaddrinfo gethostbyname getnameinfo getpwuid getpwuid_r getpwnam getpwnam_r usleep nanosleep clock_nanosleep sleep_for sleep_until connect popen system
  epoll_wait epoll_pwait recv recvfrom recvmsg accept4 fsync fdatasync syncfs flock lockf sigwait sigwaitinfo waitpid waitid
  zmq_poll sem_wait sem_timedwait sem_clockwait pause
  # of core/base/lasting_file.h: each waits for the disk
  keep_file keep_new_file publish_file move_file make_folders sync_folder write_in_place)
# those whose names we use for other things, in a source with their header;
set(functions_of_headers poll:poll.h ppoll:poll.h select:sys/select.h pselect:sys/select.h accept:sys/socket.h
  wait:sys/wait.h sleep:unistd.h)
# members of a thread, a condition, an atomic, and waits of our own: join() without a limit, wait(SOMETHING);
set(members "join *\\( *\\)" "wait *\\( *[^) ]" "wait_for *\\(" "wait_until *\\(")
# and what has no use without a wait.
set(types std::future std::shared_future std::async std::promise std::latch std::barrier)

function(calls_of line headers result)
  set(found "")
  foreach(function IN LISTS functions)
    if(line MATCHES "(^|[^A-Za-z0-9_.>])${function} *\\(")
      list(APPEND found ${function})
    endif()
  endforeach()
  foreach(entry IN LISTS functions_of_headers)
    string(REGEX MATCH "^[a-z]+" function "${entry}")
    string(REGEX REPLACE "^.*:" "" header "${entry}")
    if(line MATCHES "(^|[^A-Za-z0-9_.>])${function} *\\(" AND "<${header}>" IN_LIST headers)
      list(APPEND found ${function})
    endif()
  endforeach()
  foreach(member IN LISTS members)
    if(line MATCHES "[.>]${member}")
      string(REGEX MATCH "^[a-z_]+" name "${member}")
      list(APPEND found ${name})
    endif()
  endforeach()
  foreach(type IN LISTS types)
    if(line MATCHES "${type}([^A-Za-z0-9_]|$)")
      list(APPEND found ${type})
    endif()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

set(violations "")
set(used "")
foreach(folder IN LISTS folders)
  file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/${folder}/*.cc ${ROOT}/${folder}/*.h)
  foreach(source IN LISTS sources)
    # The probe and the kit run beside a plug-in, the skeleton is text.
    if(source MATCHES "^adapters/plugin/(probe|conformance|skeleton)/")
      continue()
    endif()
    file(READ ${ROOT}/${source} text)
    # A list of CMake takes lines with one of these together.
    string(REGEX REPLACE "[][;]" " " text "${text}")
    set(included "${text}")
    string(REGEX REPLACE "\\.cc$" ".h" header "${source}")
    if(EXISTS ${ROOT}/${header})
      file(READ ${ROOT}/${header} included_by_header)
      string(APPEND included "${included_by_header}")
    endif()
    string(REGEX MATCHALL "<[a-z/]+\\.h>" headers "${included}")
    string(REPLACE "\n" ";" lines "${text}")
    # Most lines name none of them.
    list(FILTER lines INCLUDE REGEX
      "std::(future|shared_future|async|promise|latch|barrier)|(sleep[a-z_]*|connect|popen|system|name|info|poll|_p?wait|recv[a-z]*|accept4?|getpw[a-z_]*|sync|syncfs|flock|lockf|pause|select|join|wait[a-z_]*|[a-z]_file|_folders?|_in_place) *\\(")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "//.*$" "" line "${line}")
      string(REGEX REPLACE "^[A-Za-z_ ]+::[a-z_]+\\(.*\\) *(const)? *(noexcept)? *{$" "" line "${line}")  # a definition
      calls_of("${line}" "${headers}" calls)
      foreach(call IN LISTS calls)
        # The host's own wait, by the thread that keeps the control ticks.
        if(call STREQUAL "sleep_until" AND source MATCHES "^(core/host/|site-servers/node/control_thread)")
          continue()
        endif()
        # The call itself says that it does not wait.
        if(line MATCHES "MSG_DONTWAIT|LOCK_NB|LOCK_UN" AND call MATCHES "^(recv|recvfrom|recvmsg|flock)$")
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
          string(STRIP "${line}" line)
          list(APPEND violations "${source} calls ${call}, which may wait: ${line}")
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
