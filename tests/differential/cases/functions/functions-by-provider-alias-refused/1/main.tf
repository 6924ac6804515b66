terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}

provider "time" {
  alias = "by"
}

output "declared" {
  value = provider::time::by::duration_parse("1s")
}

output "undeclared" {
  value = provider::time::other::duration_parse("1s")
}
