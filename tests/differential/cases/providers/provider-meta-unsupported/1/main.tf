terraform {
  provider_meta "random" {
    hello = "there"
  }
}

resource "random_integer" "r" {
  min = 1
  max = 1
}
