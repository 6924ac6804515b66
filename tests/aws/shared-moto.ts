// One server that answers as Amazon's services do for all test files of a run, each of which has an account of its own.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

/** The account of this test file: nothing of other files is in it. */
export const ACCOUNT: string = String(randomInt(100_000_000_000, 1_000_000_000_000));

/** Keys with which the server takes requests to be of an account. */
export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** The address of the server, which the first file that asks starts. It ends with the run. */
export async function sharedMoto(): Promise<string> {
  // Files run in threads or children of the process that runs all of them.
  const run = isMainThread ? process.ppid : process.pid;
  const folder = join(tmpdir(), `terrane-moto-${run}`);
  for (let attempt = 0; attempt < 2_400; attempt++) {
    await startOnce(run, folder);
    const endpoint = await readFile(join(folder, 'endpoint'), 'utf8').catch(() => undefined);
    if (endpoint !== undefined) return endpoint;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('moto does not answer');
}

async function startOnce(run: number, folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch {
    return;
  }
  const guard = fileURLToPath(new URL('moto-guard.mjs', import.meta.url));
  const options = { detached: true, stdio: 'ignore' } as const;
  spawn(process.execPath, [guard, String(run), folder], options).unref();
}

/** Keys of an account. */
export async function keysOf(endpoint: string, account: string): Promise<Keys> {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      authorization: 'AWS4-HMAC-SHA256 Credential=test/20240101/us-east-1/sts/aws4_request',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: `arn:aws:iam::${account}:role/tests`,
      RoleSessionName: 'tests',
    }),
  });
  const text = await answer.text();
  const member = (name: string): string =>
    new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1] ?? '';
  const keys = {
    accessKeyId: member('AccessKeyId'),
    secretAccessKey: member('SecretAccessKey'),
    sessionToken: member('SessionToken'),
  };
  if (keys.accessKeyId === '') throw new Error(`moto gives no keys: ${text}`);
  return keys;
}
