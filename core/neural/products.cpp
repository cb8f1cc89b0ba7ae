#include "core/neural/products.hpp"

#include <algorithm>
#include <cstring>

#ifdef PLAIT_X86_PRODUCTS
#include <immintrin.h>
#endif

namespace plait::neural {

void products_plain(const Matrix& matrix, const Rounded& vectors, std::size_t count, float* products,
                    std::size_t step) {
    for (std::size_t block = 0; block < matrix.blocks(); ++block) {
        const float* scales = matrix.scales() + block * lanes;
        const float* biases = matrix.biases() + block * lanes;
        for (std::size_t i = 0; i < count; ++i) {
            const std::int8_t* weight = matrix.block(block);
            const std::uint8_t* bytes = vectors.bytes.data() + i * vectors.stride;
            std::int32_t sums[lanes] = {};
            for (std::size_t group = 0; group < matrix.groups(); ++group, bytes += 4) {
                for (std::size_t lane = 0; lane < lanes; ++lane, weight += 4) {
                    for (std::size_t k = 0; k < 4; ++k) {
                        sums[lane] += weight[k] * static_cast<std::int8_t>(bytes[k]);
                    }
                }
            }
            float* product = products + i * step + block * lanes;
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                product[lane] =
                    static_cast<float>(sums[lane]) * vectors.units[i] * scales[lane] + biases[lane];
            }
        }
    }
}

#ifdef PLAIT_X86_PRODUCTS

namespace {

// What a tile multiplies: a few vectors by a few blocks of rows, so that all sums stay in registers.
struct Tile {
    const Matrix& matrix;
    const Rounded& vectors;
    float* products;
    std::size_t step;
};

inline std::int32_t four_bytes(const std::uint8_t* from) {
    std::int32_t value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

#define PLAIT_VNNI __attribute__((target("avx512f,avx512vnni")))
#define PLAIT_AVX2 __attribute__((target("avx2")))

// _mm512_dpbusd_epi32 in place: GCC copies the sums otherwise, which takes half of the speed.
PLAIT_VNNI inline void add_products(__m512i& sums, __m512i value, __m512i weight) {
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(value), "v"(weight));
}

template <std::size_t Vectors, std::size_t Blocks>
PLAIT_VNNI void tile_vnni(const Tile& tile, std::size_t first, std::size_t block) {
    const Matrix& matrix = tile.matrix;
    const std::size_t groups = matrix.groups(), block_bytes = matrix.block_bytes(),
                      stride = tile.vectors.stride;
    const std::int8_t* weights = matrix.block(block);
    const std::uint8_t* bytes = tile.vectors.bytes.data() + first * stride;
    __m512i sums[Vectors][Blocks];
#pragma GCC unroll 8
    for (std::size_t b = 0; b < Blocks; ++b) {
        const __m512i start = _mm512_loadu_si512(matrix.starts() + (block + b) * lanes);
#pragma GCC unroll 8
        for (std::size_t v = 0; v < Vectors; ++v) sums[v][b] = start;
    }
    for (std::size_t group = 0; group < groups; ++group) {
        __m512i weight[Blocks];
#pragma GCC unroll 8
        for (std::size_t b = 0; b < Blocks; ++b) {
            weight[b] = _mm512_loadu_si512(weights + b * block_bytes + group * 4 * lanes);
        }
#pragma GCC unroll 8
        for (std::size_t v = 0; v < Vectors; ++v) {
            const __m512i value = _mm512_set1_epi32(four_bytes(bytes + v * stride + group * 4));
#pragma GCC unroll 8
            for (std::size_t b = 0; b < Blocks; ++b) {
                add_products(sums[v][b], value, weight[b]);
            }
        }
    }
#pragma GCC unroll 8
    for (std::size_t b = 0; b < Blocks; ++b) {
        const __m512 scale = _mm512_loadu_ps(matrix.scales() + (block + b) * lanes);
        const __m512 bias = _mm512_loadu_ps(matrix.biases() + (block + b) * lanes);
#pragma GCC unroll 8
        for (std::size_t v = 0; v < Vectors; ++v) {
            const __m512 unit = _mm512_set1_ps(tile.vectors.units[first + v]);
            const __m512 product = _mm512_mul_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sums[v][b]), unit), scale);
            _mm512_storeu_ps(tile.products + (first + v) * tile.step + (block + b) * lanes,
                             _mm512_add_ps(product, bias));
        }
    }
}

