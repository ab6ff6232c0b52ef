# What each component needs beyond a C++20 compiler. The build and the installed package both read
# this file, so that they cannot disagree.

# Finds the packages of a component. `missing` becomes empty, or a sentence that says what is missing.
# A macro: the packages' variables belong to the caller.
macro(tailor_find_dependencies component missing)
  set(${missing} "")
  if("${component}" MATCHES "^(geometry|cpu|tailor)$")
    find_package(Threads QUIET)
    if(NOT Threads_FOUND)
      string(APPEND ${missing} "a threads library was not found. ")
    endif()
  endif()
  if("${component}" MATCHES "^(io|tailor)$")
    find_package(nlohmann_json QUIET)
    if(NOT nlohmann_json_FOUND)
      string(APPEND ${missing} "nlohmann_json was not found (Debian: nlohmann-json3-dev). ")
    endif()
  endif()
  if("${component}" STREQUAL "tailor")
    find_package(Boost 1.70 QUIET CONFIG)
    if(NOT Boost_FOUND)
      string(APPEND ${missing} "Boost.Math was not found (Debian: libboost-dev). ")
    endif()
  endif()
endmacro()
