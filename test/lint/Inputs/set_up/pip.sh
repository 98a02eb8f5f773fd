#!/bin/sh
# Stands for python -m pip install: unpacks $PTXAS as the wheel does.
case "$*" in
  "-m pip install "*) ;;
  *) exit 1 ;;
esac
folder="$(dirname "$0")/../cu13/bin"
mkdir -p "$folder" && cp "$PTXAS" "$folder/ptxas"
