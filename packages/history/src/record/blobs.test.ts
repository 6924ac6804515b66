import type { SideStorage } from '@terrane/host';
import { expect, it } from 'vitest';
import { Blobs } from './blobs.ts';

function storageIn(files: Map<string, Uint8Array>): SideStorage {
  return {
    read: (name) => Promise.resolve(files.get(name)),
    write: (name, content) => Promise.resolve(void files.set(name, content)),
    remove: (name) => Promise.resolve(void files.delete(name)),
  };
}

it.each([
  ['no piece', []],
  ['an empty piece', [new Uint8Array()]],
  ['small pieces', [Buffer.from('a'), Buffer.from('bc')]],
  ['pieces of several megabytes', [5, 1, 9].map((n) => Buffer.alloc(n << 20, n))],
  ['many pieces', Array.from({ length: 6000 }, (_, i) => Buffer.alloc(1500, i))],
])('content of %s is read as it was written', async (_name, pieces) => {
  const files = new Map<string, Uint8Array>();
  const blobs = new Blobs(storageIn(files), undefined);
  await blobs.write('x', pieces);
  const whole = Buffer.concat(pieces);
  expect(Buffer.compare((await blobs.read('x')) ?? Buffer.from('absent'), whole)).toBe(0);
});

it('a producer may use the buffer of its pieces again', async () => {
  const files = new Map<string, Uint8Array>();
  const blobs = new Blobs(storageIn(files), undefined);
  const buffer = Buffer.alloc(100_000);
  const lengths = Array.from({ length: 200 }, (_, i) => 60_000 + i * 200);
  await blobs.write(
    'x',
    (function* () {
      for (const [i, length] of lengths.entries()) yield buffer.fill(i).subarray(0, length);
    })(),
  );
  const whole = Buffer.concat(lengths.map((length, i) => Buffer.alloc(length, i)));
  expect(Buffer.compare((await blobs.read('x')) ?? Buffer.from('absent'), whole)).toBe(0);
});

it('content in one piece is stored like the same content in small pieces', async () => {
  const files = new Map<string, Uint8Array>();
  const blobs = new Blobs(storageIn(files), undefined);
  await blobs.write('whole', Buffer.from('abc'));
  await blobs.write('pieces', [Buffer.from('a'), Buffer.from('bc')]);
  expect(files.get('pieces')).toEqual(files.get('whole'));
});
