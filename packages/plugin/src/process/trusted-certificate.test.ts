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
async function greeting(
  trusted: Certificate,
  expected: string,
  onBytes?: (bytes: Buffer) => void,
): Promise<string> {
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
  const options = {
    trusted: expected,
    certificate: ourCertificate.certificate,
    key: ourCertificate.key,
    serverName: 'localhost',
    protocols: ['h2'],
  };
  const secure =
    onBytes === undefined
      ? await network.secure(await network.connectLocal(path), options)
      : await network.connectLocal(path, { ...options, onBytes });
  let text = '';
  for await (const piece of secure) text += String(piece);
  return text;
}

it('accepts the server with the certificate', async () => {
  expect(await greeting(ourCertificate, theirs.certificate)).toBe('hello in h2');
});

it('passes received bytes to a callback', async () => {
  const received: string[] = [];
  const text = await greeting(ourCertificate, theirs.certificate, (bytes) => {
    received.push(String(bytes));
  });
  expect(text).toBe('');
  expect(received.join('')).toBe('hello in h2');
});

it('rejects other servers and malformed certificates', async () => {
  for (const onBytes of [undefined, () => undefined]) {
    await expect(greeting(ourCertificate, ourCertificate.certificate, onBytes)).rejects.toThrow(
      'another certificate',
    );
    await expect(greeting(ourCertificate, 'no certificate', onBytes)).rejects.toThrow();
  }
  const nowhere = network.connectLocal('/nowhere/socket', {
    trusted: theirs.certificate,
    certificate: ourCertificate.certificate,
    key: ourCertificate.key,
    serverName: 'localhost',
    protocols: ['h2'],
    onBytes: () => undefined,
  });
  await expect(nowhere).rejects.toThrow('connect ENOENT /nowhere/socket');
});

it('shows a certificate of its own', async () => {
  // The other side ends the connection, before or after anything could be read of it.
  const heard = await greeting(theirs, theirs.certificate).catch(() => '');
  expect(heard).toBe('');
});
