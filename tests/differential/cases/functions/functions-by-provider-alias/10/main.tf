terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}

output "unknown_provider" {
  value = provider::other::by::duration_parse("1s")
}
