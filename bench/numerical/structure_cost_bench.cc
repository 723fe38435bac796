// What yielding, second-order effects and a third dimension cost, each beside a floor that
// is run in turn with it, on one CPU; medians of several rounds, and their ratio.
//
//   structure_cost_bench [--json]
//
// Set-up is measured against the symbolic and numeric factorisation that it needs at
// least. Worst steps: a test is run several times, each of its steps keeps the least of
// its times, so that what the machine did besides is left out; the largest of these over
// their median is what the test itself brings about. p99 and p99.9 of all times are shown
// beside.

#include <cholmod.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "bench/numerical/bare_newmark.h"
#include "bench/numerical/bench_frames.h"
#include "bench/numerical/stepped_structure.h"
#include "bench/numerical/timing.h"
#include "numerical/integration/cholesky_factor.h"
#include "numerical/materials/bilinear_law.h"
#include "numerical/materials/linear_law.h"
#include "numerical/materials/menegotto_pinto_law.h"
#include "numerical/structure/geometric_stiffness.h"

namespace trestle::bench {
namespace {

constexpr double kTimeStep = 5e-3;  // [s]
using Scheme = SteppedStructure::Scheme;

/// What of it is printed.
struct Line {
  std::string what;
  std::string floor_is;
  double floor = 0.0;
  double ours = 0.0;
  const char* unit = "us";
  double aim = 0.0;      // of the ratio; 0: none
  double at_most = 0.0;  // aim of `ours` itself; 0: none
};

void print(const Line& line, bool json) {
  const double ratio = line.ours / line.floor;
  if (json) {
    std::printf(
        "{\"what\": \"%s\", \"floor_is\": \"%s\", \"floor_%s\": %.4g, \"product_%s\": "
        "%.4g, \"ratio\": %.3f, \"aim\": %.3g, \"at_most_%s\": %.3g, \"placement\": \"one "
        "CPU\", \"rounds\": %d}\n",
        line.what.c_str(), line.floor_is.c_str(), line.unit, line.floor, line.unit,
        line.ours, ratio, line.aim, line.unit, line.at_most, kRounds);
  } else {
    std::string aim = "-";
    char text[32];
    if (line.aim > 0.0) {
      std::snprintf(text, sizeof text, "%.3g", line.aim);
      aim = text;
    } else if (line.at_most > 0.0) {
      std::snprintf(text, sizeof text, "%.4g %s", line.at_most, line.unit);
      aim = text;
    }
    std::printf("%-44s %-26s %11.4g %11.4g %-3s %7.3f  %s\n", line.what.c_str(),
                line.floor_is.c_str(), line.floor, line.ours, line.unit, ratio,
                aim.c_str());
  }
  std::fflush(stdout);
}

/// Two structures step in turn.
void compare(SteppedStructure& floor, SteppedStructure& product, int repeats, Line line,
             bool json) {
  std::vector<double> floor_times;
  std::vector<double> product_times;
  for (int round = 0; round < kRounds; ++round) {
    floor.begin();
    floor_times.push_back(microseconds(repeats, [&](int k) { floor.step(k); }));
    product.begin();
    product_times.push_back(microseconds(repeats, [&](int k) { product.step(k); }));
  }
  line.floor = median(floor_times);
  line.ours = median(product_times);
  print(line, json);
}

structure::StructuralModel hinged(int storeys, int bays, int hinges) {
  structure::FrameModel model = planar_grid(storeys, bays);
  add_hinges(model, hinges);
  return assembled(std::move(model));
}

void hinges(bool json) {
  for (const auto& [storeys, bays] : {std::pair{30, 10}, std::pair{98, 33}})
    for (const int count : {8, 40}) {
      structure::StructuralModel yielding = hinged(storeys, bays, count);
      const int repeats = std::max(40, 400'000 / yielding.equations);
      Line line{.what = std::to_string(yielding.equations) + " DOFs, implicit, " +
                        std::to_string(count) + " hinges",
                .floor_is = "linear, same matrices",
                .aim = 2.3};
      SteppedStructure floor(linearised(hinged(storeys, bays, count)), Scheme::kAverage,
                             kTimeStep, repeats);
      SteppedStructure product(std::move(yielding), Scheme::kImplicit, kTimeStep, repeats);
      compare(floor, product, repeats, std::move(line), json);
    }
}

/// A whole step with its three commands, each a Newton step and one more at the end, beside
/// the step that iterates on the springs alone.
void commands(bool json) {
  for (const auto& [storeys, bays] : {std::pair{30, 10}, std::pair{98, 33}}) {
    structure::StructuralModel once = hinged(storeys, bays, 8);
    const int repeats = std::max(40, 400'000 / once.equations);
    Line line{.what = std::to_string(once.equations) + " DOFs, 8 hinges, each-iteration",
              .floor_is = "implicit, sites: once"};
    SteppedStructure floor(std::move(once), Scheme::kImplicit, kTimeStep, repeats);
    SteppedStructure product(hinged(storeys, bays, 8), Scheme::kEachIteration, kTimeStep,
                             repeats);
    compare(floor, product, repeats, std::move(line), json);
  }
}

void second_order(bool json) {
  const auto measure = [&](structure::FrameModel (*make)(), const char* shape) {
    structure::StructuralModel bent = assembled(make());
    const int repeats = std::max(20, 400'000 / bent.equations);
    Line line{.what = std::to_string(bent.equations) + " DOFs, p-delta, " + shape,
              .floor_is = "linear geometry",
              .aim = 1.0};
    SteppedStructure floor(assembled(make()), Scheme::kAverage, kTimeStep, repeats);
    add_geometric_stiffness(bent, std::vector<double>(bent.members.size(), -1e5),
                            structure::SecondOrderForm::kConsistent);
    SteppedStructure product(std::move(bent), Scheme::kAverage, kTimeStep, repeats);
    compare(floor, product, repeats, std::move(line), json);
  };
  measure([] { return planar_grid(98, 33); }, "planar");
  measure([] { return spatial_block(10, 10, 10); }, "spatial");
}

/// One evaluation along a path that yields, virtual call included [ns].
double law_time(materials::RestoringForce& law, const std::vector<double>& path) {
  double sum = 0.0;
  const double took = microseconds(20, [&](int) {
    for (const double at : path) {
      sum += law.trial(at, 0.0).force;
      law.commit();
    }
  });
  if (!std::isfinite(sum)) std::abort();
  return 1e3 * took / static_cast<double>(path.size());
}

void laws(bool json) {
  std::vector<double> path;
  for (int k = 0; k < 10'000; ++k)
    path.push_back(0.01 * std::sin(0.02 * k) * std::sin(0.0013 * k));
  materials::LinearLaw linear({.stiffness = 200e9});
  materials::BilinearLaw bilinear(
      {.stiffness = 200e9, .yield_force = 420e6, .hardening = 0.01});
  materials::MenegottoPintoLaw smooth(
      {.stiffness = 200e9, .yield_force = 420e6, .hardening = 0.01});
  const auto measure = [&](materials::RestoringForce& law, const char* name,
                           double at_most) {
    std::vector<double> floor_times;
    std::vector<double> law_times;
    for (int round = 0; round < kRounds; ++round) {
      floor_times.push_back(law_time(linear, path));
      law_times.push_back(law_time(law, path));
    }
    print({.what = std::string("law, one evaluation: ") + name,
           .floor_is = "linear law",
           .floor = median(floor_times),
           .ours = median(law_times),
           .unit = "ns",
           .at_most = at_most},
          json);
  };
  measure(bilinear, "bilinear", 25.0);
  measure(smooth, "menegotto-pinto", 150.0);
}

/// Entries of the factor of the matrix that is solved with, by the order of the house.
double factor_entries(const structure::StructuralModel& structure) {
  structure::SparseMatrix matrix = BareNewmark::effective(structure, kTimeStep, 0.25);
  matrix.makeCompressed();
  cholmod_common common{};
  cholmod_start(&common);
  common.supernodal = CHOLMOD_SIMPLICIAL;
  cholmod_sparse view{};
  view.nrow = view.ncol = static_cast<std::size_t>(matrix.rows());
  view.nzmax = static_cast<std::size_t>(matrix.nonZeros());
  view.p = matrix.outerIndexPtr();
  view.i = matrix.innerIndexPtr();
  view.x = matrix.valuePtr();
  view.stype = -1;
  view.itype = CHOLMOD_INT;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = view.packed = 1;
  cholmod_factor* factor = cholmod_analyze(&view, &common);
  const double entries = common.lnz;
  cholmod_free_factor(&factor, &common);
  cholmod_finish(&common);
  return entries;
}

/// A step of the linear implicit scheme over the entries of its factor, of a spatial block
/// beside a planar frame [ns].
void per_entry(bool json) {
  constexpr int kRepeats = 20;
  structure::StructuralModel planar = assembled(planar_grid(334, 49));
  structure::StructuralModel spatial = assembled(spatial_block(16, 20, 13));
  const double of_planar = factor_entries(planar);
  const double of_spatial = factor_entries(spatial);
  char what[96];
  std::snprintf(what, sizeof what, "%d DOFs, spatial, %.3gM entries: step/entry",
                spatial.equations, 1e-6 * of_spatial);
  char floor_is[64];
  std::snprintf(floor_is, sizeof floor_is, "planar %d, %.3gM", planar.equations,
                1e-6 * of_planar);
  SteppedStructure floor(std::move(planar), Scheme::kAverage, kTimeStep, kRepeats);
  SteppedStructure product(std::move(spatial), Scheme::kAverage, kTimeStep, kRepeats);
  std::vector<double> floor_times;
  std::vector<double> product_times;
  for (int round = 0; round < kRounds; ++round) {
    floor_times.push_back(1e3 * microseconds(kRepeats, [&](int k) { floor.step(k); }) /
                          of_planar);
    product_times.push_back(1e3 * microseconds(kRepeats, [&](int k) { product.step(k); }) /
                            of_spatial);
  }
  print({.what = what,
         .floor_is = floor_is,
         .floor = median(floor_times),
         .ours = median(product_times),
         .unit = "ns",
         .aim = 1.3},
        json);
}

/// From the frame's description to the first step, beside the factorisation alone.
void set_up(structure::FrameModel (*make)(), const char* shape, double at_most, bool json) {
  constexpr int kSetUps = 3;
  std::vector<double> floor_times;
  std::vector<double> product_times;
  int equations = 0;
  for (int round = 0; round < kSetUps; ++round) {
    const structure::StructuralModel structure = assembled(make());
    equations = structure.equations;
    const structure::SparseMatrix matrix =
        BareNewmark::effective(structure, kTimeStep, 0.25);
    floor_times.push_back(
        microseconds(1, [&](int) { const integration::CholeskyFactor factor(matrix); }) *
        1e-3);
    product_times.push_back(microseconds(1,
                                         [&](int) {
                                           SteppedStructure(assembled(make()),
                                                            Scheme::kAverage, kTimeStep, 2);
                                         }) *
                            1e-3);
  }
  print({.what = std::to_string(equations) + " DOFs, set-up, " + shape,
         .floor_is = "factorisation alone",
         .floor = median(floor_times),
         .ours = median(product_times),
         .unit = "ms",
         .at_most = at_most},
        json);
}

/// Times of the steps of several runs of the same test.
class StepTimes {
 public:
  explicit StepTimes(int steps) : least_(static_cast<std::size_t>(steps), 1e30) {}

  template <typename Step>
  void add(int k, Step step) {
    const auto begin = std::chrono::steady_clock::now();
    step(k);
    const std::chrono::duration<double, std::micro> took =
        std::chrono::steady_clock::now() - begin;
    double& least = least_[static_cast<std::size_t>(k)];
    least = std::min(least, took.count());
    all_.push_back(took.count());
  }

  double typical() const { return median(least_); }
  double worst() const { return *std::max_element(least_.begin(), least_.end()); }
  double quantile(double part) {
    std::sort(all_.begin(), all_.end());
    return all_[static_cast<std::size_t>(part * static_cast<double>(all_.size() - 1))];
  }

 private:
  std::vector<double> least_;  // one per step
  std::vector<double> all_;
};

/// The floor is a bare linear test of the same matrices.
void worst_step(const char* name, structure::StructuralModel yielding,
                const structure::StructuralModel& linear, bool json) {
  constexpr int kSteps = 2000;
  const int equations = yielding.equations;
  BareNewmark bare(linear, kTimeStep, 0.25);
  SteppedStructure product(std::move(yielding), Scheme::kImplicit, kTimeStep, kSteps);
  StepTimes floor(kSteps);
  StepTimes ours(kSteps);
  for (int round = 0; round < kRounds; ++round) {
    product.begin();
    for (int k = 0; k < kSteps; ++k) {
      floor.add(k, [&](int at) { bare.step(product.ground(at)); });
      ours.add(k, [&](int at) { product.step(at); });
    }
  }
  const std::string test = std::to_string(equations) + " DOFs, " + name;
  const auto show = [&](StepTimes& times, const std::string& whose, double aim) {
    const double middle = times.typical();
    print({.what = test + ": worst step",
           .floor_is = "median step, " + whose,
           .floor = middle,
           .ours = times.worst(),
           .aim = aim},
          json);
    print({.what = test + ": p99",
           .floor_is = "median step, " + whose,
           .floor = middle,
           .ours = times.quantile(0.99)},
          json);
    print({.what = test + ": p99.9",
           .floor_is = "median step, " + whose,
           .floor = middle,
           .ours = times.quantile(0.999)},
          json);
  };
  show(floor, "bare", 0.0);
  show(ours, "implicit", 1.3);
}

void worst_steps(bool json) {
  worst_step("40 hinges", hinged(30, 10, 40), linearised(hinged(30, 10, 40)), json);
  structure::FrameModel chords = planar_grid(11, 2);
  chords.corotational = true;
  worst_step("corotational", assembled(std::move(chords)), assembled(planar_grid(11, 2)),
             json);
}

}  // namespace
}  // namespace trestle::bench

int main(int count, char** arguments) {
  using namespace trestle::bench;
  const bool json = count > 1 && std::strcmp(arguments[1], "--json") == 0;
  stay_on_one_cpu();
  if (!json)
    std::printf("%-44s %-26s %11s %11s %-3s %7s  %s    (one CPU, %d rounds)\n", "", "floor",
                "floor", "product", "", "ratio", "aim", kRounds);
  hinges(json);
  commands(json);
  second_order(json);
  laws(json);
  per_entry(json);
  set_up([] { return planar_grid(334, 49); }, "planar", 1500.0, json);
  set_up([] { return spatial_block(16, 20, 13); }, "spatial", 0.0, json);
  worst_steps(json);
  return 0;
}
