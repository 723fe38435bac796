#include "numerical/structure/member_laws.h"

#include <utility>

#include "numerical/structure/fibre_response.h"
#include "numerical/structure/planar_member_law.h"
#include "numerical/structure/spatial_fibre_response.h"
#include "numerical/structure/spatial_member_law.h"

namespace trestle::structure {
namespace {

std::unique_ptr<BasicResponse> planar_response(const FrameSection& section, double length,
                                               int points) {
  if (section.fibres)
    return std::make_unique<FibreResponse>(length, *section.fibres, points);
  return std::make_unique<ElasticBasicResponse>(
      length, section.elastic_modulus * section.area,
      section.elastic_modulus * section.second_moment);
}

std::unique_ptr<SpatialResponse> spatial_response(const FrameSection& section,
                                                  double length, int points) {
  const double torsion = section.shear_modulus * section.torsion_constant;
  if (section.fibres)
    return std::make_unique<SpatialFibreResponse>(length, *section.fibres, torsion, points);
  return std::make_unique<ElasticSpatialResponse>(
      length,
      SpatialRigidities{.axial = section.elastic_modulus * section.area,
                        .torsion = torsion,
                        .bending_y = section.elastic_modulus * section.second_moment_y,
                        .bending_z = section.elastic_modulus * section.second_moment});
}

}  // namespace

std::shared_ptr<MemberLaw> make_member_law(const FrameModel& model,
                                           const FrameMember& member, double length) {
  const FrameSection& section = model.sections[place(member.section)];
  const bool follows = model.corotational && !member.linear;
  if (!follows && !section.fibres) return nullptr;
  const ChordMotion chord = follows ? ChordMotion::kCorotational : ChordMotion::kSmall;
  if (model.spatial)
    return std::make_shared<SpatialMemberLaw>(
        length, chord, spatial_response(section, length, member.points));
  return std::make_shared<PlanarMemberLaw>(length, chord,
                                           planar_response(section, length, member.points));
}

}  // namespace trestle::structure
