// The reference of JSON formats, from what the program prints for a sample project.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../../packages/cli/src/command-table.ts';
import { root } from '../../scripts/root.ts';

const MAIN = `variable "rooms" {
  type    = map(number)
  default = { bilbo = 1 }
}

resource "terraform_data" "house" {
  for_each = var.rooms
  input    = each.value

  lifecycle {
    postcondition {
      condition     = self.output > 0
      error_message = "A house has rooms."
    }
  }
}

output "rooms" {
  description = "Rooms of all houses."
  value       = values(terraform_data.house)[*].output
}
`;

const TEST = `run "rooms" {
  command = plan
  assert {
    condition     = length(var.rooms) == 1
    error_message = "one house"
  }
}
`;

/** Arguments besides \`-json\`. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  explain: ['-var', 'rooms={"bilbo":2}', 'terraform_data.house'],
  plan: ['-explain', '-var', 'rooms={"bilbo":2,"frodo":1}'],
};

/** Commands whose formats are those of others, or that need files which the sample has not. */
const ELSEWHERE: ReadonlySet<string> = new Set(['destroy', 'query']);

/** Members whose keys are names of the configuration or of a schema. */
const MAPS =
  /(?:^|\.)(?:outputs|variables|rooms|before|after|before_sensitive|after_sensitive|after_unknown|sensitive_values|provider_schemas|resource_schemas|data_source_schemas|ephemeral_resource_schemas|action_schemas|list_resource_schemas|resource_identity_schemas|functions|function_signatures|attributes|block_types|provider_selections|planned_values\.outputs|prior_state\.values\.outputs)$/;

/** Members that hold any value of the language. */
const VALUES =
  /(?:^|\.)(?:value|before|after|sensitive_values|before_sensitive|after_sensitive|after_unknown|type)$|resources\[\]\.values$|(?:outputs|variables)\.\*\.(?:value|type)$/;

/** Adds the members of a value and their types. */
function addMembers(value: unknown, path: string, members: Map<string, Set<string>>): void {
  const add = (type: string): void => {
    const types = members.get(path) ?? new Set();
    members.set(path, types.add(type));
  };
  if (path !== '' && VALUES.test(path) && typeof value !== 'string') return add('any value');
  if (Array.isArray(value)) {
    if (path !== '') add('array');
    for (const item of value) addMembers(item, `${path}[]`, members);
    return;
  }
  if (typeof value !== 'object' || value === null)
    return add(value === null ? 'null' : typeof value);
  if (path !== '' && !path.endsWith('[]')) add('object');
  for (const [key, member] of Object.entries(value)) {
    const name = MAPS.test(path.replaceAll('[]', '')) ? '*' : key;
    addMembers(member, path === '' ? name : `${path}.${name}`, members);
  }
}

function table(values: readonly unknown[]): string {
  const members = new Map<string, Set<string>>();
  for (const value of values) addMembers(value, '', members);
  const rows = [...members]
    .filter(([path]) => !path.startsWith('@') && path !== 'type')
    .map(([path, types]) => `| \`${path}\` | ${[...types].sort().join(' or ')} |\n`);
  return `| member | type |\n|---|---|\n${rows.join('')}`;
}

/** Parses a document, or the lines of a stream. */
function documents(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): unknown => JSON.parse(line));
  }
}

const typeOf = (message: unknown): string =>
  typeof message === 'object' && message !== null && 'type' in message ? String(message.type) : '';

/** A document or a message, with the command that printed it. */
interface Printed {
  readonly command: string;
  readonly value: unknown;
}

/** Returns the page: a section for each document, and one for each type of message. */
export async function jsonFormats(): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'terrane-json-'));
  const run = (...args: readonly string[]): string => {
    const env = { PATH: process.env['PATH'], HOME: work, TF_IN_AUTOMATION: '1' };
    const { status, stdout } = spawnSync(join(root, 'bin/terrane'), args, {
      cwd: work,
      env,
      encoding: 'utf8',
    });
    // Commands that fail for the sample need other arguments.
    return status === 0 ? stdout : '';
  };
  const documented: Printed[] = [];
  const messages = new Map<string, Printed[]>();
  try {
    writeFileSync(join(work, 'main.tf'), MAIN);
    writeFileSync(join(work, 'main.tftest.hcl'), TEST);
    const applied = documents(run('apply', '-auto-approve', '-json'));
    const names = [...COMMANDS.keys()].filter((name) => !ELSEWHERE.has(name)).sort();
    for (const name of names) {
      const { command } = (await COMMANDS.get(name)?.()) ?? {};
      if (command?.flags?.['json'] === undefined) continue;
      const values =
        name === 'apply'
          ? applied
          : documents(run(...name.split(' '), '-json', ...(ARGUMENTS[name] ?? [])));
      for (const value of values) {
        const type = typeOf(value);
        if (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
          continue;
        const known = messages.get(type) ?? [];
        if (type === '') documented.push({ command: name, value });
        else messages.set(type, [...known, { command: name, value }]);
      }
    }
  } finally {
    rmSync(work, { recursive: true });
  }
  if (documented.length < 8 || messages.size < 10)
    throw new Error('The sample project of the JSON formats printed too little.');
  const documentSections = documented.map(
    ({ command, value }) => `### ${command} -json\n\n${table([value])}`,
  );
  const messageSections = [...messages]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, printed]) => {
      const commands = [...new Set(printed.map(({ command }) => `\`${command}\``))].join(', ');
      return `### ${type}\n\nPrinted by ${commands}.\n\n${table(printed.map(({ value }) => value))}`;
    });
  return `Generated from what the program prints for a sample project. Members that only other projects have are missing; those of plans, states, configurations and schemas are [Terraform's](https://developer.hashicorp.com/terraform/internals/json-format), with its \`format_version\`. A new minor version may add members. \`*\` stands for names.

## Documents

${documentSections.join('\n')}
## Messages of streams

With \`-json\`, these commands print one message per line. Each has \`@level\`, \`@message\`, \`@module\`, \`@timestamp\` and \`type\`. \`-json-into=FILE\` writes them to a file, besides the usual output.

${messageSections.join('\n')}`;
}
