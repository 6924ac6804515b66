import { expect, it } from 'vitest';
import { failedRequest, retryReason } from './retryable.ts';
import { SERVICE_RETRIES } from './service-retries.ts';

const answered = (name: string, httpStatusCode: number) => ({
  name,
  $metadata: { httpStatusCode },
});
const network = (code: string, syscall = '') => ({ name: 'Error', message: '', code, syscall });

it.each([
  ['a status that says so', answered('SomethingElse', 429), 'throttling'],
  ['a code of throttling', answered('ThrottlingException', 400), 'throttling'],
  ['too much throughput', answered('ProvisionedThroughputExceededException', 400), 'throttling'],
  ['a fault of the service', answered('InternalFailure', 500), 'transient'],
  ['a service that is not there', answered('ServiceUnavailable', 503), 'transient'],
  ['what a service never does', answered('NotImplemented', 501), undefined],
  ['a request that took too long', answered('RequestTimeout', 400), 'transient'],
  ['credentials that have run out', answered('ExpiredToken', 403), undefined],
  ['credentials of a request that have run out', answered('RequestExpired', 400), undefined],
  ['what is asked wrong', answered('ValidationError', 400), undefined],
  ['nobody there', network('ECONNREFUSED', 'connect'), 'network'],
  ['a name that nobody has', network('ENOTFOUND', 'getaddrinfo'), 'network'],
  ['names that cannot be looked up now', network('EAI_AGAIN', 'getaddrinfo'), 'network'],
  ['no way there', network('ENETUNREACH', 'connect'), 'network'],
  ['a connection that takes too long', network('ETIMEDOUT', 'connect'), 'transient'],
  ['a connection that was closed before anything was sent', network('EPIPE', 'write'), 'transient'],
  ['a reset while the request is sent', network('ECONNRESET', 'write'), 'transient'],
  ['a reset while the answer is awaited', network('ECONNRESET', 'read'), undefined],
  ['a certificate that is not trusted', network('DEPTH_ZERO_SELF_SIGNED_CERT'), undefined],
])('tells by the error whether a request is tried again: %s', (_, error, expected) => {
  expect(retryReason(failedRequest(error))).toBe(expected);
});

it('reports the first of several unreachable addresses', () => {
  const error = new AggregateError([network('ECONNREFUSED', 'connect')]);
  expect(failedRequest(error)).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect' });
});

it.each([
  ['kafka', 'TooManyRequestsException', '', true],
  ['kafka', 'BadRequestException', 'Too Many Requests', true],
  ['kafka', 'BadRequestException', 'no such cluster', false],
  ['iam', 'ConcurrentModification', '', true],
  ['iam', 'ConcurrentModificationException', '', true],
  ['iam', 'EntityAlreadyExists', '', false],
])('retries errors of the complete service %s: %s %s', (service, code, message, expected) => {
  const failed = { code, message, status: 409, syscall: '' };
  expect(SERVICE_RETRIES[service]?.(failed)).toBe(expected);
});
