import { expect, it } from 'vitest';
import { failureText, sdkFailure } from './sdk-failure.ts';

const answered = (more: object): Error =>
  Object.assign(new Error('not you'), {
    name: 'AccessDeniedException',
    $metadata: { httpStatusCode: 403, requestId: 'r' },
    ...more,
  });

it.each([
  [
    'an answer',
    answered({}),
    'https response error StatusCode: 403, RequestID: r, api error AccessDeniedException: not you',
  ],
  [
    'an answer in XML, by the name in that',
    answered({ Code: 'AccessDenied' }),
    'https response error StatusCode: 403, RequestID: r, api error AccessDenied: not you',
  ],
  ['no answer', new Error('no route'), 'request send failed, no route'],
  [
    'several addresses without an answer',
    new AggregateError([new Error('one'), new Error('two')]),
    'request send failed, one; two',
  ],
  ['what is no error', 'odd', 'request send failed, odd'],
])('formats %s', (_, error, expected) => {
  const text = failureText('STS', 'AssumeRole', sdkFailure(error));
  expect(text).toBe(`operation error STS: AssumeRole, ${expected}`);
});

it('names the host that answered for S3', () => {
  const error = answered({
    name: 'NoSuchBucket',
    $metadata: { httpStatusCode: 404, requestId: 'r', extendedRequestId: 'h' },
  });
  expect(failureText('S3', 'ListObjectsV2', sdkFailure(error), true)).toBe(
    'operation error S3: ListObjectsV2, https response error StatusCode: 404, RequestID: r, HostID: h, NoSuchBucket: not you',
  );
});

it('names the network error', () => {
  const error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  expect(sdkFailure(error)).toMatchObject({ code: 'ECONNREFUSED', status: undefined });
});
