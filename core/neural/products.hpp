// Products of packed matrices with rounded vectors, one function for each kind of machine.
#pragma once

#include "core/neural/matrix.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define PLAIT_X86_PRODUCTS
#endif

namespace plait::neural {

void products_plain(const Matrix& matrix, const Rounded& vectors, std::size_t count, float* products,
                    std::size_t step);
#ifdef PLAIT_X86_PRODUCTS
void products_avx2(const Matrix& matrix, const Rounded& vectors, std::size_t count, float* products,
                   std::size_t step);
void products_vnni(const Matrix& matrix, const Rounded& vectors, std::size_t count, float* products,
                   std::size_t step);
#endif

}  // namespace plait::neural
