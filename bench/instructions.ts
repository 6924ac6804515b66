import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { requireKnown } from './known-names.ts';
import { prepare, type TablePorts } from './table.ts';
import { TABLE } from './table-workloads.ts';

/**
 * V8 options under which a run executes the same instructions each time, to 0.1 %: in one thread, in the interpreter,
 * with fixed seeds. V8 rejects the compiled code of the program under them, so that each run compiles it.
 */
const DETERMINISTIC: readonly string[] = [
  '--hash-seed=1',
  '--random-seed=1',
  '--single-threaded',
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
  '--no-flush-bytecode',
  '--max-semi-space-size=4',
];

/**
 * Prints the instructions that the built program executes for rows of the table, all if none is named, as valgrind
 * counts them. Unlike times, they can be compared on a busy machine. Throws if valgrind is missing or a command fails.
 */
export async function printInstructions(
  ports: TablePorts,
  names: readonly string[],
): Promise<void> {
  requireKnown(
    names,
    TABLE.map(({ name }) => name),
  );
  const program = [
    process.execPath,
    ...DETERMINISTIC,
    join(ports.root, 'packages/cli/dist/terrane.js'),
  ];
  process.stdout.write('| workload | million instructions |\n|---|---|\n');
  for (const workload of TABLE) {
    if (names.length > 0 && !names.includes(workload.name)) continue;
    const directory = await prepare(workload, ports.terrane, 'instructions', ports);
    const count = countInstructions([...program, ...workload.command], directory, {
      environment: ports.environment,
      exitCode: workload.exitCode ?? 0,
    });
    process.stdout.write(`| ${workload.title} | ${Math.round(count / 1e6)} |\n`);
  }
}

function countInstructions(
  command: readonly string[],
  cwd: string,
  options: Pick<TablePorts, 'environment'> & { readonly exitCode: number },
): number {
  const { environment: env, exitCode } = options;
  const callgrind = ['--tool=callgrind', '--smc-check=stack', '--callgrind-out-file=/dev/null'];
  const { status, stderr, error } = spawnSync('valgrind', [...callgrind, ...command], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (error !== undefined) throw new Error(`valgrind cannot be run: ${error.message}`);
  const collected = /Collected : (\d+)/.exec(stderr)?.[1];
  if (status !== exitCode || collected === undefined)
    throw new Error(`${command.join(' ')} ended with ${status}:\n${stderr.slice(-2_000)}`);
  return Number(collected);
}
