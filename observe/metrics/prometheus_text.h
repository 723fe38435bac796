#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace trestle::metrics {

/// Writes metrics in the text format of Prometheus, version 0.0.4.
class PrometheusText {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  /// Begins a family. Without a sample it is left out.
  /// @param type  "gauge", "counter", "histogram"
  void family(std::string_view name, std::string_view type, std::string_view help);
  /// A sample of the family that was begun last; a value that is not a number is left out.
  void sample(Labels labels, double value);
  /// A sample of a family of type "histogram".
  /// @param ends    upper ends of the classes, ascending
  /// @param counts  one for each class, and one for what is above the last end
  void histogram(Labels labels, std::span<const double> ends,
                 std::span<const std::uint64_t> counts, double sum);

  const std::string& text() const noexcept { return text_; }

 private:
  /// @param le  label of a class of a histogram; empty: none
  void line(std::string_view suffix, Labels labels, std::string_view le, double value);

  std::string name_;
  std::string head_;  // of the family, until it has a sample
  std::string text_;
};

}  // namespace trestle::metrics
