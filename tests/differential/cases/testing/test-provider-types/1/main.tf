terraform {
  required_providers {
    a = { source = "x/a" }
    b = { source = "x/b" }
  }
}
provider "b" {
}
