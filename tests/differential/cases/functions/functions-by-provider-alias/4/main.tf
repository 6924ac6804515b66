terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}

provider "time" {
  alias = "by"
}

output "missing" {
  value = provider::time::by::missing("1s")
}

output "missing_in_default" {
  value = provider::time::missing()
}
