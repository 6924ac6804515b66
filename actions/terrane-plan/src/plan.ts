// Runs the plan and reads what it prints.
import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

/** A cause of a planned change, as `plan -explain -json` prints it. */
export interface Cause {
  readonly text: string;
  readonly causes: readonly Cause[];
}

/** A planned change with its causes. */
export interface Change {
  readonly address: string;
  readonly kind: string;
  readonly actions: readonly string[];
  readonly deferred: boolean;
  readonly causes: readonly Cause[];
}

/** An error or a warning. */
export interface Problem {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  /** file and line */
  readonly place: string;
}

/** Output of a plan. */
export interface PlanStream {
  readonly changes: readonly Change[];
  readonly problems: readonly Problem[];
  /** such as "Plan: 1 to add, 0 to change, 0 to destroy." */
  readonly summary: string;
  readonly add: number;
  readonly change: number;
  readonly remove: number;
  /** names of outputs that change */
  readonly outputs: readonly string[];
}

/** The result of a program. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs a program without input. Signals of this process are passed on, so that a cancelled job leaves no lock. */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    // A batch file needs the shell of Windows.
    const shell = process.platform === 'win32' && !program.endsWith('.exe');
    const child = spawn(program, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    const collect = (stream: NodeJS.ReadableStream): (() => string) => {
      const decoder = new StringDecoder('utf8');
      const parts: string[] = [];
      stream.on('data', (chunk: Buffer) => void parts.push(decoder.write(chunk)));
      return () => parts.join('') + decoder.end();
    };
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
    for (const signal of SIGNALS) process.on(signal, forward);
    const release = (): void => {
      for (const signal of SIGNALS) process.off(signal, forward);
    };
    child.on('error', (error) => {
      release();
      reject(
        new Error(`${program} cannot be started: ${error.message}. Use setup-terrane before.`, {
          cause: error,
        }),
      );
    });
    child.on('close', (code) => {
      release();
      resolve({ code: code ?? 1, stdout: stdout(), stderr: stderr() });
    });
  });
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Returns the messages in the lines of a JSON stream; lines that are no JSON are skipped. */
function messagesIn(stream: string): readonly Json[] {
  return stream.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const message: unknown = JSON.parse(line);
      return isObject(message) ? [message] : [];
    } catch {
      return [];
    }
  });
}

function causesOf(value: unknown): readonly Cause[] {
  return listOf(value).map((cause) => {
    const { text, causes } = objectOf(cause);
    return { text: textOf(text), causes: causesOf(causes) };
  });
}

function problemOf(value: unknown): Problem {
  const { severity, summary, detail, range } = objectOf(value);
  const { filename, start } = objectOf(range);
  const line = objectOf(start)['line'];
  const place = textOf(filename) === '' ? '' : `${textOf(filename)}:${String(line)}`;
  return {
    severity: textOf(severity),
    summary: textOf(summary),
    detail: textOf(detail),
    place,
  };
}

/** Reads the lines of `terrane plan -explain -json`. */
export function readPlanStream(stream: string): PlanStream {
  const messages = messagesIn(stream);
  const ofType = (type: string): readonly Json[] =>
    messages.filter((each) => each['type'] === type);
  const [summary] = ofType('change_summary').toReversed();
  const counts = objectOf(summary?.['changes']);
  const outputs = objectOf(ofType('outputs').at(-1)?.['outputs']);
  return {
    changes: ofType('explanation').map(({ explanation }) => {
      const { address, kind, actions, deferred, deposed, causes } = objectOf(explanation);
      return {
        address: `${textOf(address)}${deposed === undefined ? '' : ` (deposed object ${textOf(deposed)})`}`,
        kind: textOf(kind),
        actions: listOf(actions).map(textOf),
        deferred: deferred !== undefined,
        causes: causesOf(causes),
      };
    }),
    problems: ofType('diagnostic').map(({ diagnostic }) => problemOf(diagnostic)),
    summary: textOf(summary?.['@message']),
    add: countOf(counts['add']),
    change: countOf(counts['change']),
    remove: countOf(counts['remove']),
    outputs: Object.entries(outputs)
      .filter(([, output]) => !['noop', ''].includes(textOf(objectOf(output)['action'])))
      .map(([name]) => name),
  };
}

/** Splits arguments at spaces, except in single or double quotes. */
export function splitArguments(text: string): readonly string[] {
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
