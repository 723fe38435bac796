#include "bench/whole_test/measured_test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "bench/whole_test/cpu_time.h"
#include "composition/sites/compensator_factory.h"
#include "composition/sites/controller_factory.h"
#include "core/journal/journal_recorder.h"
#include "core/journal/null_recorder.h"
#include "core/yaml/yaml_writer.h"
#include "observe/report/run_summary.h"
#include "site-servers/node/control_loop.h"

namespace trestle::bench {
namespace {

constexpr std::size_t kRingRows = 8192;  // as `trestle run` has them
constexpr Duration kLongestJournalWait = std::chrono::milliseconds(500);

void require(bool good, const char* what) {
  if (!good) throw std::runtime_error(what);
}

void require_complete(composition::HybridTestNodes& lab) {
  require(lab.integrator().steps_done() == lab.integrator().report().steps_planned,
          "the test did not come to its end");
}

/// Takes the ticks' rows as a journal without a writer would.
struct Nowhere final : RowSink {
  bool push(const RecordRow& /*row*/) noexcept override { return true; }
};

}  // namespace

MeasuredTest::MeasuredTest(std::string file, const std::vector<std::string>& overrides)
    : file_(std::move(file)), overrides_(yaml::parse_command_line_overrides(overrides)) {
  const std::unique_ptr<composition::HybridTestSetup> setup = set_up();
  require(setup->sites_here.size() == 1, "the test must have one site, and here");
  setup->sites_here[0].recorder = std::make_unique<journal::NullRecorder>();
  journal::NullRecorder recorder;
  OverheardSubstructure overheard(*setup->substructure, talk_);
  composition::HybridTestNodes lab(setup->integrator, overheard, recorder.recording(),
                                   std::move(setup->sites_here), {});
  lab.run([] { return true; });
  require_complete(lab);
}

TestTimes MeasuredTest::measure(const std::string& folder) const {
  TestTimes times;
  times.numerics = time_numerics();
  times.site = time_site();
  times.lab = time_lab();
  time_command(folder, times);
  return times;
}

std::unique_ptr<composition::HybridTestSetup> MeasuredTest::set_up() const {
  auto setup = composition::load_hybrid_test(file_, overrides_, "bench");
  setup->integrator.session.fill(0x5a);
  return setup;
}

double MeasuredTest::time_numerics() const {
  const std::unique_ptr<composition::HybridTestSetup> setup = set_up();
  NumericalSubstructure& substructure = *setup->substructure;
  std::array<SiteTarget, 1> requests;
  std::array<SiteResponse, 1> answers;
  talk_.read(0, requests[0].target);
  talk_.read(kInitialStep, answers[0]);
  std::vector<double> row(substructure.channels().size());
  substructure.prepare();
  bool finite = substructure.correct(kInitialStep, answers);
  const Times took = time_of([&] {
    for (std::int64_t step = 0; step < steps(); ++step) {
      talk_.read(step, answers[0]);
      substructure.predict(step, requests);
      finite &= substructure.correct(step, answers);
      substructure.record(row);
    }
  });
  InterfaceMotion last;
  talk_.read(steps() - 1, last);
  require(finite && requests[0].target.displacement == last.displacement,
          "the numerical part alone does not do what it does in the test");
  return took.thread;
}

double MeasuredTest::time_site() const {
  const std::unique_ptr<composition::HybridTestSetup> setup = set_up();
  const integrator_node::SiteSpecification& agreed = setup->integrator.sites[0];
  const composition::LocalSite& here = setup->sites_here[0];
  const LoadingFrame& frame = *here.settings.loading_frame;
  const double tick = setup->integrator.time_step / agreed.ticks_per_step;
  here.rig->prepare({tick, setup->integrator.seed});
  Nowhere nowhere;
  site_node::ControlLoop loop(
      {.layout = agreed.layout,
       .time_step = setup->integrator.time_step,
       .ticks_per_step = agreed.ticks_per_step,
       .limits = agreed.limits,
       .record_every = here.settings.ticks.every},
      frame,
      {composition::make_compensator(std::string_view(agreed.compensator),
                                     frame.actuators(), tick, "compensator"),
       composition::make_controller(std::string_view(agreed.controller), frame.actuators(),
                                    tick, "controller")},
      *here.rig, &nowhere);
  StepCommand command;
  StepResponse response;
  loop.sense(TimePoint{});
  std::int64_t ticks = 0;
  const Times took = time_of([&] {
    for (std::int64_t step = 0; step < steps(); ++step) {
      command.step = step;
      talk_.read(step, command.target);
      loop.accept(command);
      while (loop.step_open()) {
        loop.act();
        ++ticks;
        loop.sense(
            TimePoint{Duration{std::llround(static_cast<double>(ticks) * tick * 1e9)}});
      }
      loop.answer(response);
    }
  });
  SiteResponse last;
  talk_.read(steps() - 1, last);
  require(!loop.fault() && response.measured == last.measured,
          "the site alone does not do what it does in the test");
  return took.thread;
}

double MeasuredTest::time_lab() const {
  const std::unique_ptr<composition::HybridTestSetup> setup = set_up();
  setup->sites_here[0].recorder = std::make_unique<journal::NullRecorder>();
  journal::NullRecorder recorder;
  composition::HybridTestNodes lab(setup->integrator, *setup->substructure,
                                   recorder.recording(), std::move(setup->sites_here), {});
  const Times took = time_of([&] { lab.run([] { return true; }); });
  require_complete(lab);
  return took.thread;
}

void MeasuredTest::time_command(const std::string& folder, TestTimes& times) const {
  std::filesystem::create_directory(folder);
  const Times all = time_of([&] {
    std::unique_ptr<composition::HybridTestSetup> setup;
    times.set_up = time_of([&] { setup = set_up(); }).thread;
    times.papers = time_of([&] {
                     std::ofstream(folder + "/effective.yaml")
                         << yaml::write_yaml(setup->test);
                   }).thread;
    const auto journal = [&](const std::string& name, const std::string& node) {
      return std::make_unique<journal::JournalRecorder>(
          journal::JournalRecorder::Settings{.folder = folder,
                                             .name = name,
                                             .node = node,
                                             .ring_rows = kRingRows,
                                             .max_pages = 0,
                                             .facts = {}});
    };
    const std::unique_ptr<Recorder> recorder = journal("journal", "integrator");
    composition::LocalSite& site = setup->sites_here[0];
    site.recorder = journal(site.settings.name, site.settings.name);
    const std::array<Recorder*, 2> recorders{recorder.get(), site.recorder.get()};
    composition::HybridTestNodes lab(setup->integrator, *setup->substructure,
                                     recorder->recording(), std::move(setup->sites_here),
                                     {});
    times.recorded = time_of([&] {
                       lab.run([&] {
                         for (Recorder* each : recorders)
                           each->wait_for_space(kLongestJournalWait);
                         return true;
                       });
                     }).thread;
    evaluation::RunReport report;
    times.criteria = time_of([&] { report = lab.integrator().report(); }).thread;
    require(report.result == evaluation::RunResult::kComplete,
            "the test did not come to its end");
    times.papers += time_of([&] {
                      std::ofstream(folder + "/summary.json") << report::summary_json(
                          report, {.test = setup->test.test(),
                                   .mode = name(setup->integrator.mode),
                                   .folder = folder,
                                   .session = {},
                                   .software = "bench",
                                   .time_step = setup->integrator.time_step});
                    }).thread;
  });
  times.command = all.process;
  times.wall = all.wall;
  std::filesystem::remove_all(folder);
}

}  // namespace trestle::bench
