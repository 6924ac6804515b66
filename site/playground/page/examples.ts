import type { Files } from '../protocol.ts';

/** Projects to begin with, by title. The first one is shown at the start. */
export const EXAMPLES: Readonly<Record<string, Files>> = {
  'Values and resources': {
    'main.tf': `# Press Plan, then Apply. Change a value and plan again:
# "Why?" names the cause of every action.

terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

variable "town" {
  type    = string
  default = "Rivendell"
}

variable "houses" {
  type    = map(number)
  default = { elrond = 12, bilbo = 1 }
}

resource "random_pet" "release" {
  keepers = { town = var.town }
}

resource "terraform_data" "house" {
  for_each = var.houses

  input = {
    owner   = title(each.key)
    rooms   = each.value
    release = random_pet.release.id
  }
}

output "register" {
  value = [for house in terraform_data.house : "\${house.output.owner}: \${house.output.rooms} rooms"]
}
`,
    'terraform.tfvars': `# Values of variables
town = "Hobbiton"
`,
  },
  Modules: {
    'main.tf': `module "network" {
  source   = "./modules/network"
  for_each = { a = "10.0.0.0/16", b = "10.1.0.0/16" }

  name = each.key
  cidr = each.value
}

resource "terraform_data" "service" {
  input            = { subnets = flatten([for network in module.network : network.subnets]) }
  triggers_replace = [for network in module.network : network.id]
}

output "subnets" {
  value = terraform_data.service.output.subnets
}
`,
    'modules/network/main.tf': `variable "name" { type = string }

variable "cidr" {
  type = string
  validation {
    condition     = can(cidrnetmask(var.cidr))
    error_message = "The value must be an IPv4 range, such as 10.0.0.0/16."
  }
}

resource "terraform_data" "network" {
  input = { name = var.name, cidr = var.cidr }
}

resource "terraform_data" "subnet" {
  count = 2
  input = cidrsubnet(terraform_data.network.output.cidr, 8, count.index)
}

output "id" { value = terraform_data.network.id }
output "subnets" { value = terraform_data.subnet[*].output }
`,
  },
  Tests: {
    'main.tf': `variable "name" {
  type = string
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{2,20}$", var.name))
    error_message = "The name must have 3 to 21 lower case letters, digits and dashes."
  }
}

resource "terraform_data" "bucket" {
  input = { name = "\${var.name}-\${terraform.workspace}", versioned = true }
}

output "bucket" {
  value = terraform_data.bucket.output
}
`,
    'bucket.tftest.hcl': `run "names_the_bucket" {
  variables { name = "logs" }

  assert {
    condition     = output.bucket.name == "logs-default"
    error_message = "The name was \${output.bucket.name}."
  }
}

run "refuses_bad_names" {
  command         = plan
  variables { name = "Logs!" }
  expect_failures = [var.name]
}
`,
    'terraform.tfvars': `name = "logs"
`,
  },
  Refactoring: {
    'main.tf': `# Apply, then uncomment the moved block and rename the resource to "server":
# the plan moves the object instead of replacing it.

resource "terraform_data" "web" {
  input = "web server"
}

# moved {
#   from = terraform_data.web
#   to   = terraform_data.server
# }

resource "time_static" "created" {
  triggers = { server = terraform_data.web.id }
}

output "created" {
  value = formatdate("YYYY-MM-DD hh:mm", time_static.created.rfc3339)
}
`,
  },
};
