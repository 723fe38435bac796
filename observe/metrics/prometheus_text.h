#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace trestle::metrics {

/// Writes metrics in the text format of Prometheus, version 0.0.4.
class PrometheusText {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  /// Begins a family. Without a sample it is left out.
  /// @param type  "gauge", "counter"
  void family(std::string_view name, std::string_view type, std::string_view help);
  /// A sample of the family that was begun last; a value that is not a number is left out.
  void sample(Labels labels, double value);

  const std::string& text() const noexcept { return text_; }

 private:
  std::string name_;
  std::string head_;  // of the family, until it has a sample
  std::string text_;
};

}  // namespace trestle::metrics
