# The layers of the library, the lowest first, with the public headers that each declares. A part finds headers of its own
# layer and of those below it, and no others: its include folder holds links to just these, so that an include that points
# upwards does not compile.
set(layers text math options mechanism elements formulation integration system analysis simulation ensemble gradients fmu io hdf5 sweep optimize drive c_interface export)
set(headers_of_text version.h)
set(headers_of_math math.hpp function.hpp height_map.hpp signal_expression.hpp)
set(headers_of_options registry.hpp run_options.hpp)
set(headers_of_mechanism diagnostic.hpp bodies.hpp wrench.hpp companion.hpp signals.hpp joints.hpp loads.hpp velocity_constraints.hpp mechanism.hpp fields.hpp element.hpp specs specs.hpp builder.hpp)
set(headers_of_formulation context.hpp step_status.hpp)
set(headers_of_system motion.hpp sink.hpp system.hpp)
set(headers_of_analysis analysis.hpp)
set(headers_of_simulation simulation.hpp)
set(headers_of_ensemble ensemble.hpp)
set(headers_of_gradients gradients.hpp adjoint.hpp)
set(headers_of_io io.hpp formats.hpp csv_sink.hpp scene.hpp)
set(headers_of_drive wire.h)
set(headers_of_c_interface cardan.h)

set(below)  # folders
set(headers)
foreach(layer ${layers})
  list(APPEND below ${layer})
  list(APPEND headers ${headers_of_${layer}})
  set(seen ${CMAKE_BINARY_DIR}/layers/${layer})
  file(REMOVE_RECURSE ${seen})
  file(MAKE_DIRECTORY ${seen}/cardan)
  foreach(folder ${below})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${folder} ${seen}/${folder} SYMBOLIC)
  endforeach()
  foreach(header ${headers})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/cardan/${header} ${seen}/cardan/${header} SYMBOLIC)
  endforeach()
endforeach()

#   cardan_see_layers(TARGET FOLDER)   lets a part see what the layer of its folder may
function(cardan_see_layers target folder)
  string(REGEX REPLACE "/.*" "" layer ${folder})
  target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/layers/${layer})
endfunction()
