locals {
  a = "a"
}
