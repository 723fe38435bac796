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
  if (std::isnan(value)) return;
  text_ += head_;
  head_.clear();
  text_ += name_;
  const char* before = "{";
  for (const auto& [key, text] : labels) {
    text_ += before;
    text_ += key;
    text_ += "=\"";
    append_escaped(text_, text);
    text_ += '"';
    before = ",";
  }
  if (labels.size() > 0) text_ += '}';
  text_ += ' ';
  if (std::isinf(value))
    text_ += value > 0.0 ? "+Inf" : "-Inf";
  else
    append_number(text_, value);
  text_ += '\n';
}

}  // namespace trestle::metrics
