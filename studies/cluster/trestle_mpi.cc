// What `trestle campaign` needs of MPI, as C functions: a module that the program loads
// where a launcher of MPI programs started it. There is no common binary interface of MPIs,
// so the module is built with the MPI of the launcher, and needs no other file of Trestle:
//
//   mpicxx -O2 -shared -fPIC trestle_mpi.cc -o trestle_mpi.so
//   export TRESTLE_MPI=$PWD/trestle_mpi.so
//
// MPI 2 is enough. All functions are called by one thread.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <list>
#include <vector>

#define TRESTLE_MODULE extern "C" __attribute__((visibility("default")))

namespace {

constexpr int kTag = 71;

// MPI reads a message until it has left.
struct Sending {
  std::vector<char> bytes;
  MPI_Request request = MPI_REQUEST_NULL;
};

std::list<Sending>& outbox() {
  static std::list<Sending> sending;
  return sending;
}

// A message to a dead rank fails, and is forgotten like one that has left.
void forget_what_has_left() {
  for (auto each = outbox().begin(); each != outbox().end();) {
    int left = 0;
    if (MPI_Test(&each->request, &left, MPI_STATUS_IGNORE) != MPI_SUCCESS) left = 1;
    each = left != 0 ? outbox().erase(each) : std::next(each);
  }
}

}  // namespace

TRESTLE_MODULE int trestle_mpi_version() {
  return 1;
}

// Returns 0, or 1 with a sentence in `why`.
TRESTLE_MODULE int trestle_mpi_open(int* rank, int* size, char* why, int room) {
  int open = 0;
  int threads = 0;
  int code = MPI_Initialized(&open);
  if (code == MPI_SUCCESS && open == 0)
    code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &threads);
  if (code != MPI_SUCCESS) {
    std::snprintf(why, static_cast<std::size_t>(room), "MPI_Init_thread returns %d", code);
    return 1;
  }
  if (open == 0 && threads < MPI_THREAD_FUNNELED) {
    std::snprintf(why, static_cast<std::size_t>(room),
                  "it was built without threads (MPI_THREAD_FUNNELED)");
    return 1;
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  return 0;
}

TRESTLE_MODULE void trestle_mpi_send(int to, const void* bytes, int count) {
  Sending& message = outbox().emplace_back();
  const char* const first = static_cast<const char*>(bytes);
  message.bytes.assign(first, first + count);
  if (MPI_Isend(message.bytes.data(), count, MPI_BYTE, to, kTag, MPI_COMM_WORLD,
                &message.request) != MPI_SUCCESS)
    outbox().pop_back();
  forget_what_has_left();
}

// Returns 1 where a message is there, with its sender and size; 0: none; -1: MPI failed.
TRESTLE_MODULE int trestle_mpi_probe(int* from, int* count) {
  if (!outbox().empty()) forget_what_has_left();
  int there = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS)
    return -1;
  if (there == 0) return 0;
  *from = status.MPI_SOURCE;
  return MPI_Get_count(&status, MPI_BYTE, count) == MPI_SUCCESS ? 1 : -1;
}

// Takes the message that was probed. Returns 0, or 1 where MPI failed.
TRESTLE_MODULE int trestle_mpi_receive(int from, void* bytes, int count) {
  return MPI_Recv(bytes, count, MPI_BYTE, from, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ==
                 MPI_SUCCESS
             ? 0
             : 1;
}

// How many messages have not left.
TRESTLE_MODULE int trestle_mpi_sending() {
  forget_what_has_left();
  return static_cast<int>(outbox().size());
}

TRESTLE_MODULE void trestle_mpi_close() {
  MPI_Finalize();
}
