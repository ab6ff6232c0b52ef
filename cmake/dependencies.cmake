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
  if("${component}" MATCHES "^(cpu|tailor)$")
    find_package(Eigen3 QUIET NO_MODULE)
    if(NOT Eigen3_FOUND)
      string(APPEND ${missing} "Eigen 3.4 or 5 was not found (Debian: libeigen3-dev). ")
    elseif(Eigen3_VERSION VERSION_LESS 3.4 OR Eigen3_VERSION VERSION_GREATER_EQUAL 6)
      string(APPEND ${missing} "Eigen ${Eigen3_VERSION} was found, but 3.4 or 5 is needed. ")
    endif()
  endif()
  if("${component}" MATCHES "^(io|tailor)$")
    find_package(nlohmann_json QUIET)
    if(NOT nlohmann_json_FOUND)
      string(APPEND ${missing} "nlohmann_json was not found (Debian: nlohmann-json3-dev). ")
    endif()
  endif()
endmacro()
