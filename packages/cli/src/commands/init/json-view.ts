import type { Diagnostic } from '@terrane/hcl';
import type { InitEvent } from '@terrane/ops';
import { authenticationText, thirdPartyKey } from '@terrane/registry/authentication';
import { downloadText, modulesLockedText } from '../../run/module-texts.ts';
import type { JsonView } from '../../views/json-view.ts';
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
import type { InitView } from './view.ts';

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
      case 'modules-locked':
        this.#view.log(modulesLockedText(event));
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

  success(warnings: readonly Diagnostic[], _reported: boolean, automation: boolean): void {
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
    // No progress is displayed.
  }
}
