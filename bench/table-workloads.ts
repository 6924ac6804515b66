import { APPLY, DESTROY, PLAN } from './commands.ts';
import { tables } from './language-workload.ts';
import { independent, paired } from './workloads.ts';

/** A row of the table: the work of a command that people run often. */
export interface TableWorkload {
  readonly name: string;
  readonly title: string;
  /** configuration by file name */
  readonly files: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** a configuration without resources needs no `init` */
  readonly needsInit: boolean;
  /** the objects exist before the command; Terrane creates them for both programs */
  readonly isApplied?: boolean;
  /** the command changes its directory, so that each run needs a copy */
  readonly changes?: boolean;
  readonly exitCode?: number;
  /** odd, so that the median is a measurement */
  readonly rounds: number;
  /** the required ratio of Terraform's wall time to Terrane's */
  readonly goal: number;
}

/** Blocks of which two thirds refer to the block before. */
function blocks(count: number): Readonly<Record<string, string>> {
  const block = (index: number): string => {
    const input =
      index % 3 === 0
        ? `"value ${index}"`
        : `"\${terraform_data.r${index - 1}.output} and ${index}"`;
    return `resource "terraform_data" "r${index}" {\n  input = ${input}\n}\n`;
  };
  return { 'main.tf': Array.from({ length: count }, (_, index) => block(index)).join('\n') };
}

/** Blocks each of which refers to the block before. */
function chain(count: number): Readonly<Record<string, string>> {
  const block = (index: number): string => {
    const input = index === 0 ? '"start"' : `terraform_data.r${index - 1}.id`;
    return `resource "terraform_data" "r${index}" {\n  input = ${input}\n}\n`;
  };
  return { 'main.tf': Array.from({ length: count }, (_, index) => block(index)).join('\n') };
}

/** Calls of one module with a number of resources. */
function modules(calls: number, resources: number): Readonly<Record<string, string>> {
  const call = (index: number): string =>
    `module "m${index}" {\n  source = "./m"\n  number = ${index}\n}\n`;
  const resource = (index: number): string =>
    `resource "terraform_data" "r${index}" {\n  input = "module \${var.number}, resource ${index}"\n}\n`;
  const body = Array.from({ length: resources }, (_, index) => resource(index)).join('\n');
  return {
    'main.tf': Array.from({ length: calls }, (_, index) => call(index)).join('\n'),
    'm/main.tf': `variable "number" {\n  type = number\n}\n\n${body}\noutput "ids" {\n  value = [terraform_data.r0.id]\n}\n`,
  };
}

function unformatted(count: number): Readonly<Record<string, string>> {
  const block = (index: number): string =>
    `resource "terraform_data" "r${index}" {\ninput={\nname="x${index}"\n  size   =${index}\ntags=["a","b"  ,"c"]\n}\n}\n`;
  return { 'main.tf': Array.from({ length: count }, (_, index) => block(index)).join('\n') };
}

/** All rows of the table; `scale` multiplies their sizes. */
export function tableWorkloads(scale: number): readonly TableWorkload[] {
  const size = (full: number): number => Math.max(1, Math.round(full * scale));
  return [
    {
      name: 'version',
      title: '`version`',
      files: {},
      command: ['version'],
      needsInit: false,
      rounds: 21,
      goal: 0.9,
    },
    {
      name: 'one',
      title: 'plan, 1 resource',
      files: independent(1),
      command: PLAN,
      needsInit: true,
      rounds: 15,
      goal: 0.7,
    },
    {
      name: 'validate',
      title: 'validate, 2,000 blocks',
      files: blocks(size(2_000)),
      command: ['validate', '-no-color'],
      needsInit: true,
      rounds: 9,
      goal: 4,
    },
    {
      name: 'fmt',
      title: '`fmt -check`, 3,000 unformatted blocks',
      files: unformatted(size(3_000)),
      command: ['fmt', '-check'],
      needsInit: false,
      exitCode: 3,
      rounds: 9,
      goal: 3,
    },
    {
      name: 'expressions',
      title: 'expressions, 40,000 rows',
      files: tables(size(40_000)),
      command: PLAN,
      needsInit: true,
      rounds: 5,
      goal: 25,
    },
    {
      name: 'count',
      title: 'plan, 10,000 instances (count)',
      files: independent(size(10_000)),
      command: PLAN,
      needsInit: true,
      rounds: 5,
      goal: 15,
    },
    {
      name: 'blocks',
      title: 'plan, 2,000 blocks, two thirds with a reference',
      files: blocks(size(2_000)),
      command: PLAN,
      needsInit: true,
      rounds: 5,
      goal: 10,
    },
    {
      name: 'chain',
      title: 'plan, chain of 500',
      files: chain(size(500)),
      command: PLAN,
      needsInit: true,
      rounds: 5,
      goal: 15,
    },
    {
      name: 'modules',
      title: 'plan, 100 modules of 20 resources',
      files: modules(size(100), 20),
      command: PLAN,
      needsInit: true,
      rounds: 5,
      goal: 10,
    },
    {
      name: 'pairs',
      title: 'plan, 300 instances each reading one of 300',
      files: paired(size(300)),
      command: PLAN,
      needsInit: true,
      rounds: 5,
      goal: 20,
    },
    {
      name: 'apply',
      title: 'apply, 1,000',
      files: independent(size(1_000)),
      command: APPLY,
      needsInit: true,
      changes: true,
      rounds: 5,
      goal: 30,
    },
    {
      name: 'noop',
      title: 'no-op plan, 1,000',
      files: independent(size(1_000)),
      command: PLAN,
      needsInit: true,
      isApplied: true,
      rounds: 5,
      goal: 6,
    },
    {
      name: 'destroy',
      title: 'destroy, 1,000',
      files: independent(size(1_000)),
      command: DESTROY,
      needsInit: true,
      isApplied: true,
      changes: true,
      rounds: 5,
      goal: 60,
    },
  ];
}

/** The rows as they are measured. */
export const TABLE: readonly TableWorkload[] = tableWorkloads(1);
