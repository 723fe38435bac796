#pragma once

#include <Eigen/Core>
#include <string>

#include "proto/config/matrix.pb.h"

namespace trestle::composition {

/// @throws SettingError if the rows differ in length
Eigen::MatrixXd make_matrix(const google::protobuf::RepeatedPtrField<config::Row>& rows,
                            const std::string& path);

/// A general matrix from its file (CSV without header), its rows, or its entries; a matrix
/// of entries has exactly these, and zeros elsewhere. All values are times its scale.
/// @param rows, columns  what the matrix must be; 0: whatever is given, up to the largest
///                       index of the entries
/// @throws SettingError for any other size, nothing or more than one of the three given, an
///         unreadable file, a number that is none
Eigen::MatrixXd make_matrix(const config::Matrix& matrix, Eigen::Index rows,
                            Eigen::Index columns, const std::string& path);

/// Makes the message one of rows, for ends that cannot read the file it came from.
void set_rows(config::Matrix& message, const Eigen::MatrixXd& matrix);

}  // namespace trestle::composition
