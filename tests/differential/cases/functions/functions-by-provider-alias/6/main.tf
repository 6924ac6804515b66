terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}

provider "time" {
  alias = "by"
}

output "arguments" {
  value = provider::time::by::duration_parse()
}

output "refused" {
  value = provider::time::by::duration_parse("soon")
}
