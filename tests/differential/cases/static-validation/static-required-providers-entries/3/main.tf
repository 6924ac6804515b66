terraform {
  required_providers {
    a { source = "x" }
  }
}
