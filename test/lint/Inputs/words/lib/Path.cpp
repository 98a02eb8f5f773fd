// see /home/somebody/notes and /tmp/scratch
// but not docs/home/page.md or %t/tmp/x
