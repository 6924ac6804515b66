terraform {
  required_providers {
    null = { source = "hashicorp/null" }
  }
  required_providers {
    null = { source = "hashicorp/null" }
  }
}
