terraform {
 required_providers {
 rnd = { source = "hashicorp/random" }
 }
}
provider "rnd" {}
resource "random_pet" "x" { provider = rnd }
