// Numbers as a reader wants them: the same text in every locale, a true minus sign, and a plain
// word where there is no number.
//
//   NaN → "–" (not known)      ±infinity → "∞", "−∞"      −0 → "0"
#pragma once

#include <string>

#include "trellis/base/types.h"

namespace trellis::report {

std::string format_count(Index n);                 // 211727 → "211 727" (narrow no-break spaces)
std::string format_fixed(double x, int decimals);  // 93.6149, 2 → "93.61"
std::string format_percent(double share);          // 0.936149 → "93.61"
std::string format_significant(double x,
                               int digits);  // 0.000123456, 3 → "0.000123"; 1.2e9 → "1.2e9"
// How many decimals show numbers of which `largest` is the largest in absolute value: 2, and more
// where that would leave less than three digits of it (0.0134 → 4).
int decimals_for(double largest);
std::string format_seconds(double seconds);  // "0.84 s", "78 s", "3 min 05 s", "2 h 10 min"

}  // namespace trellis::report
