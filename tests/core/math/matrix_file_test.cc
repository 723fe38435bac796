#include "core/math/matrix_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace trestle::math {
namespace {

class MatrixFile : public ::testing::Test {
 protected:
  ~MatrixFile() override { std::filesystem::remove(file_); }

  Result<Eigen::MatrixXd> read(const std::string& text) {
    std::ofstream(file_) << text;
    return read_matrix(file_);
  }

  std::string file_ = ::testing::TempDir() + "matrix_file_" +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name() +
                      ".csv";
};

TEST_F(MatrixFile, ReadsNumbersRowByRow) {
  const auto matrix = read("1, -2.5e3,+3\r\n4,5,6\r\n\r\n");
  ASSERT_TRUE(matrix.has_value());
  Eigen::MatrixXd expected(2, 3);
  expected << 1, -2500, 3, 4, 5, 6;
  EXPECT_EQ(matrix.value(), expected);
}

TEST_F(MatrixFile, AcceptsOtherSeparators) {
  EXPECT_EQ(read("1;2\n3;4\n").value()(1, 0), 3.0);
  EXPECT_EQ(read(" 1  2\n3\t4\n").value()(1, 1), 4.0);
}

TEST_F(MatrixFile, SaysWhereItIsRagged) {
  const auto matrix = read("1,2,3\n4,5\n");
  ASSERT_FALSE(matrix.has_value());
  EXPECT_EQ(matrix.error().detail, file_ + ":2: has 2 numbers; the first row has 3");
}

TEST_F(MatrixFile, SaysWhereANumberIsNone) {
  const std::string rest =
      " is no finite number; a matrix file has numbers only, no header";
  EXPECT_EQ(read("1,2\n3,nan\n").error().detail, file_ + ":2: `nan`" + rest);
  EXPECT_EQ(read("a,b\n1,2\n").error().detail, file_ + ":1: `a`" + rest);
  EXPECT_EQ(read("1,+-2\n").error().detail, file_ + ":1: `+-2`" + rest);
  EXPECT_EQ(read("1,,2\n").error().detail, file_ + ":1: `an empty cell`" + rest);
}

TEST_F(MatrixFile, SaysThatItIsMissingOrEmpty) {
  EXPECT_EQ(read_matrix(file_).error().detail,
            "cannot read the file " + file_ + ": there is no such file");
  EXPECT_EQ(read("\n").error().detail,
            file_ + ":1: the file is empty; a matrix needs rows");
}

TEST_F(MatrixFile, WaitsForNoPipeAndReadsNoDevice) {
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  for (const std::string& file : {file_, std::string("/dev/zero")})
    EXPECT_EQ(read_matrix(file).error().detail,
              "cannot read the file " + file + ": it is a device or a pipe; name a file");
}

TEST_F(MatrixFile, SkipsTheMarkOfUtf8) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "1,2\n3,4\n")
                .value()(0, 0),
            1.0);
}

}  // namespace
}  // namespace trestle::math
