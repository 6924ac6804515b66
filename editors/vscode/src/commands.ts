import {
  commands,
  type Disposable,
  type LogOutputChannel,
  ProgressLocation,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { addressAt } from './block.ts';
import { showGraph } from './graph-panel.ts';
import type { OutputDocuments } from './output-documents.ts';
import { summaryOf } from './plan-summary.ts';
import type { Plans } from './plans.ts';
import type { Program } from './program.ts';
import type { RootModule, RootModules } from './root-module.ts';
import type { Row } from './row.ts';
import { type Tasks, variableOptions } from './tasks.ts';
import type { Tests } from './tests.ts';

/** Dependencies of the commands. */
export interface CommandContext {
  readonly roots: RootModules;
  readonly program: Program;
  readonly plans: Plans;
  readonly tasks: Tasks;
  readonly documents: OutputDocuments;
  readonly testing: Tests;
  readonly log: LogOutputChannel;
  /** updates the views and the status items */
  readonly refresh: () => Promise<void>;
}

/** Registers the commands that run the program. */
export function registerCommands(context: CommandContext): Disposable[] {
  const { roots, program, plans, tasks, documents, log } = context;

  const moduleOf = async (row: Row | undefined): Promise<RootModule | undefined> => {
    const module = row?.module ?? (await roots.at(row?.folder)) ?? (await roots.selected());
    if (module === undefined) {
      void window.showInformationMessage(
        'No folder with Terraform or OpenTofu configuration is open.',
      );
    }
    return module;
  };

  const withModule =
    (run: (module: RootModule, row: Row | undefined) => Promise<void>) =>
    async (row?: Row): Promise<void> => {
      const module = await moduleOf(row);
      if (module === undefined) return;
      try {
        await run(module, row);
      } catch (error) {
        log.error(error instanceof Error ? error : String(error));
        void window.showErrorMessage(
          `Terrane: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    };

  const progress = async <T>(title: string, run: () => Promise<T>): Promise<T> =>
    await window.withProgress({ location: ProgressLocation.Window, title }, run);

  /** Runs a command without a terminal; shows its errors. Returns the output if it succeeded. */
  const output = async (
    title: string,
    args: readonly string[],
    module: RootModule,
  ): Promise<string | undefined> => {
    const result = await progress(title, () => program.run(args, module.uri));
    if (result.code === 0) return result.stdout;
    await documents.show(`${title} (error)`, result.stderr);
    return undefined;
  };

  const planWith = async (module: RootModule, options: readonly string[]): Promise<void> => {
    const file = await plans.prepareFile(module.uri);
    const args = [`-out=${file}`, ...options, ...variableOptions(module.uri)];
    const code = await tasks.run('plan', args, module);
    if (code !== 0) return;
    await plans.reload(module);
    await context.refresh();
    const made = plans.get(module);
    if (made !== undefined) window.setStatusBarMessage(`Plan: ${summaryOf(made)}`, 5000);
  };

  /** Plans the replacement of an object of the state. Nothing is changed until the plan is applied. */
  const planReplacement = withModule(async (module, row) => {
    if (row?.address !== undefined) await planWith(module, [`-replace=${row.address}`]);
  });

  const taint = withModule(async (module, row) => {
    const address = row?.address;
    if (address === undefined) return;
    const mark = 'Mark as Tainted';
    const answer = await window.showWarningMessage(
      `Mark ${address} as tainted?`,
      {
        modal: true,
        detail:
          'The next plan of anybody who uses this state replaces the object. "Plan Replacement" plans it without changing the state.',
      },
      mark,
    );
    if (answer !== mark) return;
    await tasks.run('taint', [address], module);
    await context.refresh();
  });

  const untaint = withModule(async (module, row) => {
    if (row?.address === undefined) return;
    await tasks.run('untaint', [row.address], module);
    await context.refresh();
  });

  const applyPlan = withModule(async (module) => {
    const made = plans.get(module);
    if (made === undefined) {
      void window.showInformationMessage(`No plan has been made for ${module.label}.`);
      return;
    }
    const apply = 'Apply';
    const answer = await window.showWarningMessage(
      `Apply the plan of ${module.label}?`,
      { modal: true, detail: `${summaryOf(made)}, planned ${made.created.toLocaleString()}.` },
      apply,
    );
    if (answer !== apply) return;
    await tasks.run('apply', [made.file], module);
    await plans.discard(module);
    await context.refresh();
  });

  const explain = withModule(async (module, row) => {
    const editor = window.activeTextEditor;
    const address =
      row?.address ??
      (editor === undefined ? undefined : addressAt(editor.document, editor.selection.active)) ??
      (await window.showInputBox({
        title: 'Explain',
        prompt: 'Address of a resource, module or output, such as terraform_data.a',
      }));
    if (address === undefined || address === '') return;
    const made = plans.get(module);
    const planOptions = made === undefined ? variableOptions(module.uri) : [];
    const args = ['explain', '-no-color', ...planOptions, address];
    if (made !== undefined) args.push(made.file);
    const text = await output(`Explain ${address}`, args, module);
    if (text !== undefined) await documents.show(`Explain ${address}`, text);
  });

  const graph = withModule(async (module) => {
    const made = plans.get(module);
    const args = made === undefined ? ['graph', '-html'] : ['show', '-html', made.file];
    const page = await output(`Graph of ${module.label}`, args, module);
    if (page !== undefined) showGraph(`Graph: ${module.label}`, page);
  });

  const showState = withModule(async (module, row) => {
    const address = row?.address;
    if (address === undefined) return;
    const text = await output(
      `State of ${address}`,
      ['state', 'show', '-no-color', address],
      module,
    );
    if (text !== undefined) await documents.show(address, text);
  });

  const selectWorkspace = withModule(async (module) => {
    const text = await output('Workspaces', ['workspace', 'list', '-no-color'], module);
    if (text === undefined) return;
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const items = lines.map((line) => ({
      label: line.slice(2),
      description: line.startsWith('*') ? 'selected' : '',
    }));
    const picked = await window.showQuickPick(items, { title: `Workspace of ${module.label}` });
    if (picked === undefined) return;
    await output('Select workspace', ['workspace', 'select', picked.label], module);
    await context.refresh();
  });

  const inTerminal = (command: string, options: (module: RootModule) => readonly string[]) =>
    withModule(async (module) => {
      await tasks.run(command, options(module), module);
      await context.refresh();
    });

  const handlers: Readonly<Record<string, (row?: Row) => Promise<void>>> = {
    'terrane.init': inTerminal('init', () => []),
    'terrane.validate': inTerminal('validate', () => []),
    'terrane.plan': withModule((module) => planWith(module, [])),
    'terrane.planReplacement': planReplacement,
    'terrane.taint': taint,
    'terrane.untaint': untaint,
    'terrane.apply': inTerminal('apply', ({ uri }) => variableOptions(uri)),
    'terrane.applyPlan': applyPlan,
    'terrane.discardPlan': withModule((module) => plans.discard(module).then(context.refresh)),
    'terrane.explain': explain,
    'terrane.graph': graph,
    'terrane.test': inTerminal('test', ({ uri }) => variableOptions(uri)),
    'terrane.showState': showState,
    'terrane.selectWorkspace': selectWorkspace,
  };
  const runTest = commands.registerCommand('terrane.runTest', async (file: Uri, name?: string) => {
    if (workspace.isTrusted) await context.testing.run(file, name);
  });
  const registered = Object.entries(handlers).map(([name, run]) =>
    commands.registerCommand(name, async (row?: Row) => {
      // The palette disables commands in an untrusted workspace; links and keys do not.
      if (workspace.isTrusted) await run(row);
      else await commands.executeCommand('workbench.trust.manage');
    }),
  );
  return [runTest, ...registered];
}
