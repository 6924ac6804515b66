import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findTerraformLs } from '../../scripts/oracle/install-terraform-ls.mjs';
import { largeProvider, LARGE_REQUIRED, overrideOf } from '../large-provider.ts';
import { measure, median } from '../measure.ts';
import { Session, type ServerProgram } from './session.ts';
import { writeDirectories, writeModule } from './workspaces.ts';

/** Inputs of the benchmark. */
export interface EditorBench {
  readonly root: string;
  readonly scratch: string;
  readonly terrane: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly scale: number;
}

/** A row of the table. */
interface Row {
  readonly what: string;
  readonly unit: 'ms' | 'MB';
  readonly goal: number;
  readonly measured: (server: ServerProgram) => Promise<number | undefined>;
}

/** Processor time of the server for one operation of the last row, where it was measured. */
let processorTime: number | undefined;

/** The time limit for a response, which may never arrive. */
const PATIENCE_MS = 30_000;

/**
 * Measures the language server against the targets of docs/evidence/editor.md, beside terraform-ls if it is built
 * (node scripts/oracle/install-terraform-ls.mjs). Returns true if all targets are met.
 */
export async function editorBench(bench: EditorBench, names: readonly string[]): Promise<boolean> {
  const { terrane, environment, scale } = bench;
  const servers: ServerProgram[] = [
    { label: 'Terrane', command: [...terrane, 'lsp', '-stdio'], environment },
  ];
  const reference = findTerraformLs();
  if (reference === undefined) process.stdout.write('terraform-ls is not built: it is left out\n');
  else {
    servers.push({ label: 'terraform-ls', command: [reference, 'serve'], environment });
  }
  const files = Math.max(2, Math.round(500 * scale));
  const directories = Math.max(2, Math.round(4000 * scale));
  const moduleFolder = join(bench.scratch, 'module');
  writeModule(moduleFolder, files);
  const monorepo = join(bench.scratch, 'monorepo');
  writeDirectories(monorepo, directories);
  const rows: Readonly<Record<string, Row>> = {
    open: {
      what: 'symbols of the first file, from the start of the process',
      unit: 'ms',
      goal: 300,
      measured: (server) =>
        fromStart(server, bench, (session) => session.openForSymbols('main.tf')),
    },
    cold: {
      what: `first diagnostics, from the start of the process`,
      unit: 'ms',
      goal: 300,
      measured: (server) => fromStart(server, bench, (session) => session.open('main.tf')),
    },
    warm: {
      what: 'first diagnostics of another file',
      unit: 'ms',
      goal: 50,
      measured: (server) => warmDiagnostics(server, bench),
    },
    completion: {
      what: `completion, 95th percentile, module of ${files} files`,
      unit: 'ms',
      goal: 30,
      measured: (server) => completion(server, moduleFolder, files),
    },
    keystroke: {
      what: `keystroke to diagnostics, module of ${files} files`,
      unit: 'ms',
      goal: 150,
      measured: (server) => keystroke(server, moduleFolder),
    },
    workspace: {
      what: `workspace of ${directories} directories ready`,
      unit: 'ms',
      goal: 3000,
      measured: async (server) => (await workspace(server, monorepo, directories))?.milliseconds,
    },
    'workspace-memory': {
      what: `memory, workspace of ${directories} directories`,
      unit: 'MB',
      goal: 250,
      measured: async (server) => (await workspace(server, monorepo, directories))?.megabytes,
    },
    schema: {
      what: 'memory for a provider schema of 1,500 types',
      unit: 'MB',
      goal: 60,
      measured: schemaMemory(bench),
    },
  };
  let isMet = true;
  for (const [name, row] of Object.entries(rows)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const cells: string[] = [];
    for (const server of servers) {
      const value = await row.measured(server);
      const cpu = processorTime === undefined ? '' : ` (${processorTime.toFixed(0)} ms CPU each)`;
      processorTime = undefined;
      const text = value === undefined ? 'no answer' : `${value.toFixed(0)} ${row.unit}${cpu}`;
      cells.push(`${server.label} ${text}`);
      if (server.label !== 'Terrane') continue;
      const isGoalMet = value !== undefined && value <= row.goal;
      if (!isGoalMet) isMet = false;
      cells.push(`goal ${row.goal}: ${isGoalMet ? 'met' : 'MISSED'}`);
    }
    process.stdout.write(`${name.padEnd(18)} ${row.what}: ${cells.join(' · ')}\n`);
  }
  return isMet;
}

const SMALL = 'resource "terraform_data" "a" {\n  input = var.missing\n}\n';

function smallFolder({ scratch }: EditorBench): string {
  const folder = join(scratch, 'small');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'main.tf'), SMALL);
  writeFileSync(join(folder, 'variables.tf'), 'variable "size" {\n  default = 1\n}\n');
  return folder;
}

/** Resolves with undefined if a measurement takes too long, as when a server never answers. */
async function patiently<Value>(run: Promise<Value>): Promise<Value | undefined> {
  const controller = new AbortController();
  const late = delay(PATIENCE_MS, undefined, { signal: controller.signal }).catch(() => undefined);
  try {
    return await Promise.race([run, late]);
  } finally {
    controller.abort();
  }
}

/** The median time from the start of the process until a file is open. */
async function fromStart(
  server: ServerProgram,
  bench: EditorBench,
  open: (session: Session) => Promise<unknown>,
): Promise<number | undefined> {
  const folder = smallFolder(bench);
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const session = new Session(server, folder);
    const isDone = await patiently(
      session.initialize().then(async () => (await open(session), true)),
    );
    if (isDone === true) times.push(performance.now() - session.started);
    processorTime = session.process.cpuMilliseconds();
    await session.process.end();
    if (isDone !== true) return undefined;
  }
  return times.length === 0 ? undefined : median(times);
}

