// Standard streams that fail, and more output of other programs than fits into memory.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Ended, PROGRAM, type RunOptions, Work } from './fixture.ts';
import { watchMemory } from './memory.ts';

/** Three objects one after another; the second waits for the file `go`, after it has said that it began. */
const THREE = `resource "terraform_data" "first" {}
resource "terraform_data" "second" {
  depends_on = [terraform_data.first]
  provisioner "local-exec" {
    command = "echo begun; : > begun; while test ! -e go; do sleep 0.05; done; for i in 1 2 3; do echo line $i; done"
  }
}
resource "terraform_data" "third" {
  depends_on = [terraform_data.second]
}
`;

/** Everything that an apply must do, whatever becomes of its output. */
async function expectApplied(work: Work): Promise<void> {
  const listed = await work.run(['state', 'list']);
  expect(listed.stdout.trim().split('\n').toSorted()).toEqual([
    'terraform_data.first',
    'terraform_data.second',
    'terraform_data.third',
  ]);
  expect(existsSync(work.at('.terraform.tfstate.lock.info'))).toBe(false);
  // The state is stored, not only recorded.
  expect(existsSync(work.at('.terraform.tfstate.journal'))).toBe(false);
  expect(work.read('terraform.tfstate')).toContain('"third"');
}

function fullDevice(): number {
  const file = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(file));
  return file;
}

const applies = async (work: Work, options: RunOptions): Promise<Ended> =>
  await work.run(['apply', '-auto-approve', '-no-color'], options);

const REPORT = 'Error: Not all output could be written\n\n';

describe.skipIf(process.platform !== 'linux')('an apply outlives its output', () => {
  it('on a full disk', async () => {
    const work = new Work({ 'main.tf': THREE, go: '' });
    const { code, stderr } = await applies(work, { stdio: ['ignore', fullDevice(), 'pipe'] });
    expect(stderr).toContain(`${REPORT}standard output: no space left on device.`);
    expect(stderr).toContain('ended with exit code 0');
    expect(code).toBe(1);
    await expectApplied(work);
  });

  it('when errors go to a full disk', async () => {
    const work = new Work({ 'main.tf': THREE.replace('line $i; done', 'line $i; done; exit 1') });
    work.write('go', '');
    const { code, stdout } = await applies(work, { stdio: ['ignore', 'pipe', fullDevice()] });
    expect(stdout).toContain(`${REPORT}standard error: no space left on device.`);
    expect(code).toBe(1);
    expect(existsSync(work.at('.terraform.tfstate.lock.info'))).toBe(false);
  });

  it('when both streams fail', async () => {
    const work = new Work({ 'main.tf': THREE, go: '' });
    const full = fullDevice();
    expect((await applies(work, { stdio: ['ignore', full, full] })).code).toBe(1);
    await expectApplied(work);
  });

  it('when its reader is closed during an operation', async () => {
    const work = new Work({ 'main.tf': THREE });
    const { code, stderr } = await applies(work, {
      onOutput(soFar, child) {
        if (!soFar.includes('(local-exec): begun') || existsSync(work.at('go'))) return;
        child.stdout?.destroy();
        work.write('go', '');
      },
    });
    expect(stderr).toContain(`${REPORT}standard output: its reader has gone.`);
    expect(code).toBe(1);
    await expectApplied(work);
  });

  it.each(['>&-', '2>&-', '>&- 2>&-', '<&- >&- 2>&-'])(
    'when streams are closed: %s',
    async (how) => {
      const work = new Work({ 'main.tf': THREE, go: '' });
      const command = ['/bin/sh', '-c', `exec "$0" "$@" ${how}`, PROGRAM];
      const { code } = await applies(work, { command });
      expect(code).toBe(0);
      await expectApplied(work);
    },
  );
});

