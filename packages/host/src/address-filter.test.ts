import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { addressFilter, isNetwork } from './address-filter.ts';
import { bodyText } from './http-body.ts';
import { nodeEnvironment } from './node-environment.ts';
import { nodeHttp } from './node-http.ts';

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '0.0.0.0',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  'fd00:ec2::254',
  'fe80::1',
  'not an address',
])('refuses %s', (address) => {
  expect(addressFilter()(address)).toBe(false);
});

it('permits addresses of the internet, and allowed networks', () => {
  const permits = addressFilter(['10.1.0.0/16', 'fd00::/8', '127.0.0.1']);
  expect(['93.184.216.34', '2606:2800:220:1::1'].every(addressFilter())).toBe(true);
  expect(['10.1.2.3', 'fd00::1', '127.0.0.1', '::ffff:10.1.2.3'].every(permits)).toBe(true);
  expect(['10.2.0.1', '127.0.0.2'].some(permits)).toBe(false);
});

it('recognizes networks', () => {
  expect(['10.0.0.0/8', '::1', '1.2.3.4'].map(isNetwork)).toEqual([true, true, true]);
  expect(['10.0.0.0/33', 'example.com', '1.2.3.4/x', ''].some(isNetwork)).toBe(false);
});

it('sends no request to a refused address, by name or number, also after a redirect', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    if (request.url === '/leave') {
      response.writeHead(302, { location: `http://[::1]:${port}/left` });
    }
    response.end('answer');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const http = nodeHttp(nodeEnvironment('/'));
  try {
    const isPermitted = addressFilter();
    for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '[::ffff:127.0.0.1]']) {
      await expect(http.request(`http://${host}:${port}/`, { isPermitted })).rejects.toThrow(
        /not permitted/,
      );
    }
    const allowed = { isPermitted: addressFilter(['127.0.0.1']) };
    const answer = await http.request(`http://localhost:${port}/yes`, allowed);
    expect(await bodyText(answer)).toBe('answer');
    await expect(http.request(`http://127.0.0.1:${port}/leave`, allowed)).rejects.toThrow(
      /not permitted/,
    );
    expect(seen).toEqual(['/yes', '/leave']);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
