import { createHash, createHmac } from 'node:crypto';
import type { BackendPorts } from '../backend.ts';
import { fieldsOf, jsonFields, textIn } from '../json-fields.ts';
import { askService } from '../service-request.ts';

/** Keys for signing requests to Tencent Cloud. */
export interface TencentKeys {
  /** the key ID; empty without credentials */
  readonly id: string;
  readonly secret: string;
  /** the session token; empty for permanent keys */
  readonly token: string;
}

/** An error response of a service. */
export class TencentRefusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'TencentRefusal';
    this.code = code;
  }
}

/** An operation of one of Tencent Cloud's services. */
export interface TencentCall {
  readonly service: 'sts' | 'tag';
  readonly domain: string;
  readonly region: string;
  readonly action: string;
  readonly parameters: Readonly<Record<string, string | number>>;
  /** the number of attempts if the server does not respond */
  readonly attempts?: number;
}

const VERSION = '2018-08-13';
const TYPE = 'application/json';

/**
 * Calls an operation and returns the fields of its response. Signs with TC3-HMAC-SHA256
 * (https://www.tencentcloud.com/document/product/651/35613). Rejects with a {@link TencentRefusal}.
 */
export async function tencentCall(
  ports: BackendPorts,
  { service, domain, region, action, parameters, attempts }: TencentCall,
  keys: TencentKeys,
): Promise<ReadonlyMap<string, unknown>> {
  const host = `${service}.${domain}`;
  const body = JSON.stringify(parameters);
  const answer = await askService(
    ports,
    () => {
      const seconds = Math.floor(ports.host.clock.now().getTime() / 1000);
      return {
        url: `https://${host}/`,
        method: 'POST',
        body,
        headers: {
          'content-type': TYPE,
          authorization: authorization(service, host, body, seconds, keys),
          'x-tc-action': action,
          'x-tc-version': VERSION,
          'x-tc-timestamp': String(seconds),
          'x-tc-region': region,
          ...(keys.token !== '' && { 'x-tc-token': keys.token }),
        },
      };
    },
    attempts,
  );
  const response = fieldsOf(jsonFields(answer.body).get('Response'));
  const error = fieldsOf(response.get('Error'));
  if (answer.status < 300 && response.size > 0 && error.size === 0) return response;
  const code = textIn(error, 'Code') || `HTTP status ${answer.status}`;
  throw new TencentRefusal(
    code,
    `[TencentCloudSDKError] Code=${code}, Message=${textIn(error, 'Message')}, RequestId=${textIn(response, 'RequestId')}`,
  );
}

function authorization(
  service: string,
  host: string,
  body: string,
  seconds: number,
  keys: TencentKeys,
): string {
  const day = new Date(seconds * 1000).toISOString().slice(0, 10);
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const canonical = `POST\n/\n\ncontent-type:${TYPE}\nhost:${host}\n\ncontent-type;host\n${sha256(body)}`;
  const scope = `${day}/${service}/tc3_request`;
  let secret: string | Buffer = `TC3${keys.secret}`;
  for (const part of scope.split('/')) secret = createHmac('sha256', secret).update(part).digest();
  const signature = createHmac('sha256', secret)
    .update(`TC3-HMAC-SHA256\n${seconds}\n${scope}\n${sha256(canonical)}`)
    .digest('hex');
  return `TC3-HMAC-SHA256 Credential=${keys.id}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`;
}
