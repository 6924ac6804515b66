import { parsePlainJson } from '@terrane/cty';
import { type Lease, LEASE_MS, type LockInfo } from '@terrane/host';

export { LEASE_MS } from '@terrane/host';

/** The process that holds a lock without a lock of the operating system. */
export interface LockHolder {
  readonly host: string;
  readonly pid: number;
  /** distinguishes it from later processes with its number */
  readonly process: string;
}

/**
 * Serializes a lock as Terraform's JSON, so that each program can name the other's user. Terraform ignores members
 * that it does not know.
 */
export function lockText(info: LockInfo, holder?: LockHolder): string {
  return JSON.stringify({
    ID: info.id,
    Operation: info.operation,
    Info: info.info,
    Who: info.who,
    Version: info.version,
    Created: info.created,
    Path: info.path,
    ...(info.lease === undefined ? {} : { Lease: info.lease }),
    ...(holder === undefined ? {} : { Holder: holder }),
  });
}

/** Decodes a stored lock; throws for malformed input. */
export function parseLock(text: string): {
  readonly info: LockInfo;
  readonly holder: LockHolder | undefined;
} {
  const parsed: unknown = parsePlainJson(text);
  const fields = objectOf(parsed);
  if (fields === undefined) throw new SyntaxError('a lock is a JSON object');
  const textOf = (name: string): string => {
    const value = fields[name];
    return typeof value === 'string' ? value : '';
  };
  const lease = leaseOf(fields['Lease']);
  return {
    info: {
      id: textOf('ID'),
      operation: textOf('Operation'),
      info: textOf('Info'),
      who: textOf('Who'),
      version: textOf('Version'),
      created: textOf('Created'),
      path: textOf('Path'),
      ...(lease === undefined ? {} : { lease }),
    },
    holder: holderOf(fields['Holder']),
  };
}

/**
 * Returns true if another client may take over a lock: its lease has expired, and the same time again has passed, since
 * clocks differ. Locks without a lease never expire.
 */
export function isLeaseOver({ lease }: LockInfo, now: Date): boolean {
  if (lease === undefined) return false;
  const expires = Date.parse(lease.expires);
  return now.getTime() > expires + (lease.ms ?? LEASE_MS);
}

/** Milliseconds within which a holder that lives renews its lease: half of it, where a renewal is due at each third. */
export function leaseWatchMs({ ms = LEASE_MS }: Lease): number {
  return ms / 2;
}

function leaseOf(value: unknown): Lease | undefined {
  const fields = objectOf(value);
  const epoch = fields?.['epoch'];
  const expires = fields?.['expires'];
  const ms = fields?.['ms'];
  return typeof epoch === 'number' && typeof expires === 'string' && !isNaN(Date.parse(expires))
    ? { epoch, expires, ...(typeof ms === 'number' && ms > 0 ? { ms } : {}) }
    : undefined;
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
