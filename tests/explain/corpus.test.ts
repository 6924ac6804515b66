// Explains every plan of the cases of the differential suite.
import { type Host, nodeHost } from '@terrane/host';
import { explain, openProject, SILENT } from '@terrane/ops';
import { explanationsJson, explanationsText } from '@terrane/render';
import { expect, it } from 'vitest';
import { caseNames, loadCase, type Step } from '../differential/case.ts';
import { discard, type OnPlan, type OnStep, runCase } from '../differential/run-case.ts';
import { TERRANE_WITHIN } from '../differential/terrane-within.ts';
import { momentOf, type StepMoment, vanishes, type World, worldIn } from './corpus-undo.ts';
import { leavesOf, reasonsOf } from './undo.ts';

/** One case in so many; `TERRANE_EXPLAIN_EVERY=1` takes all of them, and shows what could be undone. */
const EVERY = Number(process.env['TERRANE_EXPLAIN_EVERY'] ?? 60);

/** Cases that have shown a fault are always among them. */
const TELLING: readonly string[] = ['cbd-and-targets', 'lifecycle-of-modules-that-come-and-go'];

function hostAt(cwd: string, variables: Readonly<Record<string, string>>): Host {
  const host = nodeHost({ cwd });
  const environment = {
    ...host.environment,
    get: (name: string) => variables[name],
    entries: () => Object.entries(variables),
    cwd,
  };
  return { ...host, environment };
}

/** Returns true if a step edits the state, or needs an edited state. */
function editsState({ before, run, args = [] }: Step): boolean {
  if (before?.editState !== undefined || before?.taint !== undefined) return true;
  if (before?.write?.['terraform.tfstate'] !== undefined) return true;
  if ([...(before?.copy ?? []), ...(before?.commands ?? [])].flat().join().includes('tfstate'))
    return true;
  const isLooking = /^(show|list|pull|identities)$/.test(args[1] ?? '');
  return run === 'command' && /^(state|taint|untaint|import)$/.test(args[0] ?? '') && !isLooking;
}

it('every action, no-op and unknown attribute of the corpus has an explanation', async () => {
  const only = process.env['TERRANE_EXPLAIN_CASES']?.split(',');
  const names = caseNames()
    .filter((name) => loadCase(name).steps.some(({ run }) => run === 'plan' || run === 'apply'))
    .filter((name, at) => only?.includes(name) ?? (at % EVERY === 0 || TELLING.includes(name)));
  const problems: string[] = [];
  const undone = new Map<string, number>();
  const count = (what: string): unknown => undone.set(what, (undone.get(what) ?? 0) + 1);
  let [plans, explained, unknown, vanished] = [0, 0, 0, 0];
  for (const name of names) {
    const testCase = loadCase(name);
    if (testCase.needs.length > 0) continue;
    const earlier: StepMoment[] = [];
    let world: World = new Map();
    let isEdited = false;
    let last: Step | undefined;
    const onStep: OnStep = (work, step) => {
      if (last === undefined || !/^(plan|validate|show)$/.test(last.run)) world = worldIn(work);
      if (last !== undefined && /^(apply|destroy)/.test(last.run))
        earlier.unshift(momentOf(work, last));
      isEdited ||= editsState(step);
      last = step;
    };
    const onPlan: OnPlan = async (work, variables, step) => {
      const project = openProject(hostAt(work, variables));
      const request = { plan: 'tfplan', unchanged: true };
      const { result, diagnostics } = await explain(project, request, SILENT);
      if (result === undefined) {
        problems.push(`${name}: ${diagnostics[0]?.summary ?? 'no explanation'}`);
        return;
      }
      plans++;
      expect(explanationsText(result, { color: false, width: 78 })).not.toContain('undefined');
      JSON.parse(explanationsJson(result));
      const now = momentOf(work, step);
      const [state, kept] = [worldIn(work), world].map((folder) => folder.get('terraform.tfstate'));
      isEdited ||= state !== undefined && kept?.equals(state) !== true;
      const where = { work, environment: variables, world, isEdited, tried: new Map() };
      for (const explanation of result) {
        const reasons = reasonsOf(explanation);
        explained++;
        if (leavesOf(explanation.causes).length === 0)
          problems.push(`${name}: ${explanation.address} (${explanation.action}) has no cause`);
        else if (explanation.action !== 'no-op' && explanation.deposed === undefined) {
          const outcome = await vanishes(explanation, earlier, now, where);
          if (outcome.kind === 'wrong')
            problems.push(`${name}: ${explanation.address}: ${outcome.problem}`);
          else if (outcome.kind === 'cannot') count(`cannot: ${outcome.reason}`);
          else {
            vanished++;
            for (const kind of new Set(reasons.map((reason) => reason.kind))) count(kind);
          }
        }
        for (const part of explanation.unknown) {
          unknown++;
          if (leavesOf(part.causes).length === 0)
            problems.push(`${name}: what is unknown of ${explanation.address} has no cause`);
        }
      }
    };
    discard(await runCase(TERRANE_WITHIN, testCase, onPlan, onStep));
  }
  if (EVERY === 1 || only !== undefined)
    console.log(
      [...undone]
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([what, times]) => `${times} ${what}`)
        .join('\n'),
      `\n${names.length} cases, ${plans} plans, ${explained} explained, ${unknown} unknown, ${vanished} vanished`,
    );
  expect(problems).toEqual([]);
  expect(plans).toBeGreaterThan(5);
  expect(explained).toBeGreaterThan(plans);
  expect(unknown).toBeGreaterThan(0);
  expect(vanished).toBeGreaterThan(plans);
}, 1_800_000);
