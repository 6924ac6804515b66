import {
  type CancellationToken,
  type Disposable,
  Location,
  Position,
  Range,
  RelativePattern,
  type TestController,
  type TestItem,
  TestMessage,
  type TestRun,
  type TestRunRequest,
  TestRunProfileKind,
  tests,
  Uri,
  workspace,
} from 'vscode';
import type { Program } from './program.ts';
import { parentOf } from './root-module.ts';
import { variableOptions } from './tasks.ts';

const FILES = '**/*.{tftest.hcl,tofutest.hcl}';
const EXCLUDED = '**/{.terraform,.terrane,node_modules}/**';
const RUN = /^run[ \t]+"?([\p{L}_][\p{L}\p{N}_-]*)"?[ \t]*\{/gmu;

/** A line of `test -json`. */
interface TestEvent {
  readonly type?: string;
  readonly '@message'?: string;
  readonly '@testrun'?: string;
  readonly test_run?: {
    readonly run: string;
    readonly progress?: string;
    readonly status?: string;
  };
  readonly test_file?: { readonly status?: string; readonly progress?: string };
  readonly diagnostic?: {
    readonly severity: string;
    readonly summary: string;
    readonly detail?: string;
    readonly range?: {
      readonly filename: string;
      readonly start: { readonly line: number; readonly column: number };
    };
  };
}

/** Returns the module that a test file tests: the folder that contains it, or the one above a folder "tests". */
function testedModule(file: Uri): Uri {
  const folder = parentOf(file);
  return folder.path.endsWith('/tests') ? parentOf(folder) : folder;
}

/** Test files and their `run` blocks in the Test Explorer. */
export class Tests implements Disposable {
  readonly #controller: TestController;
  readonly #program: Program;
  readonly #watchers: Disposable[] = [];

  constructor(program: Program) {
    this.#program = program;
    this.#controller = tests.createTestController('terrane', 'Terrane');
    this.#controller.resolveHandler = async (item) => {
      if (item === undefined) await this.#discover();
      else await this.#readRuns(item);
    };
    this.#controller.refreshHandler = () => this.#discover();
    this.#controller.createRunProfile(
      'Run',
      TestRunProfileKind.Run,
      (request, token) => this.#run(request, token),
      true,
    );
    this.#watchers.push(
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (isTest(uri)) void this.#readRuns(this.#file(uri));
      }),
      workspace.onDidOpenTextDocument(({ uri }) => {
        if (isTest(uri)) void this.#readRuns(this.#file(uri));
      }),
    );
  }

  /** Runs a test file, or one of its `run` blocks with those that it needs. */
  async run(file: Uri, name?: string): Promise<void> {
    const item = this.#file(file);
    await this.#readRuns(item);
    const run = name === undefined ? item : (item.children.get(name) ?? item);
    const { TestRunRequest: Request, CancellationTokenSource } = await import('vscode');
    const source = new CancellationTokenSource();
    await this.#run(new Request([run]), source.token);
    source.dispose();
  }

  async #discover(): Promise<void> {
    for (const folder of workspace.workspaceFolders ?? []) {
      const files = await workspace.findFiles(new RelativePattern(folder, FILES), EXCLUDED, 5000);
      for (const file of files) await this.#readRuns(this.#file(file));
    }
  }

  #file(uri: Uri): TestItem {
    const id = uri.toString();
    const known = this.#controller.items.get(id);
    if (known !== undefined) return known;
    const item = this.#controller.createTestItem(id, workspace.asRelativePath(uri), uri);
    item.canResolveChildren = true;
    this.#controller.items.add(item);
    return item;
  }

  async #readRuns(item: TestItem): Promise<void> {
    if (item.uri === undefined) return;
    const open = workspace.textDocuments.find(({ uri }) => uri.toString() === item.id);
    const text = open?.getText() ?? Buffer.from(await workspace.fs.readFile(item.uri)).toString();
    const children = [...text.matchAll(RUN)].map((match) => {
      const [header, name = ''] = match;
      const line = text.slice(0, match.index).split('\n').length - 1;
      const child = this.#controller.createTestItem(name, `run "${name}"`, item.uri);
      child.range = new Range(line, 0, line, header.length);
      return child;
    });
    item.children.replace(children);
  }

  async #run(request: TestRunRequest, token: CancellationToken): Promise<void> {
    const run = this.#controller.createTestRun(request);
    const included: TestItem[] = [];
    if (request.include === undefined)
      this.#controller.items.forEach((item) => included.push(item));
    else included.push(...request.include);
    // A run block needs those before it, so its file is run and only its own result is awaited.
    const files = new Set(included.map((item) => item.parent ?? item));
    for (const file of files) {
      if (token.isCancellationRequested) break;
      if (request.exclude?.includes(file) !== true) await this.#runFile(run, file, token);
    }
    run.end();
  }

  async #runFile(run: TestRun, file: TestItem, token: CancellationToken): Promise<void> {
    const { uri } = file;
    if (uri === undefined) return;
    if (file.children.size === 0) await this.#readRuns(file);
    const module = testedModule(uri);
    run.started(file);
    file.children.forEach((child) => run.enqueued(child));
    const filter = uri.path.slice(module.path.length + 1);
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    const args = ['test', '-json', '-no-color', `-filter=${filter}`, ...variableOptions(module)];
    try {
      const { code, stdout, stderr } = await this.#program.run(args, module, stop.signal);
      this.#report(run, file, module, stdout);
      if (code === 0) run.passed(file);
      else run.failed(file, new TestMessage(stderr.trim() || 'The test file failed.'));
    } catch (error) {
      run.errored(file, new TestMessage(error instanceof Error ? error.message : String(error)));
    }
  }

  #report(run: TestRun, file: TestItem, module: Uri, output: string): void {
    const messages = new Map<string, TestMessage[]>();
    for (const line of output.split('\n')) {
      if (!line.startsWith('{')) continue;
      const event = JSON.parse(line) as TestEvent;
      const name = event['@testrun'] ?? event.test_run?.run ?? '';
      const item = file.children.get(name);
      if (event['@message'] !== undefined)
        run.appendOutput(`${event['@message']}\r\n`, undefined, item);
      if (event.diagnostic?.severity === 'error') {
        const list = messages.get(name) ?? [];
        messages.set(name, [...list, messageOf(event.diagnostic, module)]);
      }
      const status = event.test_run?.progress === 'complete' ? event.test_run.status : undefined;
      if (item === undefined || status === undefined) continue;
      if (status === 'pass') run.passed(item);
      else if (status === 'skip') run.skipped(item);
      else run.failed(item, messages.get(name) ?? []);
    }
  }

  dispose(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    this.#controller.dispose();
  }
}

function isTest({ path }: Uri): boolean {
  return /\.(?:tftest|tofutest)\.hcl$/.test(path);
}

function messageOf(
  { summary, detail = '', range }: NonNullable<TestEvent['diagnostic']>,
  module: Uri,
): TestMessage {
  const message = new TestMessage(detail === '' ? summary : `${summary}\n\n${detail}`);
  if (range !== undefined) {
    const position = new Position(range.start.line - 1, range.start.column - 1);
    message.location = new Location(Uri.joinPath(module, range.filename), position);
  }
  return message;
}
