#include "studies/campaign/campaign.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>

#include "numerical/substructure/substructure_with_reference.h"
#include "studies/campaign/campaign_tables.h"
#include "studies/campaign/in_memory_run.h"
#include "studies/campaign/recalled_reference.h"
#include "studies/campaign/run_failure.h"
#include "studies/campaign/shared_reference.h"
#include "tests/studies/campaign/small_study.h"

namespace trestle::campaign {
namespace {

using testing::kSmallTest;
using testing::SmallStudy;

const std::string kSweptFrequency =
    "  frequency:\n"
    "    paths: ['sites.lab.rig.actuators[0].frequency']\n"
    "    factor: {kind: normal, sd: 10 %}\n";

/// Runs a small study, as often as one likes.
class SmallCampaign {
 public:
  explicit SmallCampaign(const SmallStudy& study)
      : study_(study), file_(study.read()), plan(study_plan(file_)) {
    study.write("effective.yaml", file_.test);
  }

  bool run(
      int jobs, const std::string& store_name,
      const std::function<bool(const CampaignProgress&)>& between = [](const auto&) {
        return true;
      }) {
    CampaignStore store(study_.file(store_name), study_identity(file_, "test"));
    Campaign campaign(plan, study_.file("effective.yaml"), "test", store);
    const bool complete = campaign.run({.jobs = jobs}, between);
    record = store.read(plan.runs);
    return complete;
  }
  std::string json() const { return campaign_json(plan, record, {}); }

 private:
  const SmallStudy& study_;
  StudyFile file_;

