#include "studies/cluster/launch.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "studies/cluster/mpi_ring.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::cluster {
namespace {

std::optional<Launch> launched(const std::map<std::string, std::string>& variables) {
  return launch_of([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt
                                    : std::optional<std::string>(found->second);
  });
}

TEST(Launch, IsWhatTheLauncherSaysInTheEnvironment) {
  EXPECT_FALSE(launched({}));
  EXPECT_FALSE(launched({{"SLURM_STEP_NUM_TASKS", "2"}}));  // srun --mpi=none
  const auto mpirun = launched(
      {{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "3"}, {"PMIX_RANK", "3"}});
  ASSERT_TRUE(mpirun);
  EXPECT_EQ(mpirun->variable, "OMPI_COMM_WORLD_SIZE");
  EXPECT_EQ(mpirun->rank, 3);
  EXPECT_EQ(mpirun->size, 4);
  const auto srun = launched({{"PMIX_RANK", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}});
  ASSERT_TRUE(srun);
  EXPECT_EQ(srun->rank, 1);
  EXPECT_EQ(srun->size, 2);
  const auto mpich = launched({{"PMI_SIZE", "8"}, {"PMI_RANK", "x"}});
  ASSERT_TRUE(mpich);
  EXPECT_FALSE(mpich->rank);
  EXPECT_EQ(mpich->size, 8);
}

TEST(MpiRing, SaysHowTheModuleIsBuiltWhereItIsNotThere) {
  const testing::TemporaryFolder folder;
  const Launch launch{"PMI_SIZE", 0, 2};
  const auto complaint = [&](const std::string& module) {
    return testing::sentence_of([&] { MpiRing(folder.file(module), launch); });
  };
  EXPECT_NE(complaint("none.so").find("but the module " + folder.file("none.so") +
                                      " is not there; build it with the MPI"),
            std::string::npos)
      << complaint("none.so");
  std::ofstream(folder.file("text.so")) << "no module";
  EXPECT_NE(complaint("text.so").find("but the module cannot be loaded: "),
            std::string::npos)
      << complaint("text.so");
}

}  // namespace
}  // namespace trestle::cluster
