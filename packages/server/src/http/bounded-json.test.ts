import { expect, it } from 'vitest';
import { boundedReport, parseDocument, parseReport } from './bounded-json.ts';

const nested = (levels: number): Buffer =>
  Buffer.from(`${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`);

it('parses JSON of limited depth', () => {
  const texts = { 'a[': ['"', '\\', `\\"${'['.repeat(1_000)}`] };
  expect(parseDocument(Buffer.from(JSON.stringify(texts)))).toEqual(texts);
  expect(() => parseDocument(nested(64))).not.toThrow();
  expect(() => parseDocument(nested(66))).toThrow(SyntaxError);
  expect(() => parseReport(nested(512))).not.toThrow();
  for (const bytes of [nested(514), nested(200_000), Buffer.from('{')]) {
    expect(() => parseReport(bytes)).toThrow('The report is not valid JSON');
  }
});

it('limits the depth of JSON that is received in pieces', async () => {
  async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
    for (const byte of bytes) yield await Promise.resolve(Buffer.of(byte));
  }
  const read = async (bytes: Buffer): Promise<string> => {
    const parts: Uint8Array[] = [];
    for await (const piece of boundedReport(pieces(bytes))) parts.push(piece);
    return Buffer.concat(parts).toString('utf8');
  };
  const text = String.raw`{"ä\"[": ["\\"]}`;
  expect(await read(Buffer.from(text))).toBe(text);
  await expect(read(nested(514))).rejects.toMatchObject({ status: 400 });
});
