// A server that answers as Amazon's services do, for the tests of one file.
import { spawn, spawnSync } from 'node:child_process';
import { freePort } from '../interop/free-port.ts';

/** True if moto is installed (scripts/install-moto.sh). */
export const MOTO: boolean = spawnSync('moto_server', ['--help']).status === 0;

/** A running server. */
export interface Moto {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Starts a server with a bucket `bucket` and a table `locks`, both empty. */
export async function startMoto(): Promise<Moto> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const server = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  for (let attempt = 0; ; attempt++) {
    const made = await fetch(`${endpoint}/bucket`, { method: 'PUT' }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (made) break;
    if (attempt > 1_200 || server.exitCode !== null) throw new Error('moto does not answer');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const table = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'x-amz-target': 'DynamoDB_20120810.CreateTable',
      'content-type': 'application/x-amz-json-1.0',
      authorization: 'AWS4-HMAC-SHA256 Credential=id/20200101/us-east-1/dynamodb/aws4_request',
    },
    body: JSON.stringify({
      TableName: 'locks',
      KeySchema: [{ AttributeName: 'LockID', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'LockID', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  });
  if (!table.ok) throw new Error(`moto makes no table: ${await table.text()}`);
  return {
    endpoint,
    async stop() {
      server.kill();
      await ended;
    },
  };
}