async function warmDiagnostics(
  server: ServerProgram,
  bench: EditorBench,
): Promise<number | undefined> {
  const folder = smallFolder(bench);
  for (let index = 0; index < 20; index++) {
    const path = join(folder, `other-${index}`);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'main.tf'), SMALL);
  }
  const session = new Session(server, folder);
  await session.initialize();
  const times: number[] = [];
  const isDone = await patiently(
    (async () => {
      await session.open('main.tf');
      for (let index = 0; index < 20; index++) {
        const began = performance.now();
        await session.open(`other-${index}/main.tf`);
        times.push(performance.now() - began);
      }
      return true;
    })(),
  );
  await session.process.end();
  return isDone === true ? median(times) : undefined;
}

/** Returns a percentile by the nearest rank: of 20 numbers, the 95th is the second largest. */
function percentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Positions of a file of the module: a block, an argument, references and an expression. */
const POSITIONS = [
  [5, 0],
  [12, 2],
  [13, 30],
  [14, 32],
  [7, 32],
  [19, 16],
] as const;

async function completion(
  server: ServerProgram,
  folder: string,
  files: number,
): Promise<number | undefined> {
  const session = new Session(server, folder);
  await session.initialize();
  const times: number[] = [];
  const isDone = await patiently(
    (async () => {
      await session.openForSymbols('service-0.tf');
      await session.completion('service-0.tf', 5, 0);
      const before = session.process.cpuMilliseconds();
      for (let round = 0; round < 10; round++) {
        const path = `service-${(round * 13) % files}.tf`;
        if (round > 0) await session.openForSymbols(path);
        for (const [line, character] of POSITIONS) {
          const began = performance.now();
          await session.completion(path, line, character);
          times.push(performance.now() - began);
        }
      }
      processorTime = (session.process.cpuMilliseconds() - before) / times.length;
      return true;
    })(),
  );
  await session.process.end();
  return isDone === true ? percentile(times, 0.95) : undefined;
}

async function keystroke(server: ServerProgram, folder: string): Promise<number | undefined> {
  const session = new Session(server, folder);
  await session.initialize();
  const times: number[] = [];
  const isDone = await patiently(
    (async () => {
      await session.open('service-0.tf');
      const before = session.process.cpuMilliseconds();
      for (let round = 0; round < 40; round++) {
        // Breaks and repairs a reference: var.size_1 in the locals.
        const [text, removed] = round % 2 === 0 ? ['zzz', 0] : ['', 3];
        const began = performance.now();
        await session.insert(
          'service-0.tf',
          { line: 7, character: 32 },
          text,
          removed,
          (diagnostics) => diagnostics.length > 0 === (round % 2 === 0),
        );
        times.push(performance.now() - began);
      }
      processorTime = (session.process.cpuMilliseconds() - before) / times.length;
      return true;
    })(),
  );
  await session.process.end();
  return isDone === true ? percentile(times, 0.95) : undefined;
}

const workspaces = new Map<
  string,
  { readonly milliseconds: number; readonly megabytes: number } | undefined
>();

/** Ready: every directory answers to a search for a symbol, and an opened file has its diagnostics. */
async function workspace(server: ServerProgram, folder: string, directories: number) {
  if (workspaces.has(server.label)) return workspaces.get(server.label);
  const session = new Session(server, folder);
  const result = await patiently(
    (async () => {
      await session.initialize();
      await session.openForSymbols(
        `team-${(directories - 1) % 40}/stack-${directories - 1}/main.tf`,
      );
      while ((await session.symbols(`stack_${directories - 2}`)) === 0) await delay(20);
      const milliseconds = performance.now() - session.started;
      return { milliseconds, megabytes: session.process.residentMegabytes() };
    })(),
  );
  await session.process.end();
  workspaces.set(server.label, result);
  return result;
}

/** The memory that a module takes which requires a provider of 1,500 types, beyond one that requires nothing. */
function schemaMemory(bench: EditorBench): Row['measured'] {
  return async (server) => {
    const provider = largeProvider(bench.scratch, bench.root, 1500);
    if (provider === undefined) return undefined;
    const configuration = join(bench.scratch, 'large.tfrc');
    writeFileSync(configuration, overrideOf('bench/large', provider));
    const environment = { ...server.environment, TF_CLI_CONFIG_FILE: configuration };
    const bare = join(bench.scratch, 'schema-bare');
    const requiring = join(bench.scratch, 'schema');
    for (const folder of [bare, requiring]) mkdirSync(folder, { recursive: true });
    const resource = 'resource "large_type_7" "a" {\n  attribute_1 = "a"\n}\n';
    writeFileSync(join(bare, 'main.tf'), 'resource "terraform_data" "a" {}\n');
    writeFileSync(join(requiring, 'main.tf'), `${LARGE_REQUIRED}\n${resource}`);
    await measure([...bench.terrane, 'init'], bare, environment);
    const usage = async (folder: string): Promise<number | undefined> => {
      const session = new Session({ ...server, environment }, folder);
      const used = await patiently(
        (async () => {
          await session.initialize({ trusted: true });
          await session.openForSymbols('main.tf');
          const line = folder === bare ? 0 : 7;
          const deadline = performance.now() + 15_000;
          while ((await session.completion('main.tf', line, 0)) < 20) {
            if (performance.now() > deadline) break;
            await delay(100);
          }
          await delay(2000);
          return session.process.residentMegabytes();
        })(),
      );
      await session.process.end();
      return used;
    };
    const [without, with_] = [await usage(bare), await usage(requiring)];
    return without === undefined || with_ === undefined ? undefined : with_ - without;
  };
}
