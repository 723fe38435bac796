#pragma once

#include <string>
#include <string_view>

namespace trestle::bus {

/// Keys of CURVE (Curve25519) in files: one line that says what it is, one line of Z85.
/// `NAME.key` (mode 0600) holds the secret half, which is never printed; `NAME.pub` holds
/// the public half.

/// 40 characters of Z85 that stand for 32 bytes.
bool is_curve_key(std::string_view text) noexcept;

/// @pre is_curve_key(secret)
std::string public_key_of(const std::string& secret);

/// Makes a pair and writes both files; never over one that exists.
/// @returns the public key
/// @throws std::runtime_error: which file, why, and what to do
std::string make_key_files(const std::string& name, const std::string& folder);

/// @returns the secret key in the file
/// @throws std::runtime_error if it cannot be read, is not a plain file of this user,
///         may be read by others, or holds no key: which file, why, and what to do
std::string read_secret_key(const std::string& path);

}  // namespace trestle::bus
