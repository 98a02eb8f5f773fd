# A text as a C++ raw string: cmake -DINPUT=FILE -DOUTPUT=FILE -P EmbedText.cmake
file(READ ${INPUT} text)
file(WRITE ${OUTPUT} "R\"text(${text})text\"\n")
