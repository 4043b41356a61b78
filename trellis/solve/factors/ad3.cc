#include "trellis/solve/factors/ad3.h"

#include "trellis/solve/factors/ad3_solver.h"

namespace trellis {

Ad3::Ad3() : solver_(std::make_unique<Solver>()) {}
Ad3::~Ad3() = default;
Ad3::Ad3(Ad3&&) noexcept = default;
Ad3& Ad3::operator=(Ad3&&) noexcept = default;

Ad3Result Ad3::solve(const FactorGraphLayout& graph, std::span<const double> s,
                     const Ad3Options& options, std::span<double> z) {
  begin(graph, s);
  const Ad3Result result = run(options);
  if (result.integral) {
    graph.indicator(assignment(), z);
  } else {
    write(z);
  }
  return result;
}

std::span<const std::uint32_t> Ad3::assignment() const {
  return solver_->assignment();
}

void Ad3::begin(const FactorGraphLayout& graph, std::span<const double> s) {
  solver_->begin(graph, s);
}

void Ad3::fix(Index state, bool on) {
  solver_->fix(state, on);
}

void Ad3::release(Index state) {
  solver_->release(state);
}

void Ad3::require(const Literal& literal) {
  solver_->require(literal);
}

bool Ad3::is_fixed(Index state) const {
  return solver_->is_fixed(state);
}

Ad3Result Ad3::run(const Ad3Options& options) {
  return solver_->run(options, -kInfinity, 0, nullptr);
}

Ad3Result Ad3::run(const Ad3Options& options, double least, double tolerance,
                   std::vector<Literal>& implied) {
  return solver_->run(options, least, tolerance, &implied);
}

std::span<const double> Ad3::point() const {
  return solver_->point();
}

void Ad3::write(std::span<double> z) const {
  solver_->write(z);
}

}  // namespace trellis
