import { describe, expect, it } from 'vitest';
import { nodeHost } from './node-host.ts';
import { createPool } from './pool.ts';

const host = nodeHost();

describe('programs', () => {
  const PRINTS = [
    '-e',
    'process.stdin.on("data", (d) => { console.log("got " + d); console.error("e\\nf"); process.exitCode = 3; })',
  ];

  it('return their exit code and output', async () => {
    const result = await host.spawn.run(process.execPath, PRINTS, { stdin: 'x', env: {} });
    expect(result).toEqual({ code: 3, stdout: 'got x\n', stderr: 'e\nf\n' });
  });

  it('pass on their output by lines without retaining it', async () => {
    const lines: string[] = [];
    const result = await host.spawn.run(process.execPath, PRINTS, {
      stdin: 'x',
      env: {},
      onOutput: (line) => lines.push(line),
    });
    expect(result).toEqual({ code: 3, stdout: '', stderr: '' });
    expect(lines.sort()).toEqual(['e', 'f', 'got x']);
  });

  it('that print more than can be returned are ended', async () => {
    const flood = 'const x = "x".repeat(1e6); for (;;) require("fs").writeSync(1, x);';
    await expect(host.spawn.run(process.execPath, ['-e', flood], {})).rejects.toThrow(
      'wrote more than 64 MiB',
    );
  });

  it('that do not exist are an error', async () => {
    await expect(host.spawn.run('/no/such/program', [], {})).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  it('end when they are aborted', async () => {
    const abort = new AbortController();
    const running = host.spawn.run(
      process.execPath,
      ['-e', 'console.log("on"); setInterval(() => {}, 1000)'],
      { signal: abort.signal, onOutput: () => abort.abort() },
    );
    expect((await running).code).toBe(128 + 15);
  });
});

describe('the clock', () => {
  it('are not awaited after an abort because of their child processes', async () => {
    const abort = new AbortController();
    const script = `
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600000)'], { stdio: 'inherit' });
      console.log('started');
      setInterval(() => {}, 1000);
    `;
    const { code } = await host.spawn.run(process.execPath, ['-e', script], {
      signal: abort.signal,
      onOutput: () => abort.abort(),
    });
    expect(code).not.toBe(0);
  });

  it('sleeps, and wakes with the reason of an abort', async () => {
    const before = host.clock.monotonicMs();
    await host.clock.sleep(20);
    expect(host.clock.monotonicMs() - before).toBeGreaterThan(15);
    const abort = new AbortController();
    const sleeping = host.clock.sleep(60_000, abort.signal);
    abort.abort(new Error('enough'));
    await expect(sleeping).rejects.toThrow('enough');
    await expect(host.clock.sleep(1, abort.signal)).rejects.toThrow('enough');
    // Longer than the timers of Node can be.
    const stop = new AbortController();
    const long = host.clock.sleep(3_600_000_000, stop.signal);
    await host.clock.sleep(20);
    stop.abort(new Error('enough'));
    await expect(long).rejects.toThrow('enough');
  });

  it('watches any number of running programs with one listener', async () => {
    const ignore = (): void => undefined;
    const before = process.listenerCount('exit');
    const running = await Promise.all(
      Array.from({ length: 12 }, () =>
        host.spawn.start(process.execPath, ['-e', 'setTimeout(() => {}, 600000)'], {
          onStdout: ignore,
          onStderr: ignore,
        }),
      ),
    );
    expect(process.listenerCount('exit') - before).toBeLessThanOrEqual(1);
    for (const { kill } of running) kill();
    const codes = await Promise.all(running.map(async ({ ended }) => (await ended).code));
    expect(new Set(codes)).toEqual(new Set([128 + 9]));
  });

  it.skipIf(process.platform === 'win32')(
    'interrupts a program, and kills it with the processes of its group',
    async () => {
      let output = '';
      const { ended, interrupt, kill } = await host.spawn.start(
        '/bin/sh',
        ['-c', `trap 'echo interrupted' INT; sleep 60 & echo "$!"; printf ready; wait; wait`],
        {
          isGroup: true,
          isRaw: true,
          onStdout: (text) => (output += text),
          onStderr: () => undefined,
        },
      );
      while (!output.endsWith('ready')) await host.clock.sleep(5);
      interrupt();
      while (!output.endsWith('interrupted\n')) await host.clock.sleep(5);
      const sleeping = Number(/^\d+/.exec(output)?.[0]);
      expect(host.environment.processIdentity(sleeping)).toBeDefined();
      kill();
      expect(await ended).toEqual({ code: 128 + 9 });
      while (host.environment.processIdentity(sleeping) !== undefined) await host.clock.sleep(5);
      expect(output).toMatch(/^\d+\nreadyinterrupted\n$/);
      kill();
    },
  );
});

describe('the environment', () => {
  it('distinguishes running processes from others', async () => {
    const { environment } = host;
    expect(environment.processIdentity(environment.pid)).toBeDefined();
    expect(environment.processIdentity(environment.pid)).toBe(
      environment.processIdentity(environment.pid),
    );
    const ended = await host.spawn.run(process.execPath, ['-p', 'process.pid'], {});
    expect(environment.processIdentity(Number(ended.stdout))).toBeUndefined();
    expect(environment.processIdentity(-1)).toBeUndefined();
  });
});

describe('random numbers', () => {
  it('are as many as wanted, and UUIDs of version 4', () => {
    expect(host.random.bytes(7).length).toBe(7);
    expect(host.random.uuid()).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});

describe('a pool', () => {
  it('runs at most its limit concurrently, in order, and continues after failures', async () => {
    const pool = createPool(2);
    let running = 0;
    let most = 0;
    const started: number[] = [];
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) =>
        pool.run(async () => {
          started.push(i);
          most = Math.max(most, ++running);
          await Promise.resolve();
          running--;
          if (i === 3) throw new Error('three');
          return i;
        }),
      ),
    );
    expect(most).toBe(2);
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(results.filter(({ status }) => status === 'rejected').length).toBe(1);
  });

  it('does not start tasks that were aborted while queued', async () => {
    const pool = createPool(1);
    const abort = new AbortController();
    let release = (): void => {};
    const first = pool.run(() => new Promise<void>((resolve) => (release = resolve)));
    const second = pool.run(() => Promise.resolve('ran'), abort.signal);
    abort.abort(new Error('stop'));
    release();
    await first;
    await expect(second).rejects.toThrow('stop');
    expect(await pool.run(() => Promise.resolve('next'))).toBe('next');
  });
});
