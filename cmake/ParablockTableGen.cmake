# What tablegen makes of .td files, said once: a folder names its file and what is
# in it. ParablockTableGen is all of it; libraries depend on that.

# The target of what was made in the caller's folder.
macro(parablock_add_tablegen_target name)
  add_public_tablegen_target(Parablock${name}IncGen)
  if(NOT TARGET ParablockTableGen)
    add_custom_target(ParablockTableGen)
  endif()
  add_dependencies(ParablockTableGen Parablock${name}IncGen)
endmacro()

# parablock_add_dialect(Name file dialect [ENUMS] [ATTRS] [TYPES] [APART regex] [INTERFACES file...])
# NameDialect.h.inc, NameEnums.h.inc, ... and the .cpp.inc of each, of `file`.td, with
# its ops as `file`.h.inc; a file of interfaces, or of type constraints that have a
# C++ function, under its own name.
function(parablock_add_dialect name file dialect)
  cmake_parse_arguments(ARG "ENUMS;ATTRS;TYPES" "APART" "INTERFACES;CONSTRAINTS" ${ARGN})
  set(LLVM_TARGET_DEFINITIONS ${file}.td)
  mlir_tablegen(${name}Dialect.h.inc -gen-dialect-decls -dialect=${dialect})
  mlir_tablegen(${name}Dialect.cpp.inc -gen-dialect-defs -dialect=${dialect})
  # Ops whose names match APART are in a header of their own.
  set(without)
  if(ARG_APART)
    set(without --op-exclude-regex=${ARG_APART})
  endif()
  mlir_tablegen(${file}.h.inc -gen-op-decls ${without})
  mlir_tablegen(${file}.cpp.inc -gen-op-defs ${without})
  if(ARG_ENUMS)
    mlir_tablegen(${name}Enums.h.inc -gen-enum-decls)
    mlir_tablegen(${name}Enums.cpp.inc -gen-enum-defs)
  endif()
  if(ARG_ATTRS)
    mlir_tablegen(${name}Attrs.h.inc -gen-attrdef-decls -attrdefs-dialect=${dialect})
    mlir_tablegen(${name}Attrs.cpp.inc -gen-attrdef-defs -attrdefs-dialect=${dialect})
  endif()
  if(ARG_TYPES)
    mlir_tablegen(${name}Types.h.inc -gen-typedef-decls -typedefs-dialect=${dialect})
    mlir_tablegen(${name}Types.cpp.inc -gen-typedef-defs -typedefs-dialect=${dialect})
  endif()
  foreach(interface ${ARG_INTERFACES})
    set(LLVM_TARGET_DEFINITIONS ${interface}.td)
    mlir_tablegen(${interface}.h.inc -gen-op-interface-decls)
    mlir_tablegen(${interface}.cpp.inc -gen-op-interface-defs)
  endforeach()
  foreach(constraints ${ARG_CONSTRAINTS})
    set(LLVM_TARGET_DEFINITIONS ${constraints}.td)
    mlir_tablegen(${constraints}.h.inc -gen-type-constraint-decls)
    mlir_tablegen(${constraints}.cpp.inc -gen-type-constraint-defs)
  endforeach()
  parablock_add_tablegen_target(${name})
endfunction()

# parablock_add_passes(Name): the declarations of Passes.td.
function(parablock_add_passes name)
  set(LLVM_TARGET_DEFINITIONS Passes.td)
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name=${name})
  parablock_add_tablegen_target(${name})
endfunction()
