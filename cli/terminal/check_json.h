#pragma once

#include <string>

#include "studies/pretest/test_check.h"

namespace trestle::cli {

/// `trestle check --json`: one object, ends with a newline.
std::string check_json(const pretest::TestCheck& check);

}  // namespace trestle::cli
