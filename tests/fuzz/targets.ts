import { Workbench, type RunResult } from 'terrane/testing';
import type { Chance } from './chance.ts';
import { readCorpus, STATEFUL, type Project } from './corpus.ts';
import { mutateJson } from './mutate-json.ts';
import { mutateBytes, mutateText } from './mutate-text.ts';
import { oddCalls } from './odd-calls.ts';

/** The defect in the processing of an input; undefined if there is none. */
export type Fault = string | undefined;

/** A kind of input that is broken on purpose, and what is then run on it. */
export interface Target {
  readonly name: string;
  /** The relative frequency. */
  readonly weight: number;
  run(chance: Chance): Promise<Fault>;
}

const corpus = readCorpus();
const texts = corpus.flatMap((project) => Object.values(project));

/** Runs a command and holds it to what every command owes its user. */
async function checked(
  bench: Workbench,
  command: string | readonly string[],
  input: readonly string[] = [],
): Promise<RunResult & { readonly fault: Fault }> {
  const result = await bench.run(command, { input });
  return { ...result, fault: faultOf(command, result) };
}

/** Returns the defect of any response of the program; undefined if there is none. */
export function faultOf(command: string | readonly string[], result: RunResult): Fault {
  const words = typeof command === 'string' ? command.split(' ') : command;
  const shown = words.join(' ');
  if (![0, 1, 2, 3].includes(result.code)) return `${shown}: exit code ${result.code}`;
  const output = result.stdout + result.stderr;
  if (/\[object Object\]|\bundefined is not\b|Cannot read propert/.test(output))
    return `${shown}: printed the inside of the program:\n${output}`;
  if (words.includes('-json')) {
    const fault = faultOfJson(words, result);
    if (fault !== undefined) return `${shown}: ${fault}`;
  }
  // Somebody who is refused must be told why.
  if (result.code === 1 && output.trim() === '') return `${shown}: failed without a word`;
  return undefined;
}

function faultOfJson(words: readonly string[], { code, stdout, stderr }: RunResult): Fault {
  const streams = ['plan', 'apply', 'init'].includes(words[0] ?? '');
  const documents = streams ? stdout.split('\n').filter((line) => line !== '') : [stdout];
  let errors = 0;
  for (const document of documents) {
    if (document.trim() === '' && stderr.trim() !== '') return undefined;
    let parsed: unknown;
    try {
      parsed = JSON.parse(document);
    } catch {
      return stderr.includes('Error:') || /^\s*(?:Usage|╷|Error)/.test(document)
        ? undefined
        : `no JSON: ${document.slice(0, 500)}`;
    }
    errors += JSON.stringify(parsed).split('"severity":"error"').length - 1;
  }
  if (code === 1 && errors === 0 && !stderr.includes('Error'))
    return `failed without an error in its output:\n${stdout}${stderr}`;
  return undefined;
}

