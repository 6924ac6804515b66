import type { TargetAddr } from '@terrane/addresses';
import type { Configuration, Override, TestFile, TestRun } from '@terrane/engine';
import { type Diagnostic, warningDiagnostic } from '@terrane/hcl';

/**
 * Returns warnings for overrides of a file, and of its mock providers, that match nothing in any configuration under
 * test.
 */
export function fileOverrideProblems(
  configuration: Configuration,
  file: TestFile,
): readonly Diagnostic[] {
  const configurations = [
    configuration,
    ...file.runs.flatMap(({ module }) => module?.configuration ?? []),
  ];
  const overrides: Override[] = [];
  for (const { mock } of file.providers.values()) {
    for (const override of mock?.overrides.values() ?? []) {
      if (override.inTestFile) overrides.push(override);
    }
  }
  overrides.push(...file.overrides.values());
  return unknownTargets(overrides, configurations);
}

/** Returns warnings for overrides of a run that match nothing in the configuration that it executes. */
export function runOverrideProblems(
  configuration: Configuration,
  run: TestRun,
): readonly Diagnostic[] {
  return unknownTargets([...run.overrides.values()], [configuration]);
}

function unknownTargets(
  overrides: readonly Override[],
  configurations: readonly Configuration[],
): readonly Diagnostic[] {
  return overrides
    .filter(
      ({ target }) => !configurations.some((configuration) => targetExists(configuration, target)),
    )
    .map(({ text, targetRange }) =>
      warningDiagnostic(
        'Invalid override target',
        `The override target ${text} does not exist within the configuration under test. This could indicate a typo in the target address or an unnecessary override.`,
        targetRange,
      ),
    );
}

function targetExists({ modules }: Configuration, target: TargetAddr): boolean {
  if (target.kind === 'module') return modules.has(target.module.text);
  const resource = target.kind === 'instance' ? target.instance.resource : target.resource;
  const path = 'path' in resource.module ? resource.module.path : resource.module;
  return modules.get(path.text)?.resources.has(resource.resource.text) === true;
}
