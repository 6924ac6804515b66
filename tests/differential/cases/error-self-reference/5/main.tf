locals {
  x = local.x
}
