import type { LockInfo } from '@terrane/host';

/** The process that holds a lock which no lock of the operating system stands behind. */
export interface LockHolder {
  readonly host: string;
  readonly pid: number;
  /** tells it from later processes with its number */
  readonly process: string;
}

/**
 * The content of a lock file: Terraform's JSON, so that each program can name the other's user. Of
 * members it does not know Terraform takes no notice.
 */
export function lockFileText(info: LockInfo, holder?: LockHolder): string {
  return JSON.stringify({
    ID: info.id,
    Operation: info.operation,
    Info: info.info,
    Who: info.who,
    Version: info.version,
    Created: info.created,
    Path: info.path,
    ...(holder === undefined ? {} : { Holder: holder }),
  });
}

/** Reads a lock file; throws when it is not one. */
export function parseLockFile(text: string): {
  readonly info: LockInfo;
  readonly holder: LockHolder | undefined;
} {
  const parsed: unknown = JSON.parse(text);
  const fields = objectOf(parsed);
  if (fields === undefined) throw new SyntaxError('a lock file is a JSON object');
  const textOf = (name: string): string => {
    const value = fields[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    info: {
      id: textOf('ID'),
      operation: textOf('Operation'),
      info: textOf('Info'),
      who: textOf('Who'),
      version: textOf('Version'),
      created: textOf('Created'),
      path: textOf('Path'),
    },
    holder: holderOf(fields['Holder']),
  };
}

function holderOf(value: unknown): LockHolder | undefined {
  const fields = objectOf(value);
  const host = fields?.['host'];
  const pid = fields?.['pid'];
  const process = fields?.['process'];
  return typeof host === 'string' && typeof pid === 'number' && typeof process === 'string'
    ? { host, pid, process }
    : undefined;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}
