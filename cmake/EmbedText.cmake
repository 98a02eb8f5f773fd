# Texts as C++ raw strings, which the compiler joins, or with a separator a list of them:
# cmake "-DINPUT=FILE;FILE" -DOUTPUT=FILE [-DSEPARATOR=,] -P EmbedText.cmake
file(WRITE ${OUTPUT} "")
foreach(input IN LISTS INPUT)
  file(READ ${input} text)
  file(APPEND ${OUTPUT} "R\"text(${text})text\"${SEPARATOR}\n")
endforeach()
