import { nodeHost } from '@terrane/host';
import { loadConfiguration } from './packages/engine/src/config/load.ts';
import { makePlan } from './packages/engine/src/plan/plan.ts';
import { applyPlan } from './packages/engine/src/apply/apply.ts';
import { validateConfiguration } from './packages/engine/src/plan/validate.ts';
import { StateDraft } from './packages/engine/src/state/draft.ts';
import { EMPTY_STATE } from './packages/engine/src/state/snapshot.ts';
import { stateFileBytes } from './packages/engine/src/state/statefile-write.ts';
import { enforceContract } from '@terrane/provider';
import { provider as tp } from './providers/terraform/src/index.ts';
import { finalizeVariables } from './packages/engine/src/config/finalize-variables.ts';
const planText = (..._a: any[]) => '';
const dir = process.argv[2]!;
process.chdir(dir);
const host = nodeHost({ cwd: dir });
const t0 = performance.now();
const mark = (s: string) => console.error(`[${(performance.now() - t0).toFixed(0)} ms] ${s}`);
const loaded = loadConfiguration(host.files, '.');
mark('loaded');
const show = (ds: readonly any[]) => { for (const d of ds) console.log(d.severity, '|', d.summary, '|', d.detail, '|', d.subject ? `${d.subject.filename}:${d.subject.from.line}` : ''); };
show(loaded.diagnostics);
const configuration = loaded.configuration!;
const bundled = tp.create({ files: host.files, clock: host.clock, random: host.random } as any);
const schema: any = await bundled.schema();
const schemas = { provider: () => schema, resource: (_s: any, mode: string, type: string) => (mode === 'managed' ? schema.resources[type] : schema.dataSources[type]) };
const vars = finalizeVariables(configuration, new Map());
show(vars.diagnostics);
const settings = {
  configuration, schemas, providers: { start: () => enforceContract(tp.create({ files: host.files, clock: host.clock, random: host.random } as any), 'terraform.io/builtin/terraform') },
  functions: { files: host.files, environment: host.environment, clock: host.clock, random: host.random } as any, workspace: 'default', cwd: dir,
  variables: vars.values, parallelism: 10, emit: () => {}, now: () => new Date(), monotonicMs: () => performance.now(),
};
show(await validateConfiguration(settings as any));
mark('validated');
let state = EMPTY_STATE;
for (let round = 0; round < 2; round++) {
  const { plan, diagnostics } = await makePlan({ ...settings, state, mode: 'normal', refresh: true, targets: [], targetTexts: [], replace: [] } as any);
  mark('planned'); show(diagnostics);
  if (!plan) break;
  if (plan.changes.length < 30) { for (const c of plan.changes) console.log(c.action, c.addr.text, c.reason ?? ''); for (const o of plan.outputs) console.log('output', o.action, o.name); }
  if (plan.changes.length < 30) try { console.log(planText(plan, { color: false, width: 0 })); } catch (e) { console.log(String(e)); }
  const draft = new StateDraft(state);
  const recorder = { draft, record: (e: any) => draft.apply(e), finish: async () => ({}) };
  const applied = await applyPlan({ ...settings, plan, recorder } as any);
  mark('applied'); show(applied.diagnostics); console.log(applied.counts);
  state = draft.freeze();
}
if (state.instanceCount < 20) console.log(Buffer.from(stateFileBytes({ state, lineage: 'x', serial: 1, terraformVersion: '1.11.4' })).toString());
