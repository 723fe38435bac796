#include "composition/numerical/frame_sections.h"

#include <utility>

#include "composition/numerical/fibre_factory.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {
namespace {

class SectionReader {
 public:
  SectionReader(const structure::FrameModel& model, SettingErrorCollector& problems)
      : model_(model), problems_(problems) {}

  structure::FrameSection elastic(const config::Section& section, const std::string& here) {
    require_given(section.has_e(), here, "E");
    require_given(section.has_a(), here, "A");
    if (section.has_e()) check(here, [&] { require_above_zero(section.e(), "E"); });
    if (section.has_a()) check(here, [&] { require_above_zero(section.a(), "A"); });
    return model_.spatial ? spatial(section, here) : planar(section, here);
  }

  /// What fibres do not say of a spatial section.
  void add_torsion(const config::Section& section, const std::string& here,
                   structure::FrameSection& made) {
    for (const auto& [given, key] : {std::pair{section.has_iy(), "Iy"},
                                     {section.has_iz(), "Iz"},
                                     {section.has_torsion_inertia(), "torsion_inertia"}})
      if (given)
        problems_.add(here + "." + key,
                      "is of an elastic section; this one has fibres: leave one of them "
                      "out");
    for (const auto& [given, key] :
         {std::pair{section.has_g(), "G"}, {section.has_j(), "J"}})
      if (!given)
        problems_.add(here, std::string(key) +
                                " is missing; a spatial section of fibres must have it, "
                                "since its torsion is elastic");
    made.shear_modulus = section.g();
    made.torsion_constant = section.j();
    made.polar_moment = made.second_moment + made.second_moment_y;
  }

  void refuse_spatial_keys(const config::Section& section, const std::string& here) {
    for (const auto& [given, key] : {std::pair{section.has_iy(), "Iy"},
                                     {section.has_iz(), "Iz"},
                                     {section.has_j(), "J"},
                                     {section.has_g(), "G"},
                                     {section.has_torsion_inertia(), "torsion_inertia"}})
      if (given)
        problems_.add(here + "." + key,
                      "is of a spatial frame; this one is planar and has I alone");
  }

  /// Runs a check of one setting and keeps what it has to say.
  template <typename Check>
  void check(const std::string& path, Check check_setting) {
    try {
      check_setting();
    } catch (const SettingError& error) {
      problems_.add_below(path, error);
    }
  }

 private:
  void require_given(bool given, const std::string& here, const char* key) {
    if (!given)
      problems_.add(
          here, std::string(key) + " is missing; a section without fibres must have it");
  }

  structure::FrameSection planar(const config::Section& section, const std::string& here) {
    check(here, [&] { require_above_zero(section.i(), "I"); });
    refuse_spatial_keys(section, here);
    return {.elastic_modulus = section.e(),
            .area = section.a(),
            .second_moment = section.i(),
            .mass_per_length = section.mass_per_length()};
  }

  structure::FrameSection spatial(const config::Section& section, const std::string& here) {
    if (section.has_i())
      problems_.add(here + ".I",
                    "is of a planar frame; a spatial one has Iy, Iz and J in its place");
    if (section.has_torsion_inertia() &&
        model_.mass_matrix == structure::MassMatrixKind::kLumped)
      problems_.add(here + ".torsion_inertia",
                    "is of a consistent mass, and mass_matrix is lumped; leave it out");
    check(here, [&] { require_above_zero(section.iy(), "Iy"); });
    check(here, [&] { require_above_zero(section.iz(), "Iz"); });
    check(here, [&] { require_above_zero(section.j(), "J"); });
    constexpr double kUsualRatio = 2.6;  // E / G with Poisson's ratio 0.3
    return {.elastic_modulus = section.e(),
            .area = section.a(),
            .second_moment = section.iz(),
            .mass_per_length = section.mass_per_length(),
            .second_moment_y = section.iy(),
            .torsion_constant = section.j(),
            .shear_modulus = section.has_g() ? section.g() : section.e() / kUsualRatio,
            .polar_moment = section.torsion_inertia() == config::TORSION_INERTIA_J
                                ? section.j()
                                : section.iy() + section.iz()};
  }

  const structure::FrameModel& model_;
  SettingErrorCollector& problems_;
};

}  // namespace

std::vector<structure::FrameSection> read_frame_sections(const config::Frame& frame,
                                                         const structure::FrameModel& model,
                                                         const std::string& path,
                                                         NamePlaces& names,
                                                         SettingErrorCollector& problems) {
  std::vector<structure::FrameSection> sections;
  SectionReader reader(model, problems);
  FibreReader fibres(frame, model.spatial, path, problems);
  for (int i = 0; i < frame.sections_size(); ++i) {
    const config::Section& section = frame.sections(i);
    const std::string here = path + ".sections[" + std::to_string(i) + "]";
    if (!names.add(section.name()))
      problems.add(here, "section `" + section.name() + "` is defined twice");
    reader.check(
        here, [&] { require_at_least(section.mass_per_length(), 0.0, "mass_per_length"); });
    if (!section.has_fibres()) {
      sections.push_back(reader.elastic(section, here));
      continue;
    }
    sections.push_back(fibres.section(section, here));
    model.spatial ? reader.add_torsion(section, here, sections.back())
                  : reader.refuse_spatial_keys(section, here);
  }
  fibres.refuse_unused(path);
  return sections;
}

}  // namespace trestle::composition
