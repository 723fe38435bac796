// A step of the numerical part beside a bare Newmark step with the same factor,
// interleaved, on one CPU; the median of each over several rounds, and their ratio.
//
//   numerical_step_bench [--json]

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "numerical/integration/constant_average_acceleration.h"
#include "numerical/integration/effective_solver.h"
#include "numerical/integration/explicit_newmark.h"
#include "numerical/structure/frame_assembly.h"
#include "numerical/substructure/structural_substructure.h"

namespace trestle {
namespace {

constexpr double kTimeStep =
    1e-5;  // [s]; stable for the explicit scheme, time is not asked
constexpr int kRounds = 7;

/// Nodes on a grid of storeys by bays, three DOFs each.
structure::StructuralModel regular_frame(int storeys, int bays) {
  structure::FrameModel model;
  model.sections.push_back({210e9, 1e-2, 1e-4, 0.0});
  for (int floor = 0; floor <= storeys; ++floor)
    for (int line = 0; line <= bays; ++line) {
      structure::FrameNode node;
      node.name = "n" + std::to_string(floor) + "_" + std::to_string(line);
      node.x = 6.0 * line;
      node.y = 3.0 * floor;
      if (floor == 0) node.fixed = {true, true, true};
      model.nodes.push_back(node);
      const int here = static_cast<int>(model.nodes.size()) - 1;
      if (floor == 0) continue;
      model.members.push_back({.from = here - bays - 1, .to = here});
      if (line > 0) model.members.push_back({.from = here - 1, .to = here});
      model.masses.push_back({.node = here, .mass = 5000.0, .rotational_inertia = 500.0});
    }
  structure::StructuralModel structure = structure::assemble(std::move(model));
  structure.damping = 0.5 * structure.mass;
  structure.experimental_mass.resize(structure.equations, structure.equations);
  structure.experimental_damping = structure.experimental_mass;
  structure.experimental_stiffness = structure.experimental_mass;
  return structure;
}

/// Newmark's step and nothing else, with the factor of the house.
class BareNewmark {
 public:
  BareNewmark(const structure::StructuralModel& structure, double beta)
      : beta_(beta),
        stiffness_(structure.stiffness),
        damping_(structure.damping.diagonal()),
        base_(structure.base_load.col(0)),
        solver_(structure.mass + 0.5 * kTimeStep * structure.damping +
                    beta * kTimeStep * kTimeStep * structure.stiffness,
                {}, 0.0),
        d_(Eigen::VectorXd::Zero(structure.equations)),
        v_(d_),
        a_(d_) {}

  void step(double ground) {
    const double dt = kTimeStep;
    d_ += dt * v_ + (0.5 - beta_) * dt * dt * a_;
    v_ += 0.5 * dt * a_;
    a_ = ground * base_ - damping_.cwiseProduct(v_);
    a_.noalias() -= stiffness_ * d_;
    solver_.solve(a_);
    if (beta_ > 0.0) d_ += beta_ * dt * dt * a_;
    v_ += 0.5 * dt * a_;
  }

 private:
  double beta_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> stiffness_;
  Eigen::VectorXd damping_;
  Eigen::VectorXd base_;
  integration::EffectiveSolver solver_;
  Eigen::VectorXd d_, v_, a_;
};

template <typename Step>
double microseconds(int repeats, Step step) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) step(i);
  const std::chrono::duration<double, std::micro> took =
      std::chrono::steady_clock::now() - begin;
  return took.count() / repeats;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void compare(int storeys, int bays, bool implicit, bool json) {
  structure::StructuralModel structure = regular_frame(storeys, bays);
  const int equations = structure.equations;
  BareNewmark bare(structure, implicit ? 0.25 : 0.0);
  std::unique_ptr<integration::TimeIntegrator> integrator;
  if (implicit)
    integrator =
        std::make_unique<integration::ConstantAverageAcceleration>(structure, kTimeStep);
  else
    integrator = std::make_unique<integration::ExplicitNewmark>(structure, kTimeStep);
  const int repeats = std::max(20, 400'000 / equations);
  std::vector<double> ground(static_cast<std::size_t>(repeats) + 1, 1.0);
  excitation::Excitation excitation(kTimeStep, repeats, structure.base_load.col(0), ground,
                                    {});
  const int last = equations - 3;
  substructure::StructuralSubstructure product({.structure = std::move(structure),
                                                .integrator = std::move(integrator),
                                                .excitation = std::move(excitation),
                                                .interfaces = {{{last}, {last}}},
                                                .undivided = {},
                                                .recorded = {},
                                                .time_step = kTimeStep});
  std::vector<SiteTarget> requests(1);
  requests[0].target = InterfaceMotion::zero(1);
  std::vector<SiteResponse> answers(1);
  answers[0] = {InterfaceVector::Zero(1), InterfaceVector::Zero(1)};

  std::vector<double> floor_times;
  std::vector<double> product_times;
  for (int round = 0; round < kRounds; ++round) {
    floor_times.push_back(microseconds(repeats, [&](int) { bare.step(1.0); }));
    product_times.push_back(microseconds(repeats, [&](int k) {
      product.predict(k + 1, requests);
      product.correct(k + 1, answers);
    }));
  }
  const double floor = median(floor_times);
  const double ours = median(product_times);
  const char* form =
      json ? "{\"dofs\": %d, \"scheme\": \"%s\", \"bare_us\": %.3f, \"step_us\": %.3f, "
             "\"ratio\": %.3f, \"placement\": \"one CPU\", \"rounds\": %d}\n"
           : "%8d  %-9s %12.2f %12.2f %8.2f   one CPU, %d rounds\n";
  std::printf(form, equations, implicit ? "implicit" : "explicit", floor, ours,
              ours / floor, kRounds);
  std::fflush(stdout);
}

}  // namespace
}  // namespace trestle

int main(int count, char** arguments) {
  const bool json = count > 1 && std::strcmp(arguments[1], "--json") == 0;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  sched_setaffinity(0, sizeof one, &one);
  if (!json) std::printf("    DOFs  scheme         bare µs      step µs    ratio\n");
  for (const auto& [storeys, bays] :
       {std::pair{11, 2}, std::pair{30, 10}, std::pair{98, 33}, std::pair{334, 49}})
    for (const bool implicit : {true, false})
      trestle::compare(storeys, bays, implicit, json);
  return 0;
}
