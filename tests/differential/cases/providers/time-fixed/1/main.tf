terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}

variable "days" {
  default = 7
}

resource "time_static" "fixed" {
  rfc3339 = "2020-02-29T12:34:56Z"
}

resource "time_offset" "later" {
  base_rfc3339 = "2020-01-31T00:00:00Z"
  offset_days  = var.days
}

resource "time_offset" "all" {
  base_rfc3339   = "2020-01-31T00:00:00Z"
  offset_years   = 1
  offset_months  = 1
  offset_hours   = -3
  offset_minutes = 10
  offset_seconds = 5
}

resource "time_rotating" "far" {
  rfc3339          = "2020-01-01T00:00:00Z"
  rotation_rfc3339 = "2199-01-01T00:00:00Z"
}

resource "terraform_data" "uses" {
  input = [time_static.fixed.unix, time_offset.later.rfc3339, time_offset.all.year, formatdate("MMM", time_static.fixed.id)]
}

output "later" {
  value = time_offset.later
}
