import type { LockPlace } from '../lock-place.ts';
import { lockText, parseLock } from '../lock-text.ts';
import type { AwsClients } from './aws-clients.ts';
import { awsFailure, isPreconditionFailed } from './aws-error.ts';

/** Items of a table of DynamoDB: the lock of a state, and the checksum of what is stored of it. */
export interface LockTable {
  readonly lock: LockPlace;
  /** MD5 of the state that was stored last, as hexadecimal digits; `undefined` where it is not known */
  digest(): Promise<string | undefined>;
  setDigest(digest: string): Promise<void>;
  removeDigest(): Promise<void>;
}

const DIGEST = /^[0-9a-f]{32}$/i;

/** The items of one state in a table. */
export function lockTable({ aws, dynamodb }: AwsClients, table: string, path: string): LockTable {
  const fail = (operation: string, error: unknown): never => {
    throw new Error(awsFailure('DynamoDB', operation, error), { cause: error });
  };
  const item = async (id: string, attribute: 'Info' | 'Digest'): Promise<string | undefined> => {
    try {
      const { Item } = await dynamodb.send(
        new aws.GetItemCommand({
          TableName: table,
          Key: { LockID: { S: id } },
          ProjectionExpression: `LockID, ${attribute}`,
          ConsistentRead: true,
        }),
      );
      return Item?.[attribute]?.S;
    } catch (error) {
      const reason = awsFailure('DynamoDB', 'GetItem', error);
      throw new Error(
        `Unable to retrieve item from DynamoDB table ${JSON.stringify(table)}: ${reason}`,
        { cause: error },
      );
    }
  };
  const remove = async (id: string): Promise<void> => {
    await dynamodb
      .send(new aws.DeleteItemCommand({ TableName: table, Key: { LockID: { S: id } } }))
      .catch((error: unknown) => fail('DeleteItem', error));
  };
  const lock: LockPlace = {
    async read() {
      const text = await item(path, 'Info');
      return text === undefined ? undefined : { info: parseLock(text).info, version: text };
    },
    async put(info, instead) {
      const text = lockText(info);
      try {
        await dynamodb.send(
          new aws.PutItemCommand({
            TableName: table,
            Item: { LockID: { S: path }, Info: { S: text } },
            ...(instead === undefined
              ? { ConditionExpression: 'attribute_not_exists(LockID)' }
              : {
                  ConditionExpression: 'Info = :held',
                  ExpressionAttributeValues: { ':held': { S: instead } },
                }),
          }),
        );
        return { version: text };
      } catch (error) {
        if (!isPreconditionFailed(error)) return fail('PutItem', error);
        return { refused: awsFailure('DynamoDB', 'PutItem', error) };
      }
    },
    async remove(version) {
      if (version === undefined) await remove(path);
      else {
        try {
          await dynamodb.send(
            new aws.DeleteItemCommand({
              TableName: table,
              Key: { LockID: { S: path } },
              ConditionExpression: 'attribute_not_exists(LockID) OR Info = :held',
              ExpressionAttributeValues: { ':held': { S: version } },
            }),
          );
        } catch (error) {
          if (!isPreconditionFailed(error)) return fail('DeleteItem', error);
          return false;
        }
      }
      return true;
    },
    unlockProblem: (problem, id, other) =>
      problem === 'gone'
        ? `failed to retrieve lock info for lock ID ${JSON.stringify(id)}: there is no such item, so nobody holds the lock`
        : `lock ID ${JSON.stringify(id)} does not match existing lock (${JSON.stringify(other)})`,
  };
  return {
    lock,
    async digest() {
      const text = await item(`${path}-md5`, 'Digest');
      return text !== undefined && DIGEST.test(text) ? text.toLowerCase() : undefined;
    },
    async setDigest(digest) {
      await dynamodb
        .send(
          new aws.PutItemCommand({
            TableName: table,
            Item: { LockID: { S: `${path}-md5` }, Digest: { S: digest } },
          }),
        )
        .catch((error: unknown) => fail('PutItem', error));
    },
    removeDigest: () => remove(`${path}-md5`),
  };
}
