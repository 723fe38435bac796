#include "composition/hybrid_test/model_hash.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include "composition/numerical/damping_factory.h"
#include "core/base/setting_error.h"

namespace trestle::composition {
namespace {

namespace fs = std::filesystem;

class ModelHash : public ::testing::Test {
 protected:
  ModelHash() {
    std::string folder = (fs::temp_directory_path() / "model_hash_XXXXXX").string();
    folder_ = mkdtemp(folder.data());
    write("record.csv", "0,0.1\n0.01,0.2\n");
    write("mass.csv", "1000\n");
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
        "test: 'frame' time_step: 0.01 seed: 3 duration: 5 "
        "excitation {scale: 2 moving_loads {force: 10 speed: 5 path: ['a', 'b']}}"
        "numerical {matrices {dofs: 'a.x' mass {} stiffness {rows {values: 1e6}}}"
        "           integrator {operator_splitting {alpha: -0.1}}}"
        "sites {name: 'west' interface: 'a.x' rig {specimen {springs {laws {linear {"
        "  stiffness: 5e5}}}}} limits {actuators {rate: 0.2}}}"
        "deadlines {step: 10}",
        &test_));
    test_.mutable_excitation()->set_record(path("record.csv"));
    test_.mutable_numerical()->mutable_matrices()->mutable_mass()->set_file(
        path("mass.csv"));
  }
  ~ModelHash() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }

  fs::path folder_;
  config::Test test_;
};

TEST_F(ModelHash, ChangesWithEveryPartOfTheNumericalSide) {
  const std::vector<std::function<void(config::Test&)>> changes = {
      [](config::Test& t) { t.set_time_step(0.02); },
      [](config::Test& t) { t.set_seed(4); },
      [](config::Test& t) { t.set_duration(6.0); },
      [](config::Test& t) { t.clear_duration(); },
      [](config::Test& t) { t.set_undivided(true); },
      [](config::Test& t) { t.mutable_reference()->mutable_undivided(); },
      [](config::Test& t) { t.mutable_excitation()->set_scale(2.0000000000000004); },
      [](config::Test& t) {
        t.mutable_excitation()->mutable_moving_loads(0)->set_force(11.0);
      },
      [](config::Test& t) {
        t.mutable_numerical()
            ->mutable_matrices()
            ->mutable_stiffness()
            ->mutable_rows(0)
            ->set_values(0, 1.1e6);
      },
      [](config::Test& t) {
        t.mutable_numerical()
            ->mutable_integrator()
            ->mutable_operator_splitting()
            ->set_alpha(-0.2);
      },
      [](config::Test& t) {
        t.mutable_numerical()->mutable_integrator()->mutable_explicit_newmark();
      },
      [](config::Test& t) { t.mutable_sites(0)->set_interface(0, "b.x"); },
      [](config::Test& t) { t.mutable_sites(0)->add_force_only("b.x"); },
      [](config::Test& t) { t.mutable_sites(0)->set_name("east"); },
      [](config::Test& t) { t.mutable_sites(0)->add_mass()->add_values(5.0); },
      [](config::Test& t) { t.mutable_sites(0)->add_damping()->add_values(5.0); },
      [](config::Test& t) { t.mutable_sites(0)->set_base(config::SPECIMEN_BASE_MOVES); },
      [](config::Test& t) {
        t.mutable_sites(0)->set_gravity(config::SPECIMEN_GRAVITY_APPLY);
      },
      [](config::Test& t) { t.mutable_sites(0)->set_support("west"); },
      [](config::Test& t) {
        t.mutable_sites(0)
            ->mutable_rig()
            ->mutable_specimen()
            ->mutable_springs()
            ->mutable_laws(0)
            ->mutable_linear()
            ->set_stiffness(6e5);
      },
  };
  const std::string before = model_hash(test_);
  EXPECT_EQ(before.size(), 64U);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    config::Test changed = test_;
    changes[i](changed);
    EXPECT_NE(model_hash(changed), before) << "change " << i;
  }
}

// How much of a specimen's inertia and viscosity is measured is a matter of the mode.
TEST_F(ModelHash, ChangesWithTheModeWhereASpecimenHasRates) {
  test_.mutable_sites(0)->mutable_rig()->mutable_specimen()->mutable_springs()->add_damping(
      10.0);
  const std::string before = model_hash(test_);
  config::Test changed = test_;
  changed.set_mode(config::PSEUDO_DYNAMIC);
  EXPECT_NE(model_hash(changed), before);
  changed.set_mode(config::CONTINUOUS);
  const std::string continuous = model_hash(changed);
  changed.mutable_continuous()->set_scale(4.0);
  EXPECT_NE(model_hash(changed), continuous);
}

TEST_F(ModelHash, ChangesWithOneSampleOfTheRecord) {
  const std::string before = model_hash(test_);
  write("record.csv", "0,0.1\n0.01,0.3\n");
  EXPECT_NE(model_hash(test_), before);
}

TEST_F(ModelHash, ChangesWithOneNumberOfAMatrixFile) {
  const std::string before = model_hash(test_);
  write("mass.csv", "1001\n");
  EXPECT_NE(model_hash(test_), before);
}

TEST_F(ModelHash, IsTheSameWhereverTheRecordLies) {
  const std::string before = model_hash(test_);
  fs::copy_file(path("record.csv"), path("other.csv"));
  test_.mutable_excitation()->set_record(path("other.csv"));
  EXPECT_EQ(model_hash(test_), before);
}

TEST_F(ModelHash, StaysWhereAnythingElseChanges) {
  const std::vector<std::function<void(config::Test&)>> changes = {
      [](config::Test& t) { t.set_test("another name"); },
      [](config::Test& t) { t.set_mode(config::PSEUDO_DYNAMIC); },
      [](config::Test& t) { t.mutable_deadlines()->set_step(20.0); },
      [](config::Test& t) { t.mutable_deadlines()->set_hold(20.0); },
      [](config::Test& t) { t.set_listen("tcp://*:7000"); },
      [](config::Test& t) { t.mutable_recording()->set_ticks(7); },
      [](config::Test& t) { t.mutable_sites(0)->set_address("tcp://lab:7001"); },
      [](config::Test& t) { t.mutable_sites(0)->mutable_compensator()->mutable_ats(); },
      [](config::Test& t) {
        t.mutable_sites(0)->mutable_limits()->mutable_actuators(0)->set_rate(0.1);
      },
      [](config::Test& t) { t.mutable_arming()->set_allow_unstable(true); },
  };
  const std::string before = model_hash(test_);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    config::Test changed = test_;
    changes[i](changed);
    EXPECT_EQ(model_hash(changed), before) << "change " << i;
  }
}

TEST_F(ModelHash, TakesAKeywordForNoFile) {
  test_.mutable_excitation()->set_record("synthetic");
  EXPECT_EQ(model_hash(test_).size(), 64U);
}

TEST_F(ModelHash, SaysWhichFileIsGone) {
  fs::remove(path("record.csv"));
  try {
    model_hash(test_);
    FAIL() << "not refused";
  } catch (const SettingError& error) {
    EXPECT_EQ(std::string(error.what()), "excitation.record: " + path("record.csv") +
                                             " cannot be read: there is no such file");
  }
}

}  // namespace
}  // namespace trestle::composition
