import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { download } from './download.ts';

/** A host whose server sends endless responses, in pieces of 1,000 bytes, with an optional declared size. */
function endless(size?: number): {
  readonly host: Parameters<typeof download>[0];
  readonly sent: () => number;
} {
  let sent = 0;
  async function* body(): AsyncGenerator<Uint8Array> {
    for (;;) {
      sent += 1000;
      yield await Promise.resolve(new Uint8Array(1000));
    }
  }
  const memory = memoryHost();
  return {
    sent: () => sent,
    host: {
      ...memory,
      http: {
        ...memory.http,
        request: (url) =>
          Promise.resolve({
            status: 200,
            url,
            headers: size === undefined ? {} : { 'content-length': String(size) },
            body: body(),
          }),
      },
    },
  };
}

it.each([undefined, 20_000])(
  'a package that is larger than packages can be is not fetched (announced: %s bytes)',
  async (size) => {
    const { host, sent } = endless(size);
    const path = '/project/package.zip';
    await expect(
      download(host, { url: 'https://example.com/p.zip', limit: 10_000 }, path),
    ).rejects.toThrow('the package is larger than 10000 bytes');
    expect(sent()).toBeLessThan(100_000);
    expect((await host.files.stat(path))?.size ?? 0).toBeLessThan(12_000);
  },
);

it('a server that sends more than it has announced is not listened to', async () => {
  const { host, sent } = endless(5_500);
  await expect(
    download(host, { url: 'https://example.com/p.zip' }, '/project/package.zip'),
  ).rejects.toThrow('incorrect response size: expected 5500 bytes, but got 6000 bytes');
  expect(sent()).toBeLessThan(10_000);
});
