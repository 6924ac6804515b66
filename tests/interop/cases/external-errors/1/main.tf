terraform {
  required_providers {
    external = {
      source  = "hashicorp/external"
      version = "2.4.0"
    }
  }
}
data "external" "e" {
  program = ["no-such-program-here"]
}
