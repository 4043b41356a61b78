#include "trellis/learn/stored_dual.h"

#include <algorithm>
#include <cmath>

#include "trellis/base/error.h"

namespace trellis {
namespace {

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

StoredDual::StoredDual(const ConvexOracle& oracle, double lambda, Index capacity,
                       std::span<double> w)
    : oracle_(oracle),
      capacity_(capacity),
      point_(oracle, lambda, w),
      blocks_(oracle.num_examples()) {
  for (Block& block : blocks_) block.rest.mass = 1;
}

bool StoredDual::start(Scratch& scratch, const std::stop_token& stop) {
  const std::span<const double> w = point_.weights();
  if (std::all_of(w.begin(), w.end(), [](double value) { return value == 0; })) return true;
  for (Index i = 0; i < blocks_.size(); ++i) {
    if (stop.stop_requested()) return false;
    oracle_.evaluate(i, w, scratch, blocks_[i].rest.cut);
  }
  refresh();
  const double curvature =
      point_.lambda_n() / static_cast<double>(blocks_.size()) * point_.squared_norm();
  const double scale = curvature > 0 ? std::clamp(point_.mean_offset() / curvature, 0.0, 1.0) : 1.0;
  for (Block& block : blocks_) {
    block.rest.cut.slope.scale(scale);
    block.rest.cut.offset *= scale;
  }
  refresh();
  return true;
}

double StoredDual::evaluate(Index i) {
  Block& block = blocks_[i];
  const std::span<const double> w = point_.weights();
  double value = 0;
  if (block.rest.mass > 0) {
    block.rest.value = block.rest.cut.value(w);
    value = block.rest.mass * block.rest.value;
  }
  for (Atom& atom : block.atoms) {
    atom.value = atom.cut.value(w);
    value += atom.mass * atom.value;
  }
  return value;
}

double StoredDual::highest(Index i) const {
  const Block& block = blocks_[i];
  double value = block.rest.mass > 0 ? block.rest.value : 0.0;
  for (const Atom& atom : block.atoms) value = std::max(value, atom.value);
  return value;
}

bool StoredDual::step_towards(Index i, const Cut& cut, double gap) {
  Cut& own = blocks_[i].rest.cut;
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
  for (Atom& atom : block.atoms) {
    if (!same_slope(atom.cut.slope, packed_.slope)) continue;
    atom.value = std::max(atom.value, value);
    if (cut.offset <= atom.cut.offset) return;
    // The same slope from higher up: the mass moves there, which costs no step.
    point_.move({}, cut.offset - atom.cut.offset, atom.mass);
    atom.cut.offset = cut.offset;
    return;
  }
  Atom& atom = vacancy(block);
  atom.cut.slope = packed_.slope;
  atom.cut.offset = cut.offset;
  atom.mass = 0;
  atom.value = value;
}

// The atom that the next cut may overwrite.
StoredDual::Atom& StoredDual::vacancy(Block& block) {
  if (block.atoms.size() < capacity_) return block.atoms.emplace_back();
  // Of those without mass the lowest, since it is the least likely to come back.
  const auto worse = [](const Atom& a, const Atom& b) {
    return a.mass != b.mass ? a.mass < b.mass : a.value < b.value;
  };
  Atom& atom = *std::min_element(block.atoms.begin(), block.atoms.end(), worse);
  if (atom.mass > 0) join_rest(block, atom);
  return atom;
}

void StoredDual::join_rest(Block& block, Atom& atom) {
  Atom& rest = block.rest;
  const double mass = rest.mass + atom.mass;
  const double share = atom.mass / mass;
  if (rest.mass == 0) rest.cut.slope.clear();
  rest.cut.slope.scale(1 - share);
  rest.cut.slope.add(atom.cut.slope, share);
  rest.cut.offset += share * (atom.cut.offset - rest.cut.offset);
  rest.value += share * (atom.value - rest.value);
  rest.mass = mass;
}

bool StoredDual::shift(Index i) {
  Block& block = blocks_[i];
  Atom* taker = block.rest.mass > 0 ? &block.rest : nullptr;
  Atom* giver = taker;
  for (Atom& atom : block.atoms) {
    if (taker == nullptr || atom.value > taker->value) taker = &atom;
    if (atom.mass > 0 && (giver == nullptr || atom.value < giver->value)) giver = &atom;
  }
  if (taker == giver || giver == nullptr) return false;
  const double rise = taker->value - giver->value;
  change_ = taker->cut.slope;
  change_.add(giver->cut.slope, -1);
  const double step = point_.best_step(change_, rise, giver->mass);
  if (!(step > 0)) return false;
  point_.move(change_, taker->cut.offset - giver->cut.offset, step);
  touched_ += change_.num_stored();
  giver->mass = step == giver->mass ? 0 : giver->mass - step;
  taker->mass += step;
  return true;
}

template <class Visit>
void StoredDual::each_atom(const Visit& visit) const {
  for (const Block& block : blocks_) {
    visit(block.rest);
    for (const Atom& atom : block.atoms) visit(atom);
  }
}

void StoredDual::refresh() {
  point_.begin_sum();
  each_atom([&](const Atom& atom) {
    if (atom.mass > 0) point_.add(atom.cut.slope, atom.cut.offset, atom.mass);
  });
  point_.end_sum();
}

void StoredDual::save(Checkpoint& checkpoint) const {
  std::vector<std::uint64_t> sizes;
  for (const Block& block : blocks_) sizes.push_back(block.atoms.size());
  std::vector<SparseVector> slopes;
  std::vector<double> numbers;
  each_atom([&](const Atom& atom) {
    slopes.push_back(atom.cut.slope);
    numbers.insert(numbers.end(), {atom.cut.offset, atom.mass, atom.value});
  });
  checkpoint.put_integers("stored_dual/sizes", sizes);
  checkpoint.put_sparse("stored_dual/slopes", slopes);
  checkpoint.put("stored_dual/numbers", numbers);
  point_.save(checkpoint);
}

void StoredDual::load(const Checkpoint& checkpoint) {
  std::vector<std::uint64_t> sizes(blocks_.size());
  checkpoint.get_integers("stored_dual/sizes", sizes);
  Index count = blocks_.size();
  for (const std::uint64_t size : sizes) {
    if (size > capacity_) throw InputError("checkpoint", 0, "an example has too many stored cuts");
    count += size;
  }
  std::vector<SparseVector> slopes(count);
  std::vector<double> numbers(3 * count);
  checkpoint.get_sparse("stored_dual/slopes", oracle_.dimension(), slopes);
  checkpoint.get("stored_dual/numbers", numbers);
  Index next = 0;
  const auto read = [&](Atom& atom) {
    atom.cut.slope = std::move(slopes[next]);
    atom.cut.offset = numbers[3 * next];
    atom.mass = numbers[3 * next + 1];
    atom.value = numbers[3 * next + 2];
    ++next;
  };
  for (Index i = 0; i < blocks_.size(); ++i) {
    read(blocks_[i].rest);
    blocks_[i].atoms.resize(sizes[i]);
    for (Atom& atom : blocks_[i].atoms) read(atom);
  }
  point_.load(checkpoint);
}

}  // namespace trellis
