#pragma once
// The geometry of token clouds, whole. It needs a device for its products: tailor/cpu.hpp has one.

#include <tailor/geometry/assignment.hpp>             // assign
#include <tailor/geometry/bottleneck.hpp>             // bottleneck
#include <tailor/geometry/correlation_dimension.hpp>  // correlation_dimension
#include <tailor/geometry/diagram_csv.hpp>            // diagram_csv, parse_diagram_csv
#include <tailor/geometry/dimension.hpp>              // two_nn_mle, two_nn_fit, participation_ratio
#include <tailor/geometry/distances.hpp>              // distances
#include <tailor/geometry/gromov_wasserstein.hpp>     // gromov_wasserstein
#include <tailor/geometry/gromov_wasserstein_entropic.hpp>  // gromov_wasserstein_entropic
#include <tailor/geometry/gromov_wasserstein_exact.hpp>     // gromov_wasserstein_exact
#include <tailor/geometry/levina_bickel.hpp>                // levina_bickel
#include <tailor/geometry/measure.hpp>                      // measure, Profile
#include <tailor/geometry/metric.hpp>              // Euclidean, Spherical, Poincare, Hyperbolic
#include <tailor/geometry/rips_h1.hpp>             // rips_h1
#include <tailor/geometry/shift.hpp>               // shift
#include <tailor/geometry/transport.hpp>           // transport
#include <tailor/geometry/wasserstein.hpp>         // wasserstein1, wasserstein2
#include <tailor/geometry/weighted_distances.hpp>  // WeightedDistances
#include <tailor/geometry/work.hpp>                // work
