// The text that Terraform prints for the cases in `human/`, recorded in `recorded-human/`.
//
//   npm run ts -- tests/differential/human.ts --record [NAME...]    records what terraform prints
//   npm run ts -- tests/differential/human.ts [NAME...]             compares what Terrane prints
//   npm run ts -- tests/differential/human.ts --accept [NAME...]    writes the differences that are
//                                                                       meant to `human-differences/`
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { here, loadCase } from './case.ts';
import type { Case } from './case.ts';
import { member, parseJson } from './json.ts';
import { findTerraform, findTerrane, mapLimited, run, writeCliConfig } from './program.ts';
import { unhurried } from './unhurried.ts';
import type { Program } from './program.ts';
import { prepare } from './run-case.ts';

/** The names of the cases, sorted. */
export function humanNames(): string[] {
  return readdirSync(join(here, 'human')).sort();
}

/** One case: its commands with what they printed, ids and times made the same in every run. */
export async function runHuman(program: Program, name: string): Promise<string> {
  const testCase = loadCase(name, 'human');
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'human-')));
  try {
    return await printed(program, testCase, root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function printed(program: Program, testCase: Case, root: string): Promise<string> {
  const work = join(root, 'work');
  mkdirSync(work);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: root,
    CHECKPOINT_DISABLE: '1',
    TF_CLI_CONFIG_FILE: writeCliConfig(program, join(root, 'config'), testCase.providers),
  };
  const same = new Same(root);
  const blocks: string[] = [`# ${testCase.about}\n`];
  for (const [index, step] of testCase.steps.entries()) {
    const overlay = join(testCase.directory, String(index + 1));
    prepare(work, step.before);
    if (existsSync(overlay)) cpSync(overlay, work, { recursive: true });
    if (step.init === true) await run(program, ['init', '-no-color'], { cwd: work, env });
    const ran = await run(program, step.args ?? [], { cwd: work, env, input: step.input });
    same.learn(join(work, 'terraform.tfstate'));
    const command = ['terraform', ...(step.args ?? [])].map(quoted).join(' ');
    const input = step.input === undefined ? '' : ` <<< ${JSON.stringify(step.input)}`;
    blocks.push(`$ ${command}${input}\n${same.text(unhurried(ran.stdout))}`);
    const errors = unhurried(ran.stderr);
    if (errors !== '') blocks.push(`[standard error]\n${same.text(errors)}`);
    blocks.push(`[exit ${ran.exit}]\n`);
  }
  return blocks
    .map((block) => (block.endsWith('\n') ? block : `${block}\n[no newline]\n`))
    .join('');
}

function quoted(word: string): string {
  return /^[\w./=:@%+,-]+$/.test(word) ? word : `'${word}'`;
}

/** Replaces what differs from run to run by texts of the same width. */
class Same {
  readonly #root: string;
  readonly #uuids = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Numbers the ids of a state in the order of their addresses. */
  learn(state: string): void {
    if (!existsSync(state)) return;
    try {
      const lineage = member(parseJson(readFileSync(state, 'utf8')), 'lineage');
      if (typeof lineage === 'string')
        this.#uuids.set(lineage, '11111111-1111-1111-1111-111111111111');
      this.uuids(readFileSync(state, 'utf8'));
    } catch {
      // A broken state is the case's own matter.
    }
  }

  uuids(output: string): string {
    return output.replace(
      /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
      (uuid) => {
        const number = String(this.#uuids.size + 1).padStart(12, '0');
        const known = this.#uuids.get(uuid) ?? `00000000-0000-0000-0000-${number}`;
        this.#uuids.set(uuid, known);
        return known;
      },
    );
  }

  text(output: string): string {
    const placed = output
      .replaceAll(join(this.#root, 'work'), '<dir>')
      .replaceAll(this.#root, '<root>');
    const replaced = this.uuids(placed)
      .replaceAll('\u001b', '␛')
      .replace(
        /\b20(?:2[6-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g,
        '2000-01-01T00:00:00Z',
      )
      .replace(/(deposed object )[0-9a-f]{8}/g, (_, words: string) => `${words}00000000`)
      .replace(/"serial": \d+/, '"serial": 0')
      .replace(/h1:[\w+/=]+/g, 'h1:…');
    return steady(replaced);
  }
}

/** Progress lines of different instances come in any order, as do lists of what is forgotten; sorts each run of them by address. */
function steady(output: string): string {
  const progress =
    /^(?:␛\[[0-9;]*m)*(\S.*?): (?:␛\[[0-9;]*m)*(?:Preparing import|Importing\.\.\.|Import complete|Reading|Read complete|Refreshing state|Creating|Creation complete|Modifying|Modifications complete|Destroying|Destruction complete)/;
  const installing = /^- (Finding|Installing|Installed|Reusing|Using) /;
  const listed = /^ - \S/;
  const lines = output.split('\n');
  const result: string[] = [];
  for (let index = 0; index < lines.length;) {
    const pattern = [progress, installing, listed].find((each) => each.test(lines[index] ?? ''));
    if (pattern === undefined) {
      result.push(lines[index] ?? '');
      index += 1;
      continue;
    }
    const block: string[] = [];
    while (index < lines.length && pattern.test(lines[index] ?? '')) {
      block.push(lines[index] ?? '');
      index += 1;
    }
    // Lines of one instance keep their order.
    const key = (line: string): string =>
      pattern === progress ? (pattern.exec(line)?.[1] ?? '') : line;
    result.push(...block.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)));
  }
  return result.join('\n');
}

/** The recorded text, or undefined. */
export function readHuman(name: string): string | undefined {
  const path = join(here, 'recorded-human', `${name}.txt`);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** The differences that are meant, or '' for none. */
export function acceptedDifferences(name: string): string {
  const path = join(here, 'human-differences', `${name}.txt`);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Returns the difference between Terrane's output and the recording; '' if there is none. */
export async function humanDifferences(program: Program, name: string): Promise<string> {
  const printed = sameName(await runHuman(program, name));
  const diff = lineDifferences(readHuman(name) ?? '', printed);
  return /^[-+] /m.test(diff) ? `${diff}\n` : '';
}

/** Lines that differ, in the manner of `diff`, with a few lines around them. */
export function lineDifferences(expected: string, actual: string): string {
  const [left, right] = [expected.split('\n'), actual.split('\n')];
  const table: number[][] = Array.from({ length: left.length + 1 }, () =>
    new Array<number>(right.length + 1).fill(0),
  );
  const at = (row: number, column: number): number => table[row]?.[column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const cells = table[row] as number[];
      cells[column] =
        left[row] === right[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const merged: string[] = [];
  let [row, column] = [0, 0];
  while (row < left.length || column < right.length) {
    if (row < left.length && column < right.length && left[row] === right[column]) {
      merged.push(`  ${left[row]}`);
      row += 1;
      column += 1;
    } else if (
      column >= right.length ||
      (row < left.length && at(row + 1, column) >= at(row, column + 1))
    ) {
      merged.push(`- ${left[row]}`);
      row += 1;
    } else {
      merged.push(`+ ${right[column]}`);
      column += 1;
    }
  }
  const near = (index: number): boolean =>
    merged.slice(Math.max(0, index - 2), index + 3).some((line) => !line.startsWith('  '));
  return merged.filter((line, index) => near(index) || line.startsWith('  $ ')).join('\n');
}

/** Product names are the one wording in which the programs may differ. */
export function sameName(output: string): string {
  return output.replaceAll('Terrane', 'Terraform').replaceAll('terrane', 'terraform');
}

async function main(args: readonly string[]): Promise<void> {
  const record = args.includes('--record');
  const wanted = args.filter((argument) => !argument.startsWith('--'));
  const names = humanNames().filter((name) => wanted.length === 0 || wanted.includes(name));
  const program = record ? findTerraform() : findTerrane();
  if (program === undefined) throw new Error('no terraform on PATH');
  await mapLimited(names, 3, async (name) => {
    if (record) {
      writeFileSync(join(here, 'recorded-human', `${name}.txt`), await runHuman(program, name));
      console.log(`+ ${name}`);
      return;
    }
    const diff = await humanDifferences(program, name);
    if (args.includes('--accept')) {
      const path = join(here, 'human-differences', `${name}.txt`);
      if (diff === '') rmSync(path, { force: true });
      else writeFileSync(path, diff);
      return;
    }
    const equal = diff === acceptedDifferences(name);
    console.log(equal ? `= ${name}` : `! ${name}\n${diff}`);
    if (!equal) process.exitCode = 1;
  });
}

if (process.argv[1]?.endsWith('human.ts') === true) await main(process.argv.slice(2));
