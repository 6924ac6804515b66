# A password that is replaced every thirty days, its predecessor's deadline, and a note of both.
# Plan it again after `rotation_days` have passed, or with -replace=time_rotating.password.

terraform {
  required_version = ">= 1.5"

  required_providers {
    local = {
      source  = "hashicorp/local"
      version = "~> 2.5"
    }
    random = {
      source  = "hashicorp/random"
      version = "~> 3.6"
    }
    time = {
      source  = "hashicorp/time"
      version = "~> 0.12"
    }
  }
}

variable "rotation_days" {
  description = "After how many days the password is replaced."
  type        = number
  default     = 30

  validation {
    condition     = var.rotation_days >= 1 && floor(var.rotation_days) == var.rotation_days
    error_message = "The password rotates after a whole number of days, at least one."
  }
}

variable "grace_hours" {
  description = "For how many hours the previous password is still accepted."
  type        = number
  default     = 48
}

# When the password was first set up; never changes.
resource "time_static" "founded" {}

resource "time_rotating" "password" {
  rotation_days = var.rotation_days
}

resource "random_password" "database" {
  length           = 32
  min_numeric      = 4
  min_special      = 2
  override_special = "-_.~"

  keepers = {
    rotated = time_rotating.password.id
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "time_offset" "accepted_until" {
  base_rfc3339 = time_rotating.password.rotation_rfc3339
  offset_hours = var.grace_hours
}

resource "local_sensitive_file" "credentials" {
  filename = "${path.root}/output/credentials.json"
  content = jsonencode({
    user     = "app"
    password = random_password.database.result
  })
}

resource "local_file" "note" {
  filename = "${path.root}/output/rotation.txt"
  content  = <<-EOT
    set up on     ${substr(time_static.founded.rfc3339, 0, 10)}
    rotates on    ${time_rotating.password.rotation_rfc3339}
    accepted till ${time_offset.accepted_until.rfc3339}
  EOT
}

output "rotates_on" {
  value = time_rotating.password.rotation_rfc3339
}

output "accepted_until" {
  value = time_offset.accepted_until.rfc3339
}

output "password" {
  value     = random_password.database.result
  sensitive = true
}
