terraform {
  required_providers {
    null = { source = "hashicorp/null", version = "99.0.0" }
  }
}
