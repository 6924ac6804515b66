locals {
  first   = "first"
  numbers = [10, 20, 30]
}
