import { errorText } from '@terrane/host';
import { providerAddress } from '@terrane/ops';
import { AcceptanceFailure } from './failure.ts';
import { destroyAll, runConfigStep, runImportStep, runRefreshStep } from './run-steps.ts';
import type { ConfigStep, Step, TestCase } from './test-case.ts';
import { WorkingDirectory } from './working-directory.ts';

/**
 * Runs an acceptance test: its steps in order in a separate directory, and at the end, in any case, a destroy of all
 * objects. Resolves if all expectations hold; rejects with an {@link AcceptanceFailure} that names the failed step.
 * Independent of test runners.
 */
export async function acceptanceTest(test: TestCase): Promise<void> {
  // Validates the addresses before anything is written.
  Object.keys(test.providers).forEach(providerAddress);
  const { parentDirectory: parent, signal } = test;
  const directory = await WorkingDirectory.make(test.providers, { parent, signal });
  const failures: AcceptanceFailure[] = [];
  try {
    await runSteps(directory, test.steps);
  } catch (error) {
    failures.push(asFailure('', error));
  }
  try {
    const last = await destroyAll(directory);
    await test.afterDestroy?.(last);
  } catch (error) {
    failures.push(asFailure('after the destroy: ', error));
  }
  const keep = test.keepDirectory === true && failures.length > 0;
  if (!keep) await directory.remove();
  const [first, ...others] = failures;
  if (first === undefined) return;
  const more = others.map((each) => `\n\nBesides: ${each.message}`).join('');
  const kept = keep ? `\n\nThe working directory is ${directory.path}` : '';
  if (more + kept === '') throw first;
  throw new AcceptanceFailure(`${first.message}${more}${kept}`, {
    cause: first,
    ...(first.step === undefined ? {} : { step: first.step }),
  });
}

async function runSteps(directory: WorkingDirectory, steps: readonly Step[]): Promise<void> {
  let last: ConfigStep | undefined;
  for (const [i, step] of steps.entries()) {
    try {
      await step.before?.(await directory.snapshot());
      const isConfig = !('import' in step) && !('refresh' in step);
      directory.setVariables(step.variables ?? (isConfig ? {} : (last?.variables ?? {})));
      if ('import' in step) await runImportStep(directory, step);
      else if ('refresh' in step) await runRefreshStep(directory, step);
      else {
        await runConfigStep(directory, step);
        if (step.error === undefined) last = step;
        else await directory.restore();
      }
      await step.check?.(await directory.snapshot());
    } catch (error) {
      const name = step.name === undefined ? '' : ` (${step.name})`;
      throw new AcceptanceFailure(`step ${i + 1} of ${steps.length}${name}: ${errorText(error)}`, {
        step: i + 1,
        cause: error,
      });
    }
  }
}

function asFailure(where: string, error: unknown): AcceptanceFailure {
  if (error instanceof AcceptanceFailure) return error;
  return new AcceptanceFailure(`${where}${errorText(error)}`, { cause: error });
}
