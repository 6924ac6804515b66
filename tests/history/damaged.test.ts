// Histories that were damaged, or written by somebody else.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Workbench } from 'terrane/testing';

const HISTORY = '.terraform.tfstate.history';

/** Data of a history as the program stores it, without encryption. */
function stored(content: string): Uint8Array {
  return Buffer.concat([
    Buffer.from('TERRANE HISTORY 1\n'),
    Buffer.alloc(4),
    gzipSync(Buffer.from(content)),
  ]);
}

function framed(...parts: readonly string[]): string {
  return parts
    .map((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      return length.toString('latin1') + part;
    })
    .join('');
}

async function applied(): Promise<Workbench> {
  const bench = new Workbench();
  await bench.write('main.tf', 'resource "terraform_data" "a" {\n  input = 1\n}\n');
  await bench.run('apply -auto-approve');
  await bench.clock.advance(60_000);
  await bench.write('main.tf', 'resource "terraform_data" "a" {\n  input = 2\n}\n');
  return bench;
}

const DEEP = 100_000;

describe('a list of runs', () => {
  it.each([
    ['that is no object', '[]'],
    ['without runs', '{}'],
    ['with a run that is a text', '{"runs":["a"],"schemas":{}}'],
    ['with a run without members', '{"runs":[{"id":"a"}],"schemas":{}}'],
    ['with null for schemas', '{"runs":[],"schemas":null}'],
    ['that is no JSON', '{"runs":'],
    [
      'that is nested deeply',
      `{"runs":[],"schemas":{"a":${'{"parts":{"a":'.repeat(DEEP)}true${'}}'.repeat(DEEP)}}}`,
    ],
  ])('%s is an error, and prevents no apply', async (_, content) => {
    const bench = await applied();
    await bench.writeBytes(`${HISTORY}/index`, stored(content));
    for (const command of ['history', 'history show last', 'undo -plan-only']) {
      const { code, stderr } = await bench.run(`${command} -no-color`);
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Error: Unreadable history\n\nindex in the history'),
      });
    }
    const { code, stdout } = await bench.run('apply -auto-approve -no-color');
    expect(code).toBe(0);
    expect(stdout).toContain('Warning: Run is not in the history');
    expect(stdout).toContain('Apply complete! Resources: 0 added, 1 changed');
  });
});

describe('a run', () => {
  it.each([
    ['without a record', framed('{}')],
    ['that is cut off', '\u0000\u0000\u0000\u0009{'],
    ['that is empty', ''],
  ])('%s is an error', async (_, content) => {
    const bench = await applied();
    const id: string = JSON.parse((await bench.run('history -json')).stdout).runs[0].id;
    await bench.writeBytes(`${HISTORY}/runs/${id}`, stored(content));
    for (const command of ['history show last', 'history terraform_data.a', 'undo -plan-only']) {
      const { code, stderr } = await bench.run(`${command} -no-color`);
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Error: Unreadable history'),
      });
    }
  });

  it('that names a file outside of the history is an error', async () => {
    const bench = await applied();
    const { runs } = JSON.parse((await bench.run('history -json')).stdout);
    expect(runs).toHaveLength(1);
    const summary = {
      id: '../../secret',
      started: '2024-01-02T03:04:05.000Z',
      ended: '2024-01-02T03:04:05.000Z',
      who: 'x',
      command: 'apply',
      outcome: 'succeeded',
      counts: { created: 1, updated: 0, deleted: 0, other: 0 },
      open: 0,
      keyframe: true,
    };
    await bench.writeBytes(
      `${HISTORY}/index`,
      stored(JSON.stringify({ runs: [summary], schemas: {} })),
    );
    const { code, stderr } = await bench.run('history -no-color');
    expect(code).toBe(1);
    expect(stderr).toContain('index in the history is damaged');
  });
});
