import type { IncomingHttpHeaders } from 'node:http';

/** The protocol of an Amazon service. */
export type AwsProtocol = 'query' | 'ec2' | 'json' | 'rest-json' | 'rest-xml';

/** A request to a service of Amazon, as the fault proxy sees it. */
export interface AwsRequest {
  /** as requests are signed for it: "sqs", "iam", "s3" */
  readonly service: string;
  readonly protocol: AwsProtocol;
  /** "CreateQueue"; where the protocol is REST, method and path: "GET /2015-03-31/functions/jobs" */
  readonly operation: string;
  readonly method: string;
  /** path and query */
  readonly url: string;
  readonly body: string;
}

/** Services that are asked by methods and paths, and answer in XML. The other such services answer in JSON. */
const REST_XML: ReadonlySet<string> = new Set(['s3', 'route53', 'cloudfront']);

/** Parses a request as the fault proxy receives it. */
export function awsRequest(
  method: string,
  url: string,
  headers: IncomingHttpHeaders,
  body: string,
): AwsRequest {
  const service = /Credential=[^/]+\/[^/]+\/[^/]+\/([^/]+)\//.exec(
    headers.authorization ?? '',
  )?.[1];
  return {
    service: service ?? '',
    ...operationOf(method, url, headers, body, service),
    method,
    url,
    body,
  };
}

function operationOf(
  method: string,
  url: string,
  headers: IncomingHttpHeaders,
  body: string,
  service = '',
): Pick<AwsRequest, 'protocol' | 'operation'> {
  const target = headers['x-amz-target'];
  if (typeof target === 'string') {
    return { protocol: 'json', operation: target.slice(target.lastIndexOf('.') + 1) };
  }
  const form = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  const action = form ? new URLSearchParams(body).get('Action') : null;
  if (action !== null) return { protocol: service === 'ec2' ? 'ec2' : 'query', operation: action };
  const path = url.split('?')[0] ?? '';
  return {
    protocol: REST_XML.has(service) ? 'rest-xml' : 'rest-json',
    operation: `${method} ${decodeURIComponent(path)}`,
  };
}
