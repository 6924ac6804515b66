locals {
  a.b = 1
  "c" = 2
  3 = 4
}
