# Included after llama.cpp's `project()`: parsers of models' answers, downloads and command lines, which nothing here calls, are
# two fifths of its compilation.
set(LLAMA_BUILD_COMMON OFF)
