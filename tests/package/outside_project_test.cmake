# Run by ctest: cmake -D BUILD=... -D OUTSIDE=... -D README=... -D WORK=... -D GENERATOR=... -D COMPILER=... -D VERSION=... -P this
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}\nended with ${code}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${WORK}/prefix/bin/cardan --version)
if(NOT output MATCHES "${VERSION}")
  message(FATAL_ERROR "the installed program says it is version ${output}, not ${VERSION}")
endif()
# The project's source is the example of the README, so that what stands there compiles and is true.
file(READ ${README} text)
string(FIND "${text}" "```cpp\n" begin)
math(EXPR begin "${begin} + 7")
string(SUBSTRING "${text}" ${begin} -1 text)
string(FIND "${text}" "```" end)
string(SUBSTRING "${text}" 0 ${end} text)
file(WRITE ${WORK}/main.cpp "${text}")

run(${CMAKE_COMMAND} -S ${OUTSIDE} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER}
    -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_BUILD_TYPE=Debug -D CARDAN_VERSION=${VERSION}
    -D EXAMPLE=${WORK}/main.cpp)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/outside)
# phi'' = 11.772 sin(phi), phi(0) = 0, phi'(0) = 1 gives phi(1) = 3.40535; the crank's angle is pi/2 - phi(1) = -1.83456.
if(NOT output MATCHES "^crank angle at 1 s: -1\\.834[56]")
  message(FATAL_ERROR "the outside project printed: ${output}")
endif()
message(STATUS "${output}")
