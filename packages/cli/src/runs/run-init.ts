import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { initialise, plainError, type ChosenProvider, type InitEvent } from '@terrane/ops';
import type { CommandContext } from '../command.ts';
import type { InitFlags } from '../commands/init.ts';
import { JsonView } from '../views/json-view.ts';
import { paint } from '../views/paint.ts';
import { View } from '../views/view.ts';
import { flagProblems, variableOptions } from './operation-arguments.ts';
import { downloadText } from './module-texts.ts';
import { projectOf } from './project-of.ts';
import { untilInterrupted } from './until-interrupted.ts';

/** Checks that everything the configuration needs is there, and tells what serves it. */
export async function runInit(parsed: InitFlags, context: CommandContext): Promise<number> {
  const { values } = parsed;
  const view = values.json
    ? new JsonInit(new JsonView(context.world), values.upgrade)
    : new HumanInit(context, values.upgrade);
  const problems = argumentProblems(parsed);
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    return 1;
  }
  let told = false;
  let empty = false;
  const backend = values.backend && values.cloud;
  const project = projectOf(context, variableOptions(parsed.given));
  const { diagnostics, invalidConfiguration } = await untilInterrupted(
    context.world,
    async (signal) =>
      await initialise(
        project,
        { backend, modules: values.get, upgrade: values.upgrade, signal },
        (event) => {
          told = true;
          if (event.kind === 'empty') empty = true;
          view.event(event);
        },
      ),
  );
  if (empty) return 0;
  if (hasErrors(diagnostics)) {
    view.diagnostics(
      invalidConfiguration ? [plainError(INVALID_CONFIGURATION), ...diagnostics] : diagnostics,
    );
    return 1;
  }
  view.success(diagnostics, told, context.automation);
  return 0;
}

const INVALID_CONFIGURATION = `Terrane encountered problems during initialisation, including problems
with the configuration, described below.

The Terrane configuration must be valid before initialization so that
Terrane can determine which modules and providers need to be installed.`;

function argumentProblems(parsed: InitFlags): Diagnostic[] {
  const { values, rest, given } = parsed;
  const problems = flagProblems(parsed);
  const summary = 'Invalid init options';
  const isGiven = (name: string): boolean => given.some((each) => each.name === name);
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
  for (const name of ['from-module', 'backend-config', 'plugin-dir'] as const) {
    if (!isGiven(name)) continue;
    problems.push(
      errorDiagnostic(
        summary,
        `The -${name} option is not available in this version of Terrane yet.`,
      ),
    );
  }
  if (rest.length > 0) {
    problems.push(plainError('Too many command line arguments. Did you mean to use -chdir?'));
  }
  return problems;
}

interface InitView {
  event(event: InitEvent): void;
  diagnostics(diagnostics: readonly Diagnostic[]): void;
  success(warnings: readonly Diagnostic[], told: boolean, automation: boolean): void;
}

const EMPTY = `The directory has no Terraform configuration files. You may begin working
with Terrane immediately by creating Terraform configuration files.`;
const NEXT = `You may now begin working with Terrane. Try running "terrane plan" to see
any changes that are required for your infrastructure. All Terrane commands
should now work.

If you ever set or change modules or backend configuration for Terrane,
rerun this command to reinitialize your working directory. If you forget, other
commands will detect it and remind you to do so if necessary.`;

class HumanInit implements InitView {
  readonly #view: View;
  readonly #upgrade: boolean;

  constructor(context: CommandContext, upgrade: boolean) {
    this.#view = new View(context);
    this.#upgrade = upgrade;
  }

  event(event: InitEvent): void {
    const { color } = this.#view.style;
    const heading = (text: string): string => paint(color, text, 'reset', 'bold');
    switch (event.kind) {
      case 'empty':
        this.#view.line(`${heading('Terrane initialized in an empty directory!')}\n\n${EMPTY}`);
        break;
      case 'backend':
        this.#view.line(heading('Initializing the backend...'));
        break;
      case 'modules':
        this.#view.line(
          heading(this.#upgrade ? 'Upgrading modules...' : 'Initializing modules...'),
        );
        break;
      case 'download':
        this.#view.line(downloadText(event));
        break;
      case 'module':
        this.#view.line(`- ${event.path} in ${event.directory}`);
        break;
      case 'providers':
        this.#view.line(heading('Initializing provider plugins...'));
        break;
      case 'provider':
        this.#view.line(`- ${providerText(event.provider)}`);
        break;
    }
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#view.diagnostics(diagnostics);
  }

  success(warnings: readonly Diagnostic[], told: boolean, automation: boolean): void {
    const { color } = this.#view.style;
    if (told) this.#view.line();
    this.#view.diagnostics(warnings);
    this.#view.line(
      paint(color, 'Terrane has been successfully initialized!', 'reset', 'bold', 'green'),
    );
    if (!automation) this.#view.line(paint(color, `\n${NEXT}`, 'reset', 'green'));
  }
}

class JsonInit implements InitView {
  readonly #view: JsonView;
  readonly #upgrade: boolean;

  constructor(view: JsonView, upgrade: boolean) {
    this.#view = view;
    this.#upgrade = upgrade;
  }

  event(event: InitEvent): void {
    switch (event.kind) {
      case 'empty':
        this.#output(
          `Terrane initialized in an empty directory!\n\n${EMPTY}`,
          'output_init_empty_message',
        );
        break;
      case 'backend':
        this.#output('Initializing the backend...', 'initializing_backend_message');
        break;
      case 'modules':
        if (this.#upgrade) this.#output('Upgrading modules...', 'upgrading_modules_message');
        else this.#output('Initializing modules...', 'initializing_modules_message');
        break;
      case 'download':
        this.#view.log(downloadText(event));
        break;
      case 'module':
        this.#view.log(`- ${event.path} in ${event.directory}`);
        break;
      case 'providers':
        this.#output('Initializing provider plugins...', 'initializing_provider_plugin_message');
        break;
      case 'provider':
        this.#view.log(providerText(event.provider));
        break;
    }
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#view.diagnostics(diagnostics);
  }

  success(warnings: readonly Diagnostic[], _told: boolean, automation: boolean): void {
    this.#view.diagnostics(warnings);
    this.#output('Terrane has been successfully initialized!', 'output_init_success_message');
    if (!automation) this.#output(NEXT, 'output_init_success_cli_message');
  }

  #output(text: string, code: string): void {
    this.#view.note(text, { type: 'init_output', message_code: code });
  }
}

function providerText({ source, origin, locked }: ChosenProvider): string {
  if (source.isBuiltin) return `${source.text} is built in to Terrane`;
  switch (origin.kind) {
    case 'bundled': {
      const chosen = locked ? ', as the dependency lock file selects' : '';
      return `Using ${source.display} v${origin.provider.version}, which is bundled with Terrane${chosen}`;
    }
    case 'installed':
      return `Using previously-installed ${source.display} v${origin.version}`;
    case 'override':
      return `Using ${source.display} from ${origin.directory}, as the CLI configuration says`;
    case 'running':
      return `Using ${source.display} where it runs, as TF_REATTACH_PROVIDERS says`;
  }
}
