terraform {
  required_providers {
    random = { source = "hashicorp/random" }
    local  = { source = "hashicorp/local" }
  }
}

variable "n" {
  type = number
}

resource "local_file" "kept" {
  filename = "kept.txt"
  content  = "kept"
}

data "local_file" "read" {
  filename = "given.txt"
}

provider "random" {
  alias = "other"
}

module "m" {
  source   = "./modules/m"
  for_each = toset(["a"])
  length   = length(data.local_file.read.content)

  providers = {
    random = random.other
  }
}

resource "random_string" "n" {
  count  = data.local_file.read.content == "" ? 0 : var.n - 1
  length = 3
}

moved {
  from = random_string.old
  to   = random_string.new
}

output "first" {
  value = module.m["a"].result
}

output "kept" {
  value = local_file.kept.content
}
