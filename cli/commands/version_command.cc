#include <cstdio>

#include "cli/commands/commands.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/software_version.h"
#include "core/types/message.h"

namespace trestle::cli {

void add_version_command(CLI::App& app, CommandList& commands) {
  commands.add(app.add_subcommand("version", "print the version"), [] {
    std::printf("trestle %s, protocol %u.%u\n", software_version().c_str(),
                kProtocolVersion.major, kProtocolVersion.minor);
    return static_cast<int>(kExitComplete);
  });
}

}  // namespace trestle::cli
