#pragma once

#include "studies/pretest/test_check.h"

namespace trestle::cli {

/// Prints what a look at a test found on standard output, human-readable.
void print_check(const pretest::TestCheck& check);

}  // namespace trestle::cli
