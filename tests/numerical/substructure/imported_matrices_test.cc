#include "numerical/structure/imported_matrices.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "composition/numerical/matrices_factory.h"
#include "composition/numerical/model_factory.h"
#include "core/base/setting_error.h"
#include "numerical/structure/modes.h"
#include "proto/config/numerical.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::substructure::given_matrices_test {
namespace {

config::Matrices parsed(const std::string& text) {
  config::Matrices matrices;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &matrices)) << text;
  return matrices;
}

std::vector<std::string> problems_of(const std::string& text) {
  std::vector<std::string> lines;
  try {
    composition::given_matrices(parsed(text), "m");
  } catch (const SettingError& error) {
    for (const SettingIssue& problem : error.problems())
      lines.push_back(problem.path + ": " + problem.what);
  }
  return lines;
}

const std::string kDofs = R"(dofs: ["a.x", "b.y"] )";
const std::string kMass = "mass {rows {values: [2, 0]} rows {values: [0, 3]}} ";
const std::string kStiffness =
    "stiffness {entries {row: 1 column: 1 value: 9} "
    "entries {row: 2 column: 1 value: -4} "
    "entries {row: 2 column: 2 value: 5}} ";

TEST(ImportedMatrices, ComeFromRowsAndFromOneTriangle) {
  const structure::StructuralModel structure = structure::build_imported_model(
      composition::given_matrices(parsed(kDofs + kMass + kStiffness), "m"));
  EXPECT_EQ(structure.equation("b.y"), 1);
  EXPECT_EQ(structure.stiffness.coeff(0, 1), -4.0);
  EXPECT_EQ(structure.base_load.col(0), Eigen::Vector2d(-2.0, 0.0));
  EXPECT_EQ(structure.base_load.col(1), Eigen::Vector2d(0.0, -3.0));
}

TEST(ImportedMatrices, OwnInfluenceServesEitherDirection) {
  const structure::StructuralModel structure =
      structure::build_imported_model(composition::given_matrices(
          parsed(kDofs + kMass + kStiffness + "influence: [0.5, 1]"), "m"));
  EXPECT_EQ(structure.base_load.col(0), Eigen::Vector2d(-1.0, -3.0));
}

TEST(ImportedMatrices, MistakesAreAllTold) {
  const std::vector<std::string> expected{
      "m.dofs[1]: `b.w` is no DOF; write <node>.x, .y or .rz, in space also <node>.z, .rx "
      "or .ry",
      "m.mass.file: cannot read the file nowhere.csv: there is no such file",
      "m.stiffness: the matrix is not symmetric: (2, 1) is 2, (1, 2) is 1",
      "m.influence: has 1 numbers; there are 2 DOFs"};
  EXPECT_EQ(problems_of(R"(dofs: ["a.x", "b.w"] mass {file: "nowhere.csv"}
                           stiffness {rows {values: [9, 1]} rows {values: [2, 9]}}
                           influence: 1)"),
            expected);
}

TEST(ImportedMatrices, ShapesAreChecked) {
  EXPECT_EQ(problems_of(kDofs + kMass + "stiffness {rows {values: [1, 2]}}").at(0),
            "m.stiffness: the matrix is 1 x 2; it must be square");
  EXPECT_EQ(problems_of(kDofs + kMass + "stiffness {rows {values: 1}}").at(0),
            "m.stiffness: the matrix is 1 x 1; there are 2 DOFs");
  EXPECT_EQ(
      problems_of(kDofs + kMass + "stiffness {}").at(0),
      "m.stiffness: stiffness needs exactly one of file, entries and rows; 0 are given");
  EXPECT_EQ(problems_of(kDofs + kStiffness +
                        "mass {entries {row: 3 column: 1} entries {row: 1 column: 1 value: "
                        "-2}}")
                .size(),
            2U);
}

