#pragma once

#include <Eigen/Core>

#include "studies/identification/identification_problem.h"
#include "studies/identification/parameter_estimate.h"

namespace trestle::identification {

/// The method that chooses λ.
enum class Regularisation {
  kGcv,     ///< generalised cross-validation (Golub, Heath and Wahba 1979)
  kLCurve,  ///< the corner of log ‖b − A x‖ against log ‖x‖ (Hansen 1992)
  kNone,    ///< λ = 0
};

struct TikhonovSettings {
  Regularisation regularisation = Regularisation::kGcv;
  int most_iterations = 60;
  double tolerance = 1e-5;  ///< of the largest relative change
};

/// A least squares problem in its singular vectors: what the choice of λ depends on.
struct TikhonovSpectrum {
  Eigen::ArrayXd s;        ///< singular values
  Eigen::ArrayXd beta;     ///< Uᵀ b; of several b the root of the sum of squares
  double unreached = 0.0;  ///< ‖b‖² beyond U
  double rows = 0.0;       ///< of A
};

/// Returns λ; 0 with Regularisation::kNone.
double chosen_lambda(const TikhonovSpectrum& spectrum, Regularisation regularisation);

/// x = V diag(s / (s² + λ²)) Uᵀ b, λ chosen by this call.
Eigen::VectorXd regularised_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                     Regularisation regularisation);

/// Multiplies the parameters by 1 + x of regularised_solution(), each by a factor from 1/3
/// to 3.
/// @param A  derivatives by the parameters' logarithms
/// @returns the largest relative change
double relative_step(Eigen::VectorXd& parameters, const Eigen::MatrixXd& A,
                     const Eigen::VectorXd& b, Regularisation regularisation);

/// The steps have carried a parameter a million times above or below its start, or to what
/// is no number: they do not come to an end.
/// @param start  > 0, as the parameters
bool has_run_away(const Eigen::VectorXd& parameters, const Eigen::VectorXd& start);

/// Gauss and Newton's method on relative parameters with Tikhonov's regularisation; no step
/// changes a parameter by more than a factor of 3. The road must be known.
ParameterEstimate tikhonov_gauss_newton(const IdentificationProblem& problem,
                                        const TikhonovSettings& settings);

}  // namespace trestle::identification
