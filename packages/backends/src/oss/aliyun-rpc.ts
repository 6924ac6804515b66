import { createHmac } from 'node:crypto';
import type { BackendPorts } from '../backend.ts';
import { fieldsOf, jsonFields, textIn } from '../json-fields.ts';
import { askService } from '../service-request.ts';
import type { AliyunKeys } from './aliyun-keys.ts';

/** An operation of one of Alibaba Cloud's services that are called by RPC. */
export interface RpcCall {
  /** scheme and host */
  readonly origin: string;
  readonly version: string;
  readonly action: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** the number of attempts if the server does not respond */
  readonly attempts?: number;
  readonly timeoutMs?: number;
}

/**
 * Calls an operation and returns the fields of its response. Signs with "signature version 1.0" of the RPC style
 * (https://www.alibabacloud.com/help/en/sdk/product-overview/rpc-mechanism). Rejects with the service's error message.
 */
export async function aliyunRpc(
  ports: BackendPorts,
  { origin, version, action, parameters, attempts, timeoutMs }: RpcCall,
  keys: AliyunKeys,
): Promise<ReadonlyMap<string, unknown>> {
  const { clock, random } = ports.host;
  const answer = await askService(
    ports,
    () => {
      const now = clock.now().toISOString();
      const query = canonical({
        ...parameters,
        Version: version,
        Action: action,
        Format: 'JSON',
        Timestamp: `${now.slice(0, 19)}Z`,
        SignatureMethod: 'HMAC-SHA1',
        SignatureVersion: '1.0',
        SignatureNonce: random.uuid(),
        AccessKeyId: keys.id,
        ...(keys.token !== '' && { SecurityToken: keys.token }),
      });
      const signature = createHmac('sha1', `${keys.secret}&`)
        .update(`POST&%2F&${percent(query)}`)
        .digest('base64');
      return {
        url: `${origin}/?${query}&Signature=${percent(signature)}`,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: '',
        ...(timeoutMs !== undefined && { timeoutMs }),
      };
    },
    attempts,
  );
  const fields = jsonFields(answer.body);
  if (answer.status >= 300) {
    throw new Error(
      `SDK.ServerError\nErrorCode: ${textIn(fields, 'Code')}\nRequestId: ${textIn(fields, 'RequestId')}\nMessage: ${textIn(fields, 'Message')}`,
    );
  }
  return fields;
}

function canonical(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${percent(name)}=${percent(value)}`)
    .join('&');
}

/** Percent-encodes as RFC 3986 specifies. */
function percent(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Returns the session credentials in an STS response, with their expiry. */
export function sessionKeys(answer: ReadonlyMap<string, unknown>): {
  readonly keys: AliyunKeys;
  readonly expiration: string;
} {
  const fields = fieldsOf(answer.get('Credentials'));
  return {
    keys: {
      id: textIn(fields, 'AccessKeyId'),
      secret: textIn(fields, 'AccessKeySecret'),
      token: textIn(fields, 'SecurityToken'),
    },
    expiration: textIn(fields, 'Expiration'),
  };
}
