// A machine that does what is asked of a Windows machine as far as provisioners go: it keeps files in
// memory, and runs the command lines that put them there and scripts of a few commands.

const TEMP = String.raw`C:\Users\Builder\Temp`;
/** The number of bytes per chunk of output: characters and lines are split. */
const PIECE = 10;

/** The response of a command to the next request for its output. */
export type Step =
  | { readonly kind: 'say'; readonly stream: 'stdout' | 'stderr'; readonly data: Buffer }
  /** nothing to say for as long as one waits */
  | { readonly kind: 'silence' }
  /** goes on until it is ended */
  | { readonly kind: 'hang' }
  /** the connection breaks, as when the machine starts anew */
  | { readonly kind: 'break' }
  | { readonly kind: 'exit'; readonly code: number };

export class WindowsMachine {
  /** path → content */
  readonly files: Map<string, Buffer> = new Map<string, Buffer>();
  readonly #isFull: boolean;

  /** `isFull`: there is no room for what is sent. */
  constructor({ isFull = false }: { readonly isFull?: boolean } = {}) {
    this.#isFull = isFull;
  }

  /** Runs a command line of `cmd` to see what it will say; files change at once. */
  run(line: string): Step[] {
    const append = /^echo (\S+) >> "(.+)"$/.exec(line);
    if (append !== null) {
      const path = this.#path(append[2] ?? '');
      if (this.#isFull)
        return [say('stderr', 'There is not enough space on the disk.\r\n'), exit(1)];
      const before = this.files.get(path) ?? Buffer.alloc(0);
      this.files.set(path, Buffer.concat([before, Buffer.from(`${append[1]} \r\n`)]));
      return [exit(0)];
    }
    const remove = /^del \/q "(.+)"$/.exec(line);
    if (remove !== null) {
      this.files.delete(this.#path(remove[1] ?? ''));
      return [exit(0)];
    }
    const script = scriptIn(line);
    if (script !== undefined) return this.#restore(script);
    const path = this.#path(line);
    const content = this.files.get(path);
    if (content === undefined) {
      const text = `'${line}' is not recognized as an internal or external command,\r\noperable program or batch file.\r\n`;
      return [say('stderr', text), exit(1)];
    }
    return steps(content.toString('utf8'));
  }

  /** Moves or removes a temporary file: only the paths in the script are interpreted. */
  #restore(script: string): Step[] {
    const paths = pathsIn(script).map((path) => this.#path(path));
    const [from = '', to] = paths;
    const lines = this.files.get(from)?.toString('latin1').split('\n') ?? [];
    if (to === undefined || /\bDelete\(\$from\)/.test(script)) this.files.delete(from);
    if (to === undefined) return [exit(0)];
    const isDirectory = [...this.files.keys()].some((path) => path.startsWith(`${to}\\`));
    if (isDirectory) return [exit(1)];
    if (to.startsWith(String.raw`C:\Protected`)) {
      return [say('stderr', `Access to the path '${to}' is denied.\r\n`), exit(1)];
    }
    this.files.set(to, Buffer.concat(lines.map((line) => Buffer.from(line, 'base64'))));
    return [exit(0)];
  }

  /** A path without variables, in the form that Windows gives it. */
  #path(path: string): string {
    return path
      .replaceAll(/%TEMP%|\$env:TEMP/gi, () => TEMP)
      .replaceAll('/', '\\')
      .replaceAll(/^["']+|["']+$/g, '');
  }
}

/** The script of PowerShell in a command line. */
export function scriptIn(line: string): string | undefined {
  const [, encoded] = /^powershell\.exe .*-EncodedCommand ([\w+/=]+)$/.exec(line) ?? [];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf16le');
}

/** The paths that a script of an upload works with: of the temporary file, and of the file. */
export function pathsIn(script: string): string[] {
  return [...script.matchAll(/GetFullPath\("((?:``|""|[^"])*)"/g)].map(([, path = '']) =>
    path.replaceAll(/``|""/g, (pair) => pair.slice(1)),
  );
}

/** Runs a batch file of `echo`, `exit /b` and commands that the test defines. */
function steps(script: string): Step[] {
  const parsed: Step[] = [];
  for (const line of script.split(/\r?\n/)) {
    const [, text, to] = /^echo (.*?)( 1>&2)?$/.exec(line) ?? [];
    if (text !== undefined) {
      const data = Buffer.from(`${text}\r\n`);
      for (let at = 0; at < data.length; at += PIECE) {
        const part = data.subarray(at, at + PIECE);
        parsed.push({ kind: 'say', stream: to === undefined ? 'stdout' : 'stderr', data: part });
      }
    } else if (line.startsWith('exit /b ')) return [...parsed, exit(Number(line.slice(8)))];
    else if (line === 'silence') parsed.push({ kind: 'silence' });
    else if (line === 'hang') return [...parsed, { kind: 'hang' }];
    else if (line === 'shutdown /r') return [...parsed, { kind: 'break' }];
    else if (line.startsWith('<nul set /p=')) parsed.push(say('stdout', line.slice(12)));
  }
  return [...parsed, exit(0)];
}

function say(stream: 'stdout' | 'stderr', text: string): Step {
  return { kind: 'say', stream, data: Buffer.from(text) };
}

function exit(code: number): Step {
  return { kind: 'exit', code };
}
