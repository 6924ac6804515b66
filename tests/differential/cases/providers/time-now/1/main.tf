terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}

variable "t" {
  default = 1
}

resource "time_static" "now" {
  triggers = { t = var.t }
}

resource "time_rotating" "monthly" {
  rotation_days = 30
}

resource "time_sleep" "short" {
  create_duration = "10ms"
  triggers        = { now = time_static.now.triggers.t }
}

output "length" {
  value = length(time_static.now.rfc3339)
}
