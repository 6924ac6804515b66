terraform {
  required_providers {
    a = { source = "hashicorp/null" }
    a = { source = "hashicorp/null" }
  }
}
