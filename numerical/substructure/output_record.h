#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/types/record.h"
#include "numerical/substructure/hinge_record.h"
#include "numerical/substructure/link_record.h"
#include "numerical/substructure/member_force_record.h"
#include "numerical/substructure/section_record.h"
#include "numerical/substructure/step_view.h"
#include "numerical/substructure/storey_record.h"
#include "numerical/substructure/support_record.h"

namespace trestle::substructure {

/// What is recorded of a frame beside its motions.
struct OutputSettings {
  std::vector<std::string> members{};  ///< whose end forces and hinges are recorded
  std::vector<std::string> links{};
  std::vector<StoreyDirection> storeys{};
  SupportRecord::Settings supports{};
  std::vector<std::string> sections{};  ///< members of fibres
  std::int64_t stride = 1;              ///< recorded at the steps that it divides, > 0
};

/// Forces and deformations of members, hinges, links, storeys, supports and sections, as
/// the record of steps gives them, in this order. At steps that the stride does not divide
/// all of them are NaN.
class OutputRecord {
 public:
  OutputRecord() = default;
  OutputRecord(const OutputSettings& settings, const structure::StructuralModel& structure,
               const excitation::Excitation& excitation, const SiteEquations& sites);

  const Channels& channels() const noexcept { return channels_; }
  /// It needs the forces of springs at the end of a step.
  bool needs_springs() const noexcept {
    return !hinges_.empty() || !links_.empty() || !supports_.empty();
  }
  /// It needs the number of the step: the loads are those of it.
  bool needs_step() const noexcept {
    return stride_ > 1 || !members_.empty() || !links_.empty() || !storeys_.empty() ||
           !supports_.empty();
  }
  /// Of sections that soften, whether they are recorded or not.
  const ModelNotices& notices() const noexcept { return sections_; }

  /// Does not allocate.
  /// @pre row.size() == channels().size()
  void write(const StepView& step, std::span<double> row) const noexcept;

 private:
  MemberForceRecord members_;
  HingeRecord hinges_;
  LinkRecord links_;
  StoreyRecord storeys_;
  SupportRecord supports_;
  SectionRecord sections_;
  std::int64_t stride_ = 1;
  Channels channels_;
};

}  // namespace trestle::substructure
