#include "trellis/data/name_list.h"

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/fingerprint_table.h"

namespace trellis {
namespace {

constexpr Index kFewestNameSlots = 16;

std::uint32_t tag_of(std::uint64_t print) {
  return static_cast<std::uint32_t>(print >> 32);
}

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

NameList::NameList() : offsets_{0}, slots_(kFewestNameSlots) {}

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
  return add(name, fingerprint(name));
}

std::uint32_t NameList::find(std::string_view name) const {
  return find(name, fingerprint(name));
}

std::uint32_t NameList::add(std::string_view name, std::uint64_t print) {
  Slot& slot = slots_[find_slot(name, print)];
  if (slot.id != kNone) return slot.id;
  if (find_invalid_utf8(name) != std::string_view::npos) {
    throw UsageError("a name must be UTF-8");
  }
  if (size() == kNone) throw UsageError("a list of names holds at most 2^32 - 2 names");
  const auto id = static_cast<std::uint32_t>(size());
  bytes_.insert(bytes_.end(), name.begin(), name.end());
  offsets_.push_back(bytes_.size());
  slot = {id, tag_of(print)};
  if (2 * size() > slots_.size()) grow();
  return id;
}

std::uint32_t NameList::find(std::string_view name, std::uint64_t print) const {
  return slots_[find_slot(name, print)].id;
}

// The slot of the name, or the empty slot where it belongs. At most half of them are full.
Index NameList::find_slot(std::string_view name, std::uint64_t print) const {
  const Index mask = slots_.size() - 1;
  const std::uint32_t tag = tag_of(print);
  Index at = print & mask;
  while (slots_[at].id != kNone && (slots_[at].tag != tag || (*this)[slots_[at].id] != name)) {
    at = (at + 1) & mask;
  }
  return at;
}

void NameList::grow() {
  slots_.assign(2 * slots_.size(), {});
  for (Index id = 0; id < size(); ++id) {
    const std::uint64_t print = fingerprint((*this)[id]);
    slots_[find_slot((*this)[id], print)] = {static_cast<std::uint32_t>(id), tag_of(print)};
  }
}

}  // namespace trellis