 public:
  StudyPlan plan;
  CampaignRecord record;
};

bool same_bits(const CampaignRecord& one, const CampaignRecord& other) {
  const auto same = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  };
  return one.names == other.names &&
         std::equal(one.runs.begin(), one.runs.end(), other.runs.begin(), other.runs.end(),
                    [&](const StoredRun& a, const StoredRun& b) {
                      return a.run == b.run && a.outcome == b.outcome &&
                             a.reason == b.reason &&
                             std::equal(a.values.begin(), a.values.end(), b.values.begin(),
                                        b.values.end(), same);
                    });
}

/// While it lives no file grows, as on a full disk.
class FullDisk {
 public:
  FullDisk() : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none{0, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*signal_)(int);
  rlimit before_{};
};

TEST(Campaign, FailsAndIsNotRefusedWhereItsDiskIsFull) {
  const SmallStudy study(kSweptFrequency, "runs: 6\n");
  SmallCampaign campaign(study);
  std::string sentence;
  {
    std::optional<FullDisk> full;
    try {
      campaign.run(1, "full.db", [&](const CampaignProgress& progress) {
        if (progress.done > 0 && !full) full.emplace();
        return true;
      });
    } catch (const RunFailure& failure) {
      sentence = failure.what();
    }
    EXPECT_TRUE(full);
  }
  EXPECT_NE(sentence.find("full.db"), std::string::npos) << sentence;
  EXPECT_TRUE(campaign.run(1, "full.db")) << "it continues where there is space again";
  EXPECT_EQ(campaign.record.runs.size(), 7u);
}

TEST(Campaign, GivesTheSameBitsOnOneThreadAndOnFour) {
  const SmallStudy study(kSweptFrequency, "runs: 12\n");
  SmallCampaign campaign(study);
  ASSERT_TRUE(campaign.run(1, "one.db"));
  const CampaignRecord one = campaign.record;
  EXPECT_EQ(one.runs.size(), 13u);
  ASSERT_TRUE(campaign.run(4, "four.db"));
  EXPECT_TRUE(same_bits(one, campaign.record));
}

TEST(Campaign, GoesOnAfterAnInterruptionWithoutRepeatingARun) {
  const SmallStudy study(kSweptFrequency, "runs: 12\n");
  SmallCampaign campaign(study);
  ASSERT_TRUE(campaign.run(1, "whole.db"));
  const CampaignRecord whole = campaign.record;
  EXPECT_FALSE(campaign.run(2, "parts.db",
                            [](const CampaignProgress& now) { return now.done_now < 4; }));
  const std::size_t kept = campaign.record.runs.size();
  // The nominal one and at least four; then at most what waits and what two threads hold:
  // 1 + 3 + 2, and twice 2 behind the end.
  EXPECT_GE(kept, 5u);
  EXPECT_LE(kept, 10u);
  std::int64_t done_now = 0;
  EXPECT_TRUE(campaign.run(2, "parts.db", [&](const CampaignProgress& now) {
    done_now = now.done_now;
    return true;
  }));
  EXPECT_EQ(done_now, 13 - static_cast<std::int64_t>(kept));
  EXPECT_TRUE(same_bits(whole, campaign.record));
}

TEST(Campaign, RunsEachDrawAsTheProgramWouldRunItsOverrides) {
  const SmallStudy study(kSweptFrequency, "runs: 2\n");
  SmallCampaign campaign(study);
  ASSERT_TRUE(campaign.run(2, "c.db"));
  const auto setup = composition::load_hybrid_test(
      study.file("effective.yaml"),
      yaml::parse_command_line_overrides(drawn_overrides(campaign.plan, 2)), "test");
  const InMemoryRun alone = run_in_memory(*setup, {});
  EXPECT_TRUE(alone.stable);
  for (const NamedResult& result : alone.results) {
    const auto at =
        std::find(campaign.record.names.begin(), campaign.record.names.end(), result.name) -
        campaign.record.names.begin();
    EXPECT_EQ(campaign.record.runs[2].values[static_cast<std::size_t>(at)], result.value)
        << result.name;
  }
}

/// Compares the draws of a campaign with the same draws in separate runs.
void expect_runs_as_alone(const SmallStudy& study) {
  SmallCampaign campaign(study);
  ASSERT_TRUE(campaign.run(2, "c.db"));
  for (std::int64_t run = 0; run <= campaign.plan.runs; ++run) {
    const auto setup = composition::load_hybrid_test(
        study.file("effective.yaml"),
        yaml::parse_command_line_overrides(drawn_overrides(campaign.plan, run)), "test");
    const InMemoryRun alone = run_in_memory(*setup, {});
    ASSERT_NE(find_result(alone.results, "criteria.J8[0]"), nullptr);
    for (const NamedResult& result : alone.results) {
      const auto at = std::find(campaign.record.names.begin(), campaign.record.names.end(),
                                result.name) -
                      campaign.record.names.begin();
      EXPECT_EQ(campaign.record.runs[static_cast<std::size_t>(run)]
                    .values[static_cast<std::size_t>(at)],
                result.value)
          << run << " " << result.name;
    }
  }
}

std::string with_reference(const std::string& reference) {
  return kSmallTest + ("reference: " + reference + "\ncriteria: {responses: [top.x]}\n");
}

TEST(Campaign, ComparesEachDrawWithTheReferenceThatItsOwnTestHas) {
  const std::string stiffer =
      "{kind: numerical, shear_building: {storeys: {ground: {mass: 20 t, stiffness: 20 "
      "kN/mm}, "
      "top: {mass: 15 t, stiffness: 20 kN/mm}}}}";
  const std::string specimen =
      "  k: {paths: ['sites.lab.rig.specimen.stiffness[0]'], factor: {kind: uniform, low: "
      "0.8, high: 1.2}}\n";
  // The first draw leaves the own structure unchanged, the others change the reference.
  expect_runs_as_alone(SmallStudy(specimen, "runs: 2\n", with_reference(stiffer)));
  expect_runs_as_alone(SmallStudy(specimen, "runs: 2\n", with_reference("undivided")));
  expect_runs_as_alone(SmallStudy(
      "  a: {paths: [excitation.scale], value: {kind: uniform, low: 0.5, high: 1}}\n",
      "runs: 2\n", with_reference(stiffer)));
}

/// Whether the reference of a test computes its steps, or reads what another run computed.
bool recalls(const composition::HybridTestSetup& setup) {
  const auto& both =
      dynamic_cast<const substructure::SubstructureWithReference&>(*setup.substructure);
  return dynamic_cast<const RecalledReference*>(&both.reference()) != nullptr;
}

TEST(SharedReference, IsComputedOnceWhereNoDrawMovesIt) {
  const SmallStudy study(
      "  k: {paths: [sites.lab.compensator.delay], value: {kind: uniform, low: 0 ms, high: "
      "1 ms}}\n",
      "runs: 2\n", with_reference("undivided"));
  study.write(
      "own.yaml",
      with_reference("{kind: numerical, shear_building: {storeys: {ground: {mass: 20 t, "
                     "stiffness: 20 kN/mm}, top: {mass: 15 t, stiffness: 20 kN/mm}}}}"));
  const auto served = [&](SharedReference& shared, const std::string& override_text) {
    auto setup = composition::load_hybrid_test(
        study.file("own.yaml"), yaml::parse_command_line_overrides({override_text}),
        "test");
    shared.serve(*setup);
    return setup;
  };
  SharedReference shared;
  auto abandoned = served(shared, "seed=3");
  auto first = served(shared, "seed=3");
  EXPECT_FALSE(recalls(*first));
  run_in_memory(*first, {});
  EXPECT_TRUE(recalls(*served(shared, "sites.lab.compensator.delay=3 ms")));
  EXPECT_FALSE(recalls(*served(shared, "seed=4")));
  EXPECT_FALSE(recalls(*served(shared, "duration=0.4 s")));
  EXPECT_FALSE(recalls(*served(shared, "excitation.scale=0.5")));
}

/// As some publications do it: the runaways are averaged with the others.
TEST(Campaign, AveragesUnstableRunsBesideWhereItIsAskedTo) {
  std::string test = kSmallTest;
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"duration: 0.5 s", "duration: 2 s"},
           {"{kind: polynomial, delay: 8 ms}", "none"},
           {"{kind: first-order, frequency: 20 Hz}", "{kind: delay, delay: 1 ms}"}})
    test.replace(test.find(from), from.size(), to);
  const std::string delay =
      "  delay: {paths: ['sites.lab.rig.actuators[0].delay'], "
      "value: {kind: uniform, low: 0 ms, high: 40 ms}}\n";
  const SmallStudy apart(delay, "runs: 12\n", test);
  SmallCampaign counted(apart);
  ASSERT_TRUE(counted.run(2, "c.db"));
  const SmallStudy together(delay, "runs: 12\nunstable: include\n", test);
  SmallCampaign averaged(together);
  ASSERT_TRUE(averaged.run(2, "c.db"));
  const auto one = nlohmann::json::parse(counted.json());
  const auto both = nlohmann::json::parse(averaged.json());
  EXPECT_GT(both.at("unstable").get<int>(), 0);
  const std::string name = "sites.lab.tracking[0].nrmse";
  for (const char* same : {"stable", "unstable"}) EXPECT_EQ(one.at(same), both.at(same));
  for (const char* same : {"count", "mean", "sd", "p50", "max"})
    EXPECT_EQ(one.at("results").at(name).at(same), both.at("results").at(name).at(same));
  EXPECT_FALSE(one.at("results").at(name).contains("with_unstable"));
  const exports::NumberTable table = campaign_table(averaged.plan, averaged.record, {});
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].name == "steps_done") {
      for (const double steps : table.values[i])
        EXPECT_EQ(steps, one.at("results").at("steps_done").at("mean").get<double>());
    }
    if (table.columns[i].name != name) continue;
    for (const double value : table.values[i]) {
      sum += value;
      ++count;
    }
  }
  const auto& with = both.at("results").at(name).at("with_unstable");
  EXPECT_EQ(count, 12U);
  EXPECT_EQ(with.at("count"), 12);
  EXPECT_NEAR(with.at("mean").get<double>(), sum / 12.0, 1e-12 * sum);
  EXPECT_GT(with.at("sd").get<double>(),
            both.at("results").at(name).at("sd").get<double>());
  for (const auto& run : both.at("not_stable"))
    EXPECT_NE(run.at("reason").get<std::string>().find("counts as unstable"),
              std::string::npos);
}

