# Passes when SOURCE does not compile and the compiler says the sentence of the file's first line,
# `// expect: <sentence>`. A file in control/ says nothing and has to compile, which shows that the
# command itself works.
#   cmake -DCOMPILER=... -DSOURCE=... -DFLAGS=... -P check.cmake

file(READ ${SOURCE} first)
string(REGEX REPLACE "\n.*" "" first "${first}")
execute_process(COMMAND ${COMPILER} -std=c++20 -fsyntax-only ${FLAGS} ${SOURCE}
  RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)

if(first MATCHES "^// expect: (.+)$")
  set(sentence "${CMAKE_MATCH_1}")
  string(FIND "${said}" "${sentence}" position)
  if(result EQUAL 0)
    message(FATAL_ERROR "This compiled, but was expected to fail with: ${sentence}")
  elseif(position LESS 0)
    message(FATAL_ERROR "Expected the sentence: ${sentence}\nThe compiler said:\n${said}")
  endif()
elseif(NOT SOURCE MATCHES "/control/")
  message(FATAL_ERROR "The first line has to be: // expect: <sentence>")
elseif(NOT result EQUAL 0)
  message(FATAL_ERROR "This has to compile. The compiler said:\n${said}")
endif()
