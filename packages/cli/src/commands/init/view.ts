import type { Diagnostic } from '@terrane/hcl';
import type { InitEvent } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { JsonView } from '../../views/json-view.ts';
import type { LiveScreen } from '../../views/live-screen.ts';
import { paint } from '../../views/paint.ts';
import type { TaskProgress } from '../../views/task-progress.ts';
import { taskView } from '../../views/task-view.ts';
import type { View } from '../../views/view.ts';
import { downloadText } from '../../run/module-texts.ts';
import { authenticationText, thirdPartyKey } from '@terrane/registry/authentication';

/** The output of `init`. */
export interface InitView {
  event(event: InitEvent): void;
  diagnostics(diagnostics: readonly Diagnostic[]): void;
  success(warnings: readonly Diagnostic[], reported: boolean, automation: boolean): void;
  /** all is over, whatever has become of it */
  endProgress(): void;
}

const EMPTY = `The directory has no Terraform configuration files. You may begin working
with Terrane immediately by creating Terraform configuration files.`;
const NEXT = `You may now begin working with Terrane. Try running "terrane plan" to see
any changes that are required for your infrastructure. All Terrane commands
should now work.

If you ever set or change modules or backend configuration for Terrane,
rerun this command to reinitialize your working directory. If you forget, other
commands will detect it and remind you to do so if necessary.`;
const SUCCESS = 'Terrane has been successfully initialized!';
const CLOUD_SUCCESS = 'HCP Terraform has been successfully initialized!';
const CLOUD_NEXT = `You may now begin working with HCP Terraform. Try running "terrane plan" to
see any changes that are required for your infrastructure.

If you ever set or change modules or Terraform Settings, run "terrane init"
again to reinitialize your working directory.`;
const LOCK_CREATED = (
  name: string,
): string => `Terrane has created a lock file ${name} to record the provider
selections it made above. Include this file in your version control repository
so that Terrane can guarantee to make the same selections by default when
you run "terrane init" in the future.`;
const LOCK_CHANGED = `Terrane has made some changes to the provider dependency selections recorded
in the .terraform.lock.hcl file. Review those changes and commit them to your
version control system if they represent changes you intended to make.`;
const PARTNERS = `Partner and community providers are signed by their developers.
If you'd like to know more about provider signing, you can read about it here:
https://developer.hashicorp.com/terraform/cli/plugins/signing`;

/** The text of a backend event, with an optional first line in bold. */
function backendText(event: InitEvent): { readonly title?: string; readonly text: string } {
  switch (event.kind) {
    case 'backend-set':
      return {
        text: `Successfully configured the backend ${JSON.stringify(event.type)}! Terrane will automatically\nuse this backend unless the backend configuration changes.`,
      };
    case 'backend-unset':
      return {
        text: `Successfully unset the backend ${JSON.stringify(event.type)}. Terrane will now operate locally.`,
      };
    case 'backend-unsetting':
      return {
        text: `Terrane has detected you're unconfiguring your previously set ${JSON.stringify(event.type)} backend.`,
      };
    case 'backend-reconfigured':
      return {
        title: 'Backend configuration changed!',
        text: 'Terrane has detected that the configuration specified for the backend\nhas changed. Terrane will now check for existing state in the backends.',
      };
    case 'backend-changed':
      return {
        text: `Terrane detected that the backend type changed from ${JSON.stringify(event.from)} to ${JSON.stringify(event.to)}.`,
      };
    case 'workspaces-moved': {
      const lines = event.names.map((name) => `${name === event.selected ? '*' : ' '} ${name}\n`);
      return {
        title: 'Migration complete! Your workspaces are as follows:',
        text: lines.join(''),
      };
    }
    case 'cloud-changed':
      return { text: 'HCP Terraform configuration has changed.' };
    case 'cloud-entering':
      return { text: `Migrating from backend ${JSON.stringify(event.from)} to HCP Terraform.` };
    case 'cloud-leaving':
      return {
        text:
          event.to === undefined
            ? 'Migrating from HCP Terraform or Terraform Enterprise to local state.'
            : `Migrating from HCP Terraform to backend ${JSON.stringify(event.to)}.`,
      };
    default:
      return { text: '' };
  }
}

