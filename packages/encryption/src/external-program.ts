import { userErrorText } from '@terrane/host';
import type { KeyHost } from './key-provider.ts';

/** The time limit of an external program. */
const LIMIT_MS = 60_000;

/** The reason why the exchange with an external program failed. */
export class ProgramError extends Error {
  readonly kind: 'protocol' | 'exit' | 'start' | 'answer';
  /** standard error of the program */
  readonly stderr: string;

  constructor(kind: ProgramError['kind'], message: string, stderr: string) {
    super(message);
    this.kind = kind;
    this.stderr = stderr;
  }
}

/**
 * Runs a program with OpenTofu's protocol for keys and encryption. It prints a header, a line of JSON with `magic`,
 * then a response, a JSON object with no members but `members`. Rejects with a {@link ProgramError}.
 */
export async function askProgram(
  host: Pick<KeyHost, 'spawn' | 'clock'>,
  command: readonly string[],
  input: string,
  protocol: {
    readonly magic: string;
    readonly subject: string;
    readonly members: readonly string[];
  },
): Promise<Readonly<Record<string, unknown>>> {
  const [program = '', ...args] = command;
  const timeout = new AbortController();
  const completed = new AbortController();
  void host.clock.sleep(LIMIT_MS, completed.signal).then(
    () => timeout.abort(),
    () => {},
  );
  let result: { readonly code: number; readonly stdout: string; readonly stderr: string };
  try {
    result = await host.spawn.run(program, args, { stdin: input, signal: timeout.signal });
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT';
    const reason = isMissing
      ? `exec: ${JSON.stringify(program)}: executable file not found in $PATH`
      : userErrorText(error);
    throw new ProgramError('start', reason, '');
  } finally {
    completed.abort();
  }
  const { code, stdout, stderr } = result;
  const end = stdout.indexOf('\n');
  if (end !== -1) {
    const problem = headerProblem(stdout.slice(0, end), protocol);
    if (problem !== undefined) throw new ProgramError('protocol', problem, stderr);
  }
  if (code !== 0) {
    const reason = timeout.signal.aborted ? 'signal: killed' : `exit status ${code}`;
    throw new ProgramError('exit', reason, stderr);
  }
  let answer: unknown;
  try {
    answer = JSON.parse(stdout.slice(end + 1));
  } catch {
    // The output may contain a key.
    throw new ProgramError('answer', 'it is no JSON', stderr);
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw new ProgramError('answer', 'it is no JSON object', stderr);
  }
  for (const name of Object.keys(answer)) {
    if (!protocol.members.includes(name)) {
      throw new ProgramError('answer', `json: unknown field ${JSON.stringify(name)}`, stderr);
    }
  }
  return Object.fromEntries(Object.entries(answer));
}

function headerProblem(
  line: string,
  { magic, subject }: { readonly magic: string; readonly subject: string },
): string | undefined {
  let header: unknown;
  try {
    header = JSON.parse(line);
  } catch {
    header = undefined;
  }
  if (typeof header !== 'object' || header === null) {
    return `failed to unmarshal header from external ${subject === 'method' ? subject : 'binary'} (it is no JSON object)`;
  }
  const { magic: receivedMagic = '', version = 0 } = Object.fromEntries(Object.entries(header));
  if (receivedMagic !== magic)
    return `invalid magic received from external ${subject}: ${String(receivedMagic)}`;
  if (version !== 1) {
    return `invalid version number received from external ${subject}: ${String(version)}`;
  }
  return undefined;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