// A limit must not cut off what is to be averaged; the run counts as unstable all the same.
TEST(Campaign, AveragesWhatRunsGrowToBeyondALimitOfTheirTest) {
  std::string test = kSmallTest;
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"duration: 0.5 s", "duration: 2 s"},
           {"{kind: polynomial, delay: 8 ms}", "none"},
           {"{kind: first-order, frequency: 20 Hz}", "{kind: delay, delay: 1 ms}"}})
    test.replace(test.find(from), from.size(), to);
  std::string limited = test;
  const std::string rig = "    rig:\n";
  limited.replace(limited.find(rig), rig.size(),
                  "    limits: {actuators: [{displacement: 40 mm}]}\n" + rig);
  const std::string delay =
      "  delay: {paths: ['sites.lab.rig.actuators[0].delay'], "
      "value: {kind: uniform, low: 0 ms, high: 40 ms}}\n";
  const std::string head = "runs: 12\nunstable: include\n";
  const SmallStudy free_study(delay, head, test);
  SmallCampaign free(free_study);
  ASSERT_TRUE(free.run(2, "c.db"));
  const SmallStudy limited_study(delay, head, limited);
  SmallCampaign ended(limited_study);
  ASSERT_TRUE(ended.run(2, "c.db"));
  const auto one = nlohmann::json::parse(free.json());
  const auto other = nlohmann::json::parse(ended.json());
  EXPECT_GT(other.at("unstable").get<int>(), one.at("unstable").get<int>());
  for (const auto& run : other.at("not_stable"))
    EXPECT_NE(run.at("reason").get<std::string>().find("above its limit 40 mm"),
              std::string::npos)
        << run;
  for (const char* name : {"sites.lab.tracking[0].nrmse", "steps_done"})
    EXPECT_EQ(other.at("results").at(name).at("with_unstable"),
              one.at("results").at(name).at("with_unstable"))
        << name;
}