/// A file of the DOFs of the rows.
std::string dof_map(const std::string& text) {
  static int count = 0;
  const std::string file = ::testing::TempDir() + "/map_" + std::to_string(::getpid()) +
                           "_" + std::to_string(++count) + ".csv";
  std::ofstream(file) << text;
  return "dof_map: '" + file + "' ";
}

// OpenSees counts rows from 0; others from 1. The order of the lines does not matter.
TEST(ImportedMatrices, TakeTheirDofsFromAFile) {
  for (const char* const text :
       {"row,node,dof\n1, b, y\n0, a, x\n", "1;a;x\r\n2;b;y\r\n", "0,a,x\n\n1,b,y",
        "\xEF\xBB\xBF"
        "1,a,x\n2,b,y\n"}) {
    const structure::StructuralModel structure = structure::build_imported_model(
        composition::given_matrices(parsed(dof_map(text) + kMass + kStiffness), "m"));
    EXPECT_EQ(structure.equation("a.x"), 0) << text;
    EXPECT_EQ(structure.equation("b.y"), 1) << text;
    EXPECT_EQ(structure.base_load.col(1), Eigen::Vector2d(0.0, -3.0)) << text;
  }
}

TEST(ImportedMatrices, TellWhatIsWrongInAFileOfDofs) {
  const auto told = [](const std::string& text) {
    const std::string line = problems_of(dof_map(text) + kMass + kStiffness).at(0);
    EXPECT_TRUE(line.starts_with("m.dof_map: ")) << line;
    return line.substr(line.find(".csv") + 4);
  };
  EXPECT_EQ(told("row,node,dof\n0,a,x\n1,b\n"),
            ":3: has 2 cells; must be row, node and DOF");
  EXPECT_EQ(told("0,a,x\n1,b,2\n"),
            ":2: `b`, `2` is no DOF; write the node's name and x, y, z, rx, ry or rz");
  EXPECT_EQ(told("0,a,x\nb,b,y\n"), ":2: `b` is no row; rows count from 0 or from 1");
  EXPECT_EQ(told("0,a,x\n0,b,y\n"), ":2: row 0 is a.x already");
  EXPECT_EQ(told("0,a,x\n2,b,y\n"), " leaves out row 1; name each row of the matrices");
  EXPECT_EQ(told("2,a,x\n3,b,y\n"), " leaves out row 0; name each row of the matrices");
  EXPECT_EQ(told("row,node,dof\n"), " names no row; write row, node and DOF in each line");
  EXPECT_EQ(problems_of("dof_map: 'nowhere.csv' " + kMass + kStiffness).at(0),
            "m.dof_map: cannot read the file nowhere.csv: there is no such file");
  EXPECT_EQ(problems_of(kDofs + dof_map("0,a,x\n1,b,y\n") + kMass + kStiffness).at(0),
            "m.dof_map: both dofs and dof_map are given; give one of them");
  EXPECT_EQ(problems_of(kMass + kStiffness).at(0),
            "m.dofs: no DOF is named; name one for each row, or give a dof_map");
  EXPECT_EQ(problems_of(dof_map("0,a,x\n1,a,x\n") + kMass + kStiffness).at(0),
            "m.dof_map: DOF `a.x` stands twice; each row needs its own name");
}

TEST(ImportedMatrices, AreScaled) {
  const structure::StructuralModel structure =
      structure::build_imported_model(composition::given_matrices(
          parsed(kDofs + "mass {scale: 1.5 rows {values: [2, 0]} rows {values: [0, 3]}} " +
                 kStiffness),
          "m"));
  EXPECT_EQ(structure.mass.coeff(1, 1), 4.5);
  EXPECT_EQ(structure.base_load.col(0), Eigen::Vector2d(-3.0, 0.0));
}

