#include "trellis/learn/saddle_point/euclidean_moves.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "trellis/base/random.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

EuclideanMoves::EuclideanMoves(const PartOracle& oracle)
    : oracle_(oracle), mixes_(oracle.num_examples()) {
  if (!oracle.nonnegative().empty()) measure_parts();
}

// m of all examples. Scores under random weights of one kind show which parts have features of that
// kind: sums of random numbers are 0 only if there are no terms.
void EuclideanMoves::measure_parts() {
  std::vector<double> held(oracle_.dimension(), 0.0), free(oracle_.dimension());
  Random random(0);
  for (double& weight : free) weight = 1 + random.uniform();
  for (const WeightRange& range : oracle_.nonnegative()) {
    for (Index j = range.begin; j < range.end; ++j) std::swap(held[j], free[j]);
  }
  const std::unique_ptr<Scratch> scratch = oracle_.make_scratch();
  std::vector<double> by_held, by_free;
  for (Index i = 0; i < oracle_.num_examples(); ++i) {
    const Index parts = oracle_.num_parts(i);
    by_held.resize(parts);
    by_free.resize(parts);
    oracle_.scores(i, held, *scratch, by_held);
    oracle_.scores(i, free, *scratch, by_free);
    std::vector<std::uint8_t>& measured = measured_.emplace_back(parts);
    for (Index p = 0; p < parts; ++p) measured[p] = by_held[p] == 0 && by_free[p] != 0 ? 1 : 0;
  }
}

void EuclideanMoves::begin(Index i, std::span<const double> y, std::span<const double> s,
                           Scratch& scratch) {
  Mix& mix = mixes_[i];
  mix.corners.resize(1);
  mix.weights.assign(1, 1.0);
  if (s.empty()) {
    mix.corners[0].assign_dense(y);
    return;
  }
  vertex_.resize(y.size());
  oracle_.maximize(i, s, scratch, vertex_);
  mix.corners[0].assign_dense(vertex_);
}

bool EuclideanMoves::draw_back(Index i, std::span<const double> y, double share) {
  Mix& mix = mixes_[i];
  for (double& weight : mix.weights) weight *= share;
  mix.corners.emplace_back().assign_dense(y);
  mix.weights.push_back(1 - share);
  return true;
}

std::span<const double> EuclideanMoves::point(Index i) {
  z_.assign(oracle_.num_parts(i), 0.0);
  const Mix& mix = mixes_[i];
  for (Index k = 0; k < mix.corners.size(); ++k) mix.corners[k].add_to(z_, mix.weights[k]);
  return z_;
}

// False where the corner lies in the affine hull of the others.
bool EuclideanMoves::join(Index i, const SparseVector& corner, Index place) {
  auto& fresh = active_.newcomer();
  fresh.vertex.point = corner;
  fresh.vertex.place = place;
  fresh.reward = corner.dot(goal_);
  dense_.assign(goal_.size(), 0.0);
  corner.add_to(dense_, 1);
  for (Index p = 0; p < dense_.size() && !measured_.empty(); ++p) {
    if (!measured(i, p)) dense_[p] = 0;
  }
  for (Index l = 0; l < active_.size(); ++l) {
    fresh.products[l] = 1 + active_[l].vertex.point.dot(dense_);
  }
  fresh.products[active_.size()] = 1 + corner.dot(dense_);
  if (!active_.factorize(active_.size())) return false;
  active_.grow();
  return true;
}

void EuclideanMoves::join_old(Index i) {
  const Mix& mix = mixes_[i];
  active_.clear();
  double sum = 0;
  for (Index k = 0; k < mix.corners.size(); ++k) {
    if (!join(i, mix.corners[k], k)) continue;
    sum += active_[active_.size() - 1].weight = mix.weights[k];
  }
  for (Index k = 0; k < active_.size(); ++k) active_[k].weight /= sum;
}

// u ← the mix of the active corners.
void EuclideanMoves::write_mix() {
  double sum = 0;
  for (Index k = 0; k < active_.size(); ++k) {
    sum += active_[k].weight = std::max(0.0, active_[k].weight);
  }
  std::fill(u_.begin(), u_.end(), 0.0);
  for (Index k = 0; k < active_.size(); ++k) {
    active_[k].weight /= sum;
    active_[k].vertex.point.add_to(u_, active_[k].weight);
  }
}

