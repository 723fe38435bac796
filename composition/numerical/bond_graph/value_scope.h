#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proto/config/options.pb.h"

namespace trestle::bond_graph {

/// Names that may stand for numbers: the file's `params`, and inside a template the
/// parameters of the instance, whose texts mean what they mean outside.
class ParameterScope {
 public:
  /// @param outer  must live as long as this; null for that of the file
  explicit ParameterScope(const ParameterScope* outer = nullptr) : outer_(outer) {}

  /// @param text  nothing: a parameter that the instance does not give
  /// @param path  of the setting, for errors
  void define(const std::string& name, std::optional<std::string> text, std::string path);

  /// The number that a text stands for, in SI.
  /// @param what  for the error: `m of `mass1/m``
  /// @throws SettingError [E_PARAM] for an unknown name, a parameter that is not given, a
  ///         number that is zero or not finite, or a unit that does not fit
  double number(const std::string& text, config::Dimension dimension,
                const std::string& what, const std::string& path) const;

 private:
  struct Entry {
    std::string name;
    std::optional<std::string> text;
    std::string path;
  };
  const Entry* find(const std::string& name) const;
  std::vector<std::string> names() const;

  const ParameterScope* outer_;
  std::vector<Entry> entries_;
};

}  // namespace trestle::bond_graph
