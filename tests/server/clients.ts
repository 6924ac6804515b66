// Runs differential cases by unchanged clients against a run server over TLS:
//   npm run test:server-clients -- [--program=terraform] [--every=1] [--first=0] [--at-once=2] [NAME…]
// A program is a path, a name on PATH, or one of scripts/oracle/install-programs.mjs, such as tofu-1.12.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findProgram, PROGRAMS } from '../../scripts/oracle/install-programs.mjs';
import { report } from '../differential/difference.ts';
import { mapLimited } from '../differential/program.ts';
import { compareRemotely, remoteCases } from './remote-cases.ts';
import { startTlsServer } from './tls-server.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    program: { type: 'string', default: 'terraform' },
    every: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    'at-once': { type: 'string', default: '2' },
  },
});
const program =
  values.program in PROGRAMS
    ? findProgram(values.program as keyof typeof PROGRAMS) // Checked above.
    : values.program.includes('/')
      ? resolve(values.program)
      : values.program;
if (program === undefined) throw new Error(`${values.program} is not installed`);
const cases = remoteCases(positionals).filter(
  (_each, at) => at % Number(values.every) === Number(values.first),
);
await using server = await startTlsServer(Number(values['at-once']));
let [equal, other] = [0, 0];
await mapLimited(cases, Number(values['at-once']), async (each) => {
  const mismatches = await compareRemotely({ ...server, program }, each);
  if (mismatches.length === 0) equal++;
  else {
    other++;
    console.log(`! ${each.name}\n${report(mismatches)}`);
  }
});
console.log(`${values.program}: ${equal} of ${cases.length} cases equal the local runs`);
process.exitCode = other === 0 ? 0 : 1;
