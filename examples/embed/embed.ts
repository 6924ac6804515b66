// A program that embeds the engine: it loads a configuration, plans, reports progress, applies, and stops on request.
// From a clone: npm run ts -- examples/embed/embed.ts DIR [SECONDS]
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import {
  formatDiagnostic,
  loadProject,
  openProject,
  plainOutputs,
  requestFor,
  streamApply,
  streamPlan,
} from '@terrane/ops';

const [directory = 'examples/embed', seconds = '0'] = process.argv.slice(2);
const project = openProject(directory);
const request = requestFor({ values: { who: 'world', seconds } });

// Load: the configuration is plain data.
const loaded = await loadProject(project);
check(loaded.diagnostics);
console.log(`resources: ${[...(loaded.configuration?.root.resources.keys() ?? [])].join(', ')}`);

// Plan, and look at the plan before anything is done.
const planning = streamPlan(project, request);
for await (const event of planning) {
  if (event.kind === 'refresh-complete') console.log(`looked at ${event.addr.text}`);
}
const planned = await planning.result;
check(planned.diagnostics);
for (const { action, addr } of planned.result?.plan.changes ?? []) {
  if (action !== 'no-op') console.log(`will ${action} ${addr.text}`);
}

// Applies. Ctrl-C stops it gracefully: running operations are awaited, and the state is written.
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
const applying = streamApply(project, request, { signal: stop.signal });
for await (const event of applying) {
  if (event.kind === 'apply-start') console.log(`${event.action} ${event.addr.text} ...`);
  if (event.kind === 'apply-complete') console.log(`${event.action} ${event.addr.text}: done`);
}
const applied = await applying.result;
check(applied.diagnostics);
console.log(plainOutputs(applied.result?.outputs ?? new Map())['greeting']);

function check(diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) console.error(formatDiagnostic(diagnostic));
  if (hasErrors(diagnostics)) process.exit(1);
}
