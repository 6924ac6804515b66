// Runs Terrane with a plugin that ends, or falls silent, at one of its calls.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentOf, objectsOf, workDirectory } from './run-case.ts';

const command = resolve(import.meta.dirname, '../../bin/terrane');
/** When a run counts as hanging, on a slow machine too. */
const PATIENCE_MS = 240_000;

/** A run in which a call is reached. */
export interface Scenario {
  readonly call: string;
  readonly config: string;
  /** the state to begin with; default: that of {@link import('./cases.ts').GOOD} */
  readonly state?: string;
  readonly command?: readonly string[];
  /** the message need not name an object: the call is not about one */
  readonly about?: string;
  /** the call that the message names; default: the one that fails */
  readonly namedCall?: string;
  /** nothing is lost when it fails, so that the run goes well */
  readonly harmless?: boolean;
  /** the call is only reached when the run is interrupted */
  readonly interrupt?: boolean;
}

/** The result of a run. */
export interface Ended {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly text: string;
  readonly objects: ReturnType<typeof objectsOf>;
  /** something was left open, of which later runs tell */
  readonly isOpen: boolean;
  /** how often the call was reached */
  readonly reached: number;
  /** interrupts that were sent */
  readonly interrupts: number;
  /** processes of the plugin that are still there */
  readonly survivors: readonly string[];
}

/** Runs a scenario. `hang`: it is interrupted when the call is reached, and again until it ends. */
export async function runInterrupted(
  plugin: string,
  scenario: Scenario,
  how: 'kill' | 'exit' | 'crash' | 'hang' | 'none',
  state: string,
): Promise<Ended> {
  const work = workDirectory(plugin);
  const marker = join(work, 'home/reached');
  try {
    writeFileSync(join(work, 'main.tf'), scenario.config);
    if (state !== '') writeFileSync(join(work, 'terraform.tfstate'), state);
    const env = environmentOf(work, {
      ...(how === 'none' ? {} : { BREAK_CALL: scenario.call, BREAK_HOW: how }),
      BREAK_MARKER: marker,
    });
    const args = [...(scenario.command ?? ['apply', '-auto-approve']), '-no-color'];
    const child = spawn(command, args, { cwd: work, env });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    let ended: { readonly exit: number | null; readonly signal: NodeJS.Signals | null } | undefined;
    child.on('close', (exit, signal) => (ended = { exit, signal }));
    const wanted = how === 'hang' ? 2 : scenario.interrupt === true ? 1 : 0;
    const isThere = (): boolean =>
      existsSync(scenario.interrupt === true ? `${marker}.slow` : marker);
    let interrupts = 0;
    const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    while (ended === undefined) {
      await sleep(25);
      // Each is sent when the one before has come.
      const ready =
        interrupts === 0 ? isThere() : existsSync(marker) && text.includes('Interrupt received.');
      if (interrupts < wanted && ready) {
        child.kill('SIGINT');
        interrupts++;
      }
    }
    clearTimeout(patience);
    const reached = existsSync(marker) ? readFileSync(marker, 'utf8').split('\n').length - 1 : 0;
    const objects = objectsOf(join(work, 'terraform.tfstate'));
    const isOpen = existsSync(join(work, '.terraform.tfstate.journal'));
    return {
      ...ended,
      text,
      objects,
      isOpen,
      reached,
      interrupts,
      survivors: await survivingPlugins(marker),
    };
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Plugins of a run that are there after a moment in which they may end. */
async function survivingPlugins(marker: string): Promise<readonly string[]> {
  for (let i = 0; ; i++) {
    const processes = processesWith(marker);
    if (processes.length === 0 || i === 300) return processes;
    await sleep(100);
  }
}

/** The processes that have a path in their environment. */
function processesWith(path: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(path);
      } catch {
        return false; // it has ended, or is somebody else's
      }
    });
}
