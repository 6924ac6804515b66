provider "null" {
  version = "1"
}
provider "random" {
  alias = "x-"
}
provider "random" {
  alias = "1x"
  version = "nope"
}
provider "random" {
  alias = var.x
  version = var.x
}
