#pragma once
// Everything about architectures: shapes, plans, counts, schedules, search. Standard library only;
// arch/hana.hpp is apart because it needs Boost.

#include <tailor/arch/budget.hpp>            // parameters, same_budget
#include <tailor/arch/compute.hpp>           // forward_flops_per_token, sequential_depth
#include <tailor/arch/describe.hpp>          // describe, operator<<
#include <tailor/arch/dims.hpp>              // Dims
#include <tailor/arch/memory.hpp>            // activation_bytes, optimizer_bytes
#include <tailor/arch/names.hpp>             // name_of, from_name
#include <tailor/arch/plan.hpp>              // Plan
#include <tailor/arch/plan_of.hpp>           // plan_of, uniform_plan, with_widths
#include <tailor/arch/published_widths.hpp>  // llama_width, open_elm_widths
#include <tailor/arch/rounding.hpp>          // round_to_budget
#include <tailor/arch/schedule_types.hpp>    // CosineTaper and the others
#include <tailor/arch/schedules.hpp>         // cosine_taper and the others
#include <tailor/arch/search.hpp>            // search
#include <tailor/arch/shape.hpp>             // Conventional, Hourglass, LayerwiseWidths, Layerwise
#include <tailor/arch/transformer.hpp>       // Transformer
#include <tailor/arch/validate.hpp>          // validate
