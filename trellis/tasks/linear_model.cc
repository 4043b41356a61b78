#include "trellis/tasks/linear_model.h"

#include "trellis/base/error.h"

namespace trellis {

void refuse(const ModelReader& reader, const std::string& why) {
  throw InputError(reader.name(), 0, why);
}

void read_meta(const ModelReader& reader, std::string_view kind, std::uint32_t newest,
               const std::function<void(const Value&)>& read) {
  reader.expect(kind, newest);
  const Value meta = reader.json("meta");
  try {
    read(meta);
  } catch (const ValueError&) {
    refuse(reader, "the model's description is incomplete or damaged");
  } catch (const UsageError& error) {
    refuse(reader, error.what());
  }
}

std::shared_ptr<const Value> share(const Value& value) {
  return std::make_shared<const Value>(value);
}

}  // namespace trellis