/** The first fault of some commands, one after the other. */
async function first(
  bench: Workbench,
  commands: readonly (string | readonly string[])[],
): Promise<Fault> {
  for (const command of commands) {
    const { fault } = await checked(bench, command);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function broken(chance: Chance, path: string, text: string): string {
  let changed = text;
  for (let times = 1 + chance.below(3); times > 0; times--) {
    const structured = path.endsWith('.json') && !chance.once(4);
    changed = structured
      ? mutateJson(chance, changed)
      : mutateText(chance, changed, chance.pick(texts));
  }
  return changed;
}

/** A project of the corpus in which one file is broken. */
function brokenProject(chance: Chance, wanted: RegExp): Project {
  const fitting = corpus.filter((project) =>
    Object.keys(project).some((path) => wanted.test(path)),
  );
  const project = chance.pick(fitting);
  const path = chance.pick(Object.keys(project).filter((name) => wanted.test(name)));
  return { ...project, [path]: broken(chance, path, project[path] ?? '') };
}

/** A directory in which a configuration has been applied, and the state that came of it. */
async function applied(chance: Chance): Promise<{ bench: Workbench; state: string }> {
  const bench = await Workbench.with(chance.pick(STATEFUL));
  const { code, stdout, stderr } = await bench.run('apply -auto-approve -input=false -no-color');
  if (code !== 0) throw new Error(`the corpus is not applied: ${stdout}${stderr}`);
  return { bench, state: await bench.read('terraform.tfstate') };
}

const ADDRESSES: readonly string[] = [
  ...['terraform_data.one', 'terraform_data.one[0]', 'terraform_data.keyed["b c"]', 'module.child'],
  ...[
    'module.child["x"].random_id.id',
    'data.x.y',
    'module.a.module.b',
    'random_pet.name',
    'x[1][2]',
  ],
];

/** Everything that is broken on purpose. */
export const TARGETS: readonly Target[] = [
  {
    name: 'configuration',
    weight: 6,
    async run(chance) {
      const bench = await Workbench.with(brokenProject(chance, /\.(?:tf|tofu)$/));
      return await first(bench, [
        'validate -json',
        chance.once(2) ? 'plan -input=false -json' : 'plan -input=false -no-color',
      ]);
    },
  },
  {
    name: 'json-configuration',
    weight: 3,
    async run(chance) {
      const bench = await Workbench.with(brokenProject(chance, /\.(?:tf|tofu)\.json$/));
      return await first(bench, ['validate -json', 'plan -input=false -json']);
    },
  },
  {
    name: 'variables',
    weight: 2,
    async run(chance) {
      const project = brokenProject(chance, /\.tfvars(?:\.json)?$/);
      const bench = await Workbench.with(project);
      const files = Object.keys(project).filter((path) => /\.tfvars(?:\.json)?$/.test(path));
      return await first(bench, [`plan -input=false -json -var-file=${chance.pick(files)}`]);
    },
  },
  {
    name: 'expression',
    weight: 3,
    async run(chance) {
      const lines = chance.pick(texts).split('\n');
      const line = chance.pick(lines).replace(/^\s*[\w-]+\s*=\s*/, '');
      const bench = await Workbench.with({ 'main.tf': chance.pick(STATEFUL)['main.tf'] ?? '' });
      return (await checked(bench, 'console -no-color', [broken(chance, '', line)])).fault;
    },
  },
  {
    name: 'calls',
    weight: 1,
    async run(chance) {
      const bench = await Workbench.with(await oddCalls(chance));
      return await first(bench, ['plan -input=false -json']);
    },
  },
  {
    name: 'format',
    weight: 3,
    async run(chance) {
      const text = broken(chance, '', chance.pick(texts));
      const bench = await Workbench.with({});
      const once = await checked(bench, 'fmt -no-color -', text.split('\n'));
      if (once.fault !== undefined || once.code !== 0) return once.fault;
      const twice = await checked(
        bench,
        'fmt -no-color -',
        once.stdout.replace(/\n$/, '').split('\n'),
      );
      if (twice.fault !== undefined) return twice.fault;
      if (twice.code === 0 && twice.stdout === once.stdout) return undefined;
      // As with Terraform, each run takes one of templates away that stand alone in templates.
      const unwraps = once.stdout.includes('"${"') && twice.stdout.length < once.stdout.length;
      return twice.code === 0 && unwraps
        ? undefined
        : `fmt: formatting again gives something else:\n${once.stdout}\n---\n${twice.stdout}${twice.stderr}`;
    },
  },
  {
    name: 'state',
    weight: 4,
    async run(chance) {
      const { bench, state } = await applied(chance);
      await bench.write('terraform.tfstate', broken(chance, 'x.json', state));
      const fault = await first(bench, [
        'show -json',
        'state list',
        'plan -input=false -json',
        'apply -auto-approve -input=false -json',
      ]);
      if (fault !== undefined) return fault;
      // Files written by a run must be readable, whatever its input.
      const kept = await bench.read('terraform.tfstate').catch(() => '');
      if (kept === '' || !kept.includes('"serial"')) return undefined;
      return await first(bench, ['state pull', 'destroy -auto-approve -input=false -no-color']);
    },
  },
  {
    name: 'plan-file',
    weight: 3,
    async run(chance) {
      const project = chance.pick(STATEFUL);
      const bench = await Workbench.with(project);
      const planned = await checked(bench, 'plan -input=false -no-color -out=tfplan');
      if (planned.code !== 0) throw new Error(`the corpus is not planned: ${planned.stderr}`);
      const file = Buffer.from(await bench.readBytes('tfplan'));
      await bench.writeBytes('tfplan', mutateBytes(chance, file));
      return await first(bench, [
        'show -json tfplan',
        'show -no-color tfplan',
        'apply -no-color tfplan',
      ]);
    },
  },
  {
    name: 'arguments',
    weight: 2,
    async run(chance) {
      const { bench } = await applied(chance);
      const address = broken(chance, '', chance.pick(ADDRESSES));
      return await first(bench, [
        ['plan', '-input=false', '-json', `-target=${address}`],
        ['plan', '-input=false', '-no-color', `-replace=${address}`],
        ['state', 'show', '-no-color', address],
        ['state', 'mv', '-dry-run', address, broken(chance, '', chance.pick(ADDRESSES))],
        ['plan', '-input=false', '-json', `-var=${address}`],
        ['taint', address],
      ]);
    },
  },
  {
    name: 'lock-file',
    weight: 1,
    async run(chance) {
      const { bench } = await applied(chance);
      await bench.run('init -input=false -no-color');
      const lock = await bench.read('.terraform.lock.hcl').catch(() => '');
      await bench.write('.terraform.lock.hcl', broken(chance, '', lock));
      return await first(bench, [
        'init -input=false -no-color',
        'plan -input=false -json',
        'providers',
      ]);
    },
  },
];

/** Whole lives of projects, which run only where they are named: their inputs are not broken ones. */
const LIVES: readonly Target[] = [
  {
    name: 'lifecycle',
    weight: 1,
    async run(chance) {
      const { lifecycleFault } = await import('./lifecycle/lifecycle-run.ts');
      return await lifecycleFault(chance.below(2 ** 31));
    },
  },
  {
    name: 'ordering',
    weight: 1,
    async run(chance) {
      const { orderingFault } = await import('./ordering/ordering-run.ts');
      return await orderingFault(chance.below(2 ** 31));
    },
  },
];

/** The target of a run, by its weight. */
export function chooseTarget(chance: Chance, names: readonly string[]): Target {
  const fitting =
    names.length === 0
      ? TARGETS
      : [...TARGETS, ...LIVES].filter(({ name }) => names.includes(name));
  return chance.pick(fitting.flatMap((target) => Array<Target>(target.weight).fill(target)));
}
