// trestle-driver FOLDER: loads the plug-in of one rig for a site, which starts it. Not for
// the command line: the site's connection is its descriptor 3.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>

#include "adapters/driver_program/driver_server.h"

int main(int argc, char** argv) {
  constexpr int kSite = 3;
  if (argc != 2 || fcntl(kSite, F_SETFD, FD_CLOEXEC) != 0) {
    std::fprintf(stderr, "a site starts this program (adapter: {isolation: process})\n");
    return 2;
  }
  close_range(kSite + 1, ~0U, 0);
  // What a terminal or a shell sends is meant for the site.
  for (const int number : {SIGINT, SIGQUIT, SIGTSTP, SIGHUP, SIGPIPE, SIGXFSZ})
    std::signal(number, SIG_IGN);
  try {
    trestle::driver_program::DriverServer server(argv[1], trestle::FileDescriptor(kSite));
    return server.run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
