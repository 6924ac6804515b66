terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}
resource "random_integer" "n" {
  min = 2
  max = 2
}
output "n" { value = random_integer.n.result }
