# Targets: kinescope_ik::kinescope_ik (the shared library) and kinescope_ik::static.
include(CMakeFindDependencyMacro)
find_dependency(Threads)

get_filename_component(_kinescope_ik_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_kinescope_ik_lib "${_kinescope_ik_prefix}/lib")

if(NOT TARGET kinescope_ik::kinescope_ik)
  add_library(kinescope_ik::kinescope_ik SHARED IMPORTED)
  set_target_properties(kinescope_ik::kinescope_ik PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_kinescope_ik_prefix}/include")
  if(WIN32)
    set_target_properties(kinescope_ik::kinescope_ik PROPERTIES
      IMPORTED_LOCATION "${_kinescope_ik_prefix}/bin/kinescope.dll" IMPORTED_IMPLIB "${_kinescope_ik_lib}/kinescope.dll.lib")
  elseif(APPLE)
    set_target_properties(kinescope_ik::kinescope_ik PROPERTIES IMPORTED_LOCATION "${_kinescope_ik_lib}/libkinescope.dylib")
  else()
    # The library has no SONAME, so that the program must look for it by its name alone.
    set_target_properties(kinescope_ik::kinescope_ik PROPERTIES
      IMPORTED_LOCATION "${_kinescope_ik_lib}/libkinescope.so" IMPORTED_NO_SONAME TRUE)
  endif()
endif()

if(NOT TARGET kinescope_ik::static)
  add_library(kinescope_ik::static STATIC IMPORTED)
  set_target_properties(kinescope_ik::static PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_kinescope_ik_prefix}/include")
  if(WIN32)
    set_target_properties(kinescope_ik::static PROPERTIES
      IMPORTED_LOCATION "${_kinescope_ik_lib}/kinescope.lib" INTERFACE_LINK_LIBRARIES "ws2_32;userenv;ntdll;bcrypt")
  else()
    set_target_properties(kinescope_ik::static PROPERTIES
      IMPORTED_LOCATION "${_kinescope_ik_lib}/libkinescope.a" INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
  endif()
endif()

unset(_kinescope_ik_prefix)
unset(_kinescope_ik_lib)
