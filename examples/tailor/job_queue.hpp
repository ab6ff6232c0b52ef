#pragma once
// Training runs side by side, one device each.

#include <functional>
#include <vector>

#include <tailor/train/corpus.hpp>  // tailor::Corpus

#include "engine.hpp"
#include "progress.hpp"

namespace tailor_program {

struct Job {
  std::string label;  ///< for progress: the rule and the seed
  Run run;
};

/// The records of all jobs, in their order; those finished in their folders are read, not repeated.
/// The first job that fails ends the others at their next step, with their state saved.
/// Throws Interrupted after Ctrl-C, and what a job threw, with its label in front.
std::vector<RunRecord> perform_all(std::vector<Job> const& jobs, tailor::Corpus const& corpus,
                                   int side_by_side, int threads_each, Progress& progress);

}  // namespace tailor_program
