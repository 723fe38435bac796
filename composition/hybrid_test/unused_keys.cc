#include "composition/hybrid_test/unused_keys.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "core/base/setting_checks.h"

namespace trestle::composition {
namespace {

using Problems = std::vector<SettingIssue>;

/// A field that was written, and why nothing reads it there, as the rest of a sentence.
void refuse(bool written, const std::string& path, const std::string& why,
            Problems& problems) {
  if (written) problems.push_back({path, path.substr(path.rfind('.') + 1) + " " + why});
}

void in_excitation(const config::Test& test, Problems& problems) {
  const config::Excitation& it = test.excitation();
  const std::string path = "excitation.";
  const config::Numerical& numerical = test.numerical();
  const bool bond_graph = numerical.has_bond_graph();
  const bool none = it.record() == "none" || (it.record().empty() && !it.has_synthetic());
  if (numerical.has_bridge() || bond_graph) {
    const std::string why =
        bond_graph ? "has no effect on a bond graph, which its `sources` move; "
                     "leave it out"
                   : "has no effect on a bridge, which its vehicles move; "
                     "leave it out";
    refuse(bond_graph && !none, path + "record", why, problems);
    refuse(it.has_scale(), path + "scale", why, problems);
    refuse(it.has_unit(), path + "unit", why, problems);
    refuse(it.direction() != config::X, path + "direction", why, problems);
    refuse(it.has_synthetic(), path + "synthetic", why, problems);
    refuse(bond_graph && it.moving_loads_size() > 0, path + "moving_loads", why, problems);
    refuse(!bond_graph && it.sources_size() > 0, path + "sources", why, problems);
    refuse(it.motions_size() > 0, path + "motions", why, problems);
    refuse(it.loads_size() > 0, path + "loads", why, problems);
    refuse(it.has_gravity(), path + "gravity", why, problems);
    refuse(it.has_initial(), path + "initial", why, problems);
    refuse(it.supports_size() > 0, path + "supports", why, problems);
    return;
  }
  const bool motions = it.motions_size() > 0 && it.record().empty() && !it.has_synthetic();
  if (motions || (it.supports_size() > 0 && none)) {
    const std::string own = "is of `record`; each of the " +
                            std::string(motions ? "motions" : "supports") +
                            " has its own: leave it out";
    refuse(it.has_scale(), path + "scale", own, problems);
    refuse(it.has_unit(), path + "unit", own, problems);
    refuse(it.direction() != config::X, path + "direction", own, problems);
  }
  refuse(it.sources_size() > 0, path + "sources",
         "are of a bond graph; this model has none: leave them out", problems);
  refuse(it.direction() != config::X && numerical.has_matrices() &&
             numerical.matrices().influence_size() > 0,
         path + "direction",
         "has no effect beside `influence`, which says what moves with the ground; leave "
         "one of them out",
         problems);
}

void in_track(const config::Track& track, const std::string& path, Problems& problems) {
  const std::string smooth = "is of the irregularities, and this track has none";
  refuse(track.has_smooth() && track.has_scale(), path + "scale", smooth, problems);
  refuse(track.has_smooth() && track.has_window(), path + "window", smooth, problems);
  const std::string given = "has no effect beside roughness; leave one of them out";
  refuse(
      track.german().has_roughness() && track.german().quality() != config::LOW_DISTURBANCE,
      path + "german.quality", given, problems);
  refuse(
      track.iso8608().has_roughness() && track.iso8608().class_() != config::ROAD_CLASS_A,
      path + "iso8608.class", given, problems);
}

void in_bridge(const config::Bridge& bridge, const std::string& path, Problems& problems) {
  in_track(bridge.track(), path + "track.", problems);
  refuse(bridge.damping().modal().has_modes(), path + "damping.modal.modes",
         "has no effect on a bridge, whose modes are all damped; leave it out", problems);
  for (int i = 0; i < bridge.vehicles_size(); ++i)
    refuse(bridge.vehicles(i).quarter_vehicle().accelerometer_noise() != 0.0,
           path + "vehicles[" + std::to_string(i) + "].quarter_vehicle.accelerometer_noise",
           "is of a specimen; this vehicle is computed: leave it out", problems);
}

/// @returns true if no section of the frame has a mass that a matrix could spread
bool is_massless(const config::Frame& frame) {
  return std::ranges::none_of(frame.sections(), [](const config::Section& section) {
    return section.mass_per_length() > 0.0;
  });
}

void in_numerical(const config::Test& test, Problems& problems) {
  const config::Frame& frame = test.numerical().frame();
  refuse(frame.mass_matrix() == config::CONSISTENT && is_massless(frame),
         "numerical.frame.mass_matrix",
         "spreads the mass_per_length of sections, and none has one; leave it out, or give "
         "the mass",
         problems);
  in_bridge(test.numerical().bridge(), "numerical.bridge.", problems);
  refuse(test.numerical().has_bond_graph() && test.numerical().has_integrator(),
         "numerical.integrator", "is not for a bond graph, which is stepped by itself",
         problems);
}

/// What is agreed with sites in other processes. A twin keeps it: its test is tried
/// here and run there. `clock_source` and `clock_bound` act in each rehearsal.
void in_session(const config::Test& test, Problems& problems) {
  const auto& sites = test.sites();
  const bool calls_in = std::ranges::any_of(
      sites, [](const config::Site& site) { return site.remote() || site.twin(); });
  const bool equipment = std::ranges::any_of(sites, [](const config::Site& site) {
    return site.remote() || !site.address().empty() || site.has_adapter() ||
           site.as_real_equipment();
  });
  refuse(!test.listen().empty() && !calls_in, "listen",
         "is where sites with `remote: true` call in, and no site has it; leave it out",
         problems);
  refuse(test.arming().words() > 1 && !equipment, "arming.words",
         "is of real equipment, which alone is armed, and every rig here is simulated; "
         "leave it out",
         problems);
}

void in_criteria(const config::Test& test, Problems& problems) {
  const double highest = 0.5 / command_step(test);
  const auto& frequencies = test.criteria().synchronisation().frequencies();
  for (int i = 0; i < frequencies.size(); ++i)
    refuse(frequencies[i] > highest,
           "criteria.synchronisation.frequencies[" + std::to_string(i) + "]",
           "is above half the rate of the time steps, " + in_words(highest) +
               " Hz, so no record holds it; must be at most that",
           problems);
}

/// Sections of the members whose sections are recorded.
std::set<std::string> recorded_sections(const config::Test& test) {
  const auto& wanted = test.recording().sections();
  const bool all = wanted.size() == 1 && wanted[0] == "all";
  std::set<std::string> found;
  for (const config::Member& member : test.numerical().frame().members()) {
    const std::string name =
        member.name().empty() ? member.from() + "-" + member.to() : member.name();
    if (all || std::find(wanted.begin(), wanted.end(), name) != wanted.end())
      found.insert(member.section());
  }
  // Columns c<storey>.<line> and beams b<storey>.<line> have a section each.
  const config::RegularFrame& regular = test.numerical().frame().regular();
  for (const std::string& name : wanted) {
    if (all || name.starts_with('c')) found.insert(regular.column());
    if (all || name.starts_with('b')) found.insert(regular.beam());
  }
  return found;
}

/// Names of fibres, which are those of records.
void in_fibres(const config::Frame& frame, const std::set<std::string>& recorded,
               const std::string& path, Problems& problems) {
  const std::string why =
      "is of the record, and recording.sections names no member with this section; "
      "name one there, or leave the name out";
  for (int i = 0; i < frame.sections_size(); ++i) {
    const config::Section& section = frame.sections(i);
    if (recorded.contains(section.name())) continue;
    const std::string here = path + "sections[" + std::to_string(i) + "].fibres.";
    for (int j = 0; j < section.fibres().bars_size(); ++j)
      refuse(!section.fibres().bars(j).name().empty(),
             here + "bars[" + std::to_string(j) + "].name", why, problems);
    for (int j = 0; j < section.fibres().shapes_size(); ++j) {
      const config::FibreShape& shape = section.fibres().shapes(j);
      const std::string at = here + "shapes[" + std::to_string(j) + "].";
      refuse(!shape.rectangle().name().empty(), at + "rectangle.name", why, problems);
      refuse(!shape.i_section().name().empty(), at + "i_section.name", why, problems);
    }
  }
}

void in_updating(const config::Test& test, Problems& problems) {
  refuse(test.updating_size() > 0 &&
             (test.numerical().has_bridge() || test.numerical().has_bond_graph()),
         "updating",
         "is of laws of a shear_building or of links of a frame, and this model has none; "
         "leave it out",
         problems);
}

void in_recording(const config::Test& test, Problems& problems) {
  const config::Recording& it = test.recording();
  const config::Numerical& numerical = test.numerical();
  const bool structure = numerical.has_frame() || numerical.has_shear_building() ||
                         numerical.has_beam() || numerical.has_matrices();
  const std::string why = "is of a structure that is integrated here; leave it out";
  refuse(it.energies() && !structure, "recording.energies", why, problems);
  refuse(it.members_size() > 0 && !numerical.has_frame(), "recording.members",
         "is of a frame, and this is none; leave it out", problems);
  const std::string of_frame = "is of a frame, and this is none; leave it out";
  refuse(it.reactions_size() > 0 && !numerical.has_frame(), "recording.reactions", of_frame,
         problems);
  refuse(it.storeys_size() > 0 && !numerical.has_frame(), "recording.storeys", of_frame,
         problems);
  refuse(it.links_size() > 0 && !numerical.has_frame(), "recording.links", of_frame,
         problems);
  refuse(it.sections_size() > 0 && !numerical.has_frame(), "recording.sections", of_frame,
         problems);
  in_fibres(numerical.frame(), recorded_sections(test), "numerical.frame.", problems);
  in_fibres(test.reference().numerical().frame(), {}, "reference.numerical.frame.",
            problems);
  refuse(
      it.reaction() != config::REACTION_PARTS_TOTAL && it.reactions_size() == 0 &&
          it.storeys_size() == 0,
      "recording.reaction",
      "is of `reactions` and `storeys`, and this test records none of them; leave it out",
      problems);
  refuse(it.has_stride() && it.members_size() + it.links_size() + it.storeys_size() +
                                    it.reactions_size() + it.sections_size() ==
                                0,
         "recording.stride",
         "is of `members`, `links`, `storeys`, `reactions` and `sections`, and this test "
         "records none of them; leave it out",
         problems);
  refuse(it.from_gravity() && !(structure && test.excitation().has_gravity()),
         "recording.from_gravity",
         "is of a test with excitation.gravity, and this one has none; leave it out",
         problems);
}

/// What belongs to a site in this process, written of one in another.
void of_a_site_elsewhere(const config::Site& site, const std::string& path,
                         Problems& problems) {
  const std::string own =
      "of a site in another process is what its own file says; leave it out";
  refuse(site.has_link(), path + "link",
         "is the network to a site in this process; to one in another it is as it is, or "
         "as `trestle link` makes it: leave it out",
         problems);
  refuse(site.has_control_thread(), path + "control_thread", own, problems);
  refuse(site.has_safe_action(), path + "safe_action", own, problems);
  refuse(site.has_start_checks(), path + "start_checks", own, problems);
  refuse(site.as_real_equipment(), path + "as_real_equipment", own, problems);
  refuse(site.has_adapter(), path + "adapter", own, problems);
  refuse(site.calibration_size() > 0, path + "calibration", own, problems);
  refuse(site.has_specimen(), path + "specimen", own, problems);
  refuse(site.interlocks_size() > 0, path + "interlocks", own, problems);
  refuse(site.outputs_size() > 0, path + "outputs", own, problems);
}

const char* const kNoContacts =
    "is of an adapter, whose equipment has contacts; this rig is simulated: leave it out";

void in_site(const config::Test& test, const config::Site& site, const std::string& path,
             Problems& problems) {
  const bool under_gravity = test.excitation().has_gravity();
  refuse(site.arming().without_hardware_watchdog(),
         path + "arming.without_hardware_watchdog",
         "of a site is for `trestle characterise`, which reads SITE.yaml; for a test write "
         "`arming: {without_hardware_watchdog: true}` at its top",
         problems);
  refuse(!site.support().empty() && test.excitation().supports().empty(), path + "support",
         "is of a test with excitation.supports, and this one has none; leave it out",
         problems);
  refuse(site.has_gravity() && !under_gravity, path + "gravity",
         "is of a test with excitation.gravity, and this one has none; leave it out",
         problems);
  if (!is_remote(site) && !site.has_adapter()) {
    refuse(site.interlocks_size() > 0, path + "interlocks", kNoContacts, problems);
    refuse(site.outputs_size() > 0, path + "outputs", kNoContacts, problems);
  }
  if (is_remote(site))
    of_a_site_elsewhere(site, path, problems);
  else if (!site.twin())
    refuse(!site.public_key().empty(), path + "public_key",
           "is of a site in another process; this one needs none", problems);
  refuse(site.secant_stiffness_size() > 0 && !site.rig().has_specimen(),
         path + "secant_stiffness",
         "is what the stability check assumes of the specimen; there is no rig here that "
         "says what it is",
         problems);
  if (site.has_rig()) refuse_unused_keys(site.rig(), path + "rig", problems);
}

/// Returns true for an actuator whose equations are integrated.
bool integrated(const config::ActuatorModel& actuator) {
  return actuator.kind_case() != config::ActuatorModel::KIND_NOT_SET &&
         !actuator.has_ideal() && !actuator.has_delay();
}

}  // namespace

void refuse_unused_keys(const config::Rig& rig, const std::string& path,
                        std::vector<SettingIssue>& problems) {
  if (!rig.transfer_systems().empty()) return;  // refused where they are made
  refuse(rig.has_substeps(), path + ".substeps",
         "is of transfer_systems; there are none: leave it out", problems);
  refuse(rig.has_shared(), path + ".shared",
         "is of transfer_systems; there are none: leave it out", problems);
  const bool any = rig.has_transfer_matrix() ||
                   std::any_of(rig.actuators().begin(), rig.actuators().end(), integrated);
  refuse(rig.integration() != config::ACTUATOR_INTEGRATION_EXACT && !any,
         path + ".integration",
         "is of actuators with equations; ideal ones and pure delays have none: leave it "
         "out",
         problems);
}

void refuse_unused_keys(const config::SiteFile& file, std::vector<SettingIssue>& problems) {
  refuse_unused_keys(file.rig(), "rig", problems);
  refuse(file.interlocks_size() > 0, "interlocks", kNoContacts, problems);
  refuse(file.outputs_size() > 0, "outputs", kNoContacts, problems);
  if (file.as_real_equipment()) return;
  const std::string why =
      "is of real equipment, and this rig is simulated; leave it out, or set "
      "as_real_equipment: true";
  refuse(file.hardware_watchdog(), "hardware_watchdog", why, problems);
  refuse(file.arming().without_hardware_watchdog(), "arming.without_hardware_watchdog", why,
         problems);
}

void refuse_unused_keys(const config::Test& test, std::vector<SettingIssue>& problems) {
  in_excitation(test, problems);
  in_numerical(test, problems);
  in_session(test, problems);
  in_criteria(test, problems);
  in_updating(test, problems);
  in_recording(test, problems);
  if (test.undivided()) return;
  const config::Preview& preview = test.numerical().bridge().preview();
  const bool previewed = test.numerical().bridge().has_preview() &&
                         (preview.enabled() || !preview.has_enabled());
  for (int i = 0; i < test.sites_size(); ++i) {
    const std::string path = "sites[" + std::to_string(i) + "].";
    in_site(test, test.sites(i), path, problems);
    refuse(
        previewed && test.sites(i).compensator().has_mpc(), path + "compensator.mpc",
        "compares what is measured with the target, from which a preview takes the known "
        "part; take another compensator, or leave numerical.bridge.preview out",
        problems);
  }
}

}  // namespace trestle::composition
