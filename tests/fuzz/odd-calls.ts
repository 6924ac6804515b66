import { Workbench } from 'terrane/testing';
import type { Chance } from './chance.ts';
import type { Project } from './corpus.ts';

/** Values whose types are easily mistaken: empty ones that have no element type yet, nulls, unknown and hidden ones. */
const VALUES: readonly string[] = [
  'null',
  'true',
  '0',
  '-1.5',
  '""',
  '"x"',
  '[]',
  '{}',
  '[null]',
  '["x", 1]',
  '[[]]',
  '[{}]',
  '{ k = 1 }',
  '{ k = [] }',
  '[{ a = 1 }]',
  '[tolist([]), tolist(["x"])]',
  'tolist([])',
  'tolist([null])',
  'tolist(["x"])',
  'tolist([1])',
  'tolist([{ a = 1, b = null }])',
  'tolist([tolist([])])',
  'toset([])',
  'toset(["x"])',
  'toset([{ a = 1 }])',
  'tomap({})',
  'tomap({ k = "v" })',
  'tomap({ k = tolist([]) })',
  'tomap({ k = { a = 1 } })',
  'distinct(flatten([]))',
  'values({})',
  'terraform_data.later.id',
  'terraform_data.later.output',
  'terraform_data.later.output.a',
  '[terraform_data.later.id, "x"]',
  'tolist([terraform_data.later.id])',
  'toset([terraform_data.later.id, "x"])',
  'tomap({ k = terraform_data.later.id })',
  'tolist(terraform_data.later.output)',
  'sensitive("x")',
  'sensitive(tolist([]))',
  '[sensitive("x"), "y"]',
  '{ k = sensitive(1) }',
];

/** Forms of expressions around two others. */
const FORMS: readonly ((a: string, b: string) => string)[] = [
  (a, b) => `${a} == ${b}`,
  (a, b) => `${a} != ${b}`,
  (a, b) => `true ? ${a} : ${b}`,
  (a, b) => `${a} == ${b} ? ${a} : ${b}`,
  (a, b) => `[for one in ${a} : one if one != ${b}]`,
  (a) => `{ for key, one in ${a} : key => one }`,
  (a) => `{ for key, one in ${a} : "k" => one... }`,
  (a) => `${a}[*]`,
  (a) => `${a}[*].a`,
  (a) => `${a}[0]`,
  (a) => `${a}["k"]`,
  (a, b) => `[${a}, ${b}]`,
  (a, b) => `tolist([${a}, ${b}])`,
  (a, b) => `toset([${a}, ${b}])`,
  (a, b) => `tomap({ a = ${a}, b = ${b} })`,
  (a) => `"\${${a}}-"`,
  (a, b) => `${a} && ${b}`,
  (a, b) => `${a} + ${b}`,
];

let names: Promise<readonly string[]> | undefined;

/** All functions but those that come to something else each time, or look at the machine. */
async function functionNames(): Promise<readonly string[]> {
  const bench = await Workbench.with({});
  const { stdout } = await bench.run('metadata functions -json');
  const { function_signatures: signatures } = JSON.parse(stdout) as {
    readonly function_signatures: Readonly<Record<string, unknown>>;
  }; // as its schema has it
  return Object.keys(signatures).filter((name) => !name.includes('::'));
}

function expression(chance: Chance, functions: readonly string[], depth: number): string {
  const inner = (): string =>
    depth > 0 && chance.once(3) ? expression(chance, functions, depth - 1) : chance.pick(VALUES);
  if (chance.once(3)) return chance.pick(FORMS)(inner(), inner());
  const args = Array.from({ length: chance.pick([1, 1, 2, 2, 2, 3]) }, inner);
  return `${chance.pick(functions)}(${args.join(', ')})`;
}

/** A configuration whose outputs call functions with odd values; what is wrong with a call is an output like others. */
export async function oddCalls(chance: Chance): Promise<Project> {
  const functions = await (names ??= functionNames());
  const outputs = Array.from({ length: 10 }, (_, index) => {
    const value = expression(chance, functions, 1);
    return `output "o${index}" {\n  value     = try(${value}, null)\n  sensitive = true\n}\n`;
  });
  const later = 'resource "terraform_data" "later" {\n  input = timestamp()\n}\n';
  return { 'main.tf': [later, ...outputs].join('\n') };
}
