# Every package comes from Debian; deploy/setup.sh names them. Nothing is downloaded here.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Protobuf 3.21 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(GTest REQUIRED)
pkg_check_modules(zmq REQUIRED IMPORTED_TARGET libzmq)
pkg_check_modules(sodium REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(modbus REQUIRED IMPORTED_TARGET libmodbus)
pkg_check_modules(hdf5 REQUIRED IMPORTED_TARGET hdf5)
pkg_check_modules(matio REQUIRED IMPORTED_TARGET matio)
pkg_check_modules(qrencode REQUIRED IMPORTED_TARGET libqrencode)
# Only the library: its flags would make the precompiled headers useless.
pkg_check_modules(ncursesw REQUIRED ncursesw)

find_path(CHOLMOD_INCLUDE cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(CHOLMOD_LIBRARY cholmod REQUIRED)
add_library(trestle_cholmod INTERFACE)
add_library(trestle::cholmod ALIAS trestle_cholmod)
target_include_directories(trestle_cholmod SYSTEM INTERFACE ${CHOLMOD_INCLUDE})
target_link_libraries(trestle_cholmod INTERFACE ${CHOLMOD_LIBRARY} Eigen3::Eigen)

# Optional: the reference of the ports (target `reference`) and its test.
find_program(TRESTLE_DOXYGEN doxygen)
