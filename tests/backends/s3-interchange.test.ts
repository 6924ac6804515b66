// The `s3` backend of the built program beside the real terraform, on moto.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTerrane } from '../differential/program.ts';
import { configurationWith, PAIRS, Projects, takeTurns } from './interchange.ts';
import { type Moto, MOTO, startMoto } from './moto.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

describe.runIf(MOTO)('states in S3', () => {
  let moto: Moto;
  beforeAll(async () => {
    moto = await startMoto();
  });
  afterAll(() => moto.stop());

  const block = (key: string, more: string): string => `  backend "s3" {
    bucket         = "bucket"
    key            = "${key}"
    region         = "us-east-1"
    use_path_style = true
    endpoints      = { s3 = "${moto.endpoint}", dynamodb = "${moto.endpoint}", sts = "${moto.endpoint}" }
    ${more}
  }`;

  const ways: readonly (readonly [string, string])[] = [
    ['a lock file', 'use_lockfile = true'],
    ['a table', 'dynamodb_table = "locks"'],
    [
      'both, another prefix and encryption',
      'use_lockfile = true\n    dynamodb_table = "locks"\n    workspace_key_prefix = "of"\n    encrypt = true',
    ],
  ];
  for (const [at, pair] of PAIRS.entries()) {
    const [first, other] = pair;
    // The last way is as good in one order.
    for (const [index, [name, more]] of ways.slice(0, at === 0 ? 3 : 2).entries()) {
      it(`takes turns, with ${name}: ${first.name}, then ${other.name}`, async () => {
        await takeTurns(pair, {
          block: block(`states/${at}-${index}`, more),
          env: KEYS,
          hasWorkspaces: true,
          hasLocks: true,
          breaksLocks: true,
        });
      });
    }
  }

  it('shows the lock of any holder', async () => {
    for (const [at, [holder]] of PAIRS.entries()) {
      await using projects = await Projects.make(KEYS);
      const text = configurationWith(block(`held-${at}`, 'use_lockfile = true'));
      const theirs = await projects.project('theirs', holder, text);
      const ours = await projects.project('ours', findTerrane(), text);
      await theirs.ok('init -no-color -input=false');
      await theirs.ok('apply -no-color -auto-approve');
      await ours.ok('init -no-color -input=false');
      const letGo = await theirs.holdLock();
      const shown = await ours.ok('state lock -no-color');
      expect(shown).toContain(`bucket/held-${at}`);
      expect(shown).toContain('OperationTypeApply');
      await letGo();
      expect(await ours.ok('state lock -no-color')).not.toContain('OperationTypeApply');
    }
  });
});