std::span<const double> EuclideanMoves::look(Index i, std::span<const double> s, double eta,
                                             Scratch& scratch) {
  const Index size = s.size();
  point(i);
  for (auto* vector : {&u_, &goal_, &direction_, &vertex_}) vector->resize(size);
  for (Index p = 0; p < size; ++p) goal_[p] = eta * s[p] + (measured(i, p) ? z_[p] : 0.0);
  join_old(i);
  active_.settle(1);
  write_mix();
  for (Index k = 0; k < kNewcomers; ++k) {
    double gained = 0;  // η⟨s, u − z⟩ − d(z, u)
    for (Index p = 0; p < size; ++p) {
      const double change = u_[p] - z_[p];
      const double seen = measured(i, p) ? change : 0.0;
      direction_[p] = eta * s[p] - seen;
      gained += change * (eta * s[p] - seen / 2);
    }
    oracle_.maximize(i, direction_, scratch, vertex_);
    double gap = 0;
    double terms = 0;
    for (Index p = 0; p < size; ++p) {
      const double term = direction_[p] * (vertex_[p] - u_[p]);
      gap += term;
      terms += std::abs(term);
    }
    if (gap <= kEnough * gained || gap <= kNegligible * terms) break;
    corner_.assign_dense(vertex_);
    const bool joined = join(i, corner_, kNew);
    if (!joined && gained > 0) break;
    // The corner scores more and is at distance 0 from the mix, so it replaces the mix.
    if (!joined) {
      active_.clear();
      join(i, corner_, kNew);
    }
    const bool stays = active_.settle(1);
    write_mix();
    if (!stays || !joined) break;
  }
  return u_;
}

void EuclideanMoves::take(Index i, double share) {
  Mix& mix = mixes_[i];
  for (double& weight : mix.weights) weight *= 1 - share;
  for (Index k = 0; k < active_.size(); ++k) {
    const Corner& corner = active_[k].vertex;
    if (corner.place == kNew) {
      mix.corners.push_back(corner.point);
      mix.weights.push_back(share * active_[k].weight);
    } else {
      mix.weights[corner.place] += share * active_[k].weight;
    }
  }
  Index kept = 0;
  for (Index k = 0; k < mix.corners.size(); ++k) {
    if (!(mix.weights[k] > 0)) continue;
    if (kept < k) mix.corners[kept] = std::move(mix.corners[k]);
    mix.weights[kept++] = mix.weights[k];
  }
  mix.corners.resize(kept);
  mix.weights.resize(kept);
  while (mix.corners.size() > kMostCorners) merge_lightest(mix);
}

void EuclideanMoves::merge_lightest(Mix& mix) {
  const auto take_lightest = [&] {
    const auto lightest = std::min_element(mix.weights.begin(), mix.weights.end());
    const auto place = lightest - mix.weights.begin();
    const double weight = *lightest;
    SparseVector corner = std::move(mix.corners[static_cast<Index>(place)]);
    mix.corners.erase(mix.corners.begin() + place);
    mix.weights.erase(lightest);
    return std::make_pair(std::move(corner), weight);
  };
  auto [one, weight] = take_lightest();
  const auto [other, other_weight] = take_lightest();
  const double sum = weight + other_weight;
  one.scale(weight / sum);
  one.add(other, other_weight / sum);
  mix.corners.push_back(std::move(one));
  mix.weights.push_back(sum);
}

double EuclideanMoves::first_step(std::span<const double> change, double curvature) {
  return squared_norm(change) / curvature;
}

void EuclideanMoves::save(Checkpoint& checkpoint) const {
  std::vector<std::uint64_t> sizes;
  std::vector<double> weights;
  std::vector<SparseVector> corners;
  for (const Mix& mix : mixes_) {
    sizes.push_back(mix.corners.size());
    weights.insert(weights.end(), mix.weights.begin(), mix.weights.end());
    corners.insert(corners.end(), mix.corners.begin(), mix.corners.end());
  }
  checkpoint.put_integers("game/sizes", sizes);
  checkpoint.put("game/weights", weights);
  checkpoint.put_sparse("game/corners", corners);
}

void EuclideanMoves::load(const Checkpoint& checkpoint) {
  std::vector<std::uint64_t> sizes(mixes_.size());
  checkpoint.get_integers("game/sizes", sizes);
  Index total = 0;
  Index parts = 0;
  for (Index i = 0; i < mixes_.size(); ++i) {
    total += sizes[i];
    parts = std::max(parts, oracle_.num_parts(i));
  }
  std::vector<double> weights(total);
  std::vector<SparseVector> corners(total);
  checkpoint.get("game/weights", weights);
  checkpoint.get_sparse("game/corners", parts, corners);
  Index next = 0;
  for (Index i = 0; i < mixes_.size(); ++i) {
    mixes_[i].corners.clear();
    mixes_[i].weights.clear();
    for (Index k = 0; k < sizes[i]; ++k, ++next) {
      mixes_[i].corners.push_back(std::move(corners[next]));
      mixes_[i].weights.push_back(weights[next]);
    }
  }
}

}  // namespace trellis
