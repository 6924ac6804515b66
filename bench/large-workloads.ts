import { APPLY, PLAN } from './commands.ts';
import type { Workload } from './workload.ts';

// Large inputs of other kinds than many instances: their cost must be linear too.

/** Modules of 98 resources each, two thirds of which refer to the one before. Every fourth module reads another one. */
function modules(count: number): Readonly<Record<string, string>> {
  const resources = Array.from({ length: 98 }, (_, n) => {
    const input =
      n % 3 === 0
        ? `{ name = var.name, size = ${n}, tags = ["a", "b"] }.name`
        : `"\${terraform_data.r${n - 1}.output} ${n}"`;
    return `resource "terraform_data" "r${n}" {\n  input = ${input}\n}\n`;
  });
  const body = `variable "name" {\n  type = string\n}\noutput "last" {\n  value = terraform_data.r97.output\n}\n${resources.join('')}`;
  const files: Record<string, string> = {};
  let root = '';
  for (let n = 0; n < count; n++) {
    const name = n % 4 === 1 ? `module.m${n - 1}.last` : `"m${n}"`;
    root += `module "m${n}" {\n  source = "./m${n}"\n  name   = ${name}\n}\n`;
    files[`m${n}/main.tf`] = body;
  }
  return { ...files, 'main.tf': root };
}

/** One file of about so many bytes. */
function oneFile(bytes: number): Readonly<Record<string, string>> {
  const blocks: string[] = [];
  for (let length = 0; length < bytes;) {
    const n = blocks.length;
    const parent = n % 3 === 0 ? 'null' : `terraform_data.r${n - 1}.id`;
    const block = `resource "terraform_data" "r${n}" {\n  input = {\n    name        = "resource ${n}"\n    description = "a longer text that describes resource ${n} of the one large file in the configuration"\n    tags        = ["one", "two", "three"]\n    parent      = ${parent}\n  }\n}\n`;
    blocks.push(block);
    length += block.length;
  }
  return { 'main.tf': blocks.join('') };
}

/** Objects of 280 kB each in the state, as input and as output. */
function largeObjects(count: number): Readonly<Record<string, string>> {
  return {
    'main.tf': `locals {
  large = join("", flatten([for j in range(20) : [for i in range(100) :
    "a line of text that makes the value of this object long, number \${j * 100 + i}; "
  ]]))
}

resource "terraform_data" "one" {
  count = ${count}
  input = "\${count.index} \${local.large}"
}
`,
  };
}

/** The workloads with large configurations and states. */
export function largeWorkloads(sized: (count: number) => number): readonly Workload[] {
  const common = { fresh: false, referenceRounds: 0, rounds: 3 } as const;
  const list: Workload[] = [];
  const init = [['init', '-input=false']] as const;
  const inputs = [
    ['blocks-20000', '20,000 blocks in 200 modules', modules(sized(200))],
    ['file-5mb', 'one file of 5 MB', oneFile(sized(5_000_000))],
  ] as const;
  for (const [name, what, files] of inputs) {
    list.push(
      {
        ...common,
        name: `validate-${name}`,
        title: `validate ${what}`,
        files,
        prepare: init,
        command: ['validate'],
      },
      {
        ...common,
        name: `plan-${name}`,
        title: `plan ${what}`,
        files,
        prepare: init,
        command: PLAN,
      },
    );
  }
  list.push({
    ...common,
    name: 'noop-plan-state-500mb',
    title: 'plan unchanged objects, the state of which has 500 MB',
    files: largeObjects(sized(1_750)),
    prepare: [...init, APPLY],
    command: PLAN,
  });
  return list;
}