template <std::size_t Vectors>
void tiles_vnni(const Tile& tile, std::size_t first, std::size_t block, std::size_t blocks) {
    if (blocks == 4) return tile_vnni<Vectors, 4>(tile, first, block);
    if (blocks == 3) return tile_vnni<Vectors, 3>(tile, first, block);
    if (blocks == 2) return tile_vnni<Vectors, 2>(tile, first, block);
    tile_vnni<Vectors, 1>(tile, first, block);
}

// 16 rows by some vectors. Bytes are multiplied in pairs that must not leave 16 bits: so the weights without
// their signs, which go to the values.
template <std::size_t Vectors>
PLAIT_AVX2 void tile_avx2(const Tile& tile, std::size_t first, std::size_t block) {
    const Matrix& matrix = tile.matrix;
    const std::size_t groups = matrix.groups(), stride = tile.vectors.stride;
    const std::int8_t* weights = matrix.block(block);
    const std::uint8_t* bytes = tile.vectors.bytes.data() + first * stride;
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i sums[Vectors][2];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < Vectors; ++v) sums[v][0] = sums[v][1] = _mm256_setzero_si256();
    for (std::size_t group = 0; group < groups; ++group) {
        const __m256i* place = reinterpret_cast<const __m256i*>(weights + group * 4 * lanes);
        const __m256i weight[2] = {_mm256_loadu_si256(place), _mm256_loadu_si256(place + 1)};
        const __m256i size[2] = {_mm256_abs_epi8(weight[0]), _mm256_abs_epi8(weight[1])};
#pragma GCC unroll 8
        for (std::size_t v = 0; v < Vectors; ++v) {
            const __m256i value = _mm256_set1_epi32(four_bytes(bytes + v * stride + group * 4));
#pragma GCC unroll 2
            for (std::size_t half = 0; half < 2; ++half) {
                const __m256i pairs = _mm256_maddubs_epi16(size[half], _mm256_sign_epi8(value, weight[half]));
                sums[v][half] = _mm256_add_epi32(sums[v][half], _mm256_madd_epi16(pairs, ones));
            }
        }
    }
#pragma GCC unroll 2
    for (std::size_t half = 0; half < 2; ++half) {
        const std::size_t row = block * lanes + half * lanes / 2;
        const __m256 scale = _mm256_loadu_ps(matrix.scales() + row);
        const __m256 bias = _mm256_loadu_ps(matrix.biases() + row);
#pragma GCC unroll 8
        for (std::size_t v = 0; v < Vectors; ++v) {
            const __m256 unit = _mm256_set1_ps(tile.vectors.units[first + v]);
            const __m256 product =
                _mm256_mul_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(sums[v][half]), unit), scale);
            _mm256_storeu_ps(tile.products + (first + v) * tile.step + row, _mm256_add_ps(product, bias));
        }
    }
}

}  // namespace

void products_vnni(const Matrix& matrix, const Rounded& vectors, std::size_t count, float* products,
                   std::size_t step) {
    constexpr std::size_t at_once = 6, most_blocks = 4;
    const Tile tile{matrix, vectors, products, step};
    for (std::size_t block = 0; block < matrix.blocks(); block += most_blocks) {
        const std::size_t blocks = std::min(most_blocks, matrix.blocks() - block);
        std::size_t i = 0;
        for (; i + at_once <= count; i += at_once) tiles_vnni<at_once>(tile, i, block, blocks);
        switch (count - i) {
            case 5:
                tiles_vnni<5>(tile, i, block, blocks);
                break;
            case 4:
                tiles_vnni<4>(tile, i, block, blocks);
                break;
            case 3:
                tiles_vnni<3>(tile, i, block, blocks);
                break;
            case 2:
                tiles_vnni<2>(tile, i, block, blocks);
                break;
            case 1:
                tiles_vnni<1>(tile, i, block, blocks);
                break;
            default:
                break;
        }
    }
}

void products_avx2(const Matrix& matrix, const Rounded& vectors, std::size_t count, float* products,
                   std::size_t step) {
    constexpr std::size_t at_once = 4;
    const Tile tile{matrix, vectors, products, step};
    for (std::size_t block = 0; block < matrix.blocks(); ++block) {
        std::size_t i = 0;
        for (; i + at_once <= count; i += at_once) tile_avx2<at_once>(tile, i, block);
        switch (count - i) {
            case 3:
                tile_avx2<3>(tile, i, block);
                break;
            case 2:
                tile_avx2<2>(tile, i, block);
                break;
            case 1:
                tile_avx2<1>(tile, i, block);
                break;
            default:
                break;
        }
    }
}

#endif

}  // namespace plait::neural
