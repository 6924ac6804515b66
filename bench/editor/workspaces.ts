import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes files below a folder. */
function write(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** One of the files of a large module: declarations that refer to each other and to another file. */
function moduleFile(index: number, count: number): string {
  const other = (index * 7 + 1) % count;
  return `variable "size_${index}" {
  type        = number
  description = "Size ${index}"
  default     = ${index % 9}
}

locals {
  name_${index} = "service-${index}-\${var.size_${other}}"
  tags_${index} = { index = "${index}", name = local.name_${other} }
}

resource "terraform_data" "service_${index}" {
  count            = 2
  input            = { name = local.name_${index}, tags = merge(local.tags_${index}, { size = var.size_${index} }) }
  triggers_replace = [upper(local.name_${index}), var.size_${other}]
}

output "service_${index}" {
  description = "Service ${index}"
  value       = terraform_data.service_${index}[*].id
}
`;
}

/** Writes a module of many files of 24 lines each. */
export function writeModule(folder: string, files: number): void {
  const all = Array.from({ length: files }, (_, index) => index);
  write(
    folder,
    Object.fromEntries(all.map((index) => [`service-${index}.tf`, moduleFile(index, files)])),
  );
}

/** Writes a workspace of many directories with a module of three files each, as a monorepo has them. */
export function writeDirectories(folder: string, count: number): void {
  for (let index = 0; index < count; index++) {
    const path = join(folder, `team-${index % 40}`, `stack-${index}`);
    const call =
      index === 0 ? '' : `module "base" {\n  source = "../../team-0/stack-0"\n  name   = "a"\n}\n`;
    write(path, {
      'main.tf': `resource "terraform_data" "stack_${index}" {\n  input = var.name\n}\n\n${call}`,
      'variables.tf': 'variable "name" {\n  type    = string\n  default = "a"\n}\n',
      'outputs.tf': `output "id" {\n  value = terraform_data.stack_${index}.id\n}\n`,
    });
  }
}
