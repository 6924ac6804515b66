import { win32 } from 'node:path';

/** Variables of an environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns a variable, on Windows regardless of its case. */
export function variableOf(env: Variables, name: string, platform: string): string | undefined {
  if (platform !== 'win32') return env[name];
  const upperCaseName = name.toUpperCase();
  return Object.entries(env).findLast(([each]) => each.toUpperCase() === upperCaseName)?.[1];
}

/**
 * Returns an environment without variables that differ only in case: on Windows the last one counts, as in Go. Node
 * would keep the one that sorts first, so that `path` would not override `Path`.
 */
export function foldVariables<T extends Variables>(env: T, platform: string): T | Variables {
  if (platform !== 'win32') return env;
  const folded = new Map<string, readonly [string, string | undefined]>();
  for (const [name, value] of Object.entries(env)) folded.set(name.toUpperCase(), [name, value]);
  return Object.fromEntries(folded.values());
}

/** The program and arguments of a process to start. */
export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  /** true: the arguments are parts of the command line, already quoted */
  readonly isVerbatim: boolean;
}

/**
 * Returns the process that runs a program. A batch file, such as `az.cmd`, is run by `cmd.exe`, because Windows cannot
 * start it directly. Arguments that cmd.exe would expand or split are rejected.
 *
 * @throws Error with the code `EINVAL`
 */
export function programCall(
  program: string,
  args: readonly string[],
  env: Variables,
  platform: string,
): ProgramCall {
  if (platform !== 'win32' || !/\.(?:bat|cmd)$/i.test(program)) {
    return { program, args, isVerbatim: false };
  }
  // oxlint-disable-next-line no-control-regex -- they would end the command line
  const unsafe = [program, ...args].find((each) => /["%\u0000\n\r]/.test(each));
  if (unsafe !== undefined) {
    throw Object.assign(
      new Error(
        `${JSON.stringify(unsafe)} cannot be passed to a batch file: it contains a quotation mark, a percent sign or a line break`,
      ),
      { code: 'EINVAL', path: program },
    );
  }
  // A backslash before a quotation mark would escape it for the program that the batch file calls.
  const words = [program, ...args].map((each) => `"${each.replace(/\\+$/, '$&$&')}"`);
  return {
    program: systemProgram('cmd.exe', env),
    args: ['/d', '/s', '/c', `"${words.join(' ')}"`],
    isVerbatim: true,
  };
}

/** Returns the path of a program in the Windows system directory, without a search. */
export function systemProgram(name: string, env: Variables): string {
  const root = variableOf(env, 'SystemRoot', 'win32') || 'C:\\Windows';
  return win32.join(root, 'System32', name);
}
