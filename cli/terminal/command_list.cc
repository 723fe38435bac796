#include "cli/terminal/command_list.h"

namespace trestle::cli {

void CommandList::add(CLI::App* verb, std::function<int()> run) {
  commands_.emplace_back(verb, std::move(run));
}

std::optional<int> CommandList::run() const {
  for (const auto& [verb, run] : commands_)
    if (verb->parsed()) return run();
  return std::nullopt;
}

}  // namespace trestle::cli
