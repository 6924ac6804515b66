terraform {
  required_providers {
    null = { source = "hashicorp/random" }
    x = { source = "hashicorp/null" }
  }
}
