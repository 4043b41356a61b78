// ψ(x) = d/dx log Γ(x) for x > 0, with the same bits on every machine: the recurrence
// ψ(x) = ψ(x + 1) − 1/x up to 6, and the asymptotic series from there on (Abramowitz & Stegun 1964,
// 6.3.5 and 6.3.18), to a relative error of 1e-13 or so.
#pragma once

namespace trellis {

double digamma(double x);

}  // namespace trellis
