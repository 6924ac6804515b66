provider "random" {}
resource "random_integer" "n" {
  min = 2
  max = 2
}
