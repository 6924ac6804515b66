terraform {
  required_providers {
    time = {
      source                = "hashicorp/time"
      configuration_aliases = [time.in]
    }
  }
}

output "seconds" {
  value = [
    provider::time::duration_parse("4s").seconds,
    provider::time::in::duration_parse("5s").seconds,
  ]
}
