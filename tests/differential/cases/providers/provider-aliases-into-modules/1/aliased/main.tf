terraform {
  required_providers {
    random = {
      source                = "hashicorp/random"
      configuration_aliases = [random.main, random.extra]
    }
  }
}
resource "random_integer" "default" {
  min = 3
  max = 3
}
resource "random_integer" "main" {
  provider = random.main
  min      = 4
  max      = 4
}
module "below" {
  source    = "../child"
  providers = { random = random.extra }
}
output "all" { value = [random_integer.default.result, random_integer.main.result, module.below.n] }
