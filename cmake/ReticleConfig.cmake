# ReticleConfig.cmake - find_package(Reticle): reticle_instrument(TARGET...) measures targets.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   find_package(Reticle REQUIRED)
#   add_executable(app app.c)
#   reticle_instrument(app)
#
# Executables and shared libraries are compiled with the plug-in and linked with the runtime; object
# and static libraries are compiled with the plug-in, and hand the runtime on to what links them.
# Imported target: Reticle::runtime.
cmake_minimum_required(VERSION 3.15)

# This file is PREFIX/lib/cmake/Reticle/ReticleConfig.cmake, in an installation and in a build tree.
get_filename_component(_reticle_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_reticle_lib "${_reticle_prefix}/lib/reticle")
set(RETICLE_PLUGIN "${_reticle_lib}/reticle.so")
set(RETICLE_RUNTIME "${_reticle_lib}/libreticle_rt.a")
# Compiling for another machine: the runtime for that one.
if(CMAKE_SYSTEM_PROCESSOR AND NOT CMAKE_SYSTEM_PROCESSOR STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
  set(RETICLE_RUNTIME "${_reticle_lib}/${CMAKE_SYSTEM_PROCESSOR}-linux-gnu/libreticle_rt.a")
endif()

foreach(_reticle_part IN ITEMS "${RETICLE_PLUGIN}" "${RETICLE_RUNTIME}")
  if(NOT EXISTS "${_reticle_part}")
    set(Reticle_FOUND FALSE)
    set(Reticle_NOT_FOUND_MESSAGE "${_reticle_part}: not there; build or install Reticle again")
    return()
  endif()
endforeach()

if(NOT TARGET Reticle::runtime)
  add_library(Reticle::runtime INTERFACE IMPORTED)
  set_target_properties(Reticle::runtime PROPERTIES
    INTERFACE_LINK_DEPENDS "${RETICLE_RUNTIME}"
    INTERFACE_INCLUDE_DIRECTORIES "${_reticle_prefix}/include"
    # One word, so that neither order nor removal of duplicates takes it apart.
    INTERFACE_LINK_OPTIONS "LINKER:--push-state,--whole-archive,${RETICLE_RUNTIME},--pop-state;LINKER:--export-dynamic-symbol=__reticle_*")
endif()

function(reticle_instrument)
  foreach(target IN LISTS ARGN)
    foreach(language IN ITEMS C CXX)
      if(CMAKE_${language}_COMPILER AND NOT CMAKE_${language}_COMPILER_ID STREQUAL "Clang")
        message(FATAL_ERROR "reticle_instrument(${target}): Reticle is a plug-in of clang, but "
          "CMAKE_${language}_COMPILER is ${CMAKE_${language}_COMPILER}; configure with "
          "-DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19")
      endif()
    endforeach()
    # First, so that a -g option of the target's own wins.
    target_compile_options(${target} BEFORE PRIVATE
      "$<$<COMPILE_LANGUAGE:C,CXX>:-g;-fplugin=${RETICLE_PLUGIN}>")
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY" OR type STREQUAL "OBJECT_LIBRARY")
      set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES Reticle::runtime)
    else()
      # Not target_link_libraries: a target can't mix its two signatures, and we don't know the caller's.
      set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES Reticle::runtime)
    endif()
  endforeach()
endfunction()
