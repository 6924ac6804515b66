terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}
output "y" {
  value = provider::time::rfc3339_parse("2024-01-02T03:04:05Z").year
}
