// The fingerprint by which a page's content security policy knows the one script that may run
// (CSP level 2, section 4.2.5): SHA-256 (FIPS 180-4) in base64 (RFC 4648).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace trellis::report {

std::array<std::uint8_t, 32> sha256(std::string_view bytes);
std::string base64(std::span<const std::uint8_t> bytes);

// 'sha256-…', as a policy names it.
std::string script_source(std::string_view script);

}  // namespace trellis::report
