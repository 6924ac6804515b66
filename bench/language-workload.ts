import { PLAN } from './commands.ts';
import type { Workload } from './workload.ts';

/** One service of a generated estate: 25 lines with a variable, locals, a resource and an output. */
function service(index: number): string {
  const before = index % 10 === 0 ? 'null' : `terraform_data.service_${index - 1}.input.name`;
  return `variable "size_${index}" {
  type        = number
  default     = ${index % 7}
  description = "How many of service ${index} there are"
}

locals {
  name_${index} = "service-\${var.size_${index}}-${index}"
  tags_${index} = { Name = local.name_${index}, Size = tostring(var.size_${index}) }
}

# The service itself, and the one that it stands on.
resource "terraform_data" "service_${index}" {
  input = {
    name    = upper(local.name_${index})
    follows = ${before}
    ports   = [for port in range(var.size_${index}) : port + 8000 if port % 2 == 0]
    tags    = merge(local.tags_${index}, { Index = "${index}" })
    size    = var.size_${index} > 3 ? "large" : "small"
  }
}

output "service_${index}" {
  value = terraform_data.service_${index}.output
}
`;
}

/** An estate of about this many lines of configuration, in files of a hundred services each. */
export function estate(lines: number): Readonly<Record<string, string>> {
  const services = Math.max(1, Math.round(lines / service(1).split('\n').length));
  const files: Record<string, string> = {};
  for (let start = 0; start < services; start += 100) {
    const indexes = Array.from({ length: Math.min(100, services - start) }, (_, i) => start + i);
    files[`services-${start}.tf`] = indexes.map(service).join('\n');
  }
  return files;
}

const ROWS = (blocks: number): string => `  thousand = range(1000)
  rows = flatten([
    for block in range(${blocks}) : [
      for index in local.thousand : {
        id    = block * 1000 + index
        name  = "row-\${block}-\${index}"
        owner = "team-\${index % 50}"
        size  = index % 9
        tags  = ["block-\${block}", "size-\${index % 9}"]
      }
    ]
  ])
`;

/** A table of this many rows, made, flattened, grouped, filtered and encoded. */
export function tables(rows: number): Readonly<Record<string, string>> {
  return {
    'main.tf': `locals {
${ROWS(Math.max(1, Math.round(rows / 1000)))}  by_owner = { for row in local.rows : row.owner => row... }
  large    = [for row in local.rows : row.name if row.size > 6]
  document = jsonencode(local.by_owner)
}

output "owners" {
  value = { for owner, rows in local.by_owner : owner => length(rows) }
}

output "large" {
  value = length(local.large)
}

output "document" {
  value = sha256(local.document)
}
`,
  };
}

/** The same table as one object with an attribute for each row, encoded, and decoded again. */
export function documents(rows: number): Readonly<Record<string, string>> {
  return {
    'main.tf': `locals {
${ROWS(Math.max(1, Math.round(rows / 1000)))}  by_name  = { for row in local.rows : row.name => row }
  large    = [for row in local.rows : merge(row, { large = true }) if row.size > 6]
  document = jsonencode(local.by_name)
}

output "large" {
  value = length(local.large)
}

output "document" {
  value = sha256(local.document)
}

output "again" {
  value = length(jsondecode(local.document))
}
`,
  };
}

/** Measures reading, checking, evaluating and formatting a configuration. */
export function languageWorkloads(sized: (count: number) => number): readonly Workload[] {
  const lines = sized(100_000);
  const large = Object.values(estate(lines)).join('\n');
  // Out of order by spaces: formatting has something to do on each line.
  const untidy = large.replace(/ = /g, '=').replace(/^ {2}/gm, '');
  return [
    {
      name: 'validate-100000',
      title: `validate ${lines} lines`,
      files: estate(lines),
      prepare: [['init', '-input=false']],
      command: ['validate', '-no-color'],
      fresh: false,
      referenceRounds: 3,
      rounds: 5,
      goal: 3,
    },
    {
      name: 'expressions',
      title: `plan outputs of ${sized(40_000)} rows, flattened, grouped, filtered and encoded`,
      files: tables(sized(40_000)),
      prepare: [['init', '-input=false']],
      command: PLAN,
      fresh: false,
      referenceRounds: 3,
      rounds: 5,
      goal: 10,
    },
    {
      name: 'documents',
      title: `plan outputs of an object of ${sized(40_000)} attributes, encoded and decoded`,
      files: documents(sized(40_000)),
      prepare: [['init', '-input=false']],
      command: PLAN,
      fresh: false,
      referenceRounds: 1,
      rounds: 5,
    },
    {
      name: 'fmt-tidy',
      title: `fmt of one file of ${lines} lines, already formatted`,
      files: { 'main.tf': large },
      prepare: [['fmt']],
      command: ['fmt', '-check'],
      fresh: false,
      referenceRounds: 5,
      rounds: 7,
      goal: 1,
    },
    {
      name: 'fmt-untidy',
      title: `fmt of one file of ${lines} lines, each to be changed`,
      files: { 'main.tf': untidy },
      prepare: [],
      command: ['fmt'],
      fresh: true,
      referenceRounds: 5,
      rounds: 7,
      goal: 1,
    },
  ];
}
