terraform {
  provider_meta "random" {
    hello = var.x
  }

  provider_meta "random" {
    hello = "again"
  }

  provider_meta "Random" {
  }
}
