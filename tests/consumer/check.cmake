# Installs the build tree BUILD, moves the result, and builds a clean project against it: with core
# alone while every dependency is hidden, with geometry alone, with all parts, and with a part whose
# dependency is hidden.
#   cmake -DBUILD=... -DWORK=... -DCOMPILER=... -P check.cmake

function(run expected)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT result EQUAL 0 AND expected STREQUAL "success")
    message(FATAL_ERROR "This failed: ${ARGN}\n${said}")
  elseif(result EQUAL 0 AND NOT expected STREQUAL "success")
    message(FATAL_ERROR "This succeeded, but was expected to fail: ${ARGN}\n${said}")
  endif()
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  string(FIND "${said}" "${expected}" position)
  if(NOT expected STREQUAL "success" AND position LESS 0)
    message(FATAL_ERROR "Expected the words: ${expected}\nfrom: ${ARGN}\n${said}")
  endif()
endfunction()

function(configure expected name)
  run("${expected}" ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/${name} -G Ninja
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${WORK}/moved ${ARGN})
endfunction()

set(without_json -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON)
set(without_dependencies ${without_json} -DCMAKE_DISABLE_FIND_PACKAGE_Threads=ON)

file(REMOVE_RECURSE ${WORK})
run(success ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
file(RENAME ${WORK}/installed ${WORK}/moved)

configure(success core -DCOMPONENTS=core ${without_dependencies})
run(success ${CMAKE_COMMAND} --build ${WORK}/core)
run(success ${WORK}/core/uses_core)

configure(success geometry -DCOMPONENTS=geometry ${without_json})
run(success ${CMAKE_COMMAND} --build ${WORK}/geometry)
run(success ${WORK}/geometry/uses_geometry)

configure(success all -DCOMPONENTS=core,cpu,geometry,io,tailor)
run(success ${CMAKE_COMMAND} --build ${WORK}/all)
foreach(component IN ITEMS core cpu geometry io tailor)
  run(success ${WORK}/all/uses_${component})
endforeach()

# The README's program compiles as it stands there.
file(READ ${CMAKE_CURRENT_LIST_DIR}/../../README.md readme)
string(REGEX MATCH "```cpp\n(.*)" program "${readme}")
string(REGEX REPLACE "\n```.*" "" program "${CMAKE_MATCH_1}")
file(WRITE ${WORK}/readme.cpp "${program}\n")
configure(success readme -DCOMPONENTS=tailor -DSOURCE=${WORK}/readme.cpp)
run(success ${CMAKE_COMMAND} --build ${WORK}/readme)

configure("tailor component io: nlohmann_json was not found" missing
  -DCOMPONENTS=io ${without_json})
configure("tailor component cuda: there is no such component" unknown -DCOMPONENTS=cuda)