/** The output of `init` for people. */
export class HumanInit implements InitView {
  readonly #view: View;
  readonly #upgrade: boolean;
  readonly #progress: TaskProgress | undefined;
  readonly #screen: LiveScreen | undefined;
  #isCloud = false;

  constructor(context: CommandContext, upgrade: boolean) {
    this.#upgrade = upgrade;
    const { view, progress, screen } = taskView(context);
    this.#view = view;
    this.#progress = progress;
    this.#screen = screen;
  }

  event(event: InitEvent): void {
    this.#print(event);
    if (this.#progress === undefined) return;
    noteProgress(this.#progress, event);
    if (this.#progress.running.length > 0) this.#screen?.start();
  }

  endProgress(): void {
    this.#progress?.clear();
    this.#screen?.stop();
  }

  #print(event: InitEvent): void {
    const { color } = this.#view.style;
    const heading = (text: string): string => paint(color, text, 'reset', 'bold');
    const green = (text: string): string => paint(color, text, 'reset', 'green');
    switch (event.kind) {
      case 'empty':
        this.#view.line(
          `${heading(this.#view.named('Terrane initialized in an empty directory!'))}\n\n${this.#view.named(EMPTY)}`,
        );
        break;
      case 'copying':
        this.#view.line(
          `${heading('Copying configuration')} from ${JSON.stringify(event.source)}...`,
        );
        break;
      case 'copied-module':
        this.#view.line(`- ${event.path}`);
        break;
      case 'copied':
        this.#view.line();
        break;
      case 'backend':
        this.#view.line(heading('Initializing the backend...'));
        break;
      case 'cloud':
        this.#isCloud = true;
        this.#view.line(heading('Initializing HCP Terraform...'));
        break;
      case 'backend-set':
        this.#view.line(green(`\n${this.#view.named(backendText(event).text)}`));
        break;
      case 'backend-unset':
        this.#view.line(green(`\n\n${this.#view.named(backendText(event).text)}`));
        break;
      case 'backend-unsetting':
      case 'cloud-changed':
      case 'cloud-entering':
      case 'cloud-leaving':
        this.#view.line(this.#view.named(backendText(event).text));
        break;
      case 'workspaces-moved': {
        const { title = '', text } = backendText(event);
        this.#view.line(`${heading(title)}\n${text}`);
        break;
      }
      case 'backend-reconfigured':
      case 'backend-changed': {
        const { title, text } = backendText(event);
        this.#view.line(
          `${title === undefined ? '' : `${heading(title)}\n\n`}${this.#view.named(text)}\n`,
        );
        break;
      }
      case 'modules':
        this.#view.line(
          heading(this.#upgrade ? 'Upgrading modules...' : 'Initializing modules...'),
        );
        break;
      case 'download':
        this.#view.line(downloadText(event));
        break;
      case 'module':
        this.#view.line(`- ${event.path} in ${event.directory}`.trimEnd());
        break;
      case 'providers':
        this.#view.line(heading('Initializing provider plugins...'));
        break;
      case 'provider-built-in':
        this.#view.line(`- ${event.source.text} is built in to ${this.#view.named('Terrane')}`);
        break;
      case 'provider-bundled':
        this.#view.line(
          `- Using ${event.source.display} v${event.version}, which is bundled with Terrane`,
        );
        break;
      case 'provider-install':
        this.#install(event.event, color);
        break;
      case 'lock-created':
        this.#view.line(
          this.#view.named(LOCK_CREATED(paint(color, '.terraform.lock.hcl', 'bold'))),
        );
        break;
      case 'lock-changed':
        this.#view.line(this.#view.named(LOCK_CHANGED));
        break;
    }
  }

  #install(event: Extract<InitEvent, { kind: 'provider-install' }>['event'], color: boolean): void {
    switch (event.kind) {
      case 'begin':
      case 'progress':
        break;
      case 'built-in':
        this.#view.line(
          `- ${event.provider.display} is built in to ${this.#view.named('Terrane')}`,
        );
        break;
      case 'reusing':
        this.#view.line(
          `- Reusing previous version of ${event.provider.display} from the dependency lock file`,
        );
        break;
      case 'finding':
        this.#view.line(
          event.constraints === ''
            ? `- Finding latest version of ${event.provider.display}...`
            : `- Finding ${event.provider.display} versions matching ${JSON.stringify(event.constraints)}...`,
        );
        break;
      case 'already-installed':
        this.#view.line(`- Using previously-installed ${event.provider.display} v${event.version}`);
        break;
      case 'from-cache':
        this.#view.line(
          `- Using ${event.provider.display} v${event.version} from the shared cache directory`,
        );
        break;
      case 'installing':
        this.#view.line(`- Installing ${event.provider.display} v${event.version}...`);
        break;
      case 'installed': {
        const key = thirdPartyKey(event.authentication);
        const signed = key === undefined ? '' : `, key ID ${paint(color, key, 'reset', 'bold')}`;
        this.#view.line(
          `- Installed ${event.provider.display} v${event.version} (${authenticationText(event.authentication)}${signed})`,
        );
        break;
      }
      case 'third-party-signed':
        this.#view.line(PARTNERS);
        break;
      case 'waiting-for-cache':
        this.#view.line(
          `- Another process is installing into ${event.directory}; waiting for it...`,
        );
        break;
    }
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#view.diagnostics(diagnostics);
  }

  success(warnings: readonly Diagnostic[], reported: boolean, automation: boolean): void {
    const { color } = this.#view.style;
    if (reported) this.#view.line();
    this.#view.diagnostics(warnings);
    this.#view.line(
      paint(
        color,
        this.#isCloud ? CLOUD_SUCCESS : this.#view.named(SUCCESS),
        'reset',
        'bold',
        'green',
      ),
    );
    const next = this.#view.named(this.#isCloud ? CLOUD_NEXT : NEXT);
    if (!automation) this.#view.line(paint(color, `\n${next}`, 'reset', 'green'));
  }
}

