import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const MODULE = new URL('clean-up-at-signal.ts', import.meta.url).href;

/** Runs a program that prints "ready", sends it a signal, and returns what it has printed and how it ended. */
async function signalled(source: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output === '') child.kill('SIGTERM');
    output += text;
  });
  const [code, signal]: unknown[] = await once(child, 'close');
  return { output, code, signal };
}

it('cleans up before the process exits, the newest first', async () => {
  const result = await signalled(`
    import { cleanUpAtSignal } from ${JSON.stringify(MODULE)};
    const print = (text) => async () => {
      await new Promise(setImmediate);
      console.log(text);
    };
    cleanUpAtSignal(print('older'));
    cleanUpAtSignal(print('newer'));
    cleanUpAtSignal(print('withdrawn'))();
    setInterval(() => undefined, 1_000);
    process.on('SIGTERM', () => void Promise.reject(new Error('failed because of the signal')));
    console.log('ready');
  `);
  expect(result).toEqual({ output: 'ready\nnewer\nolder\n', code: 143, signal: null });
});

it('leaves the effect of signals as it is once there is nothing to clean up', async () => {
  const result = await signalled(`
    import { cleanUpAtSignal } from ${JSON.stringify(MODULE)};
    cleanUpAtSignal(() => Promise.resolve())();
    setInterval(() => undefined, 1_000);
    console.log('ready');
  `);
  expect(result).toEqual({ output: 'ready\n', code: null, signal: 'SIGTERM' });
});
