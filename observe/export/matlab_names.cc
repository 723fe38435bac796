#include "observe/export/matlab_names.h"

#include <array>
#include <string_view>

namespace trestle::exports {
namespace {

constexpr std::size_t kLongest = 63;

constexpr std::array<std::string_view, 20> kWords{
    "break",      "case",   "catch",    "classdef", "continue", "else",      "elseif",
    "end",        "for",    "function", "global",   "if",       "otherwise", "parfor",
    "persistent", "return", "spmd",     "switch",   "try",      "while"};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string valid(const std::string& text) {
  std::string name;
  for (const char c : text) {
    if (is_letter(c) || is_digit(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty() || !is_letter(name.front())) name = name.empty() ? "x" : "x_" + name;
  for (const std::string_view word : kWords)
    if (name == word) name += "_";
  return name.substr(0, kLongest);
}

}  // namespace

std::string MatlabNames::name(const std::string& text) {
  const std::string first = valid(text);
  std::string name = first;
  for (int number = 2; !taken_.insert(name).second; ++number) {
    const std::string tail = "_" + std::to_string(number);
    name = first.substr(0, kLongest - tail.size()) + tail;
  }
  return name;
}

}  // namespace trestle::exports
