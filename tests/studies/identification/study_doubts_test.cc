// Studies that search until they give up: ten seconds each, minutes under a sanitizer.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "studies/identification/identification_factory.h"
#include "studies/identification/identification_json.h"
#include "studies/identification/identification_text.h"

namespace trestle::identification {
namespace {

std::string example(const std::string& name) {
  return std::string(TRESTLE_SOURCE_DIR "/examples/identification/") + name;
}

// Noise that is 1.41 times what was stated: no right model leaves that, and so no bound
// holds.
TEST(IdentificationStudy, IsNotSureOfAnythingWhereTheResidualFailsItsTest) {
  IdentificationStudy study = read_identification(example("unknown_roughness.yaml"), {});
  study.problem.noise.level = *study.problem.noise.level / 1.41;
  const IdentificationResult result = identify(study);
  EXPECT_NEAR(result.misfit, 1.41, 0.05);
  EXPECT_LT(result.most_misfit, 1.05);
  EXPECT_FALSE(result.explained);
  for (const FoundParameter& parameter : result.parameters)
    EXPECT_FALSE(parameter.identifiable) << parameter.name;
  const std::string text = identification_text(study, result);
  EXPECT_NE(text.find("chi-square test of"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(identification_json(study, result));
  EXPECT_EQ(json.at("residual_test").at("significance"), 1e-3);
  EXPECT_FALSE(json.at("residual_test").at("passed").get<bool>());
  EXPECT_FALSE(json.at("road").at("identifiable").get<bool>());
}

TEST(IdentificationStudy, GivesUpAfterAFewLooks) {
  // The readings are of a bridge of four elements, which no road explains.
  const IdentificationResult result = identify(
      read_identification(example("unknown_roughness.yaml"), {"synthetic.elements=4"}));
  EXPECT_FALSE(result.explained);
  EXPECT_LE(result.iterations, 180);
}

}  // namespace
}  // namespace trestle::identification
