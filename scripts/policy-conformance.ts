// Runs the tests of a policy library from a local copy, directory by directory, and prints what fails:
//   npm run policy:conformance -- PATH
import { nodeHost } from '@terrane/host';
import { renderDiagnostic } from '@terrane/hcl';
import { runPolicyTests } from '@terrane/policy';

const [path] = process.argv.slice(2);
if (path === undefined) {
  process.stderr.write('Usage: npm run policy:conformance -- PATH\n');
  process.exit(2);
}
const { files, environment, clock, random } = nodeHost({ cwd: process.cwd() });
const started = process.cpuUsage();
const {
  files: tested,
  diagnostics,
  coverage,
} = await runPolicyTests(
  { policies: [path], tests: [], filter: [] },
  { files, environment, clock, random },
);
const cpu = process.cpuUsage(started);
for (const diagnostic of diagnostics) process.stdout.write(`${renderDiagnostic(diagnostic)}\n`);
let mocks = 0;
let passedMocks = 0;
for (const file of tested) {
  const counted = file.mocks.filter(({ status }) => status !== 'skip');
  mocks += counted.length;
  passedMocks += counted.filter(({ status }) => status === 'pass').length;
  if (file.status === 'pass') continue;
  process.stdout.write(`\n${file.path}: ${file.status}\n`);
  for (const each of [...file.diagnostics, ...file.mocks.flatMap((mock) => mock.diagnostics)])
    process.stdout.write(`${renderDiagnostic(each)}\n`);
}
const passed = tested.filter(({ status }) => status === 'pass').length;
const seconds = ((cpu.user + cpu.system) / 1e6).toFixed(1);
process.stdout.write(
  `\n${passed} of ${tested.length} test files passed; ${passedMocks} of ${mocks} mocks; ${coverage.length} policies; ${seconds} s of CPU time\n`,
);
process.exitCode = passed === tested.length && diagnostics.length === 0 ? 0 : 1;
