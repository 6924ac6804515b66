terraform {
  required_providers {
    random = {
      source                = "hashicorp/random"
      configuration_aliases = [random.main]
    }
  }
}
resource "random_integer" "n" {
  provider = random.main
  min      = 2
  max      = 2
}
