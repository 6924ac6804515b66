import { expect, it } from 'vitest';
import { errorCode, isCertificateError, requestFailure } from './request-failure.ts';

function failed(code: string, more: object = {}, message = 'a message'): Error {
  return Object.assign(new Error(message), { code, ...more });
}

const AT = { address: '192.0.2.1', port: 5985 };

it.each([
  [failed('ECONNREFUSED', AT), 'dial tcp 192.0.2.1:5985: connect: connection refused'],
  [
    failed('ECONNREFUSED', { address: '::1', port: 1 }),
    'dial tcp [::1]:1: connect: connection refused',
  ],
  [failed('EHOSTUNREACH', AT), 'dial tcp 192.0.2.1:5985: connect: no route to host'],
  [failed('ETIMEDOUT', AT), 'dial tcp 192.0.2.1:5985: i/o timeout'],
  [
    failed('ETIMEDOUT'),
    'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
  ],
  [
    failed('ENOTFOUND', { hostname: 'none.example' }),
    'dial tcp: lookup none.example: no such host',
  ],
  [failed('ECONNRESET', {}, 'socket hang up'), 'EOF'],
  [failed('ECONNRESET'), 'read: connection reset by peer'],
  [
    failed('CERT_HAS_EXPIRED'),
    'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
  ],
  [
    new AggregateError([failed('ECONNREFUSED', AT), failed('EHOSTUNREACH')]),
    'dial tcp 192.0.2.1:5985: connect: connection refused',
  ],
  [failed('EOTHER'), 'a message'],
  ['a text', 'a text'],
])('%s is formatted as in Go', (error, text) => {
  expect(requestFailure('http://machine:5985/wsman', error)).toBe(text);
});

it('errors about certificates are distinguished from others', () => {
  expect(isCertificateError(failed('ERR_TLS_CERT_ALTNAME_INVALID'))).toBe(true);
  expect(isCertificateError(failed('ECONNRESET'))).toBe(false);
  expect([errorCode(failed('EOTHER')), errorCode(new Error('x')), errorCode('x')]).toEqual([
    'EOTHER',
    undefined,
    undefined,
  ]);
});
