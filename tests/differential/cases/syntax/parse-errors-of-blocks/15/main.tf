locals {
  a = 1 ? 2
  b = 1 ? : 2
  c = x..y
  d = x.
  e = [*]
  f = a[
}
