// Counts the work of a command: how often the functions of the program are called (V8 counts exactly), what it loads
// and what it writes. Unlike times, counts are the same on every machine and under every load.
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TableWorkload } from '../../bench/table-workloads.ts';

const root = join(import.meta.dirname, '../..');

/** A kind of work, and the functions whose calls are counted: `FILE FUNCTION`. */
const CALLS = {
  'tokens scanned': 'packages/hcl/src/syntax/tokens.ts push',
  'bodies parsed': 'packages/hcl/src/syntax/native-body.ts NativeBody',
  'spec nodes decoded': 'packages/hcl/src/decode/decode-body.ts decodeContent',
  'expressions evaluated': 'packages/hcl/src/evaluate/evaluate.ts evaluate',
  'bodies searched for references': 'packages/engine/src/lang/references.ts referencesInBody',
  'program nodes connected': 'packages/engine/src/evaluate/program.ts #connect',
  'resources expanded': 'packages/engine/src/objects/expand-resource.ts expandResource',
  'provider: validateResourceConfig':
    'packages/provider/src/enforce/enforce-contract.ts validateResourceConfig',
  'provider: upgradeResourceState':
    'packages/provider/src/enforce/enforce-contract.ts upgradeResourceState',
  'provider: readResource': 'packages/provider/src/enforce/enforce-contract.ts readResource',
  'provider: planResourceChange':
    'packages/provider/src/enforce/enforce-contract.ts planResourceChange',
  'provider: applyResourceChange':
    'packages/provider/src/enforce/enforce-contract.ts applyResourceChange',
  'state files parsed': 'packages/engine/src/state/statefile-read.ts readStateFile',
  'state files written': 'packages/engine/src/state/statefile-write.ts writeStateFile',
  'journal events': 'packages/engine/src/state/journal-record.ts encodeEvent',
  'objects drawn': 'packages/render/src/human/whole-object.ts draw',
} as const;

/** The counts of a run, by kind of work; a kind that did not occur is left out. */
export type Counts = Readonly<Record<string, number>>;

/** The kinds of work that have a function of the program. */
export const COUNTED: readonly string[] = Object.keys(CALLS);

/** Sums of many kinds of work, which vary with small changes of the program and with what happens at the same time. */
const SUMS: readonly string[] = [
  'modules loaded',
  'function calls',
  'bytes printed',
  'bytes in files',
];

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/** Runs the program from its sources. */
function runProgram(
  directory: string,
  args: readonly string[],
  { home, exitCode = 0, coverage }: { home: string; exitCode?: number; coverage?: string },
): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=terrane-source', join(root, 'packages/cli/src/terrane.ts'), ...args],
    {
      cwd: directory,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        CHECKPOINT_DISABLE: '1',
        NODE_V8_COVERAGE: coverage ?? '',
      },
    },
  );
  if (status !== exitCode) throw new Error(`${args.join(' ')}: exit code ${status}\n${stderr}`);
  return stdout;
}

/** Runs the command of a workload and counts its work. */
export function countWork({
  files,
  command,
  needsInit,
  isApplied,
  exitCode,
}: TableWorkload): Counts {
  const scratch = mkdtempSync(join(tmpdir(), 'terrane-work-'));
  try {
    const directory = join(scratch, 'project');
    const coverage = join(scratch, 'coverage');
    const home = join(scratch, 'home');
    for (const folder of [directory, home]) mkdirSync(folder);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
    if (needsInit) runProgram(directory, ['init', '-input=false'], { home });
    if (isApplied === true) runProgram(directory, ['apply', '-auto-approve'], { home });
    const output = runProgram(directory, command, {
      home,
      coverage,
      ...(exitCode === undefined ? {} : { exitCode }),
    });
    return {
      ...countCalls(coverage),
      'bytes printed': output.length,
      'bytes in files': bytesIn(directory),
    };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function countCalls(folder: string): Counts {
  const modules = new Set<string>();
  const calls = new Map<string, number>();
  let total = 0;
  for (const name of readdirSync(folder)) {
    const coverage = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage;
    for (const { url, functions } of coverage.result) {
      if (!url.startsWith(`file://${root}/`)) continue;
      const path = url.slice(`file://${root}/`.length);
      if (path.startsWith('node_modules/')) continue;
      modules.add(path);
      for (const { functionName, ranges } of functions) {
        const count = ranges[0]?.count ?? 0;
        const key = `${path} ${functionName}`;
        calls.set(key, (calls.get(key) ?? 0) + count);
        total += count;
      }
    }
  }
  const counts = Object.entries(CALLS).map(([kind, key]) => [kind, calls.get(key) ?? 0] as const);
  return Object.fromEntries([
    ...counts.filter(([, count]) => count > 0),
    ['modules loaded', modules.size],
    ['function calls', total],
  ]);
}

function bytesIn(directory: string): number {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const sizes = paths.map((path) => statSync(join(directory, path)));
  return sizes.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

/** Differences of counts from the recorded ones, one line each. Sums may differ by 3 %, all else must be equal. */
export function differingCounts(recorded: Counts, counts: Counts): readonly string[] {
  const kinds = new Set([...Object.keys(recorded), ...Object.keys(counts)]);
  return [...kinds].flatMap((kind) => {
    const [before = 0, now = 0] = [recorded[kind], counts[kind]];
    const tolerance = SUMS.includes(kind) ? 0.03 * before : 0;
    return Math.abs(now - before) > tolerance ? [`${kind}: ${now}, recorded ${before}`] : [];
  });
}
