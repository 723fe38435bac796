#include "composition/numerical/fibre_factory.h"

#include <cstddef>
#include <utility>

#include "core/base/setting_error.h"
#include "numerical/materials/bilinear_law.h"
#include "numerical/materials/concrete_law.h"
#include "numerical/materials/menegotto_pinto_law.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {
namespace {

using Law = std::unique_ptr<materials::RestoringForce>;

Law uniaxial_law(const config::UniaxialMaterial& given) {
  switch (given.kind_case()) {
    case config::UniaxialMaterial::kSteel:
      return std::make_unique<materials::BilinearLaw>(
          materials::BilinearLawSettings{.stiffness = given.steel().e(),
                                         .yield_force = given.steel().fy(),
                                         .hardening = given.steel().b()});
    case config::UniaxialMaterial::kMenegottoPinto: {
      const config::MenegottoPintoMaterial& steel = given.menegotto_pinto();
      materials::MenegottoPintoLawSettings settings{
          .stiffness = steel.e(), .yield_force = steel.fy(), .hardening = steel.b()};
      if (steel.has_r0()) settings.sharpness = steel.r0();
      if (steel.has_c1()) settings.loss = steel.c1();
      if (steel.has_c2()) settings.spread = steel.c2();
      return std::make_unique<materials::MenegottoPintoLaw>(settings);
    }
    case config::UniaxialMaterial::kConcrete:
      return std::make_unique<materials::ConcreteLaw>(materials::ConcreteLawSettings{
          .strength = given.concrete().fc(),
          .strain = given.concrete().strain(),
          .residual = given.concrete().fu(),
          .ultimate_strain = given.concrete().ultimate_strain()});
    case config::UniaxialMaterial::KIND_NOT_SET:
      break;
  }
  throw SettingError("", "no kind given; write kind: steel, menegotto-pinto or concrete");
}

struct LayeredRectangle {
  double b;
  double h;
  double y = 0.0;  // of its centre
  double z = 0.0;
  int layers;
  int columns = 1;
};

void add_layers(const LayeredRectangle& shape, int material,
                structure::FibreSection& section) {
  for (int i = 0; i < shape.layers; ++i)
    for (int j = 0; j < shape.columns; ++j)
      section.fibres.push_back({.y = shape.y + shape.h * ((i + 0.5) / shape.layers - 0.5),
                                .z = shape.z + shape.b * ((j + 0.5) / shape.columns - 0.5),
                                .area = shape.b * shape.h / shape.layers / shape.columns,
                                .material = material});
}

void add_i_section(const config::FibreISection& shape, int columns, int material,
                   structure::FibreSection& section) {
  const int of_flange =
      shape.has_flange_layers() ? static_cast<int>(shape.flange_layers()) : 2;
  const double at = 0.5 * (shape.h() - shape.flange());
  add_layers({.b = shape.b(),
              .h = shape.flange(),
              .y = -at,
              .layers = of_flange,
              .columns = columns},
             material, section);
  add_layers({.b = shape.web(),
              .h = shape.h() - 2.0 * shape.flange(),
              .layers = shape.has_layers() ? static_cast<int>(shape.layers()) : 8},
             material, section);
  add_layers({.b = shape.b(),
              .h = shape.flange(),
              .y = at,
              .layers = of_flange,
              .columns = columns},
             material, section);
}

/// The outermost fibres of a shape, whose fibres are the last of the section.
void name_outermost(const std::string& name, std::size_t first,
                    structure::FibreSection& section) {
  if (name.empty()) return;
  section.named.push_back({name + ".low", first});
  section.named.push_back({name + ".high", section.fibres.size() - 1});
}

}  // namespace

FibreReader::FibreReader(const config::Frame& frame, bool spatial, const std::string& path,
                         SettingErrorCollector& problems)
    : problems_(problems), spatial_(spatial) {
  for (int i = 0; i < frame.materials_size(); ++i) {
    const config::UniaxialMaterial& given = frame.materials(i);
    const std::string here = path + ".materials[" + std::to_string(i) + "]";
    if (!names_.add(given.name()))
      problems_.add(here, "material `" + given.name() + "` is defined twice");
    moduli_.push_back(0.0);
    try {
      moduli_.back() = uniaxial_law(given)->initial_stiffness();
    } catch (const SettingError& error) {
      problems_.add_below(here, error);
    }
    laws_.emplace_back([given] { return uniaxial_law(given); });
    used_.push_back(false);
  }
}

int FibreReader::material(const std::string& name, const std::string& path) {
  const int found = names_.find(name, path + ".material", problems_);
  if (found >= 0) used_[static_cast<std::size_t>(found)] = true;
  return found;
}

void FibreReader::refuse_in_plane(bool given, const std::string& path) {
  if (given && !spatial_) problems_.add(path, "is of a spatial frame; this one is planar");
}

int FibreReader::columns(bool given, std::uint32_t count) const noexcept {
  constexpr int kUsual = 8;
  if (!spatial_) return 1;
  return given ? static_cast<int>(count) : kUsual;
}

