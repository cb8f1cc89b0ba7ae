// For libFuzzer: arrays of a net, whatever they are, become an error or a net that reads a sentence.
#include "core/neural/nets.hpp"

#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/neural/spanning.hpp"

namespace {

using namespace plait::neural;

class Input {
  public:
    Input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

    std::size_t left() const { return left_; }
    const std::uint8_t* take(std::size_t size) {
        if (size > left_) return nullptr;
        const std::uint8_t* found = data_;
        data_ += size;
        left_ -= size;
        return found;
    }
    std::size_t number(std::size_t bytes) {
        const std::uint8_t* found = take(bytes);
        std::size_t value = 0;
        for (std::size_t i = 0; found != nullptr && i < bytes; ++i) value |= std::size_t{found[i]} << 8 * i;
        return value;
    }

  private:
    const std::uint8_t* data_;
    std::size_t left_;
};

// As tests/fuzz/seeds.py writes them: the shape, then of every array its name, type, sizes and numbers.
void read_net(Input input) {
    static const char* const bodies[] = {"sru", "lstm", "encoder"};
    static const char* const spellings[] = {"grams", "characters"};
    NetShape shape;
    shape.body = bodies[input.number(1) % 3];
    shape.spelling = spellings[input.number(1) % 2];
    shape.tag_layer = input.number(1);
    const std::size_t flags = input.number(1);
    shape.feed = (flags & 1) != 0;
    shape.attention = (flags & 2) != 0;
    shape.encoder = {input.number(1), static_cast<std::int32_t>(input.number(2)),
                     static_cast<std::int32_t>(input.number(2)), 1e-6f};
    std::map<std::string, Tensor> tensors;
    std::deque<std::vector<float>> floats;
    std::deque<std::vector<std::int8_t>> bytes;
    while (input.left() > 0) {
        const std::size_t length = input.number(1);
        const std::uint8_t* name = input.take(length);
        const bool is_float = input.number(1) != 0;
        Tensor found;
        found.rows = input.number(2);
        found.columns = input.number(2);
        const std::size_t cells = found.rows * found.columns;
        const std::uint8_t* data = input.take(cells * (is_float ? sizeof(float) : 1));
        if (name == nullptr || data == nullptr || cells == 0) break;
        if (is_float) {
            floats.emplace_back(cells);
            std::memcpy(floats.back().data(), data, cells * sizeof(float));
            found.floats = floats.back();
        } else {
            bytes.emplace_back(data, data + cells);
            found.bytes = bytes.back();
        }
        tensors.emplace(std::string(reinterpret_cast<const char*>(name), length), found);
    }
    const auto net = std::make_shared<Net>(Tensors(std::move(tensors)), shape, Kernel::plain);
    // Words of several kinds: known and unknown, with parts and without.
    const std::size_t own = 1 + 26, width = own + net->body().columns();
    std::vector<std::int32_t> types(2 * width, -1);
    for (std::size_t type = 0; type < 2; ++type) types[type * width] = 0;
    types[width + 1] = static_cast<std::int32_t>(net->inputs().parts()) - 1;
    if (net->body().columns() > 0) types[own] = types[width + own] = 0;
    const std::vector<std::int32_t> words{0, 1, 1, 0, 1};
    const std::vector<std::int64_t> offsets{0, 2, 5};
    const Nets nets({net});
    Batch batch{{{types, width}}, words, offsets, {}};
    batch.vectors = true;
    batch.best = 2;
    nets.run(batch, TreeDecoder(0.5), 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        read_net(Input(data, size));
    } catch (const std::exception&) {  // a message, which Python tells
    }
    return 0;
}
