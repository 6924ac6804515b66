import { parseXml, xmlTexts } from '@terrane/host/xml';
import type { WholeAnswer } from './http/retrying-request.ts';

/** A request to an object store, without method and location. */
export interface ObjectRequest {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** returns true if a 404 response with this code is not an error */
  readonly accepts?: (code: string) => boolean;
}

/** An error response of an object store. */
export class ObjectRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ObjectRefusal';
    this.status = status;
    this.code = code;
  }
}

/** Returns a successful or accepted response; throws the error of `refusal` for any other. */
export function acceptedAnswer(
  answer: WholeAnswer,
  { accepts = () => false }: ObjectRequest,
  refusal: (answer: WholeAnswer) => Error & { readonly code: string },
): WholeAnswer {
  if (answer.status < 300) return answer;
  const rejection = refusal(answer);
  if (answer.status === 404 && accepts(rejection.code)) return answer;
  throw rejection;
}

/** Lists the keys with a prefix. Supports stores with version 1 of the S3 ListObjects API. */
export async function* listedKeys(
  prefix: string,
  page: (query: Readonly<Record<string, string>>) => Promise<{ readonly body: Uint8Array }>,
): AsyncGenerator<string> {
  let marker = '';
  for (;;) {
    const { body } = await page({
      'encoding-type': 'url',
      'max-keys': '1000',
      prefix,
      ...(marker !== '' && { marker }),
    });
    const elements = parseXml(new TextDecoder().decode(body));
    const keys = xmlTexts(elements, 'Key').map((key) =>
      decodeURIComponent(key.replaceAll('+', ' ')),
    );
    yield* keys;
    const last = keys.at(-1);
    if (xmlTexts(elements, 'IsTruncated')[0] !== 'true' || last === undefined) return;
    marker = last;
  }
}