TEST(Campaign, EndsUnstableRunsEarlyAndCountsButNeverAveragesThem) {
  // The delay is not compensated and acts as negative damping of ω delay/2 (Horiuchi et al.
  // 1999): a third of critical at 30 ms. No limit of the test ends it.
  std::string test = kSmallTest;
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"duration: 0.5 s", "duration: 2 s"},
           {"{kind: polynomial, delay: 8 ms}", "none"},
           {"{kind: first-order, frequency: 20 Hz}", "{kind: delay, delay: 1 ms}"}})
    test.replace(test.find(from), from.size(), to);
  const SmallStudy study(
      "  delay: {paths: ['sites.lab.rig.actuators[0].delay'], "
      "value: {kind: uniform, low: 0 ms, high: 40 ms}}\n",
      "runs: 12\n", test);
  SmallCampaign campaign(study);
  ASSERT_TRUE(campaign.run(2, "c.db"));
  const auto json = nlohmann::json::parse(campaign.json());
  const int unstable = json.at("unstable").get<int>();
  EXPECT_GT(unstable, 0);
  EXPECT_GT(json.at("stable").get<int>(), 0);
  EXPECT_EQ(json.at("stable").get<int>() + unstable, 12);
  EXPECT_EQ(json.at("results").at("steps_done").at("count"), json.at("stable"));
  EXPECT_EQ(json.at("results").at("steps_done").at("sd"), 0.0);
  const exports::NumberTable table = campaign_table(campaign.plan, campaign.record, {});
  const auto column = [&](const std::string& name) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (table.columns[i].name == name) return table.values[i];
    return std::vector<double>{};
  };
  const std::vector<double> stable = column("stable");
  const std::vector<double> steps = column("steps_done");
  const std::vector<double> nrmse = column("sites.lab.tracking[0].nrmse");
  for (std::size_t i = 0; i < stable.size(); ++i) {
    EXPECT_EQ(std::isnan(nrmse[i]), stable[i] == 0.0);
    if (stable[i] == 0.0) {
      EXPECT_LT(steps[i], 1000.0);
      EXPECT_NE(table.texts[1].second[i].find("counts as unstable"), std::string::npos)
          << table.texts[1].second[i];
    }
  }
}

TEST(Campaign, SaysWhereWhatIsDrawnHasNoEffect) {
  // Only the excitation of this test is random; it has a separate seed here.
  const SmallStudy study(
      "  seed: {paths: seed, value: {kind: uniform, low: 1, high: 900}}\n",
      "runs: 3\nset: [excitation.synthetic.seed=5]\n");
  SmallCampaign idle(study);
  ASSERT_TRUE(idle.run(2, "c.db"));
  EXPECT_TRUE(nlohmann::json::parse(idle.json()).at("all_alike"));
  EXPECT_NE(campaign_text(idle.plan, idle.record, {}).find("has no effect on this test"),
            std::string::npos);
  const SmallStudy other(kSweptFrequency, "runs: 3\n");
  SmallCampaign busy(other);
  ASSERT_TRUE(busy.run(2, "c.db"));
  EXPECT_FALSE(nlohmann::json::parse(busy.json()).at("all_alike"));
}

TEST(Campaign, CountsDrawsThatMakeNoTestByThemselves) {
  const SmallStudy study(
      "  frequency:\n"
      "    paths: ['sites.lab.rig.actuators[0].frequency']\n"
      "    factor: {kind: uniform, low: -1, high: 3}\n",
      "runs: 12\n");
  SmallCampaign campaign(study);
  ASSERT_TRUE(campaign.run(2, "c.db"));
  const auto json = nlohmann::json::parse(campaign.json());
  EXPECT_GT(json.at("impossible").get<int>(), 0);
  EXPECT_NE(campaign_text(campaign.plan, campaign.record, {}).find("must be positive"),
            std::string::npos);
}

}  // namespace
}  // namespace trestle::campaign
