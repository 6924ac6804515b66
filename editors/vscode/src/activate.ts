import {
  commands,
  type Disposable,
  type ExtensionContext,
  type LogOutputChannel,
  window,
  workspace,
} from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { CommandContext } from './commands.ts';
import { openBlock } from './open-block.ts';
import { OUTPUT_SCHEME, OutputDocuments } from './output-documents.ts';
import type { Plans } from './plans.ts';
import type { Program } from './program.ts';
import { type RootModule, RootModules } from './root-module.ts';
import { selectModule } from './select-module.ts';
import { Status } from './status.ts';
import { ModulesView } from './views/modules-view.ts';
import { PlanView } from './views/plan-view.ts';
import { StateView } from './views/state-view.ts';

/** Platform functions that differ between desktops and browsers. */
export interface Platform {
  readonly createClient: () => BaseLanguageClient;
  /** called after each start of a client; the result is disposed of with it */
  readonly started?: (client: BaseLanguageClient) => Promise<Disposable>;
  /** the program and what needs it; undefined in browsers */
  readonly desktop?: Desktop;
}

/** Features that need the program. */
export interface Desktop {
  readonly program: Program;
  readonly plans: Plans;
  /** registers commands, tasks and tests */
  readonly register: (
    context: Pick<CommandContext, 'roots' | 'documents' | 'refresh'>,
  ) => Disposable[];
}

/** Exports of the extension, for its tests. */
export interface TerraneExtension {
  /** resolves once the language server has been initialized */
  readonly ready: Promise<void>;
}

/** Activates the extension: client, commands, views, tests and status items. */
export async function activateExtension(
  context: ExtensionContext,
  platform: Platform,
  log: LogOutputChannel,
): Promise<TerraneExtension> {
  const { program, plans } = platform.desktop ?? {};
  const { subscriptions } = context;
  await commands.executeCommand('setContext', 'terrane.hasProgram', program !== undefined);
  const roots = new RootModules(context.workspaceState);
  const modulesView = new ModulesView(roots, program);
  const planView = new PlanView(roots, plans);
  const stateView = new StateView(roots, program);
  const status = new Status(roots, plans);

  const refresh = async (): Promise<void> => {
    modulesView.refresh();
    planView.refresh();
    stateView.refresh();
    const module = await roots.selected();
    const hasPlan = module !== undefined && plans?.get(module) !== undefined;
    await commands.executeCommand('setContext', 'terrane.hasPlan', hasPlan);
    await status.refresh();
  };
  const loadPlan = async (): Promise<void> => {
    const module = await roots.selected();
    if (module !== undefined && workspace.isTrusted) await plans?.reload(module);
  };

  const client = new ClientLifetime(platform, log);
  const documents = new OutputDocuments();
  subscriptions.push(
    status,
    client,
    workspace.registerTextDocumentContentProvider(OUTPUT_SCHEME, documents),
    window.createTreeView('terrane.modules', {
      treeDataProvider: modulesView,
      showCollapseAll: true,
    }),
    window.createTreeView('terrane.plan', { treeDataProvider: planView, showCollapseAll: true }),
    window.createTreeView('terrane.state', { treeDataProvider: stateView, showCollapseAll: true }),
    commands.registerCommand('terrane.restartServer', () => client.restart()),
    commands.registerCommand('terrane.showLog', () => log.show()),
    commands.registerCommand('terrane.openBlock', openBlock),
    commands.registerCommand('terrane.refresh', async () => {
      roots.invalidate();
      await loadPlan();
      await refresh();
    }),
    commands.registerCommand('terrane.selectModule', async (row) => {
      if (!(await selectModule(roots, row))) return;
      await loadPlan();
      await refresh();
    }),
    window.onDidChangeActiveTextEditor(() => void status.refresh()),
    workspace.onDidChangeWorkspaceFolders(() => {
      roots.invalidate();
      void refresh();
    }),
    workspace.onDidCreateFiles(() => roots.invalidate()),
    workspace.onDidDeleteFiles(() => roots.invalidate()),
    workspace.onDidGrantWorkspaceTrust(async () => {
      await client.restart();
      await loadPlan();
      await refresh();
    }),
  );
  subscriptions.push(...(platform.desktop?.register({ roots, documents, refresh }) ?? []));
  // The server shows the changes of plans above blocks.
  const sendPlan = async (module: RootModule): Promise<void> => {
    const file = plans?.get(module)?.file ?? null;
    await client.notify('terrane/plan', { uri: module.uri.toString(), file });
  };
  if (plans !== undefined) {
    subscriptions.push(plans.onDidChange((module) => void sendPlan(module)));
  }
  const ready = client.start();
  void ready.then(loadPlan).then(refresh);
  return { ready };
}

/** The language client, which is replaced when the server is restarted. */
class ClientLifetime {
  readonly #platform: Platform;
  readonly #log: LogOutputChannel;
  #client: BaseLanguageClient | undefined;
  #ofClient: Disposable | undefined;

  constructor(platform: Platform, log: LogOutputChannel) {
    this.#platform = platform;
    this.#log = log;
  }

  async start(): Promise<void> {
    const client = this.#platform.createClient();
    this.#client = client;
    try {
      await client.start();
      this.#ofClient = await this.#platform.started?.(client);
    } catch (error) {
      this.#log.error(error instanceof Error ? error : String(error));
      void window
        .showErrorMessage(
          'The language server of Terrane could not be started. The log has the details.',
          'Show Log',
        )
        .then((answer) => answer !== undefined && this.#log.show());
    }
  }

  /** Sends a notification if the server is running. */
  async notify(method: string, params: object): Promise<void> {
    if (this.#client?.isRunning() === true) await this.#client.sendNotification(method, params);
  }

  async restart(): Promise<void> {
    await this.#stop();
    await this.start();
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#ofClient?.dispose();
    this.#ofClient = undefined;
    await client?.dispose();
  }

  dispose(): void {
    void this.#stop();
  }
}
