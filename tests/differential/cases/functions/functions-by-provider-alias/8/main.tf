terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}

provider "time" {
  alias = "by"
}

output "too_long" {
  value = provider::time::by::again::duration_parse("1s")
}

output "too_short" {
  value = provider::duration_parse("1s")
}
