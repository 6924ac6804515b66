import { createHash, createHmac } from 'node:crypto';
import type { BackendPorts } from '../backend.ts';
import { askService } from '../service-request.ts';
import type { AliyunSignIn } from './aliyun-sign-in.ts';
import { plainRow, plainText, readPlainRow, type Columns } from './plain-buffer.ts';
import { protobuf, protobufTexts, type Field } from './protobuf-fields.ts';

/** An error response of Tablestore. */
export class TableRefusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'TableRefusal';
    this.code = code;
  }

  /** True if a condition of the request failed. */
  get isCondition(): boolean {
    return this.code === 'OTSConditionCheckFail';
  }
}

/** The precondition of a change of a row: absent, a certain text in a column, or none. */
export type RowCondition = 'absent' | 'any' | { readonly column: string; readonly equals: string };

const API_VERSION = '2015-12-31';
const EXISTENCE = { any: 0, present: 1, absent: 2 } as const;
const EQUAL = 1;
const SINGLE_COLUMN = 1;
/** Error codes after which a request may be repeated, including one that changes data. */
const BUSY: ReadonlySet<string> = new Set([
  'OTSRowOperationConflict',
  'OTSNotEnoughCapacityUnit',
  'OTSTableNotReady',
  'OTSPartitionUnavailable',
  'OTSServerBusy',
  'OTSStorageServerBusy',
]);
const ATTEMPTS = 8;
const FIRST_WAIT_MS = 50;

/**
 * Rows of a Tablestore table with the key column `LockID`, by its protocol of messages over HTTP
 * (https://www.alibabacloud.com/help/en/tablestore/developer-reference/http-request-body).
 */
export class TableStore {
  readonly #place: {
    readonly endpoint: string;
    readonly instance: string;
    readonly name: string;
  };
  readonly #signIn: AliyunSignIn;
  readonly #ports: BackendPorts;

  constructor(
    place: { readonly endpoint: string; readonly instance: string; readonly name: string },
    signIn: AliyunSignIn,
    ports: BackendPorts,
  ) {
    this.#place = place;
    this.#signIn = signIn;
    this.#ports = ports;
  }

  get name(): string {
    return this.#place.name;
  }

  /** Rejects if the table does not exist. */
  async describe(): Promise<void> {
    await this.#call('DescribeTable', [[1, this.name]]);
  }

  /** Reads a column of a row; `undefined` if it is missing. */
  async read(id: string, column: string): Promise<string | undefined> {
    const answer = await this.#call('GetRow', [
      [1, this.name],
      [2, plainRow({ LockID: id })],
      [3, 'LockID'],
      [3, column],
      [5, 1],
    ]);
    const row = protobufTexts(answer).get(2);
    return row === undefined || row.length === 0 ? undefined : readPlainRow(row)[column];
  }

  /** Writes a row if it meets the condition; otherwise rejects with a {@link TableRefusal}. */
  async put(id: string, columns: Columns, condition: RowCondition): Promise<void> {
    await this.#call('PutRow', [
      [1, this.name],
      [2, plainRow({ LockID: id }, columns)],
      [3, conditionBytes(condition)],
    ]);
  }

  /** Deletes a row if it exists and the condition holds. */
  async delete(id: string, condition: RowCondition): Promise<void> {
    await this.#call('DeleteRow', [
      [1, this.name],
      [2, plainRow({ LockID: id }, {}, true)],
      [3, conditionBytes(condition)],
    ]);
  }

  async #call(action: string, message: readonly Field[]): Promise<Uint8Array> {
    const body = protobuf(message);
    const { clock } = this.#ports.host;
    for (let attempt = 1; ; attempt++) {
      const {
        status,
        headers,
        body: answer,
      } = await askService(this.#ports, async () => ({
        url: `${this.#place.endpoint.replace(/\/+$/, '')}/${action}`,
        method: 'POST',
        headers: await this.#headers(action, body),
        body,
      }));
      if (status < 300) return answer;
      const refused = refusal(status, answer, headers['x-ots-requestid'] ?? '');
      if (!BUSY.has(refused.code) || attempt === ATTEMPTS) throw refused;
      await clock.sleep(FIRST_WAIT_MS * 2 ** (attempt - 1), this.#ports.signal);
    }
  }

  async #headers(action: string, body: Uint8Array): Promise<Readonly<Record<string, string>>> {
    const keys = await this.#signIn.keys();
    const signed: Readonly<Record<string, string>> = {
      'x-ots-accesskeyid': keys.id,
      'x-ots-apiversion': API_VERSION,
      'x-ots-contentmd5': createHash('md5').update(body).digest('base64'),
      'x-ots-date': this.#ports.host.clock.now().toISOString(),
      'x-ots-instancename': this.#place.instance,
      ...(keys.token !== '' && { 'x-ots-ststoken': keys.token }),
    };
    const lines = Object.entries(signed).map(([name, value]) => `${name}:${value.trim()}\n`);
    const signature = createHmac('sha1', keys.secret)
      .update(`/${action}\nPOST\n\n${lines.join('')}`)
      .digest('base64');
    return { ...signed, 'x-ots-signature': signature };
  }
}

function conditionBytes(condition: RowCondition): Uint8Array {
  if (typeof condition === 'string') return protobuf([[1, EXISTENCE[condition]]]);
  const comparison = protobuf([
    [1, EQUAL],
    [2, condition.column],
    [3, plainText(condition.equals)],
    // A row without the column does not do, and of several versions the latest counts.
    [4, 1],
    [5, 1],
  ]);
  const filter = protobuf([
    [1, SINGLE_COLUMN],
    [2, comparison],
  ]);
  return protobuf([
    [1, EXISTENCE.present],
    [2, filter],
  ]);
}

function refusal(status: number, body: Uint8Array, id: string): TableRefusal {
  let code = status >= 500 ? 'OTSServerUnavailable' : 'OTSClientUnknownError';
  let message = `HTTP status ${status}`;
  try {
    const fields = protobufTexts(body);
    const textOf = (number: number): string => new TextDecoder().decode(fields.get(number));
    if (fields.has(1)) {
      code = textOf(1);
      message = textOf(2);
    }
  } catch {
    // A proxy or another intermediary has responded.
  }
  return new TableRefusal(code, `${code} ${message} ${id}`.trimEnd());
}
