# `cmake --install build/release --prefix DIR` gives headers, library, program and a package for find_package(cardan).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(CARDAN_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/cardan)
install(TARGETS cardan EXPORT cardanTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/cardan DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(TARGETS cardan_c EXPORT cardanTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Found from where it is, so that --prefix may be anything.
file(RELATIVE_PATH CARDAN_UP_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/cardan_c.pc.in cardan_c.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cardan_c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/cardan)
# What the program says of its own model files.
install(CODE "execute_process(COMMAND $<TARGET_FILE:cardan_program> schema COMMAND_ERROR_IS_FATAL ANY
  OUTPUT_FILE \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/cardan/cardan.schema.json)")
install(EXPORT cardanTargets NAMESPACE cardan:: DESTINATION ${CARDAN_PACKAGE_DIR})
configure_package_config_file(cmake/cardanConfig.cmake.in cardanConfig.cmake INSTALL_DESTINATION ${CARDAN_PACKAGE_DIR})
write_basic_package_version_file(cardanConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cardanConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/cardanConfigVersion.cmake
        DESTINATION ${CARDAN_PACKAGE_DIR})
