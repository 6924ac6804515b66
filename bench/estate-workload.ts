import { APPLY, PLAN } from './commands.ts';
import type { Workload } from './workload.ts';

/** Each site has six objects, and three parts of six objects each with a condition and a reference. */
const OBJECTS_PER_SITE = 24;

/** An estate as teams have it: many sites from one module with modules of its own, with outputs that others use. */
function estate(sites: number): Readonly<Record<string, string>> {
  return {
    'main.tf': `locals {
  sites = { for i in range(${sites}) : format("site-%04d", i) => {
    web    = { size = 4, tags = { tier = "front" } }
    worker = { size = 2 }
  } }
}

module "site" {
  source   = "./site"
  for_each = local.sites
  name     = each.key
  services = each.value
}

output "objects" {
  value = length(flatten([for site in module.site : keys(site.ids)]))
}
`,
    'site/main.tf': `variable "name" {
  type = string
}

variable "services" {
  type = map(object({
    size = number
    tags = optional(map(string), {})
  }))
}

locals {
  nodes = merge([
    for service, of in var.services : {
      for i in range(of.size) : "\${service}-\${i}" => merge(of.tags, { name = "\${var.name}-\${service}", index = i })
    }
  ]...)
}

resource "terraform_data" "node" {
  for_each = local.nodes
  input    = each.value
}

module "part" {
  source = "./part"
  count  = 3
  ids    = [for node in terraform_data.node : node.id]
  number = count.index
}

output "ids" {
  value = { for name, node in terraform_data.node : name => node.id }
}

output "parts" {
  value = module.part[*].joined
}
`,
    'site/part/main.tf': `variable "ids" {
  type = list(string)
}

variable "number" {
  type = number

  validation {
    condition     = var.number < 10
    error_message = "There are at most ten parts."
  }
}

resource "terraform_data" "share" {
  count = length(var.ids)
  input = { id = var.ids[count.index], number = var.number }

  lifecycle {
    precondition {
      condition     = length(var.ids) > 0
      error_message = "A part has to have something."
    }
  }
}

output "joined" {
  value = join(",", terraform_data.share[*].id)
}
`,
  };
}

/** Work on modules within modules. */
export function estateWorkloads(sized: (count: number) => number): readonly Workload[] {
  const sites = sized(100);
  const objects = sites * OBJECTS_PER_SITE;
  const common = { files: estate(sites), fresh: true, referenceRounds: 1, rounds: 3 };
  const init = ['init', '-input=false'];
  return [
    {
      ...common,
      name: 'apply-estate',
      title: `apply ${sites} modules with ${objects} new instances`,
      prepare: [init],
      command: APPLY,
    },
    {
      ...common,
      name: 'noop-plan-estate',
      title: `plan ${sites} modules with ${objects} unchanged instances`,
      terraneFirst: [init, APPLY],
      prepare: [init],
      command: PLAN,
      referenceRounds: 3,
      rounds: 5,
    },
    {
      ...common,
      name: 'destroy-estate',
      title: `destroy ${sites} modules with ${objects} instances`,
      terraneFirst: [init, APPLY],
      prepare: [init],
      command: ['destroy', '-input=false', '-no-color', '-auto-approve'],
    },
  ];
}
