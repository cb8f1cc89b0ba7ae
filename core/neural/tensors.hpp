// Arrays by name, as a file has them; whoever takes one says which size it has to have.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/neural/layers.hpp"
#include "core/neural/matrix.hpp"

namespace plait::neural {

inline constexpr std::size_t most_width = 4096;  // of a vector

// Bytes or floats, not both.
struct Tensor {
    std::span<const std::int8_t> bytes;
    std::span<const float> floats;
    std::size_t rows = 0, columns = 0;  // a list has one row
};

class Tensors {
  public:
    explicit Tensors(std::map<std::string, Tensor> tensors) : tensors_(std::move(tensors)) {}

    // Bytes of all arrays.
    std::size_t total() const {
        std::size_t sum = 0;
        for (const auto& [name, each] : tensors_) sum += each.bytes.size() + each.floats.size_bytes();
        return sum;
    }

    bool has(const std::string& name) const { return tensors_.contains(name); }

    // The sizes of a table of bytes.
    std::size_t rows(const std::string& name) const { return table(name).rows; }
    std::size_t columns(const std::string& name) const { return table(name).columns; }
    std::size_t size(const std::string& name) const { return at(name).floats.size(); }

    std::span<const std::int8_t> bytes(const std::string& name, std::size_t rows, std::size_t columns) {
        const Tensor& found = table(name);
        require(found.rows == rows && found.columns == columns, name);
        ++taken_;
        return found.bytes;
    }

    std::span<const float> floats(const std::string& name, std::size_t rows, std::size_t columns) {
        const Tensor& found = at(name);
        require(found.bytes.empty() && found.rows == rows && found.columns == columns, name);
        for (const float value : found.floats) {
            if (!std::isfinite(value)) throw std::invalid_argument(name + ": a number is none, or infinite");
        }
        ++taken_;
        return found.floats;
    }
    std::span<const float> floats(const std::string& name, std::size_t size) { return floats(name, 1, size); }
    std::vector<float> list(const std::string& name, std::size_t size) {
        const std::span<const float> found = floats(name, size);
        return {found.begin(), found.end()};
    }

    void append(Matrix& matrix, const std::string& name, const std::string& bias, std::size_t rows,
                std::size_t columns) {
        require(rows > 0 && columns > 0 && columns <= most_columns, name);
        matrix.append(columns, bytes(name, rows, columns), floats(name + ".scale", rows),
                      bias.empty() ? std::span<const float>{} : floats(bias, rows));
    }
    Matrix matrix(const std::string& name, const std::string& bias, std::size_t rows, std::size_t columns) {
        Matrix found;
        append(found, name, bias, rows, columns);
        return found;
    }
    Norm norm(const std::string& name, std::size_t size) {
        return {list(name + "_g", size), list(name + "_b", size)};
    }

    void require_all_taken() const {
        if (taken_ != tensors_.size()) throw std::invalid_argument("there are arrays that no net has");
    }
    static void require(bool fits, const std::string& name) {
        if (!fits) throw std::invalid_argument(name + ": another size or type");
    }

  private:
    const Tensor& at(const std::string& name) const {
        const auto found = tensors_.find(name);
        if (found == tensors_.end()) throw std::invalid_argument("there is no array '" + name + "'");
        return found->second;
    }
    const Tensor& table(const std::string& name) const {
        const Tensor& found = at(name);
        require(!found.bytes.empty(), name);
        return found;
    }

    std::map<std::string, Tensor> tensors_;
    std::size_t taken_ = 0;
};

}  // namespace plait::neural
