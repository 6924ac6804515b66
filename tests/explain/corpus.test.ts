// Explains every plan of the cases of the differential suite.
import { type Host, nodeHost } from '@terrane/host';
import { explain, openProject, SILENT } from '@terrane/ops';
import { explanationsJson, explanationsText } from '@terrane/render';
import { expect, it } from 'vitest';
import { caseNames, loadCase } from '../differential/case.ts';
import { TERRANE_WITHIN } from '../differential/terrane-within.ts';
import { discard, type OnPlan, runCase } from '../differential/run-case.ts';
import { momentOf, type StepMoment, vanishes } from './corpus-undo.ts';
import { leavesOf } from './undo.ts';

/** One case in so many; `TERRANE_EXPLAIN_EVERY=1` takes all of them. */
const EVERY = Number(process.env['TERRANE_EXPLAIN_EVERY'] ?? 60);

/** How many actions of one plan are tried again without their causes. */
const UNDONE = 4;

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

it('every action, no-op and unknown attribute of the corpus has an explanation', async () => {
  const only = process.env['TERRANE_EXPLAIN_CASES']?.split(',');
  const names = caseNames().filter((name, at) => only?.includes(name) ?? at % EVERY === 0);
  const problems: string[] = [];
  let [plans, explained, unknown, vanished] = [0, 0, 0, 0];
  for (const name of names) {
    const testCase = loadCase(name);
    if (testCase.needs.length > 0) continue;
    let earlier: StepMoment | undefined;
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
      const before = earlier;
      earlier = step.run === 'apply' ? now : undefined;
      const isEdited = step.before?.commands ?? step.before?.editState ?? step.before?.taint;
      let tries = before === undefined || isEdited !== undefined ? 0 : UNDONE;
      for (const one of result) {
        if (
          before !== undefined &&
          one.action !== 'no-op' &&
          one.kind !== 'action' &&
          tries-- > 0
        ) {
          const came = await vanishes(one, before, now, { work, environment: variables });
          if (came === 'vanishes') vanished++;
          else if (came !== 'cannot') problems.push(`${name}: ${one.address}: ${came}`);
        }
        explained++;
        if (leavesOf(one.causes).length === 0)
          problems.push(`${name}: ${one.address} (${one.action}) has no cause`);
        for (const part of one.unknown) {
          unknown++;
          if (leavesOf(part.causes).length === 0)
            problems.push(`${name}: what is unknown of ${one.address} has no cause`);
        }
      }
    };
    discard(await runCase(TERRANE_WITHIN, testCase, onPlan));
  }
  expect(problems).toEqual([]);
  expect(plans).toBeGreaterThan(5);
  expect(explained).toBeGreaterThan(plans);
  expect(unknown).toBeGreaterThan(0);
  if (EVERY < 12) expect(vanished).toBeGreaterThan(0);
}, 900_000);
