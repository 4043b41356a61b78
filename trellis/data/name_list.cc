#include "trellis/data/name_list.h"

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/fingerprint_table.h"

namespace trellis {
namespace {

constexpr Index kFewestNameSlots = 16;

}  // namespace

NameView::NameView(std::span<const std::uint64_t> offsets, std::span<const char> bytes,
                   std::string_view file)
    : offsets_(offsets), bytes_(bytes.data()) {
  const bool framed = !offsets.empty() && offsets.front() == 0 && offsets.back() == bytes.size();
  if (!framed) throw InputError(file, 0, "expected a list of names to fill its section");
  for (Index i = 0; i + 1 < offsets.size(); ++i) {
    if (offsets[i] > offsets[i + 1]) {
      throw InputError(file, 0, "expected the offsets of a list of names to ascend");
    }
  }
  // One name at a time: a character must not reach across the end of its name.
  for (Index id = 0; id < size(); ++id) {
    if (find_invalid_utf8((*this)[id]) != std::string_view::npos) {
      throw InputError(file, 0, "expected names in UTF-8, found", (*this)[id]);
    }
  }
}

NameList::NameList() : offsets_{0}, slots_(kFewestNameSlots, kNone) {}

NameList::NameList(const NameView& names, std::string_view file) : NameList() {
  for (Index id = 0; id < names.size(); ++id) {
    if (add(names[id]) != id)
      throw InputError(file, 0, "expected distinct names, found", names[id]);
  }
}

NameView NameList::view() const {
  NameView view;
  view.offsets_ = offsets_;
  view.bytes_ = bytes_.data();
  return view;
}

std::uint32_t NameList::add(std::string_view name) {
  const Index slot = find_slot(name);
  if (slots_[slot] != kNone) return slots_[slot];
  if (find_invalid_utf8(name) != std::string_view::npos) {
    throw UsageError("a name must be UTF-8");
  }
  if (size() == kNone) throw UsageError("a list of names holds at most 2^32 - 2 names");
  const auto id = static_cast<std::uint32_t>(size());
  bytes_.insert(bytes_.end(), name.begin(), name.end());
  offsets_.push_back(bytes_.size());
  slots_[slot] = id;
  if (2 * size() > slots_.size()) grow();
  return id;
}

std::uint32_t NameList::find(std::string_view name) const {
  return slots_[find_slot(name)];
}

// The slot of the name, or the empty slot where it belongs. At most half of them are full.
Index NameList::find_slot(std::string_view name) const {
  const Index mask = slots_.size() - 1;
  Index slot = fingerprint(name) & mask;
  while (slots_[slot] != kNone && (*this)[slots_[slot]] != name) slot = (slot + 1) & mask;
  return slot;
}

void NameList::grow() {
  slots_.assign(2 * slots_.size(), kNone);
  for (Index id = 0; id < size(); ++id) {
    slots_[find_slot((*this)[id])] = static_cast<std::uint32_t>(id);
  }
}

}  // namespace trellis
