locals {
  a = 1
}
locals {
  a = 2
}
locals "x" {
  b = 1
}
locals {
  foo {
    x = 1
  }
}
