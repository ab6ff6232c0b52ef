#pragma once
// Everything about allocation: from difficulties to widths to a header. Standard library only.

#include <tailor/allocation/allocate.hpp>      // allocate, Allocation
#include <tailor/allocation/dims_of.hpp>       // dims_of
#include <tailor/allocation/header.hpp>        // header_text
#include <tailor/allocation/optimizer.hpp>     // optimize_widths, kkt_residual
#include <tailor/allocation/smoothing.hpp>     // smooth
#include <tailor/allocation/surrogate.hpp>     // Surrogate, surrogate_error
#include <tailor/allocation/width_budget.hpp>  // width_budget
