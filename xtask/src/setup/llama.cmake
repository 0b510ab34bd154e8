# Included after llama.cpp's `project()`: parsers of models' answers, downloads and command lines, which nothing here calls, are
# two fifths of its compilation. With a graphics processor, one of them says how much of a model fits into its memory.
if(NOT DEFINED ENV{QUARTET_LLAMA_COMMON})
    set(LLAMA_BUILD_COMMON OFF)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include \"${CMAKE_CURRENT_LIST_DIR}/llama.h\">")
endif()
