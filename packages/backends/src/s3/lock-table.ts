import type { LockPlace } from '../lock-place.ts';
import { lockText, parseLock } from '../lock-text.ts';
import type { AwsClients } from './aws-clients.ts';
import { awsFailure, isPreconditionFailed } from './aws-error.ts';

/** Items of a table of DynamoDB: the lock of a state, and the checksum of its stored content. */
export interface LockTable {
  readonly lock: LockPlace;
  /** MD5 of the state that was stored last, as hexadecimal digits; `undefined` where it is not known */
  digest(): Promise<string | undefined>;
  setDigest(digest: string): Promise<void>;
  removeDigest(): Promise<void>;
}

const DIGEST = /^[0-9a-f]{32}$/i;

/** The items of one state in a table. */
export function lockTable(clients: AwsClients, table: string, path: string): LockTable {
  const lockItem = new TableItem(clients, table, path);
  const digestItem = new TableItem(clients, table, `${path}-md5`);
  return {
    lock: lockPlace(lockItem),
    async digest() {
      const text = await digestItem.read('Digest');
      return text !== undefined && DIGEST.test(text) ? text.toLowerCase() : undefined;
    },
    setDigest: (digest) =>
      digestItem.put('Digest', digest).catch((error: unknown) => fail('PutItem', error)),
    removeDigest: () => digestItem.remove(),
  };
}

function lockPlace(item: TableItem): LockPlace {
  return {
    async read() {
      const text = await item.read('Info');
      return text === undefined ? undefined : { info: parseLock(text).info, version: text };
    },
    async put(info, instead) {
      const text = lockText(info);
      try {
        await item.put(
          'Info',
          text,
          instead === undefined
            ? { ConditionExpression: 'attribute_not_exists(LockID)' }
            : { ConditionExpression: 'Info = :held', ...held(instead) },
        );
        return { version: text };
      } catch (error) {
        if (!isPreconditionFailed(error)) return fail('PutItem', error);
        return { refused: awsFailure('DynamoDB', 'PutItem', error) };
      }
    },
    async remove(version) {
      if (version === undefined) {
        await item.remove();
        return true;
      }
      const ConditionExpression = 'attribute_not_exists(LockID) OR Info = :held';
      return await item.removeIf({ ConditionExpression, ...held(version) });
    },
    unlockProblem: (problem, id, other) =>
      problem === 'gone'
        ? `failed to retrieve lock info for lock ID ${JSON.stringify(id)}: there is no such item, so the lock is not held`
        : `lock ID ${JSON.stringify(id)} does not match existing lock (${JSON.stringify(other)})`,
  };
}

/** A condition on the current item. */
interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeValues?: Record<string, { S: string }>;
}

function held(version: string): Pick<Required<Condition>, 'ExpressionAttributeValues'> {
  return { ExpressionAttributeValues: { ':held': { S: version } } };
}

function fail(operation: string, error: unknown): never {
  throw new Error(awsFailure('DynamoDB', operation, error), { cause: error });
}

/** Reads and writes one item of a table. */
class TableItem {
  readonly #clients: AwsClients;
  readonly #table: string;
  readonly #key: { readonly LockID: { S: string } };

  constructor(clients: AwsClients, table: string, id: string) {
    this.#clients = clients;
    this.#table = table;
    this.#key = { LockID: { S: id } };
  }

  async read(attribute: 'Info' | 'Digest'): Promise<string | undefined> {
    const { aws, dynamodb } = this.#clients;
    try {
      const { Item } = await dynamodb.send(
        new aws.GetItemCommand({
          TableName: this.#table,
          Key: this.#key,
          ProjectionExpression: `LockID, ${attribute}`,
          ConsistentRead: true,
        }),
      );
      return Item?.[attribute]?.S;
    } catch (error) {
      const reason = awsFailure('DynamoDB', 'GetItem', error);
      throw new Error(
        `Unable to retrieve item from DynamoDB table ${JSON.stringify(this.#table)}: ${reason}`,
        { cause: error },
      );
    }
  }

  async put(attribute: 'Info' | 'Digest', text: string, condition?: Condition): Promise<void> {
    const { aws, dynamodb } = this.#clients;
    const Item = { ...this.#key, [attribute]: { S: text } };
    await dynamodb.send(new aws.PutItemCommand({ TableName: this.#table, Item, ...condition }));
  }

  async remove(): Promise<void> {
    const { aws, dynamodb } = this.#clients;
    await dynamodb
      .send(new aws.DeleteItemCommand({ TableName: this.#table, Key: this.#key }))
      .catch((error: unknown) => fail('DeleteItem', error));
  }

  /** Removes the item unless the condition fails, in which case it returns false. */
  async removeIf(condition: Condition): Promise<boolean> {
    const { aws, dynamodb } = this.#clients;
    try {
      await dynamodb.send(
        new aws.DeleteItemCommand({ TableName: this.#table, Key: this.#key, ...condition }),
      );
      return true;
    } catch (error) {
      if (!isPreconditionFailed(error)) return fail('DeleteItem', error);
      return false;
    }
  }
}
