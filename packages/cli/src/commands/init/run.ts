import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { initialise, plainError, type InitEvent, type InitOptions } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { InitFlags } from './flags.ts';
import { both } from '../../views/both.ts';
import { jsonInto } from '../../views/json-into.ts';
import { JsonView } from '../../views/json-view.ts';
import { inProgramName } from '../../views/program-name.ts';
import { terminalAsk } from '../../views/terminal-ask.ts';
import { View } from '../../views/view.ts';
import type { World } from '../../world.ts';
import { JsonInit } from './json-view.ts';
import { HumanInit, type InitView } from './view.ts';
import { flagProblems, variableOptions } from '../../run/operation-arguments.ts';
import { projectOf } from '../../run/project-of.ts';
import { untilInterrupted } from '../../run/until-interrupted.ts';

/** Initialises a working directory and reports the steps. */
export async function runInit(parsed: InitFlags, context: CommandContext): Promise<number> {
  const { values } = parsed;
  const into = jsonInto(values, context);
  const view = initView(parsed, context, into.world);
  const problems = [...argumentProblems(parsed), ...into.problems];
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    return 1;
  }
  let reported = false;
  let empty = false;
  const project = projectOf(context, variableOptions(parsed.occurrences));
  const printEvent = (event: InitEvent): void => {
    reported = true;
    if (event.kind === 'empty') empty = true;
    view.event(event);
  };
  const { diagnostics, invalidConfiguration } = await untilInterrupted(context.world, (signal) =>
    initialise(project, initOptions(parsed, context, signal), printEvent),
  ).finally(() => view.endProgress());
  if (empty) return 0;
  if (hasErrors(diagnostics)) {
    view.diagnostics(
      invalidConfiguration
        ? [plainError(inProgramName(INVALID_CONFIGURATION, context.world)), ...diagnostics]
        : diagnostics,
    );
    return 1;
  }
  view.success(diagnostics, reported, context.automation);
  return 0;
}

function initView({ values }: InitFlags, context: CommandContext, into?: World): InitView {
  const { json, upgrade } = values;
  const view = json
    ? new JsonInit(new JsonView(context.world), upgrade)
    : new HumanInit(context, upgrade);
  return into === undefined
    ? view
    : both<InitView>(view, new JsonInit(new JsonView(into), upgrade));
}

function initOptions(
  { values }: InitFlags,
  context: CommandContext,
  signal: AbortSignal,
): InitOptions {
  const { world } = context;
  const forbidden = /^(?:0|false)$/i.test(world.environment['TF_INPUT'] ?? '');
  const color = new View(context).style.color;
  return {
    backend: values.backend && values.cloud,
    fromModule: values['from-module'],
    get: values.get,
    upgrade: values.upgrade,
    readonlyLock: values.lockfile === 'readonly',
    pluginDirectories: values['plugin-dir'],
    testDirectory: values['test-directory'],
    backendConfig: values['backend-config'],
    reconfigure: values.reconfigure,
    migrateState: values['migrate-state'],
    forceCopy: values['force-copy'],
    // JSON output excludes prompts.
    input: values.input && !forbidden && !values.json,
    ask: terminalAsk(world, color),
    lock: values.lock,
    lockTimeoutMs: values['lock-timeout'],
    ignoreRemoteVersion: values['ignore-remote-version'],
    ports: { signal },
  };
}

const INVALID_CONFIGURATION = `Terrane encountered problems during initialisation, including problems
with the configuration, described below.

The Terrane configuration must be valid before initialization so that
Terrane can determine which modules and providers need to be installed.`;

function argumentProblems(parsed: InitFlags): Diagnostic[] {
  const { values, rest, occurrences } = parsed;
  const problems = flagProblems(parsed);
  const summary = 'Invalid init options';
  const isGiven = (name: string): boolean => occurrences.some((each) => each.name === name);
  if (values['migrate-state'] && values.json) {
    problems.push(
      errorDiagnostic(
        'The -migrate-state and -json options are mutually-exclusive',
        'Terraform cannot ask for interactive approval when -json is set. To use the -migrate-state option, disable the -json option.',
      ),
    );
  }
  if (values['migrate-state'] && values.reconfigure) {
    problems.push(
      errorDiagnostic(
        summary,
        'The -migrate-state and -reconfigure options are mutually-exclusive.',
      ),
    );
  }
  if (isGiven('backend') && isGiven('cloud')) {
    problems.push(
      errorDiagnostic(
        summary,
        'The -backend and -cloud options are aliases of one another and mutually-exclusive in their use',
      ),
    );
  }
  if (rest.length > 0) {
    problems.push(plainError('Too many command line arguments. Did you mean to use -chdir?'));
  }
  return problems;
}
