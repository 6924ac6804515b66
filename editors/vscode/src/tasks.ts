import {
  type CancellationToken,
  ProcessExecution,
  type ProviderResult,
  Task,
  type TaskDefinition,
  TaskGroup,
  type TaskProvider,
  TaskRevealKind,
  type TaskScope,
  tasks,
  Uri,
  workspace,
  type WorkspaceFolder,
} from 'vscode';
import type { Program } from './program.ts';
import type { RootModule } from './root-module.ts';

/** A task in `tasks.json` with the type "terrane". */
interface TerraneTask extends TaskDefinition {
  readonly command: string;
  readonly args?: readonly string[];
  /** folder of the root module, relative to the workspace folder */
  readonly module?: string;
}

/** The time after which a task that ended without an exit code counts as closed by the user. */
const CLOSED_AFTER_MS = 500;

const COMMANDS = ['init', 'validate', 'plan', 'apply', 'test'];

/** Returns the options of commands that evaluate variables, from the settings of a module. */
export function variableOptions(scope: Uri): string[] {
  const files = workspace.getConfiguration('terrane', scope).get<string[]>('variableFiles', []);
  return files.map((file) => `-var-file=${file}`);
}

function taskOf(
  program: Program,
  definition: TerraneTask,
  folder: WorkspaceFolder | TaskScope.Workspace,
  cwd: Uri,
): Task {
  const { file, args, environment } = program.invocation(
    [definition.command, ...(definition.args ?? [])],
    cwd,
  );
  const name = definition.module === undefined ? '' : ` (${definition.module})`;
  const execution = new ProcessExecution(file, [...args], {
    cwd: cwd.fsPath,
    env: { ...environment },
  });
  const title = `${definition.command}${name}`;
  const task = new Task(definition, folder, title, 'Terrane', execution, []);
  task.presentationOptions = { reveal: TaskRevealKind.Always, clear: true, echo: false };
  if (definition.command === 'validate') task.group = TaskGroup.Build;
  if (definition.command === 'test') task.group = TaskGroup.Test;
  return task;
}

/** Provides the commands of the workspace folders as tasks, and completes those of `tasks.json`. */
export class Tasks implements TaskProvider {
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
  }

  provideTasks(_token: CancellationToken): Task[] {
    return (workspace.workspaceFolders ?? []).flatMap((folder) =>
      COMMANDS.map((command) =>
        taskOf(this.#program, { type: 'terrane', command }, folder, folder.uri),
      ),
    );
  }

  resolveTask(task: Task): ProviderResult<Task> {
    const definition = task.definition as TerraneTask;
    const folder = typeof task.scope === 'object' ? task.scope : workspace.workspaceFolders?.[0];
    if (folder === undefined) return undefined;
    const cwd = Uri.joinPath(folder.uri, definition.module ?? '.');
    return taskOf(this.#program, definition, folder, cwd);
  }

  /** Runs a command in a terminal. Returns its exit code; undefined if the terminal was closed. */
  async run(
    command: string,
    args: readonly string[],
    module: RootModule,
  ): Promise<number | undefined> {
    const path = workspace.asRelativePath(module.uri, false);
    const isFolder = module.uri.toString() === module.folder.uri.toString();
    const definition: TerraneTask = {
      type: 'terrane',
      command,
      args,
      ...(isFolder ? {} : { module: path }),
    };
    const execution = await tasks.executeTask(
      taskOf(this.#program, definition, module.folder, module.uri),
    );
    return await new Promise((resolve) => {
      const ended = tasks.onDidEndTaskProcess((event) => {
        if (event.execution !== execution) return;
        stop();
        resolve(event.exitCode);
      });
      const closed = tasks.onDidEndTask((event) => {
        if (event.execution !== execution) return;
        // The end of the process, which may be reported later, has the exit code.
        setTimeout(() => {
          stop();
          resolve(undefined);
        }, CLOSED_AFTER_MS);
      });
      const stop = (): void => {
        ended.dispose();
        closed.dispose();
      };
    });
  }
}
