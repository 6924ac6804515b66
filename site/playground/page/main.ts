import type { Files, OutputMessage } from '../protocol.ts';
import { Editor, type Problem } from './editor.ts';
import { Engine } from './engine.ts';
import type { LanguageClient } from './language.ts';
import { EXAMPLES } from './examples.ts';
import { decodeFiles, encodeFiles, fileNameProblem } from './share.ts';
import { styledText } from './terminal-text.ts';
import { splitCommand } from './split-command.ts';
import { problemsByFile } from './problems.ts';

const STATE = 'terraform.tfstate';
const STORED = 'terrane-playground';
const SAVE_DELAY_MS = 400;

function byId<Element extends HTMLElement>(id: string): Element {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`no element ${id}`);
  // The elements are those of index.html.
  return element as Element;
}

/** The page: files, editor, output and graph. */
class Playground {
  readonly #engine = new Engine('worker.js');
  readonly #editor: Editor;
  readonly #output = byId('output');
  readonly #status = byId('status');
  #files: Record<string, string> = {};
  #open = '';
  #busy = 0;
  #problems: ReadonlyMap<string, readonly Problem[]> = new Map();
  #save: ReturnType<typeof setTimeout> | undefined;
  #language: LanguageClient | undefined;

  constructor() {
    this.#editor = new Editor(
      byId('editor'),
      () => this.#edited(),
      () => void this.run(['plan']),
    );
    for (const button of document.querySelectorAll<HTMLElement>('[data-run]')) {
      button.addEventListener(
        'click',
        () => void this.run(splitCommand(button.dataset['run'] ?? '')),
      );
    }
    byId('graph-button').addEventListener('click', () => void this.#showGraph());
    byId('stop').addEventListener('click', () => this.#engine.stop());
    byId('share').addEventListener('click', () => void this.#share());
    byId('new-file').addEventListener('click', () => this.#addFile());
    byId('command-form').addEventListener('submit', (event) => {
      event.preventDefault();
      const input = byId<HTMLInputElement>('command');
      void this.#runLine(input.value);
    });
    const examples = byId<HTMLSelectElement>('examples');
    for (const title of Object.keys(EXAMPLES)) examples.add(new Option(title));
    examples.addEventListener('change', () => {
      const files = EXAMPLES[examples.value];
      if (files !== undefined) this.#load(files);
      examples.selectedIndex = 0;
    });
    addEventListener('hashchange', () => void this.start());
    byId('tabs').addEventListener('keydown', (event) => this.#moveInTabs(event));
    byId('show-output').addEventListener('click', () => this.#showOutput());
  }

  /** Loads the files of the link, or those of the last visit, or the first example. */
  async start(): Promise<void> {
    const shared = /^#files=([\w-]+)$/.exec(location.hash)?.[1];
    if (shared !== undefined) {
      try {
        this.#load(await decodeFiles(shared));
        return;
      } catch (error) {
        this.#write(`The link could not be read: ${String(error)}\n`, 'stderr');
      }
    }
    const stored = localStorage.getItem(STORED);
    const [first] = Object.values(EXAMPLES);
    try {
      this.#load(stored === null ? (first ?? {}) : (JSON.parse(stored) as Files));
    } catch {
      this.#load(first ?? {});
    }
  }

  /** Connects the editor to the language server in the worker, which is loaded when the page is ready. */
  async useLanguageServer(): Promise<void> {
    const { connectLanguageServer } = await import('./language.ts');
    this.#engine.onLanguageServer((port) => {
      const client = connectLanguageServer(port, {
        paths: () => Object.keys(this.#files),
        textOf: (path) => this.#files[path] ?? '',
        replace: (path, text) => {
          this.#files[path] = text;
          this.#editor.replace(path, text);
          this.#edited();
        },
        show: (path) => {
          this.#select(path);
          return this.#editor.view;
        },
      });
      this.#language = client;
      this.#editor.useLanguageSupport((path) => client.extensionOf(path));
      void client.ready.then(() => (document.body.dataset['language'] = 'ready'));
    });
  }

  /** Runs a command and shows its output. */
  async run(args: readonly string[], input = ''): Promise<void> {
    this.#showOutput();
    this.#output.replaceChildren();
    const prompt = input === '' ? `$ terrane ${args.join(' ')}` : `> ${input.trim()}`;
    this.#write(`${prompt}\n`, 'prompt');
    const code = await this.#execute(
      args,
      (message) => this.#write(message.text, message.stream),
      input,
    );
    this.#output.scrollTop = 0;
    if (args[0] === 'plan' || args[0] === 'apply') await this.#validate();
    this.#status.dataset['code'] = String(code);
  }

  async #execute(
    args: readonly string[],
    onOutput: (message: OutputMessage) => void,
    input = '',
  ): Promise<number> {
    this.#store();
    this.#setBusy(1);
    try {
      // Modules are installed as soon as they are called, so that nobody has to remember `init`.
      if (this.#hasModules() && args[0] !== 'init' && args[0] !== 'get' && args[0] !== 'fmt') {
        let problems = '';
        const got = await this.#engine.run(['get'], {
          files: this.#files,
          onOutput: ({ text }) => (problems += text),
        });
        if (got.code !== 0) {
          onOutput({ kind: 'output', id: 0, stream: 'stderr', text: problems });
          return got.code;
        }
      }
      const columns = Math.max(40, Math.floor(this.#output.clientWidth / 7.9) - 2);
      const done = await this.#engine.run(args, { files: this.#files, onOutput, input, columns });
      this.#receive(done.files);
      const text = `exit code ${done.code} · ${Math.round(done.milliseconds)} ms`;
      this.#status.textContent = text;
      return done.code;
    } finally {
      this.#setBusy(-1);
    }
  }

  async #runLine(line: string): Promise<void> {
    const text = line.trim();
    if (text === '') return;
    // Input that is not a command is an expression.
    const [first = ''] = splitCommand(text);
    const isCommand = /^(?:terrane|terraform|tofu)$/.test(first);
    if (isCommand) await this.run(splitCommand(text).slice(1));
    else if (/^[a-z]+(?:\s|$)/.test(text) && COMMANDS.has(first))
      await this.run(splitCommand(text));
    else await this.run(['console'], `${text}\n`);
  }

  async #showGraph(): Promise<void> {
    this.#output.replaceChildren();
    let errors = '';
    const parts: string[] = [];
    const collect = ({ stream, text }: OutputMessage): void => {
      if (stream === 'stdout') parts.push(text);
      else errors += text;
    };
    let code = await this.#execute(['plan', '-out=.playground.plan'], collect);
    if (code === 0) {
      parts.length = 0;
      code = await this.#execute(['show', '-html', '.playground.plan'], collect);
    }
    if (code !== 0) {
      this.#showOutput();
      this.#write(errors, 'stderr');
      return;
    }
    const frame = document.createElement('iframe');
    frame.title = 'Graph of the plan';
    frame.id = 'frame';
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.srcdoc = parts.join('');
    byId('frame').replaceWith(frame);
    byId('results').dataset['shows'] = 'graph';
  }

