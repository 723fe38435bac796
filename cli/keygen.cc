#include "cli/keygen.h"

#include <cstdio>
#include <exception>

#include "cli/exit_code.h"
#include "core/bus/curve_key_file.h"

namespace trestle {

KeygenVerb::KeygenVerb(CLI::App& app)
    : verb_(app.add_subcommand("keygen", "make the key pair of a node of the bus")) {
  verb_->add_option("name", name_, "the node's name, as its peers will list it")
      ->required();
  verb_->add_option("--out", folder_, "folder of NAME.key and NAME.pub; default here");
}

std::optional<int> KeygenVerb::run() const {
  if (!verb_->parsed()) return std::nullopt;
  try {
    const std::string open_half = make_key_files(name_, folder_);
    std::printf("%s/%s.key is the secret half: it stays on this machine, mode 0600\n",
                folder_.c_str(), name_.c_str());
    std::printf("%s/%s.pub is for the others; in their security.peers it is this line:\n\n",
                folder_.c_str(), name_.c_str());
    std::printf("%s: {public_key: '%s'}\n", name_.c_str(), open_half.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return kExitComplete;
}

}  // namespace trestle
