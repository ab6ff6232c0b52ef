# The library's targets. Each is a component of the package under the same name; one whose dependency
# is not installed is left out, so that tailor::core can be had with nothing but a compiler.

include(${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake)

set(TAILOR_COMPONENTS)

# A project that takes tailor by add_subdirectory links these targets from its own folders.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)

# tailor_component(NAME [LINK target...]) defines tailor::NAME where its dependencies are found.
function(tailor_component name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK")
  tailor_find_dependencies(${name} missing)
  if(missing)
    message(STATUS "tailor::${name} is left out: ${missing}")
    return()
  endif()
  add_library(tailor_${name} INTERFACE)
  add_library(tailor::${name} ALIAS tailor_${name})
  set_target_properties(tailor_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(tailor_${name} INTERFACE cxx_std_20)
  target_include_directories(tailor_${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
  target_link_libraries(tailor_${name} INTERFACE ${arg_LINK})
  set(TAILOR_COMPONENTS ${TAILOR_COMPONENTS} ${name} PARENT_SCOPE)
endfunction()

tailor_component(core)
tailor_component(cpu LINK tailor_core Threads::Threads)
tailor_component(geometry LINK tailor_core tailor_cpu)
tailor_component(io LINK tailor_core nlohmann_json::nlohmann_json)
if(TARGET tailor_geometry AND TARGET tailor_cpu AND TARGET tailor_io)
  tailor_component(tailor LINK tailor_core tailor_geometry tailor_cpu tailor_io Boost::headers)
endif()
