#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace trestle {

/// `trestle keygen NAME [--out DIR]`: the key pair of one node.
class KeygenVerb {
 public:
  /// @param app  must live as long as this
  explicit KeygenVerb(CLI::App& app);

  /// Runs the verb where it was parsed. @returns its exit code; nothing: it was another
  std::optional<int> run() const;

 private:
  std::string name_;
  std::string folder_ = ".";
  CLI::App* verb_;
};

}  // namespace trestle
