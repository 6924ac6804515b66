import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A directory to begin from: texts by path. */
export type Project = Readonly<Record<string, string>>;

const CASES = fileURLToPath(new URL('../differential/cases', import.meta.url));
const TEXT = /\.(?:tf|tofu|tfvars|json|hcl|tftpl|tmpl|txt|csv|yaml)$/;

function readProject(folder: string): Project {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !TEXT.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    files[relative(folder, path)] = readFileSync(path, 'utf8');
  }
  return files;
}

/** The directories of all cases in the order of their names, whatever their topics. */
function caseDirectories(): readonly string[] {
  return readdirSync(CASES)
    .flatMap((topic) => readdirSync(join(CASES, topic)).map((name) => ({ topic, name })))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ topic, name }) => join(CASES, topic, name));
}

/** The folders of the differential cases: configurations that are good, and bad in every known way. */
export function readCorpus(): readonly Project[] {
  const projects: Project[] = [];
  for (const directory of caseDirectories()) {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const project = readProject(join(directory, entry.name));
      const size = Object.values(project).reduce((sum, text) => sum + text.length, 0);
      // Keys and certificates cost seconds each, and large files tell nothing that small ones do not.
      const slow = Object.values(project).some((text) => /tls_|time_sleep/.test(text));
      if (Object.keys(project).length > 0 && size < 20_000 && !slow) projects.push(project);
    }
  }
  return projects;
}

/** Configurations with states and plans worth breaking: every shape that a state file has. */
export const STATEFUL: readonly Project[] = [
  {
    'main.tf': `resource "terraform_data" "one" {
  count            = 2
  input            = { name = "n\${count.index}", list = [1, null, "x"], secret = sensitive("s") }
  triggers_replace = [count.index]
}
resource "terraform_data" "keyed" {
  for_each = { a = 1, "b c" = 2 }
  input    = each.value
  lifecycle {
    create_before_destroy = true
  }
}
output "all" {
  value     = [terraform_data.one, terraform_data.keyed]
  sensitive = true
}
check "sizes" {
  assert {
    condition     = length(terraform_data.one) == 2
    error_message = "two"
  }
}
`,
  },
  {
    'main.tf': `module "child" {
  source   = "./child"
  for_each = toset(["x", "y"])
  name     = each.key
}
resource "random_pet" "name" {
  keepers = { of = module.child["x"].id }
}
resource "null_resource" "last" {
  triggers   = { pet = random_pet.name.id }
  depends_on = [module.child]
}
output "ids" {
  value = { for key, child in module.child : key => child.id }
}
`,
    'child/main.tf': `variable "name" {
  type = string
  validation {
    condition     = var.name != ""
    error_message = "A name is needed."
  }
}
resource "random_id" "id" {
  byte_length = 4
  prefix      = var.name
}
resource "terraform_data" "this" {
  input = [var.name, random_id.id.hex]
  lifecycle {
    precondition {
      condition     = var.name != "z"
      error_message = "not z"
    }
  }
}
output "id" {
  value = terraform_data.this.id
}
`,
  },
];
