import { type LogOutputChannel, workspace } from 'vscode';
import type { LanguageClientOptions } from 'vscode-languageclient';
import { executeCommand } from './server-commands.ts';

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

/** Section of the settings. */
const SECTION = 'terrane';

const JSON_FILES = '**/*.{tf.json,tofu.json,tfvars.json,tftest.json,tofutest.json}';
/** Options of the client, on desktops and in browsers. */
export function clientOptions(log: LogOutputChannel): LanguageClientOptions {
  return {
    documentSelector: [
      ...LANGUAGES.map((language) => ({ language })),
      { language: 'json', pattern: JSON_FILES },
      { language: 'jsonc', pattern: JSON_FILES },
    ],
    outputChannel: log,
    initializationOptions: settingsOf(workspace.getConfiguration(SECTION)),
    middleware: {
      executeCommand,
      workspace: {
        configuration: async (params, token, next) => {
          const answers = await next(params, token);
          if (!Array.isArray(answers)) return answers;
          return answers.map((answer, index) =>
            params.items[index]?.section === SECTION ? settingsOf(answer) : answer,
          );
        },
      },
    },
    markdown: { isTrusted: false, supportHtml: false },
  };
}

/**
 * Returns the settings for the server. Whether the workspace is trusted comes from VS Code alone: settings of a
 * repository cannot say so.
 */
function settingsOf(settings: unknown): object {
  // A worker's messages are cloned, which fails for the methods of VS Code's objects.
  const sent: unknown = JSON.parse(JSON.stringify(settings ?? {}));
  return { ...(typeof sent === 'object' ? sent : {}), trusted: workspace.isTrusted };
}
