#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace trestle::cli {

/// What a program that has ended left behind.
struct Ended {
  int code = -1;
  std::string out;
  std::string err;
};

/// A test that starts the program in a separate folder.
class ProgramTestCase : public testing::Test {
 protected:
  ProgramTestCase();
  ~ProgramTestCase() override;

  /// Starts the program and waits for its end.
  Ended trestle(const std::vector<std::string>& arguments) const;
  /// Path inside the test's folder.
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string folder() const { return folder_.string(); }
  /// Path of a file of examples/two_site_frame.
  static std::string example(const std::string& name);
  static std::string shipped(const std::string& name);
  std::string read(const std::string& name) const;
  void write(const std::string& name, const std::string& text) const;
  bool exists(const std::string& name) const;
  /// Steps of a run as CSV, or its ticks.
  std::string exported(const std::string& run, bool ticks = false) const;
  /// Copies example test.yaml into the folder, with `from` replaced once by `to`.
  std::string edited(const std::string& from, const std::string& to) const;

 private:
  std::filesystem::path folder_;
};

/// What a short run needs: the shipped record, half a second of it.
extern const std::vector<std::string> kShort;

/// A test of one mass, part of which is the specimen's, on an actuator without dynamics.
extern const char* const kHeavySpecimen;

/// A pseudo-dynamic test of a mass at the end of a bracket and on a spring of the
/// laboratory, which is taken to the state under gravity: 46.28 mm, 9.256 kN.
extern const char* const kSaggingBracket;

std::vector<std::string> operator+(std::vector<std::string> left,
                                   const std::vector<std::string>& right);

}  // namespace trestle::cli
