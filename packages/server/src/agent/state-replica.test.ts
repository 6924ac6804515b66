import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeHost } from '@terrane/host';
import { expect, it, onTestFinished } from 'vitest';
import { StateReplica } from './state-replica.ts';

const state = (serial: number, value: string): string =>
  `{\n  "version": 4,\n  "terraform_version": "1.11.4",\n  "serial": ${serial},\n  "outputs": {"serial": "${value}"}\n}\n`;

/** Creates a replica whose pauses end when the test continues. */
async function newReplica() {
  const directory = await mkdtemp(join(tmpdir(), 'terrane-replica-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, 'terraform.tfstate');
  const stored: string[] = [];
  const host = nodeHost();
  let next: (() => void) | undefined;
  let isFailing = false;
  const replica = new StateReplica({
    host: {
      files: host.files,
      clock: {
        ...host.clock,
        sleep: (_ms, signal) =>
          new Promise((resolve, reject) => {
            next = resolve;
            signal?.addEventListener('abort', () => reject(new Error('stopped')));
          }),
      },
    },
    path,
    put(bytes) {
      if (isFailing) return Promise.reject(new Error('not stored'));
      stored.push(Buffer.from(bytes).toString());
      return Promise.resolve();
    },
  });
  return {
    replica,
    path,
    stored,
    fail: (fails: boolean) => (isFailing = fails),
    /** Lets the replica look once. */
    async look() {
      next?.();
      next = undefined;
      while (next === undefined) await host.clock.sleep(1);
    },
  };
}

it('stores each complete state of a program once, with increasing serials', async () => {
  const { replica, path, stored, look } = await newReplica();
  await writeFile(path, state(3, 'a'));
  await replica.open();
  const stop = new AbortController();
  const watching = replica.watch(stop.signal);
  await look();
  expect(stored).toEqual([]);
  await writeFile(path, state(4, 'bb'));
  await look();
  await look();
  expect(stored).toEqual([state(4, 'bb')]);
  await writeFile(path, state(5, 'ccc').slice(0, 60));
  await look();
  await writeFile(path, '');
  await look();
  expect(stored).toHaveLength(1);
  await writeFile(path, state(5, 'ccc'));
  await look();
  // The program has undone its change.
  await writeFile(path, state(5, 'dddd'));
  await look();
  expect(stored).toEqual([state(4, 'bb'), state(5, 'ccc'), state(6, 'dddd')]);
  await writeFile(path, state(6, 'eeeee'));
  stop.abort();
  await watching;
  await replica.flush();
  await replica.flush();
  expect(stored.slice(3)).toEqual([state(7, 'eeeee')]);
  expect(await replica.unsaved()).toBeUndefined();
});

it('knows the state that could not be stored', async () => {
  const { replica, path, fail, stored } = await newReplica();
  await replica.open();
  await replica.flush();
  expect(await replica.unsaved()).toBeUndefined();
  await writeFile(path, state(1, 'a'));
  fail(true);
  await expect(replica.flush()).rejects.toThrow('not stored');
  expect(await replica.unsaved()).toBe(state(1, 'a'));
  fail(false);
  await writeFile(path, state(1, 'a').slice(0, 40));
  await expect(replica.flush()).rejects.toThrow('left a part of it only');
  expect(await replica.unsaved()).toBe(state(1, 'a').slice(0, 40));
  expect(stored).toEqual([]);
});
