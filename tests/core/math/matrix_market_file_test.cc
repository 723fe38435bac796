#include "core/math/matrix_market_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/math/matrix_file.h"

namespace trestle::math {
namespace {

class MatrixMarketFile : public ::testing::Test {
 protected:
  ~MatrixMarketFile() override { std::filesystem::remove(file_); }

  /// Writes a file whose first line ends in `text`.
  void write(const std::string& text) {
    std::ofstream(file_) << "%%MatrixMarket matrix " << text;
  }

  Eigen::MatrixXd matrix(const std::string& text) {
    write(text);
    const auto read = read_matrix(file_);
    EXPECT_TRUE(read.has_value()) << read.error().detail;
    return read.has_value() ? read.value() : Eigen::MatrixXd();
  }

  /// The mistake from the line on.
  std::string mistake(const std::string& text) {
    write(text);
    return mistake();
  }
  std::string mistake() {
    const auto read = read_matrix_market(file_);
    EXPECT_FALSE(read.has_value());
    return read.has_value() ? "" : read.error().detail.substr(file_.size() + 1);
  }

  std::string file_ = ::testing::TempDir() + "market_" +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name() +
                      ".mtx";
};

TEST_F(MatrixMarketFile, HasCoordinatesOfBothTriangles) {
  Eigen::MatrixXd expected(2, 3);
  expected << 1, 0, -2500, 0, 4, 0;
  EXPECT_EQ(matrix("coordinate real general\n% comment\n\n2 3 3\n1 1 1.0\n"
                   "  1\t3 -2.5e3\r\n2 2 +4\n\n"),
            expected);
  expected.resize(2, 2);
  expected << 9, -4, -4, 5;
  EXPECT_EQ(matrix("Coordinate Integer SYMMETRIC\n2 2 3\n1 1 9\n2 1 -4\n2 2 5\n"),
            expected);
}

TEST_F(MatrixMarketFile, HasArraysColumnByColumn) {
  Eigen::MatrixXd expected(2, 3);
  expected << 1, 3, 5, 2, 4, 6;
  EXPECT_EQ(matrix("array real general\n2 3\n1\n2\n3\n4\n5\n6\n"), expected);
  expected.resize(2, 2);
  expected << 9, -4, -4, 5;
  EXPECT_EQ(matrix("array real symmetric\n2 2\n9\n-4\n5\n"), expected);
}

TEST_F(MatrixMarketFile, SaysThatItIsMissing) {
  EXPECT_EQ(read_matrix_market(file_).error().detail,
            "cannot read the file " + file_ + ": there is no such file");
}

TEST_F(MatrixMarketFile, RefusesAWrongFirstLine) {
  std::ofstream(file_) << "1,2\n3,4\n";
  EXPECT_EQ(
      mistake(),
      "1:1: the file does not begin with %%MatrixMarket; write it as MatrixMarket, or "
      "name a CSV file .csv");
  EXPECT_EQ(mistake("coordinate real\n").substr(0, 30), "1:38: the first line must read");
  EXPECT_EQ(mistake("sparse real general\n"),
            "1:23: `sparse` is not supported; write the matrix as coordinate or array");
  EXPECT_EQ(mistake("coordinate complex general\n"),
            "1:34: `complex` is not supported; write the matrix as real or integer");
  EXPECT_EQ(mistake("array real skew-symmetric\n"),
            "1:34: `skew-symmetric` is not supported; write the matrix as symmetric or "
            "general");
}

TEST_F(MatrixMarketFile, RefusesAWrongSize) {
  EXPECT_EQ(mistake("array real general\n% no more\n"),
            "2:10: the file ends before the size of the matrix");
  EXPECT_EQ(mistake("coordinate real general\n2 2\n"),
            "2:4: the size line has rows, columns and entries; this one has 2 words");
  EXPECT_EQ(mistake("array real general\n2 2 4\n"),
            "2:5: the size line has rows and columns; this one has 3 words");
  EXPECT_EQ(mistake("array real general\n2 0\n").substr(0, 36),
            "2:3: the matrix has 0 rows or column");
  EXPECT_EQ(mistake("array real general\n99999999999 1\n"),
            "2:1: the matrix has 99999999999 rows or columns; 1 to 10000000 are possible");
  EXPECT_EQ(mistake("coordinate real symmetric\n2 3 1\n"),
            "2:3: a symmetric matrix is square; this one is 2 x 3");
  EXPECT_EQ(mistake("coordinate real general\n2 2 -1\n"),
            "2:5: the number of entries is negative");
  EXPECT_EQ(mistake("coordinate real general\n2 2.0 1\n"), "2:3: `2.0` is no whole number");
}

TEST_F(MatrixMarketFile, RefusesWrongEntries) {
  const std::string head = "coordinate real general\n2 2 2\n";
  EXPECT_EQ(mistake(head + "3 1 9\n"), "3:1: row 3 is outside the matrix of 2 x 2");
  EXPECT_EQ(mistake(head + "1 0 9\n"), "3:3: column 0 is outside the matrix of 2 x 2");
  EXPECT_EQ(mistake(head + "1 1 nan\n"), "3:5: `nan` is no finite number");
  EXPECT_EQ(mistake(head + "1 1 +-4\n"), "3:5: `+-4` is no finite number");
  EXPECT_EQ(mistake(head + "1 1 1e999\n"), "3:5: `1e999` is no finite number");
  EXPECT_EQ(mistake(head + "1 x 9\n"), "3:3: `x` is no whole number");
  EXPECT_EQ(mistake(head + "1 1\n"),
            "3:4: a line has row, column and value; this one has 2 words");
  EXPECT_EQ(mistake(head + "1 1 9 0\n"),
            "3:7: a line has row, column and value; this one has 4 words");
  EXPECT_EQ(mistake(head + "1 1 9\n\n 1 1 8\n"),
            "5:2: entry (1, 1) is given twice, first in line 3");
  EXPECT_EQ(
      mistake("coordinate real symmetric\n2 2 1\n1 2 9\n"),
      "3:3: the entry is above the diagonal; a symmetric file has the lower triangle");
  EXPECT_EQ(mistake("array real general\n2 2\n1 2\n"),
            "3:3: a line of an array has one value; this one has 2 words");
}

TEST_F(MatrixMarketFile, RefusesMoreOrFewerEntriesThanAnnounced) {
  EXPECT_EQ(mistake("coordinate real general\n2 2 2\n1 1 9\n"),
            "3:6: the file ends after 1 of 2 entries");
  EXPECT_EQ(mistake("array real symmetric\n2 2\n9\n-4\n"),
            "4:3: the file ends after 2 of 3 entries");
  EXPECT_EQ(
      mistake("coordinate real general\n2 2 1\n1 1 9\n2 2 9\n"),
      "4:1: the matrix has all its 1 entries; take this line out, or correct the size "
      "line");
}

TEST_F(MatrixMarketFile, IsNoFullMatrixIfItIsTooLarge) {
  write("coordinate real general\n100000 100000 1\n1 1 9\n");
  EXPECT_EQ(
      read_matrix(file_).error().detail,
      file_ + ": the matrix is 100000 x 100000; too large for a full matrix (1e8 values)");
}

}  // namespace
}  // namespace trestle::math
