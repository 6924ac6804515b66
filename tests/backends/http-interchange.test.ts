// The `http` backend of the built program beside the real terraform, on a server that behaves as GitLab's.
import { expect, it } from 'vitest';
import { configurationWith, PAIRS, Projects, takeTurns } from './interchange.ts';
import { StateServer } from './state-server.ts';
import { findTerrane } from '../differential/program.ts';

for (const pair of PAIRS) {
  const [first, other] = pair;
  it(`takes turns with a state over HTTP: ${first.name}, then ${other.name}`, async () => {
    await using server = await StateServer.start();
    const block = `  backend "http" {
    address        = "${server.address}"
    lock_address   = "${server.address}/lock"
    lock_method    = "POST"
    unlock_address = "${server.address}/lock"
    unlock_method  = "DELETE"
    retry_wait_min = 0
  }`;
    const pointed = { hasWorkspaces: false, hasLocks: true, breaksLocks: true };
    await takeTurns(pair, { block, ...pointed });
    const puts = server.asked.filter(
      ({ method, path }) => method === 'POST' && !path.includes('lock'),
    );
    expect(puts.length).toBeGreaterThan(3);
    for (const { path } of puts) expect(path).toMatch(/\?ID=[0-9a-f-]{36}$/);
  });
}

it('is configured by the environment alone, without passwords in messages', async () => {
  await using server = await StateServer.start();
  server.instead = ({ headers }) =>
    headers.authorization === `Basic ${Buffer.from('me:s3cret').toString('base64')}`
      ? undefined
      : { status: 401 };
  const env = {
    TF_HTTP_ADDRESS: `${server.address}?private_token=s3cret`,
    TF_HTTP_LOCK_ADDRESS: server.address,
    TF_HTTP_UNLOCK_ADDRESS: server.address,
    TF_HTTP_USERNAME: 'me',
    TF_HTTP_PASSWORD: 's3cret',
    TF_HTTP_RETRY_WAIT_MIN: '0',
    TF_HTTP_UPDATE_METHOD: 'PUT',
  };
  await using projects = await Projects.make(env);
  const terrane = findTerrane();
  const project = await projects.project('a', terrane, configurationWith('  backend "http" {}'));
  await project.ok('init -no-color -input=false');
  await project.ok('apply -no-color -auto-approve');
  expect(server.asked.map(({ method }) => method)).toEqual(
    expect.arrayContaining(['LOCK', 'PUT', 'UNLOCK']),
  );
  server.instead = () => ({ status: 500, body: 's3cret' });
  const { code, output } = await project.run('plan -no-color');
  expect(code).toBe(1);
  expect(output.replace(/\s+/g, ' ')).toContain(
    'giving up after 3 attempt(s): unexpected HTTP status 500',
  );
  expect(output).not.toContain('s3cret');
});
