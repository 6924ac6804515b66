terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
    local = {
      source = "hashicorp/local"
    }
    random = {
      source = "hashicorp/random"
    }
  }
}

variable "when" {
  type    = string
  default = "2024-02-29T12:00:00Z"
  validation {
    condition     = provider::time::rfc3339_parse(var.when).year > 2000
    error_message = "Not in ${provider::time::rfc3339_parse(var.when).year}."
  }
}

variable "hidden" {
  type      = string
  default   = "1h30m"
  sensitive = true
}

locals {
  parsed  = provider::time::rfc3339_parse(var.when)
  seconds = provider::time::duration_parse("1h").seconds
  nested  = provider::time::rfc3339_parse(provider::time::unix_timestamp_parse(local.parsed.unix).rfc3339).iso_year
  all     = [for h in ["1h", "2h", "1h"] : provider::time::duration_parse(h).minutes]
  keys    = { for d in [1, 2] : "day${provider::time::unix_timestamp_parse(d * 86400).day}" => d }
  tried   = try(provider::time::duration_parse("soon").seconds, "never")
  can     = [can(provider::time::duration_parse("soon")), can(provider::time::duration_parse("1s"))]
  cond    = provider::local::direxists(".") ? "here" : provider::time::duration_parse("nonsense").seconds
}

resource "terraform_data" "counted" {
  count = provider::time::duration_parse("2s").seconds
  input = provider::time::unix_timestamp_parse(count.index * 3600).hour
  lifecycle {
    precondition {
      condition     = provider::time::duration_parse("${local.seconds}s").hours == 1
      error_message = "no"
    }
    postcondition {
      condition     = self.input == provider::time::unix_timestamp_parse(count.index * 3600).hour
      error_message = "Not ${provider::time::duration_parse("1m").seconds}."
    }
  }
}

resource "terraform_data" "each" {
  for_each = local.keys
  input    = "${each.key} ${provider::time::unix_timestamp_parse(each.value * 86400).rfc3339}"
  triggers_replace = [
    provider::time::rfc3339_parse(var.when).year,
  ]
}

resource "random_integer" "later" {
  min = 10
  max = 10
  keepers = {
    year = local.parsed.year
  }
}

# unknown while planning
resource "terraform_data" "later" {
  input = provider::time::unix_timestamp_parse(random_integer.later.result * local.parsed.year).rfc3339
}

data "local_file" "read" {
  filename = provider::local::direxists("child") ? "child/main.tf" : "nowhere"
  lifecycle {
    postcondition {
      condition     = length(self.content) > provider::time::duration_parse("3s").seconds
      error_message = "short"
    }
  }
}

resource "terraform_data" "provisioned" {
  input = local.nested
  provisioner "local-exec" {
    command = "echo ${provider::time::duration_parse("3h").minutes} ${self.input} > provisioned.txt"
  }
}

module "child" {
  source   = "./child"
  for_each = { for u in [0, 1] : provider::time::unix_timestamp_parse(u).rfc3339 => u }
  at       = provider::time::unix_timestamp_parse(each.value + 60).minute
}

check "time" {
  assert {
    condition     = provider::time::rfc3339_parse(var.when).day < 29
    error_message = "Day ${provider::time::rfc3339_parse(var.when).day} is a leap day."
  }
}

output "all" {
  value = {
    parsed  = local.parsed.month_name
    seconds = local.seconds
    nested  = local.nested
    all     = local.all
    tried   = local.tried
    can     = local.can
    cond    = local.cond
  }
}

output "hidden" {
  value     = provider::time::duration_parse(var.hidden)
  sensitive = true
}

output "children" {
  value = { for k, m in module.child : k => m.at }
}

output "null" {
  value = try(provider::time::duration_parse(null).seconds, "nothing")
}
