resource "a" b.c {}