const MEGABYTE = 1024 * 1024;

/** Updates the progress of module and provider downloads. */
function noteProgress(progress: TaskProgress, event: InitEvent): void {
  switch (event.kind) {
    case 'download':
      progress.begin(`module ${event.path}`, `module ${event.path}`, 'downloading');
      break;
    case 'module':
      progress.end(`module ${event.path}`);
      break;
    case 'providers':
      progress.clear();
      break;
    case 'provider-install': {
      const { event: inner } = event;
      if (!('provider' in inner)) break;
      const name = inner.provider.display;
      switch (inner.kind) {
        case 'reusing':
        case 'finding':
          progress.begin(name, name, 'looking for a version');
          break;
        case 'installing':
          progress.begin(name, `${name} v${inner.version}`, 'installing');
          break;
        case 'progress':
          progress.detail(name, bytesText(inner.received, inner.total));
          break;
        case 'already-installed':
        case 'from-cache':
        case 'installed':
          progress.end(name);
          break;
        case 'built-in':
      }
      break;
    }
    default:
  }
}

function bytesText(received: number, total: number | undefined): string {
  const amount = (bytes: number): string => (bytes / MEGABYTE).toFixed(1);
  return total === undefined
    ? `${amount(received)} MB`
    : `${amount(received)} of ${amount(total)} MB`;
}

/** The output of `init` as JSON. */
export class JsonInit implements InitView {
  readonly #view: JsonView;
  readonly #upgrade: boolean;
  #isCloud = false;

  constructor(view: JsonView, upgrade: boolean) {
    this.#view = view;
    this.#upgrade = upgrade;
  }

