#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include "cli/commands/commands.h"
#include "cli/terminal/exit_code.h"
#include "core/bus/curve_key_file.h"

namespace trestle::cli {
namespace {

struct KeygenOptions {
  std::string name;  ///< of the node
  std::string folder = ".";
};

int make_keys(const KeygenOptions& options) {
  const std::string& name = options.name;
  const std::string& folder = options.folder;
  try {
    const std::string open_half = bus::make_key_files(name, folder);
    std::printf("%s/%s.key is the secret half: it stays on this machine, mode 0600\n",
                folder.c_str(), name.c_str());
    std::printf("%s/%s.pub is for the others; in their security.peers it is this line:\n\n",
                folder.c_str(), name.c_str());
    std::printf("%s: {public_key: '%s'}\n", name.c_str(), open_half.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return kExitComplete;
}

}  // namespace

void add_keygen_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<KeygenOptions>();
  CLI::App* const verb =
      app.add_subcommand("keygen", "make the key pair of a node of the bus");
  verb->add_option("name", options->name, "the node's name, as its peers will list it")
      ->required();
  verb->add_option("--out", options->folder,
                   "folder of NAME.key and NAME.pub; default here");
  commands.add(verb, [options] { return make_keys(*options); });
}

}  // namespace trestle::cli
