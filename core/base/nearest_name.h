#pragma once

#include <span>
#include <string>

namespace trestle {

/// "; did you mean `floor_w`?" for the name that needs the fewest edits (Levenshtein 1966),
/// or "" if none is near (more than a third of its letters) or there are very many.
std::string suggest(const std::string& name, std::span<const std::string> known);

}  // namespace trestle
