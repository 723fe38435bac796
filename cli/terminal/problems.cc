#include "cli/terminal/problems.h"

#include <cstdio>

namespace trestle::cli {

void print_problems(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::fprintf(stderr, "%s\n", line.c_str());
  if (lines.size() > 1)
    std::fprintf(stderr, "%zu errors; nothing was started.\n", lines.size());
}

void print_questions(const std::vector<std::string>& questions) {
  for (const std::string& question : questions)
    std::fprintf(stderr, "question: %s\n", question.c_str());
}

}  // namespace trestle::cli