void FibreReader::add_shape(const config::FibreShape& shape, const std::string& path,
                            structure::FibreSection& section) {
  const std::size_t first = section.fibres.size();
  if (shape.has_rectangle()) {
    const config::FibreRectangle& given = shape.rectangle();
    refuse_in_plane(given.has_z(), path + ".rectangle.z");
    refuse_in_plane(given.has_columns(), path + ".rectangle.columns");
    add_layers({.b = given.b(),
                .h = given.h(),
                .y = given.y(),
                .z = given.z(),
                .layers = given.has_layers() ? static_cast<int>(given.layers()) : 16,
                .columns = columns(given.has_columns(), given.columns())},
               material(given.material(), path + ".rectangle"), section);
    name_outermost(given.name(), first, section);
  } else if (shape.has_i_section()) {
    const config::FibreISection& given = shape.i_section();
    refuse_in_plane(given.has_flange_columns(), path + ".i_section.flange_columns");
    if (2.0 * given.flange() >= given.h() || given.web() > given.b())
      problems_.add(path + ".i_section",
                    "has flanges of more than its height, or a web of more than its "
                    "width; h is the whole height, flange and web are thicknesses");
    add_i_section(given, columns(given.has_flange_columns(), given.flange_columns()),
                  material(given.material(), path + ".i_section"), section);
    name_outermost(given.name(), first, section);
  } else {
    problems_.add(path, "no kind given; write kind: rectangle or i-section");
  }
}

structure::FrameSection FibreReader::section(const config::Section& given,
                                             const std::string& path) {
  for (const auto& [has, key] :
       {std::pair{given.has_e(), "E"}, {given.has_a(), "A"}, {given.has_i(), "I"}})
    if (has)
      problems_.add(path + "." + key,
                    "is of an elastic section; this one has fibres: leave one of them out");
  auto section = std::make_shared<structure::FibreSection>();
  for (int i = 0; i < given.fibres().shapes_size(); ++i)
    add_shape(given.fibres().shapes(i), path + ".fibres.shapes[" + std::to_string(i) + "]",
              *section);
  for (int i = 0; i < given.fibres().bars_size(); ++i) {
    const config::FibreBar& bar = given.fibres().bars(i);
    refuse_in_plane(bar.has_z(), path + ".fibres.bars[" + std::to_string(i) + "].z");
    const double count = bar.has_count() ? static_cast<double>(bar.count()) : 1.0;
    section->fibres.push_back(
        {.y = bar.y(),
         .z = bar.z(),
         .area = count * bar.area(),
         .material =
             material(bar.material(), path + ".fibres.bars[" + std::to_string(i) + "]")});
    if (!bar.name().empty())
      section->named.push_back({bar.name(), section->fibres.size() - 1});
  }
  if (section->fibres.empty())
    problems_.add(path + ".fibres", "has neither shapes nor bars; give at least one");
  for (std::size_t i = 0; i < section->named.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (section->named[i].name == section->named[j].name)
        problems_.add(path + ".fibres", "two fibres are called `" + section->named[i].name +
                                            "`; give each its own name");
  section->materials = laws_;
  structure::FrameSection made{.elastic_modulus = 1.0,
                               .mass_per_length = given.mass_per_length()};
  for (const structure::Fibre& fibre : section->fibres) {
    if (fibre.material < 0) continue;
    const double EA = fibre.area * moduli_[static_cast<std::size_t>(fibre.material)];
    made.area += EA;
    made.second_moment += EA * fibre.y * fibre.y;
    made.second_moment_y += EA * fibre.z * fibre.z;
  }
  if (spatial_) refuse_line(*section, made, path);
  made.fibres = std::move(section);
  return made;
}

void FibreReader::refuse_line(const structure::FibreSection& section,
                              const structure::FrameSection& made,
                              const std::string& path) {
  double Ey = 0.0;
  double Ez = 0.0;
  double Eyz = 0.0;
  for (const structure::Fibre& fibre : section.fibres) {
    if (fibre.material < 0) continue;
    const double EA = fibre.area * moduli_[static_cast<std::size_t>(fibre.material)];
    Ey += EA * fibre.y;
    Ez += EA * fibre.z;
    Eyz += EA * fibre.y * fibre.z;
  }
  if (!(made.area > 0.0)) return;  // told already
  // About the centroid.
  const double yy = made.second_moment - Ey * Ey / made.area;
  const double zz = made.second_moment_y - Ez * Ez / made.area;
  const double yz = Eyz - Ey * Ez / made.area;
  constexpr double kThin = 1e-9;
  if (yy * zz - yz * yz > kThin * (yy + zz) * (yy + zz)) return;
  problems_.add(path + ".fibres",
                "lie on a line, which they cannot be bent about; give shapes more columns "
                "or layers, or bars beside it");
}

void FibreReader::refuse_unused(const std::string& path) {
  for (std::size_t i = 0; i < used_.size(); ++i)
    if (!used_[i])
      problems_.add(path + ".materials[" + std::to_string(i) + "]",
                    "no section has fibres of it; leave it out");
}

void prepare_fibre_members(const config::Frame& frame, structure::FrameModel& model,
                           const std::string& path, SettingErrorCollector& problems) {
  const auto of_fibres = [&model](int section) {
    return section >= 0 && model.sections[structure::place(section)].fibres != nullptr;
  };
  for (structure::FrameMember& member : model.members) {
    if (!of_fibres(member.section)) continue;
    if (member.hinge_from) member.released[0][2] = true;
    if (member.hinge_to) member.released[1][2] = true;
  }
  std::size_t at = 0;
  for (int i = 0; i < frame.members_size(); ++i) {
    const config::Member& member = frame.members(i);
    // Inner parts follow the first one.
    const int parts = member.parts() > 1 ? static_cast<int>(member.parts()) : 1;
    if (at >= model.members.size()) return;
    if (member.has_points() && !of_fibres(model.members[at].section))
      problems.add(path + ".members[" + std::to_string(i) + "].points",
                   "are of a member whose section has fibres; this one is elastic");
    at += static_cast<std::size_t>(parts);
  }
}

}  // namespace trestle::composition
