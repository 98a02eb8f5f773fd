#!/bin/sh
# A model that returns anything is interesting.
grep -q "return" "$1"