describe.skipIf(process.platform !== 'linux')(
  'output that cannot be written fails a command',
  () => {
    it.each([
      ['version'],
      ['version', '-json=true'],
      ['validate'],
      ['plan'],
      ['output', '-json'],
      ['show'],
      ['graph'],
      ['fmt', '-'],
      ['-help'],
      ['plan', '-help'],
    ])('%s %s', async (...args) => {
      const work = new Work({ 'main.tf': 'output "a" { value = 1 }\n' });
      const { code, stderr } = await work.run(args.filter(Boolean), {
        stdio: ['ignore', fullDevice(), 'pipe'],
      });
      expect(stderr).toMatch(/no space left on device/);
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(code).toBe(1);
    });

    it('silently if the reader of a list closes the pipe', async () => {
      const work = new Work({
        'main.tf': 'output "a" { value = join("", [for i in range(999) : "xxxxx\\n"]) }\n',
      });
      const { stderr } = await work.run(['plan', '-no-color'], {
        onOutput: (_, child) => child.stdout?.destroy(),
      });
      expect(stderr).toBe('');
    });
  },
);

describe.skipIf(process.platform !== 'linux')('output of local-exec', () => {
  it.each([
    ['in one line', "head -c 300000000 /dev/zero | tr '\\0' x"],
    ['in many lines', "yes $(head -c 3000 /dev/zero | tr '\\0' x) | head -c 600000000"],
  ])('that is larger than memory should be takes bounded memory: %s', async (_, command) => {
    const work = new Work({
      'main.tf': `resource "terraform_data" "a" {\n  provisioner "local-exec" {\n    command = ${JSON.stringify(command)}\n  }\n}\n`,
    });
    let peakKiB = 0;
    const { code, stderr } = await applies(work, {
      stdio: ['ignore', 'ignore', 'pipe'],
      started(child) {
        const watch = setInterval(() => {
          try {
            const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
            peakKiB = Math.max(peakKiB, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
          } catch {
            clearInterval(watch); // It has ended.
          }
        }, 50);
        onTestFinished(() => clearInterval(watch));
      },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(peakKiB).toBeGreaterThan(10_000);
    expect(peakKiB).toBeLessThan(400_000);
  });
});

const JOURNAL = '.terraform.tfstate.journal';

describe.skipIf(process.platform !== 'linux')('a reader that is slow', () => {
  it.each(['plan', 'plan -json'])('receives all of terrane %s, in order', async (command) => {
    const work = new Work({
      'main.tf':
        'resource "terraform_data" "a" {\n  count = 40000\n  input = "value ${count.index}"\n}\n',
    });
    const args = [...command.split(' '), '-no-color'];
    const expected = openSync(work.at('expected'), 'w');
    onTestFinished(() => closeSync(expected));
    await work.run(args, { stdio: ['ignore', expected, 'pipe'] });
    const reader = spawn('/bin/sh', ['-c', 'sleep 2; cat > read'], {
      cwd: work.path,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const read = new Promise((done) => reader.once('close', done));
    const { code, stderr } = await work.run(args, {
      stdio: ['ignore', reader.stdin, 'pipe'],
      started: () => reader.stdin.destroy(),
    });
    await read;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = (name: string): readonly string[] =>
      work
        .read(name)
        .replaceAll(/"@timestamp":"[^"]*"/g, '')
        .split('\n');
    const received = lines('read');
    expect(received.length).toBeGreaterThan(40_000);
    expect(received.join('\n') === lines('expected').join('\n')).toBe(true);
  });

  it('does not keep an apply from its end', async () => {
    const work = new Work({
      'main.tf':
        'resource "terraform_data" "a" {\n  count = 20000\n  input = "value ${count.index}"\n}\n',
    });
    const reader = spawn('/bin/sh', ['-c', 'while test ! -e go; do sleep 0.1; done; cat > read'], {
      cwd: work.path,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    onTestFinished(() => void reader.kill('SIGKILL'));
    const read = new Promise((done) => reader.once('close', done));
    const { code, stderr } = await work.run(['apply', '-auto-approve', '-json'], {
      stdio: ['ignore', reader.stdin, 'pipe'],
      started() {
        reader.stdin.destroy();
        const watch = setInterval(() => {
          const state = work.at('terraform.tfstate');
          if (existsSync(state) && statSync(state).size > 1_000_000) work.write('go', '');
        }, 100);
        onTestFinished(() => clearInterval(watch));
      },
    });
    await read;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(work.read('read').match(/"type":"apply_complete"/g)).toHaveLength(20_000);
  });

  it('blocks neither other operations nor their records, and output waits at its source', async () => {
    const flood = "yes $(head -c 3000 /dev/zero | tr '\\0' x) | head -c 600000000";
    const work = new Work({
      'main.tf': `resource "terraform_data" "flood" {
  provisioner "local-exec" {
    command = ${JSON.stringify(flood)}
  }
}
resource "terraform_data" "early" {
  provisioner "local-exec" {
    command = "sleep 3"
  }
}
resource "terraform_data" "late" {
  depends_on = [terraform_data.early]
  provisioner "local-exec" {
    command = "sleep 1; : > done"
  }
}
`,
    });
    const waiting = 'while test ! -e go; do sleep 0.1; done; wc -c';
    const reader = spawn('/bin/sh', ['-c', waiting], {
      cwd: work.path,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    onTestFinished(() => void reader.kill('SIGKILL'));
    let size = '';
    reader.stdout.setEncoding('utf8').on('data', (text: string) => (size += text));
    const read = new Promise((done) => reader.once('close', done));
    let peakKiB = (): number => 0;
    let journal = '';
    const running = applies(work, {
      stdio: ['ignore', reader.stdin, 'pipe'],
      started(child) {
        peakKiB = watchMemory(child);
        reader.stdin.destroy();
        const watch = setInterval(() => {
          // Results are recorded although nobody reads the output: the run goes on, so its journal is there.
          if (existsSync(work.at(JOURNAL))) journal = work.read(JOURNAL);
          // The object is recorded as tainted until its provisioner has ended.
          const last = journal.lastIndexOf('"late"]');
          if (!existsSync(work.at('done')) || last < 0) return;
          if (journal.includes('"tainted"', last)) return;
          clearInterval(watch);
          work.write('go', '');
        }, 100);
        onTestFinished(() => clearInterval(watch));
      },
    });
    const { code, stderr } = await running;
    await read;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(journal).toContain('early');
    expect(journal).toContain('late');
    expect(Number(size)).toBeGreaterThan(600_000_000);
    expect(peakKiB()).toBeGreaterThan(10_000);
    expect(peakKiB()).toBeLessThan(400_000);
  });
});

const WAIT = 'while test ! -e go; do sleep 0.1; done';

/** Runs a pipeline of the shell; by default its reader waits for the file `go` and then writes the file `read`. */
async function pipeline(
  work: Work,
  writers: string,
  reader = `${WAIT}; cat > read`,
): Promise<Ended> {
  return await work.run([], {
    command: ['/bin/sh', '-c', `{ ${writers}; } | { ${reader}; }`],
    env: { TERRANE: PROGRAM, NODE: process.execPath },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Lets the reader of a pipeline go on when a condition holds. */
function goWhen(work: Work, holds: () => boolean): void {
  const watch = setInterval(() => {
    if (!holds()) return;
    clearInterval(watch);
    work.write('go', '');
  }, 100);
  onTestFinished(() => clearInterval(watch));
}

const many = (count: number): string =>
  `resource "terraform_data" "a" {\n  count = ${count}\n  input = "value \${count.index}"\n}\n`;

/** Interrupts a program twice once the file `begun` is there. */
function interruptTwice(work: Work, child: ChildProcess): void {
  let interrupts = 0;
  const watch = setInterval(() => {
    if (!existsSync(work.at('begun'))) return;
    child.kill('SIGINT');
    if (++interrupts === 2) clearInterval(watch);
  }, 500);
  onTestFinished(() => clearInterval(watch));
}

describe.skipIf(process.platform !== 'linux')('a pipe', () => {
  it('can be written by other programs while it is full', async () => {
    const work = new Work({ 'main.tf': many(20_000) });
    const plan = await work.run(['plan', '-no-color']);
    const numbers = Array.from({ length: 300_000 }, (_, i) => `${i + 1}\n`).join('');
    const { code, stderr } = await pipeline(
      work,
      '"$TERRANE" plan -no-color & sleep 3; : > go; seq 1 300000; echo "status $?" >&2; wait',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'status 0\n' });
    // Lines of both are mixed where the pipe was full.
    expect(work.read('read')).toHaveLength(plan.stdout.length + numbers.length);
  });

  it('whose mode another program changes does not keep an apply from its end', async () => {
    const work = new Work({ 'main.tf': many(20_000) });
    goWhen(
      work,
      () =>
        existsSync(work.at('terraform.tfstate')) &&
        statSync(work.at('terraform.tfstate')).size > 1_000_000,
    );
    // Node.js restores the mode of its streams when it ends.
    const other = `"$NODE" -e 'const { existsSync } = require("fs"); setInterval(() => existsSync("${JOURNAL}") && process.exit(), 10)' &`;
    const { code, stderr } = await pipeline(
      work,
      `${other} sleep 0.5; "$TERRANE" apply -auto-approve -no-color; echo "status $?" >&2; wait`,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'status 0\n' });
    expect(work.read('read').match(/Creation complete/g)).toHaveLength(20_000);
  });

  it('of both streams receives them in order', async () => {
    const work = new Work({
      'main.tf': `${many(3_000)}
resource "terraform_data" "last" {
  depends_on = [terraform_data.a]
  provisioner "local-exec" {
    command = "echo hello; exit 3"
  }
}
`,
    });
    const apply = '"$TERRANE" apply -auto-approve -no-color 2>&1';
    // Reads slower than the program writes.
    const reader = `exec "$NODE" -e '
      const { appendFileSync, readSync } = require("fs");
      const buffer = Buffer.alloc(4096);
      for (let n = 1; n > 0;) {
        n = readSync(0, buffer);
        appendFileSync("read", buffer.subarray(0, n));
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }'`;
    expect((await pipeline(work, apply, reader)).code).toBe(0);
    const read = work.read('read');
    const problem = read.indexOf('\nError: local-exec provisioner error');
    expect(problem).toBeGreaterThan(read.lastIndexOf('Creation complete'));
    expect(read.slice(0, problem).match(/^ +\+ input  = "value \d+"$/gm)).toHaveLength(3_000);
  });

  it('that is not read does not keep the process from its end after two interrupts', async () => {
    const work = new Work({
      'main.tf': `${many(5_000)}
resource "terraform_data" "last" {
  provisioner "local-exec" {
    command = "trap '' INT TERM HUP; : > begun; sleep 60"
  }
}
`,
    });
    execFileSync('mkfifo', [work.at('pipe')]);
    const pipe = openSync(work.at('pipe'), constants.O_RDWR | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(pipe));
    const { code, stderr } = await applies(work, {
      stdio: ['ignore', pipe, 'pipe'],
      started: (child) => interruptTwice(work, child),
    });
    expect(stderr).toContain('Two interrupts received.');
    expect(code).toBe(1);
  });

  it('that is not read does not take output from readers of others after two interrupts', async () => {
    const work = new Work({
      'main.tf': `resource "terraform_data" "a" {
  count = 60
  provisioner "local-exec" {
    command = "if [ \${count.index} = 0 ]; then : > begun; fi; sleep 100; : ${'y'.repeat(4_000)}"
  }
}
`,
    });
    execFileSync('mkfifo', [work.at('events')]);
    const events = openSync(work.at('events'), constants.O_RDWR | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(events));
    const { stderr } = await work.run(
      ['apply', '-auto-approve', '-no-color', '-parallelism=100', '-json-into=events'],
      { started: (child) => interruptTwice(work, child) },
    );
    expect(stderr).toContain('Two interrupts received.');
    expect(stderr.match(/^Error: local-exec provisioner error$/gm)).toHaveLength(60);
    expect(stderr).toMatch(/signal: killed\.\n$/);
  });

  it('that is not read bounds the output of other programs after two interrupts too', async () => {
    const flood = "yes $(head -c 3000 /dev/zero | tr '\\0' x)";
    const work = new Work({
      'main.tf': `resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = ${JSON.stringify(`trap ${JSON.stringify(flood)} TERM; : > begun; while :; do sleep 0.1; done`)}
  }
}
`,
    });
    execFileSync('mkfifo', [work.at('pipe')]);
    const pipe = openSync(work.at('pipe'), constants.O_RDWR | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(pipe));
    let peakKiB = (): number => 0;
    const { stderr } = await applies(work, {
      stdio: ['ignore', pipe, 'pipe'],
      started(child) {
        peakKiB = watchMemory(child);
        interruptTwice(work, child);
      },
    });
    expect(stderr).toContain('Two interrupts received.');
    expect(peakKiB()).toBeGreaterThan(10_000);
    expect(peakKiB()).toBeLessThan(160_000);
  });

  it('that is open for reading only is reported', async () => {
    const work = new Work({ 'main.tf': many(1) });
    for (const command of ['validate', 'plan']) {
      const { code, stderr } = await work.run([], {
        command: ['/bin/sh', '-c', `echo hi | "$TERRANE" ${command} -no-color 1<&0`],
        env: { TERRANE: PROGRAM },
      });
      expect(stderr).toContain(`${REPORT}standard output: `);
      expect(code).toBe(1);
    }
  });

  it('whose reader has gone is reported by a command that changed something', async () => {
    const backend = (path: string): string =>
      `terraform {\n  backend "local" {\n    path = "${path}"\n  }\n}\n${many(1)}`;
    const work = new Work({ 'main.tf': backend('a.tfstate') });
    expect((await work.run(['init'])).code).toBe(0);
    expect((await applies(work, {})).code).toBe(0);
    work.write('main.tf', backend('b.tfstate'));
    const late = async (command: string): Promise<string> =>
      (await pipeline(work, `sleep 0.5; "$TERRANE" ${command}`, 'true')).stderr;
    expect(await late('init -migrate-state -force-copy')).toContain(
      `${REPORT}standard output: its reader has gone.`,
    );
    expect(existsSync(work.at('b.tfstate'))).toBe(true);
    expect(await late('init')).toBe('');
    expect(await late('apply -help')).toBe('');
    expect(await late('plan -no-color -json-into=/dev/stdout')).toBe('');
  });

  it('is no different from a connection that its reader resets', async () => {
    const work = new Work({ 'main.tf': many(1) });
    const server = createServer((socket) => void socket.resetAndDestroy());
    onTestFinished(() => void server.close());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { code, stderr } = await work.run(['plan', '-no-color'], {
      command: [
        'bash',
        '-c',
        `exec > /dev/tcp/127.0.0.1/${port}; sleep 0.5; exec "$0" "$@"`,
        PROGRAM,
      ],
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });

  it('of -json-into that is not read does not keep an apply from its end', async () => {
    const work = new Work({ 'main.tf': many(3_000) });
    execFileSync('mkfifo', [work.at('events')]);
    goWhen(
      work,
      () =>
        existsSync(work.at('terraform.tfstate')) &&
        statSync(work.at('terraform.tfstate')).size > 100_000,
    );
    const reader = `{ ${WAIT}; cat > into; } < events &`;
    const apply = '"$TERRANE" apply -auto-approve -no-color -json-into=events';
    const { code, stderr } = await work.run([], {
      command: ['/bin/sh', '-c', `${reader} ${apply}; code=$?; wait; exit $code`],
      env: { TERRANE: PROGRAM },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const events = work.read('into').trim().split('\n');
    for (const event of events) expect(JSON.parse(event)).toHaveProperty('type');
    expect(events.filter((event) => event.includes('"apply_complete"'))).toHaveLength(3_000);
  });

  it('that is full and does not block receives the version later', async () => {
    const work = new Work();
    execFileSync('mkfifo', [work.at('pipe')]);
    const pipe = openSync(work.at('pipe'), constants.O_RDWR | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(pipe));
    const untilEmptyOrFull = (step: () => number): void => {
      try {
        while (step() > 0);
      } catch (error) {
        expect(error).toMatchObject({ code: 'EAGAIN' });
      }
    };
    untilEmptyOrFull(() => writeSync(pipe, 'x'.repeat(65_536)));
    untilEmptyOrFull(() => writeSync(pipe, 'x'));
    let read = '';
    const buffer = Buffer.alloc(65_536);
    const take = (): void =>
      untilEmptyOrFull(() => {
        const length = readSync(pipe, buffer);
        read += buffer.toString('utf8', 0, length);
        return length;
      });
    // Standard streams of a process that Node.js starts block.
    const { code, stderr } = await work.run([], {
      command: ['/bin/sh', '-c', '"$TERRANE" version >&3'],
      env: { TERRANE: PROGRAM },
      stdio: ['ignore', 'ignore', 'pipe', pipe],
      started() {
        const timer = setTimeout(take, 1_000);
        onTestFinished(() => clearTimeout(timer));
      },
    });
    take();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(read).toMatch(/^x+Terrane v\d/);
  });
});
