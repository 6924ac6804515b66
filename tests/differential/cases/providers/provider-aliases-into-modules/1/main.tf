terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}
provider "random" {}
provider "random" { alias = "second" }
provider "random" { alias = "third" }
resource "random_integer" "root" {
  provider = random.second
  min      = 1
  max      = 1
}
module "inherits" {
  source = "./child"
}
module "passes" {
  source = "./aliased"
  count  = 2
  providers = {
    random      = random.second
    random.main = random
    random.extra = random.third
  }
}
output "numbers" { value = [random_integer.root.result, module.inherits.n, module.passes[*].all] }
