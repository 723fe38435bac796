#include "composition/numerical/bond_graph/value_scope.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/base/nearest_name.h"
#include "core/yaml/dimensions.h"
#include "numerical/bond_graph/fault.h"

namespace trestle::bond_graph {
namespace {

bool is_name(const std::string& text) {
  const auto letter = [](unsigned char c) {
    return std::isalpha(c) != 0 || c == '_';
  };
  return !text.empty() && letter(static_cast<unsigned char>(text.front())) &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return letter(static_cast<unsigned char>(c)) ||
                  std::isdigit(static_cast<unsigned char>(c)) != 0;
         });
}

}  // namespace

void ParameterScope::define(const std::string& name, std::optional<std::string> text,
                            std::string path) {
  entries_.push_back({name, std::move(text), std::move(path)});
}

const ParameterScope::Entry* ParameterScope::find(const std::string& name) const {
  for (const Entry& entry : entries_)
    if (entry.name == name) return &entry;
  return nullptr;
}

std::vector<std::string> ParameterScope::names() const {
  std::vector<std::string> all =
      outer_ != nullptr ? outer_->names() : std::vector<std::string>{};
  for (const Entry& entry : entries_) all.push_back(entry.name);
  return all;
}

double ParameterScope::number(const std::string& text, config::Dimension dimension,
                              const std::string& what, const std::string& path) const {
  if (is_name(text)) {
    const Entry* entry = find(text);
    if (entry != nullptr && !entry->text)
      fail("E_PARAM", entry->path,
           "the parameter `" + text + "` is missing; " + what + " needs it");
    // An instance's text is read outside the template; a file's params name no others.
    if (entry != nullptr && outer_ != nullptr)
      return outer_->number(*entry->text, dimension, what, entry->path);
    if (entry != nullptr && !is_name(*entry->text))
      return number(*entry->text, dimension, what, entry->path);
    if (entry == nullptr && outer_ != nullptr)
      return outer_->number(text, dimension, what, path);
    fail("E_PARAM", entry != nullptr ? entry->path : path,
         what + " is `" + text + "`, which is neither a number nor one of `params`" +
             suggest(text, names()));
  }
  const auto quantity = yaml::read_quantity(text, dimension);
  if (!quantity) fail("E_PARAM", path, what + " " + quantity.error().detail);
  const double value = quantity.value().value;
  if (!std::isfinite(value) || value == 0.0)
    fail("E_PARAM", path,
         what + " is " + text +
             "; must be a finite number other than zero (leave the "
             "component out where it has no effect)");
  return value;
}

}  // namespace trestle::bond_graph
