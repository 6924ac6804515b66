terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

locals {
  hours = provider::time::duration_parse("1h").seconds
}
