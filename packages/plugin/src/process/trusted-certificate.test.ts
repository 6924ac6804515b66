import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { nodeHost } from '@terrane/host';
import { afterEach, expect, it } from 'vitest';
import { makeCertificate } from './certificate.ts';
import type { Certificate } from './certificate.ts';

const { clock, random, network } = nodeHost();
const ourCertificate = makeCertificate(clock, random);
const theirs = makeCertificate(clock, random);

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

/** Connects to a server that presents `theirs` and trusts `trusted`; returns its greeting. */
async function greeting(trusted: Certificate, expected: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'tls-'));
  undo.push(() => rmSync(directory, { recursive: true, force: true }));
  const server = createServer(
    {
      cert: theirs.certificate,
      key: theirs.key,
      ca: trusted.certificate,
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
    },
    (socket) => {
      socket.on('error', () => {});
      socket.end(`hello in ${String(socket.alpnProtocol)}`);
    },
  );
  undo.push(() => server.close());
  server.on('tlsClientError', () => {});
  const path = join(directory, 's');
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  const secure = await network.secure(await network.connectLocal(path), {
    trusted: expected,
    certificate: ourCertificate.certificate,
    key: ourCertificate.key,
    serverName: 'localhost',
    protocols: ['h2'],
  });
  let text = '';
  for await (const piece of secure) text += String(piece);
  return text;
}

it('accepts the server with the certificate', async () => {
  expect(await greeting(ourCertificate, theirs.certificate)).toBe('hello in h2');
});

it('rejects other servers and malformed certificates', async () => {
  await expect(greeting(ourCertificate, ourCertificate.certificate)).rejects.toThrow(
    'another certificate',
  );
  await expect(greeting(ourCertificate, 'no certificate')).rejects.toThrow();
});

it('shows a certificate of its own', async () => {
  // The other side ends the connection, before or after anything could be read of it.
  const heard = await greeting(theirs, theirs.certificate).catch(() => '');
  expect(heard).toBe('');
});