  #showOutput(): void {
    byId('results').dataset['shows'] = 'output';
  }

  #write(text: string, stream: string): void {
    for (const { text: part, style } of styledText(text)) {
      const span = document.createElement('span');
      span.className = `${style} ${stream}`;
      span.textContent = part;
      this.#output.append(span);
    }
  }

  #edited(): void {
    this.#files[this.#open] = this.#editor.text;
    clearTimeout(this.#save);
    this.#save = setTimeout(() => {
      this.#store();
      void this.#validate();
    }, SAVE_DELAY_MS);
  }

  #store(): void {
    localStorage.setItem(STORED, JSON.stringify(this.#files));
  }

  async #validate(): Promise<void> {
    if (this.#busy > 0) return;
    let json = '';
    await this.#engine.run(['validate', '-json'], {
      files: this.#files,
      onOutput: ({ stream, text }) => {
        if (stream === 'stdout') json += text;
      },
    });
    this.#problems = problemsByFile(json);
    this.#editor.mark(this.#problems.get(this.#open) ?? []);
    this.#drawTabs();
  }

  #receive(changes: Readonly<Record<string, string | null>>): void {
    for (const [path, text] of Object.entries(changes)) {
      if (text === null) delete this.#files[path];
      else this.#files[path] = text;
      if (text !== null) this.#editor.replace(path, text);
    }
    this.#language?.filesChanged();
    if (!(this.#open in this.#files)) this.#select(Object.keys(this.#files)[0] ?? 'main.tf');
    this.#drawTabs();
    this.#store();
  }

  #load(files: Files): void {
    this.#files = { ...files };
    this.#editor.reset();
    this.#open = '';
    this.#output.replaceChildren();
    this.#showOutput();
    this.#write('Press Plan to see what Terrane would do. Everything runs in this page.\n', 'hint');
    this.#language?.filesChanged();
    this.#select('main.tf' in files ? 'main.tf' : (Object.keys(files)[0] ?? 'main.tf'));
    void this.#validate();
  }

  #select(path: string): void {
    this.#open = path;
    this.#files[path] ??= '';
    this.#editor.open(path, this.#files[path]);
    this.#editor.mark(this.#problems.get(path) ?? []);
    this.#drawTabs();
  }

  #drawTabs(): void {
    const names = Object.keys(this.#files).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    const tabs = names.map((path) => {
      const tab = document.createElement('button');
      const count = this.#problems.get(path)?.length ?? 0;
      tab.type = 'button';
      tab.textContent = path === STATE ? 'state' : path;
      tab.title = path;
      tab.setAttribute('role', 'tab');
      tab.setAttribute('aria-selected', String(path === this.#open));
      tab.setAttribute('aria-controls', 'editor');
      tab.tabIndex = path === this.#open ? 0 : -1;
      if (count > 0) {
        tab.classList.add('faulty');
        tab.setAttribute('aria-label', `${path}, ${count} ${count === 1 ? 'problem' : 'problems'}`);
      }
      tab.addEventListener('click', () => this.#select(path));
      return tab;
    });
    byId('tabs').replaceChildren(...tabs);
    const remove = byId<HTMLButtonElement>('remove-file');
    remove.onclick = () => this.#removeFile();
    remove.disabled = names.length < 2;
  }

  #moveInTabs({ key }: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const tabs = [...byId('tabs').querySelectorAll<HTMLElement>('[role=tab]')];
    const at = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true');
    tabs[(at + step + tabs.length) % tabs.length]?.click();
    byId('tabs').querySelector<HTMLElement>('[aria-selected=true]')?.focus();
  }

  #addFile(): void {
    const path = prompt('Name of the new file, such as variables.tf or modules/a/main.tf')?.trim();
    if (path === undefined || path === '') return;
    const problem = fileNameProblem(path);
    if (problem === undefined) this.#select(path);
    else alert(`${path} cannot be the name of a file. ${problem}`);
    this.#editor.focus();
  }

  #removeFile(): void {
    if (!confirm(`Remove ${this.#open}?`)) return;
    delete this.#files[this.#open];
    this.#language?.filesChanged();
    this.#select(Object.keys(this.#files)[0] ?? 'main.tf');
    this.#store();
    void this.#validate();
  }

  async #share(): Promise<void> {
    const hash = `#files=${await encodeFiles(this.#files)}`;
    history.replaceState(null, '', hash);
    try {
      await navigator.clipboard.writeText(location.href);
      this.#status.textContent = 'The link is in the clipboard.';
    } catch {
      this.#status.textContent = 'The link is in the address bar.';
    }
  }

  #hasModules(): boolean {
    return Object.entries(this.#files).some(
      ([path, text]) => /\.(?:tf|tofu|hcl)$/.test(path) && /^\s*module\s*["\w{]/m.test(text),
    );
  }

  #setBusy(step: 1 | -1): void {
    this.#busy += step;
    document.body.classList.toggle('busy', this.#busy > 0);
    byId<HTMLButtonElement>('stop').disabled = this.#busy === 0;
    if (this.#busy > 0) this.#status.textContent = 'running…';
  }
}

const COMMANDS = new Set([
  'apply',
  'console',
  'destroy',
  'explain',
  'fmt',
  'force-unlock',
  'get',
  'graph',
  'help',
  'import',
  'init',
  'metadata',
  'modules',
  'output',
  'plan',
  'providers',
  'query',
  'refresh',
  'show',
  'state',
  'taint',
  'test',
  'untaint',
  'validate',
  'version',
  'workspace',
]);

function rank(path: string): number {
  if (path === 'main.tf') return 0;
  if (path.endsWith('.tfvars')) return 2;
  if (path.startsWith(STATE)) return 4;
  return path.startsWith('.') ? 5 : 1;
}

const playground = new Playground();
void playground.start().then(() => playground.useLanguageServer());
if ('serviceWorker' in navigator && location.protocol.startsWith('http')) {
  void navigator.serviceWorker.register('service-worker.js').catch(() => undefined);
}