// C = 0.5 M + 0.1 K of the whole, and only then the parts out of all three.
TEST(ImportedMatrices, LosePartsAfterTheDampingOfTheWholeWasFormed) {
  config::Numerical numerical;
  *numerical.mutable_matrices() = parsed(
      kDofs + kMass + kStiffness +
      "damping {rayleigh {mass_factor: 0.5 stiffness_factor: 0.1}} "
      "without {dofs: [\"b.y\", \"a.x\"] mass {values: [1, 0]} mass {values: [0, 2]} "
      "stiffness {values: [2, -1]} stiffness {values: [-1, 3]} } "
      "without {dofs: \"b.y\" damping {values: 0.25}}");
  const structure::StructuralModel left =
      composition::make_structure(numerical, {}, "numerical");
  EXPECT_EQ(Eigen::MatrixXd(left.mass).diagonal(), Eigen::Vector2d(0.0, 2.0));
  Eigen::Matrix2d stiffness;
  stiffness << 6.0, -3.0, -3.0, 3.0;
  EXPECT_EQ(Eigen::MatrixXd(left.stiffness), stiffness);
  Eigen::Matrix2d damping;
  damping << 1.9, -0.4, -0.4, 1.75;
  EXPECT_LT((Eigen::MatrixXd(left.damping) - damping).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(left.base_load.col(1), Eigen::Vector2d(0.0, -2.0));
}

TEST(ImportedMatrices, PartsThatDoNotFitAreAllTold) {
  const std::vector<std::string> expected{
      "m.without[0].dofs[1]: the matrices have no DOF `c.y`; did you mean `b.y`?",
      "m.without[0].mass: has 1 rows; there are 2 DOFs",
      "m.without[0].stiffness: the matrix is not symmetric: (2, 1) is 2, (1, 2) is 1",
      "m.without[1]: takes nothing out; give it mass, stiffness or damping",
      "m.without[2].damping[0]: has 2 numbers; there are 1 DOFs"};
  EXPECT_EQ(problems_of(kDofs + kMass + kStiffness +
                        "without {dofs: [\"a.x\", \"c.y\"] mass {values: [1, 0]} "
                        "stiffness {values: [1, 1]} stiffness {values: [2, 1]}} "
                        "without {dofs: \"a.x\"} "
                        "without {dofs: \"a.x\" damping {values: [1, 2]}}"),
            expected);
  EXPECT_EQ(problems_of(kDofs + kMass + kStiffness +
                        "without {dofs: \"a.x\" mass {values: 2.5}}"),
            std::vector<std::string>{"m.without[0].mass: takes more mass from a.x than "
                                     "there is; -0.5 would be left"});
}

/// A MatrixMarket file that lasts as long as the test.
class MarketFile {
 public:
  explicit MarketFile(const std::string& text)
      : path_(::testing::TempDir() + "imported_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".mtx") {
    std::ofstream(path_) << "%%MatrixMarket matrix " << text;
  }
  MarketFile(const MarketFile&) = delete;
  MarketFile& operator=(const MarketFile&) = delete;
  ~MarketFile() { std::filesystem::remove(path_); }
  std::string stiffness() const { return "stiffness {file: \"" + path_ + "\"} "; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(ImportedMatrices, ComeFromMatrixMarketInSpaceToo) {
  const MarketFile file("coordinate real symmetric\n2 2 3\n1 1 9\n2 1 -4\n2 2 5\n");
  const structure::StructuralModel structure =
      structure::build_imported_model(composition::given_matrices(
          parsed("dofs: [\"a.x\", \"b.z\"] " + kMass + file.stiffness()), "m"));
  Eigen::Matrix2d expected;
  expected << 9.0, -4.0, -4.0, 5.0;
  EXPECT_EQ(Eigen::MatrixXd(structure.stiffness), expected);
  EXPECT_EQ(structure.base_load.col(2), Eigen::Vector2d(0.0, -3.0));
}

TEST(ImportedMatrices, MatrixMarketOfAnotherShapeIsRefused) {
  const auto problem = [](const std::string& text) {
    const MarketFile file(text);
    const std::vector<std::string> problems = problems_of(kDofs + kMass + file.stiffness());
    EXPECT_EQ(problems.size(), 1U);
    const std::string head = "m.stiffness.file: " + file.path() + ": ";
    return problems.empty() ? "" : problems.front().substr(head.size());
  };
  EXPECT_EQ(problem("coordinate real general\n2 3 1\n1 1 9\n"),
            "the matrix is 2 x 3; it must be square");
  EXPECT_EQ(problem("coordinate real general\n3 3 1\n1 1 9\n"),
            "the matrix is 3 x 3; there are 2 DOFs");
  EXPECT_EQ(problem("array real general\n2 2\n9\n2\n1\n9\n"),
            "the matrix is not symmetric: (2, 1) is 2, (1, 2) is 1");
}

TEST(ImportedMatrices, RowsOfConstraintHandlersAreRefusedByName) {
  const std::string remedy =
      "; write the matrices with the constraint handler Transformation or Plain";
  const std::string dofs = R"(dofs: ["a.x", "b.x", "c.x"] )";
  const std::string mass =
      "mass {rows {values: [2, 0, 0]} rows {values: [0, 3, 0]} rows {values: [0, 0, 1]}} ";
  {
    const MarketFile file(
        "coordinate real symmetric\n3 3 4\n1 1 9\n2 2 5\n3 1 1\n3 2 -1\n");
    EXPECT_EQ(problems_of(dofs + mass + file.stiffness()),
              std::vector<std::string>{"m.stiffness.file: c.x has a zero diagonal but acts "
                                       "on other DOFs, like a multiplier of the constraint "
                                       "handler Lagrange" +
                                       remedy});
  }
  const MarketFile file(
      "coordinate real symmetric\n3 3 4\n1 1 9\n2 2 6e6\n3 3 5\n3 2 -1\n");
  EXPECT_EQ(problems_of(dofs + mass + file.stiffness()), std::vector<std::string>{});
  const MarketFile penalty("coordinate real symmetric\n3 3 3\n1 1 9\n2 2 1e9\n3 3 5\n");
  EXPECT_EQ(problems_of(dofs + mass + penalty.stiffness()),
            std::vector<std::string>{"m.stiffness.file: the stiffness of b.x is 1e+09, "
                                     "above 1e6 times the median 9, like one of the "
                                     "constraint handler Penalty" +
                                     remedy +
                                     "; a member that is so stiff can be given as "
                                     "CSV"});
}

// Lowest frequencies as the benchmark's specification gives them, to its six digits.
TEST(ImportedMatrices, BenchmarkFrameHasItsPublishedFrequencies) {
  const std::filesystem::path data =
      std::filesystem::path(TRESTLE_SOURCE_DIR) / ".." / "shared" / "data";
  if (!std::filesystem::exists(data / "marths_K.csv"))
    GTEST_SKIP() << "the benchmark's matrices are not beside the source tree";
  config::Numerical numerical;
  config::Matrices& matrices = *numerical.mutable_matrices();
  for (int i = 1; i <= 29; ++i)
    matrices.add_dofs("d" + std::to_string(i) +
                      (i == 13 || i == 26 || i == 27 ? ".x" : ".rz"));
  matrices.mutable_mass()->set_file((data / "marths_M.csv").string());
  matrices.mutable_stiffness()->set_file((data / "marths_K.csv").string());
  const structure::StructuralModel structure =
      composition::make_structure(numerical, {}, "numerical");
  const structure::Modes modes = structure::lowest_modes(structure, 4);
  ASSERT_EQ(modes.frequencies.size(), 4);
  const double published[] = {14.3964, 80.0981, 165.124, 166.725};
  const double digits[] = {1e-4, 1e-4, 1e-3, 1e-3};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(modes.frequencies[i], published[i], digits[i]);
}

}  // namespace
}  // namespace trestle::substructure::given_matrices_test
