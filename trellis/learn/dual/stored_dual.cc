#include "trellis/learn/dual/stored_dual.h"

#include <algorithm>
#include <cmath>

#include "trellis/base/error.h"

namespace trellis {
namespace {

constexpr Index kNumbersPerAtom = 4;  // in a checkpoint

// `packed` ← the slope without its zeros.
void pack(const SparseVector& slope, SparseVector& packed) {
  packed.clear();
  for (const SparseVector::Run& run : slope.runs()) {
    const std::span<const double> values = slope.values(run);
    for (Index k = 0; k < run.size;) {
      if (values[k] == 0) {
        ++k;
        continue;
      }
      Index end = k + 1;
      while (end < run.size && values[end] != 0) ++end;
      const std::span<double> stretch = packed.append(run.begin + k, end - k);
      std::copy_n(values.data() + k, end - k, stretch.data());
      k = end;
    }
  }
}

bool same_slope(const SparseVector& x, const SparseVector& y) {
  if (x.num_stored() != y.num_stored() || x.runs().size() != y.runs().size()) return false;
  for (Index r = 0; r < x.runs().size(); ++r) {
    const SparseVector::Run& run = x.runs()[r];
    if (run.begin != y.runs()[r].begin || run.size != y.runs()[r].size) return false;
    const std::span<const double> values = x.values(run);
    if (!std::equal(values.begin(), values.end(), y.values(y.runs()[r]).begin())) return false;
  }
  return true;
}

}  // namespace

StoredDual::StoredDual(const CutOracle& oracle, double lambda, Index capacity, std::span<double> w)
    : oracle_(oracle),
      capacity_(capacity),
      quadratic_(capacity > 0 && oracle.nonnegative().empty()),
      point_(oracle, lambda, w),
      blocks_(oracle.num_examples()) {
  if (quadratic_) dense_.assign(w.size(), 0.0);
  for (Block& block : blocks_) {
    block.atoms.resize(1);
    block.atoms[0].mass = 1;
    if (quadratic_) block.gram.assign(1, 0.0);
  }
}

bool StoredDual::start(Scratch& scratch, const std::stop_token& stop) {
  const std::span<const double> w = point_.weights();
  if (std::all_of(w.begin(), w.end(), [](double value) { return value == 0; })) return true;
  for (Index i = 0; i < blocks_.size(); ++i) {
    if (stop.stop_requested()) return false;
    oracle_.evaluate(i, w, scratch, blocks_[i].atoms[0].cut);
  }
  refresh();
  const double curvature =
      point_.lambda_n() / static_cast<double>(blocks_.size()) * point_.squared_norm();
  const double scale = curvature > 0 ? std::clamp(point_.mean_offset() / curvature, 0.0, 1.0) : 1.0;
  for (Block& block : blocks_) {
    Cut& rest = block.atoms[0].cut;
    rest.slope.scale(scale);
    rest.offset *= scale;
    if (quadratic_) product(block, 0, 0) = rest.slope.squared_norm();
  }
  refresh();
  return true;
}

double StoredDual::evaluate(Index i) {
  const std::span<const double> w = point_.weights();
  double value = 0;
  for (Atom& atom : blocks_[i].atoms) {
    atom.value = atom.cut.value(w);
    value += atom.mass * atom.value;
  }
  return value;
}

double StoredDual::highest(Index i) const {
  const std::vector<Atom>& atoms = blocks_[i].atoms;
  const auto lower = [](const Atom& a, const Atom& b) { return a.value < b.value; };
  return std::max_element(atoms.begin(), atoms.end(), lower)->value;
}

bool StoredDual::step_towards(Index i, const Cut& cut, double gap) {
  Cut& own = blocks_[i].atoms[0].cut;
  change_ = cut.slope;
  change_.add(own.slope, -1);
  if (!(change_.squared_norm() > 0)) return false;
  const double step = point_.best_step(change_, gap, 1.0);
  const double offset_change = cut.offset - own.offset;
  own.slope.add(change_, step);
  own.offset += step * offset_change;
  point_.move(change_, offset_change, step);
  touched_ += change_.num_stored();
  return true;
}

void StoredDual::insert(Index i, const Cut& cut, double value) {
  Block& block = blocks_[i];
  pack(cut.slope, packed_.slope);
  for (Index k = 1; k < block.atoms.size(); ++k) {
    Atom& atom = block.atoms[k];
    if (!same_slope(atom.cut.slope, packed_.slope)) continue;
    if (cut.offset <= atom.cut.offset) return;
    // The same slope from higher up: the mass moves there, which costs no step.
    point_.move({}, cut.offset - atom.cut.offset, atom.mass);
    atom.cut.offset = cut.offset;
    atom.value = value;
    return;
  }
  const Index k = vacancy(block);
  Atom& atom = block.atoms[k];
  atom.cut.slope = packed_.slope;
  atom.cut.offset = cut.offset;
  atom.mass = 0;
  atom.idle = 0;
  atom.value = value;
  if (quadratic_) fill_products(block, k);
}

// The atom that the next cut may overwrite.
Index StoredDual::vacancy(Block& block) const {
  std::vector<Atom>& atoms = block.atoms;
  if (atoms.size() <= capacity_) {
    atoms.emplace_back();
    if (quadratic_) block.gram.resize(num_products(atoms.size()));
    return atoms.size() - 1;
  }
  // Of those without mass the lowest, since it is the least likely to come back.
  const auto worse = [](const Atom& a, const Atom& b) {
    return a.mass != b.mass ? a.mass < b.mass : a.value < b.value;
  };
  const auto worst = std::min_element(atoms.begin() + 1, atoms.end(), worse);
  const Index k = static_cast<Index>(worst - atoms.begin());
  if (worst->mass > 0) join_rest(block, k);
  return k;
}

void StoredDual::join_rest(Block& block, Index k) const {
  Atom& rest = block.atoms[0];
  const Atom& atom = block.atoms[k];
  const double mass = rest.mass + atom.mass;
  const double share = atom.mass / mass;
  rest.cut.slope.scale(1 - share);
  rest.cut.slope.add(atom.cut.slope, share);
  rest.cut.offset += share * (atom.cut.offset - rest.cut.offset);
  rest.value += share * (atom.value - rest.value);
  rest.mass = mass;
  if (!quadratic_) return;
  for (Index l = 1; l < block.atoms.size(); ++l) {
    product(block, 0, l) += share * (product(block, k, l) - product(block, 0, l));
  }
  product(block, 0, 0) = rest.cut.slope.squared_norm();
}

void StoredDual::fill_products(Block& block, Index k) {
  const SparseVector& slope = block.atoms[k].cut.slope;
  slope.add_to(dense_, 1);
  for (Index l = 0; l < block.atoms.size(); ++l) {
    product(block, k, l) = block.atoms[l].cut.slope.dot(dense_);
  }
  for (const SparseVector::Run& run : slope.runs()) {
    std::fill_n(dense_.begin() + static_cast<std::ptrdiff_t>(run.begin), run.size, 0.0);
  }
}

bool StoredDual::shift(Index i, double tolerance, Index max_steps) {
  const bool changed = quadratic_ ? shift_by_products(blocks_[i], tolerance, max_steps)
                                  : shift_by_weights(i, tolerance, max_steps);
  drop_idle(blocks_[i]);
  return changed;
}

void StoredDual::drop_idle(Block& block) const {
  constexpr Index kMaxIdle = 10;
  for (Index k = block.atoms.size(); k-- > 1;) {
    Atom& atom = block.atoms[k];
    atom.idle = atom.mass > 0 ? 0 : atom.idle + 1;
    if (atom.idle <= kMaxIdle) continue;
    const Index last = block.atoms.size() - 1;
    if (quadratic_) {
      for (Index l = 0; l < last; ++l) {
        if (l != k) product(block, k, l) = product(block, last, l);
      }
      product(block, k, k) = product(block, last, last);
      block.gram.resize(num_products(last));
    }
    if (k != last) std::swap(atom, block.atoms[last]);
    block.atoms.pop_back();
  }
}

// ‖c_k − c_l‖²
double StoredDual::curvature(Block& block, Index k, Index l) {
  return product(block, k, k) + product(block, l, l) - 2 * product(block, k, l);
}

// The taker is the highest; the giver lets D rise most (Fan, Chen & Lin 2005), or, where curvatures
// are not known, is the lowest with mass.
StoredDual::Pair StoredDual::choose_pair(Block& block) const {
  constexpr double kTiny = 1e-300;
  const std::vector<Atom>& atoms = block.atoms;
  Pair pair{0, 0, 0};
  for (Index k = 1; k < atoms.size(); ++k) {
    if (atoms[k].value > atoms[pair.taker].value) pair.taker = k;
  }
  pair.giver = pair.taker;
  double best = 0;
  for (Index k = 0; k < atoms.size(); ++k) {
    const double rise = atoms[pair.taker].value - atoms[k].value;
    if (!(atoms[k].mass > 0) || !(rise > 0)) continue;
    pair.rise = std::max(pair.rise, rise);
    const double merit =
        quadratic_ ? rise * rise / std::max(curvature(block, pair.taker, k), kTiny) : rise;
    if (merit > best) {
      best = merit;
      pair.giver = k;
    }
  }
  return pair;
}

bool StoredDual::shift_by_products(Block& block, double tolerance, Index max_steps) {
  const double lambda_n = point_.lambda_n();
  std::vector<Atom>& atoms = block.atoms;
  bool changed = false;
  for (Atom& atom : atoms) atom.moved = 0;
  for (Index step = 0; step < max_steps; ++step) {
    const Pair pair = choose_pair(block);
    if (!(pair.rise > tolerance)) break;
    Atom& taker = atoms[pair.taker];
    Atom& giver = atoms[pair.giver];
    const double bend = curvature(block, pair.taker, pair.giver);
    const double rise = taker.value - giver.value;
    const double mass = bend > 0 ? std::min(giver.mass, lambda_n * rise / bend) : giver.mass;
    giver.mass = mass == giver.mass ? 0 : giver.mass - mass;
    giver.moved -= mass;
    taker.mass += mass;
    taker.moved += mass;
    for (Index k = 0; k < atoms.size(); ++k) {
      atoms[k].value -=
          mass / lambda_n * (product(block, k, pair.taker) - product(block, k, pair.giver));
    }
    changed = true;
  }
  for (const Atom& atom : atoms) {
    if (atom.moved == 0) continue;
    point_.move(atom.cut.slope, atom.cut.offset, atom.moved);
    touched_ += atom.cut.slope.num_stored();
  }
  return changed;
}

bool StoredDual::shift_by_weights(Index i, double tolerance, Index max_steps) {
  Block& block = blocks_[i];
  bool changed = false;
  for (Index step = 0; step < max_steps; ++step) {
    if (step > 0) evaluate(i);
    const Pair pair = choose_pair(block);
    if (!(pair.rise > tolerance)) break;
    Atom& taker = block.atoms[pair.taker];
    Atom& giver = block.atoms[pair.giver];
    change_ = taker.cut.slope;
    change_.add(giver.cut.slope, -1);
    const double mass = point_.best_step(change_, pair.rise, giver.mass);
    if (!(mass > 0)) break;
    point_.move(change_, taker.cut.offset - giver.cut.offset, mass);
    touched_ += change_.num_stored();
    giver.mass = mass == giver.mass ? 0 : giver.mass - mass;
    taker.mass += mass;
    changed = true;
  }
  return changed;
}

void StoredDual::refresh() {
  point_.begin_sum();
  for (const Block& block : blocks_) {
    for (const Atom& atom : block.atoms) {
      if (atom.mass > 0) point_.add(atom.cut.slope, atom.cut.offset, atom.mass);
    }
  }
  point_.end_sum();
}

void StoredDual::save(Checkpoint& checkpoint) const {
  std::vector<std::uint64_t> sizes;
  std::vector<SparseVector> slopes;
  std::vector<double> numbers;
  std::vector<double> products;
  for (const Block& block : blocks_) {
    sizes.push_back(block.atoms.size());
    for (const Atom& atom : block.atoms) {
      slopes.push_back(atom.cut.slope);
      numbers.insert(numbers.end(),
                     {atom.cut.offset, atom.mass, atom.value, static_cast<double>(atom.idle)});
    }
    products.insert(products.end(), block.gram.begin(), block.gram.end());
  }
  checkpoint.put_integers("stored_dual/sizes", sizes);
  checkpoint.put_sparse("stored_dual/slopes", slopes);
  checkpoint.put("stored_dual/numbers", numbers);
  checkpoint.put("stored_dual/products", products);
  point_.save(checkpoint);
}

void StoredDual::load(const Checkpoint& checkpoint) {
  std::vector<std::uint64_t> sizes(blocks_.size());
  checkpoint.get_integers("stored_dual/sizes", sizes);
  Index count = 0;
  Index product_count = 0;
  for (Index i = 0; i < blocks_.size(); ++i) {
    if (sizes[i] == 0 || sizes[i] > capacity_ + 1) {
      throw InputError("checkpoint", 0, "an example has no cuts or too many");
    }
    count += sizes[i];
    if (quadratic_) product_count += num_products(sizes[i]);
  }
  std::vector<SparseVector> slopes(count);
  std::vector<double> numbers(kNumbersPerAtom * count);
  std::vector<double> products(product_count);
  checkpoint.get_sparse("stored_dual/slopes", oracle_.dimension(), slopes);
  checkpoint.get("stored_dual/numbers", numbers);
  checkpoint.get("stored_dual/products", products);
  Index next = 0;
  auto product = products.begin();
  for (Index i = 0; i < blocks_.size(); ++i) {
    blocks_[i].atoms.resize(sizes[i]);
    for (Atom& atom : blocks_[i].atoms) {
      atom.cut.slope = std::move(slopes[next]);
      const double* number = numbers.data() + kNumbersPerAtom * next++;
      atom.cut.offset = number[0];
      atom.mass = number[1];
      atom.value = number[2];
      atom.idle = static_cast<Index>(number[3]);
    }
    if (!quadratic_) continue;
    const auto end = product + static_cast<std::ptrdiff_t>(num_products(sizes[i]));
    blocks_[i].gram.assign(product, end);
    product = end;
  }
  point_.load(checkpoint);
}

}  // namespace trellis
