#include "observe/metrics/prometheus_text.h"

#include <cmath>

#include "core/base/number_text.h"

namespace trestle::metrics {
namespace {

void append_escaped(std::string& text, std::string_view value) {
  for (const char letter : value) {
    if (letter == '\\' || letter == '"') text += '\\';
    if (letter == '\n')
      text += "\\n";
    else
      text += letter;
  }
}

}  // namespace

void PrometheusText::family(std::string_view name, std::string_view type,
                            std::string_view help) {
  name_ = name;
  head_ = "# HELP " + name_ + " " + std::string(help) + "\n# TYPE " + name_ + " " +
          std::string(type) + "\n";
}

void PrometheusText::sample(Labels labels, double value) {
  if (!std::isnan(value)) line({}, labels, {}, value);
}

void PrometheusText::histogram(Labels labels, std::span<const double> ends,
                               std::span<const std::uint64_t> counts, double sum) {
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    below += counts[i];
    std::string end = "+Inf";
    if (i < ends.size()) {
      end.clear();
      append_number(end, ends[i]);
    }
    line("_bucket", labels, end, static_cast<double>(below));
  }
  line("_sum", labels, {}, sum);
  line("_count", labels, {}, static_cast<double>(below));
}

void PrometheusText::line(std::string_view suffix, Labels labels, std::string_view le,
                          double value) {
  text_ += head_;
  head_.clear();
  text_ += name_;
  text_ += suffix;
  const char* before = "{";
  const auto add = [&](std::string_view key, std::string_view label) {
    text_ += before;
    text_ += key;
    text_ += "=\"";
    append_escaped(text_, label);
    text_ += '"';
    before = ",";
  };
  for (const auto& [key, label] : labels) add(key, label);
  if (!le.empty()) add("le", le);
  if (labels.size() > 0 || !le.empty()) text_ += '}';
  text_ += ' ';
  if (std::isinf(value))
    text_ += value > 0.0 ? "+Inf" : "-Inf";
  else
    append_number(text_, value);
  text_ += '\n';
}

}  // namespace trestle::metrics