  event(event: InitEvent): void {
    switch (event.kind) {
      case 'empty':
        this.#output(
          this.#view.named(`Terrane initialized in an empty directory!\n\n${EMPTY}`),
          'output_init_empty_message',
        );
        break;
      case 'copying': {
        const from = JSON.stringify(event.source);
        this.#output(`Copying configuration from ${from}...`, 'copying_configuration_message');
        break;
      }
      case 'copied-module':
        this.#view.log(`- ${event.path}`);
        break;
      case 'copied':
        break;
      case 'backend':
        this.#output('Initializing the backend...', 'initializing_backend_message');
        break;
      case 'cloud':
        this.#isCloud = true;
        this.#output('Initializing HCP Terraform...', 'initializing_terraform_cloud_message');
        break;
      case 'cloud-changed':
      case 'cloud-entering':
      case 'cloud-leaving':
      case 'workspaces-moved':
      case 'backend-set':
      case 'backend-unset':
      case 'backend-unsetting':
      case 'backend-reconfigured':
      case 'backend-changed': {
        const { title, text } = backendText(event);
        this.#view.log(this.#view.named(title === undefined ? text : `${title}\n\n${text}`));
        break;
      }
      case 'modules':
        if (this.#upgrade) this.#output('Upgrading modules...', 'upgrading_modules_message');
        else this.#output('Initializing modules...', 'initializing_modules_message');
        break;
      case 'download':
        this.#view.log(downloadText(event));
        break;
      case 'module':
        this.#view.log(`- ${event.path} in ${event.directory}`.trimEnd());
        break;
      case 'providers':
        this.#output('Initializing provider plugins...', 'initializing_provider_plugin_message');
        break;
      case 'provider-built-in':
        this.#view.log(`${event.source.text} is built in to ${this.#view.named('Terrane')}`);
        break;
      case 'provider-bundled':
        this.#view.log(
          `${event.source.display} v${event.version}: Using the provider that is bundled with Terrane`,
        );
        break;
      case 'provider-install':
        this.#install(event.event);
        break;
      case 'lock-created':
        this.#output(this.#view.named(LOCK_CREATED('.terraform.lock.hcl')), 'lock_info');
        break;
      case 'lock-changed':
        this.#output(this.#view.named(LOCK_CHANGED), 'dependencies_lock_changes_info');
        break;
    }
  }

  #install(event: Extract<InitEvent, { kind: 'provider-install' }>['event']): void {
    switch (event.kind) {
      case 'begin':
      case 'progress':
        break;
      case 'built-in':
        this.#view.log(`${event.provider.display} is built in to ${this.#view.named('Terrane')}`);
        break;
      case 'reusing':
        this.#view.log(
          `${event.provider.display}: Reusing previous version from the dependency lock file`,
        );
        break;
      case 'finding':
        this.#view.log(
          event.constraints === ''
            ? `${event.provider.display}: Finding latest version...`
            : `Finding matching versions for provider: ${event.provider.display}, version_constraint: ${JSON.stringify(event.constraints)}`,
        );
        break;
      case 'already-installed':
        this.#view.log(
          `${event.provider.display} v${event.version}: Using previously-installed provider version`,
        );
        break;
      case 'from-cache':
        this.#view.log(
          `${event.provider.display} v${event.version}: Using from the shared cache directory`,
        );
        break;
      case 'installing':
        this.#view.log(
          `Installing provider version: ${event.provider.display} v${event.version}...`,
        );
        break;
      case 'installed': {
        const key = thirdPartyKey(event.authentication);
        // The missing separator is Terraform's.
        const signed = key === undefined ? '' : `key_id: ${key}`;
        this.#view.log(
          `Installed provider version: ${event.provider.display} v${event.version} (${authenticationText(event.authentication)}${signed})`,
        );
        break;
      }
      case 'third-party-signed':
        this.#view.log(PARTNERS);
        break;
      case 'waiting-for-cache':
        this.#view.log(`Another process is installing into ${event.directory}; waiting for it...`);
        break;
    }
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#view.diagnostics(diagnostics);
  }

  success(warnings: readonly Diagnostic[], _told: boolean, automation: boolean): void {
    this.#view.diagnostics(warnings);
    const infix = this.#isCloud ? '_cloud' : '';
    const text = this.#isCloud ? CLOUD_SUCCESS : this.#view.named(SUCCESS);
    this.#output(text, `output_init_success${infix}_message`);
    const next = this.#view.named(this.#isCloud ? CLOUD_NEXT : NEXT);
    if (!automation) this.#output(next, `output_init_success_cli${infix}_message`);
  }

  #output(text: string, code: string): void {
    this.#view.note(text, { type: 'init_output', message_code: code });
  }

  endProgress(): void {
    // Nothing is left on the screen.
  }
}
