#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trestle {

/// Returns the known word that was probably meant, or empty. Optimal-string-alignment
/// distance (insert, delete, replace, swap neighbours), at most a third of the longer word;
/// case counts only between words of equal distance.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// `did you mean `interface`?`, or else `known here: a, b, c`.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

/// `a, b, c`; long lists are cut.
std::string listed(const std::vector<std::string>& words);

/// Returns a word for a message: in backquotes, on one line, shortened.
std::string quote(std::string_view word);

}  // namespace trestle
