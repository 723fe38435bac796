#include "composition/numerical/hinge_law.h"

#include <cmath>

#include "numerical/structure/frame_numbering.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {

config::RestoringForceLaw law_of_hinge(const config::RestoringForceLaw& given,
                                       const structure::FrameModel& model, int member,
                                       int rotation) {
  config::RestoringForceLaw law = given;
  const structure::FrameMember& part = model.members[structure::place(member)];
  // What is missing is told where it is read.
  if (part.section < 0 || part.from < 0 || part.to < 0) return law;
  const structure::FrameSection& section = model.sections[structure::place(part.section)];
  const auto [start, end] = structure::member_ends(model, part);
  constexpr double kRigid = 1e3;
  constexpr int kAboutY = 1;
  const double bending =
      rotation == kAboutY ? section.second_moment_y : section.second_moment;
  const double stiffness =
      kRigid * 6.0 * section.elastic_modulus * bending / (end - start).norm();
  if (law.has_bilinear() && std::isinf(law.bilinear().stiffness()))
    law.mutable_bilinear()->set_stiffness(stiffness);
  if (law.has_bouc_wen() && std::isinf(law.bouc_wen().stiffness()))
    law.mutable_bouc_wen()->set_stiffness(stiffness);
  return law;
}

}  // namespace trestle::composition
