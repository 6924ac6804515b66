import { type LogOutputChannel, workspace } from 'vscode';
import type { LanguageClientOptions } from 'vscode-languageclient';

/** Language ids whose documents are sent to the server; those of published extensions. */
export const LANGUAGES = [
  'terraform',
  'terraform-vars',
  'terraform-test',
  'terraform-mock',
  'terraform-search',
  'terraform-template',
  'opentofu',
  'opentofu-vars',
] as const;

const JSON_FILES = '**/*.{tf.json,tofu.json,tfvars.json,tftest.json,tofutest.json}';
const WATCHED =
  '**/{*.tf,*.tofu,*.tf.json,*.tofu.json,*.tfvars,*.tfvars.json,*.tftest.hcl,*.tofutest.hcl,*.tfmock.hcl,*.tfquery.hcl,.terraform.lock.hcl,modules.json,environment}';

/** Options of the client, on desktops and in browsers. */
export function clientOptions(log: LogOutputChannel): LanguageClientOptions {
  return {
    documentSelector: [
      ...LANGUAGES.map((language) => ({ language })),
      { language: 'json', pattern: JSON_FILES },
      { language: 'jsonc', pattern: JSON_FILES },
    ],
    outputChannel: log,
    synchronize: { fileEvents: workspace.createFileSystemWatcher(WATCHED) },
    // Nothing of an untrusted repository is executed; the server is restarted when trust is granted.
    initializationOptions: { trusted: workspace.isTrusted },
    markdown: { isTrusted: false, supportHtml: false },
  };
}
