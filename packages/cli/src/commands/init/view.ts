import type { Diagnostic } from '@terrane/hcl';
import type { InitEvent } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { LiveScreen } from '../../views/live-screen.ts';
import { paint } from '../../views/paint.ts';
import type { TaskProgress } from '../../views/task-progress.ts';
import { taskView } from '../../views/task-view.ts';
import type { View } from '../../views/view.ts';
import { downloadText, modulesLockedText } from '../../run/module-texts.ts';
import { authenticationText, thirdPartyKey } from '@terrane/registry/authentication';
import { noteProgress } from './download-progress.ts';
import {
  backendText,
  CLOUD_NEXT,
  CLOUD_SUCCESS,
  EMPTY,
  LOCK_CHANGED,
  LOCK_CREATED,
  NEXT,
  PARTNERS,
  SUCCESS,
} from './messages.ts';

/** The output of `init`. */
export interface InitView {
  event(event: InitEvent): void;
  diagnostics(diagnostics: readonly Diagnostic[]): void;
  success(warnings: readonly Diagnostic[], reported: boolean, automation: boolean): void;
  /** ends the display of progress, regardless of the result */
  endProgress(): void;
}
/** The text output of `init`. */
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
      case 'modules-locked':
        this.#view.line(modulesLockedText(event));
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
