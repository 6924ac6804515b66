import type { AwsRequest } from './aws-request.ts';

/** An answer of a service. */
export interface AwsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An error that a service answers with. */
export interface AwsFailure {
  readonly status: number;
  /** "NoSuchEntity" */
  readonly code: string;
  readonly message: string;
  /** the code of a service that once spoke another protocol (SQS): "AWS.SimpleQueueService.NonExistentQueue" */
  readonly queryCode?: string;
}

/** The id that answers of the proxy's own have. */
export const REQUEST_ID = '00000000-0000-4000-8000-000000000000';
const XML = { 'content-type': 'text/xml', 'x-amzn-requestid': REQUEST_ID };
const JSON_TYPE = { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': REQUEST_ID };

/** An error in the protocol that a service speaks. */
export function failureAnswer(request: AwsRequest, failure: AwsFailure): AwsAnswer {
  const { status, code, message, queryCode } = failure;
  const error = `<Code>${escaped(code)}</Code><Message>${escaped(message)}</Message>`;
  switch (request.protocol) {
    case 'json': {
      const query = queryCode === undefined ? {} : { 'x-amzn-query-error': `${queryCode};Sender` };
      const body = JSON.stringify({ __type: code, message });
      return { status, headers: { ...JSON_TYPE, ...query }, body };
    }
    case 'rest-json':
      return {
        status,
        headers: {
          'content-type': 'application/json',
          'x-amzn-errortype': code,
          'x-amzn-requestid': REQUEST_ID,
        },
        body: JSON.stringify({ message, Message: message }),
      };
    case 'ec2':
      return {
        status,
        headers: XML,
        body: `<Response><Errors><Error>${error}</Error></Errors><RequestID>${REQUEST_ID}</RequestID></Response>`,
      };
    case 'rest-xml':
      if (request.service === 's3') {
        const body = `<Error>${error}<RequestId>${REQUEST_ID}</RequestId></Error>`;
        return { status, headers: XML, body: request.method === 'HEAD' ? '' : body };
      }
      return queryFailure(status, error);
    case 'query':
      return queryFailure(status, error);
  }
}

function queryFailure(status: number, error: string): AwsAnswer {
  const body = `<ErrorResponse><Error><Type>Sender</Type>${error}</Error><RequestId>${REQUEST_ID}</RequestId></ErrorResponse>`;
  return { status, headers: XML, body };
}

/** An answer that says that all went well, and nothing else. */
export function emptyAnswer({ protocol, operation }: AwsRequest): AwsAnswer {
  switch (protocol) {
    case 'json':
      return { status: 200, headers: JSON_TYPE, body: '{}' };
    case 'rest-json':
      return { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' };
    case 'ec2':
      return { status: 200, headers: XML, body: `<${operation}Response/>` };
    case 'rest-xml':
      return { status: 200, headers: XML, body: '' };
    case 'query': {
      const result = `<${operation}Result/><ResponseMetadata><RequestId>${REQUEST_ID}</RequestId></ResponseMetadata>`;
      return {
        status: 200,
        headers: XML,
        body: `<${operation}Response>${result}</${operation}Response>`,
      };
    }
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
