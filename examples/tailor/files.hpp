#pragma once
// JSON files in and out, each failure one message that names the file.

#include <filesystem>
#include <nlohmann/json.hpp>

#include <tailor/arch/plan.hpp>  // tailor::Plan

namespace tailor_program {

/// Throws std::invalid_argument: unreadable, or not JSON and where.
nlohmann::json read_json(std::filesystem::path const& file);

/// Written whole or not at all.
void write_json(std::filesystem::path const& file, nlohmann::json const& content);

/// A plan that is valid; std::invalid_argument names file and field.
tailor::Plan read_plan(std::filesystem::path const& file);

/// Throws std::invalid_argument where `file` could not be written: its folder is missing or not to
/// be written to, or it is a folder or a device itself. For asking before long work.
void check_output(std::filesystem::path const& file);

/// Throws std::invalid_argument where `folder` is something else than a folder.
void check_output_folder(std::filesystem::path const& folder);

/// Removes what a killed process left half-written in a folder.
void sweep_partial_files(std::filesystem::path const& folder);

/// Creates a folder and those above it.
void make_folder(std::filesystem::path const& folder);

}  // namespace tailor_program
