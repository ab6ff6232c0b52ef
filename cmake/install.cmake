# Installs the headers and the package. One export set per component, so that a component whose
# dependency is absent does not stand in the way of the others.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tailor)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

foreach(component IN LISTS TAILOR_COMPONENTS)
  install(TARGETS tailor_${component} EXPORT tailor-${component}-targets
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT tailor-${component}-targets NAMESPACE tailor:: DESTINATION ${package_dir})
endforeach()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/tailor-config.cmake.in
  ${PROJECT_BINARY_DIR}/tailor-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/tailor-config-version.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
  ${PROJECT_BINARY_DIR}/tailor-config.cmake
  ${PROJECT_BINARY_DIR}/tailor-config-version.cmake
  ${PROJECT_SOURCE_DIR}/cmake/dependencies.cmake
  DESTINATION ${package_dir})
