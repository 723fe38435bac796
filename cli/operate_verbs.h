#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <optional>
#include <string>

#include "gateway/operator/operator_request.h"

namespace trestle {

struct OperateOptions {
  std::string where;      ///< a run's folder, a site's, or a site's name
  std::string reason;     ///< of hold and stop
  std::string as;         ///< name that the person gave; may be empty
  std::string drive;      ///< of clear: that the equipment has in force
  bool sure = false;      ///< a person at the terminal is not asked again before stop
  double patience = 5.0;  ///< with a process that does not answer [s]
  bool json = false;
};
int operate(OperatorVerb verb, const OperateOptions& options);

/// The command line of the verbs that ask and tell a running integrator or site.
class OperateVerbs {
 public:
  /// @param app  must live as long as this
  explicit OperateVerbs(CLI::App& app);

  /// Runs the verb that was parsed. @returns its exit code; nothing: it was another verb
  std::optional<int> run() const;

 private:
  OperateOptions options_;
  std::array<CLI::App*, 7> verbs_;
};

}  // namespace trestle
