// Rules for every backend with locks.
import { nodeHost, type Host, type LockInfo, type LockOutcome, type Storage } from '@terrane/host';
import type { Backend } from '@terrane/backends';
import { expect } from 'vitest';
import { valuesOf, type Given } from './given.ts';
import { openBackend as openWith, problemsOf as problemsWith } from './open-backend.ts';

/** The host of this machine with an environment of its own. */
export function hostWith(env: Readonly<Record<string, string>>): Host {
  const before = new Map<string, string | undefined>();
  for (const [name, value] of Object.entries(env)) {
    before.set(name, process.env[name]);
    process.env[name] = value;
  }
  try {
    return nodeHost();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** Opens a backend of a configuration, which has to be in order; what is not given is null. */
export async function openBackend(type: string, args: Given, host: Host): Promise<Backend> {
  expect(await problemsOf(type, args, host)).toEqual([]);
  return await openWith(type, await valuesOf(type, args), {}, host);
}

/** The problems of a configuration, a line each. */
export async function problemsOf(
  type: string,
  args: Given,
  { environment }: Host,
): Promise<readonly string[]> {
  const variables = Object.fromEntries(environment.entries());
  const problems = await problemsWith(type, await valuesOf(type, args), variables);
  return problems.map(({ severity, summary, detail }) =>
    detail === '' ? `${severity}: ${summary}` : `${severity}: ${summary}: ${detail}`,
  );
}

export const utf8 = (text: string): readonly Uint8Array[] => [new TextEncoder().encode(text)];
export const textOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : new TextDecoder().decode(bytes);

/** Returns the content of a lock request. */
export function request(id: string): LockInfo {
  return {
    id,
    operation: 'OperationTypeApply',
    info: '',
    who: 'tester@machine',
    version: '1.11.4',
    created: '2026-01-02T03:04:05.000Z',
    path: '',
  };
}

export async function lockOf(storage: Storage, id: string): Promise<LockOutcome> {
  const outcome = await storage.lock?.(request(id));
  if (outcome === undefined) throw new Error('no locks');
  return outcome;
}

export async function lockId(storage: Storage, id: string): Promise<string> {
  const outcome = await lockOf(storage, id);
  if (outcome.kind !== 'locked') throw new Error(outcome.error);
  return outcome.id;
}

/** Many contend for one state, each adding one to the number in it under the lock; tells what it is at the end. */
export async function contend(
  storage: () => Promise<Storage>,
  contenders: number,
  times: number,
  uuid: () => string,
): Promise<number> {
  const lockRepeatedly = async (): Promise<void> => {
    const opened = await storage();
    for (let done = 0; done < times;) {
      const outcome = await lockOf(opened, uuid());
      if (outcome.kind === 'held') {
        await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 80));
        continue;
      }
      const before = Number(textOf(await opened.read()) ?? '0');
      await opened.write(utf8(String(before + 1)));
      await opened.unlock?.(outcome.id);
      done++;
    }
  };
  await Promise.all(Array.from({ length: contenders }, lockRepeatedly));
  return Number(textOf(await (await storage()).read()));
}
