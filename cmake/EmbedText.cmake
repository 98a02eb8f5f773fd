# Texts as C++ raw strings, which the compiler joins:
# cmake "-DINPUT=FILE;FILE" -DOUTPUT=FILE -P EmbedText.cmake
file(WRITE ${OUTPUT} "")
foreach(input IN LISTS INPUT)
  file(READ ${input} text)
  file(APPEND ${OUTPUT} "R\"text(${text})text\"\n")
endforeach()
