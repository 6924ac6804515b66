import { readFileSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';

import type { Environment } from './host.ts';
import { codeOf } from './node-replace.ts';

/** The platform of this process; all other code takes the platform from its host. */
export const ownPlatform: string = process.platform;

/** Returns a snapshot of the environment of the process. */
export function nodeEnvironment(cwd: string): Environment {
  const variables = new Map<string, string>();
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined) variables.set(name, value);
  }
  // Windows treats variable names as case-insensitive.
  const folded =
    ownPlatform === 'win32'
      ? new Map([...variables].map(([name, value]) => [name.toUpperCase(), value]))
      : undefined;
  let userName: string | undefined;
  return {
    get: (name) => (folded === undefined ? variables.get(name) : folded.get(name.toUpperCase())),
    entries: () => variables,
    cwd,
    platform: ownPlatform,
    arch: process.arch,
    homeDirectory: findHome(),
    get hostName() {
      return hostname();
    },
    get userName() {
      userName ??= findUserName();
      return userName;
    },
    pid: process.pid,
    processIdentity,
  };
}

function findHome(): string | undefined {
  try {
    // What homedir() returns, without loading node:os.
    const variable = ownPlatform === 'win32' ? undefined : process.env['HOME'];
    const home = variable ?? homedir();
    return home === '' ? undefined : home;
  } catch {
    return undefined; // HOME is unset, and the user ID has no entry in the user database
  }
}

function findUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

let bootId: string | undefined;

function processIdentity(pid: number): string | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (ownPlatform === 'linux') {
    try {
      bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // The name, in parentheses, may hold spaces; field 3 (state) follows the last one, and
      // field 22 is the start time in ticks since boot.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
      return `${bootId}/${fields[19] ?? ''}`;
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return undefined;
    }
  }
  try {
    process.kill(pid, 0);
    return 'running';
  } catch (error) {
    return codeOf(error) === 'EPERM' ? 'running' : undefined;
  }
}
